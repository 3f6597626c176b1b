//! A pattern of one's own, read from a file: first from one that is none, then from a mended one.

use super::{files, fragments, pattern};
use crate::driver::{click, text, then, undo, until, Step};
use editor::tool::ids;
use fracture::{FracturePattern, PatternKind};
use fyroxed_base::Editor;
use std::{fmt::Write, fs};

const STENCIL: &str = "data/patterns/own.pattern";
const POINTS: &str = "data/patterns/own.points";

fn sites(editor: &mut Editor) -> usize {
    pattern(editor).stencil.count()
}

/// Points in squares of 10 cm.
fn points() -> String {
    let mut text = String::new();
    for at in 0..400 {
        let [x, z] = [at % 20, at / 20].map(|k| 0.1 * (f64::from(k) - 9.5));
        writeln!(text, "{x:.2}, 0, {z:.2}").expect("a text");
    }
    text
}

pub fn steps() -> Vec<Step> {
    vec![
        then("a stencil is given whose file is none", |editor| {
            fs::write(POINTS, "0 0 0\n1 two 3\n").expect("a file");
            let mut own = FracturePattern {
                kind: PatternKind::Stencil,
                source: POINTS.into(),
                ..FracturePattern::default()
            };
            files::write(STENCIL, &mut own);
            files::give(editor, STENCIL);
        }),
        until("the window says what to do", |editor| {
            let status = text(editor, ids::STATUS);
            status.contains("\"Wall\" cannot break") && status.contains("Read Stencil")
        }),
        click("that is done", ids::READ_STENCIL),
        until(
            "the report names the object, the file, the line and the remedy",
            |editor| {
                let report = text(editor, ids::REPORT);
                ["\"Wall\"", POINTS, "line 2", "write three numbers"]
                    .iter()
                    .all(|part| report.contains(part))
            },
        ),
        then("and the pattern is as it was", |editor| {
            assert_eq!(sites(editor), 0);
            fs::write(POINTS, points()).expect("a file");
        }),
        click("the mended file is read", ids::READ_STENCIL),
        until("the report says what was found", |editor| {
            text(editor, ids::REPORT).contains("400 points; the pattern has 400 cells")
        }),
        until("and the wall breaks by it", |editor| {
            sites(editor) == 400 && fragments(&text(editor, ids::FIGURES)) > 5
        }),
        then("that is undone", undo),
        until("the cells are gone", |editor| sites(editor) == 0),
        then("and the pattern taken back", undo),
        until("the wall has its own again", |editor| {
            text(editor, ids::PATTERN) == super::PATTERN
                && fragments(&text(editor, ids::FIGURES)) > 5
        }),
    ]
}
