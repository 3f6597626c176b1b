//! The job that prepares a body in advance, so that its first break does not have to.

use std::sync::Arc;

use crate::error::BreakFailure;
use crate::pieces::{LazyPattern, Shape};
use crate::stress::LazyLattice;

/// The job that prepares a body.
pub(crate) struct PrepareJob {
    pub shape: Arc<Shape>,
    pub pattern: Arc<LazyPattern>,
    /// Whether also the collision meshes of anchored pieces are prepared.
    pub with_collision: bool,
    /// Stress lattice to be made as well.
    pub lattice: Option<Arc<LazyLattice>>,
}

impl PrepareJob {
    pub fn run(self) -> Result<(), BreakFailure> {
        let solid = self.shape.solid()?;
        self.shape.release_source_mesh();
        self.pattern.get()?;
        self.shape.cut_history(solid);
        if self.with_collision {
            let chunked_mesh = self.shape.chunked_mesh(solid);
            chunked_mesh.prepare_collision(solid.mesh());
            chunked_mesh.prepare_colliders(solid.mesh());
        }
        if let Some(lattice) = self.lattice.filter(|_| !solid.is_shell()) {
            // The stress job reports an error.
            let _ = lattice.get_or_make(solid);
        }
        Ok(())
    }

    /// The result of an earlier preparation of the same shape and pattern; `None` if there was none.
    pub fn earlier_result(&self) -> Option<Result<(), BreakFailure>> {
        if let Err(error) = self.shape.prepared()? {
            return Some(Err(error));
        }
        let pattern = self.pattern.made()?;
        Some(pattern.map(|_| ()).map_err(BreakFailure::from))
    }
}
