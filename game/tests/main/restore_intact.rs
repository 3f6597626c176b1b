//! Broken objects that are made intact again while the game runs.

use crate::world::{broken, hard, World};
use fracture::{
    Breaking, Destructible, Destruction, Event, Fading, ObjectError, PieceInfo, Pieces, Settings,
};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::Collider,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

fn script() -> Destructible {
    Destructible {
        breaking: Breaking {
            max_radius: 0.6.into(),
            seed: 7.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    }
}

/// A wall on a floor, and a cube in the air that turns as it falls.
fn world() -> (World, [Handle<Node>; 2]) {
    let mut world = World::new();
    world.floor();
    let size = Vector3::new(3.0, 2.0, 0.3);
    let at = Vector3::new(0.0, 1.0, 0.0);
    let wall = world.block("Wall", RigidBodyType::Static, at, size, script());
    let at = Vector3::new(0.0, 6.0, 4.0);
    let cube = world.cube("Cube", RigidBodyType::Dynamic, at, script());
    let graph = &mut world.scene.graph;
    let body = graph.try_get_mut_of_type::<RigidBody>(cube).unwrap();
    let turn = UnitQuaternion::from_euler_angles(0.3, 0.7, -0.2);
    body.local_transform_mut().set_rotation(turn);
    body.set_ang_vel(Vector3::new(0.5, 0.0, 1.0));
    body.set_lin_vel(Vector3::new(0.0, 0.0, 0.25));
    // Found before anything has moved, as in a game.
    world.destruction.update(&mut world.scene, 0.0);
    (world, [wall, cube])
}

fn blow() -> fracture::Impact {
    hard(Vector3::new(-0.8, 1.2, 0.15))
}

/// The pieces of an object by name, without what differs between two runs.
fn pieces(world: &World, object: &str) -> Vec<PieceInfo> {
    let pieces = world.destruction.pieces_of(object).into_iter();
    let mut pieces: Vec<_> = pieces
        .map(|piece| PieceInfo {
            node: Handle::NONE,
            ..piece
        })
        .collect();
    pieces.sort_by(|a, b| a.name.cmp(&b.name));
    pieces
}

/// Names, volumes and generations of the pieces of an object.
fn shapes(world: &World, object: &str) -> Vec<(String, f64, u32)> {
    let pieces = pieces(world, object).into_iter();
    pieces
        .map(|piece| (piece.name, piece.volume, piece.generation))
        .collect()
}

/// Names, visibility and transforms of all nodes but the ones of pieces, and the state of bodies and colliders.
fn nodes(world: &World) -> Vec<String> {
    let nodes = world.scene.graph.pair_iter();
    let nodes = nodes.filter(|(_, node)| node.tag() != fracture::PIECE_TAG);
    let mut lines: Vec<String> = nodes
        .map(|(_, node)| {
            let transform = node.local_transform();
            let body = node.cast::<RigidBody>().map(|body| {
                let mass = (body.mass(), body.mass_properties_type());
                format!("{mass:?} {:?} {:?}", body.lin_vel(), body.ang_vel())
            });
            let density = node.cast::<Collider>().map(Collider::density);
            let shown = (node.visibility(), node.is_enabled(), node.parent());
            let place = (**transform.position(), **transform.rotation());
            format!("{} {shown:?} {place:?} {body:?} {density:?}", node.name())
        })
        .collect();
    lines.sort();
    lines
}

fn own_nodes(world: &World) -> usize {
    let nodes = world.scene.graph.linear_iter();
    nodes
        .filter(|node| node.tag() == fracture::PIECE_TAG && node.global_visibility())
        .count()
}

#[test]
fn everything_is_as_before_the_break() {
    let (mut world, [wall, cube]) = world();
    let first = {
        let mut fresh = self::world().0;
        fresh.destruction.update(&mut fresh.scene, 0.0);
        fresh.destruction.update(&mut fresh.scene, 0.0);
        nodes(&fresh)
    };
    world.steps(20);
    world.strike("Wall", blow());
    let at = world.node(cube).global_position();
    world.strike("Cube", hard(at));
    world.steps(60);
    let largest = pieces(&world, "Cube").into_iter();
    let largest = largest
        .max_by(|a, b| a.volume.total_cmp(&b.volume))
        .unwrap();
    world.strike(&largest.name, hard(largest.position));
    assert!(own_nodes(&world) > 10);

    assert_eq!(world.destruction.restore_intact(wall), Ok(1));
    assert_eq!(world.destruction.restore_intact(cube), Ok(1));
    assert!(!world.destruction.is_idle());
    world.destruction.update(&mut world.scene, 0.0);
    let node_of = |event: &Event| match event {
        Event::Restored { node, name } => Some((*node, name.clone())),
        _ => None,
    };
    let restored: Vec<_> = world
        .destruction
        .events()
        .iter()
        .filter_map(node_of)
        .collect();
    assert_eq!(
        restored,
        [(wall, "Wall".to_owned()), (cube, "Cube".to_owned())]
    );
    world.destruction.update(&mut world.scene, 0.0);
    assert_eq!(nodes(&world), first);
    assert_eq!(
        own_nodes(&world),
        0,
        "pieces, their colliders and dust are gone"
    );
    let statistics = world.destruction.statistics();
    assert_eq!((statistics.fragments, statistics.islands), (0, 0));
    assert_eq!((statistics.particles, statistics.intact), (0, 2));
    assert_eq!(world.destruction.dust_volume("Wall"), 0.0);
    assert_eq!(world.destruction.faults().count(), 0);
    // The cube moves and can be stood upon.
    world.steps(20);
    assert!(world.node(cube).global_position().y < 5.9);
    let ball = world.ball(1.0, Vector3::new(0.0, 2.2, 0.0), Vector3::zeros());
    world.steps(90);
    let height = world.node(ball).global_position().y;
    assert!((height - 2.1).abs() < 0.02, "{height}");
}

#[test]
fn the_second_break_is_the_first_again() {
    let (mut world, [wall, cube]) = world();
    world.steps(20);
    let break_both = |world: &mut World| {
        world.strike("Wall", blow());
        let place = *world.scene.graph[cube].local_transform().position().clone();
        world.strike("Cube", hard(place + Vector3::new(0.0, 0.4, 0.0)));
        let shapes = ["Wall", "Cube"].map(|object| shapes(world, object));
        (shapes, world.destruction.geometry_hash())
    };
    let first = break_both(&mut world);
    for _ in 0..2 {
        world.steps(30);
        for object in [wall, cube] {
            world.destruction.restore_intact(object).unwrap();
        }
        world.destruction.update(&mut world.scene, 0.0);
        world.steps(20);
        let again = break_both(&mut world);
        assert!(again == first);
    }
    // Also with what has been loaded.
    let save = world.destruction.save(&mut world.scene);
    let (mut loaded, objects) = self::world();
    loaded.destruction.restore(&mut loaded.scene, save).unwrap();
    loaded.steps(10);
    for object in objects {
        loaded.destruction.restore_intact(object).unwrap();
    }
    loaded.destruction.update(&mut loaded.scene, 0.0);
    assert!(loaded.destruction.pieces_of("Cube").is_empty());
    loaded.steps(20);
    assert!(break_both(&mut loaded) == first);
    // And an intact object is in no save.
    for object in objects {
        loaded.destruction.restore_intact(object).unwrap();
    }
    let save = loaded.destruction.save(&mut loaded.scene);
    let (mut fresh, _) = self::world();
    fresh.destruction.restore(&mut fresh.scene, save).unwrap();
    assert_eq!(fresh.destruction.is_intact("Wall"), Some(true));
}

#[test]
fn breaks_under_way_come_to_nothing() {
    for frames in 0..3 {
        let (mut world, [wall, cube]) = world();
        // The cube would break when it lands, some time while the worker is waited for.
        world.scene.graph.remove_node(cube);
        let settings = world.destruction.settings().clone();
        world.destruction = Destruction::new(Settings {
            wait_for_results: false,
            ..settings
        });
        world.steps(30);
        world.destruction.impact(wall, blow()).unwrap();
        world.destruction.impact(wall, blow()).unwrap();
        for _ in 0..frames {
            world.step();
        }
        world.destruction.restore_intact("Wall").unwrap();
        let events = world.steps(2);
        assert!(
            broken(&events).is_empty(),
            "after {frames} frames: {events:?}"
        );
        while !world.destruction.is_idle() {
            assert!(broken(&world.step()).is_empty(), "after {frames} frames");
        }
        assert_eq!(world.destruction.is_intact("Wall"), Some(true));
        // A blow after the call counts.
        world.destruction.impact(wall, blow()).unwrap();
        world.destruction.finish_breaks(&mut world.scene);
        assert_eq!(broken(world.destruction.events()), ["Wall"]);
        // The call and a blow in one frame: the intact object is struck. Parts that nothing holds come off when
        // that is known.
        world.destruction.restore_intact(wall).unwrap();
        world.destruction.impact(wall, blow()).unwrap();
        world.destruction.finish_breaks(&mut world.scene);
        assert_eq!(broken(world.destruction.events())[0], "Wall");
        assert!(world.destruction.faults().next().is_none());
    }
}

#[test]
fn what_is_intact_is_left_alone_and_what_is_not_there_is_named() {
    let (mut world, [_, cube]) = world();
    let floor = world.named("floor")[0];
    let mut unused = Destruction::new(Settings::default());
    assert_eq!(unused.restore_intact(floor), Ok(0), "nothing is known yet");
    world.steps(20);
    let before = nodes(&world);
    assert_eq!(world.destruction.restore_intact(cube), Ok(0));
    assert_eq!(world.destruction.restore_intact("Wall"), Ok(0));
    world.destruction.update(&mut world.scene, 0.0);
    assert!(world.destruction.events().is_empty());
    assert_eq!(nodes(&world), before);
    let refused = world.destruction.restore_intact(floor).unwrap_err();
    assert_eq!(refused, ObjectError::NotDestructible { node: floor });
    assert!(
        refused.to_string().contains(&floor.to_string()),
        "{refused}"
    );
    let refused = world.destruction.restore_intact("Door").unwrap_err();
    assert!(refused.to_string().contains("Door"), "{refused}");
    assert!(refused.to_string().contains("Wall"), "{refused}");
    let numbers = [f32::NAN, f32::INFINITY, -1e30];
    for number in numbers {
        let corners = [Vector3::zeros(), Vector3::new(1.0, number, 1.0)];
        let refused = world.destruction.restore_intact_within(corners);
        assert!(refused
            .unwrap_err()
            .to_string()
            .contains("lowest corner first"));
    }
}

#[test]
fn a_name_and_a_box_stand_for_several_and_a_piece_for_its_object() {
    let mut world = World::new();
    let walls: Vec<_> = (0..4)
        .map(|i| {
            let at = Vector3::new(5.0 * i as f32, 0.5, 0.0);
            world.cube("Wall", RigidBodyType::Static, at, script())
        })
        .collect();
    let break_all = |world: &mut World| {
        for (i, wall) in walls.iter().enumerate() {
            let impact = hard(Vector3::new(5.0 * i as f32, 1.0, 0.0));
            world.destruction.impact(*wall, impact).unwrap();
        }
        world.steps(3);
    };
    let intact = |world: &World| -> Vec<bool> {
        let intact = walls.iter().map(|wall| world.destruction.is_intact(*wall));
        intact.map(Option::unwrap).collect()
    };
    world.steps(2);
    break_all(&mut world);
    assert_eq!(intact(&world), [false; 4]);
    let corners = [Vector3::new(4.6, 0.1, -0.2), Vector3::new(10.0, 0.2, 0.2)];
    assert_eq!(world.destruction.restore_intact_within(corners), Ok(2));
    world.step();
    assert_eq!(intact(&world), [false, true, true, false]);
    let piece = world.destruction.pieces_of(walls[3])[0].node;
    assert_eq!(world.destruction.restore_intact(piece), Ok(1));
    world.step();
    assert_eq!(intact(&world), [false, true, true, true]);
    break_all(&mut world);
    assert_eq!(world.destruction.restore_intact("Wall"), Ok(4));
    world.step();
    assert_eq!(intact(&world), [true; 4]);
}

#[test]
fn fading_pieces_and_settled_ones_vanish_too() {
    let mut world = World::with(Settings {
        wait_for_results: true,
        settle_after: 0.1,
        merge_after: 0.1,
        ..Settings::default()
    });
    world.floor();
    let fades = Destructible {
        pieces: Pieces {
            fading: Fading::Dissolve.into(),
            fade_time: 30.0.into(),
            lifetime: 0.2.into(),
            ..Pieces::default()
        },
        ..script()
    };
    let at = Vector3::new(0.0, 0.5, 0.0);
    world.cube("Fades", RigidBodyType::Dynamic, at, fades);
    let at = Vector3::new(4.0, 0.5, 0.0);
    world.cube("Settles", RigidBodyType::Dynamic, at, script());
    world.steps(3);
    world.strike("Fades", hard(Vector3::new(0.0, 1.0, 0.0)).with_radius(2.0));
    world.strike(
        "Settles",
        hard(Vector3::new(4.0, 1.0, 0.0)).with_radius(2.0),
    );
    world.steps(400);
    let statistics = world.destruction.statistics();
    assert!(
        statistics.fading > 0 && statistics.batches > 0,
        "{statistics:?}"
    );
    world.destruction.restore_intact("Fades").unwrap();
    world.destruction.restore_intact("Settles").unwrap();
    world.step();
    let statistics = world.destruction.statistics();
    assert_eq!((statistics.fading, statistics.batches), (0, 0));
    assert_eq!((statistics.particles, own_nodes(&world)), (0, 0));
}

#[test]
fn what_stands_in_the_way_breaks_nothing() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 1.0, 0.0);
    let size = Vector3::new(3.0, 2.0, 0.5);
    world.block("Wall", RigidBodyType::Static, at, size, script());
    world.steps(2);
    world.strike("Wall", hard(Vector3::new(0.0, 2.0, 0.0)));
    world.steps(120);
    let within = [0.0, 0.6].map(|x| {
        let at = Vector3::new(x, 2.0 - 0.9 * x, 0.1 * x);
        world.ball(20.0, at, Vector3::zeros())
    });
    world.destruction.restore_intact("Wall").unwrap();
    let events = world.steps(180);
    assert!(broken(&events).is_empty(), "{events:?}");
    for ball in within {
        let place = world.node(ball).global_position();
        assert!(place.norm() < 3.0, "{place}");
    }
}

