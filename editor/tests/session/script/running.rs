//! The preview in motion: play, pause, step, reset, and another blow by a click into it.

use super::fragments;
use crate::driver::{bring, center, click, mouse, text, then, until, wait, Mouse, Step};
use editor::tool::ids;
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    gui::{scroll_bar::ScrollBar, test::UserInterfaceTestingExtension, UiNode},
    scene::{graph::Graph, node::Node},
};
use fyroxed_base::Editor;
use std::{cell::RefCell, rc::Rc};

/// The pieces in the copies of the scene that previews are made of.
pub fn pieces(editor: &Editor) -> Vec<(&Graph, Handle<Node>)> {
    let scenes = editor.engine.scenes.iter();
    let of = |graph| {
        let nodes = Graph::pair_iter(graph);
        let pieces = nodes.filter(|(_, node)| node.name().contains("(preview)/"));
        pieces.map(move |(handle, _)| (graph, handle))
    };
    scenes.flat_map(|scene| of(&scene.graph)).collect()
}

fn places(editor: &Editor) -> Vec<Vector3<f32>> {
    let pieces = pieces(editor).into_iter();
    pieces
        .map(|(graph, piece)| graph[piece].global_position())
        .collect()
}

/// Returns the largest distance that a piece has moved.
fn way(before: &[Vector3<f32>], now: &[Vector3<f32>]) -> f32 {
    assert_eq!(before.len(), now.len());
    let ways = before.iter().zip(now).map(|(a, b)| (a - b).norm());
    ways.fold(0.0, f32::max)
}

fn apart(editor: &Editor) -> f32 {
    let ui = editor.engine.user_interfaces.first();
    let slider = ui.find_by_uuid_of::<ScrollBar>(ids::EXPLODE);
    *slider.expect("a slider").value
}

pub fn steps() -> Vec<Step> {
    let mut steps = moving();
    steps.extend(struck_again());
    steps.extend(reset());
    steps
}

fn moving() -> Vec<Step> {
    let seen: Rc<RefCell<Vec<Vector3<f32>>>> = Default::default();
    let [note, after_step, held, falling, fallen, again] = [(); 6].map(|()| seen.clone());
    vec![
        until("the preview is there", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
        click("the pieces take a step", ids::STEP),
        wait(3),
        then("they are together, and the slider says so", move |editor| {
            assert_eq!(apart(editor), 0.0);
            *note.borrow_mut() = places(editor);
        }),
        click("they take another one", ids::STEP),
        wait(8),
        then("they have moved by no more than a frame", move |editor| {
            let now = places(editor);
            let moved = way(&after_step.borrow(), &now);
            assert!(moved > 1e-6 && moved < 0.5, "{moved} m");
            *after_step.borrow_mut() = now;
        }),
        wait(8),
        then("and lie still", move |editor| {
            assert_eq!(way(&held.borrow(), &places(editor)), 0.0);
        }),
        click("they fall", ids::PLAY),
        until("ever farther", move |editor| {
            way(&falling.borrow(), &places(editor)) > 0.3
        }),
        click("they are held", ids::PLAY),
        wait(3),
        then("in the middle", move |editor| {
            *fallen.borrow_mut() = places(editor);
        }),
        wait(8),
        then("and stay there", move |editor| {
            assert_eq!(way(&again.borrow(), &places(editor)), 0.0);
        }),
    ]
}

fn struck_again() -> Vec<Step> {
    let before: Rc<RefCell<usize>> = Default::default();
    let first = before.clone();
    let at = |editor: &mut Editor| {
        let ui = editor.engine.user_interfaces.first();
        let frame = ui.find_from_root(&mut |node: &UiNode| node.id == ids::FRAME);
        let (frame, _) = frame.expect("the preview");
        bring(editor, frame);
        // Beside the hole: what is held of the wall.
        let bounds = editor
            .engine
            .user_interfaces
            .first()
            .node(frame)
            .screen_bounds();
        center(editor, frame) + bounds.size.component_mul(&Vector2::new(-0.22, -0.02))
    };
    vec![
        then("the preview is scrolled into sight", move |editor| {
            *first.borrow_mut() = pieces(editor).len();
            at(editor);
        }),
        then("it is pressed on", move |editor| {
            let at = at(editor);
            mouse(editor, Mouse::Move(at));
            mouse(editor, Mouse::Press);
        }),
        then("and let go", |editor| mouse(editor, Mouse::Release)),
        until("which breaks it once more", move |editor| {
            pieces(editor).len() > *before.borrow() + 3
        }),
    ]
}

fn reset() -> Vec<Step> {
    vec![
        click("it is reset", ids::RESET),
        until("the wall in it is whole", |editor| {
            text(editor, ids::FIGURES).is_empty() && pieces(editor).is_empty()
        }),
        click("and broken", ids::STRIKE),
        until("the preview is there", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
    ]
}
