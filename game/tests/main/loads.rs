//! Bodies of the engine that rest or hang on objects, and load them.

use crate::world::{broken, placed, World};
use fracture::{Anchoring, Breaking, Destructible, Held, Impact, Strength};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        joint::{FixedJoint, JointBuilder, JointParams},
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
    },
};

const GRAVITY: f32 = 9.81;

/// A script of what lies loose, with a density (kg/m^3) and a strength (Pa), and that no blow breaks.
fn lying(density: f32, strength: f32) -> Destructible {
    Destructible {
        breaking: Breaking {
            damage_threshold: 1e9.into(),
            ..Breaking::default()
        },
        density: density.into(),
        held: Held {
            bond_strength: 0.0.into(),
            ..Held::default()
        },
        strength: Strength {
            tensile_strength: strength.into(),
            ..Strength::default()
        },
        ..Destructible::default()
    }
}

/// Adds a rigid body of a box and a mass, kg, that is no object.
fn solid_box(
    world: &mut World,
    kind: RigidBodyType,
    size: [f32; 3],
    at: [f32; 3],
    kilograms: f32,
) -> Handle<Node> {
    let [x, y, z] = size.map(|side| side / 2.0);
    let graph = &mut world.scene.graph;
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(x, y, z))
        .with_density(Some(kilograms / (8.0 * x * y * z)))
        .with_friction(0.5)
        .build(graph);
    let base = BaseBuilder::new()
        .with_local_transform(placed(at.into()))
        .with_child(collider);
    RigidBodyBuilder::new(base)
        .with_body_type(kind)
        .with_mass(0.0)
        .build(graph)
        .to_base()
}

/// Adds a plate of a size that lies on two static beams along z, with a clear span along x; its upper side is `size.y`
/// above a metre.
fn on_two_beams(
    world: &mut World,
    size: [f32; 3],
    span: f32,
    script: Destructible,
) -> Handle<Node> {
    for side in [-1.0, 1.0] {
        let place = [side * (0.5 * span + 0.1), 0.5, 0.0];
        let beam = [0.2, 1.0, size[2] + 1.0];
        solid_box(world, RigidBodyType::Static, beam, place, 1.0);
    }
    let place = Vector3::new(0.0, 1.0 + 0.5 * size[1], 0.0);
    let plate = world.block("plate", RigidBodyType::Static, place, size.into(), script);
    world.steps(20);
    assert_eq!(world.destruction.is_intact("plate"), Some(true));
    plate
}

/// A plank of oak that is 3.6 m long between its supports.
const PLANK: [f32; 3] = [4.0, 0.05, 0.3];
const SPAN: f32 = 3.6;
const OAK: f32 = 700.0;

/// Crates of 50 kg on the middle of the plank that the formula of a beam on two supports allows.
fn crates_by_formula(strength: f32) -> f32 {
    let section = PLANK[2] * PLANK[1] * PLANK[1] / 6.0;
    let own = OAK * GRAVITY * PLANK[1] * PLANK[2] * SPAN * SPAN / 8.0;
    let of_crate = 50.0 * GRAVITY * (SPAN / 4.0 - 0.3 / 8.0);
    (strength * section - own) / of_crate
}

#[test]
fn a_plank_of_oak_breaks_under_as_many_crates_as_the_beam_formula_says() {
    let strength = 25e6;
    let bears = crates_by_formula(strength);
    assert!((5.0..8.0).contains(&bears), "{bears}");
    let mut world = World::new();
    on_two_beams(&mut world, PLANK, SPAN, lying(OAK, strength));
    let mut crates = 0;
    let mut events = Vec::new();
    while broken(&events).is_empty() && crates < 20 {
        let place = [0.0, 1.2 + 0.301 * crates as f32, 0.0];
        solid_box(&mut world, RigidBodyType::Dynamic, [0.3; 3], place, 50.0);
        crates += 1;
        events = world.steps(60);
    }
    let share = crates as f32 / bears;
    assert!((0.8..1.2).contains(&share), "{crates} crates of {bears}");
    assert_eq!(world.faults(), "");
}

#[test]
fn a_person_breaks_thin_ice_and_no_floor() {
    for (size, span, density, strength, breaks) in [
        ([2.2, 0.03, 2.0], 2.0, 917.0, 1.3e6, true),
        ([3.2, 0.2, 3.0], 3.0, 2400.0, 3e6, false),
    ] {
        let mut world = World::new();
        on_two_beams(&mut world, size, span, lying(density, strength));
        let person = [0.4, 1.7, 0.4];
        let place = [0.0, 1.0 + size[1] + 0.86, 0.0];
        solid_box(&mut world, RigidBodyType::Dynamic, person, place, 80.0);
        let events = world.steps(90);
        assert_eq!(!broken(&events).is_empty(), breaks, "{size:?}");
    }
}

#[test]
fn a_plate_breaks_under_rubble_of_another_object() {
    for (strength, breaks) in [(0.8e6, true), (5e6, false)] {
        let mut world = World::new();
        on_two_beams(&mut world, [2.0, 0.1, 2.0], 1.6, lying(2400.0, strength));
        for [x, z] in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0_f32]] {
            let size = [0.2 + 1.6 * z.abs(), 3.0, 0.2 + 1.6 * x.abs()];
            let place = [0.9 * x, 2.62, 0.9 * z];
            solid_box(&mut world, RigidBodyType::Static, size, place, 1.0);
        }
        let stone = Destructible {
            held: Held {
                anchoring: Anchoring::Free.into(),
                ..Held::default()
            },
            ..Destructible::default()
        };
        let place = Vector3::new(0.0, 1.7, 0.0);
        world.block(
            "stone",
            RigidBodyType::Dynamic,
            place,
            Vector3::repeat(0.9),
            stone,
        );
        world.step();
        let blow = Impact {
            radius: Some(3.0),
            ..Impact::new(place, Vector3::y(), 5000.0)
        };
        let mut events = world.strike("stone", blow);
        events.extend(world.steps(300));
        assert_eq!(broken(&events).contains(&"plate"), breaks, "{strength}");
    }
}

#[test]
fn what_hangs_by_a_joint_loads_a_plank() {
    let strength = 25e6;
    let bears = 50.0 * crates_by_formula(strength);
    for (share, breaks) in [(0.6, false), (1.5, true)] {
        let mut world = World::new();
        let plank = on_two_beams(&mut world, PLANK, SPAN, lying(OAK, strength));
        let weight = solid_box(
            &mut world,
            RigidBodyType::Dynamic,
            [0.3; 3],
            [0.0, 0.5, 0.0],
            share * bears,
        );
        let base = BaseBuilder::new().with_local_transform(placed(Vector3::new(0.0, 1.0, 0.0)));
        JointBuilder::new(base)
            .with_body1(plank.to_variant())
            .with_body2(weight.to_variant())
            .with_params(JointParams::FixedJoint(FixedJoint))
            .build(&mut world.scene.graph);
        let events = world.steps(60);
        assert_eq!(!broken(&events).is_empty(), breaks, "{share}");
    }
}
