//! A scene built by code, and helpers to inspect it.

use fracture::{
    Anchoring, Breaking, Destructible, Destruction, Event, Held, Impact, PieceInfo, Settings,
};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    material::{Material, MaterialResource},
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            Mesh, MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::{Transform, TransformBuilder},
        Scene,
    },
};

/// Length of a frame, seconds.
pub const DT: f32 = 1.0 / 60.0;

pub struct World {
    pub scene: Scene,
    pub destruction: Destruction,
}

impl World {
    pub fn new() -> Self {
        Self::with(Settings {
            wait_for_results: true,
            check_pieces: true,
            ..Default::default()
        })
    }

    pub fn with(settings: Settings) -> Self {
        Self {
            scene: Scene::new(),
            destruction: Destruction::new(settings),
        }
    }

    /// Runs one frame and returns its events.
    pub fn step(&mut self) -> Vec<Event> {
        self.frame(DT)
    }

    /// Runs one frame of `dt` seconds and returns its events.
    pub fn frame(&mut self, dt: f32) -> Vec<Event> {
        self.scene
            .update(Vector2::new(1.0, 1.0), dt, Default::default());
        self.destruction.update(&mut self.scene, dt);
        self.destruction.events().to_vec()
    }

    /// Runs some frames and returns their events.
    pub fn steps(&mut self, count: usize) -> Vec<Event> {
        (0..count).flat_map(|_| self.step()).collect()
    }

    /// Waits until no step of the debris is under way: a frame goes without one otherwise.
    pub fn finish_debris_step(&mut self) {
        while self.destruction.is_stepping() {
            std::thread::yield_now();
        }
    }

    /// Strikes an object by name and runs until its pieces are there.
    pub fn strike(&mut self, name: &str, impact: Impact) -> Vec<Event> {
        self.destruction
            .impact_by_name(&self.scene, name, impact)
            .unwrap();
        self.steps(2)
    }

    /// All faults as text, a line each.
    pub fn faults(&self) -> String {
        let faults = self.destruction.faults();
        faults.map(|fault| format!("{fault}\n")).collect()
    }

    pub fn node(&self, handle: Handle<Node>) -> &Node {
        self.scene.graph.try_get_node(handle).unwrap()
    }

    /// The nodes whose names begin with a prefix.
    pub fn named(&self, prefix: &str) -> Vec<Handle<Node>> {
        let nodes = self.scene.graph.pair_iter();
        nodes
            .filter(|(_, n)| n.name().starts_with(prefix))
            .map(|(h, _)| h)
            .collect()
    }

    pub fn mesh(&self, handle: Handle<Node>) -> &Mesh {
        self.scene.graph.try_get_of_type::<Mesh>(handle).unwrap()
    }

    /// Adds a rigid body with a unit cube and a collider of its size.
    pub fn cube(
        &mut self,
        name: &str,
        kind: RigidBodyType,
        at: Vector3<f32>,
        script: Destructible,
    ) -> Handle<Node> {
        self.block(name, kind, at, Vector3::repeat(1.0), script)
    }

    /// Adds a static cube "wall", runs a frame, and strikes it on top: it breaks in the next frames.
    pub fn struck_wall(&mut self, at: Vector3<f32>) -> Handle<Node> {
        let wall = self.cube("wall", RigidBodyType::Static, at, Destructible::default());
        self.step();
        let impact = hard(at + Vector3::y() * 0.5);
        self.destruction.impact(wall, impact).unwrap();
        wall
    }

    /// Adds a rigid body with a box of a size, m, and a collider of its size.
    pub fn block(
        &mut self,
        name: &str,
        kind: RigidBodyType,
        at: Vector3<f32>,
        size: Vector3<f32>,
        script: Destructible,
    ) -> Handle<Node> {
        let surfaces = vec![cube_surface(Matrix4::new_nonuniform_scaling(&size), None)];
        let half = size / 2.0;
        let shape = ColliderShape::cuboid(half.x, half.y, half.z);
        self.body(name, kind, at, surfaces, shape, Some(script))
    }

