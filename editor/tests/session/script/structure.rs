//! The structure of a scene: a portal with a wall on it, and a sign that floats 12 mm below.

use super::{hide_tooltips, menu_click, select, MENU_BAR};
use crate::{
    display::{Part, Picture},
    driver::{
        click, content_root, handle, mouse, node, on_screen, scene, scroll, text, then, undo,
        until, wait, Mouse, Step,
    },
    saved,
};
use editor::{
    commands::tune,
    tool::{ids, FractureTool},
};
use fracture::{Anchoring, Destructible};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        color::Color,
        pool::Handle,
    },
    graph::SceneGraph,
    gui::button::ButtonMessage,
    material::{Material, MaterialResource},
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        graph::Graph,
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
    },
};
use fyroxed_base::{scene::GameScene, Editor};

/// Name, size and place of each object, metres. The lintel carries the wall; the sign hangs too low.
const PORTAL: [(&str, [f32; 3], [f32; 3]); 7] = [
    ("Left Pier", [0.5, 2.4, 0.5], [-1.4, 1.2, 0.0]),
    ("Right Pier", [0.5, 2.4, 0.5], [1.4, 1.2, 0.0]),
    ("Lintel", [3.4, 0.4, 0.5], [0.0, 2.6, 0.0]),
    ("Parapet", [3.0, 0.5, 0.4], [0.0, 3.05, 0.0]),
    ("Urn", [0.3, 0.5, 0.3], [0.9, 3.55, 0.0]),
    ("Sign", [0.8, 0.4, 0.06], [0.0, 2.188, 0.0]),
    ("Step", [3.8, 0.2, 0.6], [0.0, 0.1, 1.0]),
];
/// The place of the portal in the scene.
const PLACE: [f32; 3] = [0.0, 0.0, -30.0];
/// Tension that the stone bears, Pa.
const STRENGTH: f32 = 250_000.0;
/// The scene and the window beside it.
const WORK: Part = [400, 48, 1200, 645];
/// The window.
const TOOL: Part = [1192, 48, 408, 645];

/// The objects of the scene: those, and the wall that is there already.
const OBJECTS: usize = PORTAL.len() + 1;

/// All steps. In a window, pictures are taken on the way.
pub fn steps(windowed: bool) -> Vec<Step> {
    let mut steps = super::load();
    steps.push(then("a portal is built", build));
    steps.extend(saved_as("structure_before"));
    steps.push(then("the window is opened from the menu", menu_click));
    steps.extend(certified());
    steps.extend(chosen(windowed));
    steps.extend(swept(windowed));
    steps.extend(hovered(windowed));
    steps.extend(changed());
    steps
}

fn saved_as(name: &'static str) -> [Step; 2] {
    [
        then(&format!("the scene is saved: {name}"), move |editor| {
            saved::save(editor, name)
        }),
        until("its file is there", move |_| saved::path(name).exists()),
    ]
}

fn build(editor: &mut Editor) {
    let root = content_root(editor);
    let graph = &mut scene(editor).expect("a scene").graph;
    for (name, size, place) in PORTAL {
        let (size, place) = (Vector3::from(size), Vector3::from(place));
        let block = block(graph, name, size, place + Vector3::from(PLACE));
        graph.link_nodes(block, root);
        let mut script = Destructible::default();
        script.held.anchoring = Anchoring::Touching.into();
        script.strength.tensile_strength = STRENGTH.into();
        graph.node_mut(block).add_script(script);
    }
    let ground = Vector3::from(PLACE) - Vector3::y() * 0.5;
    let ground = block(graph, "Plinth", Vector3::new(8.0, 1.0, 6.0), ground);
    graph.link_nodes(ground, root);
}

