//! Balls that are thrown: what they strike breaks, or says that it does not, unless they were told to break
//! nothing.

use crate::{
    impacts::wall,
    world::{broken, cube_surface, World},
};
use fracture::{Anchoring, Destructible, Event, Held, MassSource, Pieces, Settings};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::{BitMask, Collider, ColliderShape, InteractionGroups},
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// Throws a ball of 20 kg with continuous collision detection at a free model of half a metre; the events of half
/// a second.
fn throw_at_model(
    script: Destructible,
    shape: ColliderShape,
    velocity: Vector3<f32>,
) -> Vec<Event> {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 0.25, 0.0);
    let surfaces = vec![cube_surface(Matrix4::new_scaling(0.5), None)];
    let kind = RigidBodyType::Dynamic;
    world.body("model", kind, at, surfaces, shape, Some(script));
    world.steps(30);
    // Not so near that it hits in the step in which it comes to be.
    let from = at - velocity.normalize() - velocity / 40.0;
    world.ball(20.0, from, velocity);
    world.steps(30)
}

#[test]
fn no_hard_blow_is_without_a_trace() {
    let directions = [
        (
            Vector3::new(1.0, 0.0, 0.0),
            ColliderShape::cuboid(0.25, 0.25, 0.25),
        ),
        (
            Vector3::new(1.0, -0.4, -0.1),
            ColliderShape::cuboid(0.25, 0.25, 0.25),
        ),
        (Vector3::new(0.9, -0.02, 0.2), ColliderShape::ball(0.25)),
        (Vector3::new(0.05, -1.0, 0.02), ColliderShape::ball(0.25)),
    ];
    for source in [MassSource::FromDensity, MassSource::FromBody] {
        for threshold in [0.0, 5.0, 20.0] {
            for speed in [8.0, 20.0, 30.0, 60.0, 150.0] {
                for (direction, shape) in &directions {
                    let script = Destructible {
                        mass_source: source.into(),
                        ..wall(threshold)
                    };
                    let velocity = direction.normalize() * speed;
                    let events = throw_at_model(script, shape.clone(), velocity);
                    let told = events.iter().any(|event| {
                        matches!(event, Event::Broken { .. } | Event::BelowThreshold { .. })
                    });
                    assert!(told, "{source:?} {threshold} {velocity} {events:?}");
                }
            }
        }
    }
}

/// Throws a ball of 20 kg at 30 m/s at a free cube in front of a wall, after something has been done to the ball;
/// the names of what it breaks.
fn throw_at_cube(settings: Settings, prepare: impl Fn(&mut World, Handle<Node>)) -> Vec<String> {
    let mut world = World::with(settings);
    world.floor();
    let script = || Destructible {
        pieces: Pieces {
            threshold_factor: 1.0.into(),
            ..Pieces::default()
        },
        ..wall(20.0)
    };
    let (kind, at) = (RigidBodyType::Dynamic, Vector3::new(0.0, 0.5, 0.0));
    world.cube("cube", kind, at, script());
    let at = Vector3::new(1.6, 0.5, 0.0);
    world.cube("wall", RigidBodyType::Static, at, script());
    let from = Vector3::new(-3.0, 0.6, 0.0);
    let ball = world.ball(20.0, from, Vector3::new(30.0, 0.0, 0.0));
    prepare(&mut world, ball);
    let events = world.steps(60);
    broken(&events).into_iter().map(str::to_owned).collect()
}

#[test]
fn bodies_and_groups_can_be_told_to_break_nothing() {
    let settings = || Settings {
        wait_for_results: true,
        ..Settings::default()
    };
    assert!(!throw_at_cube(settings(), |_, _| {}).is_empty());
    let harmless = |world: &mut World, ball| world.destruction.set_harmless(ball, true);
    assert!(throw_at_cube(settings(), harmless).is_empty());
    let harmful_again = |world: &mut World, ball| {
        world.destruction.set_harmless(ball, true);
        world.steps(2);
        world.destruction.set_harmless(ball, false);
    };
    assert!(!throw_at_cube(settings(), harmful_again).is_empty());

    let characters = Settings {
        harmless_groups: 0b110,
        ..settings()
    };
    let in_groups = |memberships: u32| {
        move |world: &mut World, ball: Handle<Node>| {
            let collider = world.node(ball).children()[0];
            let graph = &mut world.scene.graph;
            let collider: &mut Collider = graph.try_get_mut_of_type(collider).unwrap();
            let groups = InteractionGroups::new(BitMask(memberships), BitMask::all());
            collider.set_collision_groups(groups);
        }
    };
    assert!(throw_at_cube(characters.clone(), in_groups(0b100)).is_empty());
    assert!(throw_at_cube(characters.clone(), in_groups(0b110)).is_empty());
    assert!(!throw_at_cube(characters.clone(), in_groups(0b101)).is_empty());
    // A body that nothing was done to is in all groups.
    assert!(!throw_at_cube(characters, |_, _| {}).is_empty());
}

#[test]
fn what_still_stands_is_broken_by_contacts_too() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 1.0, 0.0);
    let (kind, size) = (RigidBodyType::Static, Vector3::new(4.0, 2.0, 0.2));
    let base = Destructible {
        held: Held {
            anchoring: Anchoring::Base.into(),
            ..Held::default()
        },
        ..Default::default()
    };
    world.block("wall", kind, at, size, base);
    for x in [-1.2, 1.2] {
        let from = Vector3::new(x, 1.0, 0.5);
        let ball = world.ball(20.0, from, Vector3::new(0.0, 0.0, -10.0));
        let graph = &mut world.scene.graph;
        let body: &mut RigidBody = graph.try_get_mut_of_type(ball).unwrap();
        body.enable_ccd(false);
        let events = world.steps(60);
        assert!(!broken(&events).is_empty(), "at {x}");
        assert_eq!(world.destruction.is_intact("wall"), Some(false));
    }
}
