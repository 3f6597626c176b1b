//! A breakable wall, made by code: a rigid body with a mesh and a collider below it, and the script
//! `Destructible` on the body.

use fracture::Destructible;
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    material::{Material, MaterialResource},
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        Scene,
    },
};

/// Size of the wall, metres.
const SIZE: Vector3<f32> = Vector3::new(3.0, 2.0, 0.2);

/// Adds the wall, with its centre at the origin.
pub fn add(scene: &mut Scene) -> Handle<Node> {
    let graph = &mut scene.graph;
    let data = SurfaceData::make_cube(Matrix4::new_nonuniform_scaling(&SIZE));
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data))
        .with_material(MaterialResource::new_embedded(Material::standard()))
        .build();
    let mesh = MeshBuilder::new(BaseBuilder::new())
        .with_surfaces(vec![surface])
        .build(graph);
    let [x, y, z] = [SIZE.x / 2.0, SIZE.y / 2.0, SIZE.z / 2.0];
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(x, y, z))
        .build(graph);
    let base = BaseBuilder::new()
        .with_name("Wall")
        .with_child(mesh)
        .with_child(collider)
        .with_script(Destructible::default());
    RigidBodyBuilder::new(base)
        .with_body_type(RigidBodyType::Static)
        .build(graph)
        .to_base()
}
