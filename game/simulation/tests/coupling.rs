//! Bodies of the engine among debris, compared with the same in one single rapier world.

use fracture_simulation::geometry::glam::{DVec3, Vec3};
use fracture_simulation::geometry::{Mesh, Pattern};
use fracture_simulation::rapier3d::prelude::*;
use fracture_simulation::{
    external::{BodyDesc, BodyType, ExternalBody, JointDesc, MassDesc},
    pattern::{LazyPattern, PatternFit},
    Body, BodyRef, Broken, Impact, Motion, Simulation,
};

use crate::engine::{floor, Engine};
use crate::rubble_piles::{
    add_to_both, bricks, engine_with, heap, pavement, pile, pit, rubble, simulation_with,
};
use crate::setup::{at, broken, impact_at, step};

const FIRST: u64 = 10;

/// Mean speed and height of a body over the last five of ten seconds.
fn rest(mut frame: impl FnMut() -> (f32, f32)) -> (f32, f32) {
    (0..300).for_each(|_| _ = frame());
    let sum = (0..300).map(|_| frame());
    let sum = sum.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    (sum.0 / 300.0, sum.1 / 300.0)
}

/// Residual speed and height of a ball on rubble: in the engine beside the debris world, and in one
/// single world.
fn ball_on(world: (Simulation, Engine, Broken), mass: f32, from: f32) -> [(f32, f32); 2] {
    let ball = || RigidBodyBuilder::dynamic().translation(Vec3::new(0.0, from, 0.0));
    let shape = SharedShape::ball(0.3);
    let (mut simulation, mut engine, broken) = world;
    let mut single = engine_with(&pit());
    single.adopt(&simulation, &broken);
    let density = mass / shape.mass_properties(1.0).mass();
    let reference = single.add(ball(), shape.clone(), density);
    let handle = add_to_both(&mut simulation, &mut engine, FIRST, ball(), shape, mass);
    let keys = [(FIRST, handle)];
    let expected = rest(|| {
        single.step();
        let body = &single.bodies[reference];
        (body.linvel().length(), body.translation().y)
    });
    let found = rest(|| {
        engine.frame(&mut simulation, &keys);
        let body = &engine.bodies[handle];
        (body.linvel().length(), body.translation().y)
    });
    [found, expected]
}

/// Speed that the solver's noise gives a resting body, m/s.
const NOISE: f32 = 0.005;

#[test]
fn a_ball_comes_to_rest_on_a_pile_as_in_one_world() {
    for mass in [1.0, 20.0, 500.0] {
        let [found, expected] = ball_on(pile(), mass, 1.6);
        let largest = 2.0 * expected.0 + NOISE;
        assert!(
            found.0 <= largest,
            "{mass} kg: {found:?}, in one world {expected:?}"
        );
    }
}

#[test]
fn a_ball_on_a_pavement_rests_as_high_as_in_one_world() {
    for mass in [1.0, 20.0, 500.0] {
        let [found, expected] = ball_on(pavement(), mass, 0.9);
        let largest = 2.0 * expected.0 + NOISE;
        assert!(
            found.0 <= largest,
            "{mass} kg: {found:?}, in one world {expected:?}"
        );
        let off = (found.1 - expected.1).abs();
        assert!(off < 0.005, "{mass} kg: {off} m off");
    }
}

