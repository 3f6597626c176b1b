//! Destructible objects: from a node with a script to a body of the simulation.

pub(crate) mod config;
pub mod conversion;
pub(crate) mod discovery;
pub(crate) mod inputs;
mod loading;
pub(crate) mod shape_cache;
mod weld;

use crate::object::config::DestructibleConfig;
use crate::{
    impacts::impact::Impact,
    mirror::{
        bodies::BodySnapshot,
        engine_bodies::{body_motion, groups, key_of},
        transforms::vec3,
    },
    object::{
        conversion::write_surfaces,
        inputs::{InputError, ObjectInputs},
        shape_cache::{ShapeCache, SurfaceVersion},
    },
    script::{destructible::Destructible, enums::Anchoring},
    swap::nodes::{PieceAppearance, PieceSurfaces, PrebuiltPiece},
};
use fracture_geometry::Mesh;
use fracture_simulation::{
    Anchors, Body, BodyDesc, BodyId, BodyType, CollisionGroups, Motion, PieceHooks, Shape,
    Simulation,
};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, node::Node, rigidbody::RigidBodyType, transform::Transform},
};
use rapier3d::math::Vec3;
use std::{collections::BTreeMap, sync::Arc};

/// Names an object of a scene; ids are given in the order of discovery, and not twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub u32);

/// The objects of a scene, in the order of discovery.
pub(crate) type Objects = BTreeMap<ObjectId, Object>;

/// A node that carries [`Destructible`].
pub(crate) struct Object {
    /// The node that carries the script.
    pub node: Handle<Node>,
    /// Its name when it was found.
    pub name: String,
    /// What the artist set, when it was last read.
    pub tuning: DestructibleConfig,
    /// What events say that it is made of.
    pub material: Arc<str>,
    /// How far it has come.
    pub state: ObjectState,
    /// Blows that came before it was ready.
    pub early: Vec<Impact>,
    /// Updates for which it has been waiting.
    pub waited: u32,
    /// Volume of its pieces that were too small to be any, m^3.
    pub crumbs: f64,
    /// The last fault that was reported, so that it is reported once.
    pub told: Option<String>,
}

/// How far an object has come.
pub(crate) enum ObjectState {
    /// Its files are being loaded.
    Waiting,
    /// It cannot break until someone mends it; the reason names the remedy.
    Faulty(String),
    /// It can break, or is broken.
    Live(Box<LiveObject>),
    /// Its node has been removed; only debris is left.
    Gone,
}

/// An object that can break, or is broken.
pub(crate) struct LiveObject {
    /// The simulation's body; when that is broken, hits on it reach the nearest piece.
    pub root: BodyId,
    /// The engine's rigid body node.
    pub body: Handle<Node>,
    /// Whether the engine's physics moves it.
    pub dynamic: bool,
    /// Whether anything moves it.
    pub movable: bool,
    /// The mesh nodes of the intact look.
    pub meshes: Vec<Handle<Node>>,
    /// The colliders that stand for it: its own, which are disabled once it is broken, and those of
    /// its held pieces.
    pub colliders: Vec<Handle<Node>>,
    /// How many of them are its own.
    pub own_colliders: usize,
    /// How its pieces look.
    pub style: Arc<PieceAppearance>,
    /// Puts a child of the body node into body space; `None` when the body node is sheared.
    pub child_transform: Option<Transform>,
    /// What the engine moves: the intact body, later the held pieces.
    pub held: Vec<BodyId>,
    /// Whether it has been broken.
    pub broken: bool,
    /// What it is made of.
    pub shape: Arc<Shape>,
    /// The surfaces that its shape is read from.
    editions: Vec<SurfaceVersion>,
    /// Where it was last.
    pub motion: Motion,
}

impl LiveObject {
    /// Whether its meshes are those that its shape is read from, unchanged.
    pub fn is_as_read(&self, graph: &Graph) -> bool {
        SurfaceVersion::of_meshes(graph, &self.meshes).eq(self.editions.iter().copied())
    }
}

impl Object {
    /// An object that is not ready yet.
    pub fn new(node: Handle<Node>, name: String, tuning: DestructibleConfig) -> Self {
        Self {
            node,
            name,
            tuning,
            material: Arc::default(),
            state: ObjectState::Waiting,
            early: Vec::new(),
            waited: 0,
            crumbs: 0.0,
            told: None,
        }
    }

    /// The part that exists once it is ready.
    pub fn live(&self) -> Option<&LiveObject> {
        match &self.state {
            ObjectState::Live(live) => Some(live),
            _ => None,
        }
    }

    /// The part that exists once it is ready.
    pub fn live_mut(&mut self) -> Option<&mut LiveObject> {
        match &mut self.state {
            ObjectState::Live(live) => Some(live),
            _ => None,
        }
    }

    /// Tries to make it ready. Stays [`ObjectState::Waiting`] while files are being loaded. `owners` are
    /// the rigid bodies that belong to other objects, with those objects' names.
    pub fn enter(
        &mut self,
        graph: &Graph,
        simulation: &mut Simulation,
        assets: &mut ShapeCache,
        owners: &BTreeMap<u64, String>,
    ) {
        self.material = self.tuning.made_of(assets.resources.as_ref());
        self.state = match self.try_enter(graph, simulation, assets, owners) {
            Ok(Some(live)) => ObjectState::Live(Box::new(live)),
            Ok(None) => ObjectState::Waiting,
            Err(reason) => ObjectState::Faulty(reason),
        };
    }

