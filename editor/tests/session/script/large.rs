//! A dense mesh, and many nodes at once.

use super::{
    fragments, select,
    stress::{broken, large_blow, struck},
};
use crate::driver::{click, content_root, handle, scene, text, then, undo, until, wait, Step};
use editor::tool::ids;
use fracture::{Destructible, FracturePattern, PatternKind};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
    },
};
use fyroxed_base::{
    scene::{commands::ChangeSelectionCommand, Selection},
    world::selection::GraphSelection,
    Editor, Message,
};

/// Its name.
const DENSE: &str = "Dense";
/// Rings and segments of the dense mesh: 100,000 triangles.
const RINGS: usize = 250;
const SEGMENTS: usize = 200;
/// Nodes that are selected.
const MANY: usize = 300;

pub fn steps() -> Vec<Step> {
    let mut steps = super::load();
    steps.push(then("the window is opened", super::menu_click));
    steps.extend(dense());
    steps.extend(many());
    steps
}

/// Adds a static body of a mesh, with a ball as its collider.
fn add(editor: &mut Editor, name: &str, at: Vector3<f32>, data: &SurfaceResource) {
    let content = content_root(editor);
    let graph = &mut scene(editor).expect("a scene").graph;
    let surface = SurfaceBuilder::new(data.clone()).build();
    let mesh = MeshBuilder::new(BaseBuilder::new().with_name("mesh"))
        .with_surfaces(vec![surface])
        .build(graph)
        .to_base::<Node>();
    // Without a collider the preview shows a fault.
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::ball(1.0))
        .build(graph);
    let place = TransformBuilder::new().with_local_position(at).build();
    let base = BaseBuilder::new()
        .with_name(name)
        .with_local_transform(place)
        .with_child(mesh)
        .with_child(collider);
    let body = RigidBodyBuilder::new(base)
        .with_body_type(RigidBodyType::Static)
        .build(graph);
    // Of the artist's scene, and not of the editor's own around it.
    graph.link_nodes(body, content);
}

fn dense() -> Vec<Step> {
    let mut steps = vec![
        then("a mesh of 100,000 triangles is there", |editor| {
            let one = Matrix4::identity();
            let data = SurfaceData::make_torus(1.0, 0.4, RINGS, SEGMENTS, &one);
            let data = SurfaceResource::new_embedded(data);
            add(editor, DENSE, Vector3::new(0.0, 4.0, 0.0), &data);
            editor.message_sender.send(Message::ForceSync);
            select(editor, DENSE);
        }),
        wait(3),
        click("it is made destructible", ids::ADD),
        until("it may be broken", |editor| {
            text(editor, ids::STATUS) == format!("\"{DENSE}\"")
        }),
        then("it is looked at", |editor| {
            let object = handle(editor, DENSE);
            editor.message_sender.send(Message::FocusObject(object));
        }),
        wait(20),
    ];
    steps.extend(large_blow(DENSE));
    steps.extend(struck(DENSE));
    steps.extend(broken("a thousand cells", DENSE, || FracturePattern {
        kind: PatternKind::Uniform,
        cells: 1000,
        ..FracturePattern::default()
    }));
    steps.extend([
        click("the pieces fall", ids::PLAY),
        wait(60),
        click("and are held", ids::PLAY),
        click("the mesh is checked", ids::CHECK),
        until("which is sound", |editor| {
            text(editor, ids::REPORT).contains("100000 triangles")
        }),
        click("another check is started", ids::CHECK),
        click("and cancelled", ids::CANCEL),
        until("it says so", |editor| {
            ["Cancelled.", "100000"]
                .iter()
                .any(|end| text(editor, ids::REPORT).contains(end))
        }),
    ]);
    steps
}

fn all(editor: &mut Editor) -> Vec<Handle<Node>> {
    let graph = &scene(editor).expect("a scene").graph;
    let nodes = graph.pair_iter();
    let own = nodes.filter(|(_, node)| node.name().starts_with("Many"));
    own.map(|(handle, _)| handle).collect()
}

fn scripts(editor: &mut Editor) -> Vec<Destructible> {
    let all = all(editor);
    let graph = &scene(editor).expect("a scene").graph;
    let script = |node: &Handle<Node>| graph.try_get_script_of::<Destructible>(*node).ok().cloned();
    all.iter().filter_map(script).collect()
}

fn many() -> Vec<Step> {
    vec![
        then("many nodes are there", |editor| {
            let cube = SurfaceData::make_cube(Matrix4::identity());
            let cube = SurfaceResource::new_embedded(cube);
            for k in 0..MANY {
                let at = Vector3::new((k % 20) as f32 * 2.0, 8.0, (k / 20) as f32 * 2.0);
                add(editor, &format!("Many {k}"), at, &cube);
            }
            editor.message_sender.send(Message::ForceSync);
        }),
        wait(10),
        then("and selected", |editor| {
            let nodes = all(editor);
            let selection = Selection::new(GraphSelection { nodes });
            let step = ChangeSelectionCommand::new(selection);
            editor.message_sender.do_command(step);
        }),
        until("the window says so", |editor| {
            text(editor, ids::STATUS) == format!("{MANY} nodes, none of them destructible.")
        }),
        click("they are made destructible", ids::ADD),
        until("all of them", |editor| scripts(editor).len() == MANY),
        click("they get a pattern", ids::preset("stone")),
        until("all of them", |editor| {
            let has = |script: &Destructible| script.pattern.clone_inner().is_some();
            scripts(editor).iter().all(has)
        }),
        then("that is undone", undo),
        then("and the scripts taken back", undo),
        until("from all of them", |editor| scripts(editor).is_empty()),
        until("which the window says", |editor| {
            fragments(&text(editor, ids::STATUS)) == MANY
        }),
    ]
}
