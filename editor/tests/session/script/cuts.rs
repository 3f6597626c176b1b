//! Cut faces: how their texture looks beside that of the outside; and a wall that is painted weak.

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
use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Arc,
};

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
    steps.extend(painted());
    steps
}

/// The wall painted weak all over breaks into far more fragments.
fn painted() -> Vec<Step> {
    let before = Arc::new(AtomicUsize::new(0));
    let counted = before.clone();
    let count = |editor: &Editor| fragments(&text(editor, ids::FIGURES));
    let mut steps = vec![
        then("the wall is painted black", move |editor| {
            counted.store(count(editor), Ordering::Relaxed);
            change(editor, |script| {
                let black = texture([0, 0, 0, 255].repeat(SIDE * SIDE));
                let map = &mut script.breaking.weakness_map;
                map.set_value_and_mark_modified(Some(black));
            });
        }),
        until("the firm preview is gone", |editor| {
            text(editor, ids::FIGURES).is_empty()
        }),
        until("the weak wall is in far more pieces", move |editor| {
            count(editor) > 2 * before.load(Ordering::Relaxed)
        }),
        wait(4),
    ];
    steps.push(picture("editor_cuts_painted", PREVIEW));
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
    let pixels = (0..SIDE * SIDE).flat_map(pixel).collect();
    let mut material = Material::standard();
    material.bind(
        "diffuseTexture",
        MaterialResourceBinding::Texture(MaterialTextureBinding {
            value: Some(texture(pixels)),
        }),
    );
    MaterialResource::new_embedded(material)
}

fn texture(pixels: Vec<u8>) -> TextureResource {
    let texture = TextureResource::from_bytes(
        Uuid::new_v4(),
        TextureKind::Rectangle {
            width: SIDE as u32,
            height: SIDE as u32,
        },
        TexturePixelKind::RGBA8,
        pixels,
        ResourceKind::Embedded,
    );
    texture.expect("as many bytes as pixels")
}
