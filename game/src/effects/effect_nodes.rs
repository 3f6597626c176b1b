//! The nodes of effects.

use crate::swap;
use fyrox::scene::{base::BaseBuilder, graph::Graph, node::Node};

/// Their tag. They do not outlast the run: those in a scene that has been loaded are removed.
const EFFECT_TAG: &str = "fracture effect";

/// A node of an effect.
pub(super) fn effect_base(name: &str) -> BaseBuilder {
    BaseBuilder::new()
        .with_name(name)
        .with_tag(EFFECT_TAG.to_owned())
        .with_cast_shadows(false)
}

/// Has a node be removed with those of effects.
pub(super) fn tag(node: &mut Node) {
    node.set_tag(EFFECT_TAG.to_owned());
}

/// Removes the nodes of effects that were saved with a scene.
pub(super) fn remove_leftovers(graph: &mut Graph) {
    let leftovers: Vec<_> = swap::tagged_nodes(graph, EFFECT_TAG).collect();
    for leftover in leftovers {
        swap::remove(graph, leftover);
    }
}
