//! A scene under construction: light, ground, and things that stand on it.

use crate::ids;
use fracture::{Anchoring, Destructible, FracturePattern};
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
        collider::{Collider, ColliderBuilder, ColliderShape, GeometrySource},
        mesh::{Mesh, RenderPath},
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::{Transform, TransformBuilder},
        EnvironmentLightingSource, Scene,
    },
};
use std::error::Error;
use std::f32::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};

/// Errors of the makers.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The collider of a model.
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
    /// Upright cylinders on the y axis: the height of the middle, half the height, and the radius.
    Cylinders(&'static [[f32; 3]]),
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
    /// Material files without extension, one for each of the model's, joined by `+`.
    pub material: &'a str,
    /// Where it stands, metres.
    pub at: [f32; 3],
    /// Turn about y, degrees.
    pub turn: f32,
    /// Tilt about x before the turn, degrees.
    pub tilt: f32,
    /// How many times as large as the model it is.
    pub scale: [f32; 3],
    /// Its shape in the physics, as large as the model.
    pub body: Body,
    /// Which part of that shape is full; a vase is hollow.
    pub full: f32,
    /// Whether it moves.
    pub moves: bool,
    /// Its velocity at the start, m/s.
    pub velocity: [f32; 3],
    /// Whether one sees through it, as through glass, which has no shadow.
    pub clear: bool,
    /// Whether one sees through it, as through ice, which has one.
    pub cloudy: bool,
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
            scale: [1.0; 3],
            body: Body::Triangles,
            full: 1.0,
            moves: false,
            velocity: [0.0; 3],
            clear: false,
            cloudy: false,
            breaks: None,
        }
    }
}

/// A scene under construction.
pub struct Set<'a> {
    /// The nodes so far.
    pub scene: Scene,
    resources: &'a ResourceManager,
    data: PathBuf,
}

impl<'a> Set<'a> {
    /// An empty scene.
    pub fn empty(resources: &'a ResourceManager, data: &Path) -> Self {
        Self {
            scene: Scene::new(),
            resources,
            data: data.to_path_buf(),
        }
    }

