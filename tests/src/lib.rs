//! The scenario files, as the tests see them.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use executor::{data_folder::DataFolder, scenario::Report};
use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// Every scenario file in the data folder, sorted by name.
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

/// What failed, one line each; empty when all expectations hold.
pub fn failures(report: &Report) -> String {
    let failed = report.expectations.iter().filter(|found| !found.passed);
    failed
        .map(|failed| {
            format!(
                "frame {}: expected that {}; found {}\n",
                failed.frame, failed.expected, failed.found
            )
        })
        .collect()
}
