//! Blades, and impacts that break nothing.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, PieceKind};
use fracture_simulation::{BodyId, Broken, Impact};

use crate::setup::{
    at, body, broken, cube, impact_at, push, step, waiting, wall, written_and_read,
};
use fracture_simulation::{Body, Simulation};

fn cut(body: Body, point: [f32; 3], normal: Vec3) -> (Simulation, Broken) {
    saw(body, point, normal, 0.0)
}

/// A cut that takes out a width in metres.
fn saw(body: Body, point: [f32; 3], normal: Vec3, kerf: f32) -> (Simulation, Broken) {
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    let blade = Impact {
        kerf,
        ..Impact::blade(id, point.into(), normal)
    };
    simulation.impact(blade).unwrap();
    step(&mut simulation);
    let broken = broken(&mut simulation);
    (simulation, broken)
}

/// The distance of the corners of cut faces from the plane, and the side on which the other corners lie.
fn sides(broken: &Broken, point: Vec3, normal: Vec3) -> Vec<(f32, f32)> {
    let normal = normal.normalize();
    let side = |piece: &fracture_simulation::NewPiece| {
        let solid = piece.shape.solid().unwrap();
        let over = |p: &[f32; 3]| (Vec3::from(*p) - point).dot(normal);
        let heights = solid.mesh().positions.iter().map(over);
        heights.fold((f32::MAX, f32::MIN), |(low, high), h| {
            (low.min(h), high.max(h))
        })
    };
    broken.pieces.iter().map(side).collect()
}

#[test]
fn a_blade_leaves_two_closed_halves_of_a_plane_cut_whatever_the_damage_threshold() {
    let mut tough = cube();
    tough.material.damage_threshold = Some(1e9);
    let (point, normal) = (Vec3::new(0.1, 0.05, -0.1), Vec3::new(1.0, 2.0, 0.5));
    let (_, broken) = cut(tough, point.to_array(), normal);
    assert_eq!(broken.pieces.len(), 2);
    assert!(broken.pieces.iter().all(|piece| piece.closed == Some(true)));
    assert!(broken.volume_error < 1e-9, "{}", broken.volume_error);
    let sides = sides(&broken, point, normal);
    let above = sides.iter().filter(|(low, _)| *low > -1e-5).count();
    let below = sides.iter().filter(|(_, high)| *high < 1e-5).count();
    assert_eq!((above, below), (1, 1), "{sides:?}");
    assert!(
        broken.crack_area > 0.9 && broken.crack_area < 2.0,
        "{}",
        broken.crack_area
    );
}

#[test]
fn both_sides_of_a_wall_that_is_cut_upright_go_on_standing() {
    let (mut simulation, broken) = cut(wall(), [0.3, 1.0, 0.1], Vec3::X);
    assert_eq!(broken.pieces.len(), 2);
    assert!(broken.pieces.iter().all(|piece| piece.anchored));
    let island = |kind| matches!(kind, PieceKind::Island { .. });
    assert!(broken.pieces.iter().all(|piece| island(piece.kind)));
    let places: Vec<_> = broken.pieces.iter().map(|piece| piece.motion).collect();
    (0..60).for_each(|_| drop(step(&mut simulation)));
    let now = broken
        .pieces
        .iter()
        .map(|p| simulation.motion(p.body).unwrap());
    assert_eq!(now.collect::<Vec<_>>(), places);
}

#[test]
fn the_upper_part_of_a_wall_that_is_cut_askew_slides_off() {
    let normal = Vec3::new(0.0, 1.0, 1.2);
    let (mut simulation, broken) = cut(wall(), [0.0, 1.0, 0.1], normal);
    let free: Vec<BodyId> = broken
        .pieces
        .iter()
        .filter(|p| !p.anchored)
        .map(|p| p.body)
        .collect();
    assert_eq!((broken.pieces.len(), free.len()), (2, 1));
    (0..120).for_each(|_| drop(step(&mut simulation)));
    let slid = simulation.motion(free[0]).unwrap().pose.translation;
    assert!(slid.y < -0.3 && slid.z > 0.1, "{slid}");
}

