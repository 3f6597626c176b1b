//! Destruction in one scene, callable without the plugin: the order of a frame.

use crate::{
    debris_view::DebrisView,
    events::Event,
    fault::{Fault, FaultLog, MODULE},
    impacts::{collect::SceneBodies, Impacts},
    mirror::{transforms::vec3, viewers::viewers, Mirror},
    object::{discovery::Discovery, shape_cache::ShapeCache, Object, ObjectId, Objects},
    save::EmbeddedSaves,
    settings::Settings,
    statistics::Statistics,
    swap::{attachments::Attachments, pieces::PieceStore},
};
use fracture_simulation::Simulation;
use fyrox::{
    asset::manager::ResourceManager,
    scene::{graph::Graph, Scene},
};
use std::{collections::BTreeSet, time::Instant};

/// Frame time for particles in a frame in which no time passes, seconds.
const DEFAULT_FRAME_TIME: f32 = 1.0 / 60.0;
/// Steps that [`Destruction::finish_breaks`] takes at most. An impact that waits for another one takes a
/// step more, and at most 8 wait for one body.
const MAX_FINISHING_STEPS: usize = 256;

/// Destruction in one scene.
///
/// Call [`Destruction::update`] once a frame. It finds the nodes that carry
/// [`Destructible`](crate::Destructible), collects impacts from the engine's contacts, breaks objects on a
/// worker thread, and adds the pieces to the scene. [`FracturePlugin`](crate::FracturePlugin) does this for
/// every scene of a game.
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
    /// Created by the first update, with the scene's gravity.
    pub(crate) simulation: Option<Simulation>,
    pub(crate) discovery: Discovery,
    pub(crate) objects: Objects,
    shapes: ShapeCache,
    pub(crate) mirror: Mirror,
    pub(crate) impacts: Impacts,
    pub(crate) pieces: PieceStore,
    pub(crate) view: DebrisView,
    pub(crate) attachments: Attachments,
    pub(crate) saves: EmbeddedSaves,
    /// Objects to be made intact again in the next update.
    pub(crate) restores: BTreeSet<ObjectId>,
    /// Whether a save is being restored: its breaks happened before.
    pub(crate) restoring: bool,
    pub(crate) events: Vec<Event>,
    pub(crate) faults: FaultLog,
    timing: Timing,
}

/// Time spent on the main thread, ms.
#[derive(Default)]
struct Timing {
    /// The time for beginning a step early, since the last update.
    early: f32,
    last_update: f32,
    longest_update: f32,
}

impl Destruction {
    /// Creates the destruction of a scene, which is given to [`Destruction::update`] later.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Sets the resource manager, which knows the file names that events give for materials without a name
    /// of their own. Call it before the first [`Destruction::update`], as
    /// [`FracturePlugin`](crate::FracturePlugin) does.
    pub fn set_resources(&mut self, resources: &ResourceManager) {
        self.shapes.resources = Some(resources.clone());
    }

    /// Does the work of a frame of `dt` seconds. Call it right after [`Scene::update`], always with the same
    /// scene. If the scene's physics has its own time step (`integration_parameters.dt`), debris uses that
    /// one too, as for slow motion.
    pub fn update(&mut self, scene: &mut Scene, dt: f32) {
        let start = Instant::now();
        self.events.clear();
        let passes = dt.is_finite() && dt > 0.0;
        self.view.frame = if passes { dt } else { DEFAULT_FRAME_TIME };
        self.clear_embedded_save(&mut scene.graph);
        self.discover_objects(&mut scene.graph);
        if self.simulation.is_some() && self.saves.is_pending() {
            self.restore_pending(scene);
        }
        let graph = &mut scene.graph;
        let dt = physics_step(graph, dt);
        if let Some(mut simulation) = self.simulation.take() {
            self.attachments.reconnect(graph);
            // A step that was begun early has been given the engine's motions then.
            if !simulation.is_next_step_running() {
                self.sync_in(graph, &mut simulation);
            }
            self.collect_impacts(graph, &mut simulation, dt);
            self.take_messages(graph);
            self.deliver_impacts(graph, &mut simulation);
            simulation.set_gravity(vec3(*graph.physics.gravity));
            let debris_dt = debris_step(graph, dt);
            self.step(graph, &mut simulation, debris_dt);
            let pieces = &mut self.pieces;
            self.view
                .update(graph, &mut simulation, pieces, &self.settings, debris_dt);
            pieces.move_nodes(graph, &simulation);
            self.attachments.follow(graph, pieces);
            self.impacts.bodies.record_states(graph);
            self.simulation = Some(simulation);
        }
        let timing = &mut self.timing;
        timing.last_update = milliseconds(start) + std::mem::take(&mut timing.early);
        timing.longest_update = timing.longest_update.max(timing.last_update);
    }