    fn try_enter(
        &self,
        graph: &Graph,
        simulation: &mut Simulation,
        assets: &mut ShapeCache,
        owners: &BTreeMap<u64, String>,
    ) -> Result<Option<LiveObject>, String> {
        let Ok(script) = graph.try_get_script_of::<Destructible>(self.node) else {
            return Ok(None); // taken off meanwhile; the next patrol notices
        };
        let survey =
            ObjectInputs::of(graph, self.node, script).map_err(|error| error.to_string())?;
        if let Some(owner) = owners.get(&key_of(survey.body)) {
            return Err(InputError::Shared {
                owner: owner.clone(),
            }
            .to_string());
        }
        let Some(recipe) = self.tuning.recipe()? else {
            return Ok(None);
        };
        if survey.is_loading() {
            return Ok(None);
        }
        let shape = assets.shape(&survey.sources, self.tuning.opening());
        let pattern = assets.pattern(
            &recipe,
            &survey.sites,
            (&survey.sources, self.tuning.opening()),
            &shape,
        );
        let style = Arc::new(self.style(graph, &survey));
        let body = Body {
            fit: self.tuning.fit(),
            material: self.tuning.material(),
            lifetime: self.tuning.lifespan(),
            groups: survey
                .colliders
                .first()
                .map_or_else(CollisionGroups::default, |c| groups(graph, *c)),
            anchors: self.anchors(survey.is_dynamic()),
            interior_faces: self.tuning.cut_faces(survey.materials.len() as u32),
            motion: body_motion(graph, survey.body),
            hooks: Some(finish(style.clone())),
            seed: u64::from(self.tuning.seed),
            ..Body::new(shape.clone(), pattern)
        };
        let motion = body.motion;
        let root = simulation.add(body).map_err(|error| error.to_string())?;
        if self.tuning.weigh_at_start {
            // The body was added a line ago.
            let _ = simulation.weigh(root);
        }
        if let Some(mirror) = mirror(graph, &survey) {
            // The body was added a line ago.
            let _ = simulation.build_proxy(root, mirror);
        }
        Ok(Some(live_from(graph, survey, style, (root, shape, motion))))
    }

    /// How its pieces are drawn.
    fn style(&self, graph: &Graph, survey: &ObjectInputs) -> PieceAppearance {
        let mut materials = survey.materials.clone();
        let first = materials.first().cloned();
        materials.extend(self.tuning.cut_material.clone().or(first));
        PieceAppearance::of(graph, &survey.meshes, materials)
    }

    /// Only what the engine does not let fall can be held.
    fn anchors(&self, dynamic: bool) -> Anchors {
        let (anchoring, depth) = (self.tuning.anchoring, self.tuning.anchor_depth);
        if dynamic || anchoring == Anchoring::Free {
            return Anchors::free();
        }
        Anchors::from_bounds(move |bounds| {
            let boxes = anchoring.boxes(bounds.map(|corner| corner.to_array()), depth);
            boxes
                .into_iter()
                .map(|corners| corners.map(Vec3::from_array))
                .collect()
        })
    }
}

fn live_from(
    graph: &Graph,
    survey: ObjectInputs,
    style: Arc<PieceAppearance>,
    (root, shape, motion): (BodyId, Arc<Shape>, Motion),
) -> LiveObject {
    LiveObject {
        root,
        body: survey.body,
        dynamic: survey.body_type == RigidBodyType::Dynamic,
        movable: survey.body_type != RigidBodyType::Static,
        style,
        editions: SurfaceVersion::of_meshes(graph, &survey.meshes).collect(),
        meshes: survey.meshes,
        own_colliders: survey.colliders.len(),
        colliders: survey.colliders,
        child_transform: survey.frame.child_transform(),
        held: vec![root],
        broken: false,
        shape,
        motion,
    }
}

/// What the worker makes of each piece: what is [`PrebuiltPiece`] of a fragment, [`PieceSurfaces`]s of the chunks of islands, and
/// one surface, if any, for each part of what is collided with. Fragments from a save get their nodes, too: many
/// come at once, to a scene that has no others to spare.
fn finish(style: Arc<PieceAppearance>) -> PieceHooks {
    let look = |mesh: &Mesh| -> PieceSurfaces { write_surfaces(mesh).into_iter().collect() };
    let collision = |mesh: &Mesh| write_surfaces(mesh).into_values().next();
    PieceHooks::new(move |piece| {
        Box::new(PrebuiltPiece::new(look(piece.mesh), &style, piece.restored))
    })
    .with_chunk_hooks(
        move |chunk| Arc::new(look(chunk)),
        move |part| Arc::new(collision(part)),
    )
}

/// Makes the object's colliders, for debris of others to bounce off.
fn mirror(
    graph: &Graph,
    survey: &ObjectInputs,
) -> Option<impl FnOnce() -> Option<BodyDesc> + Send> {
    let made_of = BodySnapshot::of(graph, survey.body, &survey.colliders)?;
    let body_type = match survey.body_type {
        RigidBodyType::Dynamic => made_of.free(),
        RigidBodyType::Static => BodyType::Fixed,
        _ => BodyType::Kinematic,
    };
    let make = made_of.maker(graph, survey.body, body_type);
    Some(move || Some(make()).filter(|mirror| !mirror.colliders.is_empty()))
}

/// An engine impact in the terms of the simulation.
pub(crate) fn hit(
    body: BodyId,
    impact: &Impact,
    already_applied: bool,
) -> fracture_simulation::Impact {
    let [point, normal, impulse] = [impact.point, impact.normal, impact.impulse].map(vec3);
    fracture_simulation::Impact {
        already_applied,
        radius: impact.radius,
        blade: impact.blade,
        ..fracture_simulation::Impact::new(body, point, normal, impulse, impact.energy)
    }
}
