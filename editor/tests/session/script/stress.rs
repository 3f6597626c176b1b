//! Patterns of very many cells: what the tool does in one frame has an end, whatever is asked for.
//!
//! Counted is work, not time. The log has the times, too: run a session by hand,
//! `session stress FOLDER` with a copy of the data in the folder, and read what its frames took.

use super::{bake, fragments, running::pieces, select};
use crate::{
    driver::{
        choose, click, handle, mouse, node, on_screen, redo, scene, text, then, undo, until, wait,
        Mouse, Step,
    },
    saved,
};
use editor::{
    commands::{give_pattern, tune},
    tool::ids,
};
use fracture::{FracturePattern, PatternKind};
use fyrox::{
    asset::{untyped::ResourceKind, Resource},
    core::{algebra::Vector3, uuid::Uuid},
    graph::SceneGraph,
    gui::{numeric::NumericUpDownMessage, UiNode},
    scene::mesh::Mesh,
};
use fyroxed_base::{Editor, Message};
use std::{collections::BTreeSet, fs, path::Path};

/// Scenes, and an object in each: a simple mesh, and a dense one among others.
const OBJECTS: [(&str, &str); 2] = [("concrete", "Block"), ("demo", "Statue")];
/// Pieces of one break that are bodies, at most.
const MOST_BODIES: usize = 1024;
/// Pieces that are put into the user's scene in one frame, at most.
const MOST_BAKED: usize = 16;
/// The file beside the model of the dense one.
const COOKED: &str = "data/models/statue.glb.cooked";
/// Materials that colours need, at most.
const MOST_COLORS: usize = 130;

pub fn steps() -> Vec<Step> {
    let mut steps = super::load();
    steps.push(then("the window is opened", super::menu_click));
    for (scene, name) in OBJECTS {
        steps.extend(placed(scene, name));
        steps.extend(broken("ten thousand cells", name, many));
        steps.extend(colored());
        steps.extend(broken("a wall of bricks", name, bricks));
        steps.extend(given_up());
        steps.extend(baked(scene, name));
    }
    steps
}

fn many() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Uniform,
        cells: 10_000,
        inside_mesh: true,
        ..FracturePattern::default()
    }
}

fn bricks() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Bricks,
        rows: 40,
        ..FracturePattern::default()
    }
}

/// Opens a scene and places an impact that breaks all of an object.
fn placed(file: &'static str, name: &'static str) -> Vec<Step> {
    let mut steps = vec![
        then(&format!("{file} is opened"), move |editor| {
            let path = format!("data/scenes/{file}.rgs");
            editor.message_sender.send(Message::LoadScene(path.into()));
        }),
        until("it is there", move |editor| {
            scene(editor).is_some_and(|scene| node(&scene.graph, name).is_some())
        }),
        wait(10),
        then("an object is selected", move |editor| {
            select(editor, name);
            let object = handle(editor, name);
            editor.message_sender.send(Message::FocusObject(object));
        }),
        until("it may be broken", move |editor| {
            text(editor, ids::STATUS) == format!("\"{name}\"")
        }),
        wait(10),
    ];
    steps.extend(large_blow(name));
    steps.extend(struck(name));
    steps
}

/// Lets a blow break all of an object.
pub fn large_blow(name: &'static str) -> Vec<Step> {
    vec![
        then("blows of great energy are allowed", move |editor| {
            let object = handle(editor, name);
            let graph = &scene(editor).expect("a scene").graph;
            let step = tune(graph, &[object], "Max Radius", |script| {
                script
                    .breaking
                    .max_radius
                    .set_value_and_mark_modified(100.0);
            });
            editor.message_sender.do_command(step.expect("a step"));
        }),
        then("and one is set", |editor| {
            let ui = editor.engine.user_interfaces.first_mut();
            let number = ui.find_from_root(&mut |node: &UiNode| node.id == ids::ENERGY);
            let (number, _) = number.expect("a number");
            ui.send(number, NumericUpDownMessage::<f32>::Value(1e7));
        }),
    ]
}

/// Places the impact on an object.
pub fn struck(name: &'static str) -> Vec<Step> {
    vec![
        click("the impact is to be placed", ids::PLACE),
        over(name),
        then("it is clicked at", |editor| mouse(editor, Mouse::Press)),
        then("and the button let go", |editor| {
            mouse(editor, Mouse::Release)
        }),
        until("the impact is placed", |editor| {
            text(editor, ids::IMPACT).starts_with("Impact at")
        }),
        until("the preview is broken", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 1
        }),
    ]
}

/// Moves the cursor over the object, until it is over its surface: the middle may be a hole.
fn over(name: &'static str) -> Step {
    let sides = [[0.0; 3], [0.3, 0.0, 0.0], [0.3; 3], [-0.2; 3]].map(Vector3::from);
    let mut frames = 0;
    until("the cursor is over it", move |editor| {
        if frames % 20 == 0 {
            let side = sides[frames / 20 % sides.len()];
            let object = handle(editor, name);
            let bounds = editor::preview::bounds(&scene(editor).expect("a scene").graph, object);
            let aside = (bounds.max - bounds.min).component_mul(&side);
            let at = on_screen(editor, bounds.center() + aside);
            mouse(editor, Mouse::Move(at));
        }
        frames += 1;
        super::hovered(editor) > 0
    })
}

