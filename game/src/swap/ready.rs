//! What the worker makes of a fragment to be seen.

use super::looks::{redress, Look, PieceStyle};
use fyrox::scene::{
    base::BaseBuilder,
    mesh::{Mesh, MeshBuilder},
    node::{Node, NodeTrait},
};
use std::sync::{Mutex, PoisonError};

/// A fragment's look, and perhaps the node that shows it.
pub(crate) struct Shown {
    look: Look,
    /// For the thread that owns the scene alone: nodes cannot be shared.
    node: Mutex<Option<Node>>,
}

impl Shown {
    /// A look, with a node where it is not likely that one is left from other pieces.
    pub fn new(look: Look, style: &PieceStyle, with_node: bool) -> Self {
        let node = with_node.then(|| node(&look, style)).flatten();
        Self {
            look,
            node: Mutex::new(node),
        }
    }

    /// The look, and the node.
    pub fn into_parts(self) -> (Look, Option<Node>) {
        let node = self.node.into_inner();
        (self.look, node.unwrap_or_else(PoisonError::into_inner))
    }
}

/// A node that shows a look, and knows the box around it, which the engine takes some time for.
fn node(look: &Look, style: &PieceStyle) -> Option<Node> {
    let mut node = MeshBuilder::new(BaseBuilder::new()).build_node();
    let mesh = node.cast_mut::<Mesh>()?;
    redress(mesh, look, style);
    mesh.local_bounding_box();
    Some(node)
}
