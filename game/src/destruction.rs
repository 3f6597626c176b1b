//! Everything the module does for one scene, callable without the plugin.

use crate::{
    debris_view::{batches::StaticBatches, dust::DustEmitters, fades::Fades},
    events::Event,
    fault::{Fault, FaultLog},
    impacts::{
        ccd_impacts::CcdTracker,
        contact_impacts::{ContactHistory, ResidualImpulse},
        queue::ImpactQueue,
    },
    mirror::{colliders::MirroredColliders, joints::MirroredJoints, transforms::vec3},
    object::{
        discovery::Discovery, shape_cache::ShapeCache, Object, ObjectId, ObjectState, Objects,
    },
    save::embedded::EmbeddedSaves,
    settings::Settings,
    statistics::Statistics,
    swap::{nodes::NodePool, pieces::Pieces},
};
use fracture_simulation::Simulation;
use fyrox::{
    asset::manager::ResourceManager,
    scene::{graph::Graph, Scene},
};
use std::{collections::BTreeMap, time::Instant};

/// Name under which faults that belong to no node are reported.
pub(crate) const MODULE: &str = "(all)";
/// How long a frame is taken to be in which no time passes, seconds.
const FRAME: f32 = 1.0 / 60.0;
/// Rounds in which [`Destruction::finish_breaks`] comes to an end: a blow that waits for another
/// takes one more, and 8 at most wait for one body.
const MOST_ROUNDS: usize = 256;

/// Destruction in one scene.
///
/// Call [`Destruction::update`] once a frame. It finds the nodes that carry
/// [`Destructible`](crate::Destructible), takes the blows from the engine's contacts, has objects
/// broken on a worker, and swaps the pieces into the scene. [`FracturePlugin`](crate::FracturePlugin)
/// does just that for every scene of a game.
///
/// ```
/// use fracture::{Destruction, Settings};
/// use fyrox::{core::algebra::Vector2, scene::Scene};
///
/// let mut scene = Scene::new();
/// let mut destruction = Destruction::new(Settings::default());
/// let dt = 1.0 / 60.0;
/// scene.update(Vector2::new(1.0, 1.0), dt, Default::default());
/// destruction.update(&mut scene, dt);
/// assert!(destruction.events().is_empty());
/// ```
#[derive(Default)]
pub struct Destruction {
    pub(crate) settings: Settings,
    /// Started with the scene's gravity by the first update.
    pub(crate) simulation: Option<Simulation>,
    pub(crate) assets: ShapeCache,
    pub(crate) discovery: Discovery,
    pub(crate) surroundings: MirroredColliders,
    pub(crate) joints: MirroredJoints,
    pub(crate) contacts: ContactHistory,
    pub(crate) fast_bodies: CcdTracker,
    pub(crate) objects: Objects,
    pub(crate) pieces: Pieces,
    pub(crate) batches: StaticBatches,
    pub(crate) fades: Fades,
    pub(crate) bursts: DustEmitters,
    pub(crate) spares: NodePool,
    /// Length of the last frame in which time passed, seconds.
    pub(crate) frame: f32,
    /// Blows to be taken by the next update.
    pub(crate) ordered: ImpactQueue,
    /// What strikers are given back when the object that they struck breaks.
    pub(crate) carries: BTreeMap<ObjectId, Vec<ResidualImpulse>>,
    pub(crate) stowage: EmbeddedSaves,
    /// Whether what the simulation tells of has happened before a save was made.
    pub(crate) restoring: bool,
    pub(crate) events: Vec<Event>,
    pub(crate) faults: FaultLog,
    /// What going ahead took since the last update, ms.
    pub(crate) ahead_ms: f32,
    pub(crate) main_ms: f32,
    pub(crate) main_ms_max: f32,
}

impl Destruction {
    /// Destruction for a scene that will be given to [`Destruction::update`].
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Has events name materials by their files, where [`Destructible::material`](crate::Destructible::material)
    /// is empty: only the engine's resource manager knows files. To be called before the first
    /// [`Destruction::update`]; [`FracturePlugin`](crate::FracturePlugin) does.
    pub fn set_resources(&mut self, resources: &ResourceManager) {
        self.assets.resources = Some(resources.clone());
    }