/// Gives the object a pattern and waits until the preview shows it.
pub fn broken(
    what: &'static str,
    name: &'static str,
    pattern: fn() -> FracturePattern,
) -> Vec<Step> {
    let mut most = 0;
    let mut last = 0;
    vec![
        then(&format!("{what} are asked for"), move |editor| {
            let object = handle(editor, name);
            let graph = &scene(editor).expect("a scene").graph;
            let pattern = Resource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, pattern());
            let step = give_pattern(graph, &[object], "Pattern", &pattern);
            editor.message_sender.do_command(step.expect("a step"));
        }),
        until("the old preview is gone", |editor| {
            text(editor, ids::FIGURES).is_empty()
        }),
        until(
            "the preview shows what a blow makes of them",
            move |editor| {
                let now = pieces(editor).len();
                most = most.max(now.saturating_sub(last));
                last = now;
                fragments(&text(editor, ids::FIGURES)) > 100
            },
        ),
        then(
            "with no more pieces than can be swapped in at once",
            move |editor| {
                let there = pieces(editor).len();
                println!("{}", text(editor, ids::FIGURES));
                assert!(there <= MOST_BODIES, "{there}");
                assert!(most <= MOST_BODIES, "{most}");
            },
        ),
    ]
}

/// The materials of all pieces of the preview.
fn materials(editor: &Editor) -> usize {
    let all = pieces(editor).into_iter();
    let keys = all.flat_map(|(graph, piece)| {
        let mesh = graph.try_get_of_type::<Mesh>(piece).expect("a mesh");
        let surfaces = mesh.surfaces().iter();
        let keys = surfaces.map(|surface| surface.material().key());
        keys.collect::<Vec<_>>()
    });
    keys.collect::<BTreeSet<_>>().len()
}

fn colored() -> Vec<Step> {
    let few = |editor: &mut Editor| {
        let materials = materials(editor);
        assert!((3..=MOST_COLORS).contains(&materials), "{materials}");
    };
    vec![
        choose("they are coloured by cell", ids::COLORS, |name| {
            name == "cell"
        }),
        wait(4),
        then("which takes few materials", few),
        choose("and by size", ids::COLORS, |name| name == "size"),
        wait(4),
        then("which takes few, too", few),
        click("they fall", ids::PLAY),
        wait(40),
        click("and are held", ids::PLAY),
    ]
}

/// A break that is given up does not hold the editor up: it is not waited for.
fn given_up() -> Vec<Step> {
    vec![
        click("the preview is reset", ids::RESET),
        click("and broken", ids::STRIKE),
        wait(3),
        click("which is given up", ids::RESET),
        click("and done again", ids::STRIKE),
        until("the preview is there", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 100
        }),
    ]
}

/// A scene is not cooked when it is saved, if that is not wanted; then it is wanted again.
fn not_cooked() -> Vec<Step> {
    let name = "demo-uncooked";
    vec![
        then("what was cooked is gone", |_| {
            _ = fs::remove_file(COOKED);
        }),
        click("scenes are not to be cooked", ids::COOK_ON_SAVE),
        until("which is kept", |_| choices().contains("cook: no")),
        then("the scene is saved", move |editor| {
            saved::save(editor, name)
        }),
        until("it is saved", move |_| saved::path(name).exists()),
        wait(100),
        then("and not cooked", |_| assert!(!Path::new(COOKED).exists())),
        click("scenes are to be cooked", ids::COOK_ON_SAVE),
        until("which is kept", |_| choices().contains("cook: yes")),
    ]
}

/// The choices that are kept for the next start.
fn choices() -> String {
    fs::read_to_string("fracture_editor.txt").unwrap_or_default()
}

/// Baked pieces come and go a few at a time, whatever is done meanwhile, and leave nothing behind.
fn baked(file: &'static str, name: &'static str) -> Vec<Step> {
    let count = move |editor: &mut Editor| bake::baked(editor, name);
    let before = if file == "demo" {
        "demo-before"
    } else {
        "before"
    };
    let after = if file == "demo" {
        "demo-after"
    } else {
        "after"
    };
    // The other scene has nothing that takes long to prepare.
    let mut steps = if file == "demo" { not_cooked() } else { vec![] };
    steps.extend([
        then("the scene is saved", move |editor| {
            saved::save(editor, before)
        }),
        until("it is saved", move |_| saved::path(before).exists()),
    ]);
    if file == "demo" {
        steps.push(until("and cooked", |_| Path::new(COOKED).exists()));
    }
    steps.extend([
        click("it is broken", ids::STRIKE),
        until("the preview is there", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 100
        }),
        click("the pieces are baked", ids::BAKE),
        until("some are there", move |editor| count(editor) > 20),
        then("that is undone on its way", undo),
        until("they are gone", move |editor| count(editor) == 0),
        wait(40),
        until("and the editor may sleep", |editor| !bake::is_awake(editor)),
        then("it is done again", redo),
        few_at_a_time("they come a few at a time", name, true),
        then("that is undone", undo),
        few_at_a_time("they go a few at a time", name, false),
    ]);
    steps.extend(saved::is_as(after, before));
    steps.extend([
        then("the scene is closed", |editor| {
            let id = editor.scenes.current_scene_entry_ref().id;
            editor.message_sender.send(Message::CloseScene(id));
        }),
        wait(10),
    ]);
    steps
}

/// Done when as many pieces have come as there were once, or all have gone.
fn few_at_a_time(what: &str, name: &'static str, coming: bool) -> Step {
    let mut last = None;
    let mut still = 0;
    until(what, move |editor| {
        let now = bake::baked(editor, name);
        // Frames have passed before the first look.
        let step = now.abs_diff(last.unwrap_or(now));
        assert!(step <= MOST_BAKED, "{last:?}, then {now}");
        still = if step == 0 { still + 1 } else { 0 };
        last = Some(now);
        let there = if coming { now > 100 } else { now == 0 };
        there && still > 5
    })
}
