//! The page that describes scenarios: its examples are read, every word of the format has one, and
//! every word that is misspelt is found with its line and put right.

use executor::scenario::read_text;
use std::{collections::BTreeSet, path::Path};

const PAGE: &str = include_str!("../../data/scenarios/README.md");

/// The page at the top, and the scenario of which it shows some lines.
const README: &str = include_str!("../../README.md");
const COLUMN: &str = include_str!("../../data/scenarios/column_cut.ron");

#[test]
fn the_readme_shows_lines_of_a_scenario_that_holds() {
    let example = README.split("```ron\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    assert_eq!(message(example), None);
    let is_entry = |line: &&str| line.starts_with("(frame") || line.starts_with("(that");
    let entries = example.lines().map(str::trim).filter(is_entry);
    let known = |line: &&str| COLUMN.lines().any(|other| other.trim() == *line);
    let (played, others): (Vec<&str>, Vec<&str>) = entries.partition(known);
    assert!(played.len() > 4 && others.is_empty(), "{others:?}");
}

/// The examples, each as a whole scenario.
fn examples() -> Vec<String> {
    let blocks = PAGE.split("```ron\n").skip(1);
    let codes = blocks.map(|block| block.split("```").next().unwrap());
    codes
        .map(|code| match code {
            code if code.starts_with("Scenario") => code.to_owned(),
            code if code.contains("action:") => whole("actions", code),
            code => whole("expect", code),
        })
        .collect()
}

fn whole(list: &str, entries: &str) -> String {
    format!("Scenario(\nscene: \"s\",\nframes: 1000,\n{list}: [\n{entries}\n],\n)")
}

fn message(text: &str) -> Option<String> {
    let read = read_text(text, Path::new("page.ron"));
    read.err().map(|error| error.to_string())
}

/// Returns the words that the reader names as known where it finds an unknown one.
fn known(text: &str) -> Vec<String> {
    let message = message(text).expect("a word that nobody knows");
    let list = message.split(", expected").nth(1).unwrap_or_default();
    let list = list.split(';').next().unwrap_or_default();
    let words = list.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

/// All words of the format, from what the reader says.
fn vocabulary() -> BTreeSet<String> {
    let mut words: BTreeSet<String> = known("Scenario(nonsense: 1)").into_iter().collect();
    for (list, key) in [("actions", "action"), ("expect", "that")] {
        words.extend(known(&whole(list, "(nonsense: 1)")));
        let kinds = known(&whole(list, &format!("(frame: 1, {key}: Nonsense)")));
        assert!(kinds.len() > 6, "{key}: {kinds:?}");
        for kind in kinds {
            let entry = format!("(frame: 1, {key}: {kind}(nonsense: 1))");
            words.extend(known(&whole(list, &entry)));
            words.insert(kind);
        }
    }
    words
}

/// The words of a text, without those in strings, with where they are.
fn words_of(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut quoted, mut start) = (false, None);
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        if letter == '"' {
            quoted = !quoted;
        }
        let inside = letter == '_' || letter.is_ascii_alphabetic();
        match (inside && !quoted, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_example_of_the_page_is_read() {
    let examples = examples();
    assert!(examples.len() > 20, "{}", examples.len());
    for example in examples {
        assert_eq!(message(&example), None, "{example}");
    }
}

#[test]
fn every_word_of_the_format_has_an_example() {
    let examples = examples().concat();
    let shown: BTreeSet<&str> = words_of(&examples).into_iter().map(|(_, w)| w).collect();
    let vocabulary = vocabulary();
    assert!(vocabulary.len() > 50, "{vocabulary:?}");
    let missing: Vec<_> = vocabulary
        .iter()
        .filter(|word| !shown.contains(word.as_str()))
        .collect();
    assert!(missing.is_empty(), "no example of {missing:?}");
}

#[test]
fn every_word_that_is_misspelt_is_named_with_its_line_and_the_right_word() {
    let vocabulary = vocabulary();
    let mut tried = 0;
    for example in examples() {
        for (at, word) in words_of(&example) {
            if !vocabulary.contains(word) && word != "Scenario" {
                continue; // true, e of 1e-5
            }
            let wrong = misspelt(word);
            let text = [&example[..at], &wrong, &example[at + word.len()..]].concat();
            let line = example[..at].matches('\n').count() + 1;
            let message = message(&text).unwrap_or_else(|| panic!("`{wrong}` is taken:\n{text}"));
            assert!(
                message.starts_with(&format!("scenario page.ron:{line}:")),
                "`{wrong}` is in line {line}: {message}"
            );
            assert!(
                message.contains(&format!("did you mean `{word}`?")),
                "`{wrong}` for `{word}`: {message}"
            );
            tried += 1;
        }
    }
    assert!(tried > 150, "{tried}");
}

/// The word with its last letter twice.
fn misspelt(word: &str) -> String {
    let last = word.chars().last().unwrap();
    format!("{word}{last}")
}

#[test]
fn values_of_the_wrong_kind_are_named_with_their_line() {
    let good = whole(
        "actions",
        "(frame: 5, action: Impact(node: \"Wall\", point: (0, 1.5, 0.1), normal: (0, 0, 1), energy: 4000)),",
    );
    for (from, to, says) in [
        ("energy: 4000", "energy: \"much\"", "float"),
        ("energy: 4000", "", "energy"),
        ("frame: 5", "frame: -5", "whole number"),
        ("frame: 5", "frame: 5, frame: 6", "frame"),
        ("frame: 5, ", "", "`frame` or a `time`"),
        ("node: \"Wall\"", "node: Wall", "tring"),
        ("(0, 1.5, 0.1)", "(0, 1.5)", "three numbers"),
        ("(0, 1.5, 0.1)", "(0, 1.5, NaN)", "finite"),
    ] {
        let text = good.replace(from, to);
        assert_ne!(text, good, "{from}");
        let message = message(&text).unwrap_or_else(|| panic!("{to} is taken"));
        assert!(message.starts_with("scenario page.ron:5:"), "{message}");
        assert!(message.contains(says), "{to}: {message}");
    }
}
