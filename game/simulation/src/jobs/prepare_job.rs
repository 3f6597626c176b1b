//! The job that prepares a body in advance, so that its first break does not have to.

use std::sync::Arc;

use fracture_geometry::steps::pause;

use crate::error::BreakFailure;
use crate::parallel::Helpers;
use crate::pieces::{
    prepare_details, weakness_of, BreakRadius, LazyPattern, PaintedWeakness, PatternFit, Shape,
};
use crate::stress::LazyLattice;

/// The job that prepares a body.
pub(crate) struct PrepareJob {
    pub shape: Arc<Shape>,
    pub pattern: Arc<LazyPattern>,
    pub fit: PatternFit,
    /// With the range of radii of its breaks.
    pub radius: BreakRadius,
    pub weakness: Option<Arc<PaintedWeakness>>,
    /// Whether pieces have chunks: the mesh is divided into them.
    pub has_chunks: bool,
    /// Whether pieces can be held: then the collision meshes of the chunks are made as well.
    pub is_anchored: bool,
    /// Stress lattice to be made as well.
    pub lattice: Option<Arc<LazyLattice>>,
}

impl PrepareJob {
    /// Prepares the body, in steps; helpers share the work on a large one that is held.
    pub async fn run(self, helpers: &Helpers) -> Result<(), BreakFailure> {
        let solid = self.shape.solid_in_steps().await?;
        self.shape.release_source_mesh();
        pause().await;
        self.pattern.get_in_steps().await?;
        pause().await;
        let weakness = weakness_of(self.weakness.as_ref()).await;
        pause().await;
        // A break reports an error.
        let _ = prepare_details(&self.pattern, self.fit, self.radius, weakness, solid).await;
        pause().await;
        // Kept by the solid, for texture coordinates of cut faces.
        solid.uv_density();
        pause().await;
        self.shape.cut_history_with_parts(solid).await;
        if self.has_chunks {
            let chunked_mesh = self.shape.chunked_mesh(solid);
            if self.is_anchored {
                chunked_mesh.prepare_held(solid.mesh(), helpers).await;
            }
        }
        if let Some(lattice) = self.lattice.filter(|_| !solid.is_shell()) {
            // The stress job reports an error.
            let _ = lattice.get_or_make(solid).await;
        }
        Ok(())
    }

    /// The result of an earlier preparation of the same shape and pattern; `None` if there was none.
    pub fn earlier_result(&self) -> Option<Result<(), BreakFailure>> {
        if let Err(error) = self.shape.reported()? {
            return Some(Err(error));
        }
        if self
            .weakness
            .as_ref()
            .is_some_and(|painted| !painted.is_reported())
        {
            return None;
        }
        let pattern = self.pattern.made()?;
        Some(pattern.map(|_| ()).map_err(BreakFailure::from))
    }
}
