//! Paths of new files.

use std::path::{Path, PathBuf};

/// Returns the path of a file that does not exist yet, named after an object.
pub fn free_path(folder: &Path, name: &str, extension: &str) -> PathBuf {
    let letter = |c: char| match c {
        c if c.is_alphanumeric() => c.to_ascii_lowercase(),
        _ => '_',
    };
    let name: String = name.chars().map(letter).collect();
    let name = if name.is_empty() {
        extension.into()
    } else {
        name
    };
    let plain = folder.join(format!("{name}.{extension}"));
    let numbered = (2..).map(|n: u32| folder.join(format!("{name}_{n}.{extension}")));
    std::iter::once(plain.clone())
        .chain(numbered)
        .find(|path| !path.exists())
        .unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_overwrites_none() {
        let folder = std::env::temp_dir().join(format!("fracture-free-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let first = free_path(&folder, "Old Wall/7", "pattern");
        assert!(first.ends_with("old_wall_7.pattern"));
        std::fs::write(&first, "").unwrap();
        assert!(free_path(&folder, "Old Wall/7", "pattern").ends_with("old_wall_7_2.pattern"));
        assert!(free_path(&folder, "", "pattern").ends_with("pattern.pattern"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
