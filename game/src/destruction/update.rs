//! The work of a frame.

use crate::{
    destruction::Destruction,
    fault::MODULE,
    follow_others::follow_others,
    impacts::{
        blasts::{find_late_bodies, reach_late_bodies},
        delivery::{deliver_impacts, push_engine_bodies, take_messages},
        scene_bodies::SceneBodies,
    },
    mirror::{body_sync::OwnStep, transforms::vec3, viewers::viewers},
    object::{inspection::discover, restore_intact::apply_restores, Object},
    save::{
        archive::RestoreError,
        embedded::{clear_embedded_save, take_embedded_save},
    },
    settings::Settings,
    swap::{apply_events::apply_events, detaching::drop_orphaned},
    update_limit,
};
use fracture_simulation::Simulation;
use fyrox::{
    asset::manager::ResourceManager,
    core::instant::Instant,
    scene::{graph::Graph, Scene},
};
use std::path::PathBuf;

/// Frame time for particles in a frame in which no time passes, seconds.
const DEFAULT_FRAME_TIME: f32 = 1.0 / 60.0;
/// Steps that [`Destruction::finish_breaks`] takes at most. An impact that waits for another one takes a
/// step more, and at most 8 wait for one body.
const MAX_FINISHING_STEPS: usize = 256;

impl Destruction {
    /// Creates the destruction of a scene, which is given to [`Destruction::update`] later.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Sets the resource manager, which knows the file names that events give for materials without a name
    /// of their own, and the models beside which [cooked](crate::Cooking) shapes are. Call it before the first [`Destruction::update`], as
    /// [`FracturePlugin`](crate::FracturePlugin) does.
    pub fn set_resources(&mut self, resources: &ResourceManager) {
        self.shapes.resources = Some(resources.clone());
    }

    /// Sets the file of the scene, as game code has loaded it: [cooked](crate::Cooking) shapes of meshes that
    /// come from no model are looked for beside it. Those of models are found without. Call it before the first
    /// [`Destruction::update`].
    pub fn set_scene_file(&mut self, file: impl Into<PathBuf>) {
        self.shapes.cooked_files.scene_file = Some(file.into());
    }

    /// Does the work of a frame of `dt` seconds. Call it right after [`Scene::update`], always with the same
    /// scene. If the scene's physics has its own time step (`integration_parameters.dt`), debris uses that
    /// one too, as for slow motion.
    pub fn update(&mut self, scene: &mut Scene, dt: f32) {
        let start = Instant::now();
        self.events.clear();
        self.late = std::mem::take(&mut self.finished);
        self.limit.begin_update(&self.settings);
        let passes = dt.is_finite() && dt > 0.0;
        self.view.frame = if passes { dt } else { DEFAULT_FRAME_TIME };
        self.view.remove_spare_nodes(&mut scene.graph);
        clear_embedded_save(&mut self.saves, &mut scene.graph);
        self.discover_objects(&mut scene.graph);
        find_late_bodies(self);
        if self.simulation.is_some() && self.saves.is_pending() {
            self.restore_pending(scene);
        }
        self.shapes.cooked_files.report_problems(&mut self.faults);
        let graph = &mut scene.graph;
        let dt = physics_step(graph, dt);
        if let Some(mut simulation) = self.simulation.take() {
            follow_others(self, graph, &mut simulation);
            self.attachments.reconnect(graph);
            drop_orphaned(self, graph);
            let first_steps = &mut self.impacts.first_steps;
            let debris_dt = debris_step(graph, dt);
            first_steps.put_back(graph, &self.objects, debris_dt);
            // A step that was begun early has been given the engine's motions then.
            if !simulation.is_next_step_running() {
                self.sync_in(graph, &mut simulation);
            }
            self.objects.update_poses(graph);
            self.collect_impacts(graph, &mut simulation, dt);
            take_messages(self, graph);
            reach_late_bodies(self, &simulation);
            deliver_impacts(self, graph, &mut simulation);
            simulation.set_gravity(vec3(*graph.physics.gravity));
            self.step(graph, &mut simulation, debris_dt);
            let pieces = &mut self.pieces;
            let (settings, limit) = (&self.settings, &mut self.limit);
            self.view
                .update(graph, &mut simulation, pieces, settings, limit, debris_dt);
            pieces.move_nodes(graph, &simulation);
            self.attachments.follow(graph, pieces);
            self.impacts.bodies.record_states(graph);
            self.simulation = Some(simulation);
        }
        #[cfg(feature = "effects")]
        self.show_effects(scene);
        let timing = &mut self.timing;
        timing.last_update = milliseconds(start) + std::mem::take(&mut timing.early);
        timing.longest_update = timing.longest_update.max(timing.last_update);
    }

