//! Pieces as nodes of the scene.

use crate::{
    driver::{click, handle, last_command, node, redo, scene, then, undo, until, Step},
    saved,
};
use editor::tool::ids;
use fyrox::graph::SceneGraph;
use fyroxed_base::Editor;
use std::fs;

pub fn steps() -> Vec<Step> {
    let there = |editor: &mut Editor| {
        let graph = &scene(editor).expect("a scene").graph;
        let root = node(graph, "Wall pieces");
        root.map_or(0, |root| {
            graph.try_get_node(root).map_or(0, |n| n.children().len())
        })
    };
    let visible = |editor: &mut Editor| {
        let wall = handle(editor, "Wall");
        let graph = &scene(editor).expect("a scene").graph;
        graph.try_get_node(wall).is_ok_and(|wall| wall.visibility())
    };
    vec![
        click("the pieces are baked", ids::BAKE),
        until("they are nodes, and the wall is hidden", move |editor| {
            there(editor) > 5 && !visible(editor)
        }),
        then("the step has a name", |editor| {
            assert_eq!(last_command(editor), "Bake \"Wall\"");
            undo(editor);
        }),
        until("they are gone, and the wall is there", move |editor| {
            there(editor) == 0 && visible(editor)
        }),
        then("and done again", redo),
        until("they are there again", move |editor| there(editor) > 5),
        then("they are saved", |editor| saved::save(editor, "baked")),
        until("and found in the file", |_| {
            let text = fs::read_to_string("data/scenes/baked.rgs").unwrap_or_default();
            text.contains("Wall pieces") && text.contains("fragment_")
        }),
        then("and taken back", undo),
        until("they are gone", move |editor| there(editor) == 0),
    ]
}
