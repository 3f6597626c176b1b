//! Limits of displacement: points whose triangles would fold over go back. The noise bends space
//! gently, but the triangles that follow it may be thin.

use super::points::Points;
use super::subdivide::CapFaces;
use crate::steps::pause;
use glam::{DVec3, Vec3};

/// Rounds, each of which puts more points back; after a few nothing is left to put back.
const MAX_ROUNDS: usize = 8;
/// Cosine of 75 degrees, the largest angle by which a triangle may turn.
const MIN_TURN_COSINE: f64 = 0.26;

/// The displaced points, with those put back whose triangles would turn too far, a piece in a step.
pub async fn without_folds(
    points: &Points,
    mut displaced: Vec<[f32; 3]>,
    faces: &[CapFaces<'_>],
) -> Vec<[f32; 3]> {
    for _ in 0..MAX_ROUNDS {
        let mut folded: Vec<u32> = Vec::new();
        for piece in faces {
            let point = |v: u32| piece.points[v as usize];
            let triangles = piece.caps.iter().map(|t| t.map(point));
            folded.extend(
                triangles
                    .filter(|t| is_folded(points, &displaced, t))
                    .flatten(),
            );
            pause().await;
        }
        if folded.is_empty() {
            break;
        }
        for point in folded {
            displaced[point as usize] = points.flat(point);
        }
    }
    displaced
}

fn is_folded(points: &Points, displaced: &[[f32; 3]], triangle: &[u32; 3]) -> bool {
    let is_unmoved = |p: &u32| displaced[*p as usize] == points.flat(*p);
    if triangle.iter().all(is_unmoved) {
        return false;
    }
    let before = normal(triangle.map(|p| points.flat(p)));
    let after = normal(triangle.map(|p| displaced[p as usize]));
    let min_dot = MIN_TURN_COSINE * before.length() * after.length();
    // A product that is not a number counts as folded.
    before.dot(after).partial_cmp(&min_dot) != Some(std::cmp::Ordering::Greater)
}

fn normal(corners: [[f32; 3]; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|p| Vec3::from(p).as_dvec3());
    (b - a).cross(c - a)
}
