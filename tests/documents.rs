//! Documents name only what exists: their links lead somewhere, and paths and types in backticks are
//! those of files and code.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Folders without documents or code of ours.
const SKIPPED: [&str; 4] = [".git", "target", "node_modules", "build"];

/// All files of the repository.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && !SKIPPED.iter().any(|skipped| name == *skipped) {
            files(&path, found);
        } else if path.is_file() {
            found.push(path);
        }
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
}

/// The words of program texts: letters, digits and underscores.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric())
}

/// Text in backticks, outside of code blocks.
fn code_spans(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose
        .flat_map(|part| part.split('`').skip(1).step_by(2))
        .collect()
}

/// Returns whether a word is the name of a type: it begins with a capital and has small letters.
fn is_type_name(word: &str) -> bool {
    word.len() > 2
        && word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.contains(|letter: char| letter.is_ascii_lowercase())
}

#[test]
fn documents_name_only_files_and_types_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Vec::new();
    files(&root, &mut all);
    let code: Vec<String> = all
        .iter()
        .filter(|path| has_extension(path, &["rs", "ron", "toml"]))
        .map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned())
        .collect();
    let known: BTreeSet<&str> = code.iter().flat_map(|text| words(text)).collect();
    let mut problems = Vec::new();
    let documents = all.iter().filter(|path| has_extension(path, &["md"]));
    // Some documents stand in several packages, as links to one file.
    for path in documents.filter(|path| !path.is_symlink()) {
        let text = fs::read_to_string(path).unwrap();
        let folder = path.parent().unwrap();
        let mut report = |problem: String| problems.push(format!("{}: {problem}", path.display()));
        for link in text.split("](").skip(1) {
            let link = link.split([')', '#']).next().unwrap_or_default();
            let is_local = !link.is_empty() && !link.starts_with("http");
            if is_local && !folder.join(link).exists() {
                report(format!("the link {link} leads nowhere"));
            }
        }
        for span in code_spans(&text) {
            let is_path = has_extension(Path::new(span), &["rs"]) && !span.contains([' ', '*']);
            if is_path && !all.iter().any(|file| file.ends_with(span)) {
                report(format!("there is no file {span}"));
            }
            let unknown = words(span).find(|word| is_type_name(word) && !known.contains(word));
            if let Some(word) = unknown {
                report(format!("nothing is called {word}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
