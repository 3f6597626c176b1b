//! Samples of where a hull protrudes too far: places of the surface with too much of the hull in front
//! of them.

use super::context::DecomposeContext;
use crate::hulls::params::{SAMPLE_OFFSET, SAMPLE_SPACING};
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::hulls::shape::part::Part;
use crate::hulls::tolerance::depth_bound::is_near_some_plane;
use crate::math::triangle::bisect;
use crate::steps::pause;
use glam::DVec3;

/// A place of the surface in front of which a hull protrudes.
#[derive(Clone, Copy, Debug)]
pub struct ConcavitySample {
    pub position: DVec3,
    /// Outward normal of the surface.
    pub normal: DVec3,
    /// Area that the sample stands for, m^2.
    pub area: f64,
    /// Depth below the hull's surface, metres.
    pub depth: f64,
}

/// Triangles, or parts of them, that are looked at in one step.
const TRIANGLES_PER_STEP: usize = 256;

/// The samples of a part's hull, found in steps. Where a part consists of needles, nothing is in front of its surface;
/// samples are places of the hull itself then, without area and depth.
pub async fn concavity_samples(
    part: &Part,
    hull: &ConvexHull,
    context: &DecomposeContext<'_>,
) -> Vec<ConcavitySample> {
    let samples = surface_samples(part, hull, context).await;
    if samples.is_empty() {
        return hull_samples(hull, context).await;
    }
    samples
}

async fn surface_samples(
    part: &Part,
    hull: &ConvexHull,
    context: &DecomposeContext<'_>,
) -> Vec<ConcavitySample> {
    let offset = SAMPLE_OFFSET * context.tolerance;
    let (mut samples, mut hint, mut open) = (Vec::new(), 0, Vec::new());
    let mut looked_at = 0_usize;
    for (index, triangle) in part.triangles.iter().enumerate() {
        if context.poll_at(index) {
            break;
        }
        let [a, b, c] = part.corners(*triangle);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            continue;
        };
        let ahead = normal * offset;
        open.push([a + ahead, b + ahead, c + ahead]);
        while let Some(corners) = open.pop() {
            looked_at += 1;
            if looked_at.is_multiple_of(TRIANGLES_PER_STEP) {
                pause().await;
            }
            // Above one plane: all of it is outside of the hull.
            if is_near_some_plane(&corners, &hull.planes, 0.0, &mut hint) {
                continue;
            }
            if let Some(halves) = bisect(&corners, SAMPLE_SPACING * context.tolerance) {
                open.extend(halves);
                continue;
            }
            let [a, b, c] = corners;
            let point = (a + b + c) / 3.0;
            let height = hull.height(point);
            if height < 0.0 && !context.volume().contains(point) {
                samples.push(ConcavitySample {
                    position: point - ahead,
                    normal,
                    area: 0.5 * (b - a).cross(c - a).length(),
                    depth: offset - height,
                });
            }
        }
    }
    samples
}

async fn hull_samples(hull: &ConvexHull, context: &DecomposeContext<'_>) -> Vec<ConcavitySample> {
    let (mut samples, mut open) = (Vec::new(), Vec::new());
    let mut looked_at = 0_usize;
    for (triangle, plane) in hull.triangles.iter().zip(&hull.planes) {
        open.push(triangle.map(|corner| hull.points[corner as usize]));
        while let Some(corners) = open.pop() {
            looked_at += 1;
            if looked_at.is_multiple_of(TRIANGLES_PER_STEP) {
                pause().await;
            }
            if let Some(halves) = bisect(&corners, SAMPLE_SPACING * context.tolerance) {
                open.extend(halves);
                continue;
            }
            let position = corners.iter().sum::<DVec3>() / 3.0;
            if !context.volume().contains(position) {
                samples.push(ConcavitySample {
                    position,
                    normal: plane.normal,
                    area: 0.0,
                    depth: 0.0,
                });
            }
        }
    }
    samples
}
