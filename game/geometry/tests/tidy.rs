//! Names and comments of this crate's sources: no name twice, no doc comment that begins as a riddle.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of crates, as seen from this one; those that do not exist are left out.
const CRATES: [&str; 1] = ["src"];
/// First words of doc comments that do not name their subject.
const RIDDLES: [&str; 8] = [
    "What",
    "Who",
    "Whoever",
    "Whatever",
    "Somebody",
    "Nobody",
    "Whether somebody",
    "Whose",
];
/// Type names that a folder makes plain, and file names that every folder may have.
const REPEATED_TYPES: [&str; 2] = ["Error", "Settings"];
const REPEATED_FILES: [&str; 3] = ["mod.rs", "tests.rs", "lib.rs"];

/// Calls back with the path and the text of each source file of a crate.
fn for_each_source(folder: &Path, f: &mut impl FnMut(&Path, &str)) {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            for_each_source(&path, f);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            f(&path, &fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// Collects faults of each crate.
fn check_crates(mut check: impl FnMut(&Path, &mut Vec<String>)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut faults = Vec::new();
    for folder in CRATES.map(|folder| root.join(folder)) {
        if folder.is_dir() {
            check(&folder, &mut faults);
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Adds a fault for each name that several files have.
fn report_repeated(kind: &str, places: BTreeMap<String, Vec<PathBuf>>, faults: &mut Vec<String>) {
    for (name, paths) in places.into_iter().filter(|(_, paths)| paths.len() > 1) {
        faults.push(format!("{kind} {name} occurs more than once: {paths:?}"));
    }
}

/// The blocks of consecutive doc comment lines of a file, each with the number of its first line.
fn doc_comments(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut is_inside = false;
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let doc = line.strip_prefix("///").or(line.strip_prefix("//!"));
        match (doc, blocks.last_mut().filter(|_| is_inside)) {
            (Some(doc), Some((_, lines))) => lines.push(doc.trim()),
            (Some(doc), None) => blocks.push((number, vec![doc.trim()])),
            (None, _) => {}
        }
        is_inside = doc.is_some();
    }
    blocks
}

#[test]
fn doc_comments_name_their_subject_first_and_end() {
    check_crates(|folder, faults| {
        for_each_source(folder, &mut |path, text| {
            for (number, lines) in doc_comments(text) {
                let place = format!("{}:{number}", path.display());
                let (first, last) = (lines[0], lines[lines.len() - 1]);
                let is_riddle = |word: &&str| {
                    let rest = first.strip_prefix(*word);
                    rest.is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
                };
                if let Some(word) = RIDDLES.iter().find(|word| is_riddle(word)) {
                    faults.push(format!("{place}: the doc comment begins with \"{word}\""));
                }
                if last.ends_with(',') {
                    faults.push(format!("{place}: the doc comment ends in a comma"));
                }
            }
        });
    });
}

/// The type that a line defines. Indented aliases are associated types, which may repeat.
fn defined_type(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let mut keyword = words.next()?;
    if keyword.starts_with("pub") {
        keyword = words.next()?;
    }
    let is_type = ["struct", "enum", "trait"].contains(&keyword);
    let is_alias = keyword == "type" && !line.starts_with(' ');
    let name = words.next().filter(|_| is_type || is_alias)?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

#[test]
fn type_names_are_defined_once_in_a_crate() {
    check_crates(|folder, faults| {
        let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for_each_source(folder, &mut |path, text| {
            // Tests may define what they like.
            let code = text.split("#[cfg(test)]").next().unwrap_or(text);
            for line in code.lines() {
                if let Some(name) = defined_type(line).filter(|n| !REPEATED_TYPES.contains(n)) {
                    places.entry(name.into()).or_default().push(path.into());
                }
            }
        });
        report_repeated("type", places, faults);
    });
}

#[test]
fn file_names_occur_once_in_a_crate() {
    check_crates(|folder, faults| {
        let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for_each_source(folder, &mut |path, _| {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.filter(|name| !REPEATED_FILES.contains(name));
            if let Some(name) = name {
                places.entry(name.into()).or_default().push(path.into());
            }
        });
        report_repeated("file", places, faults);
    });
}
