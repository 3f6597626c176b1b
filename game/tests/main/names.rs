//! Objects that share a name, and objects whose settings have no effect.

use crate::world::{hard, World};
use fracture::{Destructible, Event, Impact, ImpactError};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{node::Node, rigidbody::RigidBodyType},
};

fn at(x: f32) -> Vector3<f32> {
    Vector3::new(x, 0.5, 0.0)
}

#[test]
fn a_name_stands_for_all_that_have_it() {
    let mut world = World::new();
    let walls: Vec<_> = (0..4)
        .map(|i| {
            let script = Destructible::default();
            world.cube("Wall", RigidBodyType::Static, at(3.0 * i as f32), script)
        })
        .collect();
    world.steps(3);
    assert_eq!(world.destruction.is_intact("Wall"), Some(true));
    let volume = world.destruction.source_volume("Wall").unwrap();
    assert!((volume - 4.0).abs() < 1e-6);
    for wall in &walls[1..3] {
        let x = world.node(*wall).global_position().x;
        let impact = hard(Vector3::new(x, 1.0, 0.0));
        world.destruction.impact(*wall, impact).unwrap();
    }
    world.steps(3);
    assert_eq!(world.destruction.is_intact("Wall"), Some(false));
    let intact = walls.iter().map(|wall| world.destruction.is_intact(*wall));
    let intact: Vec<_> = intact.map(Option::unwrap).collect();
    assert_eq!(intact, [true, false, false, true]);
    let of_all = world.destruction.pieces_of("Wall").len();
    let of_each = walls
        .iter()
        .map(|wall| world.destruction.pieces_of(*wall).len());
    assert_eq!(of_all, of_each.sum::<usize>());
    assert!(of_all > 4);
    assert_eq!(world.destruction.is_intact("Door"), None);
    assert!(world.destruction.pieces_of("Door").is_empty());
}

#[test]
fn an_impact_by_name_strikes_the_nearest_that_has_it() {
    let place =
        |index: usize| Vector3::new(3.0 * (index % 6) as f32, 0.5, 3.0 * (index / 6) as f32);
    // Before anything is known of the scene, and later.
    for frames in [0, 3] {
        let mut world = World::new();
        let wall = |index| {
            let script = Destructible::default();
            world.cube("Wall", RigidBodyType::Static, place(index), script)
        };
        let walls: Vec<_> = (0..18).map(wall).collect();
        world.steps(frames);
        let mut strike = |name: &str, index: usize| {
            let impact = hard(place(index) + Vector3::new(0.0, 0.5, 0.0));
            world
                .destruction
                .impact_by_name(&world.scene, name, impact)
                .unwrap();
            world.steps(3)
        };
        for index in [7, 16, 0] {
            strike("Wall", index);
        }
        // Pieces of several walls have one name as well; the first that comes off a wall is struck once more.
        let events = strike("Wall/island_0", 16);
        let struck = events.iter().find_map(|event| match event {
            Event::Broken { node, .. } | Event::Missed { node, .. } => Some(*node),
            _ => None,
        });
        assert_eq!(struck, Some(walls[16]), "{events:?}");
        let intact = walls.iter().map(|wall| world.destruction.is_intact(*wall));
        let broken = intact.enumerate().filter(|(_, is)| *is == Some(false));
        let broken: Vec<_> = broken.map(|(index, _)| index).collect();
        assert_eq!(broken, [0, 7, 16]);
    }
}

/// The nodes of the object and of the piece that an event is about.
fn nodes_of(event: &Event) -> Option<[Handle<Node>; 2]> {
    match event {
        Event::Broken { node, piece, .. }
        | Event::BelowThreshold { node, piece, .. }
        | Event::Damaged { node, piece, .. }
        | Event::Missed { node, piece, .. }
        | Event::Unbreakable { node, piece, .. }
        | Event::Failed { node, piece, .. } => Some([*node, *piece]),
        _ => None,
    }
}

