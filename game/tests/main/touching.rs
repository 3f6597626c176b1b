//! Objects that are held where they touch what is held.

use crate::world::{broken, cube_surface, hard, placed, World};
use fracture::{Destructible, Event, Impact};
use fyrox::{
    core::{
        algebra::{Matrix4, UnitQuaternion, Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape, GeometrySource},
        mesh::MeshBuilder,
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        terrain::{Layer, TerrainBuilder},
        transform::TransformBuilder,
    },
};

const STATIC: RigidBodyType = RigidBodyType::Static;

fn at(x: f32, y: f32, z: f32) -> Vector3<f32> {
    Vector3::new(x, y, z)
}

/// Adds a static block of a size at a place, with a script as it is when it is new.
fn block(world: &mut World, name: &str, size: [f32; 3], place: Vector3<f32>) -> Handle<Node> {
    world.block(name, STATIC, place, size.into(), Destructible::default())
}

/// Adds two walls, a floor on them, and a wall on that: on the ground.
fn house(world: &mut World) -> [Handle<Node>; 4] {
    world.floor();
    [
        block(world, "Left", [0.2, 2.0, 3.0], at(-1.5, 1.0, 0.0)),
        block(world, "Right", [0.2, 2.0, 3.0], at(1.5, 1.0, 0.0)),
        block(world, "Floor", [3.4, 0.2, 3.0], at(0.0, 2.1, 0.0)),
        block(world, "Upper", [0.2, 2.0, 3.0], at(0.0, 3.2, 0.0)),
    ]
}

/// Takes a second, and gives the names of what broke or came down, in order.
fn second(world: &mut World) -> Vec<String> {
    let events = world.steps(60);
    broken(&events).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_house_stands_until_what_carries_it_is_removed() {
    let mut world = World::new();
    let [left, right, ..] = house(&mut world);
    assert_eq!(second(&mut world), [""; 0]);
    world.scene.graph.remove_node(left);
    assert_eq!(
        second(&mut world),
        [""; 0],
        "the right wall carries the floor"
    );
    world.scene.graph.remove_node(right);
    let fallen = second(&mut world);
    assert_eq!(fallen[..2], ["Floor", "Upper"]);
    assert_eq!(world.faults(), "");
}

#[test]
fn a_house_comes_down_when_its_walls_are_shot_away() {
    let mut world = World::new();
    house(&mut world);
    world.steps(10);
    let mut fallen = Vec::new();
    for (name, x) in [("Left", -1.5), ("Right", 1.5)] {
        for z in [-1.2, -0.4, 0.4, 1.2] {
            let blow = Impact {
                radius: Some(0.9),
                energy: 50_000.0,
                ..hard(at(x, 0.6, z))
            };
            let events = world.strike(name, blow);
            fallen.extend(broken(&events).into_iter().map(str::to_owned));
        }
    }
    fallen.extend(second(&mut world));
    for name in ["Floor", "Upper"] {
        assert!(fallen.iter().any(|own| own == name), "{fallen:?}");
    }
}

#[test]
fn what_floats_falls_at_the_start_and_the_remedy_is_told_once() {
    let mut world = World::new();
    house(&mut world);
    block(&mut world, "Lamp", [0.4; 3], at(0.0, 1.0, 0.0));
    assert_eq!(second(&mut world)[0], "Lamp");
    let faults = world.faults();
    assert!(
        faults.contains("Lamp") && faults.contains("raise its Gap"),
        "{faults}"
    );
    assert_eq!(faults.lines().count(), 1, "{faults}");
}

fn nested(
    world: &mut World,
    parent_scale: Vector3<f32>,
    mesh_scale: Vector3<f32>,
    place: Vector3<f32>,
    name: &str,
) {
    let graph = &mut world.scene.graph;
    let scale = |scale| TransformBuilder::new().with_local_scale(scale).build();
    let mesh = MeshBuilder::new(BaseBuilder::new().with_local_transform(scale(mesh_scale)))
        .with_surfaces(vec![cube_surface(Matrix4::identity(), None)])
        .build(graph);
    let half = parent_scale.component_mul(&mesh_scale).abs() / 2.0;
    let half = half.component_div(&parent_scale.abs());
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(half.x, half.y, half.z))
        .build(graph);
    let base = BaseBuilder::new()
        .with_name(name)
        .with_script(Destructible::default())
        .with_child(mesh)
        .with_child(collider);
    let body = RigidBodyBuilder::new(base)
        .with_body_type(STATIC)
        .build(graph);
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.6);
    let transform = TransformBuilder::new()
        .with_local_position(place)
        .with_local_rotation(turn)
        .with_local_scale(parent_scale)
        .build();
    PivotBuilder::new(
        BaseBuilder::new()
            .with_local_transform(transform)
            .with_child(body),
    )
    .build(graph);
}

