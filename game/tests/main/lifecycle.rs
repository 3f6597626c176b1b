//! Objects that are added and removed.

use crate::world::{broken, first_pieces, hard, World};
use fracture::{Destructible, Fading, Pieces, Settings};
use fyrox::{core::algebra::Vector3, graph::SceneGraph, scene::rigidbody::RigidBodyType};

#[test]
fn objects_added_later_are_found_in_the_next_frame() {
    let mut world = World::new();
    world.floor();
    world.steps(5);
    world.cube(
        "late",
        RigidBodyType::Static,
        Vector3::zeros(),
        Destructible::default(),
    );
    world.step();
    assert_eq!(
        broken(&world.strike("late", hard(Vector3::new(0.0, 0.5, 0.0)))),
        ["late"]
    );
}

#[test]
fn a_script_added_to_an_old_node_is_found() {
    let mut world = World::new();
    let shape = fyrox::scene::collider::ColliderShape::cuboid(0.5, 0.5, 0.5);
    let surface = crate::world::cube_surface(fyrox::core::algebra::Matrix4::identity(), None);
    let node = world.body(
        "plain",
        RigidBodyType::Static,
        Vector3::zeros(),
        vec![surface],
        shape,
        None,
    );
    world.steps(3);
    assert_eq!(world.destruction.is_intact("plain"), None);
    world
        .scene
        .graph
        .try_get_node_mut(node)
        .unwrap()
        .add_script(Destructible::default());
    world.steps(2);
    assert_eq!(
        broken(&world.strike("plain", hard(Vector3::new(0.0, 0.5, 0.0)))),
        ["plain"]
    );
}

#[test]
fn an_object_removed_while_it_breaks_is_dropped() {
    let mut world = World::new();
    let wall = world.struck_wall(Vector3::zeros());
    world.step();
    world.scene.graph.remove_node(wall);
    assert!(broken(&world.steps(3)).is_empty());
    assert!(world.named("wall/").is_empty());
    assert_eq!(world.destruction.statistics().objects, 0);
}

#[test]
fn debris_outlives_its_object_and_is_removed_with_its_node() {
    let mut world = World::new();
    let wall = world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::new(0.0, 0.5, 0.0),
        Destructible::default(),
    );
    world.step();
    world.strike("wall", hard(Vector3::new(0.0, 1.0, 0.0)).with_radius(0.3));
    world.scene.graph.remove_node(wall);
    world.step();
    let left = world.destruction.statistics();
    assert_eq!(left.islands, 0, "what was held went with the body");
    assert!(left.fragments > 0);
    for node in world.named("wall/fragment") {
        world.scene.graph.remove_node(node);
    }
    world.steps(2);
    let gone = world.destruction.statistics();
    assert_eq!((gone.fragments, gone.objects), (0, 0));
}

#[test]
fn debris_that_outlives_its_object_breaks_into_pieces_that_are_seen() {
    let mut world = World::new();
    let wall = world.cube(
        "wall",
        RigidBodyType::Dynamic,
        Vector3::new(0.0, 0.5, 0.0),
        Destructible::default(),
    );
    world.floor();
    world.step();
    let top = hard(Vector3::new(0.0, 1.0, 0.0)).with_radius(0.4);
    world.strike("wall", top);
    world.scene.graph.remove_node(wall);
    world.steps(3);
    let [rest] = world.named("wall/island_0")[..] else {
        panic!("nothing is left");
    };
    let blow = hard(world.node(rest).global_position()).with_radius(0.3);
    world.destruction.impact(rest, blow).unwrap();
    let events = world.steps(5);
    let pieces = first_pieces(&events).expect("the rest breaks");
    assert!(pieces.len() > 1);
    for piece in pieces {
        assert!(world.scene.graph.is_valid_handle(piece.node));
    }
    let statistics = world.destruction.statistics();
    let shown = world.named("wall/").len();
    assert_eq!(shown, statistics.fragments + statistics.islands);
}

#[test]
fn debris_stays_within_its_budget() {
    let mut world = World::with(Settings {
        wait_for_results: true,
        max_pieces: 5,
        ..Default::default()
    });
    world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::new(0.0, 0.5, 0.0),
        Destructible {
            pieces: Pieces {
                fading: Fading::Vanish.into(),
                ..Pieces::default()
            },
            ..Default::default()
        },
    );
    world.step();
    world.strike("wall", hard(Vector3::new(0.0, 1.0, 0.0)).with_radius(0.5));
    world.steps(2);
    assert!(world.destruction.statistics().fragments <= 5);
    let drawn = world.named("wall/fragment").len();
    assert_eq!(drawn, world.destruction.statistics().fragments);
}

#[test]
fn without_waiting_the_pieces_appear_as_soon_as_they_are_ready() {
    let mut world = World::with(Settings::default());
    world.struck_wall(Vector3::zeros());
    let started = std::time::Instant::now();
    while world.destruction.is_intact("wall") == Some(true) {
        assert!(started.elapsed().as_secs() < 20, "no pieces");
        world.step();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(world.destruction.statistics().fragments > 0);
}

#[test]
fn a_closed_scene_takes_its_work_with_it() {
    let mut world = World::with(Settings::default());
    world.struck_wall(Vector3::zeros());
    world.step();
    world.destruction.clear();
    assert!(world.destruction.is_idle());
    assert_eq!(world.destruction.statistics().objects, 0);
    // The same scene may be used again.
    world.steps(2);
    assert_eq!(world.destruction.is_intact("wall"), Some(true));
}
