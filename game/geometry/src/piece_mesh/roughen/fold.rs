//! Limits of displacement: points whose triangles would fold over go back. The noise bends space
//! gently, but the triangles that follow it may be thin.

use super::points::Points;
use super::subdivide::CapFaces;
use crate::tasks::Threads;
use glam::{DVec3, Vec3};

/// Rounds, each of which puts more points back; after a few nothing is left to put back.
const MAX_ROUNDS: usize = 8;
/// Cosine of 75 degrees, the largest angle by which a triangle may turn.
const MIN_TURN_COSINE: f64 = 0.26;

/// The displaced points, with those put back whose triangles would turn too far.
pub async fn without_folds(
    threads: &Threads<'_>,
    points: &Points,
    mut displaced: Vec<[f32; 3]>,
    faces: &[CapFaces<'_>],
) -> Vec<[f32; 3]> {
    // By point: whether it has moved since its triangles were looked at.
    let mut is_moved = vec![true; displaced.len()];
    let mut checks: Vec<(&CapFaces, Vec<u32>)> =
        faces.iter().map(|piece| (piece, Vec::new())).collect();
    for _ in 0..MAX_ROUNDS {
        let check = |(piece, folded): &mut (&CapFaces, Vec<u32>)| {
            // After the first round most pieces have no such point.
            let is_moved = |point: &u32| is_moved.get(*point as usize) == Some(&true);
            if !piece.points.iter().any(is_moved) {
                return;
            }
            let point = |v: u32| piece.points[v as usize];
            let triangles = piece.caps.iter().map(|t| t.map(point));
            let moved = triangles.filter(|t| t.iter().any(is_moved));
            folded.extend(moved.filter(|t| is_folded(points, &displaced, t)).flatten());
        };
        threads.for_each(&mut checks, check).await;
        let folded = checks.iter_mut().flat_map(|(_, folded)| folded.drain(..));
        let folded: Vec<u32> = folded.collect();
        if folded.is_empty() {
            break;
        }
        is_moved.fill(false);
        for point in folded {
            displaced[point as usize] = points.flat(point);
            is_moved[point as usize] = true;
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
    let (dot, least) = (before.dot(after), MIN_TURN_COSINE * MIN_TURN_COSINE);
    let is_flat_enough =
        dot > 0.0 && dot * dot > least * before.length_squared() * after.length_squared();
    // A product that is not a number counts as folded.
    !is_flat_enough
}

fn normal(corners: [[f32; 3]; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|p| Vec3::from(p).as_dvec3());
    (b - a).cross(c - a)
}
