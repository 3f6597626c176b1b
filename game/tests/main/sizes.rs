//! Objects whose sizes come of a wrong unit.

use crate::world::{hard, World};
use fracture::{BreakPreview, Breaking, Destructible, Pieces};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::{node::Node, rigidbody::RigidBodyType},
};

/// A cube with a side in metres on which the worker has looked.
fn cube(side: f32, script: Destructible) -> (World, Handle<Node>) {
    let mut world = World::new();
    let size = Vector3::repeat(side);
    let cube = world.block(
        "cube",
        RigidBodyType::Static,
        Vector3::zeros(),
        size,
        script,
    );
    world.steps(3);
    (world, cube)
}

/// The words of a check of the mesh.
fn check(world: &World, node: Handle<Node>) -> String {
    let preview = BreakPreview::of(&world.scene.graph, node);
    preview.unwrap().health().text
}

#[test]
fn a_wrong_unit_is_told_with_the_size_the_range_and_the_remedy() {
    for (side, size, remedy) in [
        (
            0.0004,
            "0.0004 x 0.0004 x 0.0004 m",
            "lower Becomes Dust Below",
        ),
        (0.001, "0.001 x 0.001 x 0.001 m", "lower Becomes Dust Below"),
        (0.015, "0.015 x 0.015 x 0.015 m", "lower Becomes Dust Below"),
        (250.0, "250 x 250 x 250 m", "raise Max Radius"),
        (1000.0, "1000 x 1000 x 1000 m", "raise Max Radius"),
        (1e5, "100000 x 100000 x 100000 m", "raise Max Radius"),
    ] {
        let (mut world, node) = cube(side, Destructible::default());
        let checked = check(&world, node);
        world.strike("cube", hard(Vector3::new(0.0, side / 2.0, 0.0)));
        world.steps(3);
        let faults = world.faults();
        for text in [&faults, &checked] {
            for part in [
                size,
                remedy,
                "0.02 m (its Becomes Dust Below) to 200 m",
                "import the model in metres",
            ] {
                assert!(text.contains(part), "{side} m: {text}");
            }
        }
        assert!(faults.contains("\"cube\""), "{faults}");
        assert_eq!(world.destruction.faults().count(), 1, "{side} m: {faults}");
    }
}

#[test]
fn sizes_that_break_are_not_told_whatever_the_energy_is() {
    for side in [0.02, 0.1, 3.0, 60.0, 200.0] {
        for energy in [50.0, 2e3, 1e6] {
            let script = Destructible {
                breaking: Breaking {
                    damage_threshold: 20.0.into(),
                    ..Breaking::default()
                },
                ..Default::default()
            };
            let (mut world, node) = cube(side, script);
            assert!(!check(&world, node).contains("But"), "{side} m");
            let mut impact = hard(Vector3::new(0.0, side / 2.0, 0.0));
            impact.energy = energy;
            world.strike("cube", impact);
            world.steps(3);
            assert_eq!(world.faults(), "", "{side} m, {energy} J");
            assert_eq!(world.destruction.is_intact("cube"), Some(false));
        }
    }
}

#[test]
fn the_range_follows_the_fields() {
    let small = Destructible {
        pieces: Pieces {
            dust_size: 0.0.into(),
            ..Pieces::default()
        },
        ..Default::default()
    };
    let (world, _) = cube(0.001, small);
    assert_eq!(world.faults(), "");
    let large = Destructible {
        breaking: Breaking {
            max_radius: 50.0.into(),
            ..Breaking::default()
        },
        ..Default::default()
    };
    let (world, _) = cube(1000.0, large);
    assert_eq!(world.faults(), "");
}

#[test]
fn a_check_of_the_mesh_tells_that_there_is_no_collider() {
    let mut world = World::new();
    let node = world.bare("bare", Vector3::zeros());
    world.steps(3);
    let text = check(&world, node);
    assert!(
        text.contains("there is no collider below its rigid body"),
        "{text}"
    );
}
