//! Mistakes are reported in words, and nothing is lost.

use super::{picture, script, select, WORK};
use crate::driver::{click, handle, node, scene, scroll, text, then, undo, until, Step};
use editor::tool::ids;
use fyrox::{
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        mesh::{
            buffer::{TriangleBuffer, VertexBuffer},
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            vertex::StaticVertex,
            MeshBuilder,
        },
        node::Node,
        rigidbody::RigidBodyBuilder,
    },
};
use fyroxed_base::{Editor, Message};

pub fn steps(windowed: bool) -> Vec<Step> {
    let mut steps = open_mesh(windowed);
    steps.extend(without_mesh());
    steps.extend(empty_mesh());
    steps
}

fn without_mesh() -> Vec<Step> {
    vec![
        then("a node without a mesh is selected", |editor| {
            select(editor, "Sun")
        }),
        until("it may be tried", |editor| {
            text(editor, ids::STATUS) == "\"Sun\" is not destructible."
        }),
        click("to make it destructible", ids::ADD),
        until("the window says what is missing", |editor| {
            text(editor, ids::REPORT).starts_with("\"Sun\" cannot break: it points at no mesh")
        }),
        then("the sun shines as before", |editor| {
            assert!(script(editor, "Sun").is_none());
            let notice = text(editor, ids::NOTICE);
            assert!(notice.contains("once a destructible node is selected"));
        }),
        click("to break it", ids::STRIKE),
        until("the window says what to do first", |editor| {
            text(editor, ids::IMPACT).starts_with("No impact placed")
        }),
        scroll("the window is scrolled to its top", ids::STATUS),
    ]
}

/// A mesh without a triangle, which no scene of the data has.
fn empty_mesh() -> Vec<Step> {
    let add = |editor: &mut Editor| {
        let graph = &mut scene(editor).expect("a scene").graph;
        let vertices = VertexBuffer::new::<StaticVertex>(0, Vec::new()).expect("a layout");
        let data = SurfaceData::new(vertices, TriangleBuffer::new(Vec::new()));
        let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
        let mesh = MeshBuilder::new(BaseBuilder::new())
            .with_surfaces(vec![surface])
            .build(graph)
            .to_base::<Node>();
        let base = BaseBuilder::new().with_name("Empty").with_child(mesh);
        RigidBodyBuilder::new(base).build(graph);
    };
    vec![
        then("a mesh without a triangle is there", add),
        then("and selected", |editor| select(editor, "Empty")),
        click("and made destructible", ids::ADD),
        until(
            "the window says that it is empty, and what to do",
            |editor| {
                let status = text(editor, ids::STATUS);
                status.contains("\"Empty\" cannot break") && status.contains("no triangle")
            },
        ),
        click("it is checked", ids::CHECK),
        until("which the check says, too", |editor| {
            text(editor, ids::REPORT).contains("no triangle")
        }),
        then("it is taken away", |editor| {
            let empty = handle(editor, "Empty");
            scene(editor).expect("a scene").graph.remove_node(empty);
            select(editor, "Wall");
        }),
        until("the window shows what is left", |editor| {
            text(editor, ids::STATUS) == "\"Wall\""
        }),
    ]
}

fn opened(path: &'static str, name: &'static str) -> [Step; 2] {
    [
        then(&format!("{path} is opened"), move |editor| {
            editor.message_sender.send(Message::LoadScene(path.into()));
        }),
        until("it is there", move |editor| {
            scene(editor).is_some_and(|scene| node(&scene.graph, name).is_some())
        }),
    ]
}

fn closed() -> Step {
    then("the scene is closed", |editor| {
        let id = editor.scenes.current_scene_entry_ref().id;
        editor.message_sender.send(Message::CloseScene(id));
    })
}

fn open_mesh(windowed: bool) -> Vec<Step> {
    let mut steps: Vec<Step> = opened("data/scenes/open.rgs", "Open").into();
    steps.extend([
        then("an object with an open mesh is selected", |editor| {
            select(editor, "Open")
        }),
        until("the window says what to do about it", |editor| {
            let status = text(editor, ids::STATUS);
            status.contains("is not closed") && status.contains("set its Not Watertight to")
        }),
        click("its mesh is checked", ids::CHECK),
        until("the check says so, too", |editor| {
            text(editor, ids::REPORT).contains("open")
        }),
        until("its borders are drawn", |editor| {
            super::lines(editor, editor::tool::FAULTY) > 2
        }),
    ]);
    if windowed {
        steps.push(scroll("the report is shown", ids::REPORT));
        steps.push(picture("editor_checks", WORK));
    }
    steps.extend([
        then("its holes are to be closed", |editor| {
            let open = handle(editor, "Open");
            let graph = &scene(editor).expect("a scene").graph;
            let step = editor::commands::tune(graph, &[open], "Not Watertight", |script| {
                let repair = fracture::OpenMesh::Shell;
                script.open_mesh.set_value_and_mark_modified(repair);
            });
            editor.message_sender.do_command(step.expect("a step"));
        }),
        until("nothing is wrong any more", |editor| {
            text(editor, ids::STATUS) == "\"Open\""
        }),
        then("that is undone", undo),
        until("it says it again", |editor| {
            text(editor, ids::STATUS).contains("not closed")
        }),
        closed(),
        until("the wall is back", |editor| {
            text(editor, ids::STATUS).starts_with("\"Wall\"")
                || text(editor, ids::STATUS).starts_with("\"Foundation\"")
        }),
    ]);
    steps
}
