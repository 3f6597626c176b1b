//! Nodes that are made destructible in one call: what they get, where they stay, and that they break.

use crate::world::{cube_surface, World};
use fracture::{
    conversion::write_surfaces, make_destructible, Destructible, Event, MakeDestructibleError,
};
use fracture_geometry::Mesh as SolidMesh;
use fyrox::{
    core::{
        algebra::{Matrix4, UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{Collider, ColliderShape},
        mesh::{
            surface::{Surface, SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBody, RigidBodyType},
        transform::{Transform, TransformBuilder},
    },
};

const AT: Vector3<f32> = Vector3::new(1.0, 3.0, -2.0);

fn surface(mesh: &SolidMesh) -> Surface {
    let data = write_surfaces(mesh).into_values().next().unwrap();
    SurfaceBuilder::new(data).build()
}

fn cube() -> Surface {
    cube_surface(Matrix4::identity(), None)
}

/// Somewhere, turned and stretched.
fn crooked() -> Transform {
    TransformBuilder::new()
        .with_local_position(AT)
        .with_local_rotation(UnitQuaternion::from_euler_angles(0.3, 1.0, -0.4))
        .with_local_scale(Vector3::new(1.0, 0.5, 1.5))
        .build()
}

/// Turned about a pivot, before the rotation and beside it, as files of other programs have it.
fn pivoted() -> Transform {
    let mut transform = crooked();
    transform.set_rotation_pivot(Vector3::new(0.2, 0.1, 0.0));
    transform.set_pre_rotation(UnitQuaternion::from_euler_angles(0.0, 0.5, 0.2));
    transform
}

/// A mesh node below a parent, without a body.
fn mesh(
    world: &mut World,
    parent: Handle<Node>,
    transform: Transform,
    surface: Surface,
) -> Handle<Node> {
    let graph = &mut world.scene.graph;
    let base = BaseBuilder::new()
        .with_name("thing")
        .with_local_transform(transform);
    let mesh = MeshBuilder::new(base)
        .with_surfaces(vec![surface])
        .build(graph)
        .to_base();
    graph.link_nodes(mesh, parent);
    mesh
}

fn pivot(world: &mut World, transform: Transform) -> Handle<Node> {
    let base = BaseBuilder::new()
        .with_name("group")
        .with_local_transform(transform);
    PivotBuilder::new(base)
        .build(&mut world.scene.graph)
        .to_base()
}

/// The transform of a node to world space, from local transforms.
fn in_world(world: &World, node: Handle<Node>) -> Matrix4<f32> {
    let graph = &world.scene.graph;
    let mut matrix = Matrix4::identity();
    let mut next = graph.try_get_node(node).ok();
    while let Some(node) = next {
        matrix = node.local_transform().matrix() * matrix;
        next = graph.try_get_node(node.parent()).ok();
    }
    matrix
}

/// Throws 20 kg at what is at a place; whether something breaks.
fn is_broken_at(world: &mut World, at: Vector3<f32>) -> bool {
    world.steps(2);
    world.ball(
        20.0,
        at + Vector3::new(0.0, 0.05, 4.0),
        Vector3::new(0.0, 0.0, -30.0),
    );
    let events = world.steps(30);
    events
        .iter()
        .any(|event| matches!(event, Event::Broken { .. }))
}

fn shape_of(world: &World, collider: Handle<Node>) -> &'static str {
    let collider: &Collider = world.scene.graph.try_get_of_type(collider).unwrap();
    match collider.shape() {
        ColliderShape::Cuboid(_) => "box",
        ColliderShape::Ball(_) => "ball",
        ColliderShape::Trimesh(_) => "mesh",
        ColliderShape::Polyhedron(_) => "convex",
        _ => "other",
    }
}

#[test]
fn meshes_get_a_body_a_collider_that_fits_and_the_script_where_they_are_and_break() {
    let torus = SolidMesh::torus(0.5, 0.2, 32, 16);
    let sphere = SolidMesh::sphere(0.5, 32, 16);
    use RigidBodyType::{Dynamic, Static};
    for (of, mesh_data, transform, body_type, shape) in [
        ("cube", None, crooked(), Static, "box"),
        ("cube", None, crooked(), Dynamic, "box"),
        ("cube", None, pivoted(), Dynamic, "box"),
        (
            "sphere",
            Some(&sphere),
            Transform::identity(),
            Static,
            "ball",
        ),
        ("sphere", Some(&sphere), crooked(), Dynamic, "convex"),
        ("torus", Some(&torus), crooked(), Static, "mesh"),
        ("torus", Some(&torus), pivoted(), Dynamic, "convex"),
    ] {
        let of = format!("{of} {body_type:?}");
        let mut world = World::new();
        let root = world.scene.graph.root();
        let is_pivoted = **transform.pre_rotation() != UnitQuaternion::identity();
        let node = mesh(
            &mut world,
            root,
            transform,
            mesh_data.map_or_else(cube, surface),
        );
        let before = in_world(&world, node);
        let graph = &mut world.scene.graph;
        let made = make_destructible(graph, node, body_type, Destructible::default()).unwrap();
        assert!((in_world(&world, node) - before).abs().max() < 1e-5, "{of}");
        let body: &RigidBody = world.scene.graph.try_get_of_type(made.body).unwrap();
        assert_eq!((body.name(), body.body_type()), ("thing", body_type));
        assert!(made.new_body.is_some() && made.is_new_script, "{made}");
        let [collider] = made.colliders[..] else {
            panic!("{of}: {made}");
        };
        // The box of a body that a pivot keeps from turning with its mesh is that of the mesh's corners.
        if !(is_pivoted && shape == "box") {
            assert_eq!(shape_of(&world, collider), shape, "{of}");
        }
        let middle = before.transform_point(&Default::default()).coords;
        let side = if shape == "mesh" || shape == "convex" {
            0.5
        } else {
            0.0
        };
        let aim = before
            .transform_point(&Vector3::new(side, 0.0, 0.0).into())
            .coords;
        let aim = if of.starts_with("torus") { aim } else { middle };
        assert!(is_broken_at(&mut world, aim), "{of}: {}", world.faults());
        assert_eq!(world.faults(), "", "{of}");
    }
}

#[test]
fn a_model_of_several_meshes_gets_one_body_below_a_scaled_parent_too() {
    for body_type in [RigidBodyType::Static, RigidBodyType::Dynamic] {
        let mut world = World::new();
        let large = TransformBuilder::new()
            .with_local_scale(Vector3::repeat(2.0))
            .build();
        let level = pivot(&mut world, large);
        let model = pivot(&mut world, crooked());
        world.scene.graph.link_nodes(model, level);
        let aside = |x: f32| {
            let place = Vector3::new(x, 0.0, 0.0);
            TransformBuilder::new().with_local_position(place).build()
        };
        let parts = [-0.4, 0.4].map(|x| mesh(&mut world, model, aside(x), cube()));
        let before = parts.map(|part| in_world(&world, part));
        let graph = &mut world.scene.graph;
        let made = make_destructible(graph, model, body_type, Destructible::default()).unwrap();
        let after = parts.map(|part| in_world(&world, part));
        for (before, after) in before.iter().zip(&after) {
            assert!((before - after).abs().max() < 1e-4);
        }
        let colliders = made.colliders.iter().map(|at| shape_of(&world, *at));
        let colliders: Vec<_> = colliders.collect();
        // The engine would misplace those of meshes, not boxes.
        assert_eq!(colliders, ["box"; 2]);
        let aim = before[0].transform_point(&Default::default()).coords;
        assert!(is_broken_at(&mut world, aim), "{}", world.faults());
    }
}

/// A place that is turned, and scaled along its axes.
fn turned(position: [f32; 3], angle: f32, scale: [f32; 3]) -> Transform {
    let turn = UnitQuaternion::from_euler_angles(angle, 0.3, -0.5 * angle);
    let place = TransformBuilder::new().with_local_position(position.into());
    let place = place.with_local_rotation(turn);
    place.with_local_scale(scale.into()).build()
}

#[test]
fn each_mesh_of_what_moves_gets_the_box_or_the_ball_that_it_is() {
    let mut world = World::new();
    let root = world.scene.graph.root();
    let model = pivot(&mut world, Transform::identity());
    world.scene.graph.link_nodes(model, root);
    let top = turned([0.0, 1.0, 0.0], 0.1, [1.5, 0.1, 0.8]);
    let leg = turned([0.5, 0.5, 0.2], 0.4, [0.1, 1.0, 0.1]);
    let boxes = [top, leg].map(|place| mesh(&mut world, model, place, cube()));
    let ball = surface(&SolidMesh::sphere(0.5, 32, 16));
    let lamp = turned([0.0, 1.5, 0.0], 0.7, [0.5; 3]);
    mesh(&mut world, model, lamp, ball);
    let ring = surface(&SolidMesh::torus(0.4, 0.1, 16, 8));
    mesh(&mut world, model, turned([0.0; 3], 1.0, [1.0; 3]), ring);
    // Gets no shape.
    let mut empty = SurfaceData::make_quad(&Matrix4::identity());
    empty.clear();
    let empty = SurfaceBuilder::new(SurfaceResource::new_embedded(empty)).build();
    mesh(&mut world, model, Transform::identity(), empty);
    let graph = &mut world.scene.graph;
    let dynamic = RigidBodyType::Dynamic;
    let made = make_destructible(graph, model, dynamic, Destructible::default()).unwrap();
    let shapes = made.colliders.iter().map(|at| shape_of(&world, *at));
    let shapes: Vec<_> = shapes.collect();
    assert_eq!(shapes, ["box", "box", "ball", "convex"]);
    for (mesh, collider) in boxes.into_iter().zip(&made.colliders) {
        let own: &Collider = world.scene.graph.try_get_of_type(*collider).unwrap();
        let ColliderShape::Cuboid(cuboid) = own.shape() else {
            panic!("no box");
        };
        let of_mesh = in_world(&world, mesh);
        let half = Matrix4::new_nonuniform_scaling(&(cuboid.half_extents * 2.0));
        let of_collider = in_world(&world, *collider) * half;
        let off = (of_mesh - of_collider).abs().max();
        assert!(off < 1e-5, "{of_mesh} {of_collider}");
    }
}

#[test]
fn what_is_flat_or_without_size_gets_no_collider_that_the_engine_cannot_make() {
    let of = |data: SurfaceData| {
        let mut world = World::new();
        let root = world.scene.graph.root();
        let data = SurfaceResource::new_embedded(data);
        let surface = SurfaceBuilder::new(data).build();
        let node = mesh(&mut world, root, crooked(), surface);
        let graph = &mut world.scene.graph;
        let dynamic = RigidBodyType::Dynamic;
        let made = make_destructible(graph, node, dynamic, Destructible::default()).unwrap();
        world.steps(3);
        let shapes = made.colliders.iter().map(|at| shape_of(&world, *at));
        shapes.collect::<Vec<_>>()
    };
    assert_eq!(of(SurfaceData::make_quad(&Matrix4::identity())), ["box"]);
    let mut empty = SurfaceData::make_quad(&Matrix4::identity());
    empty.clear();
    assert!(of(empty).is_empty());
    for scale in [0.0, f32::NAN] {
        let scaled = Matrix4::new_scaling(scale);
        assert!(of(SurfaceData::make_sphere(8, 8, 1.0, &scaled)).is_empty());
    }
}

#[test]
fn what_a_node_has_is_left_to_it() {
    let mut world = World::new();
    let shape = ColliderShape::ball(0.4);
    let with_collider = world.body("a", RigidBodyType::Static, AT, vec![cube()], shape, None);
    let far = AT + Vector3::x() * 5.0;
    let whole = world.cube("b", RigidBodyType::Dynamic, far, Destructible::default());
    let bare = world.bare("c", AT - Vector3::x() * 5.0);
    for (node, colliders, is_new_script, text) in [
        (with_collider, 0, true, "\"a\" was given the script."),
        (whole, 0, false, "\"b\" had all that it takes to break."),
        (bare, 1, false, "\"c\" was given a collider (box)."),
    ] {
        let script = Destructible {
            density: 7000.0.into(),
            ..Destructible::default()
        };
        // A mesh stands for its body.
        let child = world.node(node).children()[0];
        let made = make_destructible(
            &mut world.scene.graph,
            child,
            RigidBodyType::Dynamic,
            script,
        );
        let made = made.unwrap();
        assert_eq!(made.body, node);
        assert_eq!(
            (made.colliders.len(), made.is_new_script),
            (colliders, is_new_script)
        );
        assert!(made.new_body.is_none());
        assert_eq!(made.to_string(), text);
        let graph = &world.scene.graph;
        let script = graph.try_get_script_of::<Destructible>(node).unwrap();
        assert_eq!(*script.density == 7000.0, is_new_script);
    }
}

#[test]
fn what_cannot_break_is_refused_and_left_as_it_was() {
    let mut world = World::new();
    let root = world.scene.graph.root();
    let nothing = pivot(&mut world, crooked());
    let group = pivot(&mut world, Transform::identity());
    let wall = world.bare("wall", AT);
    world.scene.graph.link_nodes(wall, group);
    let gone = pivot(&mut world, Transform::identity());
    world.scene.graph.remove_node(gone);
    let count = world.scene.graph.node_count();
    let mut error = |node| {
        let graph = &mut world.scene.graph;
        let made = make_destructible(graph, node, RigidBodyType::Static, Destructible::default());
        made.unwrap_err()
    };
    let no_mesh = error(nothing);
    assert!(no_mesh
        .to_string()
        .starts_with("\"group\" cannot break: it points at no mesh"));
    assert!(
        matches!(error(group), MakeDestructibleError::BodyBelow { body, .. } if body == "wall")
    );
    assert!(matches!(
        error(root),
        MakeDestructibleError::BodyBelow { .. }
    ));
    assert_eq!(error(gone), MakeDestructibleError::NoNode);
    assert_eq!(world.scene.graph.node_count(), count);
    let left = world.node(nothing);
    assert_eq!((left.parent(), left.children().len()), (root, 0));
    assert_eq!(left.local_transform().matrix(), crooked().matrix());
    let mut empty = World::new();
    let root = empty.scene.graph.root();
    let graph = &mut empty.scene.graph;
    let made = make_destructible(graph, root, RigidBodyType::Static, Destructible::default());
    assert!(matches!(made, Err(MakeDestructibleError::Root { .. })));
}
