//! Placements and impacts from bytes.

use crate::bytes::Bytes;
use fracture_geometry::{CellSelection, FractureParams, Placement, Solid};
use glam::{DMat3, DVec3, Vec3};

/// A cut that fits the solid.
pub fn fitting(bytes: &mut Bytes, solid: &Solid) -> FractureParams<'static> {
    let [low, high] = solid.bounds().corners();
    let (middle, half) = (
        (low + high) * 0.5,
        ((high - low) * 0.5).max(DVec3::splat(1e-30)),
    );
    let point = impact(bytes, solid);
    let placement = match bytes.below(4) {
        0 => Placement {
            linear: DMat3::from_diagonal(half),
            translation: middle,
        },
        1 => Placement {
            linear: DMat3::from_diagonal(DVec3::splat(half.max_element())),
            translation: middle,
        },
        _ => {
            let size = half.max_element() * libm::exp2(bytes.below(6) as f64 - 4.0);
            let normal = bytes.vector();
            Placement::at_impact(point, normal, 4.0 * bytes.unit(), size)
        }
    };
    let selection = if bytes.coin() {
        CellSelection::All
    } else {
        let share = (1 + bytes.below(64)) as f64 / 64.0;
        CellSelection::Within {
            point,
            radius: half.max_element() * share,
        }
    };
    FractureParams {
        placement,
        selection,
    }
}

/// A vertex, the middle of an edge, or a point of a face.
fn impact(bytes: &mut Bytes, solid: &Solid) -> DVec3 {
    let mesh = solid.mesh();
    let triangle = mesh.triangles[bytes.below(mesh.triangles.len().min(65_536))];
    let [a, b, c] = triangle.map(|v| Vec3::from(mesh.positions[v as usize]).as_dvec3());
    match bytes.below(3) {
        0 => a,
        1 => (a + b) * 0.5,
        _ => (a + b + c) / 3.0,
    }
}

/// Any cut at all.
pub fn wild(bytes: &mut Bytes) -> FractureParams<'static> {
    let placement = if bytes.coin() {
        let (point, normal) = (bytes.wild_vector(), bytes.wild_vector());
        Placement::at_impact(point, normal, bytes.wild(), bytes.wild())
    } else {
        let mut columns = [0; 3].map(|_| bytes.vector());
        let translation = if bytes.coin() {
            bytes.wild_vector()
        } else {
            bytes.vector()
        };
        for _ in 0..bytes.below(4) {
            columns[bytes.below(3)][bytes.below(3)] = bytes.wild();
        }
        Placement {
            linear: DMat3::from_cols(columns[0], columns[1], columns[2]),
            translation,
        }
    };
    let selection = match bytes.below(4) {
        0 => CellSelection::All,
        1 => CellSelection::Within {
            point: bytes.wild_vector(),
            radius: bytes.wild(),
        },
        _ => CellSelection::Within {
            point: bytes.vector(),
            radius: bytes.unit().abs(),
        },
    };
    FractureParams {
        placement,
        selection,
    }
}
