//! The solid that hulls are made for, with what tests of hulls need of it, made when it is first asked
//! for.

use crate::hulls::params::{BATCH_TRIANGLES, MAX_HULL_POINTS};
use crate::hulls::shape::part::Part;
use crate::hulls::tolerance::tolerance_volume::ToleranceVolume;
use crate::hulls::tolerance::voxel_grid::column_crossings;
use crate::math::Aabb;
use crate::steps::finish;
use crate::Mesh;
use glam::{DVec2, DVec3, Vec3Swizzles};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// Triangles, points or the like between two questions whether to stop, each of which takes up to some microseconds.
const STEPS_PER_POLL: usize = 256;

/// Whether a search is to stop.
pub type Cancel<'a> = dyn Fn() -> bool + Sync + 'a;

/// The context of one decomposition.
pub struct DecomposeContext<'a> {
    /// The whole mesh.
    pub solid: Part,
    /// Diagonal of its box, metres.
    pub size: f64,
    /// Distance by which hulls may protrude, metres.
    pub tolerance: f64,
    /// Most points of a part's hull.
    pub max_hull_points: usize,
    volume: OnceLock<ToleranceVolume>,
    batches: OnceLock<TriangleBatches>,
    cancel: &'a Cancel<'a>,
    cancelled: AtomicBool,
}

impl<'a> DecomposeContext<'a> {
    /// For hulls that may protrude by `tolerance`, a fraction of the mesh's size.
    pub fn new(mesh: &Mesh, tolerance: f64) -> Self {
        Self::with_cancel(mesh, tolerance, &|| false)
    }

    /// The same with a question that is asked during the decomposition: whether to stop.
    pub fn with_cancel(mesh: &Mesh, tolerance: f64, cancel: &'a Cancel<'a>) -> Self {
        let solid = Part::from_mesh(mesh);
        let size = solid.bounds().diagonal();
        Self {
            solid,
            size,
            tolerance: tolerance * size,
            max_hull_points: MAX_HULL_POINTS,
            volume: OnceLock::new(),
            batches: OnceLock::new(),
            cancel,
            cancelled: AtomicBool::new(false),
        }
    }

    /// Asks whether to stop, unless the answer was yes before.
    pub fn poll_cancel(&self) -> bool {
        let cancelled = self.was_cancelled() || (self.cancel)();
        self.cancelled.store(cancelled, Ordering::Relaxed);
        cancelled
    }

    /// Asks after every so many steps of a loop over triangles, points or the like.
    pub fn poll_at(&self, step: usize) -> bool {
        step.is_multiple_of(STEPS_PER_POLL) && self.poll_cancel()
    }

    /// Whether the answer was yes. Results are incomplete then.
    pub fn was_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The space that hulls may fill.
    pub fn volume(&self) -> &ToleranceVolume {
        self.volume.get_or_init(|| finish(self.make_volume()))
    }

    /// The same, made in steps if need be.
    pub async fn volume_in_steps(&self) -> &ToleranceVolume {
        if self.volume.get().is_none() {
            let made = self.make_volume().await;
            return self.volume.get_or_init(|| made);
        }
        self.volume()
    }

    async fn make_volume(&self) -> ToleranceVolume {
        let stop = || self.poll_cancel();
        ToleranceVolume::in_steps(&self.solid, self.tolerance, &stop).await
    }

    /// The triangles of the solid in batches whose bounding box passes a test.
    pub fn triangles_near<'b>(
        &'b self,
        test: impl Fn(&Aabb) -> bool + 'b,
    ) -> impl Iterator<Item = &'b [u32; 3]> + 'b {
        let batches = self
            .batches
            .get_or_init(|| TriangleBatches::new(&self.solid));
        batches.triangles(&self.solid, test)
    }

    /// Whether the winding number of the surface around a point is positive.
    pub fn is_inside(&self, point: DVec3) -> bool {
        // The point is the centre of the only column of a grid; crossings above it count.
        let shift = DVec3::new(0.5, 0.5, 0.0) - point;
        let mut winding_number = 0;
        // Rounded as the corners are.
        let may_cross = |bounds: &Aabb| {
            let (low, high) = (bounds.min + shift, bounds.max + shift);
            let is_apart = low.xy().cmpgt(DVec2::splat(0.5)) | high.xy().cmplt(DVec2::splat(0.5));
            !is_apart.any() && high.z >= 0.0
        };
        for triangle in self.triangles_near(may_cross) {
            let corners = self.solid.corners(*triangle).map(|corner| corner + shift);
            column_crossings(corners, [1, 1], |_, _, height, is_up| {
                if height > 0.0 {
                    winding_number += if is_up { 1 } else { -1 };
                }
            });
        }
        winding_number > 0
    }
}

/// Bounding boxes of runs of triangles. Triangles that follow each other in a mesh are mostly
/// neighbors.
struct TriangleBatches {
    boxes: Vec<Aabb>,
}

impl TriangleBatches {
    fn new(part: &Part) -> Self {
        let bounds = |batch: &[[u32; 3]]| {
            let corners = batch.as_flattened().iter();
            Aabb::from_points(corners.map(|corner| part.points[*corner as usize]))
        };
        Self {
            boxes: part.triangles.chunks(BATCH_TRIANGLES).map(bounds).collect(),
        }
    }

    /// The triangles of the batches whose box passes a test; `part` is the one that they are of.
    fn triangles<'a>(
        &'a self,
        part: &'a Part,
        test: impl Fn(&Aabb) -> bool + 'a,
    ) -> impl Iterator<Item = &'a [u32; 3]> + 'a {
        let batches = part.triangles.chunks(BATCH_TRIANGLES).zip(&self.boxes);
        let batches = batches.filter(move |(_, bounds)| test(bounds));
        batches.flat_map(|(batch, _)| batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_straight_below_a_corner_or_an_edge_is_inside() {
        let ball = DecomposeContext::new(&Mesh::sphere(0.5, 16, 10), 0.0185);
        for tilt in [-1e-18, 0.0, 1e-18, 1e-9] {
            for along in [-0.3, -0.01, 0.0, 0.2] {
                for point in [DVec3::new(along, tilt, 0.0), DVec3::new(tilt, along, 0.0)] {
                    assert!(ball.is_inside(point), "{point:?}");
                    assert!(!ball.is_inside(point - DVec3::Z), "{point:?}");
                    assert!(!ball.is_inside(point + 2.0 * DVec3::X), "{point:?}");
                }
            }
        }
    }

    #[test]
    fn a_ring_is_inside_where_it_is_and_not_in_its_hole() {
        let ring = DecomposeContext::new(&Mesh::torus(0.35, 0.15, 32, 16), 0.0185);
        for step in 0..50 {
            let (sin, cos) = libm::sincos(0.1 + f64::from(step));
            let at = |r: f64, y: f64| DVec3::new(r * cos, y, r * sin);
            assert!(ring.is_inside(at(0.35, 0.1)) && ring.is_inside(at(0.45, 0.02)));
            assert!(!ring.is_inside(at(0.15, 0.0)) && !ring.is_inside(at(0.35, 0.2)));
            assert!(!ring.is_inside(at(0.6, 0.0)) && !ring.is_inside(at(0.35, -0.2)));
        }
    }
}
