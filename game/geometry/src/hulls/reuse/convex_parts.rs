//! A convex decomposition that a solid carries: made once, and clipped by the cells of a break.
//!
//! What a cell has of a convex part is convex again, so that hulls of pieces need no search for planes (Müller,
//! Chentanez, Kim, 2013).

use crate::hulls::reuse::partition::blocks;
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::hulls::Hull;
use crate::solid::Solid;

/// Convex parts that together cover a solid. None when there would be too many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConvexParts {
    pub(super) blocks: Vec<ConvexPolyhedron>,
}

impl ConvexParts {
    /// Finds the parts of a solid: the same for the same mesh. A shell has none.
    pub fn new(solid: &Solid) -> Self {
        let blocks = match solid.is_shell() {
            true => Vec::new(),
            false => blocks(solid.mesh()),
        };
        Self { blocks }
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there are no parts, so that pieces have to be looked at one by one.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The parts as hulls, for tools and tests.
    pub fn hulls(&self) -> Vec<Hull> {
        let hulls = self.blocks.iter().map(ConvexPolyhedron::polyhedron);
        hulls.map(|hull| Hull::of(&hull)).collect()
    }
}
