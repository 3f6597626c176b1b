//! Structures that make no sense: what is told, and what stays.

use crate::world::{broken, World};
use fracture::{Destructible, Event};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{node::Node, rigidbody::RigidBodyType},
};

const STATIC: RigidBodyType = RigidBodyType::Static;

fn at(x: f32, y: f32, z: f32) -> Vector3<f32> {
    Vector3::new(x, y, z)
}

fn block(world: &mut World, name: &str, size: [f32; 3], place: Vector3<f32>) -> Handle<Node> {
    world.block(name, STATIC, place, size.into(), Destructible::default())
}

/// A block with a strength: it is weighed.
fn strong(world: &mut World, name: &str, size: [f32; 3], place: Vector3<f32>) -> Handle<Node> {
    let mut script = Destructible::default();
    script.strength.tensile_strength = 2e6.into();
    world.block(name, STATIC, place, size.into(), script)
}

/// Takes a second, and gives the names of what broke or came down, in order.
fn second(world: &mut World) -> Vec<String> {
    let events = world.steps(60);
    broken(&events).into_iter().map(str::to_owned).collect()
}

/// Asserts that there is one fault, which names a node and a remedy.
fn assert_one_fault(world: &World, node: &str, remedy: &str) {
    let faults = world.faults();
    assert_eq!(faults.lines().count(), 1, "{faults}");
    assert!(faults.contains(node) && faults.contains(remedy), "{faults}");
}

#[test]
fn objects_in_one_place_hold_each_other_as_others_do() {
    let mut world = World::new();
    let floor = world.floor();
    for name in ["One", "Same"] {
        strong(&mut world, name, [1.0; 3], at(0.0, 0.5, 0.0));
    }
    // One inside another, and one around both that stands on nothing else.
    strong(&mut world, "Inner", [0.2; 3], at(0.0, 0.5, 0.0));
    strong(&mut world, "Around", [2.0, 0.5, 2.0], at(0.0, 0.6, 0.0));
    assert_eq!(second(&mut world), [""; 0]);
    assert_eq!(world.faults(), "");
    world.scene.graph.remove_node(floor);
    strong(&mut world, "Other", [1.0; 3], at(30.0, 0.5, 0.0));
    world.floor_at(at(30.0, -0.5, 0.0));
    let mut fallen = second(&mut world);
    fallen.truncate(4);
    fallen.sort();
    assert_eq!(fallen, ["Around", "Inner", "One", "Same"]);
    assert_eq!(world.faults(), "");
}

#[test]
fn objects_that_hold_each_other_and_nothing_else_fall_and_are_told() {
    let mut world = World::new();
    world.floor();
    block(&mut world, "Front", [2.0, 0.5, 0.5], at(0.0, 3.0, -0.75));
    block(&mut world, "Back", [2.0, 0.5, 0.5], at(0.0, 3.0, 0.75));
    block(&mut world, "Left", [0.5, 0.5, 1.0], at(-0.75, 3.0, 0.0));
    block(&mut world, "Right", [0.5, 0.5, 1.0], at(0.75, 3.0, 0.0));
    let fallen = second(&mut world);
    assert_eq!(fallen[..4], ["Left", "Front", "Back", "Right"]);
    let faults = world.faults();
    assert_eq!(faults.lines().count(), 4, "{faults}");
    for line in faults.lines() {
        assert!(line.contains("choose another Anchoring"), "{line}");
    }
}

#[test]
fn a_static_object_on_a_dynamic_one_falls_and_is_told() {
    let mut world = World::new();
    world.floor();
    let script = Destructible::default();
    let size = Vector3::repeat(1.0);
    world.block(
        "Crate",
        RigidBodyType::Dynamic,
        at(0.0, 0.5, 0.0),
        size,
        script,
    );
    block(&mut world, "Beam", [0.5; 3], at(0.0, 1.25, 0.0));
    block(&mut world, "Wall", [1.0; 3], at(3.0, 0.5, 0.0));
    assert_eq!(second(&mut world), ["Beam"]);
    assert_one_fault(
        &world,
        "Beam",
        "neither a static body nor another object that is held",
    );
    assert_eq!(world.destruction.is_intact("Crate"), Some(true));
}

