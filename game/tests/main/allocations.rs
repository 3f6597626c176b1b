//! A frame in which nothing breaks allocates nothing on the main thread, except in the engine's own calls:
//! those send a message for each node that moves, grow a list of bodies that are set, and copy contacts.

use crate::world::{placed, World, DT};
use fracture::{Anchoring, Destructible, Held, Impact, Pieces, Settings};
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

/// Adds a rigid body with a cube.
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

/// A cube that breaks at a height, a floor, another cube, a crate on the floor, a crate that falls far away,
/// and a moving door.
fn world(height: f32) -> (World, Handle<Node>) {
    let mut world = World::with(Settings::default());
    world.floor();
    let script = || Destructible {
        held: Held {
            anchoring: Anchoring::Free.into(),
            ..Held::default()
        },
        pieces: Pieces {
            threshold_factor: 1e6.into(),
            dust_size: 0.0.into(),
            ..Pieces::default()
        },
        ..Destructible::default()
    };
    let fixed = RigidBodyType::Static;
    world.cube("cube", fixed, Vector3::new(0.0, height, 0.0), script());
    // The engine allocates when it reports contacts of a body.
    world.cube("other", fixed, Vector3::new(6.0, 5.0, 0.0), script());
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
    let impact = Impact::new(Vector3::new(0.0, height + 0.5, 0.0), Vector3::y(), 200.0)
        .with_impulse(Vector3::new(0.0, -30.0, 0.0))
        .with_radius(2.0);
    world
        .destruction
        .impact_by_name(&world.scene, "cube", impact)
        .unwrap();
    world.destruction.update(&mut world.scene, 0.0);
    while !world.destruction.is_idle() {
        world.destruction.update(&mut world.scene, 0.0);
        std::thread::yield_now();
    }
    assert!(world.destruction.statistics().fragments > 10);
    (world, door)
}

/// Messages for moved nodes that fit into one memory block of the engine's channel.
const BLOCK: u64 = 31;

/// Asserts that frames allocate nothing besides the engine's allocations for moved nodes, and for `bodies`
/// whose motions are set in each frame.
fn assert_no_allocations(world: &mut World, door: Handle<Node>, bodies: u64) {
    const FRAMES: u64 = 60;
    let (mut allocated, mut moved) = (0, 0);
    for frame in 0..FRAMES {
        let node = world.scene.graph.try_get_node_mut(door).unwrap();
        let place = Vector3::new(9.0, 1.0 + 0.01 * (frame % 50) as f32, 9.0);
        node.local_transform_mut().set_position(place);
        let size = Vector2::new(1.0, 1.0);
        world.scene.update(size, DT, Default::default());
        // A query waits for the running step, which a real frame gives enough time for.
        let up = Vector3::y();
        assert!(world.destruction.cast_ray(up * 100.0, up, 1.0).is_none());
        let counted = allocation_counter::measure(|| {
            world.destruction.update(&mut world.scene, DT);
        });
        allocated += counted.count_total;
        moved += world.destruction.statistics().awake as u64 + bodies;
    }
    // A block may have been almost full before.
    let engine = 1 + moved.div_ceil(BLOCK) + bodies * 2 * FRAMES;
    let statistics = world.destruction.statistics();
    assert!(allocated <= engine, "{allocated}, {engine}: {statistics:?}");
}

#[test]
fn flying_pieces_allocate_nothing() {
    let (mut world, door) = world(30.0);
    world.steps(20);
    assert_no_allocations(&mut world, door, 0);
    let statistics = world.destruction.statistics();
    assert!(statistics.awake > 10, "{statistics:?}");
}

#[test]
fn pieces_around_a_body_of_the_engine_allocate_nothing() {
    let (mut world, door) = world(30.0);
    body(
        &mut world,
        Vector3::new(0.0, 30.0, 0.6),
        RigidBodyType::Dynamic,
        false,
    );
    world.steps(20);
    assert_no_allocations(&mut world, door, 1);
    let statistics = world.destruction.statistics();
    assert!(statistics.awake > 10, "{statistics:?}");
}

#[test]
fn resting_pieces_allocate_nothing() {
    let (mut world, door) = world(0.6);
    // A batch is made on a worker, which has other work as well: frames are no measure of its time.
    for _ in 0..20_000 {
        world.step();
        let statistics = world.destruction.statistics();
        let all = statistics.fragments + statistics.islands;
        if statistics.merged == all && statistics.jobs_pending == 0 {
            break;
        }
        std::thread::yield_now();
    }
    world.steps(60);
    assert_no_allocations(&mut world, door, 0);
    let statistics = world.destruction.statistics();
    assert_eq!(statistics.awake, 0, "{statistics:?}");
    assert!(statistics.batches > 0, "{statistics:?}");
}
