//! Refinement of colliders: hulls that fit take the place of the provisional ones with which a free piece has entered
//! the scene, and a finer collision mesh that of a held one.

use std::sync::Arc;

use fracture_geometry::hulls::{HullSource, Hulls};
use fracture_geometry::Mesh;

use super::colliders::{hulls_collider, BuiltCollider};
use super::collision_chunk::CollisionChunk;
use super::cut_history::CutHistory;
use super::lazy::{LazyHulls, ShouldCancel};
use super::piece_hooks::{ChunkHooks, SharedPayload};
use super::shape::Shape;

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
pub(crate) enum Refinement {
    /// Of a free piece.
    Hulls {
        /// With flat cut faces.
        mesh: Arc<Mesh>,
        origin: HullOrigin,
    },
    /// Of a held piece, for the host.
    Collision {
        shape: Arc<Shape>,
        hooks: ChunkHooks,
        /// The chunks with which it has entered: those that stay are shared.
        provisional: Vec<Arc<CollisionChunk>>,
    },
}

/// The result of a refinement.
pub(crate) enum Refined {
    Hulls(BuiltCollider),
    /// Collision payloads.
    Collision(Vec<SharedPayload>),
}

impl Refinement {
    /// Finds the collider; `None` when cancelled.
    pub fn run(&self, should_cancel: &ShouldCancel) -> Option<Refined> {
        match self {
            Self::Hulls { mesh, origin } => {
                origin.collider(mesh, should_cancel).map(Refined::Hulls)
            }
            Self::Collision {
                shape,
                hooks,
                provisional,
            } => {
                let Some(chunked) = shape.existing_chunked_mesh() else {
                    let kept = provisional.iter().map(|chunk| chunk.payload(hooks));
                    return Some(Refined::Collision(kept.collect()));
                };
                let payloads = shape.with_mesh(|mesh| {
                    let is_prepared = chunked.prepare_collision_until(mesh, should_cancel);
                    is_prepared.then(|| chunked.collision_payloads(mesh, hooks))
                });
                payloads.map(Refined::Collision)
            }
        }
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
