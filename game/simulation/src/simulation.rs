//! The simulation: breakable bodies, and the host's interface to them.

use std::sync::Arc;

use glam::Vec3;
use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;

use crate::budget::{DebrisBudget, Viewer};
use crate::debris::BodyRef;
use crate::debris_sync::DebrisDriver;
use crate::environment::{CellOccupancy, Environment};
use crate::error::{BodyError, ImpactError, SimulationError};
use crate::event::Event;
use crate::history::History;
use crate::impacts::{HarmlessBodies, Impact, PriorityCappedQueue};
use crate::jobs::Jobs;
use crate::pieces::components::{
    AnchoredRemainder, BreakSeed, Breakable, BreakableAsset, Generation, Intact, PendingBreak,
    StressState,
};
use crate::pieces::{Anchors, Body, Damage, DebrisLifetime, LazyPattern, Material, Shape};
use crate::seeds::mix;
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::stress::StressGraph;
use crate::types::{BodyId, BodyKind, Motion};

/// Most impacts that one step resolves.
const MAX_IMPACTS_PER_STEP: usize = 4096;

/// Breakable bodies, the worker that breaks them and the world of their debris. See the
/// [crate documentation](crate) for the order of calls in a frame.
///
/// Dropping it cancels all jobs and waits for the worker to stop.
pub struct Simulation {
    pub(crate) settings: Settings,
    pub(crate) world: hecs::World,
    pub(crate) debris: DebrisDriver,
    pub(crate) environment: Environment,
    pub(crate) jobs: Jobs,
    pub(crate) debris_budget: DebrisBudget,
    pub(crate) viewers: Vec<Viewer>,
    pub(crate) history: History,
    /// The pattern of all blades.
    pub(crate) blade: Arc<LazyPattern>,
    /// Impacts to be resolved in the next step, oldest first.
    pub(crate) impacts: PriorityCappedQueue<Impact>,
    pub(crate) harmless: HarmlessBodies,
    pub(crate) events: Vec<Event>,
    pub(crate) statistics: Statistics,
}

impl Simulation {
    /// Starts the worker and physics threads.
    pub fn new(settings: Settings) -> Result<Self, SimulationError> {
        let settings = settings.clamped();
        Ok(Self {
            debris: DebrisDriver::new(&settings)?,
            environment: Environment::default(),
            jobs: Jobs::new(&settings)?,
            settings,
            world: hecs::World::new(),
            debris_budget: DebrisBudget::default(),
            viewers: Vec::new(),
            history: History::default(),
            blade: LazyPattern::blade(),
            impacts: PriorityCappedQueue::new(MAX_IMPACTS_PER_STEP),
            harmless: HarmlessBodies::default(),
            events: Vec::new(),
            statistics: Statistics::default(),
        })
    }

    /// Adds an intact body and prepares its shape on the worker when there is time.
    pub fn add(&mut self, body: Body) -> Result<BodyId, BodyError> {
        body.check()?;
        let seed = BreakSeed {
            seed: mix(self.settings.seed, body.seed),
            impacts: 0,
        };
        let generation = Generation {
            depth: 0,
            volume: None,
        };
        let asset = BreakableAsset {
            pattern: body.pattern,
            fit: body.fit,
            material: body.material,
            lifetime: body.lifetime,
            groups: body.groups,
            contact: body.contact,
            interior_faces: body.interior_faces,
            hooks: body.hooks,
            lattice: body.shape.lattice().clone(),
        };
        let breakable = Breakable {
            asset: Arc::new(asset),
            shape: body.shape,
            broken_bonds: Arc::default(),
        };
        let anchors = body.anchors;
        // Until the colliders are built, the body occupies its origin.
        let mut occupancy = CellOccupancy::new(Aabb::new(Vec3::ZERO, Vec3::ZERO));
        occupancy.update(&mut self.environment.occupancy, &body.motion, false);
        let motion = body.motion;
        let components = (
            Intact,
            breakable,
            Damage::default(),
            anchors,
            seed,
            generation,
            motion,
            occupancy,
        );
        let id = BodyId(self.world.spawn(components));
        if let Some(proxy) = body.proxy {
            self.set_proxy(id, &proxy)?;
        }
        self.jobs.to_prepare.push_back(id);
        Ok(id)
    }

    /// Reports the motion of a body that the host moves.
    pub fn set_motion(&mut self, body: BodyId, motion: Motion) -> Result<(), BodyError> {
        motion.check()?;
        if self.kind(body) == Some(BodyKind::Debris) {
            return Err(BodyError::Debris);
        }
        self.place(body, motion, false)?;
        self.debris.set_motion(BodyRef::Breakable(body), motion);
        Ok(())
    }

