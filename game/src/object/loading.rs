//! Loads discovered objects: waits for their files and adds them to the simulation.

use crate::{
    fault::FaultLog,
    impacts::queue::{ImpactQueue, ImpactTarget},
    mirror::{
        bodies::BodySnapshot,
        engine_bodies::{body_motion, contact_properties, groups},
        transforms::world_scales,
        Mirror,
    },
    object::{
        conversion::write_surfaces,
        inputs::{InputError, ObjectInputs},
        lightmap,
        mass::estimate_mass,
        shape_cache::{ShapeCache, SurfaceVersion},
        skin::PosedSurfaces,
        solid_mass::SolidMass,
        LiveObject, Object, ObjectId, ObjectStart, ObjectState, Objects, ReplacedNodes,
    },
    save::EmbeddedSaves,
    script::{config::DestructibleConfig, destructible::Destructible, enums::MassSource},
    swap::nodes::{PieceAppearance, PieceSurfaces, PrebuiltPiece},
};
use fracture_geometry::Mesh;
use fracture_simulation::{
    external::{BodyDesc, BodyType},
    hooks::PieceHooks,
    Body, BodyId, CollisionGroups, ContactProperties, Shape, Simulation,
};
use fyrox::scene::{graph::Graph, rigidbody::RigidBodyType};
use std::sync::Arc;

/// Updates after which an object that still waits for its files is reported: five seconds at 60 Hz.
const UPDATES_BEFORE_FAULT: u32 = 300;

/// The fault of an object that only game code can break.
pub(crate) const NO_COLLIDER: &str =
    "there is no collider below its rigid body, so nothing touches it and only game code \
    can break it; add a collider";

impl Objects {
    /// The objects that are not loaded yet.
    fn waiting(&self) -> Vec<ObjectId> {
        let waiting = self.iter().filter(|(_, object)| object.is_waiting());
        waiting.map(|(id, _)| id).collect()
    }

    /// Records the rigid bodies of the objects that have just been found.
    pub fn record_starts(&mut self, graph: &Graph, saves: &EmbeddedSaves) {
        for id in self.waiting() {
            let object = self.by_id.get_mut(&id).filter(|o| o.start.is_none());
            if let Some(object) = object {
                object.start = ObjectStart::new(graph, object.node, saves);
            }
        }
    }

    /// Loads the objects whose files have become available, and reports those that cannot be loaded.
    pub fn load_waiting(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        shapes: &mut ShapeCache,
        mirror: &mut Mirror,
        queue: &mut ImpactQueue,
        faults: &mut FaultLog,
    ) {
        for id in self.waiting() {
            if let Some(object) = self.by_id.get_mut(&id) {
                object.surface_tag = object.config.surface_tag(shapes.resources.as_ref());
            }
            match self.try_load(id, graph, simulation, shapes) {
                Ok(Some(live)) => {
                    for collider in &live.colliders {
                        mirror.colliders.exclude(simulation, graph, *collider);
                    }
                    let (body, root) = (live.body, live.root);
                    let scene_file = shapes.cooked_files.scene_file.as_deref();
                    let resources = shapes.resources.as_ref();
                    let unlit = lightmap::fault(graph, &live.meshes, scene_file, resources);
                    self.load(id, live);
                    if let Some(object) = self.get_mut(id) {
                        simulation.add_damage(root, object.damage.drain(..));
                        simulation.add_cracks(root, object.cracks.drain(..));
                        if let Some(unlit) = unlit {
                            object.report_once(&unlit, faults);
                        }
                    }
                    let body_ref = |body| self.body_ref(body);
                    mirror.joints.reconnect(simulation, graph, body, body_ref);
                    estimate_mass(self, graph, id);
                }
                Ok(None) => {}
                Err(reason) => {
                    self.unload(id, ObjectState::Faulty(reason));
                }
            }
            if let Some(object) = self.by_id.get_mut(&id) {
                object.finish_attempt(id, queue, faults);
            }
        }
    }

    /// Reports an intact object that is too small or too large.
    pub fn report_size(&mut self, root: BodyId, faults: &mut FaultLog) {
        let object = self.of_root(root).and_then(|id| self.get_mut(id));
        if let Some((advice, object)) = object.and_then(|o| Some((o.size_advice()?, o))) {
            object.report_once(&advice, faults);
        }
    }

