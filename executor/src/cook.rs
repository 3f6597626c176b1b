//! Cooks scenes: computes what takes longest about preparing their objects, and keeps it in files beside the models.

use crate::{
    data_folder::DataFolder,
    headless::{Headless, HeadlessError},
};
use fracture::{CookReport, Cooking};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Ending of scene files.
const SCENE: &str = "rgs";

/// Cooks scenes, or all scenes of the data folder when none is named.
///
/// # Errors
/// [`HeadlessError`] when the data folder or a scene cannot be read.
pub fn cook_scenes(scenes: &[PathBuf], data: Option<&Path>) -> Result<CookReport, HeadlessError> {
    let data = DataFolder::find(data, scenes.first().map(PathBuf::as_path))?;
    let mut files: Vec<PathBuf> = scenes.iter().map(|scene| data.scene(scene, None)).collect();
    if scenes.is_empty() {
        let all = scenes_below(data.path());
        files.extend(all.iter().map(|scene| data.scene(scene, None)));
    }
    let mut engine = Headless::new(&data)?;
    let mut report = CookReport::default();
    for file in files {
        let scene = engine.open(&file)?;
        let resources = engine.resources().clone();
        if let Some(scene) = engine.scene(scene) {
            let cooking = Cooking::new(&scene.graph, Some(&file), &resources);
            // It is never cancelled.
            report.append(cooking.run(&|| false).unwrap_or_default());
        }
        engine.close(scene);
    }
    Ok(report)
}

/// The scenes of a folder and of those in it, sorted.
fn scenes_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        // A folder that cannot be read has no scenes for the engine either.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == SCENE) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
