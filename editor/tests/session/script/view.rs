//! The view of the preview: what the wheel does, how the whole object comes back, and the text over it. And the
//! window itself, maximised.

use super::{click_scene, strike_anew, MENU_BAR};
use crate::driver::{
    center, click, handle, mouse, scene, scroll, text, then, until, wait, Mouse, Step,
};
use editor::tool::ids;
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    gui::{
        dock::Tile,
        message::OsEvent,
        window::{Window, WindowMessage},
        UiNode,
    },
};
use fyroxed_base::{scene::GameScene, Editor};
use std::{cell::Cell, collections::BTreeSet, rc::Rc};

/// Notches of the wheel that take the preview out of sight or make it fill the view.
const NOTCHES: usize = 12;

/// Before there is an impact: what is looked at, and that the preview says how one gets it.
pub fn before() -> Vec<Step> {
    let mut steps = vec![
        then("the wall is looked at from its lit side", assert_lit),
        until("the preview says how one gets it", |editor| {
            text(editor, ids::NOTICE).contains("once an impact is placed")
        }),
    ];
    steps.extend(waited_for());
    steps
}

/// With a preview.
pub fn steps() -> Vec<Step> {
    let mut steps = strike_anew();
    steps.extend(wheel());
    steps.extend(maximised());
    steps
}

/// The editor's camera looks at the wall, and the sun shines onto the side that it sees.
fn assert_lit(editor: &mut Editor) {
    let [sun, wall] = ["Sun", "wall"].map(|name| handle(editor, name));
    let entry = editor.scenes.current_scene_entry_ref();
    let open = entry.controller.downcast_ref::<GameScene>();
    let camera = open.expect("a scene").camera_controller.camera;
    let graph = &scene(editor).expect("a scene").graph;
    let eye = &graph[camera];
    let to_eye = eye.global_position() - graph[wall].global_position();
    assert!(eye.look_vector().dot(&to_eye) < 0.0, "it looks away");
    // The wall's large sides are across z, and a directional light shines against its own y.
    let seen = Vector3::z() * to_eye.z.signum();
    let light = -graph[sun].up_vector();
    assert!(light.dot(&seen) < -0.2, "{light:?} {seen:?}");
}

/// From the click into the scene until the pieces are shown, the preview says in each frame what it waits for.
fn waited_for() -> Vec<Step> {
    let mut steps = strike_anew();
    // Up to the click.
    steps.truncate(3);
    let mut told = BTreeSet::new();
    steps.push(until(
        "in each frame it says what it waits for",
        move |editor| {
            if told.is_empty() {
                click_scene(editor);
            }
            if !text(editor, ids::FIGURES).is_empty() {
                assert!(told.len() > 1, "{told:?}");
                return true;
            }
            let notice = text(editor, ids::NOTICE);
            assert!(!notice.is_empty(), "nothing after {told:?}");
            told.insert(notice);
            false
        },
    ));
    steps
}

/// Position of the preview's camera.
fn eye(editor: &Editor) -> Option<Vector3<f32>> {
    let mut scenes = editor.engine.scenes.iter();
    scenes.find_map(|scene| {
        let mut nodes = scene.graph.linear_iter();
        let camera = nodes.find(|node| node.name() == "Fracture preview")?;
        Some(**camera.local_transform().position())
    })
}

fn frame(editor: &Editor) -> Vector2<f32> {
    let ui = editor.engine.user_interfaces.first();
    let frame = ui.find_from_root(&mut |node: &UiNode| node.id == ids::FRAME);
    center(editor, frame.expect("a viewport").0)
}

fn turn_wheel(editor: &mut Editor) {
    let ui = editor.engine.user_interfaces.first_mut();
    for _ in 0..NOTCHES {
        ui.process_os_event(&OsEvent::MouseWheel(0.0, -1.0));
    }
}

/// Turns the wheel over the viewport, in sight once more, and notes where that was.
fn wheel_over(name: &str, place: &Rc<Cell<Vector2<f32>>>) -> Vec<Step> {
    let place = place.clone();
    vec![
        scroll("the preview is in sight", ids::FRAME),
        wait(4),
        then("the cursor is over it", move |editor| {
            let at = frame(editor);
            mouse(editor, Mouse::Move(at));
            place.set(at);
        }),
        wait(4),
        then(name, turn_wheel),
        wait(4),
    ]
}

