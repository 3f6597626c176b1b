//! Planes that may split a part into parts that fit better.
//!
//! Parts with edges and corners are split along faces with a concavity in front of them. Round parts
//! are split across their deepest concavity: by planes that contain the normal there, and by planes
//! across their principal axes.

use super::concavity::ConcavitySample;
use super::context::DecomposeContext;
use crate::hulls::params::{FACE_PLANE_OFFSET, MAX_FACE_PLANES, NORMAL_PLANES, SAME_FACE};
use crate::hulls::shape::part::Part;
use crate::math::{symmetric_eigen, Plane};
use crate::steps::pause;
use glam::{DMat3, DVec3};

/// Samples whose faces are found in one step.
const SAMPLES_PER_STEP: usize = 256;

/// The candidates, the most promising first, found in steps.
pub async fn candidate_planes(
    part: &Part,
    samples: &[ConcavitySample],
    context: &DecomposeContext<'_>,
) -> Vec<Plane> {
    let by_depth = |a: &&ConcavitySample, b: &&ConcavitySample| a.depth.total_cmp(&b.depth);
    let Some(deepest) = samples.iter().max_by(by_depth) else {
        return Vec::new();
    };
    let mut planes = face_planes(samples, part.bounds().diagonal(), context).await;
    let u = deepest.normal.any_orthonormal_vector();
    let v = deepest.normal.cross(u);
    for turn in 0..NORMAL_PLANES {
        let angle = std::f64::consts::PI * f64::from(turn) / f64::from(NORMAL_PLANES);
        let (sin, cos) = libm::sincos(angle);
        planes.push(Plane::through(u * cos + v * sin, deepest.position));
    }
    let area: f64 = samples.iter().map(|sample| sample.area).sum();
    let weighted = samples.iter().map(|sample| sample.position * sample.area);
    let center = weighted.sum::<DVec3>() / area.max(f64::MIN_POSITIVE);
    let axes = principal_axes(part);
    for axis in [axes.x_axis, axes.y_axis, axes.z_axis] {
        planes.push(Plane::through(axis, deepest.position));
        planes.push(Plane::through(axis, center));
    }
    planes
}

/// Planes just above the faces that samples lie on, those with the most area first.
async fn face_planes(
    samples: &[ConcavitySample],
    size: f64,
    context: &DecomposeContext<'_>,
) -> Vec<Plane> {
    // Each with its area.
    let mut faces: Vec<(f64, Plane)> = Vec::new();
    for (index, sample) in samples.iter().enumerate() {
        if context.poll_at(index) {
            break;
        }
        if index % SAMPLES_PER_STEP == SAMPLES_PER_STEP - 1 {
            pause().await;
        }
        let is_same = |plane: &Plane| {
            let distance = plane.height(sample.position).abs();
            plane.normal.dot(sample.normal) > 1.0 - SAME_FACE && distance < SAME_FACE * size
        };
        match faces.iter_mut().find(|(_, plane)| is_same(plane)) {
            Some((area, _)) => *area += sample.area,
            None => faces.push((sample.area, Plane::through(sample.normal, sample.position))),
        }
    }
    faces.sort_by(|a, b| b.0.total_cmp(&a.0));
    let above = |plane: Plane| Plane {
        offset: plane.offset + FACE_PLANE_OFFSET * size,
        ..plane
    };
    let largest = faces.into_iter().take(MAX_FACE_PLANES);
    largest.map(|(_, plane)| above(plane)).collect()
}

/// The principal axes of a part's surface: the eigenvectors of its covariance.
fn principal_axes(part: &Part) -> DMat3 {
    let (mut covariance, mut center, mut total) = (DMat3::ZERO, DVec3::ZERO, 0.0);
    let samples = || {
        part.triangles.iter().map(|triangle| {
            let [a, b, c] = part.corners(*triangle);
            ((a + b + c) / 3.0, (b - a).cross(c - a).length())
        })
    };
    for (position, weight) in samples() {
        center += position * weight;
        total += weight;
    }
    if total <= 0.0 {
        return DMat3::IDENTITY;
    }
    center /= total;
    for (position, weight) in samples() {
        let arm = position - center;
        covariance += DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z) * weight;
    }
    symmetric_eigen(covariance).1
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
        let found = principal_axes(&Part::from_mesh(&mesh));
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
