//! The fields: which are shown, and what they say about themselves.

use super::{pattern, MENU_BAR, TOOL};
use crate::{
    display::Picture,
    driver::{center, click, mouse, scroll, then, undo, until, wait, Mouse, Step},
};
use editor::tool::ids;
use fracture::PatternKind;
use fyrox::{
    core::uuid::Uuid,
    graph::SceneGraph,
    gui::{inspector::Inspector, text::Text, UiNode},
};
use fyroxed_base::Editor;
use std::{thread, time::Duration};

/// A frame at a low frame rate.
const SLOW_FRAME: Duration = Duration::from_millis(200);
/// Slow frames within which a tooltip comes. The editor alone would need 33, whatever their length.
const TOOLTIP_FRAMES: u32 = 12;

/// Brings the cursor over the name of a field.
fn over_a_name() -> [Step; 3] {
    [
        scroll("the fields are shown", ids::SCRIPT),
        wait(20),
        then("the cursor is over the name of one", |editor| {
            let ui = editor.engine.user_interfaces.first();
            let sheet = ui.find_from_root(&mut |node: &UiNode| node.id == ids::SCRIPT);
            let mut names = ui.traverse_iter(sheet.expect("the fields").0);
            let is_wanted = |(_, node): &(_, &UiNode)| {
                let name = node.cast::<Text>();
                name.is_some_and(|name| name.text() == "Energy Per Volume")
            };
            let (name, _) = names.find(is_wanted).expect("a name");
            drop(names);
            let at = center(editor, name);
            mouse(editor, Mouse::Move(at));
        }),
    ]
}

/// Whether a tooltip is shown.
fn is_told(editor: &Editor) -> bool {
    let ui = editor.engine.user_interfaces.first();
    ui.active_tooltip().is_some_and(|tooltip| tooltip.shown)
}

/// Takes a picture of a tooltip.
pub fn tooltip() -> Vec<Step> {
    let mut steps = Vec::from(over_a_name());
    steps.extend([
        until("it says what the field is", |editor| is_told(editor)),
        wait(2),
        then("a picture is taken", |_| {
            Picture::take("editor_fields", TOOL);
        }),
    ]);
    steps
}

/// At few frames a second a tooltip comes as soon as at many: after some frames, not after half a minute's worth.
pub fn slow_tooltip() -> Vec<Step> {
    let slow = |name: &str, mut act: Box<dyn FnMut(&Editor, u32) -> bool>| {
        let mut frames = 0;
        until(name, move |editor| {
            thread::sleep(SLOW_FRAME);
            frames += 1;
            act(editor, frames)
        })
    };
    let mut steps = vec![
        then("the cursor is elsewhere", |editor| {
            mouse(editor, Mouse::Move(MENU_BAR))
        }),
        slow("frames take long", Box::new(|_, frames| frames == 6)),
    ];
    let [scrolled, waited, over] = over_a_name();
    steps.extend([scrolled, waited]);
    steps.push(slow(
        "frames take long again",
        Box::new(|_, frames| frames == 6),
    ));
    steps.push(over);
    steps.push(slow(
        "the tooltip comes within some frames",
        Box::new(|editor, frames| {
            assert!(frames < TOOLTIP_FRAMES, "none in {frames} frames");
            is_told(editor)
        }),
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
    steps.extend(kind("wood", PatternKind::Splinters, "Aspect", "Depth"));
    steps
}