fn block(graph: &mut Graph, name: &str, size: Vector3<f32>, place: Vector3<f32>) -> Handle<Node> {
    let cube = SurfaceData::make_cube(Matrix4::new_nonuniform_scaling(&size));
    let mut material = Material::standard();
    material.set_property("diffuseColor", Color::opaque(170, 165, 155));
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(cube));
    let surface = surface.with_material(MaterialResource::new_embedded(material));
    let mesh = MeshBuilder::new(BaseBuilder::new().with_name(format!("{name} Mesh")))
        .with_surfaces(vec![surface.build()])
        .build(graph);
    let half = 0.5 * size;
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(half.x, half.y, half.z))
        .build(graph);
    let transform = TransformBuilder::new().with_local_position(place);
    let base = BaseBuilder::new()
        .with_name(name)
        .with_local_transform(transform.build())
        .with_child(mesh)
        .with_child(collider);
    RigidBodyBuilder::new(base)
        .with_body_type(RigidBodyType::Static)
        .build(graph)
        .to_base()
}

/// The colour in which an object is shown.
fn color(editor: &mut Editor, name: &str) -> Option<Color> {
    let mesh = handle(editor, &format!("{name} Mesh"));
    editor.plugins.get::<FractureTool>().structure_color(mesh)
}

fn summary(editor: &Editor) -> String {
    text(editor, ids::STRUCTURE)
}

/// The text of a row of a list, if it is shown.
fn row(editor: &Editor, id: fyrox::core::Uuid) -> Option<String> {
    let ui = editor.engine.user_interfaces.first();
    let (row, node) = ui.find_from_root(&mut |node| node.id == id)?;
    let texts: Vec<String> = ui
        .traverse_iter(row)
        .filter_map(|(_, node)| Some(node.cast::<fyrox::gui::text::Text>()?.text()))
        .collect();
    node.visibility().then(|| texts.concat())
}

fn certified() -> Vec<Step> {
    vec![
        click("the structure is certified", ids::CERTIFY),
        until("the window says how many objects stand", |editor| {
            let text = summary(editor);
            text.contains("held by nothing") && text.contains("Weakest:")
        }),
        then(
            "it names the one that floats, and how far away the next is",
            |editor| {
                let summary = summary(editor);
                let stand = format!("{OBJECTS} objects, ");
                assert!(summary.starts_with(&stand), "{summary}");
                let stand = format!("{} stand", OBJECTS - 1);
                assert!(summary.contains(&stand), "{summary}");
                assert!(summary.contains("1 held by nothing"), "{summary}");
                let first = row(editor, ids::structure_problem(0)).expect("a row");
                assert!(first.contains("\"Sign\" floats"), "{first}");
                assert!(first.contains("\"Lintel\" is 12.0 mm away"), "{first}");
                assert!(first.contains("5.0 mm"), "{first}");
                assert_eq!(row(editor, ids::structure_problem(1)), None);
            },
        ),
        then("objects are coloured from green to red", |editor| {
            let [pier, lintel, sign] =
                ["Left Pier", "Lintel", "Sign"].map(|name| color(editor, name).expect("a colour"));
            assert_eq!(sign, editor::tool::COMES_DOWN);
            assert!(pier.g > pier.r, "{pier:?}");
            assert!(lintel.r > pier.r, "{lintel:?} {pier:?}");
        }),
    ]
}

/// Clicks a button without the mouse: a row that the list has moved meanwhile, or one that may have gone.
fn press(name: &str, id: fyrox::core::Uuid) -> Step {
    then(name, move |editor| {
        let ui = editor.engine.user_interfaces.first_mut();
        let found = ui.find_from_root(&mut |node| node.id == id);
        ui.post(found.expect("a button").0, ButtonMessage::Click);
    })
}

