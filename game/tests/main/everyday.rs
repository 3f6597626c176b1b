//! Everyday blows by rigid bodies of the engine, on objects with default settings.

use crate::world::{broken, placed, World};
use fracture::{Anchoring, Destructible, Event, Held};
use fyrox::{
    core::algebra::Vector3,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        rigidbody::{RigidBodyBuilder, RigidBodyType},
    },
};

/// Something that is thrown.
struct Thrown {
    shape: ColliderShape,
    mass: f32,
    from: Vector3<f32>,
    velocity: Vector3<f32>,
    ccd: bool,
}

impl Thrown {
    fn add(self, world: &mut World) {
        let graph = &mut world.scene.graph;
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(self.shape)
            .with_density(Some(0.0))
            .build(graph);
        let base = BaseBuilder::new()
            .with_local_transform(placed(self.from))
            .with_child(collider);
        RigidBodyBuilder::new(base)
            .with_mass(self.mass)
            .with_lin_vel(self.velocity)
            .with_ccd_enabled(self.ccd)
            .build(graph);
    }
}

/// The events of two seconds in which something is thrown at a static object of a size that stands on the ground.
fn throw_at(size: Vector3<f32>, thrown: Thrown) -> Vec<Event> {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, size.y / 2.0, 0.0);
    world.block(
        "object",
        RigidBodyType::Static,
        at,
        size,
        Destructible::default(),
    );
    world.steps(5);
    thrown.add(&mut world);
    world.steps(120)
}

/// A wall, and a pane.
const WALL: Vector3<f32> = Vector3::new(4.0, 3.0, 0.25);
const PANE: Vector3<f32> = Vector3::new(1.0, 1.0, 0.006);

fn ball(radius: f32, mass: f32, speed: f32) -> Thrown {
    Thrown {
        shape: ColliderShape::ball(radius),
        mass,
        from: Vector3::new(0.1, 0.7, 0.5 + 0.05 * speed),
        velocity: Vector3::new(0.0, 0.5, -speed),
        ccd: true,
    }
}

fn person(speed: f32) -> Thrown {
    Thrown {
        shape: ColliderShape::capsule_y(0.6, 0.3),
        mass: 80.0,
        from: Vector3::new(0.2, 0.92, 1.0),
        velocity: Vector3::new(0.0, 0.0, -speed),
        ccd: false,
    }
}

#[test]
fn a_ball_of_20_kg_breaks_a_wall_and_a_person_does_not() {
    for radius in [0.1, 0.15, 0.25] {
        let events = throw_at(WALL, ball(radius, 20.0, 30.0));
        assert_eq!(broken(&events).first(), Some(&"object"), "{radius}");
    }
    for speed in [1.5, 3.0, 6.0] {
        let events = throw_at(WALL, person(speed));
        assert!(broken(&events).is_empty(), "{speed}");
    }
}

#[test]
fn a_bullet_breaks_a_pane_and_a_block() {
    for size in [PANE, Vector3::new(0.5, 0.9, 0.5)] {
        let events = throw_at(size, ball(0.005, 0.01, 400.0));
        assert_eq!(broken(&events).first(), Some(&"object"), "{size}");
    }
}

#[test]
fn a_kilogram_of_tnt_at_three_metres_brings_a_wall_of_bricks_down() {
    let mut world = World::new();
    world.floor();
    let size = Vector3::new(3.0, 2.8, 0.2);
    let at = Vector3::new(0.0, 1.4, 0.0);
    world.block(
        "wall",
        RigidBodyType::Static,
        at,
        size,
        Destructible::default(),
    );
    world.steps(5);
    let center = Vector3::new(0.0, 1.0, 3.1);
    world.destruction.explosion(center, 8.0, 4.184e6).unwrap();
    let events = world.steps(300);
    assert_eq!(broken(&events).first(), Some(&"wall"));
    let stands = world.destruction.standing_share("wall").unwrap();
    assert!(stands < 0.5, "{stands}");
    assert_eq!(world.destruction.hanging(&world.scene), []);
}

#[test]
fn a_pebble_breaks_a_pane_and_no_wall() {
    let pebble = || ball(0.02, 0.1, 15.0);
    assert_eq!(broken(&throw_at(PANE, pebble())).first(), Some(&"object"));
    assert!(broken(&throw_at(WALL, pebble())).is_empty());
}

#[test]
fn a_building_of_free_blocks_does_not_break_by_standing() {
    let mut world = World::new();
    world.floor();
    let size = Vector3::new(1.0, 0.5, 0.5);
    for row in 0..6 {
        // A brick bond, with gaps through which the blocks fall into place.
        let (columns, shift) = if row % 2 == 0 { (5, 0.0) } else { (4, 0.5) };
        for column in 0..columns {
            let at = Vector3::new(1.02 * column as f32 + shift, 0.26 + 0.51 * row as f32, 0.0);
            let name = format!("block {row} {column}");
            let kind = RigidBodyType::Dynamic;
            world.block(&name, kind, at, size, Destructible::default());
        }
    }
    let events = world.steps(300);
    assert!(broken(&events).is_empty(), "{:?}", broken(&events));
}

#[test]
fn a_crate_that_is_put_down_breaks_neither_itself_nor_a_plank() {
    for height in [0.1, 0.3] {
        let mut world = World::new();
        world.floor();
        let script = Destructible::default;
        let at = Vector3::new(0.0, 0.525, 0.0);
        let size = Vector3::new(4.0, 0.05, 0.4);
        let held = Held {
            anchoring: Anchoring::Sides.into(),
            ..Held::default()
        };
        let plank = Destructible { held, ..script() };
        world.block("plank", RigidBodyType::Static, at, size, plank);
        let at = Vector3::new(0.1, 0.55 + 0.2 + height, 0.0);
        let size = Vector3::new(0.3, 0.4, 0.3);
        let light = Destructible {
            density: 300.0.into(),
            ..script()
        };
        world.block("crate", RigidBodyType::Dynamic, at, size, light);
        let events = world.steps(120);
        assert!(
            broken(&events).is_empty(),
            "{height}: {:?}",
            broken(&events)
        );
    }
}

#[test]
fn what_falls_from_a_table_breaks_and_from_a_hands_breadth_does_not() {
    let falls = |height: f32| {
        let mut world = World::new();
        world.floor();
        let size = Vector3::new(0.12, 0.25, 0.12);
        let at = Vector3::new(0.0, height + size.y / 2.0, 0.0);
        world.block(
            "vase",
            RigidBodyType::Dynamic,
            at,
            size,
            Destructible::default(),
        );
        !broken(&world.steps(90)).is_empty()
    };
    assert!(falls(0.75));
    assert!(!falls(0.1));
}
