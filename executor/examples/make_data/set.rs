//! A scene under construction: light, ground, and things that stand on it.

use crate::ids;
use fracture::{Destructible, FracturePattern};
use fyrox::{
    asset::{manager::ResourceManager, Resource, TypedResourceData},
    core::{
        algebra::{UnitQuaternion, Vector3},
        color::Color,
        futures::executor::block_on,
        pool::Handle,
        visitor::Visitor,
    },
    graph::SceneGraph,
    material::{Material, MaterialResource},
    resource::model::{Model, ModelResourceExtension},
    scene::{
        base::BaseBuilder,
        camera::{CameraBuilder, Exposure},
        collider::{Collider, ColliderBuilder, ColliderShape, GeometrySource},
        light::{
            directional::{CsmOptions, DirectionalLightBuilder, FrustumSplitOptions},
            BaseLightBuilder,
        },
        mesh::{Mesh, RenderPath},
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::{Transform, TransformBuilder},
        EnvironmentLightingSource, Scene,
    },
};
use std::error::Error;
use std::f32::consts::TAU;
use std::path::{Path, PathBuf};

/// What a maker can fail with.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What stands for a model in the physics.
#[derive(Clone, Copy)]
pub enum Body {
    /// A box on y = 0.
    Block([f32; 3]),
    /// A ring of capsules in the x y plane.
    Ring {
        /// Radius of the ring, metres.
        ring: f32,
        /// Radius of its tube, metres.
        tube: f32,
    },
    /// The triangles of the model; only for what does not move.
    Triangles,
}

/// A thing in the scene.
#[derive(Clone)]
pub struct Prop<'a> {
    /// Name of its rigid body.
    pub name: &'a str,
    /// Model file without extension.
    pub model: &'a str,
    /// Material file without extension.
    pub material: &'a str,
    /// Where it stands, metres.
    pub at: [f32; 3],
    /// Turn about y, degrees.
    pub turn: f32,
    /// Tilt about x before the turn, degrees.
    pub tilt: f32,
    /// Its shape in the physics.
    pub body: Body,
    /// Whether it moves.
    pub moves: bool,
    /// Its velocity at the start, m/s.
    pub velocity: [f32; 3],
    /// Whether one sees through it.
    pub clear: bool,
    /// How it breaks, if it does.
    pub breaks: Option<Destructible>,
}

impl Default for Prop<'_> {
    fn default() -> Self {
        Self {
            name: "",
            model: "",
            material: "",
            at: [0.0; 3],
            turn: 0.0,
            tilt: 0.0,
            body: Body::Triangles,
            moves: false,
            velocity: [0.0; 3],
            clear: false,
            breaks: None,
        }
    }
}

/// A scene under construction.
pub struct Set<'a> {
    scene: Scene,
    resources: &'a ResourceManager,
    data: PathBuf,
}

impl<'a> Set<'a> {
    /// Sun, sky and a paved ground.
    pub fn new(resources: &'a ResourceManager, data: &Path) -> Result<Self> {
        let mut set = Self {
            scene: Scene::new(),
            resources,
            data: data.to_path_buf(),
        };
        let rendering = &mut set.scene.rendering_options;
        rendering.environment_lighting_source = EnvironmentLightingSource::AmbientColor;
        rendering.ambient_lighting_color = Color::opaque(118, 122, 132);
        set.sun();
        set.prop(Prop {
            name: "Ground",
            model: "ground",
            material: "ground",
            at: [0.0, -0.5, 0.0],
            body: Body::Block([60.0, 0.5, 60.0]),
            ..Prop::default()
        })?;
        Ok(set)
    }

