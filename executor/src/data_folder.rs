//! The data folder, found from any working directory.

use std::env;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Subfolder by which the data folder is recognised.
const MARK: &str = "scenes";

/// Why the data folder cannot be used.
#[derive(Debug, Error)]
pub enum DataFolderError {
    /// The given folder has no scenes.
    #[error("{} is not a data folder: it has no folder \"{MARK}\"; name the one that holds scenes, models and patterns", .0.display())]
    NotData(PathBuf),
    /// No data folder was found.
    #[error("there is no folder data/{MARK} beside the program, here or above; start the program inside the project, or name the folder with --data")]
    NotFound,
    /// The program cannot work in the folder above the data folder.
    #[error("the folder of {} cannot be entered: {reason}", .path.display())]
    Enter {
        /// The data folder.
        path: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
}

/// The folder with scenes, models, patterns and textures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    /// The named folder, or else the first `data` found beside the program, where the engine's exporter
    /// puts it, from a file upwards, from the current folder upwards, above the program, or in the
    /// project it was built from.
    ///
    /// # Errors
    /// [`DataFolderError`] when the named folder is none, or none is found.
    pub fn find(named: Option<&Path>, near: Option<&Path>) -> Result<Self, DataFolderError> {
        if let Some(path) = named {
            return Self::at(path).ok_or_else(|| DataFolderError::NotData(path.to_path_buf()));
        }
        let shipped = program().and_then(|program| Self::at(&program.parent()?.join("data")));
        if let Some(shipped) = shipped {
            return Ok(shipped);
        }
        let near = near.and_then(|file| file.canonicalize().ok());
        near.into_iter()
            .chain(starting_points())
            .collect::<Vec<_>>()
            .iter()
            .flat_map(|start| start.ancestors())
            .find_map(|folder| Self::at(&folder.join("data")))
            .ok_or(DataFolderError::NotFound)
    }

    fn at(path: &Path) -> Option<Self> {
        let path = path.canonicalize().ok()?;
        path.join(MARK).is_dir().then_some(Self { path })
    }

    /// The folder itself, absolute.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder's name: the engine's resource paths start with it.
    pub fn name(&self) -> PathBuf {
        self.path
            .file_name()
            .map_or_else(|| "data".into(), PathBuf::from)
    }

    /// Where a scene lies that a user names: beside the file that names it, in the data folder, in
    /// the folder above, or relative to the current folder. A scene below the folder above the data
    /// becomes relative to it, as the engine knows it; one that is not there stays as it was named.
    pub fn scene(&self, named: &Path, beside: Option<&Path>) -> PathBuf {
        let above = self.path.parent().unwrap_or(&self.path);
        let found = beside
            .into_iter()
            .chain([&*self.path, above, Path::new("")])
            .filter_map(|folder| folder.join(named).canonicalize().ok())
            .find(|path| path.is_file());
        match found {
            Some(path) => path
                .strip_prefix(above)
                .map_or_else(|_| path.clone(), Path::to_path_buf),
            None => named.to_path_buf(),
        }
    }

    /// Makes the folder above it the current one, because the engine knows resources by paths
    /// relative to the current folder.
    ///
    /// # Errors
    /// [`DataFolderError::Enter`] when the system refuses.
    pub fn enter(&self) -> Result<(), DataFolderError> {
        let parent = self.path.parent().unwrap_or(&self.path);
        env::set_current_dir(parent).map_err(|reason| DataFolderError::Enter {
            path: self.name(),
            reason,
        })
    }
}

/// The program's own file.
fn program() -> Option<PathBuf> {
    env::current_exe().ok()?.canonicalize().ok()
}

/// Folders to look from, most specific first.
fn starting_points() -> Vec<PathBuf> {
    // Cargo says at run time which package it runs; a bare start falls back to where it was built.
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let built_from = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    env::current_dir()
        .ok()
        .into_iter()
        .chain(program())
        .chain(package)
        .chain([built_from])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projects_own_data_is_found() {
        let folder = DataFolder::find(None, None).unwrap();
        assert!(folder.path().join("scenes").is_dir());
        assert_eq!(folder.name(), PathBuf::from("data"));
    }

    #[test]
    fn a_scene_is_found_from_the_data_and_from_above_it() {
        let folder = DataFolder::find(None, None).unwrap();
        let known = PathBuf::from("data/scenes/wall.rgs");
        assert_eq!(folder.scene(Path::new("scenes/wall.rgs"), None), known);
        assert_eq!(folder.scene(&known, None), known);
        let beside = folder.path().join("scenes");
        assert_eq!(folder.scene(Path::new("wall.rgs"), Some(&beside)), known);
        let missing = Path::new("scenes/none.rgs");
        assert_eq!(folder.scene(missing, None), missing);
    }

    #[test]
    fn a_folder_without_scenes_is_refused_by_name() {
        let error = DataFolder::find(Some(Path::new("src")), None).unwrap_err();
        assert!(error.to_string().contains("src"), "{error}");
    }
}
