//! The nodes that show the bare bars of held pieces.

use crate::{
    destruction::Destruction,
    swap::{
        self,
        nodes::{surfaces_of, NodePlacement},
    },
};
use fracture_simulation::{BareBars, BodyId};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, transform::Transform},
};

/// Name of the nodes of bars.
const BARS_NAME: &str = "bars";

/// Shows the bare bars of a piece below its node, in place of those that were shown there.
pub(super) fn show_bars(destruction: &mut Destruction, graph: &mut Graph, bare: &BareBars) {
    let Some(surfaces) = bare.payload.as_ref().and_then(surfaces_of) else {
        return;
    };
    let Some(piece) = destruction
        .pieces
        .get(bare.body)
        .filter(|piece| !piece.batched)
    else {
        return;
    };
    let appearance = destruction.view.bar_appearance(&piece.appearance);
    let below = Transform::identity();
    let placement = NodePlacement::Body(piece.node, &below);
    let pool = &mut destruction.view.pool;
    let node = pool.show_if_any(graph, BARS_NAME, surfaces, &appearance, &placement);
    let old = destruction.pieces.set_bars(bare.body, node);
    swap::remove(graph, old);
}

/// Has a piece of a broken one show the bars of that until its own are drawn.
pub(super) fn leave_bars(
    destruction: &mut Destruction,
    graph: &mut Graph,
    broken: BodyId,
    heir: Option<BodyId>,
) {
    let node = destruction.pieces.set_bars(broken, Handle::NONE);
    if let Some(heir) = destruction.pieces.pass_on(graph, node, heir) {
        destruction.pieces.set_bars(heir, node);
    }
}
