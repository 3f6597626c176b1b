//! Meshes to build colliders of: simplified, and partitioned by an octree.
//!
//! Simplification is by edge collapses. A collapse moves a point onto a neighbour and so removes it. Every removed
//! point is assigned to a triangle near it, and no collapse may put one farther from its triangle than the tolerance.
//! So the bound holds for the result and not only for each step, as in Klein, Liebich and Straßer, "Mesh Reduction
//! with Error Control" (1996).

use super::edge_collapse::{joined, CollapseMesh};
use super::octree::{self, OctreeLeaf};
use super::{clustering, Mesh};
use crate::math::Aabb;
use crate::steps::{finish, pause};

/// Fractions of the tolerance that are allowed one after the other, so that small changes come first.
const STAGES: [f32; 2] = [0.25, 1.0];
/// Rounds of a stage: over all points, then over those next to a change. More find hardly any collapse.
const MAX_ROUNDS: usize = 4;
/// Points that are tried in a step.
const POINTS_PER_STEP: usize = 256;

impl Mesh {
    /// A mesh of fewer triangles such that no vertex of this one is farther than `tolerance` (metres) from
    /// them. Vertices are among those of this mesh; only positions are kept.
    ///
    /// Boundaries stay, so that parts of a mesh that are simplified one by one still meet; closed meshes
    /// stay closed. The result does not depend on the order of triangles and vertices, and hardly on parts far away. A
    /// tolerance of 0 or below only joins identical positions.
    pub fn simplified(&self, tolerance: f32) -> Self {
        finish(self.simplified_in_steps(tolerance))
    }

    /// The same in [steps](crate::steps).
    pub async fn simplified_in_steps(&self, tolerance: f32) -> Self {
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return joined(self);
        }
        let mut mesh = CollapseMesh::new(self);
        for stage in STAGES {
            pause().await;
            collapse_points(&mut mesh, stage * tolerance).await;
        }
        mesh.to_mesh()
    }

    /// A mesh of fewer triangles: of the vertices in each cell of a grid, with so many cells along the longest side of
    /// the mesh (1 to 64), the one that is farthest from the middle stands for all. It is closed if the mesh is. Of
    /// what is thinner than a cell a double surface may be left, or less. Only positions are kept.
    pub fn clustered(&self, cells: u8) -> Self {
        clustering::clustered(self, cells)
    }

    /// Sorts the triangles into the leaves of an octree, each of at most `max_triangles`; its root is
    /// the box `root` (metres, in single precision). With the same root, a change in one place leaves
    /// the leaves elsewhere as they are.
    ///
    /// More than `max_triangles` triangles with one centroid stay together. Triangles with an index out
    /// of range are left out.
    pub fn partition_octree(&self, root: Aabb, max_triangles: usize) -> Vec<OctreeLeaf> {
        octree::partition(self, root, max_triangles)
    }
}

/// Collapses points that are not on a boundary: all of them, then those next to a change.
async fn collapse_points(mesh: &mut CollapseMesh, limit: f32) {
    let points = mesh.point_count();
    let mut is_due = vec![true; points as usize];
    for _ in 0..MAX_ROUNDS {
        let mut is_changed = vec![false; points as usize];
        let mut tried = 0;
        for point in 0..points {
            if !is_due[point as usize] || !mesh.is_interior(point) {
                continue;
            }
            tried += 1;
            if tried % POINTS_PER_STEP == 0 {
                pause().await;
            }
            if let Some(onto) = mesh.collapse(point, limit) {
                let neighbors = mesh.neighbors(onto);
                neighbors.for_each(|neighbor| is_changed[neighbor as usize] = true);
            }
        }
        is_due = is_changed;
    }
}
