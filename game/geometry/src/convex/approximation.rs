//! An approximate convex decomposition that a solid carries: hulls that fit it, and the cuts that led to them.
//!
//! They are found as the hulls of pieces are (Mamou and Ghorbel, "A Simple and Efficient Approach for 3D Mesh
//! Approximate Convex Decomposition", 2009, is another way).

use super::body::Body;
use super::cuts::Cuts;
use super::fitting::{all_joined, divided, ALLOWED};
use super::piece::Piece;
use super::polyhedron::Polyhedron;
use super::Hull;
use crate::solid::Solid;

/// How much closer than others the hulls are, since what a break leaves is smaller than the whole.
const CLOSER: f64 = 0.8;

/// How large what is left of a whole has to be for [`Hulls::of_rest`](crate::Hulls::of_rest) to look at the hulls of
/// that, for the diagonals of their boxes: of two halves others are fewer.
pub const MIN_REMAINDER_SIZE: f64 = 0.9;

/// One hull is no help: every break touches it.
const FEWEST: usize = 2;

/// Hulls of a whole solid. None of what needs only one.
#[derive(Clone, Debug, Default)]
pub struct CachedHulls {
    pub(super) hulls: Vec<Joint>,
    pub(super) cuts: Cuts,
    /// The diagonal of the solid's box, metres.
    pub(super) size: f64,
}

/// A hull around some parts of a solid.
#[derive(Clone, Debug)]
pub struct Joint {
    pub hull: Polyhedron,
    /// By number, see [`Cuts`].
    pub parts: Vec<u32>,
}

impl CachedHulls {
    /// Finds the hulls of a solid: the same for the same mesh. A shell has none.
    pub fn of(solid: &Solid) -> Self {
        Self::unless(solid, &|| false).unwrap_or_default()
    }

    /// The same, or `None` when `stop` tells so on the way: it is asked every few
    /// milliseconds, except at first for large meshes.
    pub fn unless(solid: &Solid, stop: &dyn Fn() -> bool) -> Option<Self> {
        if solid.is_shell() {
            return Some(Self::default());
        }
        let body = Body::unless(solid.mesh(), CLOSER * ALLOWED, stop);
        let found = Self::found(&body);
        (!body.was_stopped()).then(|| found.unwrap_or_default())
    }

    fn found(body: &Body) -> Option<Self> {
        let whole = Piece::new(body.whole.clone(), body)?;
        if whole.fits(body) {
            return None;
        }
        let mut cuts = Cuts::default();
        let (parts, stuck) = divided(whole.pieces(body), body, &mut cuts);
        let pieces = all_joined(parts, stuck, body).filter(|pieces| pieces.len() >= FEWEST)?;
        let joint = |Piece { hull, leaves, .. }| Joint {
            hull,
            parts: leaves,
        };
        Some(Self {
            hulls: pieces.into_iter().map(joint).collect(),
            cuts,
            size: body.size,
        })
    }

    /// The number of hulls.
    pub fn len(&self) -> usize {
        self.hulls.len()
    }

    /// Whether there are no hulls, so that those of what is left have to be sought.
    pub fn is_empty(&self) -> bool {
        self.hulls.is_empty()
    }

    /// The hulls, for tools and tests.
    pub fn hulls(&self) -> Vec<Hull> {
        let hulls = self.hulls.iter().map(|joint| Hull::of(&joint.hull));
        hulls.collect()
    }
}