    /// Shows and plays what the scene's scripts want of the events that scripts get.
    #[cfg(feature = "effects")]
    fn show_effects(&mut self, scene: &mut Scene) {
        let events = self.late.iter().chain(&self.events);
        let (dt, repeatable) = (self.view.frame, self.settings.wait_for_results);
        self.effects.update(scene, events, dt, repeatable);
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
    /// in the scene, and a collapse of a building goes on in the next updates only. [`Destruction::events`] then holds the events of these breaks, and
    /// [`Destruction::events_for_scripts`] has them after the next update. For saving and tests.
    pub fn finish_breaks(&mut self, scene: &mut Scene) {
        self.events.clear();
        if !self.restores.is_empty() {
            self.limit.lift();
            self.discover_objects(&mut scene.graph);
        }
        let Some(mut simulation) = self.simulation.take() else {
            return;
        };
        let graph = &mut scene.graph;
        deliver_impacts(self, graph, &mut simulation);
        simulation.set_wait_for_results(true);
        simulation.set_structure_paused(true);
        for _ in 0..MAX_FINISHING_STEPS {
            if simulation.has_finished_breaks() {
                break;
            }
            self.step(graph, &mut simulation, 0.0);
            self.pieces.move_nodes(graph, &simulation);
        }
        simulation.set_structure_paused(false);
        simulation.set_wait_for_results(self.settings.wait_for_results);
        self.simulation = Some(simulation);
        self.finished.extend_from_slice(&self.events);
    }

    /// Steps the simulation, and applies its results to the scene.
    fn step(&mut self, graph: &mut Graph, simulation: &mut Simulation, dt: f32) {
        let early = simulation.is_next_step_running();
        if simulation.is_near_limits() {
            simulation.set_viewers(viewers(graph, self.settings.wait_for_results));
        }
        simulation.set_changes_per_step(self.limit.room());
        simulation.step(dt);
        let (objects, pieces) = (&mut self.objects, &self.pieces);
        self.mirror
            .sync_out(graph, simulation, objects, pieces, OwnStep { early, dt });
        let start = Instant::now();
        push_engine_bodies(self, graph);
        apply_events(self, graph, simulation);
        let changes = simulation.changes();
        let spent = simulation.statistics().changes_ms + milliseconds(start);
        self.limit.add(changes);
        self.limit.learn(changes, spent);
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
        self.players.forget_removed(graph);
        let (players, faults) = (&self.players, &mut self.faults);
        self.impacts
            .collect(graph, simulation, &bodies, players, faults, dt);
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
    pub(super) fn discover_objects(&mut self, graph: &mut Graph) {
        let Some(mut simulation) = self.take_simulation(graph) else {
            return;
        };
        discover(self, graph, &mut simulation);
        #[cfg(feature = "effects")]
        simulation.set_report_contacts(
            self.effects
                .reported_contacts(self.settings.report_contacts),
        );
        self.objects.record_starts(graph, &self.saves);
        apply_restores(self, graph, &mut simulation);
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

    /// Restores the objects of a loaded scene, once all of them are ready.
    fn restore_pending(&mut self, scene: &mut Scene) {
        if self.objects.values().any(Object::is_waiting) {
            return;
        }
        let Some(save) = self.saves.take_pending() else {
            return;
        };
        match self.restore(scene, save) {
            // Reported already, under the object's own name.
            Ok(()) | Err(RestoreError::Object { .. }) => {}
            Err(error) => self.faults.report(MODULE, error),
        }
    }

    /// Takes the simulation out of `self` for an update, so that both can be borrowed, or creates it.
    fn take_simulation(&mut self, graph: &mut Graph) -> Option<Simulation> {
        if self.simulation.is_some() {
            return self.simulation.take();
        }
        take_embedded_save(&mut self.saves, &mut self.faults, graph);
        self.discovery.attach(graph);
        let of_limit = update_limit::check(&self.settings).err();
        for refusal in of_limit.into_iter().chain(self.settings.mend()) {
            self.faults.report(MODULE, refusal);
        }
        let settings = fracture_simulation::Settings {
            threads: self.settings.threads,
            job_ms: self.settings.job_ms,
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
        self.players.prepare(&mut simulation);
        simulation.set_harmless_groups(self.settings.harmless_groups);
        for key in std::mem::take(&mut self.impacts.harmless) {
            simulation.set_harmless(key, true);
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