/// Two bars above each other, as one body.
fn bars() -> Mesh {
    let mut bars = Mesh::cuboid([1.0, 0.2, 0.2]);
    let mut upper = Mesh::cuboid([1.0, 0.2, 0.2]);
    for position in &mut upper.positions {
        position[1] += 0.8;
    }
    let from = bars.positions.len() as u32;
    let moved = upper
        .triangles
        .iter()
        .map(|t| t.map(|corner| corner + from));
    bars.triangles.extend(moved);
    bars.positions.extend(&upper.positions);
    bars.normals.extend(&upper.normals);
    bars.uvs.extend(&upper.uvs);
    bars.tangents.extend(&upper.tangents);
    bars.surfaces.extend(&upper.surfaces);
    bars
}

#[test]
fn everything_in_the_plane_is_cut_and_unconnected_parts_come_apart() {
    let (_, broken) = cut(body(bars()), [0.0, 0.1, 0.0], Vec3::X);
    assert_eq!(broken.pieces.len(), 4);
    assert!(broken.pieces.iter().all(|piece| piece.closed == Some(true)));
    assert!(broken
        .pieces
        .iter()
        .all(|piece| (piece.mass.volume - 0.02).abs() < 1e-6));
}

#[test]
fn a_cut_beside_the_body_leaves_it_whole() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    let blade = Impact::blade(id, Vec3::new(0.0, 3.0, 0.0), Vec3::Y);
    simulation.impact(blade).unwrap();
    step(&mut simulation);
    step(&mut simulation);
    assert!(simulation.motion(id).is_some(), "it is whole");
}

#[test]
fn a_piece_of_a_cut_is_saved_and_brought_back() {
    let again = || {
        let mut simulation = waiting();
        let id = simulation.add(wall()).unwrap();
        (simulation, id)
    };
    let (mut simulation, id) = again();
    let blade = Impact::blade(id, Vec3::new(0.0, 1.0, 0.1), Vec3::new(0.3, 1.0, 0.2));
    simulation.impact(blade).unwrap();
    (0..30).for_each(|_| drop(step(&mut simulation)));
    let past = simulation.save_compact(id);
    let (mut fresh, id) = again();
    fresh.restore(id, &written_and_read(past.clone())).unwrap();
    assert_eq!(fresh.save_compact(id), past);
}

#[test]
fn a_kerf_becomes_dust_and_the_sides_are_closed() {
    let point = Vec3::new(0.1, 0.05, -0.1);
    let shapes = [
        ("cube", Mesh::cuboid([1.0; 3])),
        ("ball", Mesh::sphere(0.5, 24, 16)),
        ("bars", bars()),
    ];
    for (name, mesh) in shapes {
        for normal in [Vec3::Y, Vec3::new(1.0, 2.0, 0.5), Vec3::NEG_Z] {
            for kerf in [0.001f32, 0.01, 0.08] {
                let told = format!("{name}, {normal}, {kerf} m");
                let (_, broken) = saw(body(mesh.clone()), point.to_array(), normal, kerf);
                assert!(broken.pieces.len() >= 2, "{told}");
                assert!(broken.pieces.iter().all(|piece| piece.closed == Some(true)));
                assert!(broken.volume_error < 1e-6, "{told}");
                let least = 0.5 * kerf - 1e-5;
                for (low, high) in sides(&broken, point, normal) {
                    assert!(low > least || high < -least, "{told}: {low} to {high}");
                }
                let kept: f64 = broken.pieces.iter().map(|piece| piece.mass.volume).sum();
                // A crack has one side's area, and a kerf has two cracks.
                let taken = 0.5 * broken.crack_area * kerf;
                let share = (broken.volume - kept) as f32 / taken;
                assert!((share - 1.0).abs() < 0.02, "{told}: {share}");
            }
        }
    }
}

