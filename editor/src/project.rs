//! Finds the project: the folder that holds `data`. The engine's paths are relative to it.

use std::{
    env,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// The folder by which a project is recognised.
const DATA: &str = "data";

/// Why the editor cannot start.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// No project was found.
    #[error("there is no folder \"{DATA}\" here or above; start the editor inside the project")]
    NotFound,
    /// The project cannot be entered.
    #[error("the folder {folder} cannot be entered: {reason}; check its permissions")]
    Closed {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
    /// A given scene does not exist.
    #[error("there is no scene {0}; give its path from the folder that holds \"{DATA}\"")]
    NoScene(PathBuf),
}

/// Makes the project the current folder: the nearest one with `data` here or above, else the one of the
/// sources.
pub fn enter() -> Result<(), ProjectError> {
    let here = env::current_dir().ok();
    let source = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folder = [here, source]
        .into_iter()
        .flatten()
        .find_map(|start| with_data(&start))
        .ok_or(ProjectError::NotFound)?;
    env::set_current_dir(&folder).map_err(|reason| ProjectError::Closed { folder, reason })
}

/// Returns the scenes to open: the given ones, which have to exist, else the default one if it exists.
pub fn checked(asked: Vec<PathBuf>, usual: &str) -> Result<Vec<PathBuf>, ProjectError> {
    if asked.is_empty() {
        let usual = PathBuf::from(usual);
        return Ok(if usual.is_file() { vec![usual] } else { vec![] });
    }
    match asked.iter().find(|scene| !scene.is_file()) {
        Some(missing) => Err(ProjectError::NoScene(missing.clone())),
        None => Ok(asked),
    }
}

fn with_data(start: &Path) -> Option<PathBuf> {
    let folder = start
        .ancestors()
        .find(|folder| folder.join(DATA).is_dir())?;
    Some(folder.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_found_from_inside_and_a_missing_scene_is_named() {
        let inside = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let project = with_data(&inside).unwrap();
        assert!(project.join("editor").is_dir());
        let error = checked(vec!["data/scenes/none.rgs".into()], "x").unwrap_err();
        assert!(error.to_string().contains("none.rgs"), "{error}");
        assert!(checked(vec![], "data/no/such.rgs").unwrap().is_empty());
    }
}
