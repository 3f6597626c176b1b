//! Explosions as a game sets them off: in the first frame, in succession, in rooms and behind corners.

use crate::{
    impacts::wall,
    world::{broken, hard, loose, World},
};
use fracture::{Destructible, Event, Impact, Settings};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        collider::ColliderShape,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

fn velocity(world: &World, body: Handle<Node>) -> Vector3<f32> {
    let body = world.scene.graph.try_get_of_type::<RigidBody>(body);
    body.unwrap().lin_vel()
}

/// A dynamic body without a script: a box of half a metre.
fn box_at(world: &mut World, at: Vector3<f32>) -> Handle<Node> {
    let shape = ColliderShape::cuboid(0.25, 0.25, 0.25);
    world.body("box", RigidBodyType::Dynamic, at, vec![], shape, None)
}

/// Energy of all impacts that broke something, J.
fn energy_of_breaks(events: &[Event]) -> f32 {
    let energies = events.iter().filter_map(|event| match event {
        Event::Broken { energy, .. } => Some(*energy),
        _ => None,
    });
    energies.sum()
}

/// Runs frames until something has broken, with a bound.
fn until_broken(world: &mut World) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..600 {
        events.extend(world.step());
        if !broken(&events).is_empty() {
            break;
        }
    }
    events
}

/// A wall in front of another, and a free block and a box aside, without gravity.
fn yard(world: &mut World) -> [Handle<Node>; 2] {
    world.floor();
    let physics = &mut world.scene.graph.physics;
    physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    let size = Vector3::new(2.0, 2.0, 0.2);
    let stands = RigidBodyType::Static;
    let at = |height: f32, z: f32| Vector3::new(0.0, 0.5 * height, z);
    world.block("near", stands, at(2.0, 1.0), size, wall(20.0));
    world.block("behind", stands, at(1.6, 2.0), 0.8 * size, wall(20.0));
    let block = world.block(
        "block",
        RigidBodyType::Dynamic,
        Vector3::new(1.5, 0.3, 0.0),
        Vector3::repeat(0.6),
        wall(1e6),
    );
    [block, box_at(world, Vector3::new(-1.5, 0.25, 0.0))]
}

#[test]
fn an_explosion_in_the_first_frame_of_a_scene_reaches_what_nothing_stands_before() {
    for wait_for_results in [true, false] {
        let mut world = World::with(Settings {
            wait_for_results,
            ..Settings::default()
        });
        let [block, aside] = yard(&mut world);
        let center = Vector3::new(0.0, 0.8, 0.0);
        let energy = 1e6;
        assert_eq!(world.destruction.explosion(center, 5.0, energy), Ok(0));
        let events = until_broken(&mut world);
        assert_eq!(broken(&events), ["near"], "{wait_for_results}");
        assert!(energy_of_breaks(&events) < 0.5 * energy);
        assert!(velocity(&world, block).x > 0.05);
        assert!(velocity(&world, aside).x < -0.05);
        assert_eq!(world.faults(), "");
    }
}

#[test]
fn an_explosion_reaches_what_came_into_the_scene_in_its_frame() {
    let mut world = World::new();
    let [block, _] = yard(&mut world);
    world.steps(10);
    let size = Vector3::new(0.2, 2.0, 2.0);
    let at = Vector3::new(-2.5, 1.0, 0.0);
    world.block("new", RigidBodyType::Static, at, size, wall(20.0));
    let thrown = box_at(&mut world, Vector3::new(0.0, 3.0, 0.0));
    let energy = 1e6;
    let center = Vector3::new(0.0, 0.8, 0.0);
    let reached = world.destruction.explosion(center, 5.0, energy);
    assert_eq!(reached, Ok(3), "those that are known");
    let events = world.steps(6);
    let mut names = broken(&events);
    names.sort_unstable();
    assert_eq!(names, ["near", "new"]);
    assert!(energy_of_breaks(&events) < energy);
    assert!(velocity(&world, block).x > 0.05);
    assert!(velocity(&world, thrown).y > 0.1);
    // What comes later is not reached, and what was known was reached once.
    let late = box_at(&mut world, Vector3::new(-1.5, 3.0, -2.5));
    let late_wall = Vector3::new(3.5, 1.0, 0.0);
    world.block("late", RigidBodyType::Static, late_wall, size, wall(20.0));
    let events = world.steps(5);
    assert!(broken(&events).is_empty());
    assert_eq!(velocity(&world, late), Vector3::zeros());
}