#[test]
fn a_stack_of_crates_stands_on_a_slab_of_debris() {
    let mut simulation = simulation_with(&pit());
    let sites = [DVec3::new(-0.4, 0.0, 0.0), DVec3::new(0.4, 0.0, 0.0)];
    let pattern = LazyPattern::new(move || Pattern::from_sites(&sites));
    let slab = Mesh::cuboid([1.5, 0.2, 1.5]);
    let broken = rubble(&mut simulation, slab, at(0.0, 0.1, 0.0), pattern);
    let mut engine = engine_with(&pit());
    let mut single = engine_with(&pit());
    single.adopt(&simulation, &broken);
    let (mut keys, mut references) = (Vec::new(), Vec::new());
    for index in 0..3u8 {
        let y = 0.47 + 0.51 * f32::from(index);
        let body = || RigidBodyBuilder::dynamic().translation(Vec3::new(0.02, y, 0.0));
        let shape = SharedShape::cuboid(0.25, 0.25, 0.25);
        let key = FIRST + u64::from(index);
        references.push(single.add(body(), shape.clone(), 160.0));
        let handle = add_to_both(&mut simulation, &mut engine, key, body(), shape, 20.0);
        keys.push((key, handle));
    }
    for _ in 0..600 {
        engine.frame(&mut simulation, &keys);
        single.step();
    }
    for ((_, handle), reference) in keys.iter().zip(references) {
        let (found, expected) = (engine.motion(*handle), single.motion(reference));
        let off = found.pose.translation - expected.pose.translation;
        assert!(off.y.abs() < 0.005, "{} m too high", off.y);
        assert!(off.length() < 0.02, "{off} beside");
        let largest = 2.0 * expected.linear.length() + NOISE;
        assert!(
            found.linear.length() < largest,
            "{} m/s",
            found.linear.length()
        );
    }
}

#[test]
fn a_light_crate_never_leaves_faster_than_the_chunk_that_fell_on_it() {
    let statics = [floor(0.0)];
    let mut simulation = simulation_with(&statics);
    let mut engine = engine_with(&statics);
    let edge = (100.0f32 / 2400.0).cbrt() * 2.0f32.cbrt();
    let body = Body {
        motion: at(0.1, 2.5, 0.0),
        pattern: LazyPattern::new(|| {
            Pattern::from_sites(&[DVec3::new(0.0, 0.4, 0.0), DVec3::new(0.0, -0.4, 0.0)])
        }),
        fit: PatternFit::BODY,
        ..crate::setup::body(Mesh::cuboid([edge; 3]))
    };
    let id = simulation.add(body).unwrap();
    let cut = Impact {
        radius: Some(2.0),
        energy: 1e-3,
        ..impact_at(id, [0.1, 2.5, 0.0])
    };
    simulation.impact(cut).unwrap();
    let chunks = broken(&mut simulation);
    assert!(chunks
        .pieces
        .iter()
        .all(|p| (90.0..110.0).contains(&p.kilograms)));
    let shape = SharedShape::cuboid(0.15, 0.15, 0.15);
    let place = RigidBodyBuilder::dynamic().translation(Vec3::new(0.0, 0.15, 0.0));
    let handle = add_to_both(&mut simulation, &mut engine, FIRST, place, shape, 1.0);
    let mut single = engine_with(&statics);
    single.adopt(&simulation, &chunks);
    let place = RigidBodyBuilder::dynamic().translation(Vec3::new(0.0, 0.15, 0.0));
    let shape = SharedShape::cuboid(0.15, 0.15, 0.15);
    let reference = single.add(place, shape, 1.0 / 0.027);
    let (mut chunk, mut crate_) = (0.0f32, 0.0f32);
    for _ in 0..300 {
        engine.frame(&mut simulation, &[(FIRST, handle)]);
        single.step();
        for piece in &chunks.pieces {
            chunk = chunk.max(simulation.motion(piece.body).unwrap().linear.length());
        }
        crate_ = crate_.max(engine.motion(handle).linear.length());
    }
    assert!(chunk > 4.0, "the chunk came at {chunk} m/s");
    assert!(
        crate_ > 0.0 && crate_ <= chunk,
        "{crate_} m/s after {chunk} m/s"
    );
    let end = engine.motion(handle).pose.translation;
    assert!(end.y > 0.1 && end.y < 1.2, "the crate ended at {end}");
    assert_rests(&engine.motion(handle), &single.motion(reference));
}

/// Asserts that a body rests as in one world: as high, and hardly faster.
fn assert_rests(found: &Motion, expected: &Motion) {
    let off = found.pose.translation.y - expected.pose.translation.y;
    assert!(
        off.abs() < 0.005,
        "{off} m too high: {found:?}, {expected:?}"
    );
    let (speed, reference) = (found.linear.length(), expected.linear.length());
    let largest = 2.0 * reference + NOISE;
    assert!(speed <= largest, "{speed} m/s, in one world {reference}");
}

fn centers(simulation: &Simulation, broken: &Broken) -> Vec<Vec3> {
    let center = |piece: &fracture_simulation::NewPiece| {
        let pose = simulation.motion(piece.body).unwrap().pose;
        pose.transform_point(piece.mass.center.as_vec3())
    };
    broken.pieces.iter().map(center).collect()
}

