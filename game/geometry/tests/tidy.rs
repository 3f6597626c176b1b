//! Names, comments and places in the sources of all crates: no name twice, no doc comment that begins as a riddle,
//! the methods of a type in one folder, files and functions of a length that can be read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of crates, as seen from this one; those that do not exist are left out.
const CRATES: [&str; 5] = [
    "src",
    "../simulation/src",
    "../src",
    "../../editor/src",
    "../../executor/src",
];
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
const REPEATED_FILES: [&str; 2] = ["mod.rs", "lib.rs"];

/// Crates whose results are the same on every processor.
const PORTABLE_CRATES: [&str; 2] = ["src", "../simulation/src"];
/// Functions that every system rounds in its own way, as methods; `libm` has them for all alike.
const SYSTEM_FUNCTIONS: [&str; 23] = [
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
    "powf", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "cbrt", "hypot",
    "mul_add",
];

/// Most files of one folder that hold methods of a type.
const MAX_IMPL_FILES: usize = 3;
/// Most lines of a file, and of a function.
const MAX_FILE_LINES: usize = 600;
const MAX_FUNCTION_LINES: usize = 50;

/// Calls back with the path and the text of each source file of a crate.
pub fn for_each_source(folder: &Path, f: &mut impl FnMut(&Path, &str)) {
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
pub fn check_crates(mut check: impl FnMut(&Path, &mut Vec<String>)) {
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

/// The code of a source file without its tests, which may define what they like.
pub fn without_tests<'a>(path: &Path, text: &'a str) -> &'a str {
    if path.to_string_lossy().ends_with("_tests.rs") {
        return "";
    }
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
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
            for line in without_tests(path, text).lines() {
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

/// The type of which the methods begin in a line: the first line of an impl block that is not that of a trait.
fn impl_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(generic) => generic.split_once("> ")?.1,
        None => rest.strip_prefix(' ')?,
    };
    let name = rest
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    (!name.is_empty() && !rest.contains(" for ")).then_some(name)
}

#[test]
fn methods_of_a_type_stand_in_one_folder_and_few_files() {
    check_crates(|folder, faults| {
        let mut places: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        for_each_source(folder, &mut |path, text| {
            for name in without_tests(path, text).lines().filter_map(impl_type) {
                places.entry(name.into()).or_default().insert(path.into());
            }
        });
        for (name, files) in places {
            let folders: BTreeSet<_> = files.iter().map(|file| file.parent()).collect();
            if folders.len() > 1 || files.len() > MAX_IMPL_FILES {
                faults.push(format!("the methods of {name} are far apart: {files:?}"));
            }
        }
    });
}

/// The functions of more lines than allowed, by the indents of their first and last lines.
fn long_functions(text: &str) -> Vec<String> {
    let mut open: Option<(usize, String, &str)> = None;
    let mut long = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.trim_start();
        let indent = " ".repeat(line.len() - code.len());
        if let Some((first, end, head)) = &open {
            if line == end {
                if number - first >= MAX_FUNCTION_LINES {
                    long.push(format!("{} lines: {head}", number - first + 1));
                }
                open = None;
            }
        } else if code.starts_with("fn ") || code.starts_with("pub") && code.contains(" fn ") {
            open = Some((number, indent + "}", code));
        }
    }
    long
}

#[test]
fn sines_and_roots_are_not_the_systems() {
    check_crates(|folder, faults| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        if !PORTABLE_CRATES
            .map(|portable| root.join(portable))
            .contains(&folder.to_path_buf())
        {
            return;
        }
        for_each_source(folder, &mut |path, text| {
            let code = without_tests(path, text);
            let calls = |name: &&&str| {
                let of_type = |number| code.contains(&format!("{number}::{name}"));
                code.contains(&format!(".{name}(")) || of_type("f32") || of_type("f64")
            };
            let called = SYSTEM_FUNCTIONS.iter().filter(calls);
            faults.extend(called.map(|name| format!("{}: {name}", path.display())));
        });
    });
}

#[test]
fn files_and_functions_are_short() {
    check_crates(|folder, faults| {
        for_each_source(folder, &mut |path, text| {
            let long = long_functions(without_tests(path, text));
            let long = long
                .into_iter()
                .map(|text| format!("{}: {text}", path.display()));
            faults.extend(long);
            if text.lines().count() > MAX_FILE_LINES {
                faults.push(format!("{} is long", path.display()));
            }
        });
    });
}
