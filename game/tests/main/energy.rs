//! The energy account of a scene: it rises only by what impacts bring.

use crate::{
    impacts::wall,
    world::{broken, World},
};
use fracture::{Destructible, Event, Impact, MassSource, Pieces};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// Frames within which the engine stops a striker and the break gives back what it has not absorbed.
const WINDOW: usize = 5;

/// A script whose pieces are all bodies, with the damage threshold of its material.
fn brittle() -> Destructible {
    Destructible {
        pieces: Pieces {
            dust_size: 0.0.into(),
            ..Pieces::default()
        },
        ..Destructible::default()
    }
}

fn set_velocity(world: &mut World, body: Handle<Node>, velocity: Vector3<f32>) {
    let body: &mut RigidBody = world.scene.graph.try_get_mut_of_type(body).unwrap();
    body.set_lin_vel(velocity);
}

/// Runs some frames, in which nothing may come out of nothing but 1 % of the energy that has been brought or has
/// gone; `brought` joules come with impacts that have been queued. Returns the events.
fn account(world: &mut World, frames: usize, brought: f64, what: &str) -> Vec<Event> {
    let energy = |world: &World| world.destruction.mechanical_energy(&world.scene);
    let mut recent = vec![energy(world) + brought];
    let mut turnover = brought;
    let mut events = Vec::new();
    for frame in 0..frames {
        events.extend(world.step());
        let now = energy(world);
        let allowed = recent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        turnover += (recent.last().unwrap() - now).max(0.0);
        let excess = now - allowed;
        assert!(
            excess < 1.0 + 0.01 * turnover,
            "{what}, frame {frame}: {excess} J come out of nothing, of {turnover} J in all"
        );
        recent.push(now);
        if recent.len() > WINDOW {
            recent.remove(0);
        }
    }
    for event in &events {
        if let Event::Broken {
            energy,
            diagnostics,
            ..
        } = event
        {
            let (gain, most) = (diagnostics.energy_gain, f64::from(*energy));
            assert!(gain <= 1.01 * most, "{what}: {gain} of {most} J");
            let (gain, most) = (diagnostics.momentum_gain, diagnostics.impulse);
            assert!(
                gain.norm() <= 1.01 * most.norm() + 1e-3,
                "{what}: {gain} of {most} N s"
            );
        }
    }
    events
}

/// Energies of the impacts that broke something, J.
fn energies(events: &[Event]) -> Vec<f32> {
    let energy = |event: &Event| match event {
        Event::Broken { energy, .. } => Some(*energy),
        _ => None,
    };
    events.iter().filter_map(energy).collect()
}

#[test]
fn a_ball_gives_a_wall_no_more_than_it_has() {
    for (mass, speed, thickness) in [(20.0, 30.0, 0.2), (5.0, 60.0, 0.05), (300.0, 8.0, 0.4)] {
        for script in [brittle(), wall(20.0)] {
            let mut world = World::new();
            world.floor();
            let (kind, at) = (RigidBodyType::Static, Vector3::new(0.0, 1.0, 0.0));
            world.block("wall", kind, at, Vector3::new(3.0, 2.0, thickness), script);
            world.ball(
                mass,
                Vector3::new(0.2, 1.1, 3.0),
                Vector3::new(0.0, 0.5, -speed),
            );
            world.step();
            let what = format!("{mass} kg, {speed} m/s, {thickness} m");
            let events = account(&mut world, 90, 0.0, &what);
            let most = 0.5 * mass * speed * speed + mass * 9.81 * 2.0;
            let sum: f32 = energies(&events).iter().take(1).sum();
            assert!(sum > 0.0 && sum < 1.01 * most, "{what}: {sum} of {most} J");
        }
    }
}

#[test]
fn two_bodies_that_break_each_other_share_what_they_have() {
    for (speed, source) in [
        (12.0, MassSource::FromDensity),
        (30.0, MassSource::FromDensity),
        (30.0, MassSource::FromBody),
    ] {
        let mut world = World::new();
        world.floor();
        let script = || Destructible {
            mass_source: source.into(),
            ..brittle()
        };
        let kind = RigidBodyType::Dynamic;
        let size = Vector3::new(0.6, 0.5, 0.7);
        let left = world.block("left", kind, Vector3::new(-2.0, 1.0, 0.0), size, script());
        world.block(
            "right",
            kind,
            Vector3::new(0.0, 0.9, 0.1),
            size * 1.3,
            script(),
        );
        world.steps(3);
        set_velocity(&mut world, left, Vector3::new(speed, 0.0, 0.0));
        world.step();
        let events = account(&mut world, 60, 0.0, &format!("{speed} m/s, {source:?}"));
        assert!(broken(&events).len() >= 2, "{speed} m/s, {source:?}");
    }
}

#[test]
fn a_fall_breaks_with_the_energy_of_its_height() {
    for (height, size) in [(3.0, 0.5), (8.0, 1.0), (20.0, 0.4)] {
        let mut world = World::new();
        world.floor();
        let (kind, at) = (RigidBodyType::Dynamic, Vector3::new(0.0, height, 0.0));
        world.block(
            "block",
            kind,
            at,
            Vector3::new(size, 0.7 * size, size),
            brittle(),
        );
        world.steps(3);
        let what = format!("{height} m");
        let events = account(&mut world, 180, 0.0, &what);
        let most = 2400.0 * 0.7 * size.powi(3) * 9.81 * height;
        let found = energies(&events)[0];
        assert!(found < 1.01 * most, "{what}: {found} of {most} J");
    }
}

