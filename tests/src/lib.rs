//! Scenario files, their golden summaries, and evidence of failures.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod evidence;
pub mod golden;

use executor::{data_folder::DataFolder, scenario::Report};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// All scenario files in the data folder, sorted by name.
///
/// # Errors
/// When there is no data folder, or it cannot be read.
pub fn files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folder = DataFolder::find(None, None)?.path().join("scenarios");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ron") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Name of a scenario: its file name without the extension.
pub fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Folder of this package.
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Failed expectations, one line each; empty when all hold.
pub fn failures(report: &Report) -> String {
    let failed = report.expectations.iter().filter(|found| !found.passed);
    let excesses = report
        .energy_excesses
        .iter()
        .map(|text| format!("{text}\n"));
    failed
        .map(|failed| {
            format!(
                "frame {}: expected that {}; found {}\n",
                failed.frame, failed.expected, failed.found
            )
        })
        .chain(excesses)
        .collect()
}
