//! The fields: which are shown, and what they say about themselves.

use super::{pattern, MENU_BAR, TOOL};
use crate::{
    display::Picture,
    driver::{bring, center, click, mouse, then, undo, until, wait, Mouse, Step},
};
use editor::tool::ids;
use fracture::PatternKind;
use fyrox::{
    core::{pool::Handle, uuid::Uuid},
    graph::SceneGraph,
    gui::{inspector::Inspector, text::Text, UiNode},
};
use fyroxed_base::Editor;
use std::{thread, time::Duration};

/// A frame at a low frame rate.
const SLOW_FRAME: Duration = Duration::from_millis(200);
/// Slow frames within which a tooltip comes. The editor alone would need 33, whatever their length.
const TOOLTIP_FRAMES: u32 = 12;

/// The name of a field of the script.
fn field_name(editor: &Editor) -> Handle<UiNode> {
    let ui = editor.engine.user_interfaces.first();
    let sheet = ui.find_from_root(&mut |node: &UiNode| node.id == ids::SCRIPT);
    let mut names = ui.traverse_iter(sheet.expect("the fields").0);
    let is_wanted = |(_, node): &(_, &UiNode)| {
        let name = node.cast::<Text>();
        name.is_some_and(|name| name.text() == "Energy Per Volume, J/m^3")
    };
    names.find(is_wanted).expect("a name").0
}

/// Scrolls that name into sight.
fn show_name() -> [Step; 2] {
    let show = |editor: &mut Editor| {
        let name = field_name(editor);
        bring(editor, name);
    };
    [then("a field is shown", show), wait(20)]
}

/// Brings the cursor over it.
fn point_at_name(editor: &mut Editor) {
    let at = center(editor, field_name(editor));
    mouse(editor, Mouse::Move(at));
}

/// Whether a tooltip is shown.
fn is_told(editor: &Editor) -> bool {
    let ui = editor.engine.user_interfaces.first();
    ui.active_tooltip().is_some_and(|tooltip| tooltip.shown)
}

/// Takes a picture of a tooltip.
pub fn tooltip() -> Vec<Step> {
    let mut steps = Vec::from(show_name());
    steps.extend([
        then("the cursor is over its name", point_at_name),
        until("it says what the field is", |editor| is_told(editor)),
        wait(2),
        then("a picture is taken", |_| {
            Picture::take("editor_fields", TOOL);
        }),
    ]);
    steps
}

/// At few frames a second a tooltip comes as soon as at many, and not after as many frames.
pub fn slow_tooltip() -> Vec<Step> {
    let mut frames = 0;
    let mut steps = vec![then("the cursor is elsewhere", |editor| {
        mouse(editor, Mouse::Move(MENU_BAR))
    })];
    steps.extend(show_name());
    steps.push(until(
        "a tooltip comes within some slow frames",
        move |editor| {
            thread::sleep(SLOW_FRAME);
            frames += 1;
            match frames {
                1..=5 => assert!(!is_told(editor), "the cursor is elsewhere"),
                6 => point_at_name(editor),
                _ => assert!(frames < 6 + TOOLTIP_FRAMES, "none in {frames} frames"),
            }
            is_told(editor)
        },
    ));
    steps
}

/// The rows of a panel that are shown, those of its sections included, and those of their names that have
/// no tooltip.
fn rows(editor: &Editor, sheet: Uuid) -> (Vec<String>, Vec<String>) {
    let ui = editor.engine.user_interfaces.first();
    let panel = ui.find_from_root(&mut |node: &UiNode| node.id == sheet);
    let (mut names, mut bare) = (Vec::new(), Vec::new());
    let inspectors = ui.traverse_iter(panel.expect("a panel").0);
    let inspectors = inspectors.filter_map(|(_, node)| node.cast::<Inspector>());
    for row in inspectors.flat_map(|inspector| &inspector.context().entries) {
        if !ui.node(row.property_container).visibility() {
            continue;
        }
        let name = &row.property_display_name;
        let mut parts = ui.traverse_iter(row.property_container);
        let has_tip = parts.any(|(_, node)| {
            let title = node.cast::<Text>().is_some_and(|text| text.text() == *name);
            title && node.tooltip().is_some()
        });
        names.push(name.clone());
        if !has_tip {
            bare.push(name.clone());
        }
    }
    (names, bare)
}

/// Every field says what it does, and only those of a pattern's kind are shown.
pub fn explained() -> Vec<Step> {
    let has = |editor: &Editor, name: &str| {
        let (names, bare) = rows(editor, ids::RECIPE);
        assert_eq!(bare, [""; 0]);
        names.iter().any(|known| known == name)
    };
    let kind = |name: &'static str, kind, own: &'static str, foreign: &'static str| {
        [
            // Rows come and go, and what is below them moves.
            wait(10),
            click(&format!("the preset {name} is chosen"), ids::preset(name)),
            until("the pattern is changed", move |editor| {
                pattern(editor).kind == kind
            }),
            until("the fields of its kind are shown", move |editor| {
                has(editor, own) && !has(editor, foreign)
            }),
            then("that is undone", undo),
            until("it is as before", |editor| {
                pattern(editor).kind == PatternKind::Clustered
            }),
        ]
    };
    let mut steps = vec![then("every field of the script is explained", |editor| {
        let (names, bare) = rows(editor, ids::SCRIPT);
        assert!(names.len() > 25, "{names:?}");
        assert_eq!(bare, [""; 0]);
    })];
    steps.extend(kind("brick", PatternKind::Bricks, "Rows", "Cells"));
    steps.extend(kind("glass", PatternKind::Radial, "Rays", "Rows"));
    steps.extend(kind("wood", PatternKind::Fibres, "Aspect", "Depth"));
    steps
}
