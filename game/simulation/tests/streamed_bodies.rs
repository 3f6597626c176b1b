//! External bodies are in the debris world only while they are near debris, which nothing but its cost
//! shows.

use fracture_simulation::geometry::glam::{Quat, Vec3};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::rapier3d::prelude::{RigidBodyBuilder, SphericalJointBuilder};
use fracture_simulation::{
    external::{ExternalBody, JointDesc},
    Body, BodyRef, Broken, Impact, Motion, Pose, Settings, SharedShape, Simulation,
};

use crate::engine::{floor, Engine};
use crate::rubble_piles::add_to_both;
use crate::setup::{at, body, broken, cube, impact_at, step, waiting, with};

const FLOOR: u64 = 1;
const FIRST: u64 = 10;

fn with_floor(mut simulation: Simulation) -> Simulation {
    let ground = SharedShape::cuboid(500.0, 0.5, 500.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(FLOOR, ground).unwrap();
    simulation
}

/// Ten thousand posts, 4 m apart, one in three turned.
fn level(simulation: &mut Simulation) {
    for number in 0..10_000u64 {
        let place = [number % 100, number / 100].map(|i| 4.0 * i as f32 - 198.0);
        let turn = Quat::from_rotation_y((number % 3) as f32 * 0.4);
        let place = Vec3::new(place[0], 1.0, place[1]);
        let shape = SharedShape::cuboid(0.2, 1.0, 0.2);
        let place = Motion::at(Pose::from_parts(place, turn));
        let post = ExternalBody::fixed(shape, place);
        simulation.set_external_body(FIRST + number, post).unwrap();
    }
}

/// Breaks a cube at a height above the origin.
fn drop_cube(simulation: &mut Simulation, x: f32, height: f32, velocity: Vec3) -> Broken {
    let motion = Motion {
        linear: velocity,
        ..at(x, height, 0.0)
    };
    let id = simulation.add(Body { motion, ..cube() }).unwrap();
    let wide = Impact {
        radius: Some(2.0),
        ..impact_at(id, [x, height, 0.0])
    };
    simulation.impact(wide).unwrap();
    broken(simulation)
}

fn steps(simulation: &mut Simulation, count: usize) {
    (0..count).for_each(|_| _ = step(simulation));
}

fn active(simulation: &Simulation) -> usize {
    simulation.statistics().active_external_bodies
}

fn centers(simulation: &Simulation, broken: &Broken) -> Vec<Vec3> {
    let pieces = broken.pieces.iter();
    let center = |piece: &fracture_simulation::NewPiece| {
        let pose = simulation.motion(piece.body)?.pose;
        Some(pose.transform_point(piece.mass.center.as_vec3()))
    };
    pieces.filter_map(center).collect()
}

fn lowest(simulation: &Simulation, broken: &Broken) -> f32 {
    let heights = centers(simulation, broken).into_iter().map(|c| c.y);
    heights.fold(f32::INFINITY, f32::min)
}

#[test]
fn of_a_level_the_bodies_near_debris_are_active() {
    let mut simulation = with_floor(waiting());
    level(&mut simulation);
    step(&mut simulation);
    assert_eq!(simulation.statistics().external_bodies, 10_001);
    assert_eq!(active(&simulation), 0);
    let broken = drop_cube(&mut simulation, 0.0, 3.0, Vec3::ZERO);
    assert!(
        (5..80).contains(&active(&simulation)),
        "{}",
        active(&simulation)
    );
    steps(&mut simulation, 400);
    assert_eq!(simulation.statistics().awake, 0);
    assert!(lowest(&simulation, &broken) > 0.0);
    let near = active(&simulation);
    assert!((5..80).contains(&near), "{near}");
    assert_eq!(simulation.remove(broken.body), broken.pieces.len());
    // Bodies stay active for two seconds, and are deactivated at 64 a step.
    steps(&mut simulation, 10);
    assert_eq!(active(&simulation), near);
    steps(&mut simulation, 130);
    assert_eq!(active(&simulation), 0);
    assert_eq!(simulation.statistics().external_bodies, 10_001);
}

#[test]
fn what_flies_fast_meets_what_was_far_away() {
    for (distance, speed) in [(60.0, 40.0), (200.0, 90.0)] {
        let mut simulation = waiting();
        let shape = SharedShape::cuboid(0.5, 300.0, 300.0);
        let wall = ExternalBody::fixed(shape, at(distance, 0.0, 0.0));
        simulation.set_external_body(FIRST, wall).unwrap();
        let velocity = Vec3::new(speed, 5.0, 0.0);
        let broken = drop_cube(&mut simulation, 0.0, 0.0, velocity);
        assert_eq!(active(&simulation), 0);
        steps(&mut simulation, 240);
        let centers = centers(&simulation, &broken);
        let farthest = centers.iter().map(|c| c.x).fold(f32::MIN, f32::max);
        assert!(
            farthest < distance && farthest > distance - 80.0,
            "{farthest}"
        );
        let shy = centers.iter().filter(|c| c.x < 1.0).count();
        assert!(shy < centers.len() / 4, "{shy} never came near");
    }
}

#[test]
fn a_platform_that_comes_from_far_away_pushes_debris() {
    let mut simulation = with_floor(waiting());
    let plough = |x: f32| at(x, 0.5, 0.0);
    let shape = SharedShape::cuboid(0.3, 0.4, 2.0);
    let moving = ExternalBody::kinematic(shape, plough(-80.0));
    simulation.set_external_body(FIRST, moving).unwrap();
    let broken = drop_cube(&mut simulation, 0.0, 0.6, Vec3::ZERO);
    steps(&mut simulation, 200);
    assert_eq!(active(&simulation), 1, "the floor alone");
    let before = centers(&simulation, &broken);
    let mut came_at = None;
    for frame in 0..300 {
        // 20 m/s
        let x = -80.0 + frame as f32 / 3.0;
        assert!(simulation.set_external_motion(FIRST, plough(x.min(1.0))));
        step(&mut simulation);
        if active(&simulation) == 2 {
            came_at.get_or_insert(x);
        }
    }
    let came_at = came_at.unwrap();
    assert!((-40.0..-4.0).contains(&came_at), "it came at {came_at}");
    let after = centers(&simulation, &broken);
    let pushed = |(now, then): (&Vec3, &Vec3)| (now.x - then.x > 0.5).then_some(());
    let pushed = after.iter().zip(&before).filter_map(pushed).count();
    assert!(pushed > before.len() / 2, "{pushed} of {}", before.len());
    // The plough goes away again, upwards, where no piece is in its way.
    for frame in 0..300 {
        let up = at(1.0, 0.5 + frame as f32 / 3.0, 0.0);
        simulation.set_external_motion(FIRST, up);
        step(&mut simulation);
    }
    assert_eq!(active(&simulation), 1);
}

#[test]
fn what_is_put_elsewhere_grown_or_taken_away_is_so_for_debris() {
    for freeze_after in [1.0, f32::INFINITY] {
        table_comes_and_goes(with(Settings {
            freeze_after,
            ..Settings::default()
        }));
    }
}

fn table_comes_and_goes(simulation: Simulation) {
    let mut simulation = with_floor(simulation);
    let table = || SharedShape::cuboid(4.0, 0.25, 4.0);
    let put = |simulation: &mut Simulation, shape, place| {
        let table = ExternalBody::fixed(shape, place);
        simulation.set_external_body(FIRST, table).unwrap();
    };
    // The table is far away when the cube breaks, and is then moved right below the pieces.
    put(&mut simulation, table(), at(300.0, 2.0, 0.0));
    let first = drop_cube(&mut simulation, 0.0, 4.0, Vec3::ZERO);
    assert!(simulation.set_external_motion(FIRST, at(0.0, 2.0, 0.0)));
    steps(&mut simulation, 300);
    assert!(lowest(&simulation, &first) > 2.25);
    // Without the table the pieces fall.
    assert!(simulation.set_external_motion(FIRST, at(300.0, 2.0, 0.0)));
    steps(&mut simulation, 120);
    let fallen = centers(&simulation, &first);
    assert!(fallen.iter().all(|c| c.y < 1.5 && c.y > 0.0), "{fallen:?}");
    simulation.remove(first.body);
    // The table far away grows until it reaches below the pieces.
    let second = drop_cube(&mut simulation, 0.0, 4.0, Vec3::ZERO);
    let large = SharedShape::cuboid(310.0, 0.25, 4.0);
    put(&mut simulation, large, at(300.0, 2.0, 0.0));
    steps(&mut simulation, 300);
    assert!(lowest(&simulation, &second) > 2.25);
    // The table shrinks again, and is then removed.
    put(&mut simulation, table(), at(300.0, 2.0, 0.0));
    steps(&mut simulation, 120);
    assert!(centers(&simulation, &second).iter().all(|c| c.y < 1.5));
    assert!(simulation.remove_external_body(FIRST));
    assert!(!simulation.remove_external_body(FIRST));
    steps(&mut simulation, 200);
    assert_eq!(simulation.statistics().external_bodies, 1);
    assert_eq!(active(&simulation), 1);
}

#[test]
fn questions_are_answered_alike_for_what_is_near_and_what_is_not() {
    // The same external bodies with debris among them, and without.
    let scenery = |simulation: &mut Simulation| {
        let triangle = [Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 2.0];
        let shapes = [
            SharedShape::ball(0.7),
            SharedShape::cuboid(0.5, 1.0, 0.7),
            SharedShape::capsule_y(0.5, 0.3),
            SharedShape::cylinder(0.8, 0.4),
            SharedShape::triangle(triangle[0], triangle[1], triangle[2]),
            SharedShape::trimesh(triangle.to_vec(), vec![[0, 1, 2]]).unwrap(),
        ];
        for (key, shape) in (FIRST..).zip(shapes) {
            let x = 3.0 * (key - FIRST) as f32 - 8.0;
            let turned = Quat::from_rotation_z(0.3 * x);
            let place = Pose::from_parts(Vec3::new(x, 1.0, 2.0), turned);
            let one = ExternalBody::fixed(shape, Motion::at(place));
            simulation.set_external_body(key, one).unwrap();
        }
    };
    let mut far = waiting();
    scenery(&mut far);
    step(&mut far);
    let mut near = waiting();
    scenery(&mut near);
    let _ = drop_cube(&mut near, 0.0, 6.0, Vec3::ZERO);
    let _ = drop_cube(&mut near, 6.0, 6.0, Vec3::ZERO);
    let _ = drop_cube(&mut near, -6.0, 6.0, Vec3::ZERO);
    assert_eq!([active(&far), active(&near)], [0, 6]);
    let ball = SharedShape::ball(0.2);
    let turned = Pose::from_parts(Vec3::ZERO, Quat::from_rotation_y(0.5));
    let (mut hits, mut overlaps) = (0, 0);
    for number in 0..400 {
        let (x, y) = (
            (number % 20) as f32 - 10.0,
            (number / 20) as f32 * 0.2 - 1.0,
        );
        let from = Vec3::new(x + 0.13, y, -3.0);
        let way = Vec3::new(0.02 * y, 0.01 * x, 1.0);
        let ask = |world: &Simulation| {
            [
                world.cast_ray(from, way, 20.0),
                world.cast_shape(&ball, Pose::from_translation(from), way, 20.0),
            ]
        };
        for (a, b) in ask(&far).into_iter().zip(ask(&near)) {
            let Some((a, b)) = a.zip(b) else {
                assert_eq!(a, b, "{number}");
                continue;
            };
            hits += 1;
            assert_eq!((a.external, a.body), (b.external, None), "{number}");
            assert!((a.distance - b.distance).abs() < 1e-4, "{a:?} {b:?}");
            assert!((a.point - b.point).length() < 1e-3, "{a:?} {b:?}");
            assert!((a.normal - b.normal).length() < 1e-3, "{a:?} {b:?}");
        }
        let place = Pose::from_translation(Vec3::new(x, y, 2.0)) * turned;
        let around =
            |world: &Simulation| world.overlap_shape(&SharedShape::cuboid(0.8, 0.1, 0.2), place);
        assert_eq!(around(&far), around(&near), "{number}");
        overlaps += around(&far).len();
    }
    assert!(
        hits > 100 && overlaps > 50,
        "{hits} hits, {overlaps} overlaps"
    );
    assert_eq!(far.cast_ray(Vec3::ZERO, -Vec3::Z, f32::INFINITY), None);
    let still = Pose::from_translation(Vec3::ZERO);
    assert_eq!(far.cast_shape(&ball, still, -Vec3::Z, f32::INFINITY), None);
}

#[test]
fn rubble_that_lies_does_not_notice_what_comes_and_goes() {
    let mut simulation = with_floor(waiting());
    level(&mut simulation);
    let lying = drop_cube(&mut simulation, 2.0, 0.6, Vec3::ZERO);
    steps(&mut simulation, 400);
    let all = lying.pieces.len();
    assert_eq!(simulation.statistics().frozen, all);
    let (before, places) = (active(&simulation), centers(&simulation, &lying));
    let flying = Vec3::new(40.0, 2.0, 0.0);
    let passing = drop_cube(&mut simulation, -60.0, 14.0, flying);
    let mut most = 0;
    for _ in 0..110 {
        step(&mut simulation);
        most = most.max(active(&simulation));
        assert!(simulation.statistics().frozen >= all);
    }
    assert!(most > 2 * before, "{most} of {before}");
    simulation.remove(passing.body);
    steps(&mut simulation, 200);
    // An active body stays active until it is twice as far away.
    let after = active(&simulation);
    assert!(after < 3 * before && 2 * after < most, "{after} of {most}");
    assert_eq!(simulation.statistics().frozen, all);
    assert_eq!(centers(&simulation, &lying), places);
}

#[test]
fn a_stack_higher_than_what_is_near_weighs_on_debris() {
    let statics = [floor(0.0)];
    let mut simulation = crate::rubble_piles::simulation_with(&statics);
    let slab = Body {
        motion: at(0.0, 0.15, 0.0),
        ..body(Mesh::cuboid([3.0, 0.3, 3.0]))
    };
    let id = simulation.add(slab).unwrap();
    let cut = Impact {
        radius: Some(4.0),
        ..impact_at(id, [0.0, 0.3, 0.0])
    };
    simulation.impact(cut).unwrap();
    let broken = broken(&mut simulation);
    steps(&mut simulation, 60);
    let mut engine = crate::rubble_piles::engine_with(&statics);
    let mut single = crate::rubble_piles::engine_with(&statics);
    single.adopt(&simulation, &broken);
    let shape = SharedShape::cuboid(1.0, 1.0, 1.0);
    let (mut keys, mut references) = (Vec::new(), Vec::new());
    for index in 0..10u8 {
        let y = 1.35 + 2.02 * f32::from(index);
        let crate_ = || RigidBodyBuilder::dynamic().translation(Vec3::new(0.0, y, 0.0));
        references.push(single.add(crate_(), shape.clone(), 50.0));
        let key = FIRST + u64::from(index);
        let body = add_to_both(
            &mut simulation,
            &mut engine,
            key,
            crate_(),
            shape.clone(),
            400.0,
        );
        keys.push((key, body));
    }
    step(&mut simulation);
    assert!(active(&simulation) < 8, "{}", active(&simulation));
    for _ in 0..400 {
        engine.frame(&mut simulation, &keys);
        single.step();
    }
    assert_eq!(active(&simulation), 11, "all crates and the floor");
    for ((_, handle), reference) in keys.iter().zip(references) {
        let [found, expected] = [engine.motion(*handle), single.motion(reference)];
        let off = found.pose.translation - expected.pose.translation;
        assert!(off.y.abs() < 0.005 && off.length() < 0.05, "{off}");
    }
}

#[test]
fn what_hangs_on_a_joint_comes_as_a_whole() {
    let mut simulation = with_floor(waiting());
    let mut engine = Engine::default();
    let (mut keys, links) = (Vec::new(), 12u64);
    let hook = ExternalBody::fixed(SharedShape::ball(0.05), at(0.0, 30.0, 0.0));
    simulation.set_external_body(FIRST, hook).unwrap();
    for link in 1..=links {
        let place = Vec3::new(0.0, 30.0 - 2.0 * link as f32, 0.0);
        let shape = SharedShape::capsule_y(0.8, 0.1);
        let body = RigidBodyBuilder::dynamic().translation(place);
        let key = FIRST + link;
        keys.push((
            key,
            add_to_both(&mut simulation, &mut engine, key, body, shape, 5.0),
        ));
        let joint = SphericalJointBuilder::new()
            .local_anchor1(Vec3::new(0.0, -1.0, 0.0))
            .local_anchor2(Vec3::new(0.0, 1.0, 0.0));
        let ends = [key - 1, key].map(BodyRef::External);
        let joint = joint.build().data;
        simulation.set_joint(
            key,
            JointDesc {
                bodies: ends,
                joint,
            },
        );
    }
    steps(&mut simulation, 3);
    assert_eq!(active(&simulation), 0);
    let broken = drop_cube(&mut simulation, 1.0, 0.6, Vec3::ZERO);
    assert_eq!(active(&simulation), 14, "a floor, a hook and all links");
    // Without debris the chain is deactivated. Without one of its joints only half of it is activated
    // again.
    simulation.remove(broken.body);
    steps(&mut simulation, 130);
    assert_eq!(active(&simulation), 0);
    assert!(simulation.remove_joint(FIRST + 3));
    let _ = drop_cube(&mut simulation, 1.0, 0.6, Vec3::ZERO);
    assert_eq!(active(&simulation), 11);
}

#[test]
fn the_same_calls_bring_the_same_for_any_number_of_threads() {
    let run = |threads: usize| {
        let mut simulation = with_floor(with(Settings {
            threads,
            physics_threads: threads,
            ..Settings::default()
        }));
        level(&mut simulation);
        let velocity = Vec3::new(15.0, 3.0, 6.0);
        let _ = drop_cube(&mut simulation, -20.0, 3.0, velocity);
        let mut told = Vec::new();
        for frame in 0..200u16 {
            let place = at(f32::from(frame) * 0.1, 1.0, 1.0);
            simulation.set_external_motion(FIRST + 4950, place);
            step(&mut simulation);
            told.push((active(&simulation), simulation.state_hash()));
        }
        told
    };
    let one = run(1);
    assert!(one.iter().map(|(count, _)| *count).max() > Some(30));
    for threads in [2, 8, 1, 0] {
        assert_eq!(run(threads), one);
    }
}
