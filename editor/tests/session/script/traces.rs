//! Previews leave no trace: whatever ends them, the scene is saved as if the tool had never been.

use super::{fragments, menu_click, script, select, BUILT};
use crate::{
    driver::{click, handle, scene, text, then, undo, until, Step},
    saved,
};
use editor::{
    commands::tune,
    tool::{ids, FractureTool},
};
use fyrox::{
    graph::SceneGraph,
    gui::{window::WindowMessage, UiNode},
};
use fyroxed_base::{plugin::EditorPlugin, Editor, Message, Mode};
use std::{cell::Cell, fs, rc::Rc};

/// Saved before the tool has been opened.
const PLAIN: &str = "plain";
/// Saved in the middle of a preview.
const DURING: &str = "during";

/// Before the tool is opened: what is compared with, and what the editor changes by itself.
pub fn before() -> Vec<Step> {
    let mut steps = vec![then("the scene is saved as it is", |editor| {
        saved::save(editor, PLAIN)
    })];
    steps.push(until("it is saved", |_| saved::path(PLAIN).exists()));
    steps.extend(saved::is_as("again", PLAIN));
    steps
}

/// In the middle of a preview.
pub fn steps() -> Vec<Step> {
    let mut steps = saving();
    steps.extend(playing());
    steps.extend(switching());
    steps.extend(undoing());
    steps.extend(closing());
    steps
}

fn is_broken(editor: &Editor) -> bool {
    fragments(&text(editor, ids::FIGURES)) > 5
}

/// Counts the engine's scenes: that of the editor and its copies.
fn scenes(editor: &Editor) -> usize {
    editor.engine.scenes.iter().count()
}

fn saving() -> Vec<Step> {
    let mut steps = saved::is_as(DURING, PLAIN);
    steps.extend([
        until("saving has ended the preview", |editor| {
            text(editor, ids::FIGURES).is_empty()
        }),
        click("it is broken again", ids::STRIKE),
        until("the preview is there", |editor| is_broken(editor)),
    ]);
    steps
}

fn playing() -> Vec<Step> {
    let copies = Rc::new(Cell::new(0));
    let before = copies.clone();
    vec![
        then(
            "the game is played in the middle of a preview",
            move |editor| {
                before.set(scenes(editor));
                // The file that the scene was saved to last.
                saved::empty(DURING);
                editor.message_sender.send(Message::SwitchToBuildMode {
                    play_after_build: true,
                });
            },
        ),
        until("the editor's window about the build is open", |editor| {
            let ui = editor.engine.user_interfaces.first();
            ui.top_picking_restriction().is_some()
        }),
        then("the build ends", |_| {
            fs::write(BUILT, "").expect("a file");
        }),
        until("the window is closed", |editor| {
            let ui = editor.engine.user_interfaces.first();
            ui.top_picking_restriction().is_none()
        }),
        until(
            "the preview has ended, its copy of the scene is gone",
            move |editor| text(editor, ids::FIGURES).is_empty() && scenes(editor) < copies.get(),
        ),
        until("the editor has saved the scene as it is", |_| {
            saved::same(DURING, PLAIN)
        }),
        until("the game has ended", |editor| {
            matches!(editor.mode, Mode::Edit)
        }),
        click("it is broken again", ids::STRIKE),
        until("the preview is there", |editor| is_broken(editor)),
    ]
}

fn switching() -> Vec<Step> {
    let wall = Rc::new(Cell::new(None));
    let first = wall.clone();
    let mut steps = vec![
        then("another scene is opened", move |editor| {
            first.set(Some(editor.scenes.current_scene_entry_ref().id));
            let path = saved::path("open");
            editor.message_sender.send(Message::LoadScene(path));
        }),
        until(
            "nothing is left of the preview, and it asks for a node",
            |editor| {
                let ready = scene(editor)
                    .is_some_and(|scene| crate::driver::node(&scene.graph, "Open").is_some());
                ready
                    && text(editor, ids::FIGURES).is_empty()
                    && text(editor, ids::STATUS).starts_with("Select a node")
                    && text(editor, ids::IMPACT).starts_with("No impact placed")
            },
        ),
        then("it is closed", |editor| {
            let id = editor.scenes.current_scene_entry_ref().id;
            editor.message_sender.send(Message::CloseScene(id));
        }),
        until("the wall is back", move |editor| {
            Some(editor.scenes.current_scene_entry_ref().id) == wall.get()
                && text(editor, ids::STATUS) == "\"Wall\""
        }),
    ];
    steps.extend(saved::is_as("switched", PLAIN));
    steps
}

/// Edits of each kind, undone: the scene is saved as if there had been none.
fn undoing() -> Vec<Step> {
    let radius = |editor: &mut Editor| {
        *script(editor, "Wall")
            .expect("a script")
            .breaking
            .max_radius
    };
    let mut steps = vec![
        then("a field is set", |editor| {
            let wall = handle(editor, "Wall");
            let graph = &scene(editor).expect("a scene").graph;
            let step = tune(graph, &[wall], "Max Radius", |script| {
                script.breaking.max_radius.set_value_and_mark_modified(0.75);
            });
            editor.message_sender.do_command(step.expect("a step"));
        }),
        until("it is set", move |editor| radius(editor) == 0.75),
        then("that is undone", undo),
        until("it is as before", move |editor| radius(editor) != 0.75),
        then("another node is selected", |editor| {
            select(editor, "Foundation")
        }),
        until("it may be made destructible", |editor| {
            text(editor, ids::STATUS) == "\"Foundation\" is not destructible."
        }),
        click("which is done", ids::ADD),
        until("it has the script", |editor| {
            script(editor, "Foundation").is_some()
        }),
        click("a preset is chosen", ids::preset("glass")),
        until("it has a pattern", |editor| {
            let script = script(editor, "Foundation");
            script.is_some_and(|script| script.pattern.clone_inner().is_some())
        }),
        then("that is undone", undo),
        then("and the script taken back", undo),
        until("it has none", |editor| {
            script(editor, "Foundation").is_none()
        }),
        then("the wall is selected", |editor| select(editor, "Wall")),
        until("the window shows it", |editor| {
            text(editor, ids::STATUS) == "\"Wall\""
        }),
    ];
    steps.extend(saved::is_as("undone", PLAIN));
    steps
}

fn closing() -> Vec<Step> {
    let mut steps = super::strike_anew();
    let copies = Rc::new(Cell::new(0));
    let before = copies.clone();
    steps.extend([
        then("the window is closed", move |editor| {
            before.set(scenes(editor));
            let ui = editor.engine.user_interfaces.first();
            let window = ui.find_from_root(&mut |node: &UiNode| node.id == ids::WINDOW);
            ui.send(window.expect("the window").0, WindowMessage::Close);
        }),
        until(
            "it is gone, and the copy of the scene with it",
            move |editor| {
                let ui = editor.engine.user_interfaces.first();
                let window = ui.find_from_root(&mut |node: &UiNode| node.id == ids::WINDOW);
                window.is_none() && scenes(editor) < copies.get()
            },
        ),
    ]);
    steps.extend(saved::is_as("closed", PLAIN));
    steps.push(then("it is opened again", menu_click));
    steps.push(until("where it was, with the wall", |editor| {
        text(editor, ids::STATUS) == "\"Wall\""
    }));
    steps.push(then("its place is kept for the next start", |editor| {
        FractureTool::default().on_exit(editor);
        let kept = fs::read_to_string("settings.ron").expect("the settings");
        assert!(kept.contains("FractureTool"), "no window in the layout");
    }));
    steps.extend(super::strike_anew());
    steps
}