    /// Does one frame's work; `dt` is in seconds. Call it right after [`Scene::update`], always with
    /// the same scene. Where the scene's physics has a time step of its own
    /// (`integration_parameters.dt`), debris moves by that one too: for slow motion.
    pub fn update(&mut self, scene: &mut Scene, dt: f32) {
        let start = Instant::now();
        self.events.clear();
        self.frame = if dt.is_finite() && dt > 0.0 {
            dt
        } else {
            FRAME
        };
        self.clear_stowed(&mut scene.graph);
        self.take_objects(&mut scene.graph);
        if self.simulation.is_some() && self.stowage.waits() {
            self.act_on_brought(scene);
        }
        let graph = &mut scene.graph;
        let dt = own_step(graph, dt);
        if let Some(mut simulation) = self.simulation.take() {
            // What the engine's step came to has been told already when debris went ahead.
            if !simulation.is_next_step_running() {
                self.follow_bodies(graph, &mut simulation);
            }
            self.take_contacts(graph, &mut simulation, dt);
            self.take_messages(graph);
            self.take_orders(graph, &mut simulation);
            simulation.set_gravity(vec3(*graph.physics.gravity));
            let passed = passed(graph, dt);
            self.advance(graph, &mut simulation, passed);
            self.tend_rubble(graph, &mut simulation, passed);
            self.pieces.move_nodes(graph, &simulation);
            self.fast_bodies.take_note(graph);
            self.simulation = Some(simulation);
        }
        self.main_ms = start.elapsed().as_secs_f32() * 1e3 + std::mem::take(&mut self.ahead_ms);
        self.main_ms_max = self.main_ms_max.max(self.main_ms);
    }

    /// Has debris go ahead with the next frame's step while this one is drawn, where the next
    /// [`Destruction::update`] would have to take it: when bodies of the engine are among debris. Nothing else
    /// changes by it but that blows of that update count from the step after it.
    ///
    /// Call it right after [`Scene::update`] with the same `dt`, and [`Destruction::update`] before the next
    /// one. [`FracturePlugin`](crate::FracturePlugin) does, where there is something to draw on. Whoever calls
    /// `update` right after the scene's has no use for it. Returns whether debris does.
    pub fn begin_next_step(&mut self, scene: &Scene, dt: f32) -> bool {
        let start = Instant::now();
        let graph = &scene.graph;
        let dt = passed(graph, own_step(graph, dt));
        let simulation = self.simulation.take_if(|own| own.can_begin_next_step(dt));
        let Some(mut simulation) = simulation else {
            return false;
        };
        self.follow_bodies(graph, &mut simulation);
        let does = simulation.begin_next_step(dt);
        self.simulation = Some(simulation);
        self.ahead_ms = start.elapsed().as_secs_f32() * 1e3;
        does
    }

    /// Has all blows that were ordered and all breaks under way come to their end now, and waits for
    /// the worker. No time passes in the scene. For saving, and for tests; [`Destruction::events`]
    /// then tells of these breaks.
    pub fn finish_breaks(&mut self, scene: &mut Scene) {
        self.events.clear();
        let Some(mut simulation) = self.simulation.take() else {
            return;
        };
        let graph = &mut scene.graph;
        self.take_orders(graph, &mut simulation);
        simulation.set_wait_for_results(true);
        for _ in 0..MOST_ROUNDS {
            if simulation.is_idle() {
                break;
            }
            self.advance(graph, &mut simulation, 0.0);
            self.pieces.move_nodes(graph, &simulation);
        }
        simulation.set_wait_for_results(self.settings.wait_for_results);
        self.simulation = Some(simulation);
    }

    /// Has the simulation take a step, and acts on what comes of it.
    fn advance(&mut self, graph: &mut Graph, simulation: &mut Simulation, dt: f32) {
        let ahead = simulation.is_next_step_running();
        simulation.step(dt);
        self.hand_back(graph, simulation, ahead);
        self.apply_outcomes(graph, simulation);
    }