#[test]
fn a_character_walks_over_rubble_and_pushes_small_pieces() {
    let starts = [0.0, 0.1, 0.2];
    let heights = starts.map(walk_over_rubble);
    let [mut lifted, mut there] = [0.0; 2];
    for [height, in_one_world] in heights {
        lifted += height / starts.len() as f32;
        there += in_one_world / starts.len() as f32;
    }
    assert!(lifted < there + 0.1, "lifted to {heights:?} m");
}

/// Walks over a heap, beginning `aside` metres from its middle; the greatest heights on the way, m, and in one world.
fn walk_over_rubble(aside: f32) -> [f32; 2] {
    let (mut simulation, mut engine, broken) = heap();
    let before = centers(&simulation, &broken);
    let body = || {
        RigidBodyBuilder::dynamic()
            .translation(Vec3::new(-2.0, 0.9, aside))
            .lock_rotations()
    };
    let shape = SharedShape::capsule(Vec3::new(0.0, -0.5, 0.0), Vec3::new(0.0, 0.5, 0.0), 0.4);
    let density = 80.0 / shape.mass_properties(1.0).mass();
    let mut single = engine_with(&[floor(0.0)]);
    single.adopt(&simulation, &broken);
    let reference = single.add(body(), shape.clone(), density);
    let handle = engine.add(body(), shape.clone(), density);
    let mut free = ExternalBody::dynamic(shape, engine.motion(handle), 80.0);
    if let BodyType::Dynamic(dynamics) = &mut free.desc.body_type {
        dynamics.locked_rotations = [true; 3];
    }
    simulation.set_external_body(FIRST, free).unwrap();
    let mut highest = [0.0f32; 2];
    for _ in 0..240 {
        // As the script of a player: the velocity along the ground is set, that upwards is kept.
        for (world, body) in [(&mut engine, handle), (&mut single, reference)] {
            let body = &mut world.bodies[body];
            let up = body.linvel().y;
            body.set_linvel(Vec3::new(2.0, up, 0.0), true);
        }
        engine.frame(&mut simulation, &[(FIRST, handle)]);
        single.step();
        let [at, there] = [engine.motion(handle), single.motion(reference)];
        highest[0] = highest[0].max(at.pose.translation.y);
        highest[1] = highest[1].max(there.pose.translation.y);
        assert!(at.linear.length() < 4.0, "{at:?}");
    }
    let end = engine.motion(handle).pose.translation;
    let there = single.motion(reference).pose.translation;
    assert!(end.x > 2.0, "the character came to {end}");
    assert!((end.x - there.x).abs() < 0.5, "{end}, in one world {there}");
    assert!(
        (end.y - there.y).abs() < 0.005,
        "{end}, in one world {there}"
    );
    let moved = centers(&simulation, &broken).into_iter().zip(before);
    let pushed = moved
        .filter(|(now, then)| (*now - *then).length() > 0.1)
        .count();
    assert!(pushed > 5, "{pushed} pieces were pushed");
    highest
}

#[test]
fn a_heavy_crate_ploughs_through_rubble_and_loses_speed_as_in_one_world() {
    let starts = [-0.1, 0.0, 0.1, 0.2];
    let mut off = Vec3::ZERO;
    for [found, expected] in starts.map(plough) {
        assert!(
            expected.x > -1.0 && expected.x < 1.5,
            "in one world it stops at {expected}"
        );
        // It may have come to lie on a brick.
        assert!((found.y - expected.y).abs() < 0.05, "{found}, {expected}");
        off += (found - expected) / starts.len() as f32;
    }
    assert!(off.y.abs() < 0.02, "{off}");
    assert!(off.length() < 0.5, "{off}");
}

