//! What a session does, and what must come of it.

mod assets;
mod compare;
mod files;
mod handles;
mod mistakes;
mod nodes;

use crate::{
    display::Picture,
    driver::{click, handle, last_command, redo, scene, scroll, text, then, undo, until, Step},
    saved,
};
use editor::{commands::tune, tool::ids};
use fracture::{Destructible, FracturePattern, PatternKind};
use fyrox::{
    core::{algebra::Vector2, color::Color, pool::Handle},
    graph::SceneGraph,
    gui::{menu::MenuItemMessage, message::*, scroll_bar::ScrollBarMessage, UiNode},
    scene::node::Node,
};
use fyroxed_base::{
    message::MessageSender,
    scene::{commands::ChangeSelectionCommand, Selection},
    world::selection::GraphSelection,
    Editor, Message,
};
use std::{cell::RefCell, fs, path::Path, rc::Rc};

/// The scene that is opened.
pub const SCENE: &str = "data/scenes/wall.rgs";
/// Its pattern.
const PATTERN: &str = "data/patterns/concrete.pattern";
/// Where the preview is drawn in the window, roughly: x, y, width, height.
const PREVIEW: [u32; 4] = [1190, 240, 390, 260];

/// All steps. In a window, pictures are taken and compared on the way.
pub fn steps(windowed: bool) -> Vec<Step> {
    let mut steps = open();
    steps.extend(place(windowed));
    if windowed {
        // A frame takes seconds without a graphics card: only what there is to be seen.
        steps.extend(handles::steps(true));
        steps.push(picture("editor_impact"));
        steps.extend(bricks());
        steps.extend(compare::steps(true));
        steps.extend(assets::steps(true));
        steps.extend(checks(true));
        return steps;
    }
    steps.extend(handles::steps(false));
    steps.extend(compare_saved());
    steps.extend(bricks());
    steps.extend(compare::steps(false));
    steps.extend(files::steps());
    steps.extend(tuning());
    steps.extend(looks());
    steps.extend(checks(false));
    steps.extend(bake());
    steps.extend(assets::steps(false));
    steps.extend(nodes::steps());
    steps.extend(mistakes::steps());
    steps
}

fn open() -> Vec<Step> {
    vec![
        until("the scene is loaded", |editor| {
            editor.scenes.try_get(0).is_some()
                && scene(editor)
                    .is_some_and(|scene| crate::driver::node(&scene.graph, "Wall").is_some())
        }),
        then("the window is opened from the menu", |editor| {
            let ui = editor.engine.user_interfaces.first_mut();
            let item = ui.find_from_root(&mut |node: &UiNode| node.id == ids::MENU);
            // The menu's popup is closed: the entry is told what a click on it would tell it.
            let entry = item.map(|(handle, _)| handle).unwrap_or_default();
            let entry = if entry.is_some() {
                entry
            } else {
                menu_entry(editor)
            };
            let ui = editor.engine.user_interfaces.first_mut();
            ui.post(entry, MenuItemMessage::Click);
        }),
        until("the window asks for a node", |editor| {
            text(editor, ids::STATUS).starts_with("Select a node")
        }),
        then("the wall is selected", |editor| select(editor, "Wall")),
        until("the window shows the wall and its pattern", |editor| {
            text(editor, ids::STATUS) == "\"Wall\"" && text(editor, ids::PATTERN) == PATTERN
        }),
    ]
}

fn menu_entry(editor: &mut Editor) -> Handle<UiNode> {
    let ui = editor.engine.user_interfaces.first();
    let all = ui.nodes().pair_iter();
    let found = all
        .filter(|(_, node)| node.id == ids::MENU)
        .map(|(h, _)| h)
        .next();
    found.expect("the menu has an entry")
}

fn select(editor: &mut Editor, name: &str) {
    let node = handle(editor, name);
    select_node(&editor.message_sender, node);
}

fn select_node(sender: &MessageSender, node: Handle<Node>) {
    let selection = Selection::new(GraphSelection::single_or_empty(node));
    sender.do_command(ChangeSelectionCommand::new(selection));
}