    /// Sets the material of a body. A break under way keeps the old one.
    pub fn set_material(&mut self, body: BodyId, material: Material) -> Result<(), BodyError> {
        material.check()?;
        let query = self.world.query_one_mut::<&mut Breakable>(body.0);
        let breakable = query.map_err(|_| BodyError::Unknown)?;
        Arc::make_mut(&mut breakable.asset).material = material;
        self.update_contact_threshold(body);
        Ok(())
    }

    /// Sets the lifetime of a body's future pieces. A break under way keeps the old one.
    pub fn set_lifetime(
        &mut self,
        body: BodyId,
        lifetime: DebrisLifetime,
    ) -> Result<(), BodyError> {
        lifetime.check()?;
        let query = self.world.query_one_mut::<&mut Breakable>(body.0);
        let breakable = query.map_err(|_| BodyError::Unknown)?;
        Arc::make_mut(&mut breakable.asset).lifetime = lifetime;
        Ok(())
    }

    /// Sets the anchors of a body. A break under way keeps the old ones.
    pub fn set_anchors(&mut self, body: BodyId, anchors: Anchors) -> Result<(), BodyError> {
        anchors.check()?;
        let query = self.world.query_one_mut::<&mut Anchors>(body.0);
        *query.map_err(|_| BodyError::Unknown)? = anchors;
        Ok(())
    }

    /// Removes a body, or all living pieces of one that was broken, and cancels their jobs. Returns the
    /// number of bodies removed. There are no events for them.
    pub fn remove(&mut self, body: BodyId) -> usize {
        self.history.forget(body);
        let mut family = self.history.pieces.descendants(body);
        family.push(body);
        let removed = family.into_iter().filter(|&id| self.despawn(id));
        removed.count()
    }

    /// Resets the simulation, keeping its settings: cancels all jobs and removes all bodies, external
    /// bodies, impacts, events and counters. Ids of bodies start again too.
    ///
    /// # Errors
    ///
    /// [`SimulationError`] when the threads cannot be started; then nothing has changed.
    pub fn clear(&mut self) -> Result<(), SimulationError> {
        *self = Self::new(self.settings.clone())?;
        Ok(())
    }

    /// Sets the gravity of the debris, m/s^2. A vector that is not finite is ignored.
    pub fn set_gravity(&mut self, gravity: Vec3) {
        if gravity.is_finite() && gravity != self.settings.gravity {
            self.settings.gravity = gravity;
            self.debris.wait_mut().set_gravity(gravity);
        }
    }

    /// Sets [`Settings::max_pieces`], [`Settings::max_triangles`] and [`Settings::freeze_after`]
    /// (seconds). A negative or undefined time is ignored.
    pub fn set_limits(&mut self, max_pieces: usize, max_triangles: u64, freeze_after: f32) {
        self.settings.max_pieces = max_pieces;
        self.settings.max_triangles = max_triangles;
        if freeze_after >= 0.0 {
            self.settings.freeze_after = freeze_after;
            self.debris.wait_mut().set_freeze_after(freeze_after);
        }
    }

    /// Sets the cameras through which the bodies are seen: pieces over the limits are removed out of sight and
    /// far away first. They stay in force until the next call. Viewers with numbers that are not finite are left
    /// out. Without any, the smallest pieces go first.
    pub fn set_viewers(&mut self, viewers: impl IntoIterator<Item = Viewer>) {
        self.viewers.clear();
        self.viewers
            .extend(viewers.into_iter().filter(Viewer::is_finite));
    }

    /// Whether so many free pieces exist that some may be removed soon. Only then viewers count.
    pub fn is_near_limits(&self) -> bool {
        let (budget, settings) = (&self.debris_budget, &self.settings);
        2 * budget.count() >= settings.max_pieces
            || 2 * budget.triangles() >= settings.max_triangles
    }

    /// Queues an impact for the next step. Of more than 4,096 the weakest are dropped, and when the
    /// worker's queue has no room for all, those with most energy go first; both are counted
    /// ([`Statistics::dropped`]).
    pub fn impact(&mut self, impact: Impact) -> Result<(), ImpactError> {
        impact.check()?;
        let known = |id: BodyId| self.world.contains(id.0);
        if !known(impact.body)
            && !self
                .history
                .pieces
                .descendants(impact.body)
                .into_iter()
                .any(known)
        {
            return Err(ImpactError::UnknownBody);
        }
        if self.impacts.push(impact.energy, impact) {
            Ok(())
        } else {
            Err(ImpactError::TooMany {
                limit: MAX_IMPACTS_PER_STEP,
            })
        }
    }

    /// Drops the impacts on a body that are queued for the next step. Those that wait for a break under way are
    /// dropped when the body is removed.
    pub fn forget_impacts(&mut self, body: BodyId) {
        self.impacts.retain(|impact| impact.body != body);
    }

