//! Skinned meshes break as statues, in the pose of the moment.

use crate::world::{broken, hard, placed, World};
use fracture::Destructible;
use fyrox::{
    core::{
        algebra::{Matrix4, UnitQuaternion, Vector3},
        math::aabb::AxisAlignedBoundingBox,
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            buffer::{VertexAttributeUsage as Usage, VertexBuffer, VertexReadTrait},
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            vertex::AnimatedVertex,
            MeshBuilder,
        },
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
    },
};

const AT: Vector3<f32> = Vector3::new(3.0, 1.0, -2.0);

/// A post of 0.4 x 2 x 0.4 m whose lower end one bone moves and whose upper end another one does.
fn post_surface() -> SurfaceData {
    let size = Matrix4::new_nonuniform_scaling(&Vector3::new(0.4, 2.0, 0.4));
    let mut data = SurfaceData::make_cube(size);
    let animated = data.vertex_buffer.iter().map(|vertex| {
        let position = vertex.read_3_f32(Usage::Position).unwrap();
        let bone = u8::from(position.y > 0.0);
        AnimatedVertex {
            position,
            tex_coord: vertex.read_2_f32(Usage::TexCoord0).unwrap(),
            normal: vertex.read_3_f32(Usage::Normal).unwrap(),
            tangent: vertex.read_4_f32(Usage::Tangent).unwrap(),
            bone_weights: [0.75, 0.25, 0.0, 0.0],
            bone_indices: [bone; 4],
        }
    });
    let animated: Vec<AnimatedVertex> = animated.collect();
    data.vertex_buffer = VertexBuffer::new(animated.len(), animated).unwrap();
    data
}

/// Adds the post, and returns its mesh and the bone of its upper end.
fn add_post(world: &mut World, script: Destructible) -> [Handle<Node>; 2] {
    let graph = &mut world.scene.graph;
    let bones = [-1.0, 0.0].map(|height| {
        let place = Vector3::y() * height;
        let base = BaseBuilder::new()
            .with_name("bone")
            .with_local_transform(placed(place))
            .with_inv_bind_pose_transform(Matrix4::new_translation(&-place));
        PivotBuilder::new(base).build(graph).to_base()
    });
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(post_surface()))
        .with_bones(bones.to_vec())
        .build();
    let mesh = MeshBuilder::new(BaseBuilder::new().with_name("post mesh"))
        .with_surfaces(vec![surface])
        .build(graph)
        .to_base();
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(0.2, 1.0, 0.2))
        .build(graph);
    let base = BaseBuilder::new()
        .with_name("post")
        .with_local_transform(placed(AT))
        .with_child(bones[0])
        .with_child(bones[1])
        .with_child(mesh)
        .with_child(collider)
        .with_script(script);
    RigidBodyBuilder::new(base)
        .with_body_type(RigidBodyType::Static)
        .build(graph);
    [mesh, bones[1]]
}

/// Turns the upper end.
fn bend(world: &mut World, bone: Handle<Node>, angle: f32) {
    let node = world.scene.graph.try_get_node_mut(bone).unwrap();
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
    node.local_transform_mut().set_rotation(turn);
}

/// The box of all pieces, world space.
fn bounds(world: &World) -> AxisAlignedBoundingBox {
    let mut bounds = AxisAlignedBoundingBox::default();
    for piece in world.destruction.pieces_of("post") {
        assert_eq!(piece.closed, Some(true));
        let mesh = world.mesh(piece.node);
        for surface in mesh.surfaces() {
            for vertex in surface.data().data_ref().vertex_buffer.iter() {
                let position = vertex.read_3_f32(Usage::Position).unwrap();
                let place = mesh.global_transform().transform_point(&position.into());
                bounds.add_point(place.coords);
            }
        }
    }
    bounds
}

#[test]
fn a_skinned_mesh_breaks_in_the_pose_in_which_it_is_struck() {
    for angle in [0.0, 0.5, -0.9] {
        let mut world = World::new();
        let [mesh, bone] = add_post(&mut world, Destructible::default());
        // It has been known for long, in another pose, when it is struck.
        bend(&mut world, bone, 0.2);
        world.steps(5);
        bend(&mut world, bone, angle);
        world.step();
        let drawn = world
            .mesh(mesh)
            .accurate_world_bounding_box(&world.scene.graph);
        let impact = hard(AT + Vector3::new(0.2, -0.8, 0.0)).with_radius(0.3);
        let events = world.strike("post", impact);
        assert_eq!(broken(&events), ["post"], "{}", world.faults());
        let found = bounds(&world);
        for (found, drawn) in [(found.min, drawn.min), (found.max, drawn.max)] {
            let error = (found - drawn).norm();
            assert!(
                error < 1e-3,
                "turned by {angle}: {found} is {error} m off {drawn}"
            );
        }
        assert!(!world.node(mesh).global_visibility());
    }
}

#[test]
fn a_skinned_mesh_that_is_not_to_break_is_a_fault() {
    let mut world = World::new();
    let script = Destructible {
        break_in_pose: false.into(),
        ..Destructible::default()
    };
    add_post(&mut world, script);
    world.steps(3);
    let faults = world.faults();
    assert!(
        faults.contains("\"post mesh\" is skinned; switch Break In Pose on"),
        "{faults}"
    );
}
