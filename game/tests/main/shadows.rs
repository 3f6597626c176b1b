//! Shadows of pieces, which end at a distance.

use crate::{
    debris_view::{cube_on_floor, merged, shatter, tough},
    world::{placed, World},
};
use fracture::Settings;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{base::BaseBuilder, camera::CameraBuilder, node::Node},
};

/// The sizes of the pieces of the crate, largest first, with whether their nodes cast shadows.
fn shadows(world: &World) -> Vec<(f32, bool)> {
    let pieces = world.destruction.pieces_of("crate").into_iter();
    let mut shadows: Vec<_> = pieces
        .map(|piece| {
            let [low, high] = piece.bounds;
            ((high - low).max(), world.mesh(piece.node).cast_shadows())
        })
        .collect();
    shadows.sort_by(|a, b| b.0.total_cmp(&a.0));
    shadows
}

fn look_from(world: &mut World, at: Vector3<f32>) -> Handle<Node> {
    let base = BaseBuilder::new().with_local_transform(placed(at));
    CameraBuilder::new(base)
        .build(&mut world.scene.graph)
        .to_base()
}

#[test]
fn small_pieces_cast_shadows_near_a_camera_and_large_ones_from_afar() {
    let settings = Settings {
        shadow_distance: 20.0,
        merge_after: f32::INFINITY,
        ..Settings::default()
    };
    let mut world = cube_on_floor(settings, tough());
    shatter(&mut world);
    world.steps(5);
    let all = |world: &World| shadows(world).iter().all(|(_, casts)| *casts);
    assert!(all(&world), "without a camera all do");
    let camera = look_from(&mut world, Vector3::new(0.0, 1.0, 8.0));
    world.steps(20);
    let found = shadows(&world);
    let casting = found.iter().take_while(|(_, casts)| *casts).count();
    assert!(casting > 0 && casting < found.len(), "{found:?}");
    let rest = found.iter().skip(casting);
    // By the distance of each, and by the sides of boxes that are turned.
    let near = |size: f32| (0.2..0.6).contains(&size);
    assert!(
        rest.clone().all(|(size, casts)| !casts || near(*size)),
        "{found:?}"
    );

    let node = world.scene.graph.try_get_node_mut(camera).unwrap();
    node.local_transform_mut()
        .set_position(Vector3::new(0.0, 1.0, 1.5));
    world.steps(5);
    let number = |world: &World| shadows(world).iter().filter(|(_, casts)| *casts).count();
    assert!(number(&world) > casting);
    let node = world.scene.graph.try_get_node_mut(camera).unwrap();
    node.local_transform_mut()
        .set_position(Vector3::new(0.0, 1.0, 500.0));
    world.steps(5);
    assert_eq!(number(&world), 0);
}

#[test]
fn a_batch_casts_shadows_as_its_largest_piece() {
    let shadow = |distance: f32| {
        let settings = Settings {
            shadow_distance: distance,
            ..Settings::default()
        };
        let (mut world, pieces) = merged(settings);
        look_from(&mut world, Vector3::new(0.0, 1.0, 8.0));
        world.steps(20);
        let batch = pieces
            .iter()
            .find(|piece| world.node(piece.node).name().starts_with("settled"));
        world.mesh(batch.unwrap().node).cast_shadows()
    };
    assert_eq!([shadow(5.0), shadow(100.0)], [false, true]);
}
