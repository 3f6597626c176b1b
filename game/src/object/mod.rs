//! Destructible objects: from a node with a script to a body of the simulation.

pub mod conversion;
pub(crate) mod cooked_files;
pub(crate) mod discovery;
pub(crate) mod inputs;
pub(crate) mod inspection;
mod levels_of_detail;
mod lightmap;
pub(crate) mod loading;
pub(crate) mod mass;
pub(crate) mod object_ref;
pub(crate) mod own_mass;
pub(crate) mod paint_reading;
pub(crate) mod restore_intact;
pub(crate) mod shape_cache;
pub(crate) mod size_range;
pub(crate) mod skin;
pub(crate) mod solid_mass;
mod weld;

use crate::{
    impacts::impact::Impact,
    mirror::{
        engine_bodies::{body_type, key_of},
        transforms::world_scales,
    },
    object::{
        own_mass::OwnMass, shape_cache::SurfaceVersion, size_range::SizeRange, skin::PosedSurfaces,
    },
    script::{
        config::DestructibleConfig,
        embedded_save::{BodyStart, UndrawnMesh},
    },
    swap::nodes::PieceAppearance,
};
use fracture_simulation::{save::CrackSet, BodyId, BodyRef, DamagedSpot, Motion, Pose, Shape};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, node::Node, rigidbody::RigidBodyType, transform::Transform},
};
use rapier3d::parry::bounding_volume::Aabb;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// Relative change of the scale of a mesh from which on the object is read again.
const SCALE_CHANGE: f32 = 1e-3;

/// Identifies an object of a scene. Ids ascend in the order of discovery and are never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub u32);

/// The objects of a scene, in the order of discovery.
#[derive(Default)]
pub(crate) struct Objects {
    by_id: BTreeMap<ObjectId, Object>,
    /// Loaded objects by their simulation body. Only looked up, never iterated.
    by_root: HashMap<BodyId, ObjectId>,
    /// Loaded objects by the key of their rigid body node. Only looked up, never iterated.
    by_engine_body: HashMap<u64, ObjectId>,
}

/// A node that carries [`Destructible`](crate::Destructible).
pub(crate) struct Object {
    /// The node that carries the script.
    pub node: Handle<Node>,
    /// Name of the node.
    pub name: String,
    /// The script's fields when they were last read.
    pub config: DestructibleConfig,
    /// Tag of the material, for events.
    pub surface_tag: Arc<str>,
    pub state: ObjectState,
    /// Damage that the object has when it is loaded: it was loaded before, with other fields.
    pub damage: Vec<DamagedSpot>,
    /// Cracks that it has then.
    pub cracks: Vec<CrackSet>,
    /// The node below the rigid body that shows the cracks of the intact object.
    pub crack_node: Handle<Node>,
    /// Its meshes that are not drawn because that node shows how they sag.
    pub undrawn: Vec<UndrawnMesh>,
    /// Impacts that came before the object was loaded.
    pub early_impacts: Vec<Impact>,
    /// Updates since the object was discovered or changed, while it waits for files.
    pub updates_waited: u32,
    /// Volume of all pieces that became dust, m^3.
    pub dust_volume: f64,
    /// The rigid body as it was when the object was found; `None` until the first attempt to load the object.
    pub start: Option<ObjectStart>,
    /// The faults that have been reported, each once only.
    reported: BTreeSet<String>,
}

/// Progress of an object from discovery to a body of the simulation.
pub(crate) enum ObjectState {
    /// Files are being loaded.
    Waiting,
    /// The object cannot break as it is; the reason names the remedy.
    Faulty(String),
    /// The object can break, or is broken.
    Live(Box<LiveObject>),
    /// The node or its script has been removed; only debris is left.
    Gone,
}