#[test]
fn nested_scaled_and_mirrored_objects_touch_where_they_are_seen() {
    let mut world = World::new();
    world.floor();
    let mirrored = at(-1.0, 1.0, 1.0);
    nested(
        &mut world,
        at(2.0, 2.0, 2.0),
        at(0.2, 1.0, 0.2),
        at(0.0, 1.0, 0.0),
        "Post",
    );
    nested(
        &mut world,
        mirrored,
        at(1.0, 0.2, 1.0),
        at(0.0, 2.1, 0.0),
        "Plate",
    );
    nested(
        &mut world,
        mirrored,
        at(1.0, 0.2, 1.0),
        at(3.0, 2.1, 0.0),
        "Floating",
    );
    assert_eq!(second(&mut world)[..1], ["Floating"]);
    assert_eq!(world.destruction.is_intact("Post"), Some(true));
    assert_eq!(world.destruction.is_intact("Plate"), Some(true));
}

#[test]
fn an_object_that_game_code_moves_away_lets_fall_what_it_held() {
    let mut world = World::new();
    world.floor();
    let lower = block(&mut world, "Lower", [1.0; 3], at(0.0, 0.5, 0.0));
    block(&mut world, "Top", [1.0; 3], at(0.0, 1.5, 0.0));
    assert_eq!(second(&mut world), [""; 0]);
    let moved = placed(at(4.0, 0.5, 0.0));
    *world
        .scene
        .graph
        .try_get_node_mut(lower)
        .unwrap()
        .local_transform_mut() = moved;
    let fallen = second(&mut world);
    assert_eq!(fallen[0], "Top");
    assert_eq!(world.destruction.is_intact("Lower"), Some(true));
}

#[test]
fn a_kinematic_object_is_held_by_what_moves_it_and_holds_others() {
    let mut world = World::new();
    world.floor();
    let script = Destructible::default();
    world.block(
        "Platform",
        RigidBodyType::KinematicPositionBased,
        at(0.0, 4.0, 0.0),
        at(2.0, 0.2, 2.0),
        script,
    );
    block(&mut world, "Post", [0.2, 1.0, 0.2], at(0.0, 4.6, 0.0));
    assert_eq!(second(&mut world), [""; 0]);
    let blow = Impact {
        radius: Some(0.3),
        ..hard(at(0.6, 4.1, 0.6))
    };
    let events = world.strike("Platform", blow);
    let held = events.iter().find_map(|event| match event {
        Event::Broken { pieces, .. } => Some(pieces.iter().filter(|piece| piece.anchored).count()),
        _ => None,
    });
    assert!(held > Some(0), "the rest stays");
}

#[test]
fn a_terrain_holds() {
    let mut world = World::new();
    let graph = &mut world.scene.graph;
    let terrain = TerrainBuilder::new(BaseBuilder::new())
        .with_chunk_size(Vector2::new(16.0, 16.0))
        .with_height_map_size(Vector2::new(17, 17))
        .with_layers(vec![Layer::default()])
        .build(graph);
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::heightfield(GeometrySource(
            terrain.to_base(),
        )))
        .build(graph);
    let base = BaseBuilder::new().with_child(collider).with_child(terrain);
    RigidBodyBuilder::new(base)
        .with_body_type(STATIC)
        .build(graph);
    block(&mut world, "Sunk", [1.0; 3], at(6.0, 0.2, 6.0));
    block(&mut world, "Floating", [1.0; 3], at(9.0, 2.0, 9.0));
    assert_eq!(second(&mut world)[..1], ["Floating"]);
    assert_eq!(world.destruction.is_intact("Sunk"), Some(true));
}

#[test]
fn what_holds_what_is_drawn_from_the_centre_of_an_object_to_where_it_touches() {
    let mut world = World::new();
    world.floor();
    block(&mut world, "Lower", [1.0; 3], at(0.0, 0.5, 0.0));
    block(&mut world, "Upper", [1.0; 3], at(0.0, 1.5, 0.0));
    second(&mut world);
    let mut lines = world.destruction.bonds();
    lines.sort_by(|a, b| (a.from.y + a.to.y).total_cmp(&(b.from.y + b.to.y)));
    let ends: Vec<[f32; 2]> = lines.iter().map(|line| [line.from.y, line.to.y]).collect();
    let expected = [[0.5, 0.0], [0.5, 1.0], [1.5, 1.0]];
    assert_eq!(ends.len(), expected.len(), "{ends:?}");
    for (ends, expected) in ends.iter().zip(expected) {
        assert!((ends[0] - expected[0]).abs() < 0.01 && (ends[1] - expected[1]).abs() < 0.01);
    }
    let anchors: Vec<bool> = lines.iter().map(|line| line.is_anchor).collect();
    assert_eq!(anchors, [true, false, false]);
}
