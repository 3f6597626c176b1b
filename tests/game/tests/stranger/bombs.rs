//! Charges throw what they break and push what they meet, with the energy that they have.

use crate::harness::{at, breaks, Form, Game, Striker, Thing};
use fracture::{make_destructible, Destructible, Pieces};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    scene::{
        collider::ColliderShape,
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        rigidbody::RigidBodyType,
    },
};

/// A shelter with walls of a metre as one mesh: its outer walls, and its inner walls, which face inwards.
fn shelter(game: &mut Game) -> Handle<Node> {
    let walls = |size: [f32; 3]| {
        let scale = Matrix4::new_nonuniform_scaling(&size.into());
        let surface = SurfaceResource::new_embedded(SurfaceData::make_cube(scale));
        SurfaceBuilder::new(surface).build()
    };
    // What is mirrored faces inwards.
    let surfaces = vec![walls([4.0, 3.0, 5.0]), walls([-2.0, 1.0, 3.0])];
    let graph = &mut game.scene().graph;
    let mesh = MeshBuilder::new(at([0.0, 1.5, 0.0])).with_surfaces(surfaces);
    let mesh = mesh.build(graph).to_base();
    graph.update_hierarchical_data();
    let script = Destructible::default();
    let made = make_destructible(graph, mesh, RigidBodyType::Static, script);
    made.unwrap().body
}

#[test]
fn a_shelter_breaks_from_within() {
    let middle = Vector3::new(0.0, 1.5, 0.0);
    let mut game = Game::new();
    let walls = shelter(&mut game);
    game.seconds(0.5);
    let volume = 4.0 * 3.0 * 5.0 - 2.0 * 1.0 * 3.0;
    for way in [Vector3::x(), -Vector3::z(), Vector3::new(-1.0, 0.2, 0.4)] {
        let before = game.events.len();
        game.destruction.shoot(middle, way, 20.0, 300.0, 20.0);
        game.seconds(0.5);
        let events = &game.events[before..];
        assert!(breaks(events), "{way:?}: {}", game.faults());
        assert!(game.lost(walls).abs() < 1e-4, "{way:?}");
        let pieces = game.destruction.pieces_of(walls);
        let largest = pieces.iter().map(|piece| piece.volume).fold(0.0, f64::max);
        assert!(largest < volume, "{way:?}: it is filled, {largest} m^3");
    }
    game.destruction.explosion(middle, 4.0, 5e4).unwrap();
    game.seconds(4.0);
    assert_eq!(game.faults(), "");
    assert!(game.lost(walls).abs() < 1e-4);
    assert_eq!(game.hanging(), [""; 0]);
}

#[test]
fn three_charges_on_a_wall_shoot_nothing_off() {
    for (energy, radius, max_depth) in [(4.2e6, 5.0, 3), (2e4, 5.0, 3), (2e7, 12.0, 1)] {
        let mut game = Game::new();
        let form = Form::Block([3.0, 2.8, 0.2]);
        let mut wall = Thing::new("Wall", form, [0.0, 1.4, 0.0], RigidBodyType::Static);
        wall.script.pieces = Pieces {
            max_depth: max_depth.into(),
            ..Pieces::default()
        };
        let wall = game.add(&wall);
        let crate_ = game.throw(&Striker {
            shape: ColliderShape::cuboid(0.2, 0.2, 0.2),
            mass: 30.0,
            at: [0.8, 0.2, 2.5],
            velocity: [0.0; 3],
            ccd: false,
        });
        game.seconds(0.5);
        let mut speeds = Vec::new();
        for round in 0..3 {
            game.fastest = 0.0;
            let center = Vector3::new(0.0, 0.8, 1.5);
            game.destruction.explosion(center, radius, energy).unwrap();
            let before = game.position(crate_);
            game.seconds(0.5);
            let pushed = (game.position(crate_) - before).norm();
            assert!(
                round > 0 || pushed > 0.02,
                "{energy} J push a crate by {pushed} m"
            );
            game.seconds(2.5);
            speeds.push(game.fastest);
        }
        let breaks = breaks(&game.events);
        // Five grams of TNT leave a wall of bricks standing.
        assert_eq!(breaks, energy > 1e5, "{energy} J");
        let first = speeds[0];
        assert!(first > 2.0 || !breaks, "{energy} J: {first} m/s");
        assert!(
            speeds.iter().all(|speed| *speed < 60.0),
            "{energy} J: {speeds:?}"
        );
        let share = game.destruction.standing_share(wall).unwrap();
        assert!(energy < 4e6 || share < 0.5, "{energy} J: {share} stands");
        game.seconds(7.0);
        assert_eq!(game.hanging(), [""; 0], "{energy} J");
    }
}

#[test]
fn a_charge_reaches_only_what_nothing_stands_before() {
    // A wall, or the two halves of one with a gap, before the object.
    for (gap, is_reached) in [(0.0, false), (1.0, true)] {
        let mut game = Game::new();
        for side in [-1.0f32, 1.0] {
            game.add_shield([side * (2.0 + 0.5 * gap), 1.5, 1.0]);
        }
        let form = Form::Boxed("vase.glb");
        let vase = Thing::new("Vase", form, [0.0, 0.0, 0.0], RigidBodyType::Dynamic);
        let vase = game.add(&vase);
        game.seconds(0.5);
        let center = Vector3::new(0.0, 0.5, 2.5);
        game.destruction.explosion(center, 6.0, 1e6).unwrap();
        game.seconds(1.0);
        let intact = game.destruction.is_intact(vase);
        assert_eq!(intact, Some(!is_reached), "a gap of {gap} m");
    }
}

#[test]
fn a_charge_at_any_place_loses_nothing() {
    for (center, radius, energy) in [
        // In the wall, on it, at its corner, in the floor, in the crate.
        ([0.0, 1.0, 0.0], 3.0, 1e5),
        ([0.0, 1.0, 0.1], 3.0, 1e5),
        ([1.5, 2.8, 0.1], 3.0, 1e5),
        ([0.0, -0.3, 0.5], 3.0, 1e6),
        ([3.0, 0.5, 0.0], 5.0, 1e6),
        // What reaches nothing, and what has nothing to give.
        ([0.0, 1.0, 0.2], 1e-3, 1e6),
        ([0.0, 1.0, 0.2], 3.0, 0.0),
    ] {
        let mut game = Game::new();
        let form = Form::Block([3.0, 2.8, 0.2]);
        let wall = Thing::new("Wall", form, [0.0, 1.4, 0.0], RigidBodyType::Static);
        let form = Form::Block([1.0; 3]);
        let crate_ = Thing::new("Crate", form, [3.0, 0.5, 0.0], RigidBodyType::Dynamic);
        let nodes = [wall, crate_].map(|thing| game.add(&thing));
        game.seconds(0.3);
        let what = format!("{center:?}, {radius} m, {energy} J");
        let reached = game
            .destruction
            .explosion(center.into(), radius, energy)
            .unwrap();
        let events = game.seconds(6.0);
        assert_eq!(breaks(&events), reached > 0, "{what}: {reached} reached");
        assert!(game.fastest < 60.0, "{what}: {} m/s", game.fastest);
        for node in nodes {
            let lost = game.lost(node);
            assert!(lost.abs() < 1e-4, "{what}: {lost} is lost");
        }
        assert_eq!(game.hanging(), [""; 0], "{what}");
    }
}
