//! Breaking pieces again.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::PieceKind;
use fracture_simulation::{Body, BodyError, Event, Impact, Material, Motion};

use crate::setup::{break_one, broken, cube, impact_at, just_broken, quiet, step, waiting, wall};

#[test]
fn a_second_impact_on_the_wall_breaks_its_remainder() {
    let (mut simulation, first) = break_one(wall(), [-1.0, 1.5, 0.1]);
    // The host knows the wall by its first id.
    simulation
        .impact(impact_at(first.body, [1.2, 1.5, 0.1]))
        .unwrap();
    let second = broken(&mut simulation);
    let rest = first.pieces.iter().find(|piece| piece.anchored).unwrap();
    assert_eq!(second.body, rest.body);
    for piece in &second.pieces {
        assert_eq!(piece.generation, u32::from(!piece.anchored));
    }
    assert!(second.pieces.iter().all(|piece| piece.closed == Some(true)));
    assert!(second.volume_error < 1e-5);
    let whole = 4.0 * 2.0 * 0.2;
    let gone: f64 = first
        .pieces
        .iter()
        .filter(|piece| !piece.anchored)
        .map(|piece| piece.mass.volume)
        .sum();
    assert!((second.volume - (whole - gone)).abs() < 1e-5);
    assert_eq!(
        simulation.set_motion(first.body, Motion::default()),
        Err(BodyError::Unknown)
    );
}

#[test]
fn impacts_in_one_frame_break_one_after_the_other() {
    let mut simulation = waiting();
    let id = simulation.add(wall()).unwrap();
    simulation.impact(impact_at(id, [-1.0, 1.5, 0.1])).unwrap();
    simulation.impact(impact_at(id, [1.0, 1.5, 0.1])).unwrap();
    let first = just_broken(&mut simulation);
    let second = just_broken(&mut simulation);
    let rest = first.pieces.iter().find(|piece| piece.anchored).unwrap();
    assert_eq!(
        second.body, rest.body,
        "the second went to what was nearest"
    );
}

#[test]
fn a_loose_body_is_chipped_until_half_of_it_is_gone_for_each_break_in_a_row() {
    for max_depth in 1..4 {
        let mut simulation = quiet();
        let plain = cube();
        let body = Body {
            material: Material {
                max_depth,
                min_volume: 0.0,
                ..plain.material
            },
            ..plain
        };
        let mut rest = simulation.add(body).unwrap();
        let (mut chips, mut volume) = (0, 1.0);
        'chips: for corner in 0..40 {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
            let way = Vec3::new(pick(0), pick(1), pick(2));
            let along = |a: &Vec3, b: &Vec3| a.dot(way).total_cmp(&b.dot(way));
            let shape = simulation.shape(rest).unwrap();
            let corner = shape.with_mesh(|mesh| {
                let corners = mesh.positions.iter().copied().map(Vec3::from);
                corners.max_by(along).unwrap()
            });
            let pose = simulation.motion(rest).unwrap().pose;
            let corner = pose.transform_point(corner).to_array();
            simulation
                .impact(Impact {
                    radius: Some(0.35),
                    ..impact_at(rest, corner)
                })
                .unwrap();
            for _ in 0..3 {
                for event in step(&mut simulation) {
                    match event {
                        Event::Broken(broken) => {
                            let pieces = broken.pieces.iter();
                            let largest = pieces
                                .max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume))
                                .unwrap();
                            (rest, volume) = (largest.body, largest.mass.volume);
                            chips += 1;
                        }
                        Event::Unbreakable { .. } => break 'chips,
                        _ => {}
                    }
                }
            }
        }
        // 1: its pieces do not break.
        let least = if max_depth == 1 { 0 } else { max_depth };
        assert!(chips > least, "{max_depth}: {chips}");
        let ends = 0.5_f64.powi(max_depth as i32 - 1);
        assert!(volume < ends, "{max_depth}: {volume} after {chips}");
        assert_eq!(simulation.generation(rest), Some(chips));
    }
}

#[test]
fn debris_breaks_again_where_it_is_now() {
    let (mut simulation, first) = break_one(cube(), [0.0, 0.5, 0.0]);
    let largest = |p: &&fracture_simulation::NewPiece| matches!(p.kind, PieceKind::Island { .. });
    let rest = first.pieces.iter().find(largest).unwrap();
    for _ in 0..30 {
        step(&mut simulation);
    }
    let motion = simulation.motion(rest.body).unwrap();
    let center = motion.pose.transform_point(rest.mass.center.as_vec3());
    assert!(center.y < rest.center().y - 0.5, "it fell meanwhile");
    let point = motion.pose.transform_point(Vec3::new(0.0, -0.5, 0.0));
    simulation
        .impact(impact_at(rest.body, point.to_array()))
        .unwrap();
    let second = broken(&mut simulation);
    assert_eq!(second.body, rest.body);
    let falls = |p: &&fracture_simulation::NewPiece| p.motion.linear.y < -1.0;
    assert_eq!(
        second.pieces.iter().filter(falls).count(),
        second.pieces.len()
    );
}

#[test]
fn removing_a_broken_body_removes_its_pieces() {
    let (mut simulation, first) = break_one(cube(), [0.0, 0.5, 0.0]);
    assert_eq!(simulation.descendants(first.body).len(), first.pieces.len());
    assert_eq!(simulation.remove(first.body), first.pieces.len());
    assert_eq!(simulation.statistics().removed, 0);
    step(&mut simulation);
    assert_eq!(simulation.statistics().debris, 0);
    assert!(simulation.descendants(first.body).is_empty());
    assert!(simulation.impact(impact_at(first.body, [0.0; 3])).is_err());
}
