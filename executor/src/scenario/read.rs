//! Reads scenario files, with messages that name the place, the mistake and the right word.

use super::format::Scenario;
use ron::{error::SpannedError, extensions::Extensions, Options};
use std::fs;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a scenario file cannot be run.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file does not exist or cannot be read.
    #[error("scenario {}: {reason}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
    /// The file is not a scenario.
    #[error("scenario {}:{line}:{column}: {reason}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The mistake, with the nearest right word.
        reason: String,
    },
}

/// Reads a scenario file.
///
/// # Errors
/// [`ReadError`] names the file, the line and column, what is wrong, and the nearest right word.
pub fn read(path: &Path) -> Result<Scenario, ReadError> {
    let text = fs::read_to_string(path).map_err(|reason| ReadError::File {
        path: path.to_path_buf(),
        reason,
    })?;
    read_text(&text, path)
}

/// Reads the text of a scenario; the path is for messages.
///
/// # Errors
/// As [`read`].
pub fn read_text(text: &str, path: &Path) -> Result<Scenario, ReadError> {
    parse(text).map_err(|error| ReadError::Format {
        path: path.to_path_buf(),
        line: error.span.start.line,
        column: error.span.start.col,
        reason: explain(&error.code) + early_end(text),
    })
}

/// Returns the message for a text that ends early.
fn early_end(text: &str) -> &'static str {
    let (mut depth, mut seen, mut quoted) = (0u32, false, false);
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '\\' if quoted => {
                rest.next();
            }
            '"' => quoted = !quoted,
            _ if quoted => {}
            '/' if rest.peek() == Some(&'/') => while rest.next().is_some_and(|c| c != '\n') {},
            '(' | '[' => (depth, seen) = (depth + 1, true),
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if depth > 0 || quoted || !seen {
        "; the file ends before its last bracket: it was cut short, or a bracket is missing"
    } else {
        ""
    }
}

fn parse(text: &str) -> Result<Scenario, SpannedError> {
    options().from_str(text)
}

/// Options of the RON format for reading and writing.
pub(crate) fn options() -> Options {
    Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// The reader's own message, and the nearest right word where a word is wrong.
fn explain(error: &ron::Error) -> String {
    use ron::Error::{ExpectedDifferentStructName, NoSuchEnumVariant, NoSuchStructField};
    let nearest = match error {
        NoSuchEnumVariant {
            expected, found, ..
        }
        | NoSuchStructField {
            expected, found, ..
        } => nearest(found, expected.iter().copied()),
        ExpectedDifferentStructName { expected, found } => nearest(found, [*expected]),
        _ => None,
    };
    if matches!(error, ron::Error::IntegerOutOfBounds) {
        return format!("{error}; here is a whole number from 0 on");
    }
    match nearest {
        Some(word) => format!("{error}; did you mean `{word}`?"),
        None => error.to_string(),
    }
}

/// Returns the most similar word, if one is similar enough.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    known
        .into_iter()
        .map(|other| (strsim::jaro_winkler(&lower, &other.to_lowercase()), other))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Action, Expectation, Moment};

    const GOOD: &str = r#"Scenario(
        scene: "scenes/wall.rgs",
        frames: 60,
        actions: [
            (frame: 5, action: Impact(node: "Wall", point: (0, 1.5, 0.15), normal: [0, 0, 1], energy: 400)),
            (time: 0.5, action: CloseScene),
        ],
        expect: [
            (frame: 6, that: Fragments(node: "Wall", min: 3)),
            (that: Above(body: "Wall/island_*", height: 0.5)),
        ],
    )"#;

    fn message(text: &str) -> (usize, String) {
        let error = parse(text).unwrap_err();
        (error.span.start.line, explain(&error.code))
    }

    #[test]
    fn a_good_scenario_is_read() {
        let scenario = parse(GOOD).unwrap();
        assert_eq!(scenario.frames, 60);
        assert!(scenario.wait_for_results);
        assert_eq!(scenario.actions[1].when, Moment::Time(0.5));
        assert_eq!(scenario.actions[1].when.frame(scenario.step), 30);
        let Action::Impact(blow) = &scenario.actions[0].action else {
            panic!("{:?}", scenario.actions[0]);
        };
        assert_eq!(
            (blow.normal.0.z, blow.energy, blow.radius),
            (1.0, 400.0, None)
        );
        assert!(matches!(
            scenario.expect[1].that,
            Expectation::Above { any: false, .. }
        ));
    }

    #[test]
    fn a_wrong_field_is_named_with_its_line_and_the_right_word() {
        let (line, text) = message(&GOOD.replace("frames:", "frame:"));
        assert_eq!(line, 3);
        assert!(text.contains("`frames`"), "{text}");
    }

    #[test]
    fn a_wrong_action_is_named_with_the_right_word() {
        let (line, text) = message(&GOOD.replace("Impact(", "Inpact("));
        assert_eq!(line, 5);
        assert!(text.contains("did you mean `Impact`"), "{text}");
    }

    #[test]
    fn an_expectation_without_bounds_is_refused() {
        let (line, text) = message(&GOOD.replace(", min: 3", ""));
        assert_eq!(line, 9);
        assert!(text.contains("`exactly`, `min` or `max`"), "{text}");
    }

    #[test]
    fn what_comes_after_the_last_frame_is_refused() {
        let (_, text) = message(&GOOD.replace("frame: 6", "frame: 60"));
        assert!(text.contains("last frame is 59"), "{text}");
    }

    #[test]
    fn a_point_needs_three_finite_numbers() {
        let (line, _) = message(&GOOD.replace("(0, 1.5, 0.15)", "(0, 1.5)"));
        assert_eq!(line, 5);
        let (_, text) = message(&GOOD.replace("(0, 1.5, 0.15)", "(0, 1.5, inf)"));
        assert!(text.contains("finite"), "{text}");
    }

    #[test]
    fn the_nearest_word_is_found_and_nonsense_is_not() {
        assert_eq!(nearest("wal", ["Wall", "Column"]), Some("Wall"));
        assert_eq!(nearest("zzz", ["Wall", "Column"]), None);
    }
}
