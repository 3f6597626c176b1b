//! Findings of fuzzing, each as its smallest case.

use crate::check::all;
use fracture_geometry::{
    fracture, FractureError, FractureParams, Mesh, Pattern, Placement, Solid, SolidError, Workspace,
};
use glam::{DMat3, DVec3};

/// A figure of eight turned about an axis: as much is enclosed inside out as outside out, and what
/// is left of the volume is rounding.
#[test]
fn a_volume_that_is_nothing_but_rounding_is_none() {
    let profile = [[0.625, -1.0], [0.5, -1.0], [0.625, -0.25], [0.5, 0.0]];
    let mut mesh = Mesh::default();
    for step in 0..4 {
        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * step as f32 / 4.0);
        let turned = profile.map(|[r, y]: [f32; 2]| [r * cos, y, -r * sin]);
        mesh.positions.extend(turned);
    }
    for step in 0..4 {
        for side in 0..4 {
            let at = |i: u32, j: u32| i % 4 * 4 + j % 4;
            let [a, b] = [at(step, side), at(step + 1, side)];
            let [c, d] = [at(step + 1, side + 1), at(step, side + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let refused = Solid::new(mesh).expect_err("no volume");
    assert!(matches!(refused, SolidError::NoVolume { .. }), "{refused}");
}

/// The number that marks caps was accepted as a surface, and counting surfaces ran over.
#[test]
fn the_surface_of_caps_is_not_for_meshes() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    mesh.surfaces = vec![0; 12];
    mesh.surfaces[7] = fracture_geometry::CAP_SURFACE;
    assert_eq!(mesh.surface_count(), u32::MAX);
    let refused = Solid::new(mesh);
    assert_eq!(
        refused.err(),
        Some(SolidError::ReservedSurface { triangle: 7 })
    );
}

/// Sites so close that a step of their grid has no inverse, and a pattern so far from the origin that
/// rounding is larger than its cells: numbers that are none went past the check of the range.
#[test]
fn patterns_too_small_for_numbers_are_refused() {
    let solid = Solid::new(Mesh::cuboid([1.0; 3])).expect("a solid");
    let tiny = [DVec3::ZERO, DVec3::X * 1e-310, DVec3::Y * 1e-310];
    let tiny = Pattern::from_sites(&tiny).expect("a pattern");
    let refused = fracture(&solid, &tiny, &all(), &mut Workspace::default());
    let too_small = |e: &FractureError| matches!(e, FractureError::PatternTooSmall { .. });
    assert!(refused.as_ref().is_err_and(too_small), "{refused:?}");
    let far = Mesh::cuboid([1.0; 3]);
    let positions = far.positions.iter().map(|p| [p[0], p[1] + 1e14, p[2]]);
    let far = Mesh::from_triangles(positions.collect(), far.triangles);
    let Ok(far) = Solid::shell(far, 1.0) else {
        return; // the box has collapsed
    };
    let cut = FractureParams {
        placement: Placement {
            linear: DMat3::IDENTITY,
            translation: DVec3::Y * 1e14,
        },
        ..all()
    };
    let pattern = Pattern::from_sites(&[DVec3::ZERO, DVec3::X]).expect("a pattern");
    let refused = fracture(&far, &pattern, &cut, &mut Workspace::default());
    assert!(refused.as_ref().is_err_and(too_small), "{refused:?}");
}