#[test]
fn events_of_a_piece_have_its_node_beside_that_of_the_object() {
    let mut world = World::new();
    let mut script = Destructible::default();
    script.breaking.damage_threshold = 20.0.into();
    let walls =
        [0.0, 4.0].map(|x| world.cube("Wall", RigidBodyType::Static, at(x), script.clone()));
    world.steps(3);
    // Of an intact object there is no piece.
    for (wall, x) in walls.into_iter().zip([0.0, 4.0]) {
        let blow = hard(Vector3::new(x, 1.0, 0.0)).with_radius(0.4);
        world.destruction.impact(wall, blow).unwrap();
        let events = world.steps(3);
        let nodes: Vec<_> = events.iter().filter_map(nodes_of).collect();
        assert_eq!(nodes, [[wall, Handle::NONE]], "{events:?}");
    }
    // A piece of the second wall, by a name that one of the first may have as well.
    let pieces = world.destruction.pieces_of(walls[1]);
    let piece = pieces.iter().find(|piece| piece.anchored).unwrap();
    let point = Vector3::new(4.0, 0.6, 0.5);
    let side =
        |impulse| Impact::new(point, Vector3::z(), 2000.0).with_impulse(-Vector3::z() * impulse);
    for (impulse, is_told) in [
        (
            8.0,
            (|e| matches!(e, Event::BelowThreshold { .. })) as fn(&Event) -> bool,
        ),
        (18.0, |e| matches!(e, Event::Damaged { .. })),
        (90.0, |e| matches!(e, Event::Broken { .. })),
    ] {
        let events = world.strike(&piece.name, side(impulse));
        let told = events.iter().find(|event| is_told(event));
        let nodes = told.and_then(nodes_of);
        assert_eq!(nodes, Some([walls[1], piece.node]), "{impulse}: {events:?}");
    }
    // What may not break any more is told in the same way.
    let mut fixed = Destructible::default();
    fixed.pieces.max_depth = 1.into();
    let crate_ = world.cube("Crate", RigidBodyType::Dynamic, at(8.0), fixed);
    world.steps(3);
    let blow = hard(Vector3::new(8.0, 1.0, 0.0)).with_radius(1.0);
    world.destruction.impact(crate_, blow).unwrap();
    world.steps(3);
    let pieces = world.destruction.pieces_of(crate_);
    let piece = pieces.iter().max_by(|a, b| a.volume.total_cmp(&b.volume));
    let piece = piece.unwrap();
    let events = world.strike(&piece.name, hard(piece.position));
    let told = events
        .iter()
        .find(|e| matches!(e, Event::Unbreakable { .. }));
    assert_eq!(
        told.and_then(nodes_of),
        Some([crate_, piece.node]),
        "{events:?}"
    );
}

#[test]
fn what_has_no_effect_is_told_once() {
    let mut world = World::new();
    let broken = world.cube(
        "broken",
        RigidBodyType::Static,
        at(0.0),
        Destructible::default(),
    );
    let double = world.cube(
        "double",
        RigidBodyType::Static,
        at(3.0),
        Destructible::default(),
    );
    let node: &mut Node = world.scene.graph.try_get_node_mut(double).unwrap();
    node.add_script(Destructible::default());
    world.bare("bare", at(6.0));
    world.steps(20);
    world.strike("broken", hard(Vector3::new(0.0, 1.0, 0.0)));
    world.steps(3);
    let script = world
        .scene
        .graph
        .try_get_script_of_mut::<Destructible>(broken);
    script.unwrap().density = 500.0.into();
    world.steps(20);
    let text = world.faults();
    for expected in [
        "\"broken\": its fields were changed after it was broken",
        "\"double\": its node carries several scripts Destructible",
        "\"bare\": there is no collider below its rigid body",
    ] {
        assert_eq!(text.matches(expected).count(), 1, "{text}");
    }
    assert_eq!(world.destruction.faults().count(), 3, "{text}");
}

#[test]
fn a_node_of_another_scene_is_an_error() {
    let script = Destructible::default;
    let [mut own, mut other] = [World::new(), World::new()];
    own.cube("Wall", RigidBodyType::Static, at(0.0), script());
    for name in ["Wall", "Door"] {
        other.cube(name, RigidBodyType::Static, at(3.0), script());
    }
    let foreign = other.named("Door")[0];
    own.steps(3);
    other.steps(3);
    for name in ["Wall", "Door"] {
        let impact = hard(Vector3::y());
        let result = own.destruction.impact_by_name(&other.scene, name, impact);
        assert!(
            matches!(result, Err(ImpactError::OtherScene)),
            "{name}: {result:?}"
        );
    }
    let result = own.destruction.impact(foreign, hard(Vector3::y()));
    let is_unknown = matches!(result, Err(ImpactError::NotDestructible { .. }));
    assert!(is_unknown, "{result:?}");
    // A handle that both scenes have does not say of which it is; the scene does.
    let same = own.named("Wall")[0];
    assert!(other.named("Wall").contains(&same));
    let result = own
        .destruction
        .impact_in(&other.scene, same, hard(Vector3::y()));
    assert_eq!(result, Err(ImpactError::OtherScene));
    let down = -Vector3::y();
    let from = Vector3::new(0.0, 5.0, 0.0);
    let pushed = own
        .destruction
        .push(&mut other.scene, from, down, 9.0, 1.0, 1.0);
    assert_eq!(pushed, None);
    own.steps(5);
    assert_eq!(own.destruction.is_intact("Wall"), Some(true));
    assert_eq!(own.faults(), "");
    let blow = hard(Vector3::y());
    let struck = own.destruction.impact_in(&own.scene, same, blow);
    assert_eq!(struck, Ok(()));
    own.steps(3);
    assert_eq!(own.destruction.is_intact(same), Some(false));
}

#[test]
fn an_endless_energy_is_named_as_such() {
    let mut world = World::new();
    let wall = world.cube(
        "Wall",
        RigidBodyType::Static,
        at(0.0),
        Destructible::default(),
    );
    world.steps(3);
    for energy in [f32::INFINITY, f32::NAN, -1.0] {
        let impact = Impact::new(Vector3::y(), Vector3::y(), energy);
        let error = world.destruction.impact(wall, impact).unwrap_err();
        assert!(
            matches!(error, ImpactError::Value { what: "energy", .. }),
            "{error}"
        );
    }
}