    /// Begins the next frame's step of the debris while this frame is drawn, if the next
    /// [`Destruction::update`] would have to compute it, that is, if bodies of the engine are near debris.
    /// The only other effect is that impacts of that update count from the step after it.
    ///
    /// Call it right after [`Scene::update`] with the same `dt`, and [`Destruction::update`] before the next
    /// [`Scene::update`], as [`FracturePlugin`](crate::FracturePlugin) does. It saves nothing when `update`
    /// follows right after the scene's own. Returns whether a step has begun.
    pub fn begin_next_step(&mut self, scene: &Scene, dt: f32) -> bool {
        let start = Instant::now();
        let graph = &scene.graph;
        let dt = debris_step(graph, physics_step(graph, dt));
        let simulation = &mut self.simulation;
        let Some(mut simulation) = simulation.take_if(|own| own.can_begin_next_step(dt)) else {
            return false;
        };
        self.sync_in(graph, &mut simulation);
        let begun = simulation.begin_next_step(dt);
        self.simulation = Some(simulation);
        self.timing.early = milliseconds(start);
        begun
    }

    /// Completes all queued impacts and all breaks being computed, and waits for the worker. No time passes
    /// in the scene. [`Destruction::events`] then holds the events of these breaks. For saving and tests.
    pub fn finish_breaks(&mut self, scene: &mut Scene) {
        self.events.clear();
        if !self.restores.is_empty() {
            self.discover_objects(&mut scene.graph);
        }
        let Some(mut simulation) = self.simulation.take() else {
            return;
        };
        let graph = &mut scene.graph;
        self.deliver_impacts(graph, &mut simulation);
        simulation.set_wait_for_results(true);
        for _ in 0..MAX_FINISHING_STEPS {
            if simulation.is_idle() {
                break;
            }
            self.step(graph, &mut simulation, 0.0);
            self.pieces.move_nodes(graph, &simulation);
        }
        simulation.set_wait_for_results(self.settings.wait_for_results);
        self.simulation = Some(simulation);
    }

    /// Steps the simulation, and applies its results to the scene.
    fn step(&mut self, graph: &mut Graph, simulation: &mut Simulation, dt: f32) {
        let early = simulation.is_next_step_running();
        if simulation.is_near_limits() {
            simulation.set_viewers(viewers(graph));
        }
        simulation.step(dt);
        let (objects, pieces) = (&mut self.objects, &self.pieces);
        self.mirror
            .sync_out(graph, simulation, objects, pieces, early);
        self.apply_events(graph, simulation);
    }

    fn sync_in(&mut self, graph: &Graph, simulation: &mut Simulation) {
        let (objects, pieces) = (&mut self.objects, &mut self.pieces);
        self.mirror
            .sync_in(graph, simulation, &self.discovery, objects, pieces);
    }

    fn collect_impacts(&mut self, graph: &Graph, simulation: &mut Simulation, dt: f32) {
        let bodies = SceneBodies {
            objects: &self.objects,
            pieces: &self.pieces,
            mirrored: &self.mirror.colliders.bodies,
        };
        self.impacts
            .collect(graph, simulation, &bodies, &mut self.faults, dt);
    }

    /// The events of the last update, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The last faults, oldest first. Each has also been written to the engine's log.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Counts and times.
    pub fn statistics(&self) -> Statistics {
        let simulation = self.simulation.as_ref().map(Simulation::statistics);
        let simulation = simulation.unwrap_or_default();
        let (fragments, islands) = self.pieces.count();
        let intact = self.objects.values().filter(|object| object.is_intact());
        let mut statistics = Statistics {
            objects: self.objects.len(),
            intact: intact.count(),
            fragments,
            islands,
            awake: simulation.awake,
            settled: simulation.frozen,
            surroundings: simulation.external_bodies,
            mirrored: simulation.active_external_bodies,
            triangles: simulation.triangles,
            removed: simulation.removed,
            dropped: simulation.dropped + self.impacts.queue.dropped(),
            jobs_pending: simulation.jobs,
            breaks: simulation.breaks,
            collapses: simulation.collapses,
            weighed: simulation.stress_solves,
            weigh_ms: simulation.stress_ms,
            worker_ms: simulation.worker_ms,
            worker_ms_max: simulation.worker_ms_max,
            main_ms: self.timing.last_update,
            main_ms_max: self.timing.longest_update,
            physics_ms: simulation.physics_ms,
            physics_steps: simulation.physics_steps,
            chain_dropped: simulation.chain_dropped,
            faults: self.faults.total(),
            ..Statistics::default()
        };
        self.view.count(&mut statistics);
        statistics
    }

