//! Anchored islands stay, free pieces fall.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, PieceKind};
use fracture_simulation::{Anchors, Body, BodyKind, Broken, Impact, Material, NewPiece};

use crate::setup::{body, break_one, broken, impact_at, pattern, step, waiting, wall};

fn islands(broken: &Broken) -> (usize, usize) {
    let island = |p: &&NewPiece| matches!(p.kind, PieceKind::Island { .. });
    let islands: Vec<_> = broken.pieces.iter().filter(island).collect();
    let anchored = islands.iter().filter(|piece| piece.anchored).count();
    (anchored, islands.len() - anchored)
}

#[test]
fn the_rest_of_a_wall_stays_up() {
    let (mut simulation, broken) = break_one(wall(), [0.0, 1.5, 0.1]);
    assert_eq!(islands(&broken), (1, 0));
    let rest = broken.pieces.iter().find(|piece| piece.anchored).unwrap();
    assert_eq!(simulation.kind(rest.body), Some(BodyKind::Remainder));
    for _ in 0..60 {
        step(&mut simulation);
    }
    let motion = simulation.motion(rest.body).unwrap();
    assert_eq!(motion, rest.motion);
    assert!(simulation
        .moving_pieces()
        .all(|(body, _)| body != rest.body));
    let ray = simulation
        .cast_ray(Vec3::new(1.8, 0.2, 5.0), Vec3::NEG_Z, 10.0)
        .unwrap();
    assert_eq!(ray.body, Some(rest.body), "it stands in the way of debris");
    assert!((ray.distance - 4.9).abs() < 1e-3 && ray.normal.z > 0.99);
}

/// A column on its base, cut through in the middle.
fn column() -> Body {
    let mut column = wall();
    let mut mesh = fracture_simulation::geometry::Mesh::cuboid([0.3, 3.0, 0.3]);
    for position in &mut mesh.positions {
        position[1] += 1.5;
    }
    column.shape = fracture_simulation::Shape::new(mesh);
    column.material = Material {
        min_radius: 0.4,
        max_radius: 0.4,
        ..column.material
    };
    column
}

#[test]
fn the_top_of_a_column_that_is_cut_through_falls() {
    // The impact of a ball of 10 kg at 15 m/s.
    let mut simulation = waiting();
    let id = simulation.add(column()).unwrap();
    let ball = Impact {
        normal: Vec3::Z,
        impulse: Vec3::new(0.0, 0.0, -150.0),
        energy: 1125.0,
        ..impact_at(id, [0.0, 1.5, 0.15])
    };
    simulation.impact(ball).unwrap();
    let broken = broken(&mut simulation);
    assert!(islands(&broken).0 >= 1 && islands(&broken).1 >= 1);
    let free = |p: &&NewPiece| !p.anchored && matches!(p.kind, PieceKind::Island { .. });
    let higher = |a: &&NewPiece, b: &&NewPiece| a.center().y.total_cmp(&b.center().y);
    let top = broken.pieces.iter().filter(free).max_by(higher).unwrap();
    assert!(top.center().y > 1.5);
    let before = top.center().y;
    // The upper part slides off the rubble in the gap.
    for _ in 0..90 {
        step(&mut simulation);
    }
    let motion = simulation.motion(top.body).unwrap();
    let after = motion.pose.transform_point(top.mass.center.as_vec3()).y;
    assert!(after < before - 0.5, "from {before} to {after}");
}

#[test]
fn anchors_from_bounds_are_the_whole_bodys() {
    let mut body = column();
    body.anchors = Anchors::from_bounds(|[low, high]| {
        assert!((high.y - 3.0).abs() < 1e-6 && low.y.abs() < 1e-6);
        vec![[low - 0.01, Vec3::new(high.x, low.y, high.z) + 0.01]]
    });
    let (mut simulation, first) = break_one(body, [0.0, 1.5, 0.15]);
    assert_eq!(islands(&first), (1, 1));
    let rest = first.pieces.iter().find(|piece| piece.anchored).unwrap();
    simulation
        .impact(impact_at(rest.body, [0.0, 0.6, 0.15]))
        .unwrap();
    let second = broken(&mut simulation);
    assert_eq!(second.body, rest.body);
    for piece in &second.pieces {
        assert_eq!(piece.generation, u32::from(!piece.anchored));
    }
    assert!(second.volume_error < 1e-5);
}