    /// What happened in the last update, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The last faults, oldest first. Each has also been written to the engine's log.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter()
    }

    /// What it runs with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What there is and what it cost.
    pub fn statistics(&self) -> Statistics {
        let simulation = self
            .simulation
            .as_ref()
            .map(Simulation::statistics)
            .unwrap_or_default();
        let (fragments, islands) = self.pieces.count();
        let (batches, merged) = self.batches.count();
        let whole = |object: &&Object| object.live().is_some_and(|live| !live.broken);
        Statistics {
            objects: self.objects.len(),
            intact: self.objects.values().filter(whole).count(),
            fragments,
            islands,
            awake: simulation.awake,
            settled: simulation.settled,
            surroundings: simulation.external_bodies,
            mirrored: simulation.active_external_bodies,
            triangles: simulation.triangles,
            batches,
            merged,
            fading: self.fades.count(),
            particles: self.bursts.count(),
            removed: simulation.removed,
            dropped: simulation.dropped + self.ordered.dropped(),
            jobs_pending: simulation.jobs,
            breaks: simulation.breaks,
            collapses: simulation.collapses,
            weighed: simulation.stress_solves,
            weigh_ms: simulation.stress_ms,
            worker_ms: simulation.worker_ms,
            worker_ms_max: simulation.worker_ms_max,
            main_ms: self.main_ms,
            main_ms_max: self.main_ms_max,
            physics_ms: simulation.physics_ms,
            physics_steps: simulation.physics_steps,
            chain_dropped: simulation.chain_dropped,
            faults: self.faults.total(),
        }
    }

    /// A number that is the same whenever all bodies and debris are in the same state.
    pub fn state_hash(&self) -> u64 {
        self.simulation.as_ref().map_or(0, Simulation::state_hash)
    }

    /// A number that is the same whenever the same pieces have the same meshes, wherever they are:
    /// a hash over names and every bit of the meshes. It may wait for the worker; it is for tests.
    pub fn geometry_hash(&self) -> u64 {
        let pieces = self.pieces.iter();
        let mut named: Vec<_> = pieces
            .map(|(body, piece)| (piece.name.as_str(), body))
            .collect();
        named.sort_unstable();
        let simulation = self.simulation.as_ref();
        simulation.map_or(0, |simulation| simulation.geometry_hash(named))
    }

    /// Whether nothing is being prepared, queued or broken, and no blow waits.
    pub fn is_idle(&self) -> bool {
        let waiting = |object: &Object| matches!(object.state, ObjectState::Waiting);
        self.ordered.is_empty()
            && !self.stowage.waits()
            && !self.objects.values().any(waiting)
            && self.simulation.as_ref().is_none_or(Simulation::is_idle)
    }

    /// Whether the debris is still moving on beside the frames. An update in the meantime goes on
    /// without it, but after six such frames waits; so whoever would rather leave frames out asks first.
    pub fn is_stepping(&mut self) -> bool {
        let simulation = self.simulation.as_mut();
        simulation.is_some_and(Simulation::is_stepping)
    }

    /// Cancels all work and forgets the scene; nodes stay as they are. For a scene that closes.
    pub fn clear(&mut self) {
        let resources = self.assets.resources.take();
        *self = Self::new(self.settings.clone());
        self.assets.resources = resources;
    }

    /// Takes in what is new in the scene, and starts the simulation if it has not been yet. What is whole is
    /// not prepared before the next step: a save may say that it is not needed.
    pub(crate) fn take_objects(&mut self, graph: &mut Graph) {
        if let Some(mut simulation) = self.start(graph) {
            self.discover(graph, &mut simulation);
            self.ready_objects(graph, &mut simulation);
            self.simulation = Some(simulation);
        }
    }

    /// Takes the simulation out of `self` for an update, so that both can be used side by side.
    fn start(&mut self, graph: &mut Graph) -> Option<Simulation> {
        if self.simulation.is_some() {
            return self.simulation.take();
        }
        self.unpack(graph);
        self.discovery.attach(graph);
        let settings = fracture_simulation::Settings {
            threads: self.settings.threads,
            wait_for_results: self.settings.wait_for_results,
            max_pieces: self.settings.max_pieces,
            max_triangles: self.settings.max_triangles,
            freeze_after: self.settings.settle_after,
            report_contacts: self.settings.report_contacts,
            chain_breaks: self.settings.chain_breaks,
            check_pieces: self.settings.check_pieces,
            seed: self.settings.seed,
            gravity: vec3(*graph.physics.gravity),
            ..Default::default()
        };
        let started = Simulation::new(settings);
        started
            .map_err(|error| self.faults.report(MODULE, error))
            .ok()
    }
}

/// How long the step of a frame of `dt` seconds is: that of the scene's physics, where it has one of its own.
fn own_step(graph: &Graph, dt: f32) -> f32 {
    let own = graph.physics.integration_parameters.dt;
    own.filter(|_| dt > 0.0).unwrap_or(dt)
}

/// What passes of it for debris, which stands still while the engine's physics does.
fn passed(graph: &Graph, dt: f32) -> f32 {
    match *graph.physics.enabled {
        true => dt,
        false => 0.0,
    }
}