#[test]
fn what_slept_on_rubble_falls_when_that_vanishes() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 0.6, 0.0);
    let cube = world.cube("Cube", RigidBodyType::Dynamic, at, script());
    let graph = &mut world.scene.graph;
    let body = graph.try_get_mut_of_type::<RigidBody>(cube).unwrap();
    body.set_lin_vel(Vector3::new(6.0, 0.0, 0.0));
    world.destruction.update(&mut world.scene, 0.0);
    world.steps(20);
    let place = **world.node(cube).local_transform().position();
    assert!(place.x > 1.0);
    world.strike("Cube", hard(place + Vector3::new(0.0, 0.5, 0.0)));
    world.steps(200);
    let largest = pieces(&world, "Cube").into_iter();
    let largest = largest
        .max_by(|a, b| a.volume.total_cmp(&b.volume))
        .unwrap();
    let mut above = largest.position;
    above.y = largest.bounds[1].y + 0.2;
    let ball = world.ball(5.0, above, Vector3::zeros());
    world.steps(300);
    let height = |world: &World| world.node(ball).local_transform().position().y;
    assert!(height(&world) > 0.15, "{}", height(&world));
    world.destruction.restore_intact("Cube").unwrap();
    world.steps(90);
    assert!((height(&world) - 0.1).abs() < 0.01, "{}", height(&world));
}