/// Where a heavy crate that slides into a heap of rubble, to a side of its middle by some metres, stops, and where it does in
/// one world.
fn plough(aside: f32) -> [Vec3; 2] {
    let (mut simulation, mut engine, broken) = heap();
    let mut single = engine_with(&[floor(0.0)]);
    single.adopt(&simulation, &broken);
    let body = || {
        RigidBodyBuilder::dynamic()
            .translation(Vec3::new(-2.0, 0.41, aside))
            .linvel(Vec3::new(7.0, 0.0, 0.0))
    };
    let shape = SharedShape::cuboid(0.4, 0.4, 0.4);
    let reference = single.add(body(), shape.clone(), 500.0 / 0.512);
    let handle = add_to_both(&mut simulation, &mut engine, FIRST, body(), shape, 500.0);
    for _ in 0..240 {
        engine.frame(&mut simulation, &[(FIRST, handle)]);
        single.step();
    }
    let (found, expected) = (engine.motion(handle), single.motion(reference));
    // On the edge of a brick it rocks by some centimetres a second for seconds, in one world as well.
    let speeds = [found, expected].map(|motion| motion.linear.length());
    assert!(speeds.iter().all(|speed| *speed < 0.05), "{speeds:?} m/s");
    let furthest = centers(&simulation, &broken)
        .iter()
        .map(|c| c.x)
        .fold(0.0, f32::max);
    assert!(furthest > 0.8, "{furthest}");
    [found, expected].map(|motion| motion.pose.translation)
}

#[test]
fn a_platform_carries_rubble() {
    let mut simulation = simulation_with(&[floor(-1.0)]);
    let platform = ExternalBody::kinematic(SharedShape::cuboid(1.5, 0.1, 1.5), at(0.0, -0.1, 0.0));
    simulation.set_external_body(FIRST, platform).unwrap();
    let slab = Mesh::cuboid([1.5, 0.1, 1.5]);
    let broken = rubble(&mut simulation, slab, at(0.0, 0.05, 0.0), bricks());
    let before = centers(&simulation, &broken);
    let mut single = engine_with(&[floor(-1.0)]);
    let pieces = single.adopt(&simulation, &broken);
    let body = RigidBodyBuilder::kinematic_position_based().translation(Vec3::Y * -0.1);
    let under = single.add(body, SharedShape::cuboid(1.5, 0.1, 1.5), 1.0);
    for frame in 1..=180u16 {
        // It starts gently and then moves at 1 m/s.
        let time = f32::from(frame) / 60.0;
        let x = if time < 1.0 {
            0.5 * time * time
        } else {
            time - 0.5
        };
        assert!(simulation.set_external_motion(FIRST, at(x, -0.1, 0.0)));
        step(&mut simulation);
        single.bodies[under].set_next_kinematic_position(at(x, -0.1, 0.0).pose);
        single.step();
    }
    // It goes on at 1 m/s, and the pieces with it.
    let mut behind = 0.0;
    for (piece, reference) in broken.pieces.iter().zip(pieces) {
        let [found, expected] = [
            simulation.motion(piece.body).unwrap(),
            single.motion(reference),
        ];
        let still = |motion: Motion| Motion {
            linear: motion.linear - Vec3::X,
            ..motion
        };
        assert_rests(&still(found), &still(expected));
        behind += found.pose.translation.x - expected.pose.translation.x;
    }
    let behind = behind / broken.pieces.len() as f32;
    assert!(behind.abs() < 0.002, "{behind} m behind one world");
    let moved = centers(&simulation, &broken).into_iter().zip(before);
    for (now, then) in moved {
        let way = now - then;
        assert!(
            (way.x - 2.5).abs() < 0.1 && way.y.abs() < 0.05,
            "carried by {way}"
        );
    }
}

