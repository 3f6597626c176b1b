//! A mesh with fewer triangles near another: what is collided with need not be what is drawn.
//!
//! A point is taken away by moving it onto a neighbour. Every point that was taken away stays with a
//! triangle near it, and no step is made after which one would be farther from its triangle than the
//! tolerance. So the bound holds for the result and not only for each step, as in Klein, Liebich and
//! Straßer, "Mesh Reduction with Error Control" (1996).

mod edge_collapse;

use crate::mesh::Mesh;
use edge_collapse::Surface;

/// Parts of the tolerance that are allowed one after the other, so that what changes least goes first.
const STAGES: [f32; 2] = [0.25, 1.0];
/// Rounds over the points in a stage, all at first and then those beside which something changed.
const ROUNDS: usize = 4;

impl Mesh {
    /// Fewer triangles, such that no vertex is farther than `tolerance` (metres) from them. Their
    /// vertices are among those of the mesh; other attributes than positions are left out.
    ///
    /// Borders stay as they are, so that parts of a mesh that are simplified one by one still meet;
    /// what is closed stays closed. The result hardly depends on the order of triangles, and not on
    /// what is far away. A tolerance that is not above 0 changes nothing but that identical positions
    /// are joined.
    pub fn simplified(&self, tolerance: f32) -> Self {
        let mut surface = Surface::new(self);
        if tolerance > 0.0 && tolerance.is_finite() {
            for stage in STAGES {
                thin(&mut surface, stage * tolerance);
            }
        }
        surface.to_mesh()
    }
}

/// Takes points off that are on no border.
fn thin(surface: &mut Surface, limit: f32) {
    let mut todo: Vec<u32> = (0..surface.point_count()).collect();
    for _ in 0..ROUNDS {
        todo.retain(|point| surface.is_inside(*point));
        todo.sort_unstable_by_key(|point| surface.rank(*point));
        todo.dedup();
        let mut changed = Vec::new();
        for point in todo {
            if let Some(onto) = surface.take_off(point, limit) {
                surface.neighbors(onto, &mut changed);
            }
        }
        todo = changed;
    }
}
