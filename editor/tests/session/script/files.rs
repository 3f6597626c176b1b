//! Patterns that change by themselves, cannot be read, or ask for much.

use super::{fragments, pattern};
use crate::driver::{click, handle, scene, text, then, undo, until, Step};
use editor::{
    commands::{give_pattern, TunePattern},
    tool::ids,
};
use fracture::{Destructible, FracturePattern, FracturePatternResource, PatternKind};
use fyrox::core::visitor::prelude::*;
use fyroxed_base::Editor;
use std::{cell::RefCell, fs, path::Path, rc::Rc};

const NEWER: &str = "data/patterns/newer.pattern";

fn resource(editor: &mut Editor) -> FracturePatternResource {
    let wall = handle(editor, "Wall");
    let graph = &scene(editor).expect("a scene").graph;
    let script = graph.try_get_script_of::<Destructible>(wall);
    let pattern = script.expect("a script").pattern.clone_inner();
    pattern.expect("a pattern")
}

/// Changes the pattern as a file that is loaded again does: without a step.
fn change(editor: &mut Editor, act: fn(&mut FracturePattern)) {
    let resource = resource(editor);
    let mut data = resource.data_ref();
    act(data.as_loaded_mut().expect("a loaded pattern"));
}

/// Lines of figures that are the same on every machine.
fn figures(editor: &Editor) -> String {
    let text = text(editor, ids::FIGURES);
    let lines = text.lines().filter(|line| !line.contains(" ms"));
    lines.collect::<Vec<_>>().join("; ")
}

pub fn steps() -> Vec<Step> {
    let mut steps = reloaded();
    steps.extend(newer());
    steps.extend(many_cells());
    steps
}

fn reloaded() -> Vec<Step> {
    let before: Rc<RefCell<String>> = Default::default();
    let (first, then_first) = (before.clone(), before.clone());
    vec![
        then(
            "the pattern is loaded again with other content",
            move |editor| {
                *first.borrow_mut() = figures(editor);
                change(editor, |pattern| pattern.seed += 1);
            },
        ),
        until("the preview shows it", move |editor| {
            let now = figures(editor);
            !now.is_empty() && now != *then_first.borrow()
        }),
        then("and with what it was before", |editor| {
            change(editor, |pattern| pattern.seed -= 1);
        }),
        until("the preview is as before, too", move |editor| {
            figures(editor) == *before.borrow()
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
            let mut visitor = Visitor::new();
            let written = pattern.visit("FracturePattern", &mut visitor);
            written.expect("a pattern");
            fs::write(NEWER, visitor.save_ascii_to_string()).expect("a file");
            let resources = &editor.engine.resource_manager;
            let newer = resources.request::<FracturePattern>(Path::new(NEWER));
            let wall = handle(editor, "Wall");
            let graph = &scene(editor).expect("a scene").graph;
            let step = give_pattern(graph, &[wall], "Pattern", &newer);
            editor.message_sender.do_command(step.expect("a step"));
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
                fragments(&now) > 20 && now != *then_first.borrow()
            },
        ),
        then("that is undone", undo),
        until("and the preview follows", move |editor| {
            figures(editor) == *before.borrow()
        }),
    ]
}