    /// Adds an object to the simulation; `None` while files are being loaded.
    fn try_load(
        &self,
        id: ObjectId,
        graph: &Graph,
        simulation: &mut Simulation,
        shapes: &mut ShapeCache,
    ) -> Result<Option<LiveObject>, String> {
        let Some(object) = self.get(id) else {
            return Ok(None);
        };
        let Ok(script) = graph.try_get_script_of::<Destructible>(object.node) else {
            return Ok(None); // the script has been removed; the next patrol notices
        };
        let inputs =
            ObjectInputs::new(graph, object.node, script).map_err(|error| error.to_string())?;
        let owner = self
            .of_engine_body(inputs.body)
            .and_then(|owner| self.get(owner));
        if let Some(owner) = owner {
            let owner = owner.name.clone();
            return Err(InputError::Shared { owner }.to_string());
        }
        add_to_simulation(
            &object.name,
            &object.config,
            inputs,
            graph,
            simulation,
            shapes,
        )
    }
}

impl Object {
    /// Reports a fault, unless it has been reported.
    pub fn report_once(&mut self, fault: &str, faults: &mut FaultLog) {
        if !self.reported.contains(fault) {
            self.reported.insert(fault.to_owned());
            faults.report(&self.name, fault);
        }
    }

    /// Reports a fault of the last attempt to load the object, and queues the impacts that came early.
    fn finish_attempt(&mut self, id: ObjectId, queue: &mut ImpactQueue, faults: &mut FaultLog) {
        let fault = match &self.state {
            ObjectState::Waiting if self.updates_waited == UPDATES_BEFORE_FAULT => {
                Some("its mesh, card, pattern or picture is still not loaded; check that the files exist")
            }
            ObjectState::Faulty(reason) => Some(reason.as_str()),
            _ => None,
        };
        if let Some(fault) = fault.map(str::to_owned) {
            self.report_once(&fault, faults);
        }
        if self.live().is_some_and(|live| live.colliders.is_empty()) {
            self.report_once(NO_COLLIDER, faults);
        }
        self.updates_waited = self.updates_waited.saturating_add(1);
        if !self.is_waiting() {
            for impact in std::mem::take(&mut self.early_impacts) {
                // An impact that does not fit is counted by the queue.
                queue.push(ImpactTarget::Object(id), impact);
            }
        }
    }
}

/// Adds a body with these inputs to the simulation; `None` while files are being loaded.
pub(crate) fn add_to_simulation(
    name: &str,
    config: &DestructibleConfig,
    inputs: ObjectInputs,
    graph: &Graph,
    simulation: &mut Simulation,
    shapes: &mut ShapeCache,
) -> Result<Option<LiveObject>, String> {
    config.check().map_err(|error| error.to_string())?;
    let pattern = config.pattern()?.filter(|_| !inputs.is_loading());
    let (Some(pattern), Some(paint)) = (pattern, config.paint()?) else {
        return Ok(None);
    };
    let policy = config.open_mesh_policy();
    let posed = PosedSurfaces::new(&inputs.sources);
    let shape = posed.as_ref().map(|posed| posed.shape(policy));
    let shape = shape.unwrap_or_else(|| shapes.shape_of(graph, &inputs, name, policy));
    let planes = shapes.pattern(pattern, &inputs.sites, &inputs.sources, policy, &shape);
    let appearance = Arc::new(piece_appearance(config, graph, &inputs));
    let unset = Body {
        weakness: shapes.weakness(paint, &inputs.sources, policy, &shape)?,
        ..Body::new(shape.clone(), planes)
    };
    let body = simulation_body(config, graph, &inputs, &appearance, unset);
    let motion = body.motion;
    let root = simulation.add(body).map_err(|error| error.to_string())?;
    start_preparing(config, root, &inputs, &shape, graph, simulation);
    Ok(Some(LiveObject {
        root,
        local_bounds: inputs.local_bounds(graph),
        body: inputs.body,
        dynamic: inputs.is_dynamic(),
        movable: inputs.body_type != RigidBodyType::Static,
        appearance,
        surfaces: SurfaceVersion::of_meshes(graph, &inputs.meshes).collect(),
        scales: world_scales(graph, &inputs.meshes).collect(),
        meshes: inputs.meshes,
        coarser_meshes: inputs.coarser_meshes,
        own_colliders: inputs.colliders.len(),
        colliders: inputs.colliders,
        child_transform: inputs.frame.child_transform(),
        held: vec![root],
        broken: false,
        replaced: ReplacedNodes::default(),
        shape,
        posed,
        motion,
        own_mass: None,
    }))
}