    /// Solves the stress in an anchored body under its own weight, as happens by itself after each break.
    /// If the body does not hold, it collapses in one of the next steps. Free bodies, and bodies without
    /// a [`Material::tensile_strength`], are left out.
    pub fn solve_stress(&mut self, body: BodyId) -> Result<(), BodyError> {
        if !self.world.contains(body.0) {
            return Err(BodyError::Unknown);
        }
        self.jobs.to_solve.push_back(body);
        Ok(())
    }

    /// The stress in a body after the last solve; `None` before there was one.
    pub fn stress_graph(&self, body: BodyId) -> Option<Arc<StressGraph>> {
        Some(self.world.get::<&StressState>(body.0).ok()?.0.clone())
    }

    /// The stress in all bodies that have been solved, by id.
    pub fn stress_graphs(&self) -> Vec<(BodyId, Arc<StressGraph>)> {
        let mut all: Vec<_> = self
            .world
            .query::<(hecs::Entity, &StressState)>()
            .iter()
            .map(|(body, state)| (BodyId(body), state.0.clone()))
            .collect();
        all.sort_unstable_by_key(|(body, _)| *body);
        all
    }

    /// Drains the events since the last call, in order.
    pub fn drain_events(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.events.drain(..)
    }

    /// The free pieces that are drawn elsewhere than in the last frame, and their poses.
    ///
    /// These poses are for rendering: while steps are taken beside the frames ([`Settings::overlap`]), debris is
    /// drawn a frame late and evenly, between two steps or flying on beyond the last one, whatever the length of
    /// frames and steps. [`Simulation::motion`] is the pose in physics; both are the same in steps that are taken in
    /// the frame.
    pub fn moving_pieces(&self) -> impl Iterator<Item = (BodyId, Pose)> + '_ {
        let poses = self.debris.render_poses().iter().copied();
        poses.filter(|(body, _)| self.world.contains(body.0))
    }

    /// The free pieces that were frozen (true) or thawed in the last step, in order; see
    /// [`Settings::freeze_after`]. Some may have been removed meanwhile.
    pub fn freeze_changes(&self) -> impl Iterator<Item = (BodyId, bool)> + '_ {
        self.debris.freeze_changes().iter().copied()
    }

    /// The kind of a body; `None` when it does not exist.
    pub fn kind(&self, body: BodyId) -> Option<BodyKind> {
        let entity = self.world.entity(body.0).ok()?;
        Some(
            match (entity.has::<Intact>(), entity.has::<AnchoredRemainder>()) {
                (true, _) => BodyKind::Intact,
                (_, true) => BodyKind::Remainder,
                _ => BodyKind::Debris,
            },
        )
    }

    /// The pose and velocity of a body.
    pub fn motion(&self, body: BodyId) -> Option<Motion> {
        Some(*self.world.get::<&Motion>(body.0).ok()?)
    }

    /// A body's mesh.
    pub fn shape(&self, body: BodyId) -> Option<Arc<Shape>> {
        Some(self.world.get::<&Breakable>(body.0).ok()?.shape.clone())
    }

    /// The number of breaks that a body's ancestors have been through.
    pub fn generation(&self, body: BodyId) -> Option<u32> {
        Some(self.world.get::<&Generation>(body.0).ok()?.depth)
    }

    /// Whether a job is breaking a body.
    pub fn is_breaking(&self, body: BodyId) -> bool {
        self.world.satisfies::<&PendingBreak>(body.0)
    }

    /// The living pieces of a broken body, by id.
    pub fn descendants(&self, body: BodyId) -> Vec<BodyId> {
        self.history.pieces.descendants(body)
    }

    /// Whether no job, no refinement of a collider and no impact is left.
    pub fn is_idle(&self) -> bool {
        self.jobs.worker.outstanding() == 0
            && self.jobs.worker.refinements() == 0
            && self.impacts.is_empty()
            && self.jobs.to_prepare.is_empty()
            && self.jobs.prepared.is_empty()
            && self.jobs.to_solve.is_empty()
            && self.environment.collider_builds.are_submitted()
    }

    /// Whether a debris step is running beside or ahead of the frame. Queries and most changes wait for its end.
    pub fn is_stepping(&mut self) -> bool {
        self.debris.is_stepping()
    }

    /// Whether the debris step of the next frame has been begun ahead ([`Simulation::begin_next_step`]), and its
    /// results have not been taken.
    pub fn is_next_step_running(&self) -> bool {
        self.debris.is_next_step_running()
    }

    /// Counters and times.
    pub fn statistics(&self) -> Statistics {
        let refused = self.impacts.dropped();
        Statistics {
            dropped: self.statistics.dropped + refused,
            ..self.statistics
        }
    }

    /// Sets [`Settings::wait_for_results`]: whether each step waits for the breaks submitted before it.
    pub fn set_wait_for_results(&mut self, wait: bool) {
        self.settings.wait_for_results = wait;
    }

    /// The settings after clamping.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