/// The part of an object that exists once it is loaded.
pub(crate) struct LiveObject {
    /// The simulation's body of the intact object. Once that is broken, impacts on it reach the nearest
    /// piece.
    pub root: BodyId,
    /// The engine's rigid body node.
    pub body: Handle<Node>,
    /// Whether the rigid body is dynamic.
    pub dynamic: bool,
    /// Whether the rigid body is dynamic or kinematic.
    pub movable: bool,
    /// The mesh nodes of the intact object; of levels of detail the finest.
    pub meshes: Vec<Handle<Node>>,
    /// The mesh nodes of the coarser levels of detail.
    pub coarser_meshes: Vec<Handle<Node>>,
    /// Colliders of the object: first its own, which are disabled once it is broken, then those of its
    /// held pieces.
    pub colliders: Vec<Handle<Node>>,
    /// Number of the object's own colliders.
    pub own_colliders: usize,
    /// Materials and render flags of the pieces.
    pub appearance: Arc<PieceAppearance>,
    /// Transform that puts a child of the body node into body space; `None` when the body node is
    /// sheared.
    pub child_transform: Option<Transform>,
    /// Simulation bodies that follow the engine's rigid body: the intact body, later the held pieces.
    pub held: Vec<BodyId>,
    /// Whether the object has been broken.
    pub broken: bool,
    /// The nodes that the breaks have changed.
    pub replaced: ReplacedNodes,
    /// Box of the intact meshes in body space, metres.
    pub local_bounds: Aabb,
    pub shape: Arc<Shape>,
    /// The surfaces of skinned meshes, in their pose.
    pub posed: Option<PosedSurfaces>,
    /// Versions of the surfaces that the shape was read from.
    pub surfaces: Vec<SurfaceVersion>,
    /// World scales of the meshes when the shape was read from them.
    pub scales: Vec<[f32; 3]>,
    /// The rigid body's motion that the simulation has been given last.
    pub motion: Motion,
    /// The rigid body's own mass, if it has got another one.
    pub own_mass: Option<OwnMass>,
}

/// The nodes of an intact object that its breaks have hidden or disabled, for its return. What the game itself
/// has hidden or disabled before is not among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplacedNodes {
    /// Meshes.
    pub hidden: Vec<Handle<Node>>,
    /// The rigid body and its colliders.
    pub disabled: Vec<Handle<Node>>,
}

/// The rigid body of an object as it was when the object was found.
#[derive(Clone, Debug)]
pub(crate) struct ObjectStart {
    pub body: BodyStart,
    /// The body's pose, world space.
    pub pose: Pose,
}

impl LiveObject {
    /// Whether the rigid body still moves, or not, in the way it did when the object was loaded.
    pub fn has_body_type(&self, graph: &Graph) -> bool {
        let now = body_type(graph, self.body);
        now.is_none_or(|now| {
            let movable = now != RigidBodyType::Static;
            (now == RigidBodyType::Dynamic, movable) == (self.dynamic, self.movable)
        })
    }

    /// All mesh nodes that show the intact object.
    pub fn shown_meshes(&self) -> impl Iterator<Item = Handle<Node>> + '_ {
        self.meshes.iter().chain(&self.coarser_meshes).copied()
    }

    /// Whether the meshes are unchanged since the shape was read from them, and have the same size.
    pub fn has_read_meshes(&self, graph: &Graph) -> bool {
        // A scale that is not finite is none to read meshes at, and counts as unchanged.
        let is_scaled = |(now, read): ([f32; 3], &[f32; 3])| {
            let tolerance = SCALE_CHANGE * read.iter().copied().fold(0.0, f32::max);
            let mut axes = now.into_iter().zip(read);
            axes.any(|(now, read)| (now - read).abs() > tolerance && now.is_finite())
        };
        SurfaceVersion::of_meshes(graph, &self.meshes).eq(self.surfaces.iter().copied())
            && !world_scales(graph, &self.meshes)
                .zip(&self.scales)
                .any(is_scaled)
    }
}

impl Object {
    /// A sentence about the size of an object that is too small or too large to break, with the remedy.
    pub fn size_advice(&self) -> Option<String> {
        let solid = self.live()?.shape.reported()?.ok()?;
        SizeRange::new(&self.config).advice(solid)
    }

    /// Creates an object that is not loaded yet.
    pub fn new(node: Handle<Node>, name: String, config: DestructibleConfig) -> Self {
        Self {
            node,
            name,
            config,
            surface_tag: Arc::default(),
            state: ObjectState::Waiting,
            damage: Vec::new(),
            cracks: Vec::new(),
            crack_node: Handle::NONE,
            undrawn: Vec::new(),
            early_impacts: Vec::new(),
            updates_waited: 0,
            dust_volume: 0.0,
            start: None,
            reported: BTreeSet::new(),
        }
    }

