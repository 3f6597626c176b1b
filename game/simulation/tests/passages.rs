//! Strikers pass through the fragments that they cut in their way, and through nothing else.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::rapier3d::prelude::*;
use fracture_simulation::{Anchors, Body, BodyId, BodyRef, Broken, BrokenWay, Impact};

use crate::engine::{floor, Engine};
use crate::rubble_piles::{add_to_both, engine_with, simulation_with};
use crate::setup::{at, body, broken};

const BALL: u64 = 10;

/// A slab whose top is at y = 0, held at its ends, with a hole of some radius (m) broken into its middle by a
/// ball that goes on downwards; the height and speed of the ball after each frame.
fn ball_through(size: [f32; 3], hole: f32, mass: f32, speed: f32, lets: bool) -> Vec<[f32; 2]> {
    let statics = [floor(-8.0)];
    let mut simulation = simulation_with(&statics);
    let mut engine = engine_with(&statics);
    let end = 0.5 * size[0];
    let held = |x: f32| {
        [
            Vec3::new(x - 0.05, -9.0, -9.0),
            Vec3::new(x + 0.05, 9.0, 9.0),
        ]
    };
    let mut slab = Body {
        anchors: Anchors::boxes(vec![held(-end), held(end)]),
        motion: at(0.0, -0.5 * size[1], 0.0),
        ..body(Mesh::cuboid(size))
    };
    slab.material.damage_threshold = Some(1e6);
    let id = simulation.add(slab).unwrap();
    let impact = Impact {
        radius: Some(hole),
        ..Impact::new(id, Vec3::ZERO, Vec3::Y, Vec3::Y * -1e6, 1e-3)
    };
    simulation.impact(impact).unwrap();
    let place = RigidBodyBuilder::dynamic()
        .translation(Vec3::Y * 0.305)
        .linvel(Vec3::Y * -speed);
    let shape = SharedShape::ball(0.3);
    let found = broken(&mut simulation);
    // The engine has the colliders of what still stands.
    for piece in found.pieces.iter().filter(|piece| piece.anchored) {
        for shape in piece.colliders.shapes() {
            let fixed = RigidBodyBuilder::fixed().pose(piece.motion.pose);
            engine.add(fixed, shape.clone(), 1.0);
        }
    }
    let handle = add_to_both(&mut simulation, &mut engine, BALL, place, shape, mass);
    if lets {
        let way = BrokenWay {
            point: Vec3::ZERO,
            direction: Vec3::NEG_Y,
            radius: hole,
        };
        simulation.let_through(BodyRef::External(BALL), &pieces(&found), way);
    }
    frames(&mut engine, |engine| {
        engine.frame(&mut simulation, &[(BALL, handle)]);
        engine.motion(handle)
    })
}

/// Height and speed after each frame of a second.
fn frames(
    engine: &mut Engine,
    mut frame: impl FnMut(&mut Engine) -> fracture_simulation::Motion,
) -> Vec<[f32; 2]> {
    let mut height_and_speed = || {
        let motion = frame(engine);
        [motion.pose.translation.y, motion.linear.y]
    };
    (0..60).map(|_| height_and_speed()).collect()
}

/// All pieces: what still stands is not let through either way.
fn pieces(broken: &Broken) -> Vec<BodyId> {
    broken.pieces.iter().map(|piece| piece.body).collect()
}

#[test]
fn a_striker_keeps_its_speed_in_the_fragments() {
    let pane = [2.0, 0.1, 2.0];
    for (mass, speed) in [(2.0, 9.0), (5.0, 20.0)] {
        let stopped = ball_through(pane, 0.6, mass, speed, false);
        let passed = ball_through(pane, 0.6, mass, speed, true);
        // 0.5 m on the other side is above the floor still.
        let beyond = |path: &[[f32; 2]]| path.iter().find(|[y, _]| *y < -0.6).map(|[_, v]| -v);
        let kept = beyond(&passed).expect("it stays in the pane");
        assert!(kept > 0.98 * speed, "{mass} kg: {kept} of {speed} m/s");
        assert!(
            beyond(&stopped).is_none_or(|v| v < 0.8 * speed),
            "{mass} kg is not stopped"
        );
    }
}

#[test]
fn a_striker_is_stopped_by_what_it_has_not_broken() {
    for (mass, speed) in [(600.0, 9.0), (50.0, 4.0)] {
        let path = ball_through([2.0, 0.8, 0.8], 0.15, mass, speed, true);
        let lowest = path.iter().map(|[y, _]| *y).fold(f32::MAX, f32::min);
        // The hole is narrower than the ball and not half as deep as the slab.
        assert!(lowest > -0.2, "{mass} kg sinks to {lowest}");
    }
}