#[test]
fn the_anchored_remainder_of_a_wall_breaks_again_and_again() {
    let (mut simulation, first) = break_one(wall(), [-1.5, 1.5, 0.1]);
    let mut standing = first;
    for [x, y] in [[-0.4, 1.5], [0.7, 1.5], [1.7, 1.5], [-1.0, 0.5], [1.2, 0.5]] {
        let rest = standing.pieces.iter().find(|piece| piece.anchored).unwrap();
        simulation
            .impact(impact_at(rest.body, [x, y, 0.1]))
            .unwrap();
        standing = broken(&mut simulation);
        assert!(standing.pieces.len() > 1, "at {x}, {y}");
    }
}

#[test]
fn a_body_without_anchors_falls_as_a_whole() {
    let body = Body {
        anchors: Anchors::free(),
        ..wall()
    };
    let (_, broken) = break_one(body, [0.0, 1.5, 0.1]);
    assert_eq!(islands(&broken).0, 0);
}

#[test]
fn a_small_anchor_in_the_middle_of_a_large_face_holds() {
    let middle = Vec3::new(-1.5, 1.0, 0.1);
    let body = Body {
        anchors: Anchors::boxes(vec![[middle - 0.02, middle + 0.02]]),
        ..wall()
    };
    let (_, broken) = break_one(body, [1.5, 1.5, 0.1]);
    assert_eq!(islands(&broken), (1, 0));
}

#[test]
fn several_anchored_islands_are_bodies_of_their_own() {
    // A beam held at both ends and cut through in the middle.
    let mesh = fracture_simulation::geometry::Mesh::cuboid([4.0, 0.3, 0.3]);
    let body = Body {
        anchors: Anchors::boxes(vec![
            [Vec3::new(-2.1, -1.0, -1.0), Vec3::new(-1.99, 1.0, 1.0)],
            [Vec3::new(1.99, -1.0, -1.0), Vec3::new(2.1, 1.0, 1.0)],
        ]),
        ..crate::setup::body(mesh)
    };
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    let impact = impact_at(id, [0.0, 0.15, 0.0]);
    simulation
        .impact(fracture_simulation::Impact {
            radius: Some(0.4),
            ..impact
        })
        .unwrap();
    let broken = broken(&mut simulation);
    assert_eq!(islands(&broken), (2, 0));
    assert_eq!(simulation.statistics().remainders, 2);
}

/// A pane of 2 x 1.6 m in a frame, which breaks all over.
fn framed_pane(held_pieces_stay: bool) -> Body {
    let pane = body(Mesh::cuboid([2.0, 1.6, 0.02]));
    let side = |[x, y]: [f32; 2], [far_x, far_y]: [f32; 2]| {
        [Vec3::new(x, y, -0.1), Vec3::new(far_x, far_y, 0.1)]
    };
    Body {
        anchors: Anchors::boxes(vec![
            side([-1.1, -0.9], [1.1, -0.75]),
            side([-1.1, 0.75], [1.1, 0.9]),
            side([-1.1, -0.9], [-0.95, 0.9]),
            side([0.95, -0.9], [1.1, 0.9]),
        ]),
        material: Material {
            min_radius: 3.0,
            max_radius: 3.0,
            held_pieces_stay,
            ..pane.material
        },
        pattern: pattern(300),
        ..pane
    }
}

#[test]
fn shards_that_reach_into_a_frame_stay_there_if_the_material_says_so() {
    for point in [[0.0, 0.0, 0.01], [0.6, 0.3, 0.01], [-0.9, 0.7, 0.01]] {
        let (_, broken) = break_one(framed_pane(true), point);
        let reaches = |mesh: &Mesh| {
            let is_held = |[x, y, _]: &[f32; 3]| x.abs() >= 0.95 || y.abs() >= 0.75;
            mesh.positions.iter().any(is_held)
        };
        let mut held = 0;
        for piece in &broken.pieces {
            let reaches = piece.shape.with_mesh(reaches);
            assert_eq!(piece.anchored, reaches, "{point:?}");
            held += usize::from(piece.anchored);
        }
        assert!(held > 3 && held < broken.pieces.len(), "{held}");
        assert!(broken.volume_error < 1e-5);
        let (_, broken) = break_one(framed_pane(false), point);
        assert!(broken.pieces.iter().all(|piece| !piece.anchored));
    }
}
