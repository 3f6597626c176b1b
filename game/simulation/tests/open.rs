//! Meshes that are not closed: refused, repaired, or broken as sheets.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, SolidError};
use fracture_simulation::{Anchors, Body, BreakFailure, Event, OpenMeshPolicy, Shape};

use crate::setup::{body, break_one, broken, impact_at, step, waiting};

/// A cube of one metre without some of its triangles.
fn holed(missing: impl Fn(usize) -> bool) -> Mesh {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    let mut index = 0;
    mesh.triangles.retain(|_| {
        index += 1;
        !missing(index - 1)
    });
    mesh
}

/// A wavy sheet in the x z plane, 2 by 1 m.
fn sheet() -> Mesh {
    let (columns, rows) = (40u32, 10u32);
    let mut mesh = Mesh::default();
    for at in 0..(columns + 1) * (rows + 1) {
        let (i, j) = ((at % (columns + 1)) as f32, (at / (columns + 1)) as f32);
        let wave = 0.05 * f32::from(((i as i32 / 2) % 2) as i8);
        let (x, z) = (i / columns as f32 * 2.0 - 1.0, j / rows as f32 - 0.5);
        mesh.positions.push([x, wave, z]);
    }
    for at in 0..columns * rows {
        let a = at / columns * (columns + 1) + at % columns;
        let (b, c) = (a + columns + 1, a + columns + 2);
        mesh.triangles.extend([[a, b, c], [a, c, a + 1]]);
    }
    mesh
}

fn open(mesh: Mesh, opening: OpenMeshPolicy) -> Body {
    let shape = Shape::lazy_with(opening, move || Ok(mesh));
    Body {
        shape,
        ..body(Mesh::cuboid([1.0; 3]))
    }
}

fn failure(body: Body) -> BreakFailure {
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    for _ in 0..4 {
        for event in step(&mut simulation) {
            match event {
                Event::BreakFailed { reason, .. } => return reason,
                Event::Broken(broken) => panic!("{broken:?}"),
                _ => {}
            }
        }
    }
    panic!("nothing was said");
}

const SHELL: OpenMeshPolicy = OpenMeshPolicy::Shell { thickness: 0.002 };

#[test]
fn open_meshes_are_refused_unless_told_otherwise() {
    for (mesh, opening) in [
        (holed(|t| t == 0), OpenMeshPolicy::Refuse),
        // A hole as large as a side is not a small one.
        (holed(|t| t < 2), OpenMeshPolicy::Repair),
    ] {
        let reason = failure(open(mesh, opening));
        let is_open = matches!(reason, BreakFailure::Solid(SolidError::NotClosed { .. }));
        assert!(is_open, "{opening:?}: {reason}");
    }
    let reason = failure(open(sheet(), OpenMeshPolicy::Shell { thickness: 0.0 }));
    assert!(reason.to_string().contains("thickness"), "{reason}");
    let reason = failure(open(
        sheet(),
        OpenMeshPolicy::Shell {
            thickness: f64::NAN,
        },
    ));
    assert!(reason.to_string().contains("thickness"), "{reason}");
}

#[test]
fn small_holes_are_closed_and_pieces_are_closed() {
    let mut mesh = Mesh::sphere(0.5, 40, 40);
    mesh.triangles.remove(700);
    mesh.triangles[300].swap(0, 1);
    let (_, broken) = break_one(open(mesh, OpenMeshPolicy::Repair), [0.0, 0.5, 0.0]);
    assert!(broken.pieces.len() > 3);
    assert!(broken.pieces.iter().all(|piece| piece.closed == Some(true)));
    assert!(broken.volume_error < 1e-5, "{}", broken.volume_error);
}

#[test]
fn a_sheet_breaks_into_thin_pieces_that_fall_and_break_again() {
    let (mut simulation, one) = break_one(open(sheet(), SHELL), [0.0, 0.0, 0.0]);
    assert!(one.pieces.len() > 3, "{}", one.pieces.len());
    let area: f64 = 2.0 * 1.0 * (0.05f64.hypot(0.05) / 0.1 + 0.5);
    let mass: f64 = one.pieces.iter().map(|piece| piece.kilograms).sum();
    let wanted = area * 0.002 * 2400.0;
    assert!((mass / wanted - 1.0).abs() < 0.01, "{mass} of {wanted} kg");
    assert!(one.volume_error < 1e-5, "{}", one.volume_error);
    assert!(one.crack_area < 0.1, "{} m^2 of cracks", one.crack_area);
    assert_eq!(one.boxed_hulls, 0);
    // Hulls are as thin as the pieces are wavy.
    for piece in &one.pieces {
        let bounds = piece.colliders.first().compute_local_aabb();
        assert!(bounds.extents().y < 0.1, "{:?}", bounds.extents());
    }
    let largest = one
        .pieces
        .iter()
        .max_by(|a, b| a.kilograms.total_cmp(&b.kilograms));
    let again = largest.unwrap();
    let at = simulation.motion(again.body).unwrap().pose;
    let middle = at.transform_point(again.mass.center.as_vec3());
    let mut second = impact_at(again.body, middle.to_array());
    second.radius = Some(0.4);
    simulation.impact(second).unwrap();
    let two = broken(&mut simulation);
    let mass: f64 = two.pieces.iter().map(|piece| piece.kilograms).sum();
    assert!((mass / again.kilograms - 1.0).abs() < 1e-5, "still a sheet");
}

#[test]
fn a_held_sheet_stays_and_a_closed_mesh_is_no_sheet() {
    let held = Body {
        anchors: Anchors::from_bounds(|[low, high]: [Vec3; 2]| {
            let strip = (high - low) * Vec3::new(0.02, 1.0, 1.0);
            vec![[low, low + strip]]
        }),
        ..open(sheet(), SHELL)
    };
    let (_, broken) = break_one(held, [0.9, 0.0, 0.0]);
    assert_eq!(
        broken.pieces.iter().filter(|piece| piece.anchored).count(),
        1
    );
    let (_, broken) = break_one(open(Mesh::cuboid([1.0; 3]), SHELL), [0.0, 0.5, 0.0]);
    assert!((broken.volume - 1.0).abs() < 1e-9, "{}", broken.volume);
}

#[test]
fn only_an_open_mesh_is_mended() {
    let open = || {
        let mut mesh = Mesh::cuboid([1.0; 3]);
        mesh.positions[0][0] += 1e-3;
        Ok(mesh)
    };
    let shell = OpenMeshPolicy::Shell { thickness: 0.01 };
    for policy in [OpenMeshPolicy::Refuse, OpenMeshPolicy::Repair, shell] {
        let unmended = |_: &mut Mesh| panic!("it is closed");
        let closed = Shape::lazy_mended(policy, unmended, None, || Ok(Mesh::cuboid([1.0; 3])));
        assert_eq!(closed.solid().unwrap().mass().volume, 1.0);
        let close = |mesh: &mut Mesh| *mesh = Mesh::cuboid([1.0; 3]);
        let mended = Shape::lazy_mended(policy, close, None, open);
        assert_eq!(mended.solid().unwrap().mass().volume, 1.0);
    }
    // What was mended is what is told to be open still.
    let worse = |mesh: &mut Mesh| mesh.triangles.truncate(7);
    let refused = Shape::lazy_mended(OpenMeshPolicy::Refuse, worse, None, open);
    assert!(refused.solid().is_err());
    refused.with_mesh(|mesh| assert_eq!(mesh.triangles.len(), 7));
}