#[test]
fn a_bomb_hands_out_no_more_than_it_has() {
    for (energy, distance) in [(2e4, 0.6), (4e5, 1.0), (4.2e6, 1.5)] {
        let mut world = World::new();
        world.floor();
        let (kind, size) = (RigidBodyType::Static, Vector3::new(3.0, 2.8, 0.2));
        world.block("wall", kind, Vector3::new(0.0, 1.4, 0.0), size, brittle());
        let kind = RigidBodyType::Dynamic;
        for (index, x) in [-1.0, 0.2, 1.1].into_iter().enumerate() {
            let size = Vector3::repeat(0.3 + 0.2 * index as f32);
            let at = Vector3::new(x, 0.5 * size.y, 2.0 + distance);
            world.block("crate", kind, at, size, brittle());
            world.ball(5.0, Vector3::new(x, 0.2, 1.0 + distance), Vector3::zeros());
        }
        world.steps(20);
        for round in 0..3 {
            let center = Vector3::new(0.1, 0.8, distance);
            world.destruction.explosion(center, 6.0, energy).unwrap();
            let what = format!("{energy} J at {distance} m, round {round}");
            account(&mut world, 60, f64::from(energy), &what);
            let objects = ["wall", "crate"].into_iter();
            let pieces = objects.flat_map(|name| world.destruction.pieces_of(name));
            for piece in pieces {
                let speed = piece.velocity.norm();
                assert!(speed < 60.0, "{what}: {} at {speed} m/s", piece.name);
            }
        }
    }
}

#[test]
fn an_impact_of_odd_figures_gives_no_more_than_its_energy() {
    for (impulse, energy) in [(55.0, 1.0), (600.0, 30.0), (20.0, 2e4), (4e3, 4e3)] {
        for kind in [RigidBodyType::Dynamic, RigidBodyType::Static] {
            let mut world = World::new();
            world.floor();
            let at = Vector3::new(0.0, 0.35, 0.0);
            world.block("block", kind, at, Vector3::repeat(0.5), wall(1.0));
            world.steps(30);
            let normal = Vector3::new(0.0, 0.3, 1.0).normalize();
            let impact = Impact::new(Vector3::new(0.1, 0.4, 0.25), normal, energy)
                .with_impulse(-normal * impulse);
            world
                .destruction
                .impact_by_name(&world.scene, "block", impact)
                .unwrap();
            let what = format!("{impulse} N s, {energy} J, {kind:?}");
            let events = account(&mut world, 60, energy.into(), &what);
            assert!(!broken(&events).is_empty(), "{what}");
        }
    }
}

/// A rod that floats freely, and the place near its end at which it is struck.
fn free_rod(world: &mut World, length: f32, thickness: f32, script: Destructible) -> Vector3<f32> {
    let size = Vector3::new(length, thickness, thickness);
    let at = Vector3::new(0.3, 2.0, -0.2);
    let rod = world.block("rod", RigidBodyType::Dynamic, at, size, script);
    let physics = &mut world.scene.graph.physics;
    physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    world.steps(3);
    world.node(rod).global_position() + Vector3::new(0.48 * length, 0.5 * thickness, 0.0)
}

#[test]
fn a_blow_on_the_end_of_a_rod_gives_it_no_more_than_it_has() {
    for (length, thickness, impulse, energy) in [
        (1.0, 0.0316, 20.0, 100.0),
        (2.0, 0.05, 60.0, 90.0),
        (0.6, 0.1, 500.0, 2e3),
        (3.0, 0.02, 4.0, 800.0),
    ] {
        let mut world = World::new();
        let end = free_rod(&mut world, length, thickness, wall(1e6));
        let blow = Impact::new(end, Vector3::y(), energy);
        let blow = blow.with_impulse(Vector3::y() * -impulse);
        world
            .destruction
            .impact_by_name(&world.scene, "rod", blow)
            .unwrap();
        let before = world.destruction.mechanical_energy(&world.scene);
        let what = format!("{length} m, {impulse} N s, {energy} J");
        let events = account(&mut world, 4, energy.into(), &what);
        let after = world.destruction.mechanical_energy(&world.scene);
        assert!(broken(&events).is_empty(), "{what}");
        assert!(after - before > 0.01, "{what}: {before} {after} J");
    }
}

#[test]
fn a_push_on_the_end_of_a_rod_makes_that_no_faster_than_it_may_be() {
    for (length, thickness, impulse, speed) in [(1.0, 0.05, 1e4, 5.0), (2.0, 0.04, 3.0, 50.0)] {
        let mut world = World::new();
        let end = free_rod(&mut world, length, thickness, wall(1e6));
        let origin = end + Vector3::y();
        let before = world.destruction.mechanical_energy(&world.scene);
        let pushed =
            world
                .destruction
                .push(&mut world.scene, origin, -Vector3::y(), 2.0, impulse, speed);
        assert!(pushed.is_some());
        world.steps(2);
        let gained = world.destruction.mechanical_energy(&world.scene) - before;
        let mass = 2400.0 * length * thickness * thickness;
        // The end of a rod is as easily moved as a quarter of its mass.
        let of_speed = 0.5 * 0.26 * mass * speed * speed;
        let most = of_speed.min(0.5 * impulse * speed);
        assert!(
            gained > 0.01 && gained < f64::from(1.05 * most),
            "{length} m: {gained} of {most} J"
        );
    }
}