    /// Sun, sky and a paved ground.
    pub fn new(resources: &'a ResourceManager, data: &Path) -> Result<Self> {
        let mut set = Self::empty(resources, data);
        let rendering = &mut set.scene.rendering_options;
        rendering.environment_lighting_source = EnvironmentLightingSource::SkyBox;
        rendering.environment_lighting_brightness = 0.6;
        rendering.ambient_lighting_color = Color::opaque(92, 98, 112);
        set.sky()?;
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

    /// Adds a thing: a rigid body with the model's instance and colliders below it.
    pub fn prop(&mut self, prop: Prop) -> Result<Handle<Node>> {
        let model = self.resource::<Model>(&format!("models/{}.glb", prop.model))?;
        let instance = model.instantiate(&mut self.scene);
        let materials = self.materials(prop.material)?;
        let mesh = self.dress(instance, &materials, prop.clear || prop.cloudy, !prop.clear)?;
        self.scene.graph[instance]
            .local_transform_mut()
            .set_scale(prop.scale.into());
        let density = prop
            .breaks
            .as_ref()
            .map_or(2400.0, |breaks| *breaks.density);
        let colliders = self.colliders(prop.body, mesh, density * prop.full, prop.scale);
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

    /// Adds a model with its materials and no more; returns its root.
    pub fn model(&mut self, model: &str, material: &str, clear: bool) -> Result<Handle<Node>> {
        let model = self.resource::<Model>(&format!("models/{model}.glb"))?;
        let instance = model.instantiate(&mut self.scene);
        let materials = self.materials(material)?;
        self.dress(instance, &materials, clear, true)?;
        Ok(instance)
    }

    /// Adds what is only seen: physics and destruction know nothing of it.
    pub fn scenery(&mut self, model: &str, material: &str) -> Result<()> {
        let model = self.resource::<Model>(&format!("models/{model}.glb"))?;
        let instance = model.instantiate(&mut self.scene);
        let materials = self.materials(material)?;
        self.dress(instance, &materials, false, false).map(drop)
    }

    /// The materials of a name, joined by `+`.
    fn materials(&self, names: &str) -> Result<Vec<MaterialResource>> {
        let file = |name: &str| format!("materials/{name}.material");
        let names = names.split('+');
        names.map(|name| self.resource(&file(name))).collect()
    }

    /// A breakable body without a mesh: a mistake.
    pub fn bare(&mut self, name: &str, at: [f32; 3], size: [f32; 3], breaks: Destructible) {
        let block = Body::Block(size);
        let colliders = self.colliders(block, Handle::NONE, *breaks.density, [1.0; 3]);
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

    /// Gives the instance's mesh its materials, leaving its triangles to the model.
    fn dress(
        &mut self,
        instance: Handle<Node>,
        materials: &[MaterialResource],
        clear: bool,
        shades: bool,
    ) -> Result<Handle<Node>> {
        let graph = &mut self.scene.graph;
        let (handle, _) = graph
            .find(instance, &mut |node| node.cast::<Mesh>().is_some())
            .ok_or("the model has no mesh")?;
        let mesh = graph[handle]
            .cast_mut::<Mesh>()
            .ok_or("the model has no mesh")?;
        let mut surfaces = mesh.surfaces().to_vec();
        if surfaces.len() != materials.len() {
            return Err(format!("the model has {} materials", surfaces.len()).into());
        }
        for (surface, material) in surfaces.iter_mut().zip(materials) {
            surface.set_material(material.clone());
        }
        mesh.set_surfaces(surfaces);
        if clear {
            mesh.set_render_path(RenderPath::Forward);
        }
        mesh.set_cast_shadows(shades);
        Ok(handle)
    }

    fn colliders(
        &mut self,
        body: Body,
        mesh: Handle<Node>,
        density: f32,
        [sx, sy, sz]: [f32; 3],
    ) -> Vec<Handle<Collider>> {
        match body {
            Body::Block([x, y, z]) => {
                let place = TransformBuilder::new()
                    .with_local_position(Vector3::new(0.0, y * sy * 0.5, 0.0))
                    .build();
                let shape = ColliderShape::cuboid(x * sx * 0.5, y * sy * 0.5, z * sz * 0.5);
                vec![self.collider(place, shape, density)]
            }
            Body::Cylinders(cylinders) => cylinders
                .iter()
                .map(|[middle, half, radius]| {
                    let place = TransformBuilder::new()
                        .with_local_position(Vector3::new(0.0, middle * sy, 0.0))
                        .build();
                    let shape = ColliderShape::cylinder(half * sy, radius * sx);
                    self.collider(place, shape, density)
                })
                .collect(),
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

    /// Adds a collider.
    pub fn collider(
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
        script.held.anchoring = Anchoring::Base.into();
        // By its id, unread: a scene may well refer to a pattern that is damaged or gone.
        let pattern = self.data.join(format!("patterns/{pattern}.pattern"));
        let pattern = self
            .resources
            .find_uuid::<FracturePattern>(ids::of(&pattern));
        script.pattern = Some(pattern).into();
        let name = cut;
        let cut = self.resource::<Material>(&format!("materials/{cut}.material"))?;
        script.inside.material = Some(cut).into();
        script.surface_tag = word(name).into();
        Ok(script)
    }

    /// A breakable of a material with a card.
    pub fn of_card(&self, card: &str) -> Result<Destructible> {
        let card = self.resource(&format!("cards/{card}.card"))?;
        Ok(Destructible::with_card(card))
    }

    /// A resource by its path in the data folder.
    pub fn resource<T: TypedResourceData>(&self, path: &str) -> Result<Resource<T>> {
        let path = self.data.join(path);
        block_on(self.resources.request::<T>(&path))
            .map_err(|error| format!("{}: {error:?}", path.display()).into())
    }

    /// Writes the scene into a folder as text, with ids that are the same each time.
    pub fn save(mut self, folder: &str, name: &str) -> Result<()> {
        let mut visitor = Visitor::new();
        self.scene.save("Scene", &mut visitor)?;
        let path = self.data.join(folder).join(name).with_extension("rgs");
        fs::write(path, compact(name, &visitor.save_ascii_to_string()))?;
        println!("{name}.rgs");
        Ok(())
    }
}

/// The text without its indents, which are most of it, and with node ids that follow from the scene's
/// name and their order, not from chance.
fn compact(scene: &str, text: &str) -> String {
    const MARK: &str = "InstanceId<uuid:";
    let mut compacted = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        match line.split_once(MARK) {
            Some((before, after)) => {
                let id = ids::of(Path::new(&format!("{scene}#{number}")));
                let rest = after.split_once('>').map_or("", |(_, rest)| rest);
                compacted.extend([before, MARK, &id.to_string(), ">", rest]);
            }
            None => compacted.push_str(line),
        }
        compacted.push('\n');
    }
    compacted
}

/// Returns the surface tag that belongs to the material of cut faces.
fn word(cut: &str) -> String {
    match cut.split_once('_').map_or(cut, |(word, _)| word) {
        "render" => "concrete".into(),
        word => word.into(),
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