    fn sun(&mut self) {
        let fall = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 44f32.to_radians());
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -42f32.to_radians());
        // A directional light shines along its own -y: here from the front, left and above.
        let place = TransformBuilder::new()
            .with_local_position(Vector3::new(0.0, 12.0, 0.0))
            .with_local_rotation(turn * fall)
            .build();
        let mut shadows = CsmOptions::default();
        shadows.split_options = FrustumSplitOptions::Absolute {
            far_planes: [7.0, 18.0, 60.0],
        };
        DirectionalLightBuilder::new(
            BaseLightBuilder::new(
                BaseBuilder::new()
                    .with_name("Sun")
                    .with_local_transform(place),
            )
            .with_color(Color::opaque(255, 243, 224))
            .with_intensity(1.5)
            .with_scatter_enabled(false),
        )
        .with_csm_options(shadows)
        .build(&mut self.scene.graph);
    }

    /// Puts the camera at a place, looking at another.
    pub fn camera(&mut self, at: [f32; 3], target: [f32; 3]) {
        let (at, target) = (Vector3::from(at), Vector3::from(target));
        let place = TransformBuilder::new()
            .with_local_position(at)
            .with_local_rotation(UnitQuaternion::face_towards(&(target - at), &Vector3::y()))
            .build();
        CameraBuilder::new(
            BaseBuilder::new()
                .with_name("Camera")
                .with_local_transform(place),
        )
        .with_fov(52f32.to_radians())
        .with_z_near(0.05)
        .with_z_far(200.0)
        .with_exposure(Exposure::Manual(std::f32::consts::E))
        .build(&mut self.scene.graph);
    }

    /// Adds a thing: a rigid body with the model's instance and colliders below it.
    pub fn prop(&mut self, prop: Prop) -> Result<Handle<Node>> {
        let model = self.resource::<Model>(&format!("models/{}.glb", prop.model))?;
        let instance = model.instantiate(&mut self.scene);
        let material =
            self.resource::<Material>(&format!("materials/{}.material", prop.material))?;
        let mesh = self.dress(instance, &material, prop.clear)?;
        let density = prop
            .breaks
            .as_ref()
            .map_or(2400.0, |breaks| *breaks.density);
        let colliders = self.colliders(prop.body, mesh, density);
        let kind = if prop.moves {
            RigidBodyType::Dynamic
        } else {
            RigidBodyType::Static
        };
        let mut base = BaseBuilder::new()
            .with_name(prop.name)
            .with_local_transform(placement(&prop))
            .with_child(instance);
        for collider in colliders {
            base = base.with_child(collider);
        }
        if let Some(breaks) = prop.breaks {
            base = base.with_script(breaks);
        }
        let body = RigidBodyBuilder::new(base)
            .with_body_type(kind)
            .with_lin_vel(prop.velocity.into())
            .build(&mut self.scene.graph);
        Ok(body.to_base())
    }

    /// A breakable body without a mesh: a mistake.
    pub fn bare(&mut self, name: &str, at: [f32; 3], size: [f32; 3], breaks: Destructible) {
        let colliders = self.colliders(Body::Block(size), Handle::NONE, *breaks.density);
        let place = TransformBuilder::new()
            .with_local_position(at.into())
            .build();
        let mut base = BaseBuilder::new()
            .with_name(name)
            .with_local_transform(place)
            .with_script(breaks);
        for collider in colliders {
            base = base.with_child(collider);
        }
        RigidBodyBuilder::new(base)
            .with_body_type(RigidBodyType::Static)
            .build(&mut self.scene.graph);
    }

    /// Gives the instance's mesh a material, leaving its triangles to the model.
    fn dress(
        &mut self,
        instance: Handle<Node>,
        material: &MaterialResource,
        clear: bool,
    ) -> Result<Handle<Node>> {
        let graph = &mut self.scene.graph;
        let (handle, _) = graph
            .find(instance, &mut |node| node.cast::<Mesh>().is_some())
            .ok_or("the model has no mesh")?;
        let mesh = graph[handle]
            .cast_mut::<Mesh>()
            .ok_or("the model has no mesh")?;
        let mut surfaces = mesh.surfaces().to_vec();
        for surface in &mut surfaces {
            surface.set_material(material.clone());
        }
        mesh.set_surfaces(surfaces);
        if clear {
            mesh.set_render_path(RenderPath::Forward);
            mesh.set_cast_shadows(false);
        }
        Ok(handle)
    }

    fn colliders(&mut self, body: Body, mesh: Handle<Node>, density: f32) -> Vec<Handle<Collider>> {
        match body {
            Body::Block([x, y, z]) => {
                let place = TransformBuilder::new()
                    .with_local_position(Vector3::new(0.0, y * 0.5, 0.0))
                    .build();
                let shape = ColliderShape::cuboid(x * 0.5, y * 0.5, z * 0.5);
                vec![self.collider(place, shape, density)]
            }
            Body::Triangles => {
                let shape = ColliderShape::trimesh(vec![GeometrySource(mesh)]);
                vec![self.collider(Transform::identity(), shape, density)]
            }
            Body::Ring { ring, tube } => (0..12)
                .map(|index| {
                    let point = |k: usize| {
                        let (sin, cos) = (k as f32 / 12.0 * TAU).sin_cos();
                        Vector3::new(ring * cos, ring * sin, 0.0)
                    };
                    let shape = ColliderShape::capsule(point(index), point(index + 1), tube);
                    self.collider(Transform::identity(), shape, density)
                })
                .collect(),
        }
    }

    fn collider(
        &mut self,
        place: Transform,
        shape: ColliderShape,
        density: f32,
    ) -> Handle<Collider> {
        ColliderBuilder::new(
            BaseBuilder::new()
                .with_name("Collider")
                .with_local_transform(place),
        )
        .with_shape(shape)
        .with_density(Some(density))
        .with_friction(0.7)
        .build(&mut self.scene.graph)
    }

    /// A breakable of a material of this project.
    pub fn breaks(&self, pattern: &str, cut: &str) -> Result<Destructible> {
        let mut script = Destructible::default();
        // By its id, unread: a scene may well refer to a pattern that is damaged or gone.
        let pattern = self.data.join(format!("patterns/{pattern}.pattern"));
        let pattern = self
            .resources
            .find_uuid::<FracturePattern>(ids::of(&pattern));
        script.pattern = Some(pattern).into();
        let cut = self.resource::<Material>(&format!("materials/{cut}.material"))?;
        script.cut_material = Some(cut).into();
        Ok(script)
    }

    fn resource<T: TypedResourceData>(&self, path: &str) -> Result<Resource<T>> {
        let path = self.data.join(path);
        block_on(self.resources.request::<T>(&path))
            .map_err(|error| format!("{}: {error:?}", path.display()).into())
    }

    /// Writes the scene as text.
    pub fn save(mut self, name: &str) -> Result<()> {
        let mut visitor = Visitor::new();
        self.scene.save("Scene", &mut visitor)?;
        let path = self.data.join("scenes").join(name).with_extension("rgs");
        visitor.save_ascii_to_file(&path)?;
        println!("{name}.rgs");
        Ok(())
    }
}

fn placement(prop: &Prop) -> Transform {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), prop.turn.to_radians());
    let tilt = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), prop.tilt.to_radians());
    TransformBuilder::new()
        .with_local_position(prop.at.into())
        .with_local_rotation(turn * tilt)
        .build()
}