#[test]
fn a_body_on_a_joint_is_hit_by_debris_and_stays_on_its_joint() {
    let mut simulation = simulation_with(&[floor(-2.0)]);
    let mut engine = engine_with(&[floor(-2.0)]);
    let hook = engine
        .bodies
        .insert(RigidBodyBuilder::fixed().translation(Vec3::Y));
    let shape = SharedShape::cuboid(0.4, 0.1, 0.4);
    // Only its damping lets the pendulum come to rest.
    let body = || {
        RigidBodyBuilder::dynamic()
            .linear_damping(1.0)
            .angular_damping(1.0)
    };
    let handle = add_to_both(
        &mut simulation,
        &mut engine,
        FIRST,
        body(),
        shape.clone(),
        30.0,
    );
    let joint = SphericalJointBuilder::new().local_anchor2(Vec3::Y);
    engine.joints.insert(hook, handle, joint, true);
    let hook = ExternalBody::fixed(SharedShape::ball(0.01), at(0.0, 1.0, 0.0));
    simulation.set_external_body(FIRST + 1, hook).unwrap();
    let ends = [FIRST + 1, FIRST].map(BodyRef::External);
    let data = joint.build().data;
    simulation.set_joint(
        1,
        JointDesc {
            bodies: ends,
            joint: data,
        },
    );
    for _ in 0..60 {
        engine.frame(&mut simulation, &[(FIRST, handle)]);
    }
    let id = simulation
        .add(Body {
            motion: at(0.4, 1.2, 0.05),
            ..crate::setup::body(Mesh::cuboid([0.4; 3]))
        })
        .unwrap();
    simulation.impact(impact_at(id, [0.4, 1.4, 0.05])).unwrap();
    let broken = broken(&mut simulation);
    let mut single = engine_with(&[floor(-2.0)]);
    single.adopt(&simulation, &broken);
    let hook = single
        .bodies
        .insert(RigidBodyBuilder::fixed().translation(Vec3::Y));
    let plate = single.add(body(), shape, 30.0 / 0.128);
    single.joints.insert(hook, plate, joint, true);
    let (mut touched, mut fastest) = (0, [0.0f32; 2]);
    let mut furthest = [0.0f32; 2];
    let mut late = [(0.0f32, 0.0f32); 2];
    for frame in 0..1500 {
        engine.frame(&mut simulation, &[(FIRST, handle)]);
        single.step();
        touched += simulation.corrected_motions().count();
        for (index, motion) in [engine.motion(handle), single.motion(plate)]
            .into_iter()
            .enumerate()
        {
            let off = (motion.pose.transform_point(Vec3::Y) - Vec3::Y).length();
            furthest[index] = furthest[index].max(off);
            fastest[index] = fastest[index].max(motion.linear.length());
            if frame >= 1300 {
                late[index].0 += motion.linear.length() / 200.0;
                late[index].1 += motion.pose.translation.y / 200.0;
            }
        }
    }
    assert!(touched > 3, "debris touched it in {touched} frames");
    assert!(fastest[0] < 1.5 * fastest[1], "{fastest:?} m/s");
    // In the end it hangs as still as in one world, at the same place.
    let [found, expected] = late;
    assert!(found.0 <= 2.0 * expected.0 + NOISE, "{late:?}");
    assert!((found.1 - expected.1).abs() < 0.005, "{late:?}");
    assert!(
        furthest[0] < 2.0 * furthest[1] + 0.005,
        "the joint was off by {furthest:?} m"
    );
}

#[test]
fn a_ball_with_ccd_flies_through_no_rubble_however_fast_it_is() {
    let (mass, shape) = (20.0, SharedShape::ball(0.1));
    for speed in [15.0, 45.0, 80.0, 200.0, 600.0] {
        // The step in which it arrives begins here and there before the rubble.
        for phase in [0.0, 0.35, 0.7] {
            let (mut simulation, mut engine, _) = heap();
            let from = Vec3::new(-1.0 - (2.0 + phase) * speed / 60.0, 0.2, 0.03);
            let density = mass / shape.mass_properties(1.0).mass();
            let ball = RigidBodyBuilder::dynamic()
                .translation(from)
                .linvel(Vec3::X * speed)
                .ccd_enabled(true);
            let handle = engine.add(ball, shape.clone(), density);
            let desc = MassDesc {
                ccd_enabled: true,
                ..MassDesc::default()
            };
            let desc = BodyDesc::new(shape.clone(), BodyType::Dynamic(desc));
            let mut ball = ExternalBody {
                desc,
                motion: engine.motion(handle),
            };
            ball.desc.colliders[0].density = density;
            simulation.set_external_body(FIRST, ball).unwrap();
            while engine.motion(handle).pose.translation.x < 3.0
                && engine.motion(handle).linear.x > 1.0
            {
                engine.frame(&mut simulation, &[(FIRST, handle)]);
            }
            let kept = engine.motion(handle).linear.x;
            assert!(kept < 0.95 * speed, "{speed} m/s, {phase}: {kept} m/s");
        }
    }
}
