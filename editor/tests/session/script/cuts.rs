//! Cut faces: what their texture looks like beside that of the outside.

use super::{fragments, picture, select_node, strike_anew, PREVIEW};
use crate::driver::{handle, scene, text, then, until, wait, Step};
use editor::{commands::tune, tool::ids};
use fracture::{CutMapping, Destructible};
use fyrox::{
    asset::untyped::ResourceKind,
    core::{pool::Handle, uuid::Uuid},
    graph::SceneGraph,
    material::{Material, MaterialResource, MaterialResourceBinding, MaterialTextureBinding},
    resource::texture::{TextureKind, TexturePixelKind, TextureResource, TextureResourceExtension},
    scene::{mesh::Mesh, node::Node},
};
use fyroxed_base::Editor;

/// Texels of a side of the board.
const SIDE: usize = 64;
/// Fields of a side.
const FIELDS: usize = 4;

/// The board on the outside and, in another colour, on cut faces: planar, from the box, and rough.
pub fn steps() -> Vec<Step> {
    let mut steps = super::load();
    steps.extend(super::open());
    steps.push(then("the wall is made a board", |editor| {
        let outside = board([200, 200, 200]);
        let wall = handle(editor, "wall");
        let graph = &mut scene(editor).expect("a scene").graph;
        let mesh = graph.try_get_mut_of_type::<Mesh>(wall).expect("a mesh");
        for surface in mesh.surfaces_mut() {
            surface.set_material(outside.clone());
        }
        change(editor, |script| {
            let inside = Some(board([230, 140, 60]));
            script.inside.material.set_value_and_mark_modified(inside);
            script.breaking.min_radius.set_value_and_mark_modified(0.7);
        });
    }));
    steps.extend(strike_anew());
    steps.push(super::moved_apart());
    steps.extend(seen("editor_cuts_planar"));
    for (name, mapping, bumps) in [
        ("editor_cuts_box", CutMapping::Box, 0.0),
        ("editor_cuts_rough", CutMapping::Planar, 0.02),
    ] {
        steps.push(then("cut faces are laid out", move |editor| {
            change(editor, |script| {
                script
                    .inside
                    .texture_mapping
                    .set_value_and_mark_modified(mapping);
                script.inside.bump_height.set_value_and_mark_modified(bumps);
            });
        }));
        steps.push(until("the old preview is gone", |editor| {
            text(editor, ids::FIGURES).is_empty()
        }));
        steps.extend(seen(name));
    }
    steps
}

/// Takes a picture of the preview once it is broken.
fn seen(name: &'static str) -> [Step; 3] {
    let there = until("the preview is there", |editor| {
        fragments(&text(editor, ids::FIGURES)) > 5
    });
    [there, wait(4), picture(name, PREVIEW)]
}

fn change(editor: &mut Editor, act: impl FnMut(&mut Destructible)) {
    let wall: Handle<Node> = handle(editor, "Wall");
    select_node(&editor.message_sender, wall);
    let graph = &scene(editor).expect("a scene").graph;
    // A value that is set already is no command.
    if let Some(step) = tune(graph, &[wall], "Cut Faces", act) {
        editor.message_sender.do_command(step);
    }
}

/// A board of light and dark fields.
fn board(light: [u8; 3]) -> MaterialResource {
    let pixel = |at: usize| {
        let (x, y) = (at % SIDE, at / SIDE);
        let field = (x * FIELDS / SIDE + y * FIELDS / SIDE) % 2;
        let [r, g, b] = light.map(|shade| if field == 0 { shade } else { shade / 3 });
        [r, g, b, 255]
    };
    let texture = TextureResource::from_bytes(
        Uuid::new_v4(),
        TextureKind::Rectangle {
            width: SIDE as u32,
            height: SIDE as u32,
        },
        TexturePixelKind::RGBA8,
        (0..SIDE * SIDE).flat_map(pixel).collect(),
        ResourceKind::Embedded,
    );
    let mut material = Material::standard();
    material.bind(
        "diffuseTexture",
        MaterialResourceBinding::Texture(MaterialTextureBinding { value: texture }),
    );
    MaterialResource::new_embedded(material)
}
