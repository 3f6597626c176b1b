//! Planes that might cut a part into better ones.
//!
//! Faces in front of which there is a gap, drawn on into the body, divide what has edges and corners just
//! so. What is round is cut across, through the deepest gap: at right angles to the surface there, and
//! along the axes of the body and its own.

use crate::hulls::search::concavity::ConcavitySample;
use crate::hulls::shape::convex_hull::{bounds, Plane};
use crate::hulls::shape::part::Part;
use glam::{DMat3, DVec3};

/// Faces with the largest gaps that are tried.
const FACES: usize = 4;
/// Directions across the deepest gap.
const TURNS: u32 = 2;
/// Normals and places nearer than this (of the size) are one face.
const SAME: f64 = 0.02;
/// How far above a face it is drawn on, as a part of the size.
const ABOVE: f64 = 1e-6;

/// Candidates, the same for the same part.
pub fn candidates(part: &Part, gaps: &[ConcavitySample]) -> Vec<Plane> {
    let by_depth = |a: &&ConcavitySample, b: &&ConcavitySample| a.depth.total_cmp(&b.depth);
    let Some(deepest) = gaps.iter().max_by(by_depth) else {
        return Vec::new();
    };
    let [low, high] = bounds(&part.points);
    let mut planes = faces(gaps, low.distance(high));
    let side = deepest.normal.any_orthonormal_vector();
    let other = deepest.normal.cross(side);
    for turn in 0..TURNS {
        let angle = std::f64::consts::PI * f64::from(turn) / f64::from(TURNS);
        let (sin, cos) = libm::sincos(angle);
        planes.push(Plane::through(side * cos + other * sin, deepest.at));
    }
    let area: f64 = gaps.iter().map(|gap| gap.area).sum();
    let middle =
        gaps.iter().map(|gap| gap.at * gap.area).sum::<DVec3>() / area.max(f64::MIN_POSITIVE);
    let own = axes(part);
    for axis in [own.x_axis, own.y_axis, own.z_axis] {
        planes.push(Plane::through(axis, deepest.at));
        planes.push(Plane::through(axis, middle));
    }
    planes
}

/// The planes of faces with gaps, those with the largest first.
fn faces(gaps: &[ConcavitySample], size: f64) -> Vec<Plane> {
    let mut faces: Vec<(f64, Plane)> = Vec::new();
    for gap in gaps {
        let same = |plane: &Plane| {
            let apart = plane.height(gap.at).abs();
            plane.normal.dot(gap.normal) > 1.0 - SAME && apart < SAME * size
        };
        match faces.iter_mut().find(|(_, plane)| same(plane)) {
            Some((area, _)) => *area += gap.area,
            None => faces.push((gap.area, Plane::through(gap.normal, gap.at))),
        }
    }
    faces.sort_by(|a, b| b.0.total_cmp(&a.0));
    // Just above the face, so that rounding does not leave some of it on the other side.
    let above = |plane: Plane| Plane {
        offset: plane.offset + ABOVE * size,
        ..plane
    };
    let faces = faces.into_iter().take(FACES);
    faces.map(|(_, plane)| above(plane)).collect()
}

/// The axes along which a part's surface is spread most and least: eigenvectors by rotations (Jacobi).
fn axes(part: &Part) -> DMat3 {
    let (mut sum, mut middle, mut total) = (DMat3::ZERO, DVec3::ZERO, 0.0);
    let samples = || {
        part.triangles.iter().map(|corners| {
            let [a, b, c] = part.place(*corners);
            ((a + b + c) / 3.0, (b - a).cross(c - a).length())
        })
    };
    for (at, weight) in samples() {
        middle += at * weight;
        total += weight;
    }
    if total <= 0.0 {
        return DMat3::IDENTITY;
    }
    middle /= total;
    for (at, weight) in samples() {
        let arm = at - middle;
        sum += DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z) * weight;
    }
    eigenvectors(sum)
}

fn eigenvectors(mut matrix: DMat3) -> DMat3 {
    let mut vectors = DMat3::IDENTITY;
    for _ in 0..8 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = matrix.col(q)[p];
            let difference = matrix.col(q)[q] - matrix.col(p)[p];
            let angle = 0.5 * libm::atan2(2.0 * off, difference);
            let (sin, cos) = libm::sincos(angle);
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cos;
            turn.col_mut(q)[q] = cos;
            turn.col_mut(q)[p] = sin;
            turn.col_mut(p)[q] = -sin;
            matrix = turn.transpose() * matrix * turn;
            vectors *= turn;
        }
    }
    vectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use glam::{DQuat, Vec3};

    #[test]
    fn a_turned_box_has_turned_axes() {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -0.5, 0.8);
        let mut mesh = Mesh::cuboid([3.0, 2.0, 1.0]);
        for position in &mut mesh.positions {
            *position = (turn * Vec3::from(*position).as_dvec3())
                .as_vec3()
                .to_array();
        }
        let found = axes(&Part::of(&mesh));
        for axis in DVec3::AXES {
            let near = |own: DVec3| own.dot(turn * axis).abs() > 1.0 - 1e-6;
            assert!(
                [found.x_axis, found.y_axis, found.z_axis]
                    .into_iter()
                    .any(near),
                "{axis}"
            );
        }
    }
}
