//! Borders between the parts of a stencil.

use crate::stencil::model_part::{ModelPart, PartFace};
use glam::DVec3;

/// Widest gap between parts that count as neighbours, in diagonals of the smaller one.
const TOUCH: f64 = 0.03;
/// Cosine of the angle up to which two faces lie opposite each other: 3 degrees.
const OPPOSITE: f64 = -0.9986;
/// Share of the smaller face that has to lie opposite the other.
const SHARED: f64 = 0.02;

/// Plane between two parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub parts: [usize; 2],
    /// Unit normal from the first part to the second.
    pub normal: DVec3,
    /// Distance from the origin along the normal.
    pub distance: f64,
    /// How much it counts: its area or length.
    pub weight: f64,
}

/// The border of two parts, if they are neighbours: the plane in the middle between two faces.
pub(super) fn border_between(parts: &[ModelPart], pair: [usize; 2]) -> Option<Border> {
    let [one, other] = pair.map(|at| parts.get(at));
    let (one, other) = (one?, other?);
    let reach = TOUCH * one.size.min(other.size);
    let mut best: Option<Border> = None;
    for face in &one.faces {
        for opposite in &other.faces {
            let Some(weight) = shared(face, opposite, reach) else {
                continue;
            };
            if best.as_ref().is_some_and(|best| best.weight >= weight) {
                continue;
            }
            let normal = (face.normal - opposite.normal).normalize_or(face.normal);
            let middle = |face: &PartFace| {
                let count = face.outline.len().max(1) as f64;
                face.outline.iter().map(|p| normal.dot(*p)).sum::<f64>() / count
            };
            best = Some(Border {
                parts: pair,
                normal,
                distance: 0.5 * (middle(face) + middle(opposite)),
                weight,
            });
        }
    }
    best
}

/// Area that two faces share, if they lie opposite each other.
fn shared(face: &PartFace, opposite: &PartFace, reach: f64) -> Option<f64> {
    let are_opposite = face.normal.dot(opposite.normal) < OPPOSITE
        && (face.distance + opposite.distance).abs() < reach;
    if !are_opposite {
        return None;
    }
    let area = face.shared_area(opposite);
    (area > SHARED * face.area().min(opposite.area())).then_some(area)
}
