//! The nodes that show the cracks that stay in objects and pieces.

use crate::{
    destruction::Destruction,
    swap::{
        self,
        nodes::{NodePlacement, PieceSurfaces, RenderFlags},
    },
};
use fracture_simulation::CrackedSurface;
use fyrox::{
    core::{color::Color, pool::Handle},
    material::{Material, MaterialResource},
    scene::{graph::Graph, node::Node, transform::Transform},
};

/// Name of the nodes of cracks.
const CRACKS_NAME: &str = "cracks";

/// Colour of cracks: the dark between two faces.
const CRACK_COLOR: Color = Color::opaque(22, 20, 18);

/// The material of all cracks.
pub(crate) fn crack_material() -> MaterialResource {
    let mut material = Material::standard();
    material.set_property("diffuseColor", CRACK_COLOR);
    MaterialResource::new_embedded(material)
}

/// Shows the cracks of a piece below its node, and those of an intact object below its rigid body, in place of those
/// that were shown there.
pub(super) fn show_cracks(
    destruction: &mut Destruction,
    graph: &mut Graph,
    cracked: &CrackedSurface,
) {
    let payload = cracked.payload.as_ref();
    let Some(surfaces) = payload.and_then(|made| made.downcast_ref::<PieceSurfaces>()) else {
        return;
    };
    let body = cracked.body;
    if let Some(piece) = destruction.pieces.get(body).filter(|piece| !piece.batched) {
        let (flags, parent) = (piece.appearance.flags, piece.node);
        let placement = NodePlacement::Body(parent, &Transform::identity());
        let node = add(destruction, graph, surfaces, flags, &placement);
        let old = destruction.pieces.set_cracks(body, node);
        swap::remove(graph, old);
        return;
    }
    let object = destruction.objects.of_root(body);
    let live = object.and_then(|id| destruction.objects.live(id));
    let Some((id, live)) = object.zip(live).filter(|(_, live)| !live.broken) else {
        return;
    };
    let transform = live.child_transform.clone().unwrap_or_default();
    let flags = live.appearance.flags;
    let placement = NodePlacement::Body(live.body, &transform);
    let node = add(destruction, graph, surfaces, flags, &placement);
    if let Some(object) = destruction.objects.get_mut(id) {
        let old = std::mem::replace(&mut object.crack_node, node);
        swap::remove(graph, old);
    }
}

/// Adds a node of cracks in something that is drawn with these flags; none where there are no cracks.
fn add(
    destruction: &mut Destruction,
    graph: &mut Graph,
    surfaces: &PieceSurfaces,
    flags: RenderFlags,
    placement: &NodePlacement,
) -> Handle<Node> {
    if surfaces.is_empty() {
        return Handle::NONE;
    }
    let appearance = destruction.view.crack_appearance(flags);
    let pool = &mut destruction.view.pool;
    pool.show(graph, CRACKS_NAME, surfaces, &appearance, placement)
}
