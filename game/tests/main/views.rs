//! Pieces over the limit, and the cameras that see them.

use crate::world::{hard, loose, World};
use fracture::{Event, Settings};
use fyrox::{
    core::algebra::Vector3,
    scene::{
        base::BaseBuilder,
        camera::{Camera, CameraBuilder},
        rigidbody::RigidBodyType,
        transform::TransformBuilder,
    },
};

/// Breaks two cubes that float: "Seen", 12 m in front of a camera at the origin that looks along z, and "Hidden" at a
/// place. Returns the numbers of their pieces and of those that were removed.
fn broken(waiting: bool, max_pieces: usize, hidden: Vector3<f32>) -> [(usize, usize); 2] {
    let mut world = World::with(Settings {
        wait_for_results: waiting,
        max_pieces,
        ..Settings::default()
    });
    let physics = &mut world.scene.graph.physics;
    physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    CameraBuilder::new(BaseBuilder::new()).build(&mut world.scene.graph);
    let cubes = [("Seen", Vector3::new(0.0, 0.0, 12.0)), ("Hidden", hidden)];
    for (name, at) in cubes {
        world.cube(name, RigidBodyType::Static, at, loose());
    }
    world.steps(3);
    for (name, at) in cubes {
        let impact = hard(at + Vector3::new(0.0, 0.5, 0.0)).with_radius(2.0);
        world
            .destruction
            .impact_by_name(&world.scene, name, impact)
            .unwrap();
    }
    world.destruction.finish_breaks(&mut world.scene);
    let mut events = world.destruction.events().to_vec();
    events.extend(world.steps(20));
    assert_eq!(world.destruction.faults().count(), 0);
    cubes.map(|(name, _)| {
        let of = |event: &&Event| matches!(event, Event::Removed { name: piece, .. } if piece.starts_with(name));
        let made = events.iter().map(|event| match event {
            Event::Broken { name: object, pieces, .. } if object == name => pieces.len(),
            _ => 0,
        });
        (made.sum(), events.iter().filter(of).count())
    })
}

#[test]
fn nothing_in_the_frame_of_a_camera_goes_while_something_else_is_there() {
    // Nearer than what is seen, but below the frame; and beside that of the window, which is as wide as high.
    let below = Vector3::new(0.0, -9.0, 6.0);
    let beside = Vector3::new(8.0, 0.0, 6.0);
    for (waiting, hidden) in [(true, below), (false, below), (false, beside)] {
        let [(seen, _), (unseen, _)] = broken(waiting, 1000, hidden);
        assert!(seen > 20 && unseen > 20, "{seen} {unseen}");
        let [(_, seen_gone), (_, unseen_gone)] = broken(waiting, seen + 3, hidden);
        assert_eq!((seen_gone, unseen_gone), (0, unseen - 3), "{hidden}");
        // Only when nothing else is left.
        let [(_, seen_gone), (_, unseen_gone)] = broken(waiting, seen - 3, hidden);
        assert_eq!((seen_gone, unseen_gone), (3, unseen), "{hidden}");
    }
}

#[test]
fn a_camera_may_be_turned_and_hang_on_a_node() {
    let mut world = World::with(Settings {
        wait_for_results: true,
        max_pieces: 10,
        ..Settings::default()
    });
    let graph = &mut world.scene.graph;
    let turned = TransformBuilder::new()
        .with_local_rotation(fyrox::core::algebra::UnitQuaternion::from_axis_angle(
            &Vector3::y_axis(),
            std::f32::consts::PI,
        ))
        .build();
    let camera = CameraBuilder::new(BaseBuilder::new()).build(graph);
    let player = BaseBuilder::new()
        .with_local_transform(turned)
        .with_child(camera);
    fyrox::scene::pivot::PivotBuilder::new(player).build(graph);
    let physics = &mut graph.physics;
    physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    let cubes = [("Behind", 6.0), ("Ahead", -6.0)];
    for (name, z) in cubes {
        world.cube(
            name,
            RigidBodyType::Static,
            Vector3::new(0.0, 0.0, z),
            loose(),
        );
    }
    world.steps(3);
    for (name, z) in cubes {
        world.strike(name, hard(Vector3::new(0.0, 0.5, z)).with_radius(2.0));
    }
    world.steps(20);
    let of = |name: &str| world.destruction.pieces_of(name).len();
    assert_eq!((of("Behind"), of("Ahead")), (0, 10));
    let cameras = world.scene.graph.linear_iter();
    assert_eq!(
        cameras
            .filter(|node| node.cast::<Camera>().is_some())
            .count(),
        1
    );
}