#[test]
fn an_object_is_struck_in_its_first_frame() {
    let place = |x: f32| Vector3::new(x, 0.5, 0.0);
    let mut world = World::new();
    world.step();
    let wall = |world: &mut World, name: &str, x: f32| {
        let script = Destructible::default();
        world.cube(name, RigidBodyType::Static, place(x), script)
    };
    let by_handle = wall(&mut world, "by handle", 0.0);
    wall(&mut world, "by name", 2.0);
    let elsewhere = world.floor();
    let top = |x: f32| hard(place(x) + Vector3::y() * 0.5);
    assert_eq!(world.destruction.impact(by_handle, top(0.0)), Ok(()));
    let by_name = top(2.0);
    let (destruction, scene) = (&mut world.destruction, &world.scene);
    destruction
        .impact_by_name(scene, "by name", by_name)
        .unwrap();
    assert_eq!(destruction.impact(elsewhere, top(0.0)), Ok(()));
    let events = world.steps(3);
    assert_eq!(broken(&events), ["by handle", "by name"]);
    assert!(
        world.faults().contains("is not destructible"),
        "{}",
        world.faults()
    );
    // Once it is known that a node is none, the call says so.
    let impact = Impact::new(Vector3::zeros(), Vector3::y(), 1.0);
    assert!(world.destruction.impact(elsewhere, impact).is_err());
}

/// The greatest speed of pieces and of some bodies, m/s.
fn greatest_speed(world: &World, objects: &[&str], bodies: &[Handle<Node>]) -> f32 {
    let pieces = objects
        .iter()
        .flat_map(|name| world.destruction.pieces_of(*name));
    let pieces = pieces.map(|piece| piece.velocity.norm());
    let bodies = bodies.iter().map(|body| velocity(world, *body).norm());
    pieces.chain(bodies).fold(0.0, f32::max)
}

#[test]
fn bombs_in_a_room_throw_nothing_faster_than_their_gas_and_give_no_more_than_they_have() {
    // A grenade, a kilogram and ten kilograms of TNT.
    for energy in [6.3e5, 4.2e6, 4.2e7] {
        let mut world = World::new();
        world.floor();
        let side = |world: &mut World, name: &str, x: f32, z: f32| {
            let size = if x == 0.0 {
                Vector3::new(4.0, 2.6, 0.2)
            } else {
                Vector3::new(0.2, 2.6, 4.4)
            };
            let at = Vector3::new(x, 1.3, z);
            world.block(
                name,
                RigidBodyType::Static,
                at,
                size,
                Destructible::default(),
            );
        };
        let names = ["front", "back", "left", "right"];
        for (name, (x, z)) in names
            .iter()
            .zip([(0.0, 2.1), (0.0, -2.1), (-2.1, 0.0), (2.1, 0.0)])
        {
            side(&mut world, name, x, z);
        }
        let size = Vector3::new(0.5, 0.4, 0.5);
        let at = Vector3::new(1.2, 0.2, 1.2);
        world.block("crate", RigidBodyType::Dynamic, at, size, loose());
        let open = box_at(&mut world, Vector3::new(-1.0, 0.25, 0.5));
        let outside = box_at(&mut world, Vector3::new(0.0, 0.25, 3.2));
        world.steps(10);
        let before = world.destruction.mechanical_energy(&world.scene);
        for bomb in 0..3 {
            let center = Vector3::new(0.1, 1.0, 0.2);
            world.destruction.explosion(center, 8.0, energy).unwrap();
            let mut events = Vec::new();
            let mut fastest: f32 = 0.0;
            for frame in 0..40 {
                events.extend(world.step());
                let objects = ["front", "back", "left", "right", "crate"];
                fastest = fastest.max(greatest_speed(&world, &objects, &[open, outside]));
                if bomb == 0 && frame < 3 {
                    let behind = velocity(&world, outside).xz().norm();
                    assert!(behind < 1e-3, "{energy} J: {behind} m/s behind a wall");
                }
            }
            let what = format!("bomb {bomb} of {energy} J");
            assert!(energy_of_breaks(&events) < 1.001 * energy, "{what}");
            // 30 m/s for a body as a whole, and as much for its pieces among themselves.
            assert!(fastest < 61.0, "{what}: {fastest} m/s");
            let gained = world.destruction.mechanical_energy(&world.scene) - before;
            let most = 1.01 * f64::from(energy) * f64::from(bomb + 1);
            assert!(gained < most, "{what}: {gained} J");
        }
    }
}
