//! A frame in which nothing breaks allocates nothing on the main thread.

use crate::world::{placed, World, DT};
use fracture::{Anchoring, Destructible, Impact, Settings};
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
    },
};

/// A body of the engine.
fn body(world: &mut World, at: Vector3<f32>, kind: RigidBodyType, ccd: bool) -> Handle<Node> {
    let graph = &mut world.scene.graph;
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(0.2, 0.2, 0.2))
        .build(graph);
    let base = BaseBuilder::new()
        .with_local_transform(placed(at))
        .with_child(collider);
    RigidBodyBuilder::new(base)
        .with_body_type(kind)
        .with_mass(5.0)
        .with_ccd_enabled(ccd)
        .with_can_sleep(false)
        .build(graph)
        .to_base()
}

/// A cube that is broken at a height, a floor, a table on which a crate stands, a crate that falls far
/// away, and a door.
fn world(height: f32) -> (World, Handle<Node>) {
    let mut world = World::with(Settings::default());
    world.floor();
    let script = || Destructible {
        anchoring: Anchoring::Free.into(),
        piece_toughness: 1e6.into(),
        crumb_size: 0.0.into(),
        ..Destructible::default()
    };
    let fixed = RigidBodyType::Static;
    world.cube("cube", fixed, Vector3::new(0.0, height, 0.0), script());
    world.cube("table", fixed, Vector3::new(6.0, 0.5, 0.0), script());
    body(
        &mut world,
        Vector3::new(6.0, 1.21, 0.0),
        RigidBodyType::Dynamic,
        false,
    );
    body(
        &mut world,
        Vector3::new(-9.0, 30.0, 9.0),
        RigidBodyType::Dynamic,
        true,
    );
    let door = RigidBodyType::KinematicPositionBased;
    let door = body(&mut world, Vector3::new(9.0, 1.0, 9.0), door, false);
    world.step();
    let blow = Impact::new(Vector3::new(0.0, height + 0.5, 0.0), Vector3::y(), 200.0)
        .with_impulse(Vector3::new(0.0, -30.0, 0.0))
        .with_radius(2.0);
    world
        .destruction
        .impact_by_name(&world.scene, "cube", blow)
        .unwrap();
    world.destruction.update(&mut world.scene, 0.0);
    while !world.destruction.is_idle() {
        world.destruction.update(&mut world.scene, 0.0);
        std::thread::yield_now();
    }
    assert!(world.destruction.statistics().fragments > 10);
    (world, door)
}

/// Frames in which the module may allocate nothing.
fn quiet(world: &mut World, door: Handle<Node>, frames: usize) {
    for frame in 0..frames {
        let node = world.scene.graph.try_get_node_mut(door).unwrap();
        let place = Vector3::new(9.0, 1.0 + 0.01 * (frame % 50) as f32, 9.0);
        node.local_transform_mut().set_position(place);
        let size = Vector2::new(1.0, 1.0);
        world.scene.update(size, DT, Default::default());
        let counted = allocation_counter::measure(|| {
            world.destruction.update(&mut world.scene, DT);
        });
        let statistics = world.destruction.statistics();
        assert_eq!(counted.count_total, 0, "frame {frame}: {statistics:?}");
    }
}

#[test]
fn pieces_that_fly_cost_no_memory() {
    let (mut world, door) = world(30.0);
    world.steps(20);
    quiet(&mut world, door, 60);
    let statistics = world.destruction.statistics();
    assert!(statistics.awake > 10, "{statistics:?}");
}

#[test]
fn pieces_among_which_a_body_of_the_engine_is_cost_no_memory() {
    let (mut world, door) = world(30.0);
    body(
        &mut world,
        Vector3::new(0.0, 30.0, 0.6),
        RigidBodyType::Dynamic,
        false,
    );
    world.steps(20);
    quiet(&mut world, door, 60);
    let statistics = world.destruction.statistics();
    assert!(statistics.awake > 10, "{statistics:?}");
}

#[test]
fn rubble_that_lies_costs_no_memory() {
    let (mut world, door) = world(0.6);
    for _ in 0..3000 {
        world.step();
        let statistics = world.destruction.statistics();
        let all = statistics.fragments + statistics.islands;
        if statistics.settled == all && statistics.merged * 10 > 9 * all {
            break;
        }
    }
    world.steps(60);
    quiet(&mut world, door, 60);
    let statistics = world.destruction.statistics();
    assert_eq!(statistics.awake, 0, "{statistics:?}");
    assert!(statistics.batches > 0, "{statistics:?}");
}
