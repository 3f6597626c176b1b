//! The steps of the session and their expected results.

mod assets;
mod bake;
mod cards;
mod compare;
pub mod cuts;
mod fields;
mod files;
mod handles;
pub mod large;
mod looks;
mod mistakes;
mod nodes;
mod running;
mod stencils;
pub mod stress;
pub mod structure;
mod traces;
mod view;

use crate::{
    display::{Part, Picture},
    driver::{
        choose, click, handle, last_command, mouse, redo, scene, text, then, undo, until, wait,
        Mouse, Step,
    },
};
use editor::{commands::tune, tool::ids};
use fracture::{Destructible, FracturePattern, PatternKind};
use fyrox::{
    core::{algebra::Vector2, color::Color, pool::Handle},
    graph::SceneGraph,
    gui::{
        menu::MenuItemMessage, message::*, scroll_bar::ScrollBarMessage, widget::WidgetMessage,
        UiNode,
    },
    scene::node::Node,
};
use fyroxed_base::{
    message::MessageSender,
    scene::{commands::ChangeSelectionCommand, Selection},
    world::selection::GraphSelection,
    Editor,
};
use std::{cell::RefCell, fs, path::Path, rc::Rc};

/// The scene that is opened.
pub const SCENE: &str = "data/scenes/wall.rgs";
/// The file whose existence ends the game's build.
pub const BUILT: &str = "built";
/// The pattern of that scene's wall.
const PATTERN: &str = "data/patterns/concrete.pattern";
/// Part of the window with the preview, roughly: x, y, width, height.
const PREVIEW: Part = [1210, 340, 360, 280];

/// The scene and the window beside it.
const WORK: Part = [400, 48, 1200, 645];
/// The window.
const TOOL: Part = [1192, 48, 408, 645];
/// A screen position over no object.
const MENU_BAR: Vector2<f32> = Vector2::new(700.0, 32.0);
/// The asset browser.
const ASSETS: Part = [0, 745, 840, 155];

/// All steps. In a window, pictures are taken and compared on the way.
pub fn steps(windowed: bool) -> Vec<Step> {
    let mut steps = load();
    if windowed {
        // A frame takes long without a graphics card: only what there is to be seen.
        steps.extend(open());
        steps.extend(place(true));
        steps.extend(handles::steps(true));
        steps.extend(fall(true));
        steps.extend(bricks());
        steps.extend(compare::steps(true));
        steps.extend(fields::tooltip());
        steps.extend(assets::steps(true));
        steps.extend(mistakes::steps(true));
        steps.extend(strike_anew());
        steps.extend(files::steps());
        return steps;
    }
    steps.extend(traces::before());
    steps.extend(open());
    steps.extend(view::before());
    steps.extend(place(false));
    steps.extend(view::steps());
    steps.extend(handles::steps(false));
    steps.extend(traces::steps());
    steps.extend(bricks());
    steps.extend(compare::steps(false));
    steps.extend(files::steps());
    steps.extend(stencils::steps());
    steps.extend(tuning());
    steps.extend(fields::explained());
    steps.extend(fields::slow_tooltip());
    steps.extend(looks::steps());
    steps.extend(running::steps());
    steps.extend(fall(false));
    steps.extend(checks());
    steps.extend(bake::steps());
    steps.extend(assets::steps(false));
    steps.extend(cards::steps());
    steps.extend(nodes::steps());
    steps.extend(mistakes::steps(false));
    steps
}

fn load() -> Vec<Step> {
    vec![until("the scene is loaded", |editor| {
        scene(editor).is_some_and(|scene| crate::driver::node(&scene.graph, "Wall").is_some())
    })]
}

fn open() -> Vec<Step> {
    vec![
        then("the window is opened from the menu", menu_click),
        until("the window asks for a node", |editor| {
            text(editor, ids::STATUS).starts_with("Select a node")
                && text(editor, ids::NOTICE).contains("once a destructible node is selected")
        }),
        then("the wall is selected", |editor| select(editor, "Wall")),
        until("the window shows the wall and its pattern", |editor| {
            text(editor, ids::STATUS) == "\"Wall\"" && text(editor, ids::PATTERN) == PATTERN
        }),
    ]
}

/// Clicks the menu entry. The menu's popup is closed, so the entry gets the message itself.
fn menu_click(editor: &mut Editor) {
    let ui = editor.engine.user_interfaces.first_mut();
    let mut all = ui.nodes().pair_iter();
    let entry = all.find(|(_, node)| node.id == ids::MENU);
    let entry = entry.map(|(handle, _)| handle);
    ui.post(
        entry.expect("the menu has an entry"),
        MenuItemMessage::Click,
    );
}

fn select(editor: &mut Editor, name: &str) {
    let node = handle(editor, name);
    select_node(&editor.message_sender, node);
}

fn select_node(sender: &MessageSender, node: Handle<Node>) {
    let selection = Selection::new(GraphSelection::single_or_empty(node));
    sender.do_command(ChangeSelectionCommand::new(selection));
}