fn chosen(windowed: bool) -> Vec<Step> {
    let mut steps = vec![
        press("the row of the sign is clicked", ids::structure_problem(0)),
        until("it is selected, and its text is shown", |editor| {
            text(editor, ids::STATUS) == "\"Sign\""
                && text(editor, ids::STRUCTURE_OBJECT).contains("It floats")
        }),
        until("the camera is there", |editor| {
            let sign = handle(editor, "Sign");
            let at = scene(editor).expect("a scene").graph[sign].global_position();
            (eye(editor) - at).norm() < 5.0
        }),
        then("the lintel is selected", |editor| select(editor, "Lintel")),
        until("its bonds are shown, with their areas", |editor| {
            let text = text(editor, ids::STRUCTURE_OBJECT);
            text.contains("Held by \"Left Pier\" (0.25 m²")
                && text.contains("Also touches \"Parapet\" (1.20 m²")
                && text.contains("it bears another")
        }),
    ];
    if windowed {
        steps.extend(looked_at());
        steps.extend(shown("editor_structure", ids::CERTIFY, WORK));
    }
    steps
}

fn eye(editor: &mut Editor) -> Vector3<f32> {
    let entry = editor.scenes.current_scene_entry_ref();
    let game_scene = entry.controller.downcast_ref::<GameScene>();
    let camera = game_scene.expect("a scene").camera_controller.camera;
    let graph = &scene(editor).expect("a scene").graph;
    graph.try_get(camera).expect("a camera").global_position()
}

/// The camera sees the whole portal.
fn looked_at() -> [Step; 2] {
    let look = then("the whole portal is looked at", |editor| {
        let step = handle(editor, "Lintel");
        let entry = editor.scenes.current_scene_entry_mut();
        let game_scene = entry.controller.downcast_mut::<GameScene>();
        let game_scene = game_scene.expect("a scene");
        let scene = editor.engine.scenes.try_get_mut(game_scene.scene);
        let camera = &mut game_scene.camera_controller;
        camera.fit_object(scene.expect("a scene"), step, Some(1.8));
    });
    [look, wait(3)]
}

/// Scrolls a widget to sight and takes a picture without a tooltip.
fn shown(name: &'static str, id: fyrox::core::Uuid, part: Part) -> Vec<Step> {
    let away = then("the cursor is elsewhere", |editor| {
        mouse(editor, Mouse::Move(MENU_BAR))
    });
    vec![
        away,
        scroll("the section is in sight", id),
        wait(20),
        then("without a tooltip", hide_tooltips),
        wait(3),
        then("a picture is taken", move |_| {
            drop(Picture::take(name, part))
        }),
    ]
}

fn swept(windowed: bool) -> Vec<Step> {
    let mut steps = vec![
        click("each object is taken out", ids::TAKE_OUT),
        until("all have been", |editor| {
            let all = format!("{OBJECTS} of {OBJECTS} taken out");
            text(editor, ids::WORST_TITLE).starts_with(&all)
        }),
        then("the piers bring down the most", |editor| {
            let rows = [0, 1].map(|n| row(editor, ids::worst_removal(n)).expect("a row"));
            assert!(rows.iter().all(|row| row.contains("Pier")), "{rows:?}");
            assert!(rows[0].contains("objects"), "{rows:?}");
            let rows = (0..10).filter_map(|n| row(editor, ids::worst_removal(n)));
            let rows: Vec<String> = rows.collect();
            assert!(
                rows.iter().any(|row| row.contains("\"Lintel\"")),
                "{rows:?}"
            );
            assert!(!rows.iter().any(|row| row.contains("\"Urn\"")), "{rows:?}");
        }),
        press("the worst is clicked", ids::worst_removal(0)),
        until("what comes down without it is coloured", |editor| {
            let lintel = color(editor, "Lintel") == Some(editor::tool::COMES_DOWN);
            let piers = ["Left Pier", "Right Pier"].map(|name| color(editor, name));
            lintel && piers.contains(&Some(editor::tool::TAKEN_OUT))
        }),
        until("and the preview lets it come down", |editor| {
            let mut scenes = editor.engine.scenes.iter();
            scenes.any(|copy| {
                let is_preview = node(&copy.graph, "Fracture preview").is_some();
                let mut names = copy.graph.linear_iter().map(|node| node.name());
                is_preview && names.any(|name| name.starts_with("Lintel/"))
            })
        }),
    ];
    if windowed {
        steps.push(wait(20));
        steps.extend(looked_at());
        steps.extend(shown("editor_removal", ids::BAKE, WORK));
        steps.extend(shown("editor_removal_preview", ids::FRAME, TOOL));
    }
    steps.extend([
        then("another is selected", |editor| select(editor, "Step")),
        until("objects have the colours of their use again", |editor| {
            let lintel = color(editor, "Lintel");
            lintel.is_some() && lintel != Some(editor::tool::COMES_DOWN)
        }),
    ]);
    steps.extend(saved_as("structure_amid"));
    steps.push(then("the saved scene is as before", |_| {
        assert!(saved::same("structure_amid", "structure_before"));
    }));
    steps
}