fn place(windowed: bool) -> Vec<Step> {
    let plain: Rc<RefCell<Option<Picture>>> = Default::default();
    let before = plain.clone();
    let mut steps = vec![
        click("the impact is to be placed", ids::PLACE),
        then("the cursor is over the wall", move_cursor),
    ];
    steps.push(then("a picture of the plain scene", move |_| {
        if windowed {
            *before.borrow_mut() = Some(Picture::take("editor_hover"));
        }
    }));
    steps.extend([
        then("the wall is clicked at", click_scene),
        until("the impact is placed", |editor| {
            text(editor, ids::IMPACT).starts_with("Impact at")
        }),
        until("the preview is broken", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
        then("the scene in the editor is whole", |editor| {
            let wall = handle(editor, "wall");
            let scene = scene(editor).expect("a scene");
            assert!(scene
                .graph
                .try_get_node(wall)
                .expect("the wall")
                .visibility());
            let nodes = scene.graph.pair_iter();
            let pieces = nodes.filter(|(_, node)| node.name().contains("fragment_"));
            assert_eq!(pieces.count(), 0);
        }),
        then("the pieces are moved apart", |editor| {
            let ui = editor.engine.user_interfaces.first_mut();
            let slider = ui.find_from_root(&mut |node: &UiNode| node.id == ids::EXPLODE);
            let (slider, _) = slider.expect("a slider");
            ui.send(slider, ScrollBarMessage::Value(0.6));
        }),
        wait(4),
        then("the preview differs from the plain scene", move |_| {
            let Some(plain) = plain.borrow_mut().take() else {
                return;
            };
            let broken = Picture::take("editor_preview");
            let contrast = broken.contrast(PREVIEW);
            assert!(contrast > 0.05, "the preview shows nothing: {contrast}");
            let difference = broken.difference(&plain, PREVIEW);
            assert!(
                difference > 0.05,
                "the preview shows nothing new: {difference}"
            );
        }),
    ]);
    steps
}

/// Lets some frames pass.
fn wait(frames: u32) -> Step {
    let mut left = frames;
    until("some frames pass", move |_| {
        left = left.saturating_sub(1);
        left == 0
    })
}

/// The middle of the view of the scene, a little above.
fn aim_point(editor: &Editor) -> Vector2<f32> {
    let ui = editor.engine.user_interfaces.first();
    let bounds = editor.scene_viewer.frame_bounds(ui);
    bounds.position + Vector2::new(bounds.w() * 0.56, bounds.h() * 0.4)
}

fn move_cursor(editor: &mut Editor) {
    let position = aim_point(editor);
    let ui = editor.engine.user_interfaces.first_mut();
    ui.process_os_event(&OsEvent::CursorMoved { position });
}

fn click_scene(editor: &mut Editor) {
    use fyrox::gui::test::UserInterfaceTestingExtension;
    let position = aim_point(editor);
    editor.engine.user_interfaces.first_mut().click(position);
}

fn fragments(figures: &str) -> usize {
    let first = figures.split_whitespace().next();
    first.and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// With the window closed, and in the middle of a preview: the same file.
fn compare_saved() -> Vec<Step> {
    vec![
        then("the scene is saved in the middle of a preview", |editor| {
            save(editor, "data/scenes/with.rgs")
        }),
        until("it is saved", |_| {
            Path::new("data/scenes/with.rgs").exists()
        }),
        until("saving has ended the preview", |editor| {
            text(editor, ids::FIGURES).is_empty()
        }),
        then("it is saved again", |editor| {
            save(editor, "data/scenes/without.rgs")
        }),
        until("that is saved, too", |_| {
            Path::new("data/scenes/without.rgs").exists()
        }),
        then("both files are the same", |_| {
            let with = saved::content(Path::new("data/scenes/with.rgs"));
            let without = saved::content(Path::new("data/scenes/without.rgs"));
            assert!(with.len() > 10_000);
            assert!(with == without, "a preview leaves a trace");
        }),
    ]
}

fn save(editor: &mut Editor, path: &str) {
    let id = editor.scenes.current_scene_entry_ref().id;
    let path = path.into();
    editor.message_sender.send(Message::SaveScene { id, path });
}

fn script(editor: &mut Editor, name: &str) -> Option<Destructible> {
    let node = handle(editor, name);
    let graph = &scene(editor)?.graph;
    graph.try_get_script_of::<Destructible>(node).ok().cloned()
}

fn pattern(editor: &mut Editor) -> FracturePattern {
    let script = script(editor, "Wall").expect("a script");
    let resource = script.pattern.clone_inner().expect("a pattern");
    let data = resource.data_ref();
    data.as_loaded_ref().expect("a loaded pattern").clone()
}

fn read_pattern() -> FracturePattern {
    let bytes = fs::read(PATTERN).expect("the file");
    FracturePattern::from_bytes(&bytes, Path::new(PATTERN)).expect("a pattern")
}

fn bricks() -> Vec<Step> {
    vec![
        click("the wall is broken", ids::STRIKE),
        click("the preset for bricks is chosen", ids::preset("brick")),
        until("the pattern is changed, and its file", |editor| {
            pattern(editor).kind == PatternKind::Bricks
                && read_pattern().kind == PatternKind::Bricks
        }),
        then("the step has a name", |editor| {
            assert_eq!(last_command(editor), "Set Preset Brick of concrete.pattern");
        }),
        until("the preview is broken by the new pattern", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
        until("and its cracks are drawn", |editor| cracks(editor) > 20),
    ]
}

/// Orange lines in the scene: the cracks around the cells that break off.
fn cracks(editor: &mut Editor) -> usize {
    let orange = Color::opaque(255, 150, 30);
    let lines = scene(editor).map(|scene| scene.drawing_context.lines.as_slice());
    let lines = lines.unwrap_or_default().iter();
    lines.filter(|line| line.color == orange).count()
}

/// A picture of the window, once it has been drawn.
fn picture(name: &'static str) -> Step {
    let mut frames = 3;
    until("a picture is taken", move |_| {
        frames -= 1;
        if frames == 0 {
            Picture::take(name);
        }
        frames == 0
    })
}

fn tuning() -> Vec<Step> {
    vec![
        then("that is undone", undo),
        until("pattern and file are as before", |editor| {
            pattern(editor).kind == PatternKind::Clustered
                && read_pattern().kind == PatternKind::Clustered
        }),
        then("and done again", redo),
        until("pattern and file are bricks again", |editor| {
            pattern(editor).kind == PatternKind::Bricks
                && read_pattern().kind == PatternKind::Bricks
        }),
        then("and undone", undo),
        then("a field of the script is set", |editor| {
            let wall = handle(editor, "Wall");
            let graph = &scene(editor).expect("a scene").graph;
            let step = tune(graph, &[wall], "Max Radius", |script| {
                script.max_radius.set_value_and_mark_modified(0.75);
            });
            let step = step.expect("the wall has the script");
            editor.message_sender.do_command(step);
        }),
        until("it is set", |editor| {
            script(editor, "Wall").is_some_and(|script| *script.max_radius == 0.75)
        }),
        then("that step has a name, too", |editor| {
            assert_eq!(last_command(editor), "Set Max Radius of \"Wall\"");
            undo(editor);
        }),
        until("it is as before", |editor| {
            script(editor, "Wall").is_some_and(|script| *script.max_radius != 0.75)
        }),
    ]
}

fn looks() -> Vec<Step> {
    vec![
        until("the preview is there again", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
        click("the pieces fall", ids::PLAY),
        wait(60),
        click("they are held", ids::PLAY),
        wait(5),
    ]
}

fn checks(windowed: bool) -> Vec<Step> {
    let mut steps = vec![
        click("the mesh is checked", ids::CHECK),
        until("it is closed", |editor| {
            text(editor, ids::REPORT).contains("sound: it breaks as it is")
        }),
        click("a sweep is started", ids::SWEEP),
        until("it finds no faults", |editor| {
            let report = text(editor, ids::REPORT);
            report.contains("100 breaks") && report.contains("No faults")
        }),
    ];
    if windowed {
        steps.push(scroll("the report is shown", ids::REPORT));
        steps.push(picture("editor_checks"));
        return steps;
    }
    steps.extend([
        click("another is started", ids::SWEEP),
        click("and cancelled", ids::CANCEL),
        until("it stops", |editor| {
            text(editor, ids::REPORT).contains("breaks")
        }),
    ]);
    steps
}

fn bake() -> Vec<Step> {
    let there = |editor: &mut Editor| {
        let graph = &scene(editor).expect("a scene").graph;
        let root = crate::driver::node(graph, "Wall pieces");
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
        then("they are saved", |editor| {
            save(editor, "data/scenes/baked.rgs")
        }),
        until("and found in the file", |_| {
            let text = fs::read_to_string("data/scenes/baked.rgs").unwrap_or_default();
            text.contains("Wall pieces") && text.contains("fragment_")
        }),
        then("and taken back", undo),
        until("they are gone", move |editor| there(editor) == 0),
    ]
}
