//! The game: the engine without a window, a scene with a floor, and things that are put into it.

use fracture::{
    register, send_events_to_scripts, Destructible, Destruction, Event, PieceInfo, Settings,
};
use fyrox::{
    asset::{io::FsResourceIo, manager::ResourceManager},
    core::{
        algebra::{Matrix4, Vector3},
        dyntype::DynTypeConstructorContainer,
        futures::executor::block_on,
        log::Log,
        math::aabb::AxisAlignedBoundingBox,
        pool::Handle,
        task::TaskPool,
    },
    engine::{
        ApplicationLoopController, Engine, EngineInitParams, GraphicsContextParams,
        SerializationContext,
    },
    graph::SceneGraph,
    resource::model::{Model, ModelResourceExtension},
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape, GeometrySource},
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            Mesh, MeshBuilder,
        },
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
        Scene,
    },
};
use std::{
    cell::Cell,
    env, fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// The models of the game.
const MODELS: [&str; 5] = [
    "column.glb",
    "crystal.glb",
    "statue.glb",
    "torus.glb",
    "vase.glb",
];

static IS_FOLDER_THERE: Mutex<bool> = Mutex::new(false);

/// A game that runs frame by frame.
pub struct Game {
    pub engine: Engine,
    pub scene: Handle<Scene>,
    pub destruction: Destruction,
    /// All events so far.
    pub events: Vec<Event>,
    /// The highest speed that a piece has had, m/s.
    pub fastest: f32,
    /// Length of a frame, seconds.
    pub dt: f32,
}

/// The shape of a thing. Sizes are in metres.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A box whose mesh has this size.
    Block([f32; 3]),
    /// A unit cube below nodes that scale it to this size, one after the other.
    Scaled([f32; 3]),
    /// A model of the data folder, a box around it as its collider.
    Boxed(&'static str),
    /// A model whose collider is its mesh. For static bodies.
    Skinned(&'static str),
}

/// Something that breaks.
#[derive(Clone, Debug)]
pub struct Thing {
    pub name: &'static str,
    pub form: Form,
    pub at: [f32; 3],
    pub kind: RigidBodyType,
    pub script: Destructible,
}

impl Thing {
    pub fn new(name: &'static str, form: Form, at: [f32; 3], kind: RigidBodyType) -> Self {
        let script = Destructible::default();
        Self {
            name,
            form,
            at,
            kind,
            script,
        }
    }
}

/// Something that strikes: a rigid body without a mesh.
#[derive(Clone, Debug)]
pub struct Striker {
    pub shape: ColliderShape,
    /// kg.
    pub mass: f32,
    pub at: [f32; 3],
    pub velocity: [f32; 3],
    /// Whether continuous collision detection is on.
    pub ccd: bool,
}

/// A node at a place.
pub fn at(place: [f32; 3]) -> BaseBuilder {
    let place = TransformBuilder::new().with_local_position(place.into());
    BaseBuilder::new().with_local_transform(place.build())
}

impl Game {
    pub fn new() -> Self {
        Self::with(Settings::default())
    }

    /// A game with a floor at height 0. Results are waited for, so that each run is the same.
    pub fn with(settings: Settings) -> Self {
        let task_pool = Arc::new(TaskPool::new());
        let resources = ResourceManager::new(Arc::new(FsResourceIo), task_pool.clone());
        let mut engine = Engine::new(EngineInitParams {
            graphics_context_params: GraphicsContextParams::default(),
            serialization_context: Arc::new(SerializationContext::new()),
            widget_constructors: Default::default(),
            resource_manager: resources,
            task_pool,
            dyn_type_constructors: Arc::new(DynTypeConstructorContainer::default()),
        })
        .unwrap();
        register(&engine.serialization_context, &engine.resource_manager);
        open_data(&engine.resource_manager);
        let mut destruction = Destruction::new(Settings {
            wait_for_results: true,
            ..settings
        });
        destruction.set_resources(&engine.resource_manager);
        let mut scene = Scene::new();
        add_floor(&mut scene);
        let scene = engine.scenes.add(scene);
        engine.register_scripted_scene(scene);
        Self {
            engine,
            scene,
            destruction,
            events: Vec::new(),
            fastest: 0.0,
            dt: 1.0 / 60.0,
        }
    }

    pub fn scene(&mut self) -> &mut Scene {
        self.engine.scenes.try_get_mut(self.scene).unwrap()
    }

    pub fn without_gravity(mut self) -> Self {
        let gravity = &mut self.scene().graph.physics.gravity;
        gravity.set_value_and_mark_modified(Vector3::zeros());
        self
    }

    /// Plays some frames; returns their events.
    pub fn frames(&mut self, count: usize) -> Vec<Event> {
        let (before, running) = (self.events.len(), Cell::new(true));
        for _ in 0..count {
            let controller = ApplicationLoopController::Headless { running: &running };
            self.engine
                .update(self.dt, controller, &mut 0.0, Default::default());
            let scene = self.engine.scenes.try_get_mut(self.scene).unwrap();
            self.destruction.update(scene, self.dt);
            let told = self.destruction.events_for_scripts();
            send_events_to_scripts(&self.engine.script_processor, self.scene, told);
            self.events.extend_from_slice(self.destruction.events());
            for name in self.destruction.object_names() {
                let pieces = self.destruction.pieces_of(name.as_str());
                let speeds = pieces.iter().map(|piece| piece.velocity.norm());
                self.fastest = speeds.fold(self.fastest, f32::max);
            }
        }
        self.events[before..].to_vec()
    }

    /// Plays some seconds; returns their events.
    pub fn seconds(&mut self, seconds: f32) -> Vec<Event> {
        self.frames((seconds / self.dt).round() as usize)
    }

    /// An instance of what a file of the game's data holds: a model or a prefab.
    pub fn instance(&mut self, file: &str) -> Handle<Node> {
        let path = Path::new("data").join(file);
        let model = self.engine.resource_manager.request::<Model>(path);
        let model = block_on(model).unwrap();
        model.instantiate(self.scene())
    }

    /// Adds a rigid body with a mesh and a collider below it, and the script on it.
    pub fn add(&mut self, thing: &Thing) -> Handle<Node> {
        let (shown, shape, middle) = match thing.form {
            Form::Block(size) => {
                let size = Vector3::from(size);
                (self.cube(size), cuboid(size), Vector3::zeros())
            }
            Form::Scaled(size) => {
                let size = Vector3::from(size);
                let shown = self.cube(Vector3::repeat(1.0));
                (self.scaled(shown, size), cuboid(size), Vector3::zeros())
            }
            Form::Boxed(file) => {
                let model = self.instance(file);
                let bounds = self.bounds(model);
                let size = bounds.max - bounds.min;
                (model, cuboid(size), bounds.center())
            }
            Form::Skinned(file) => {
                let model = self.instance(file);
                let sources = self.meshes(model).into_iter().map(GeometrySource);
                let shape = ColliderShape::trimesh(sources.collect());
                (model, shape, Vector3::zeros())
            }
        };
        let graph = &mut self.scene().graph;
        let collider = ColliderBuilder::new(at(middle.into()))
            .with_shape(shape)
            .build(graph);
        let base = at(thing.at)
            .with_name(thing.name)
            .with_child(shown)
            .with_child(collider)
            .with_script(thing.script.clone());
        RigidBodyBuilder::new(base)
            .with_body_type(thing.kind)
            .build(graph)
            .to_base()
    }

    /// Throws something.
    pub fn throw(&mut self, striker: &Striker) -> Handle<Node> {
        let graph = &mut self.scene().graph;
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(striker.shape.clone())
            .build(graph);
        RigidBodyBuilder::new(at(striker.at).with_child(collider))
            .with_mass(striker.mass)
            .with_lin_vel(striker.velocity.into())
            .with_ccd_enabled(striker.ccd)
            .build(graph)
            .to_base()
    }

    /// Adds a wall that does not break: 4 m long across z, 3 m high, 0.2 m thick.
    pub fn add_shield(&mut self, middle: [f32; 3]) {
        let graph = &mut self.scene().graph;
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::cuboid(2.0, 1.5, 0.1))
            .build(graph);
        RigidBodyBuilder::new(at(middle).with_child(collider))
            .with_body_type(RigidBodyType::Static)
            .build(graph);
    }

    fn cube(&mut self, size: Vector3<f32>) -> Handle<Node> {
        self.mesh(SurfaceData::make_cube(Matrix4::new_nonuniform_scaling(
            &size,
        )))
    }

    /// Adds a mesh.
    pub fn mesh(&mut self, data: SurfaceData) -> Handle<Node> {
        let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
        MeshBuilder::new(BaseBuilder::new())
            .with_surfaces(vec![surface])
            .build(&mut self.scene().graph)
            .to_base()
    }

    /// Puts a node below two others, which scale it together.
    fn scaled(&mut self, node: Handle<Node>, scale: Vector3<f32>) -> Handle<Node> {
        let graph = &mut self.scene().graph;
        let half = scale.map(f32::sqrt);
        [half, half].into_iter().fold(node, |below, scale| {
            let place = TransformBuilder::new().with_local_scale(scale).build();
            let base = BaseBuilder::new().with_local_transform(place);
            PivotBuilder::new(base.with_child(below))
                .build(graph)
                .to_base()
        })
    }

    /// The meshes at and below a node.
    fn meshes(&mut self, node: Handle<Node>) -> Vec<Handle<Node>> {
        let nodes = self.scene().graph.traverse_iter(node);
        let meshes = nodes.filter(|(_, node)| node.cast::<Mesh>().is_some());
        meshes.map(|(handle, _)| handle).collect()
    }

    fn bounds(&mut self, node: Handle<Node>) -> AxisAlignedBoundingBox {
        let meshes = self.meshes(node);
        let graph = &mut self.scene().graph;
        graph.update_hierarchical_data();
        let mut bounds = AxisAlignedBoundingBox::default();
        for mesh in meshes {
            bounds.add_box(graph[mesh].world_bounding_box());
        }
        bounds
    }

    pub fn body(&mut self, node: Handle<Node>) -> &mut RigidBody {
        self.scene().graph.try_get_mut_of_type(node).unwrap()
    }

    pub fn position(&mut self, node: Handle<Node>) -> Vector3<f32> {
        self.scene().graph[node].global_position()
    }

    /// The pieces of an object that nothing holds.
    pub fn free(&self, node: Handle<Node>) -> Vec<PieceInfo> {
        let mut pieces = self.destruction.pieces_of(node);
        pieces.retain(|piece| !piece.anchored);
        pieces
    }

    /// The part of an object's volume that its pieces and its dust do not have.
    pub fn lost(&self, node: Handle<Node>) -> f64 {
        let pieces = self.destruction.pieces_of(node);
        let whole = self.destruction.source_volume(node);
        let Some(whole) = whole.filter(|_| !pieces.is_empty()) else {
            return 0.0;
        };
        let sum: f64 = pieces.iter().map(|piece| piece.volume).sum();
        1.0 - (sum + self.destruction.dust_volume(node)) / whole
    }

    /// The names of what rests in the air.
    pub fn hanging(&self) -> Vec<String> {
        let scene = self.engine.scenes.try_get(self.scene).unwrap();
        let hanging = self.destruction.hanging(scene).into_iter();
        hanging.map(|body| body.name).collect()
    }

    /// All faults, a line each.
    pub fn faults(&self) -> String {
        let faults = self.destruction.faults();
        faults.map(|fault| format!("{fault}\n")).collect()
    }
}

/// Opens the game's data: cards and some models of the demo's, in a folder of its own, since the engine takes files only
/// from the current one.
fn open_data(resources: &ResourceManager) {
    // The engine writes a list of the files each time, and games of several tests run at once.
    let mut is_there = IS_FOLDER_THERE
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if !*is_there {
        Log::enable_writing_to_stdout(false);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stranger");
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let own_data = folder.join("data");
        fs::create_dir_all(&own_data).unwrap();
        for file in MODELS {
            fs::copy(data.join("models").join(file), own_data.join(file)).unwrap();
        }
        for part in ["cards", "materials", "patterns", "textures"] {
            copy_folder(&data.join(part), &own_data.join(part));
        }
        env::set_current_dir(folder).unwrap();
        *is_there = true;
    }
    resources.update_or_load_registry();
}

/// Copies the files of a folder.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

fn cuboid(size: Vector3<f32>) -> ColliderShape {
    ColliderShape::cuboid(0.5 * size.x, 0.5 * size.y, 0.5 * size.z)
}

fn add_floor(scene: &mut Scene) {
    let slab = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(200.0, 0.5, 200.0))
        .build(&mut scene.graph);
    let base = at([0.0, -0.5, 0.0]).with_name("Floor").with_child(slab);
    RigidBodyBuilder::new(base)
        .with_body_type(RigidBodyType::Static)
        .build(&mut scene.graph);
}

/// Numbers of pieces, dust included, and area of the cracks, m^2, of the breaks among events.
pub fn broken(events: &[Event]) -> (usize, f32) {
    let mut sum = (0, 0.0);
    for event in events {
        if let Event::Broken {
            pieces,
            dust,
            crack_area,
            ..
        } = event
        {
            sum = (sum.0 + pieces.len() + dust, sum.1 + crack_area);
        }
    }
    sum
}

/// Whether anything broke.
pub fn breaks(events: &[Event]) -> bool {
    events
        .iter()
        .any(|event| matches!(event, Event::Broken { .. }))
}