fn wheel() -> Vec<Step> {
    let whole = Rc::new(Cell::new(Vector3::zeros()));
    let [plain, used, fitted, again, noted] = [0; 5].map(|_| whole.clone());
    let distance = |a: Vector3<f32>, editor: &Editor| (eye(editor).expect("a camera") - a).norm();
    let place = Rc::new(Cell::new(Vector2::zeros()));
    let [before, after] = [0; 2].map(|_| place.clone());
    let mut steps = vec![
        until("nothing is said any more", |editor| {
            text(editor, ids::NOTICE).is_empty()
        }),
        click("the view is that of the whole object", ids::FIT),
        wait(3),
        then("it is noted", move |editor| {
            plain.set(eye(editor).expect("a camera"))
        }),
        then("the cursor comes from elsewhere", |editor| {
            mouse(editor, Mouse::Move(MENU_BAR))
        }),
        wait(3),
    ];
    steps.extend(wheel_over("the wheel turns", &before));
    steps.push(then(
        "which scrolls the panel and does not zoom",
        move |editor| {
            assert_eq!(distance(used.get(), editor), 0.0);
            let by = (frame(editor) - after.get()).norm();
            assert!(by > 10.0, "scrolled by {by} pixels");
        },
    ));
    steps.extend([
        scroll("the preview is in sight again", ids::FRAME),
        wait(4),
        then("it is turned a little", |editor| {
            let at = frame(editor);
            mouse(editor, Mouse::Move(at));
            mouse(editor, Mouse::Press);
            mouse(editor, Mouse::Move(at + Vector2::new(12.0, 0.0)));
            mouse(editor, Mouse::Release);
        }),
        wait(4),
        then("then the wheel turns", turn_wheel),
        until("and the view zooms", move |editor| {
            distance(fitted.get(), editor) > 1.0
        }),
        then("over the viewport", |editor| {
            mouse(editor, Mouse::Move(MENU_BAR))
        }),
        click("the whole object is asked for", ids::FIT),
        until("it is seen again", move |editor| {
            distance(again.get(), editor) < 0.8
        }),
        wait(3),
        then("the view is noted", move |editor| {
            noted.set(eye(editor).expect("a camera"))
        }),
    ]);
    steps.extend(wheel_over("and the wheel turns once more", &place));
    steps.push(then("it scrolls the panel as at first", move |editor| {
        assert_eq!(distance(whole.get(), editor), 0.0);
        let by = (frame(editor) - place.get()).norm();
        assert!(by > 10.0, "scrolled by {by} pixels");
    }));
    steps
}

/// The tabs beside which the window is docked; none when it floats.
fn tabs(editor: &Editor) -> usize {
    let ui = editor.engine.user_interfaces.first();
    let tile = ui.find_component_up::<Tile>(window(editor));
    match tile.map(|(_, tile)| &tile.content) {
        Some(fyrox::gui::dock::TileContent::MultiWindow { windows, .. }) => windows.len(),
        Some(_) => 1,
        None => 0,
    }
}

fn window(editor: &Editor) -> Handle<UiNode> {
    let ui = editor.engine.user_interfaces.first();
    let window = ui.find_from_root(&mut |node: &UiNode| node.id == ids::WINDOW);
    window.expect("the window").0
}

fn is_maximized(editor: &Editor) -> bool {
    let ui = editor.engine.user_interfaces.first();
    let window = ui.try_get_of_type::<Window>(window(editor));
    window.is_ok_and(Window::maximized)
}

fn maximised() -> Vec<Step> {
    let size = |editor: &Editor, wanted| {
        let ui = editor.engine.user_interfaces.first();
        ui.send(window(editor), WindowMessage::Maximize(wanted));
    };
    vec![
        until("the window is a tab", |editor| tabs(editor) > 1),
        then("it is maximised", move |editor| size(editor, true)),
        until("it is large, and no tab", |editor| {
            is_maximized(editor) && tabs(editor) == 0
        }),
        wait(5),
        then("it is made small again", move |editor| size(editor, false)),
        until("it is a tab as before", |editor| {
            !is_maximized(editor) && tabs(editor) > 1
        }),
        wait(5),
    ]
}
