//! The engine knows a resource by an id that stands in a `.meta` file beside it. Here the id
//! follows from the path, so that making the data anew does not change it.

use fyrox::{
    asset::{io::FsResourceIo, metadata::ResourceMetadata},
    core::Uuid,
};
use std::error::Error;
use std::fs;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// Kinds of files that are resources.
const KINDS: &[&str] = &["glb", "png", "shader", "material", "pattern", "card", "rgs"];

/// Writes the missing `.meta` files in the folders of the data folder.
pub fn write(data: &Path) -> Result<(), Box<dyn Error>> {
    for folder in [
        "models",
        "textures",
        "shaders",
        "materials",
        "patterns",
        "cards",
        "prefabs",
        "scenes",
    ] {
        for entry in fs::read_dir(data.join(folder))? {
            let path = entry?.path();
            let kind = path
                .extension()
                .and_then(|kind| kind.to_str())
                .unwrap_or_default();
            if KINDS.contains(&kind) {
                write_meta(&path)?;
            }
        }
    }
    Ok(())
}

/// The id of the resource at a path, relative to the folder above the data folder.
pub fn of(path: &Path) -> Uuid {
    let name = path.to_string_lossy().replace('\\', "/");
    Uuid::from_u128(xxh3_128(name.as_bytes()))
}

fn write_meta(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut meta = path.as_os_str().to_owned();
    meta.push(".");
    meta.push(ResourceMetadata::EXTENSION);
    let meta = Path::new(&meta);
    if meta.exists() {
        return Ok(());
    }
    let metadata = ResourceMetadata {
        resource_id: of(path),
    };
    metadata
        .save_sync(meta, &FsResourceIo)
        .map_err(|error| format!("{}: {error}", meta.display()).into())
}
