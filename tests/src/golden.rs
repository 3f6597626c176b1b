//! Golden summaries: the outcomes of scenarios that were found to be good.

use crate::{files, folder, name_of};
use executor::scenario::{differences, Report};
use std::{
    collections::BTreeSet,
    env, fs, io,
    path::{Path, PathBuf},
};

/// Variable with which summaries are written instead of compared; `tests/run --bless` sets it.
pub const BLESS: &str = "FRACTURE_BLESS";

/// Differences from the golden summary, line by line; empty when there are none.
///
/// # Errors
/// When the golden summary cannot be read or written.
pub fn compare(name: &str, report: &Report) -> Result<String, String> {
    let path = path_of(name);
    let found = report.summary();
    if env::var_os(BLESS).is_some() {
        let written = write(&path, &found);
        return match written {
            Ok(()) => Ok(String::new()),
            Err(error) => Err(format!("{} cannot be written: {error}", path.display())),
        };
    }
    let golden = fs::read_to_string(&path).map_err(|error| {
        let path = path.display();
        format!("there is no golden summary {path} ({error}); `tests/run --bless` writes it")
    })?;
    let lines = differences(&golden, &found);
    if lines.is_empty() {
        return Ok(String::new());
    }
    Ok(format!(
        "the outcome differs from {}; if it is as good, `tests/run --bless` writes it there:\n{}\n",
        path.display(),
        lines.join("\n")
    ))
}

/// Checks that every golden summary belongs to a scenario.
///
/// # Errors
/// The files without a scenario.
pub fn check_for_strays() -> Result<(), String> {
    let known: BTreeSet<PathBuf> = files()
        .map_err(|error| error.to_string())?
        .iter()
        .map(|path| path_of(&name_of(path)))
        .collect();
    let entries = fs::read_dir(folder().join("golden")).map_err(|error| error.to_string())?;
    let there = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let strays: Vec<String> = there
        .filter(|path| !known.contains(path))
        .map(|path| path.display().to_string())
        .collect();
    if strays.is_empty() {
        return Ok(());
    }
    Err(format!("no scenario belongs to {}", strays.join(", ")))
}

fn path_of(name: &str) -> PathBuf {
    folder().join(format!("golden/{name}.txt"))
}

/// Writes a file completely or not at all.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, text)?;
    fs::rename(part, path)
}
