//! Nodes that become destructible, one and many.

use super::{script, select};
use crate::{
    driver::{
        choose, click, content_root, handle, last_command, redo, scene, text, then, undo, until,
        Step,
    },
    saved,
};
use editor::tool::ids;
use fracture::Destructible;
use fyrox::{
    core::algebra::{Matrix4, Vector3},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::Collider,
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            Mesh, MeshBuilder,
        },
        rigidbody::RigidBody,
        transform::TransformBuilder,
    },
};
use fyroxed_base::{Editor, Message};
use std::{fs, path::Path};

pub fn steps() -> Vec<Step> {
    let mut steps = with_a_body();
    steps.extend(without_a_body());
    steps
}

/// A mesh of the scene without a rigid body.
const LONE: &str = "Lone";

fn without_a_body() -> Vec<Step> {
    let add = |editor: &mut Editor| {
        let content = content_root(editor);
        let graph = &mut scene(editor).expect("a scene").graph;
        let data = SurfaceData::make_sphere(24, 24, 0.5, &Matrix4::identity());
        let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
        let base = BaseBuilder::new().with_name(LONE).with_local_transform(
            TransformBuilder::new()
                .with_local_position(Vector3::new(0.0, 4.0, 0.0))
                .build(),
        );
        let mesh = MeshBuilder::new(base)
            .with_surfaces(vec![surface])
            .build(graph);
        graph.link_nodes(mesh, content);
        editor.message_sender.send(Message::ForceSync);
        select(editor, LONE);
    };
    let is_made = |editor: &mut Editor| lone(editor).1.as_deref() == Some("dynamic");
    let is_bare = |editor: &mut Editor| lone(editor) == (4.0, None);
    vec![
        then("a mesh without a body is there", add),
        until("which is not destructible", |editor| {
            text(editor, ids::STATUS) == format!("\"{LONE}\" is not destructible.")
        }),
        choose("it shall be dynamic", ids::BODY_TYPE, |name| {
            name == "Dynamic"
        }),
        click("it is made destructible", ids::ADD),
        until("it has a body", is_made),
        until("and may be broken", |editor| {
            text(editor, ids::STATUS) == format!("\"{LONE}\"")
        }),
        then("the window says what it got", |editor| {
            let report = text(editor, ids::REPORT);
            let all = "was given a dynamic rigid body, a collider (ball), the script.";
            assert_eq!(report, format!("\"{LONE}\" {all}"));
        }),
        then("that is undone", undo),
        until("and it is as before", is_bare),
        then("it is done again", redo),
        until("to the same nodes", is_made),
        then("and undone", undo),
        until("as before", is_bare),
        choose("the next shall be static", ids::BODY_TYPE, |name| {
            name == "Static"
        }),
        then("it is taken away", |editor| {
            let lone = handle(editor, LONE);
            scene(editor).expect("a scene").graph.remove_node(lone);
            select(editor, "Wall");
        }),
        until("the window shows what is left", |editor| {
            text(editor, ids::STATUS) == "\"Wall\""
        }),
    ]
}

/// Height of the lone mesh above its parent, and the type of the rigid body above it, if it has one with a script and a
/// collider.
fn lone(editor: &mut Editor) -> (f32, Option<String>) {
    let graph = &scene(editor).expect("a scene").graph;
    let mut nodes = graph.pair_iter();
    let found = nodes.find(|(_, node)| node.name() == LONE && node.cast::<Mesh>().is_some());
    let (_, mesh) = found.expect("the mesh");
    let height = mesh.local_transform().position().y;
    let body = graph.try_get_of_type::<RigidBody>(mesh.parent()).ok();
    let is_whole = |body: &&RigidBody| {
        let mut children = body.children().iter();
        let has = children.any(|child| graph.try_get_of_type::<Collider>(*child).is_ok());
        has && body.try_get_script::<Destructible>().is_some()
    };
    let name = |body: &RigidBody| format!("{:?}", body.body_type()).to_lowercase();
    (height, body.filter(is_whole).map(name))
}

fn with_a_body() -> Vec<Step> {
    vec![
        then("the foundation is selected", |editor| {
            select(editor, "Foundation")
        }),
        until("the window says what it lacks", |editor| {
            text(editor, ids::STATUS) == "\"Foundation\" is not destructible."
        }),
        click("it is made destructible", ids::ADD),
        until("it has the script", |editor| {
            script(editor, "Foundation").is_some()
        }),
        then("the step has a name", |editor| {
            assert_eq!(last_command(editor), "Make \"Foundation\" Destructible");
        }),
        click("it gets a pattern of its own", ids::preset("wood")),
        until("kept in the scene", |editor| {
            text(editor, ids::PATTERN) == "kept in the scene"
        }),
        click("which is saved", ids::SAVE),
        until("as a file", |editor| {
            let path = "data/patterns/foundation.pattern";
            Path::new(path).exists() && text(editor, ids::PATTERN) == path
        }),
        then("the scene is saved with it", |editor| {
            saved::save(editor, "added")
        }),
        until("and the file refers to the pattern", |_| {
            let text = fs::read_to_string("data/scenes/added.rgs").unwrap_or_default();
            text.matches("6f2b6d0e-3f0b-4d0c-9c2b-0f6a3b1f7c55").count() >= 2
        }),
        then("the pattern is undone", undo),
        then("and the preset", undo),
        then("and the script", undo),
        until("the foundation is as it was", |editor| {
            script(editor, "Foundation").is_none()
        }),
    ]
}
