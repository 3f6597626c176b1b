//! An approximate convex decomposition that a solid carries: hulls that fit it, and the cuts that led to them.
//!
//! They are found as the hulls of pieces are (Mamou and Ghorbel, "A Simple and Efficient Approach for 3D Mesh
//! Approximate Convex Decomposition", 2009, is another way).

use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::decompose::{all_joined, divided, SEARCH_TOLERANCE};
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::search::split_tree::SplitTree;
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::hulls::Hull;
use crate::solid::Solid;

/// How much closer than others the hulls are, since what a break leaves is smaller than the whole.
const CLOSER: f64 = 0.8;

/// How large what is left of a whole has to be for [`Hulls::from_cached`](crate::hulls::Hulls::from_cached) to look at the hulls of
/// that, for the diagonals of their boxes: of two halves others are fewer.
pub const MIN_REMAINDER_SIZE: f64 = 0.9;

/// One hull is no help: every break touches it.
const FEWEST: usize = 2;

/// Hulls of a whole solid. None of what needs only one.
#[derive(Clone, Debug, Default)]
pub struct CachedHulls {
    pub(super) hulls: Vec<MergedHull>,
    pub(super) cuts: SplitTree,
    /// The diagonal of the solid's box, metres.
    pub(super) size: f64,
}

/// A hull around some parts of a solid.
#[derive(Clone, Debug)]
pub struct MergedHull {
    pub hull: ConvexHull,
    /// By number, see [`SplitTree`].
    pub parts: Vec<u32>,
}

impl CachedHulls {
    /// Finds the hulls of a solid: the same for the same mesh. A shell has none.
    pub fn new(solid: &Solid) -> Self {
        Self::with_cancel(solid, &|| false).unwrap_or_default()
    }

    /// The same, or `None` when `stop` tells so on the way: it is asked every few
    /// milliseconds, except at first for large meshes.
    pub fn with_cancel(solid: &Solid, stop: &dyn Fn() -> bool) -> Option<Self> {
        if solid.is_shell() {
            return Some(Self::default());
        }
        let body = DecomposeContext::with_cancel(solid.mesh(), CLOSER * SEARCH_TOLERANCE, stop);
        let found = Self::found(&body);
        (!body.was_stopped()).then(|| found.unwrap_or_default())
    }

    fn found(body: &DecomposeContext) -> Option<Self> {
        let whole = HullPart::new(body.whole.clone(), body)?;
        if whole.fits(body) {
            return None;
        }
        let mut cuts = SplitTree::default();
        let (parts, stuck) = divided(whole.pieces(body), body, &mut cuts);
        let pieces = all_joined(parts, stuck, body).filter(|pieces| pieces.len() >= FEWEST)?;
        let joint = |HullPart { hull, leaves, .. }| MergedHull {
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