    /// The part that exists once the object is loaded.
    pub fn live(&self) -> Option<&LiveObject> {
        match &self.state {
            ObjectState::Live(live) => Some(live),
            _ => None,
        }
    }

    /// The part that exists once the object is loaded.
    pub fn live_mut(&mut self) -> Option<&mut LiveObject> {
        match &mut self.state {
            ObjectState::Live(live) => Some(live),
            _ => None,
        }
    }

    /// Whether files of the object are still being loaded.
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, ObjectState::Waiting)
    }

    /// Whether the object is loaded and has not been broken.
    pub fn is_intact(&self) -> bool {
        self.live().is_some_and(|live| !live.broken)
    }
}

impl Objects {
    /// Takes the poses that intact objects with skinned meshes have now.
    pub fn update_poses(&self, graph: &Graph) {
        let live = self.values().filter_map(Object::live);
        for live in live.filter(|live| !live.broken) {
            if let Some(posed) = &live.posed {
                posed.update(graph, live.body);
            }
        }
    }

    pub fn insert(&mut self, id: ObjectId, object: Object) {
        self.by_id.insert(id, object);
    }

    pub fn remove(&mut self, id: ObjectId) {
        self.unload(id, ObjectState::Gone);
        self.by_id.remove(&id);
    }

    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.by_id.get(&id)
    }

    pub fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.by_id.get_mut(&id)
    }

    /// The loaded part of an object.
    pub fn live(&self, id: ObjectId) -> Option<&LiveObject> {
        self.get(id)?.live()
    }

    /// The loaded part of an object.
    pub fn live_mut(&mut self, id: ObjectId) -> Option<&mut LiveObject> {
        self.get_mut(id)?.live_mut()
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.by_id.iter().map(|(id, object)| (*id, object))
    }

    pub fn values(&self) -> impl Iterator<Item = &Object> {
        self.by_id.values()
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        self.by_id.values_mut()
    }

    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// All objects with a name, in the order of discovery.
    pub fn all_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = ObjectId> + 'a {
        let named = self.iter().filter(move |(_, object)| object.name == name);
        named.map(|(id, _)| id)
    }

    /// The names of all objects, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.values().map(|object| object.name.clone()).collect();
        names.sort();
        names
    }

    /// The names of all objects, for messages.
    pub fn listed_names(&self) -> String {
        if self.by_id.is_empty() {
            return "none".to_owned();
        }
        self.names().join(", ")
    }

    /// The object whose intact body has this id.
    pub fn of_root(&self, root: BodyId) -> Option<ObjectId> {
        self.by_root.get(&root).copied()
    }

    /// The object of a rigid body node.
    pub fn of_engine_body(&self, body: Handle<Node>) -> Option<ObjectId> {
        self.by_engine_body.get(&key_of(body)).copied()
    }

    /// The simulation's name of a rigid body node: the first held body of its object, or an external
    /// body.
    pub fn body_ref(&self, body: Handle<Node>) -> BodyRef {
        let live = self.of_engine_body(body).and_then(|id| self.live(id));
        let held = live.and_then(|live| live.held.first());
        held.map_or(BodyRef::External(key_of(body)), |body| {
            BodyRef::Breakable(*body)
        })
    }

    /// Gives an object its loaded part.
    fn load(&mut self, id: ObjectId, live: LiveObject) {
        if let Some(object) = self.by_id.get_mut(&id) {
            self.by_root.insert(live.root, id);
            self.by_engine_body.insert(key_of(live.body), id);
            object.state = ObjectState::Live(Box::new(live));
        }
    }

    /// Changes the state of an object to one that is not loaded. Returns the part that was.
    pub fn unload(&mut self, id: ObjectId, state: ObjectState) -> Option<Box<LiveObject>> {
        let object = self.by_id.get_mut(&id)?;
        let ObjectState::Live(live) = std::mem::replace(&mut object.state, state) else {
            return None;
        };
        self.by_root.remove(&live.root);
        self.by_engine_body.remove(&key_of(live.body));
        Some(live)
    }
}