/// Places the impact and waits for the preview.
fn strike_anew() -> Vec<Step> {
    vec![
        click("the impact is to be placed", ids::PLACE),
        then("the cursor is over the wall", move_cursor),
        until("what would break off is drawn", |editor| {
            hovered(editor) > 20
        }),
        then("the wall is clicked at", click_scene),
        until("the impact is placed", |editor| {
            text(editor, ids::IMPACT).starts_with("Impact at")
        }),
        until("the preview is broken", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
    ]
}

fn place(windowed: bool) -> Vec<Step> {
    let plain: Rc<RefCell<Option<Picture>>> = Default::default();
    let before = plain.clone();
    let mut steps = strike_anew();
    if windowed {
        let seen = then("a picture is taken", move |_| {
            *before.borrow_mut() = Some(Picture::take("editor_hover", WORK));
        });
        let plain = then("without a tooltip", hide_tooltips);
        steps.splice(3..3, [plain, wait(2), seen]);
    }
    steps.extend([
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
        moved_apart(),
        choose("and coloured", ids::COLORS, |name| name == "cell"),
        wait(4),
        then("the preview differs from the plain scene", move |_| {
            let Some(plain) = plain.borrow_mut().take() else {
                return;
            };
            let broken = Picture::take("editor_preview", WORK);
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
            let impact = text(editor, ids::IMPACT);
            assert!(!impact.contains("changed after"), "{impact}");
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
        until("and its cracks are drawn", |editor| cracks(editor) > 20),
    ]
}

fn moved_apart() -> Step {
    then("the pieces are moved apart", |editor| {
        let ui = editor.engine.user_interfaces.first_mut();
        let slider = ui.find_from_root(&mut |node: &UiNode| node.id == ids::EXPLODE);
        let (slider, _) = slider.expect("a slider");
        ui.send(slider, ScrollBarMessage::Value(0.6));
    })
}

/// Lines in the scene: the cracks around the cells that break off.
fn cracks(editor: &mut Editor) -> usize {
    lines(editor, editor::tool::CRACKS)
}

/// Those around the cells that a hit under the cursor would break off.
fn hovered(editor: &mut Editor) -> usize {
    lines(editor, editor::tool::HOVERED)
}

fn lines(editor: &mut Editor, color: Color) -> usize {
    let lines = scene(editor).map(|scene| scene.drawing_context.lines.as_slice());
    let lines = lines.unwrap_or_default().iter();
    lines.filter(|line| line.color == color).count()
}

/// A picture of the window, once it has been drawn without a tooltip.
fn picture(name: &'static str, part: Part) -> Step {
    let mut frames = 0;
    until("a picture is taken", move |editor| {
        frames += 1;
        match frames {
            1 => mouse(editor, Mouse::Move(MENU_BAR)),
            5 => hide_tooltips(editor),
            9 => drop(Picture::take(name, part)),
            _ => {}
        }
        frames == 9
    })
}

/// With the long frames of a software renderer the last one may stay.
fn hide_tooltips(editor: &mut Editor) {
    let ui = editor.engine.user_interfaces.first_mut();
    let all = ui.nodes().pair_iter();
    let tooltips = all.filter_map(|(_, node)| node.tooltip());
    let tooltips: Vec<_> = tooltips.map(|tooltip| tooltip.handle()).collect();
    for tooltip in tooltips {
        ui.send(tooltip, WidgetMessage::Visibility(false));
    }
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
                script.breaking.max_radius.set_value_and_mark_modified(0.75);
            });
            let step = step.expect("the wall has the script");
            editor.message_sender.do_command(step);
        }),
        until("it is set", |editor| {
            script(editor, "Wall").is_some_and(|script| *script.breaking.max_radius == 0.75)
        }),
        then("that step has a name, too", |editor| {
            assert_eq!(last_command(editor), "Set Max Radius of \"Wall\"");
            undo(editor);
        }),
        until("it is as before", |editor| {
            script(editor, "Wall").is_some_and(|script| *script.breaking.max_radius != 0.75)
        }),
    ]
}

fn fall(windowed: bool) -> Vec<Step> {
    let mut steps = vec![
        until("the preview is there", |editor| {
            fragments(&text(editor, ids::FIGURES)) > 5
        }),
        click("the pieces fall", ids::PLAY),
        wait(if windowed { 36 } else { 60 }),
        click("they are held", ids::PLAY),
        wait(5),
    ];
    if windowed {
        steps.push(picture("editor_fall", TOOL));
    }
    steps
}

fn checks() -> Vec<Step> {
    vec![
        click("the mesh is checked", ids::CHECK),
        until("it is closed", |editor| {
            text(editor, ids::REPORT).contains("sound: it breaks as it is")
        }),
        click("a sweep is started", ids::SWEEP),
        until("it finds no faults", |editor| {
            let report = text(editor, ids::REPORT);
            report.contains("100 breaks") && report.contains("No faults")
        }),
        click("another is started", ids::SWEEP),
        click("and cancelled", ids::CANCEL),
        until("it stops", |editor| {
            text(editor, ids::REPORT).contains("breaks")
        }),
    ]
}