fn hovered(windowed: bool) -> Vec<Step> {
    let mut steps = vec![
        click("the findings are cleared", ids::CLEAR_STRUCTURE),
        until("and with them the colours", |editor| {
            color(editor, "Lintel").is_none()
        }),
        click("the structure is certified again", ids::CERTIFY),
        until("that is done", |editor| {
            summary(editor).contains("Weakest:")
        }),
    ];
    steps.extend(looked_at());
    steps.extend([
        then("the cursor is over the lintel", |editor| {
            let lintel = handle(editor, "Lintel");
            let at = scene(editor).expect("a scene").graph[lintel].global_position();
            let at = on_screen(editor, at);
            mouse(editor, Mouse::Move(at));
        }),
        until("it is shown what comes down without it", |editor| {
            let text = text(editor, ids::STRUCTURE_OBJECT);
            text.starts_with("\"Lintel\"") && text.contains("Without it")
        }),
        then("in colours, too", |editor| {
            assert_eq!(color(editor, "Lintel"), Some(editor::tool::TAKEN_OUT));
            for name in ["Parapet", "Urn"] {
                assert_eq!(color(editor, name), Some(editor::tool::COMES_DOWN));
            }
            let pier = color(editor, "Left Pier").expect("a colour");
            assert_eq!((pier.r, pier.g), (110, 114));
        }),
    ]);
    if windowed {
        let scene_view = [400, 48, 790, 645];
        steps.extend([
            wait(3),
            then("a picture is taken", move |_| {
                drop(Picture::take("editor_without", scene_view))
            }),
        ]);
    }
    steps.extend([
        then("the cursor is elsewhere", |editor| {
            mouse(editor, Mouse::Move(MENU_BAR))
        }),
        until("the objects have their colours again", |editor| {
            color(editor, "Lintel") != Some(editor::tool::TAKEN_OUT)
        }),
    ]);
    steps
}

fn changed() -> Vec<Step> {
    vec![
        click("each is taken out once more", ids::TAKE_OUT),
        press("and that is cancelled", ids::CANCEL_STRUCTURE),
        until("the work ends", |editor| {
            text(editor, ids::WORST_TITLE).contains("taken out")
        }),
        then("the step is selected", |editor| select(editor, "Step")),
        until("it is shown", |editor| {
            text(editor, ids::STATUS) == "\"Step\""
        }),
        then("the findings are those of the scene", |editor| {
            assert!(!summary(editor).contains("has changed"));
        }),
        then("a field of it is set", |editor| {
            let step = handle(editor, "Step");
            let graph = &scene(editor).expect("a scene").graph;
            let command = tune(graph, &[step], "Depth", |script| {
                script.held.depth.set_value_and_mark_modified(0.7);
            });
            let command = command.expect("a change");
            editor.message_sender.do_command(command);
        }),
        until(
            "the window says that the scene has changed since",
            |editor| summary(editor).contains("has changed since"),
        ),
        then("that is undone", undo),
    ]
}