/// The lowest point that a ball reaches that comes down on the middle of a plank of 3 m, which lies on two blocks
/// and was cut through at some place; the ball is let through all of it.
fn lowest_through_plank(cut: f32, radius: f32, mass: f32, speed: f32) -> f32 {
    let block = |x: f32| (SharedShape::cuboid(0.3, 0.5, 0.5), at(x, -0.6, 0.0));
    let statics = [floor(-8.0), block(-1.3), block(1.3)];
    let mut simulation = simulation_with(&statics);
    let mut engine = engine_with(&statics);
    let plank = Body {
        motion: at(0.0, -0.05, 0.0),
        ..body(Mesh::cuboid([3.0, 0.1, 0.2]))
    };
    let id = simulation.add(plank).unwrap();
    let blade = Impact {
        blade: true,
        ..Impact::new(id, Vec3::X * cut, Vec3::X, Vec3::ZERO, 0.0)
    };
    simulation.impact(blade).unwrap();
    let found = broken(&mut simulation);
    let place = RigidBodyBuilder::dynamic()
        .translation(Vec3::Y * 0.305)
        .linvel(Vec3::Y * -speed);
    let shape = SharedShape::ball(0.3);
    let handle = add_to_both(&mut simulation, &mut engine, BALL, place, shape, mass);
    let way = BrokenWay {
        point: Vec3::ZERO,
        direction: Vec3::NEG_Y * speed,
        radius,
    };
    simulation.let_through(BodyRef::External(BALL), &pieces(&found), way);
    let path = frames(&mut engine, |engine| {
        engine.frame(&mut simulation, &[(BALL, handle)]);
        engine.motion(handle)
    });
    path.iter().map(|[y, _]| *y).fold(f32::MAX, f32::min)
}

#[test]
fn a_plank_that_was_not_cut_in_the_way_stops_a_striker() {
    for (mass, speed) in [(40.0, 3.0), (20.0, 6.0)] {
        let lowest = |cut, radius| lowest_through_plank(cut, radius, mass, speed);
        for cut in [1.2, -1.2] {
            let y = lowest(cut, 0.5);
            assert!(y > 0.0, "{mass} kg sinks to {y}, cut at {cut}");
        }
        // Cut in the way, or all within the break: a small striker goes through large pieces of what it broke.
        for (cut, radius) in [(0.0, 0.5), (0.05, 0.5), (1.2, 3.0)] {
            let y = lowest(cut, radius);
            assert!(y < -1.0, "{mass} kg is stopped at {y}, cut at {cut}");
        }
    }
}

#[test]
fn a_ball_that_has_passed_upwards_falls_back_on_what_it_broke() {
    for (mass, speed) in [(10.0, 5.0), (4.0, 6.5), (15.0, 5.6)] {
        // The halves of a plank lie on two blocks, and meet over the gap between them.
        let block = |x: f32| (SharedShape::cuboid(0.3, 0.5, 0.5), at(x, -0.6, 0.0));
        let statics = [floor(-8.0), block(-0.7), block(0.7)];
        let mut simulation = simulation_with(&statics);
        let mut engine = engine_with(&statics);
        let plank = Body {
            motion: at(0.0, -0.05, 0.0),
            ..body(Mesh::cuboid([3.0, 0.1, 0.6]))
        };
        let id = simulation.add(plank).unwrap();
        let blade = Impact::blade(id, Vec3::ZERO, Vec3::X);
        simulation.impact(blade).unwrap();
        let found = broken(&mut simulation);
        let place = RigidBodyBuilder::dynamic()
            .translation(Vec3::Y * -0.405)
            .linvel(Vec3::Y * speed);
        let shape = SharedShape::ball(0.3);
        let handle = add_to_both(&mut simulation, &mut engine, BALL, place, shape, mass);
        let way = BrokenWay {
            point: Vec3::Y * -0.1,
            direction: Vec3::Y,
            radius: 0.5,
        };
        simulation.let_through(BodyRef::External(BALL), &pieces(&found), way);
        let mut frame = |engine: &mut Engine| {
            engine.frame(&mut simulation, &[(BALL, handle)]);
            engine.motion(handle)
        };
        let mut path = frames(&mut engine, &mut frame);
        path.extend(frames(&mut engine, &mut frame));
        let what = format!("{mass} kg, {speed} m/s");
        let top = path.iter().position(|[_, v]| *v < 0.0).unwrap();
        assert!(path[top][0] > 0.5, "{what} rises to {}", path[top][0]);
        let lowest = path[top..].iter().map(|[y, _]| *y).fold(f32::MAX, f32::min);
        assert!(lowest > 0.2, "{what} falls to {lowest}");
    }
}
