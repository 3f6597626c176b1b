//! New files of assets.

use super::Session;
use fyrox::{
    asset::{untyped::ResourceKind, Resource, TypedResourceData},
    core::{log::Log, uuid::Uuid},
};
use fyroxed_base::Editor;
use std::path::{Path, PathBuf};

/// Writes an asset to a new file that is named after an object, and reports it. `None` if it cannot be written.
pub(super) fn save_new<T: TypedResourceData>(
    session: &Session,
    mut content: T,
    folder: &str,
    name: &str,
    extension: &str,
    editor: &Editor,
) -> Option<Resource<T>> {
    let path = free_path(Path::new(folder), name, extension);
    let saved = std::fs::create_dir_all(folder)
        .map_err(|error| error.to_string())
        .and_then(|()| content.save(&path).map_err(|error| error.to_string()));
    let path_text = path.display();
    if let Err(reason) = saved {
        let text =
            format!("{path_text} cannot be written: {reason}; check the folder's permissions.");
        Log::err(&text);
        session.report(editor, &text);
        return None;
    }
    session.report(editor, &format!("Saved {path_text}."));
    let resource = Resource::new_ok(Uuid::new_v4(), ResourceKind::External, content);
    let manager = &editor.engine.resource_manager;
    Log::verify(manager.register(resource.clone().into_untyped(), &path));
    Some(resource)
}

/// Returns the path of a file that does not exist yet, named after an object.
fn free_path(folder: &Path, name: &str, extension: &str) -> PathBuf {
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
