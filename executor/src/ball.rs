//! A ball that is thrown into a scene.

use fyrox::{
    asset::untyped::ResourceKind,
    core::{
        algebra::{Matrix4, Vector3},
        color::Color,
        pool::Handle,
        Uuid,
    },
    material::{Material, MaterialResource},
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        rigidbody::{RigidBody, RigidBodyBuilder},
        transform::TransformBuilder,
        Scene,
    },
};
use std::f32::consts::PI;
use std::sync::OnceLock;

/// Adds a ball of the given radius (m) and mass (kg) that starts with a velocity (m/s).
///
/// Its flight is checked continuously, so that it does not pass through thin things.
pub fn throw(
    scene: &mut Scene,
    name: &str,
    radius: f32,
    mass: f32,
    from: Vector3<f32>,
    velocity: Vector3<f32>,
) -> Handle<RigidBody> {
    let volume = 4.0 / 3.0 * PI * radius.powi(3);
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::ball(radius))
        .with_density(Some(mass / volume))
        .with_friction(0.5)
        .with_restitution(0.1)
        .build(&mut scene.graph);
    let scale = Vector3::repeat(2.0 * radius);
    let look = MeshBuilder::new(
        BaseBuilder::new()
            .with_local_transform(TransformBuilder::new().with_local_scale(scale).build()),
    )
    .with_surfaces(vec![SurfaceBuilder::new(sphere())
        .with_material(iron())
        .build()])
    .build(&mut scene.graph);
    let place = TransformBuilder::new().with_local_position(from).build();
    RigidBodyBuilder::new(
        BaseBuilder::new()
            .with_name(name)
            .with_local_transform(place)
            .with_child(collider)
            .with_child(look),
    )
    .with_lin_vel(velocity)
    // The collider has all of the mass; the engine would add a kilogram.
    .with_mass(0.0)
    .with_ccd_enabled(true)
    .build(&mut scene.graph)
}

/// One sphere of diameter 1 for all balls.
fn sphere() -> SurfaceResource {
    static SPHERE: OnceLock<SurfaceResource> = OnceLock::new();
    let make = || {
        let data = SurfaceData::make_sphere(20, 20, 0.5, &Matrix4::identity());
        SurfaceResource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, data)
    };
    SPHERE.get_or_init(make).clone()
}

/// One dark material for all balls.
fn iron() -> MaterialResource {
    static IRON: OnceLock<MaterialResource> = OnceLock::new();
    let make = || {
        let mut material = Material::standard();
        material.set_property("diffuseColor", Color::opaque(46, 48, 54));
        MaterialResource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, material)
    };
    IRON.get_or_init(make).clone()
}