    /// A hash of the state of all bodies and debris: equal states have equal hashes.
    pub fn state_hash(&self) -> u64 {
        self.simulation.as_ref().map_or(0, Simulation::state_hash)
    }

    /// A hash over the names and every bit of the meshes of all pieces, wherever they are. It may wait for
    /// the worker; it is meant for tests.
    pub fn geometry_hash(&self) -> u64 {
        let pieces = self.pieces.iter();
        let mut named: Vec<_> = pieces
            .map(|(body, piece)| (piece.name.as_str(), body))
            .collect();
        named.sort_unstable();
        let simulation = self.simulation.as_ref();
        simulation.map_or(0, |simulation| simulation.geometry_hash(named))
    }

    /// Whether no work is left: no object waits for files, no impact is queued, no break is being computed.
    pub fn is_idle(&self) -> bool {
        self.impacts.queue.is_empty()
            && self.restores.is_empty()
            && !self.saves.is_pending()
            && !self.objects.values().any(Object::is_waiting)
            && self.simulation.as_ref().is_none_or(Simulation::is_idle)
    }

    /// Whether a step of the debris is still being computed beside the frames. An update meanwhile leaves
    /// debris where it is, and after six such updates waits for the step. A caller that prefers to skip
    /// updates asks first.
    pub fn is_stepping(&mut self) -> bool {
        let simulation = self.simulation.as_mut();
        simulation.is_some_and(Simulation::is_stepping)
    }

    /// Cancels all work and drops everything known of the scene, whose nodes stay as they are. For a scene
    /// that is closed.
    pub fn clear(&mut self) {
        let resources = self.shapes.resources.take();
        *self = Self::new(self.settings.clone());
        self.shapes.resources = resources;
    }

    /// Discovers new objects and loads them, and creates the simulation if there is none. Intact objects
    /// are not prepared before the next step, because a save may replace them.
    pub(crate) fn discover_objects(&mut self, graph: &mut Graph) {
        let Some(mut simulation) = self.take_simulation(graph) else {
            return;
        };
        self.discover(graph, &mut simulation);
        self.objects.record_starts(graph, &self.saves);
        self.apply_restores(graph, &mut simulation);
        self.objects.load_waiting(
            graph,
            &mut simulation,
            &mut self.shapes,
            &mut self.mirror,
            &mut self.impacts.queue,
            &mut self.faults,
        );
        self.simulation = Some(simulation);
    }

    /// Takes the simulation out of `self` for an update, so that both can be borrowed, or creates it.
    fn take_simulation(&mut self, graph: &mut Graph) -> Option<Simulation> {
        if self.simulation.is_some() {
            return self.simulation.take();
        }
        self.take_embedded_save(graph);
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
        let mut simulation = Simulation::new(settings)
            .map_err(|error| self.faults.report(MODULE, error))
            .ok()?;
        simulation.set_harmless_groups(self.settings.harmless_groups);
        for key in &self.impacts.harmless {
            simulation.set_harmless(*key, true);
        }
        Some(simulation)
    }
}

/// The time step of a frame of `dt` seconds: that of the scene's physics, if it has its own.
fn physics_step(graph: &Graph, dt: f32) -> f32 {
    let own = graph.physics.integration_parameters.dt;
    own.filter(|_| dt > 0.0).unwrap_or(dt)
}

/// The time step of debris: zero while the engine's physics is disabled.
fn debris_step(graph: &Graph, dt: f32) -> f32 {
    if *graph.physics.enabled {
        dt
    } else {
        0.0
    }
}

fn milliseconds(start: Instant) -> f32 {
    start.elapsed().as_secs_f32() * 1e3
}
