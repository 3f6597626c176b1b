//! Refinement of colliders: hulls that fit take the place of the provisional ones with which a piece has entered the
//! scene.

use std::sync::Arc;

use fracture_geometry::hulls::{HullSource, Hulls};
use fracture_geometry::Mesh;

use super::colliders::{hulls_collider, BuiltCollider};
use super::cut_history::CutHistory;
use super::lazy::{LazyHulls, ShouldCancel};

/// Where the hulls of a free piece come from.
pub(crate) enum HullOrigin {
    /// A search.
    Search,
    /// The convex parts of the intact body, clipped to the cell of the fragment.
    Clipped { history: CutHistory, cell: u32 },
    /// The hulls of the intact body, of which the piece is most.
    Cached(Arc<LazyHulls>),
    #[cfg(test)]
    Panic,
}

/// All inputs of a refinement, so that the worker needs nothing of the simulation.
pub(crate) struct Refinement {
    /// With flat cut faces.
    pub mesh: Arc<Mesh>,
    pub origin: HullOrigin,
}

impl Refinement {
    /// Finds the collider; `None` when cancelled.
    pub fn run(&self, should_cancel: &ShouldCancel) -> Option<BuiltCollider> {
        self.origin.collider(&self.mesh, should_cancel)
    }
}

impl HullOrigin {
    /// The collider of a piece with a mesh; `None` when cancelled.
    pub fn collider(&self, mesh: &Mesh, should_cancel: &ShouldCancel) -> Option<BuiltCollider> {
        let find = |source| Hulls::with_cancel(mesh, source, should_cancel);
        let hulls = match self {
            Self::Search => find(HullSource::Search),
            Self::Clipped { history, cell } => {
                let parts = history.source_parts.get_or_cancel(should_cancel)?;
                match history.hull_clipper(parts) {
                    Some(history) => find(HullSource::ConvexParts {
                        history: &history,
                        cell: *cell,
                    }),
                    None => find(HullSource::Search),
                }
            }
            #[cfg(test)]
            Self::Panic => panic!("this panic is a part of a test"),
            Self::Cached(hulls) => find(HullSource::Cached(hulls.get_or_cancel(should_cancel)?)),
        };
        Some(hulls_collider(mesh, hulls?))
    }
}
