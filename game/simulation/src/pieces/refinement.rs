//! Refinement of bodies: hulls that fit take the place of the provisional ones with which a free piece has entered
//! the scene, and a finer collision mesh that of a held one; cracks are found in surfaces.

use std::sync::Arc;

use fracture_geometry::hulls::{HullSource, Hulls};
use fracture_geometry::steps::pause;
use fracture_geometry::Mesh;

use super::bar_drawing::BarDrawing;
use super::colliders::{hulls_collider, BuiltCollider, Colliders};
use super::collision_chunk::CollisionChunk;
use super::crack_search::{CrackSearch, DrawnCracks};
use super::cut_history::CutHistory;
use super::drawn::Drawn;
use super::lazy::{LazyHulls, ShouldCancel};
use super::piece_hooks::{ChunkHooks, SharedPayload};
use super::shape::Shape;
use crate::debris::LazyConvexHull;

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
    /// Of a held piece, for the host and for debris.
    Collision(Box<CollisionRefinement>),
    /// Of the surface of any body: cracks are seen in it.
    Cracks(CrackSearch),
    /// Bare bars of a piece are drawn.
    Bars(BarDrawing),
}

/// Inputs of the lasting collision mesh of a held piece.
pub(crate) struct CollisionRefinement {
    pub shape: Arc<Shape>,
    pub hooks: ChunkHooks,
    /// The chunks with which it has entered: those that stay are shared.
    pub provisional: Vec<Arc<CollisionChunk>>,
    /// In the debris world, where they are to be simplified.
    pub colliders: Option<Colliders>,
}

/// The lasting collision mesh of a held piece.
pub(crate) struct LastingCollision {
    /// Collision payloads for the host.
    pub payloads: Vec<SharedPayload>,
    /// Colliders in the debris world, where they have become other ones.
    pub colliders: Option<Colliders>,
}

/// The result of a refinement.
pub(crate) enum Refined {
    Hulls(BuiltCollider),
    Collision(LastingCollision),
    Cracks(DrawnCracks),
    Bars(Drawn),
}

impl Refinement {
    /// Finds the collider, in steps; `None` when cancelled.
    pub async fn run(&self, should_cancel: &ShouldCancel<'_>) -> Option<Refined> {
        match self {
            Self::Cracks(search) => Some(Refined::Cracks(search.run().await)),
            Self::Bars(drawing) => Some(Refined::Bars(drawing.run().await)),
            Self::Hulls { mesh, origin } => {
                let collider = origin.collider(mesh, should_cancel).await;
                collider.map(Refined::Hulls)
            }
            Self::Collision(collision) => {
                let lasting = collision.run(should_cancel).await;
                lasting.map(Refined::Collision)
            }
        }
    }
}

impl CollisionRefinement {
    /// Finds the collision mesh, in steps; `None` when cancelled.
    async fn run(&self, should_cancel: &ShouldCancel<'_>) -> Option<LastingCollision> {
        let Some(chunked) = self.shape.existing_chunked_mesh() else {
            let kept = self.provisional.iter();
            return Some(LastingCollision {
                payloads: kept.map(|chunk| chunk.payload(&self.hooks)).collect(),
                colliders: None,
            });
        };
        // First: debris touches hundreds of triangles until then.
        let colliders = match &self.colliders {
            Some(colliders) => chunked.simplified_colliders(colliders).await,
            None => None,
        };
        let lacking = |mesh: &Mesh| chunked.lacking_collision(mesh);
        for (chunk, mesh) in self.shape.with_mesh(lacking) {
            if should_cancel() {
                return None;
            }
            chunked.make_collision_in_steps(chunk, &mesh).await;
            pause().await;
        }
        let payloads = |mesh: &Mesh| chunked.collision_payloads(mesh, &self.hooks);
        Some(LastingCollision {
            payloads: self.shape.with_mesh(payloads),
            colliders,
        })
    }
}

impl HullOrigin {
    /// The collider of a piece with a mesh, found in steps; `None` when cancelled.
    pub async fn collider(
        &self,
        mesh: &Mesh,
        should_cancel: &ShouldCancel<'_>,
    ) -> Option<BuiltCollider> {
        let find = |source| Hulls::in_steps(mesh, source, should_cancel);
        let hulls = match self {
            Self::Search => find(HullSource::Search).await,
            Self::Clipped { history, cell } => {
                let parts = history.source_parts.get_in_steps().await;
                match history.hull_clipper(parts) {
                    Some(history) => {
                        let (history, cell) = (&history, *cell);
                        find(HullSource::ConvexParts { history, cell }).await
                    }
                    None => find(HullSource::Search).await,
                }
            }
            #[cfg(test)]
            Self::Panic => {
                pause().await;
                panic!("this panic is a part of a test")
            }
            Self::Cached(hulls) => find(HullSource::Cached(hulls.get_in_steps().await)).await,
        };
        pause().await;
        let built = hulls_collider(mesh, hulls?);
        // Here, where no step of the debris waits for it.
        LazyConvexHull::build_all_in(&built.shape);
        Some(built)
    }
}
