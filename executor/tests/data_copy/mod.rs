//! A copy of the data that a test may spoil.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Copies the data into a folder of a test; returns the copy's path.
pub fn data_copy(test: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(test)
        .join("data");
    let _ = fs::remove_dir_all(&data);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    copy(&own, &data).unwrap();
    data
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
