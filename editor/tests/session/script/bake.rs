//! Pieces as nodes of the scene.

use super::{fragments, script, strike_anew};
use crate::{
    driver::{click, handle, last_command, node, redo, scene, text, then, undo, until, wait, Step},
    saved,
};
use editor::tool::{ids, FractureTool};
use fyrox::graph::SceneGraph;
use fyroxed_base::{plugin::EditorPlugin, Editor};
use std::fs;

/// Saved before anything is baked.
const BEFORE: &str = "unbaked";

/// Counts the pieces below an object.
pub fn baked(editor: &mut Editor, name: &str) -> usize {
    let graph = &scene(editor).expect("a scene").graph;
    let Some(root) = node(graph, &format!("{name} pieces")) else {
        return 0;
    };
    let below = graph.traverse_iter(root);
    let is_piece = |name: &str| name.starts_with("fragment_") || name.starts_with("island_");
    below.filter(|(_, node)| is_piece(node.name())).count()
}

/// Whether the tool keeps the editor awake.
pub fn is_awake(editor: &Editor) -> bool {
    let tool = editor.plugins.get::<FractureTool>();
    tool.is_in_preview_mode(editor)
}

/// Whether there are no pieces, and the wall is as it was.
fn is_whole(editor: &mut Editor) -> bool {
    let wall = handle(editor, "wall");
    let seen = scene(editor).expect("a scene").graph[wall].visibility();
    let gone = baked(editor, "Wall") == 0 && node_count(editor, "Wall pieces") == 0;
    seen && gone && script(editor, "Wall").is_some()
}

fn node_count(editor: &mut Editor, name: &str) -> usize {
    let graph = &scene(editor).expect("a scene").graph;
    let nodes = graph.pair_iter();
    nodes.filter(|(_, node)| node.name() == name).count()
}

pub fn steps() -> Vec<Step> {
    let mut steps = vec![
        then("the scene is saved as it is", |editor| {
            saved::save(editor, BEFORE)
        }),
        until("it is saved", |_| saved::path(BEFORE).exists()),
    ];
    steps.extend(strike_anew());
    steps.extend(done());
    steps.extend(saved::is_as("bake undone", BEFORE));
    steps.extend(done_again());
    steps.extend(saved::is_as("bake undone twice", BEFORE));
    steps.extend(strike_anew());
    steps
}

fn done() -> Vec<Step> {
    vec![
        click("the pieces are baked", ids::BAKE),
        until(
            "they are nodes below the wall, in place of its mesh",
            |editor| {
                let wall = handle(editor, "wall");
                let hidden = !scene(editor).expect("a scene").graph[wall].visibility();
                hidden && baked(editor, "Wall") > 5
            },
        ),
        then("and of its script", |editor| {
            assert!(script(editor, "Wall").is_none());
            let wall = handle(editor, "Wall");
            let root = handle(editor, "Wall pieces");
            assert_eq!(scene(editor).expect("a scene").graph[root].parent(), wall);
        }),
        then("the step has a name", |editor| {
            assert_eq!(last_command(editor), "Bake \"Wall\"");
            undo(editor);
        }),
        until("they are gone, and the wall is there", is_whole),
        until(
            "and tuned as before, with the impact in its place",
            |editor| {
                text(editor, ids::STATUS) == "\"Wall\""
                    && text(editor, ids::IMPACT).starts_with("Impact at")
            },
        ),
        click("it is broken", ids::STRIKE),
        until("as before", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
        wait(30),
        until("and the editor may sleep", |editor| !is_awake(editor)),
    ]
}

fn done_again() -> Vec<Step> {
    vec![
        then("the bake is done again", redo),
        until("the pieces are there again", |editor| {
            baked(editor, "Wall") > 5
        }),
        then("they are saved", |editor| saved::save(editor, "baked")),
        until("and found in the file", |_| {
            let text = fs::read_to_string("data/scenes/baked.rgs").unwrap_or_default();
            text.contains("Wall pieces") && text.contains("fragment_")
        }),
        then("and taken back", undo),
        until("they are gone", is_whole),
    ]
}