#[test]
fn a_scene_without_ground_is_told_in_one_message() {
    let mut world = World::new();
    for k in 0..20 {
        block(&mut world, "Wall", [1.0; 3], at(k as f32, 5.0, 0.0));
    }
    assert_eq!(second(&mut world), [""; 0], "what stood stays");
    assert_one_fault(&world, "(all)", "add a static rigid body");
    assert_eq!(second(&mut world), [""; 0]);
    assert_one_fault(&world, "(all)", "add a static rigid body");
}

#[test]
fn an_object_scaled_by_zero_holds_nothing_and_is_told() {
    for scale in [at(0.0, 0.0, 0.0), at(1.0, 0.0, 1.0)] {
        let mut world = World::new();
        world.floor();
        block(&mut world, "Wall", [1.0; 3], at(0.0, 0.5, 0.0));
        let flat = block(&mut world, "Flat", [1.0; 3], at(3.0, 0.5, 0.0));
        block(&mut world, "Roof", [1.0; 3], at(3.0, 1.5, 0.0));
        let node = world.scene.graph.node_mut(flat);
        node.local_transform_mut().set_scale(scale);
        let fallen = second(&mut world);
        assert_eq!(fallen[..1], ["Roof"], "{scale}");
        let faults = world.faults();
        let of_flat: Vec<&str> = faults
            .lines()
            .filter(|line| line.contains("Flat"))
            .collect();
        assert_eq!(of_flat.len(), 1, "{faults}");
        assert!(of_flat[0].contains("scale"), "{faults}");
        assert_eq!(world.destruction.is_intact("Wall"), Some(true));
    }
}

#[test]
fn a_load_of_no_finite_positive_mass_presses_nothing() {
    // The engine's own physics panics where a mass is no number.
    for mass in [f32::INFINITY, 0.0, -80.0] {
        let mut world = World::new();
        world.floor();
        strong(&mut world, "Left", [0.2, 1.0, 1.0], at(-1.0, 0.5, 0.0));
        strong(&mut world, "Right", [0.2, 1.0, 1.0], at(1.0, 0.5, 0.0));
        strong(&mut world, "Shelf", [2.2, 0.1, 1.0], at(0.0, 1.05, 0.0));
        let ball = world.ball(mass, at(0.0, 1.2, 0.0), Vector3::zeros());
        let events: Vec<Event> = world.steps(60);
        assert_eq!(broken(&events), [""; 0], "{mass} kg");
        world.scene.graph.remove_node(ball);
        assert_eq!(second(&mut world), [""; 0], "{mass} kg");
    }
}

#[test]
fn ten_thousand_objects_in_one_heap_stand_and_come_down() {
    let mut world = World::new();
    let floor = world.floor();
    let side = 0.2;
    for k in 0..10_000 {
        let (x, y, z) = (k % 25, k / 625, k / 25 % 25);
        let place = at(x as f32, y as f32 + 0.5, z as f32) * side;
        block(&mut world, "Stone", [side; 3], place);
    }
    let known = 2 * heap_bonds() + 625;
    let mut bonds = 0;
    for _ in 0..100 {
        let events = world.steps(10);
        assert_eq!(broken(&events), [""; 0]);
        bonds = world.destruction.bonds().len();
        if bonds == known {
            break;
        }
    }
    assert_eq!(bonds, known);
    assert_eq!(world.faults(), "");
    world.scene.graph.remove_node(floor);
    world.floor_at(at(60.0, -0.5, 0.0));
    let mut fallen = 0;
    for _ in 0..400 {
        fallen += broken(&world.steps(1)).len();
        if fallen >= 10_000 {
            break;
        }
    }
    assert!(fallen >= 10_000, "{fallen}");
}

/// The faces at which the stones of the heap touch each other.
fn heap_bonds() -> usize {
    24 * 25 * 16 * 2 + 625 * 15
}