#[test]
fn the_sides_of_a_kerf_stand_are_saved_and_are_cut_again() {
    let again = || {
        let mut simulation = waiting();
        let id = simulation.add(wall()).unwrap();
        (simulation, id)
    };
    let (mut simulation, id) = again();
    for point in [Vec3::new(0.3, 1.0, 0.1), Vec3::new(-0.7, 1.0, 0.1)] {
        let blade = Impact {
            kerf: 0.02,
            ..Impact::blade(id, point, Vec3::X)
        };
        simulation.impact(blade).unwrap();
        (0..30).for_each(|_| drop(step(&mut simulation)));
    }
    assert_eq!(simulation.save_compact(id).pieces.len(), 3);
    // The nearest piece is struck.
    simulation.impact(impact_at(id, [-1.4, 1.0, 0.1])).unwrap();
    (0..30).for_each(|_| drop(step(&mut simulation)));
    let past = simulation.save(id);
    let (mut fresh, id) = again();
    fresh.restore(id, &written_and_read(past.clone())).unwrap();
    assert_eq!(fresh.save(id), past);
}

#[test]
fn a_kerf_as_wide_as_the_body_leaves_it_whole() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    let blade = Impact {
        kerf: 3.0,
        ..Impact::blade(id, Vec3::ZERO, Vec3::Y)
    };
    simulation.impact(blade).unwrap();
    step(&mut simulation);
    step(&mut simulation);
    assert!(simulation.motion(id).is_some(), "it is whole");
    for kerf in [-0.01, f32::NAN, f32::INFINITY] {
        let blade = Impact { kerf, ..blade };
        let error = simulation.impact(blade).unwrap_err();
        assert!(error.to_string().contains("kerf"), "{error}");
    }
}

#[test]
fn a_push_moves_a_piece_and_nothing_else_and_breaks_nothing() {
    let mut simulation = waiting();
    let id = simulation
        .add(Body {
            motion: at(0.0, 5.0, 0.0),
            ..cube()
        })
        .unwrap();
    let to_the_right = push(Vec3::X * 300.0);
    assert!(
        !simulation.push(id, Vec3::ZERO, &to_the_right),
        "the engine moves what is whole"
    );
    simulation.impact(impact_at(id, [0.0, 5.5, 0.0])).unwrap();
    step(&mut simulation);
    let pieces = broken(&mut simulation).pieces;
    let largest = pieces
        .iter()
        .max_by(|a, b| a.kilograms.total_cmp(&b.kilograms))
        .unwrap();
    let before = simulation.motion(largest.body).unwrap().linear.x;
    let center = simulation
        .motion(largest.body)
        .unwrap()
        .pose
        .transform_point(largest.mass.center.as_vec3());
    assert!(simulation.push(largest.body, center, &to_the_right));
    let events = step(&mut simulation);
    assert!(events
        .iter()
        .all(|event| !matches!(event, fracture_simulation::Event::Broken(_))));
    let after = simulation.motion(largest.body).unwrap().linear.x;
    let expected = 300.0 / largest.kilograms as f32;
    assert!(
        (after - before - expected).abs() < 0.3 * expected,
        "{before} {after} {expected}"
    );
    assert!(!simulation.push(largest.body, center, &push(Vec3::NAN)));
}

#[test]
fn the_nearest_point_of_a_wall_is_on_its_face() {
    let mut simulation = waiting();
    let id = simulation.add(wall()).unwrap();
    simulation.impact(impact_at(id, [1.8, 2.0, 0.0])).unwrap();
    step(&mut simulation);
    let pieces = broken(&mut simulation).pieces;
    let rest = pieces.iter().find(|piece| piece.anchored).unwrap();
    let nearest = simulation.nearest_surface(rest.body, Vec3::new(-1.0, 0.5, 2.0));
    let [point, outward] = nearest.unwrap();
    // Along the face it is only near: the search for it is one of distances.
    assert!((point.z - 0.1).abs() < 1e-3, "{point}");
    assert!(
        (point - Vec3::new(-1.0, 0.5, 0.1)).length() < 0.1,
        "{point}"
    );
    assert!(outward.z > 0.99, "{outward}");
    assert_eq!(simulation.nearest_surface(rest.body, Vec3::NAN), None);
}
