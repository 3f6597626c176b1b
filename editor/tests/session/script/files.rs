//! Patterns that change by themselves, cannot be read, or ask for much.

use super::{fragments, pattern};
use crate::driver::{click, handle, scene, text, then, undo, until, wait, Step};
use editor::{
    commands::{give_pattern, TunePattern},
    tool::ids,
};
use fracture::{Destructible, FracturePattern, FracturePatternResource, PatternKind};
use fyrox::core::visitor::prelude::*;
use fyroxed_base::Editor;
use std::{cell::RefCell, fs, path::Path, rc::Rc};

const NEWER: &str = "data/patterns/newer.pattern";
const DOOMED: &str = "data/patterns/doomed.pattern";

pub fn resource(editor: &mut Editor) -> FracturePatternResource {
    let wall = handle(editor, "Wall");
    let graph = &scene(editor).expect("a scene").graph;
    let script = graph.try_get_script_of::<Destructible>(wall);
    let pattern = script.expect("a script").pattern.clone_inner();
    pattern.expect("a pattern")
}

/// Lines of figures that are the same on every machine.
fn figures(editor: &Editor) -> String {
    let text = text(editor, ids::FIGURES);
    let lines = text.lines().filter(|line| !line.contains(" ms"));
    lines.collect::<Vec<_>>().join("; ")
}

pub fn steps() -> Vec<Step> {
    let mut steps = reloaded();
    steps.extend(deleted());
    steps.extend(newer());
    steps.extend(unusable(
        "data/patterns/damaged.pattern",
        "save it again in the editor",
    ));
    steps.extend(unusable("data/patterns/single.pattern", "raise Cells"));
    steps.extend(many_cells());
    steps
}

/// A pattern that cannot be used: the window says what to do, and the wall stays as it is.
fn unusable(path: &'static str, advice: &'static str) -> Vec<Step> {
    vec![
        then(&format!("{path} is given"), move |editor| {
            give(editor, path)
        }),
        until("the window says what to do", move |editor| {
            let status = text(editor, ids::STATUS);
            status.contains("\"Wall\" cannot break") && status.contains(advice)
        }),
        then("it is taken back", undo),
        until("the preview is there again", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5 && text(editor, ids::STATUS) == "\"Wall\""
        }),
    ]
}

/// Writes a pattern file as another program does.
pub fn write(path: &str, pattern: &mut FracturePattern) {
    let mut visitor = Visitor::new();
    let written = pattern.visit("FracturePattern", &mut visitor);
    written.expect("a pattern");
    fs::write(path, visitor.save_ascii_to_string()).expect("a file");
}

/// Reloads a file as the engine does when it notices a change.
fn reload(editor: &Editor) {
    let mut resources = editor.engine.resource_manager.state();
    assert!(resources.try_reload_resource_from_path(Path::new(super::PATTERN)));
}

/// Gives the wall the pattern of a file.
pub fn give(editor: &mut Editor, path: &str) {
    let resources = &editor.engine.resource_manager;
    let pattern = resources.request::<FracturePattern>(Path::new(path));
    let wall = handle(editor, "Wall");
    let graph = &scene(editor).expect("a scene").graph;
    let step = give_pattern(graph, &[wall], "Pattern", &pattern);
    editor.message_sender.do_command(step.expect("a step"));
}

fn reloaded() -> Vec<Step> {
    let before: Rc<RefCell<String>> = Default::default();
    let (first, then_first) = (before.clone(), before.clone());
    let old: Rc<RefCell<FracturePattern>> = Default::default();
    let kept = old.clone();
    vec![
        then("another program writes the pattern's file", move |editor| {
            *first.borrow_mut() = figures(editor);
            let mut pattern = super::pattern(editor);
            *kept.borrow_mut() = pattern.clone();
            pattern.seed += 1;
            write(super::PATTERN, &mut pattern);
            reload(editor);
        }),
        until("the preview shows it", move |editor| {
            let now = figures(editor);
            !now.is_empty() && now != *then_first.borrow()
        }),
        then("and writes it as it was", move |editor| {
            write(super::PATTERN, &mut old.borrow_mut());
            reload(editor);
        }),
        until("the preview is as before, too", move |editor| {
            figures(editor) == *before.borrow()
        }),
    ]
}

/// A file that is deleted in the middle of a preview of its pattern.
fn deleted() -> Vec<Step> {
    let before: Rc<RefCell<String>> = Default::default();
    let during = before.clone();
    vec![
        then("a pattern of its own is given", |editor| {
            let mut bricks = FracturePattern {
                kind: PatternKind::Bricks,
                ..FracturePattern::default()
            };
            write(DOOMED, &mut bricks);
            give(editor, DOOMED);
        }),
        until("the preview shows it", |editor| {
            text(editor, ids::PATTERN) == DOOMED && fragments(&text(editor, ids::FIGURES)) > 5
        }),
        wait(20),
        then("its file is deleted", move |editor| {
            *before.borrow_mut() = figures(editor);
            fs::remove_file(DOOMED).expect("a file");
        }),
        until("the window says so, and what to do", |editor| {
            let label = text(editor, ids::PATTERN);
            label.contains("has been deleted") && label.contains("Save Pattern As File")
        }),
        then("the preview is still there", move |editor| {
            assert_eq!(figures(editor), *during.borrow());
        }),
        click("that is done", ids::SAVE),
        until("it is a file again", |editor| {
            let path = "data/patterns/wall.pattern";
            Path::new(path).is_file() && text(editor, ids::PATTERN) == path
        }),
        then("that is undone", undo),
        then("and the pattern taken back", undo),
        until("the wall has its own again", |editor| {
            text(editor, ids::PATTERN) == super::PATTERN
                && fragments(&text(editor, ids::FIGURES)) > 5
        }),
    ]
}

fn newer() -> Vec<Step> {
    vec![
        then("a pattern of a newer version is given", |editor| {
            let mut pattern = FracturePattern {
                version: 99,
                ..FracturePattern::default()
            };
            write(NEWER, &mut pattern);
            give(editor, NEWER);
        }),
        until("the window says so, and what to do", |editor| {
            let (status, pattern) = (text(editor, ids::STATUS), text(editor, ids::PATTERN));
            status.contains("version 99")
                && status.contains("update the program")
                && pattern.contains("Choose a preset, or another file")
        }),
        click("it is broken all the same", ids::STRIKE),
        until("which the window says, too", |editor| {
            text(editor, ids::IMPACT).contains("version 99")
        }),
        then("it is taken back", undo),
        until("the preview is there again", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5 && text(editor, ids::STATUS) == "\"Wall\""
        }),
    ]
}

fn many_cells() -> Vec<Step> {
    let before: Rc<RefCell<String>> = Default::default();
    let (first, then_first) = (before.clone(), before.clone());
    vec![
        then("ten thousand cells are asked for", move |editor| {
            *first.borrow_mut() = figures(editor);
            let resource = resource(editor);
            let pattern = FracturePattern {
                kind: PatternKind::Uniform,
                cells: 10_000,
                ..pattern(editor)
            };
            let step = TunePattern::new(resource, pattern, None, "Cells");
            editor.message_sender.do_command(step);
        }),
        until(
            "the preview shows what a blow makes of them",
            move |editor| {
                let now = figures(editor);
                fragments(&now) > 5 && now != *then_first.borrow()
            },
        ),
        then("that is undone", undo),
        until("and the preview follows", move |editor| {
            figures(editor) == *before.borrow()
        }),
    ]
}
