//! The nodes that show the cracks that stay in objects and pieces.

use crate::{
    destruction::Destruction,
    object::ObjectId,
    swap::{
        self,
        nodes::{surfaces_of, NodePlacement, PieceAppearance, PieceSurfaces},
    },
};
use fracture_simulation::{BodyId, CrackedSurface};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, node::Node, transform::Transform},
};

/// Name of the nodes of cracks.
const CRACKS_NAME: &str = "cracks";

/// Shows the cracks of a piece below its node, and those of an intact object below its rigid body, in place of those
/// that were shown there.
pub(super) fn show_cracks(
    destruction: &mut Destruction,
    graph: &mut Graph,
    cracked: &CrackedSurface,
) {
    let Some(surfaces) = cracked.payload.as_ref().and_then(surfaces_of) else {
        return;
    };
    let body = cracked.body;
    if let Some(piece) = destruction.pieces.get(body).filter(|piece| !piece.batched) {
        let (appearance, parent) = (piece.appearance.clone(), piece.node);
        let placement = NodePlacement::Body(parent, &Transform::identity());
        let appearance = destruction.view.crack_appearance(&appearance);
        let node = add(destruction, graph, surfaces, &appearance, &placement);
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
    let appearance = live.appearance.clone();
    let placement = NodePlacement::Body(live.body, &transform);
    let meshes: Vec<Handle<Node>> = live.shown_meshes().collect();
    let sagged = cracked.sagged.as_ref();
    let sagged = sagged.and_then(|sheet| surfaces_of(sheet.payload.as_ref()?));
    let (appearance, shown) = match sagged {
        Some(sagged) => (
            destruction.view.cracked_appearance(&appearance),
            sagged.iter().chain(surfaces).cloned().collect(),
        ),
        None => (
            destruction.view.crack_appearance(&appearance),
            surfaces.clone(),
        ),
    };
    let node = add(destruction, graph, &shown, &appearance, &placement);
    if let Some(object) = destruction.objects.get_mut(id) {
        let old = std::mem::replace(&mut object.crack_node, node);
        swap::remove(graph, old);
        match sagged {
            Some(_) => swap::draw_no_more(graph, &meshes, &mut object.undrawn),
            None => swap::draw_again(graph, &mut object.undrawn),
        }
    }
}

/// Has one of the pieces of a broken body show the cracks of that until its own are found: the largest that has any. A sheet
/// that sagged is gone.
pub(super) fn leave_cracks(
    destruction: &mut Destruction,
    graph: &mut Graph,
    object: ObjectId,
    broken: BodyId,
    heir: Option<BodyId>,
) {
    let mut node = destruction.pieces.set_cracks(broken, Handle::NONE);
    if node.is_none() {
        let object = destruction.objects.get_mut(object);
        node = object.map_or(Handle::NONE, |object| {
            let node = std::mem::take(&mut object.crack_node);
            if object.undrawn.is_empty() {
                return node;
            }
            swap::draw_again(graph, &mut object.undrawn);
            swap::remove(graph, node);
            Handle::NONE
        });
    }
    if let Some(heir) = destruction.pieces.pass_on(graph, node, heir) {
        destruction.pieces.set_cracks(heir, node);
    }
}

/// Adds a node of cracks with an appearance; none where there are no cracks.
fn add(
    destruction: &mut Destruction,
    graph: &mut Graph,
    surfaces: &PieceSurfaces,
    appearance: &PieceAppearance,
    placement: &NodePlacement,
) -> Handle<Node> {
    let pool = &mut destruction.view.pool;
    pool.show_if_any(graph, CRACKS_NAME, surfaces, appearance, placement)
}