    /// Adds a rigid body with a mesh and a collider.
    pub fn body(
        &mut self,
        name: &str,
        kind: RigidBodyType,
        at: Vector3<f32>,
        surfaces: Vec<fyrox::scene::mesh::surface::Surface>,
        shape: ColliderShape,
        script: Option<Destructible>,
    ) -> Handle<Node> {
        let graph = &mut self.scene.graph;
        let mesh = MeshBuilder::new(BaseBuilder::new().with_name(format!("{name} mesh")))
            .with_surfaces(surfaces)
            .build(graph);
        let collider =
            ColliderBuilder::new(BaseBuilder::new().with_name(format!("{name} collider")))
                .with_shape(shape)
                .with_friction(0.5)
                .build(graph);
        let mut base = BaseBuilder::new()
            .with_name(name)
            .with_local_transform(placed(at))
            .with_child(mesh)
            .with_child(collider);
        if let Some(script) = script {
            base = base.with_script(script);
        }
        RigidBodyBuilder::new(base)
            .with_body_type(kind)
            .build(graph)
            .to_base()
    }

    /// Adds a static rigid body with a box and without a collider.
    pub fn bare(&mut self, name: &str, at: Vector3<f32>) -> Handle<Node> {
        let graph = &mut self.scene.graph;
        let mesh = MeshBuilder::new(BaseBuilder::new())
            .with_surfaces(vec![cube_surface(Matrix4::identity(), None)])
            .build(graph);
        let base = BaseBuilder::new()
            .with_name(name)
            .with_local_transform(placed(at))
            .with_child(mesh)
            .with_script(Destructible::default());
        RigidBodyBuilder::new(base)
            .with_body_type(RigidBodyType::Static)
            .build(graph)
            .to_base()
    }

    /// Adds a ball without a mesh.
    pub fn ball(&mut self, mass: f32, from: Vector3<f32>, velocity: Vector3<f32>) -> Handle<Node> {
        let graph = &mut self.scene.graph;
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::ball(0.1))
            .build(graph);
        let base = BaseBuilder::new()
            .with_name("ball")
            .with_local_transform(placed(from))
            .with_child(collider);
        RigidBodyBuilder::new(base)
            .with_mass(mass)
            .with_lin_vel(velocity)
            .with_ccd_enabled(true)
            .build(graph)
            .to_base()
    }

    /// Adds a large static floor whose top is at height 0.
    pub fn floor(&mut self) -> Handle<Node> {
        self.floor_at(Vector3::new(0.0, -0.5, 0.0))
    }

    /// Adds such a floor with its centre at a place, half a metre below its top.
    pub fn floor_at(&mut self, place: Vector3<f32>) -> Handle<Node> {
        let graph = &mut self.scene.graph;
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::cuboid(20.0, 0.5, 20.0))
            .with_friction(0.8)
            .build(graph);
        let base = BaseBuilder::new()
            .with_name("floor")
            .with_local_transform(placed(place))
            .with_child(collider);
        RigidBodyBuilder::new(base)
            .with_body_type(RigidBodyType::Static)
            .build(graph)
            .to_base()
    }
}

/// A script for a body of which nothing is held.
pub fn loose() -> Destructible {
    Destructible {
        held: Held {
            anchoring: Anchoring::Free.into(),
            ..Held::default()
        },
        ..Default::default()
    }
}

/// The same for a body that breaks at 1 N s.
pub fn free() -> Destructible {
    Destructible {
        breaking: Breaking {
            damage_threshold: 1.0.into(),
            ..Breaking::default()
        },
        ..loose()
    }
}

pub fn placed(at: Vector3<f32>) -> Transform {
    TransformBuilder::new().with_local_position(at).build()
}

pub fn cube_surface(
    transform: Matrix4<f32>,
    material: Option<MaterialResource>,
) -> fyrox::scene::mesh::surface::Surface {
    let data = SurfaceResource::new_embedded(SurfaceData::make_cube(transform));
    let material = material.unwrap_or_else(|| MaterialResource::new_embedded(Material::standard()));
    SurfaceBuilder::new(data).with_material(material).build()
}

/// An impact downwards onto a point, with the energy to break any default object.
pub fn hard(point: Vector3<f32>) -> Impact {
    Impact::new(point, Vector3::y(), 2000.0)
}

/// The pieces of the first break among events.
pub fn first_pieces(events: &[Event]) -> Option<&[PieceInfo]> {
    events.iter().find_map(|event| match event {
        Event::Broken { pieces, .. } => Some(&pieces[..]),
        _ => None,
    })
}

pub fn broken(events: &[Event]) -> Vec<&str> {
    let name = |event: &'_ Event| matches!(event, Event::Broken { .. });
    events
        .iter()
        .filter(|event| name(event))
        .filter_map(|event| match event {
            Event::Broken { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect()
}
