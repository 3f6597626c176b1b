//! Hulls of a whole solid, cached for what fractures leave of it (another way: Mamou and Ghorbel, "A
//! Simple and Efficient Approach for 3D Mesh Approximate Convex Decomposition", 2009).

use crate::hulls::params::{CACHED_TOLERANCE, MIN_CACHED_HULLS, SEARCH_TOLERANCE};
use crate::hulls::search::context::{Cancel, DecomposeContext};
use crate::hulls::search::decompose::{merge_all, split_until_fit};
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::search::split_tree::SplitTree;
use crate::hulls::shape::convex_hull::{ConvexHull, Hull};
use crate::solid::Solid;
use crate::steps::{finish, pause};

/// Hulls of a whole solid with the splits that led to them; none of a solid that needs only one.
#[derive(Clone, Debug, Default)]
pub struct CachedHulls {
    pub(super) hulls: Vec<MergedHull>,
    pub(super) tree: SplitTree,
    /// Diagonal of the solid's box, metres.
    pub(super) size: f64,
}

/// A hull around some parts of a solid.
#[derive(Clone, Debug)]
pub(super) struct MergedHull {
    pub hull: ConvexHull,
    /// Its parts: leaves of the tree.
    pub leaves: Vec<u32>,
}

impl CachedHulls {
    /// Searches the hulls of a solid: the same for the same mesh. A shell has none.
    pub fn new(solid: &Solid) -> Self {
        Self::with_cancel(solid, &|| false).unwrap_or_default()
    }

    /// The same, or `None` when `cancel` returns `true` during the search. It is called
    /// every few hundred triangles, except at the beginning.
    pub fn with_cancel(solid: &Solid, cancel: &Cancel) -> Option<Self> {
        finish(Self::in_steps(solid, cancel))
    }

    /// The same in [steps](crate::steps).
    pub async fn in_steps(solid: &Solid, cancel: &Cancel<'_>) -> Option<Self> {
        if solid.is_shell() {
            return Some(Self::default());
        }
        let tolerance = CACHED_TOLERANCE * SEARCH_TOLERANCE;
        let context = DecomposeContext::with_cancel(solid.mesh(), tolerance, cancel);
        let hulls = Self::search(&context).await;
        (!context.was_cancelled()).then(|| hulls.unwrap_or_default())
    }

    async fn search(context: &DecomposeContext<'_>) -> Option<Self> {
        let whole = HullPart::new(context.solid.clone(), context)?;
        pause().await;
        if whole.fits(context).await {
            return None;
        }
        let mut tree = SplitTree::default();
        let parts = split_until_fit(whole.connected(context), context, &mut tree).await;
        let parts = merge_all(parts, context).await?;
        if parts.len() < MIN_CACHED_HULLS {
            return None;
        }
        let merged = |HullPart { hull, leaves, .. }| MergedHull { hull, leaves };
        Some(Self {
            hulls: parts.into_iter().map(merged).collect(),
            tree,
            size: context.size,
        })
    }

    /// The number of hulls.
    pub fn len(&self) -> usize {
        self.hulls.len()
    }

    /// Whether there are no hulls, so that hulls of remainders need a search.
    pub fn is_empty(&self) -> bool {
        self.hulls.is_empty()
    }

    /// The hulls, for tools and tests.
    pub fn hulls(&self) -> Vec<Hull> {
        let hulls = self.hulls.iter().map(|merged| Hull::from(&merged.hull));
        hulls.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_search_asks_every_few_hundred_triangles_whether_to_stop_and_does_so() {
        let solid = Solid::new(Mesh::torus(0.35, 0.15, 160, 80)).unwrap();
        let (asked, least) = (AtomicUsize::new(0), solid.triangle_count() / 256);
        let times = || asked.load(Ordering::Relaxed);
        let count = |most: usize| {
            asked.store(0, Ordering::Relaxed);
            let cancel = || asked.fetch_add(1, Ordering::Relaxed) >= most;
            CachedHulls::with_cancel(&solid, &cancel).is_some()
        };
        assert!(count(usize::MAX));
        let all = times();
        // Most of the work is done more than once: on voxels, on samples, on each part.
        assert!(all > 3 * least, "{all}");
        for most in [0, 1, least, 2 * least, all / 2, all - 1] {
            assert!(!count(most), "{most}");
            assert_eq!(times(), most + 1);
        }
    }
}
