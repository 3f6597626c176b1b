//! Beams between supports, as levels have them: what is torn or broken off comes down.

use crate::world::{loose, World};
use fracture::{Anchoring, Destructible, Held, Impact, PieceInfo, Strength};
use fyrox::{core::algebra::Vector3, graph::SceneGraph, scene::rigidbody::RigidBodyType};

/// A script of a beam that is held by its ends and weighed at the start.
fn held_by_its_sides(tensile_strength: f32) -> Destructible {
    Destructible {
        held: Held {
            anchoring: Anchoring::Sides.into(),
            ..Held::default()
        },
        strength: Strength {
            tensile_strength: tensile_strength.into(),
            check_at_start: true.into(),
            ..Default::default()
        },
        ..Destructible::default()
    }
}

fn free_pieces(world: &World, name: &str) -> Vec<PieceInfo> {
    let mut pieces = world.destruction.pieces_of(name);
    pieces.retain(|piece| !piece.anchored);
    pieces
}

#[test]
fn a_beam_that_is_a_scaled_cube_falls_as_one_of_its_size_does() {
    for size in [[8.0, 0.2, 0.4], [20.0, 0.4, 3.0]].map(Vector3::from) {
        let volumes = [false, true].map(|is_scaled| {
            let mut world = World::new();
            let at = Vector3::new(0.0, 5.0, 0.0);
            let script = held_by_its_sides(3e5);
            if is_scaled {
                let cube = world.cube("beam", RigidBodyType::Static, at, script);
                let node = world.scene.graph.try_get_node_mut(cube).unwrap();
                node.local_transform_mut().set_scale(size);
            } else {
                world.block("beam", RigidBodyType::Static, at, size, script);
            }
            world.steps(120);
            let fallen = free_pieces(&world, "beam");
            assert!(!fallen.is_empty(), "{size:?} scaled {is_scaled}: it holds");
            for piece in &fallen {
                let height = piece.position.y;
                assert!(
                    height < -5.0,
                    "{size:?} scaled {is_scaled}: {piece:?} hangs"
                );
            }
            fallen.iter().map(|piece| piece.volume).sum::<f64>()
        });
        let [expected, scaled] = volumes;
        let error = (scaled / expected - 1.0).abs();
        assert!(error < 0.01, "{size:?}: {volumes:?}");
    }
}

#[test]
fn nothing_of_a_beam_that_its_weight_breaks_hangs_ten_seconds_later() {
    for (size, strength) in [
        ([6.0, 0.2, 0.2], 3e5),
        ([12.0, 1.0, 0.3], 2e5),
        ([5.0, 0.1, 1.0], 2.5e5),
        ([7.0, 0.15, 2.0], 2e5),
        ([9.0, 0.9, 0.9], 1e5),
    ] {
        let (mut world, size) = (World::new(), Vector3::from(size));
        world.floor();
        let at = Vector3::new(0.0, 3.0, 0.0);
        let script = held_by_its_sides(strength);
        world.block("beam", RigidBodyType::Static, at, size, script);
        world.steps(600);
        let fallen = free_pieces(&world, "beam");
        assert!(!fallen.is_empty(), "{size:?}: it holds");
        assert_eq!(world.destruction.hanging(&world.scene), [], "{size:?}");
    }
}

#[test]
fn a_free_beam_on_free_blocks_comes_down_where_it_is_struck() {
    for energy in [2000.0, 20_000.0] {
        let mut world = World::new();
        world.floor();
        for (name, x) in [("left", -1.5), ("right", 1.5)] {
            let at = Vector3::new(x, 0.3, 0.0);
            let size = Vector3::new(0.5, 0.6, 0.6);
            world.block(name, RigidBodyType::Dynamic, at, size, loose());
        }
        let at = Vector3::new(0.0, 0.71, 0.0);
        let size = Vector3::new(4.0, 0.2, 0.4);
        world.block("beam", RigidBodyType::Dynamic, at, size, loose());
        world.steps(30);
        assert_eq!(world.destruction.is_intact("beam"), Some(true));
        let point = Vector3::new(0.0, 0.8, 0.0);
        let impact = Impact::new(point, Vector3::y(), energy);
        world.strike("beam", impact);
        world.steps(300);
        let pieces = free_pieces(&world, "beam");
        assert!(pieces.len() > 2, "{} pieces", pieces.len());
        for piece in pieces {
            let [low, high] = piece.bounds;
            let is_between = low.x > -1.2 && high.x < 1.2;
            assert!(!is_between || low.y < 0.45, "{energy} J: {piece:?} hangs");
        }
    }
}