/// The simulation's body of an object with these inputs; `unset` has its shape, its pattern and its weakness.
fn simulation_body(
    config: &DestructibleConfig,
    graph: &Graph,
    inputs: &ObjectInputs,
    appearance: &Arc<PieceAppearance>,
    unset: Body,
) -> Body {
    let collider = inputs.colliders.first();
    Body {
        fit: config.fit(),
        material: config.material(),
        lifetime: config.lifespan(),
        groups: collider.map_or_else(CollisionGroups::default, |c| groups(graph, *c)),
        contact: collider.map_or_else(ContactProperties::default, |c| {
            config.contact(contact_properties(graph, *c))
        }),
        anchors: config.anchors(inputs.body_type),
        interior_faces: config.cut_faces(inputs.materials.len() as u32),
        motion: body_motion(graph, inputs.body),
        hooks: Some(piece_hooks(appearance.clone())),
        seed: u64::from(*config.breaking.seed),
        ..unset
    }
}

/// Starts the work on the worker that an object needs besides its shape.
fn start_preparing(
    config: &DestructibleConfig,
    root: BodyId,
    inputs: &ObjectInputs,
    shape: &Arc<Shape>,
    graph: &Graph,
    simulation: &mut Simulation,
) {
    if *config.strength.check_at_start {
        // Cannot fail: the body has just been added.
        let _ = simulation.solve_stress(root);
    }
    let solid = match config.mass_source {
        MassSource::FromDensity => Some((shape.clone(), config.material().density)),
        MassSource::FromBody => None,
    };
    let solid = solid.filter(|_| inputs.is_dynamic());
    let needs_solid = solid.is_some();
    if let Some(build) = shadow_body_builder(graph, inputs, solid) {
        // Cannot fail: the body has just been added.
        let _ = simulation.build_proxy(root, needs_solid, build);
    }
}

/// Materials and render flags of the pieces.
fn piece_appearance(
    config: &DestructibleConfig,
    graph: &Graph,
    inputs: &ObjectInputs,
) -> PieceAppearance {
    let mut materials = inputs.materials.clone();
    let first = materials.first().cloned();
    let inside = config.inside.material.clone_inner().or(first);
    let inside = inside.map(|inside| lightmap::in_light_of(&inputs.materials, inside));
    materials.extend(inside);
    PieceAppearance::new(graph, &inputs.meshes, materials)
}

/// The hooks that the worker calls for each piece: a [`PrebuiltPiece`] of a fragment, [`PieceSurfaces`] of
/// the chunks of islands, and at most one surface for each collider.
fn piece_hooks(appearance: Arc<PieceAppearance>) -> PieceHooks {
    let surfaces = |mesh: &Mesh| -> PieceSurfaces { write_surfaces(mesh).into_iter().collect() };
    let collider = |mesh: &Mesh| write_surfaces(mesh).into_values().next();
    PieceHooks::new(move |piece| {
        let surfaces = surfaces(piece.mesh);
        Box::new(PrebuiltPiece::new(surfaces, &appearance))
    })
    .with_chunk_hooks(
        move |chunk| Arc::new(surfaces(chunk)),
        move |part| Arc::new(collider(part)),
    )
}

/// A closure that builds the object's colliders on the worker, for debris of other objects to collide with. A
/// dynamic body has the mass of `solid`, a shape with its density; its own if that is `None`.
fn shadow_body_builder(
    graph: &Graph,
    inputs: &ObjectInputs,
    solid: Option<(Arc<Shape>, f32)>,
) -> Option<impl FnOnce() -> Option<BodyDesc> + Send> {
    let snapshot = BodySnapshot::new(graph, inputs.body, &inputs.colliders)?;
    let body_type = match inputs.body_type {
        RigidBodyType::Dynamic => snapshot.dynamic(),
        RigidBodyType::Static => BodyType::Fixed,
        _ => BodyType::Kinematic,
    };
    let build = snapshot.builder(graph, inputs.body, body_type);
    Some(move || {
        let mut desc = build();
        let mass = solid.and_then(|(shape, density)| SolidMass::new(&shape, density));
        if let Some(mass) = mass {
            mass.replace_in(&mut desc);
        }
        Some(desc).filter(|desc| !desc.colliders.is_empty())
    })
}
