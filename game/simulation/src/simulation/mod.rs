//! The simulation: breakable bodies, and the host's interface to them.
//!
//! This file has the state, and the methods that the systems of a frame need as well: it is below them. The rest of
//! the interface is above them: `commands.rs` has what the host tells, `queries.rs` what it asks.

mod commands;
mod queries;

use std::sync::atomic::Ordering;

use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;

use crate::budget::{DebrisBudget, Viewer};
use crate::changes::Changes;
use crate::debris::{BodyDesc, BodyRef, ExternalBody};
use crate::debris_sync::DebrisDriver;
use crate::environment::{CellOccupancy, Environment};
use crate::error::{BodyError, ImpactError, SimulationError};
use crate::event::{Event, RemoveReason};
use crate::history::History;
use crate::impacts::{
    least_felt_of_debris, HarmlessBodies, Impact, PriorityCappedQueue, ToldBlows,
};
use crate::jobs::Jobs;
use crate::loads::Loads;
use crate::network::Sharing;
use crate::pieces::components::{AnchoredRemainder, Debris, Intact, PendingBreak, Proxy};
use crate::pieces::{Anchors, BladePatterns, CrackSet, Damage, DamagedSpot};
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::structure::{BodyBonds, StructureQueue};
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
    pub(crate) changes: Changes,
    pub(crate) viewers: Vec<Viewer>,
    pub(crate) history: History,
    pub(crate) network: Sharing,
    pub(crate) structure: StructureQueue,
    pub(crate) loads: Loads,
    pub(crate) blades: BladePatterns,
    /// Impacts to be resolved in the next step, oldest first.
    pub(crate) impacts: PriorityCappedQueue<Impact>,
    pub(crate) harmless: HarmlessBodies,
    pub(crate) told_blows: ToldBlows,
    pub(crate) events: Vec<Event>,
    pub(crate) statistics: Statistics,
}

impl Simulation {
    /// Starts the worker and physics threads, if there shall be any.
    pub fn new(settings: Settings) -> Result<Self, SimulationError> {
        let settings = settings.clamped();
        Ok(Self {
            debris: DebrisDriver::new(&settings)?,
            environment: Environment::default(),
            jobs: Jobs::new(&settings)?,
            settings,
            world: hecs::World::new(),
            debris_budget: DebrisBudget::default(),
            changes: Changes::default(),
            viewers: Vec::new(),
            history: History::default(),
            network: Sharing::default(),
            structure: StructureQueue::default(),
            loads: Loads::default(),
            blades: BladePatterns::default(),
            impacts: PriorityCappedQueue::new(MAX_IMPACTS_PER_STEP),
            harmless: HarmlessBodies::default(),
            told_blows: ToldBlows::default(),
            events: Vec::new(),
            statistics: Statistics::default(),
        })
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

    /// The pose of a breakable or external body.
    pub(crate) fn pose_of(&self, body: BodyRef) -> Option<Pose> {
        match body {
            BodyRef::Breakable(body) => Some(self.motion(body)?.pose),
            BodyRef::External(key) => Some(self.environment.streaming.body(key)?.motion.pose),
        }
    }

    /// Whether a job is breaking a body.
    pub fn is_breaking(&self, body: BodyId) -> bool {
        self.world.satisfies::<&PendingBreak>(body.0)
    }

    /// The damaged spots of a body; none if there is no such body.
    pub fn damaged_spots(&self, body: BodyId) -> Vec<DamagedSpot> {
        let damage = self.world.get::<&Damage>(body.0);
        damage.map_or_else(|_| Vec::new(), |damage| damage.spots.clone())
    }

    /// The cracks that stay in a body; none if there is no such body.
    pub fn cracks(&self, body: BodyId) -> Vec<CrackSet> {
        let damage = self.world.get::<&Damage>(body.0);
        damage.map_or_else(|_| Vec::new(), |damage| damage.cracks.0.clone())
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

    /// Adds or replaces an external body: a rigid body of the engine that debris collides with. `key` is
    /// the host's name for it. From the next step on it takes part in the debris' physics while a
    /// breakable body is near.
    pub fn set_external_body(&mut self, key: u64, body: ExternalBody) -> Result<(), BodyError> {
        body.motion.check()?;
        body.desc.check()?;
        let owner = BodyRef::External(key);
        self.forget_pending(owner);
        let environment = &mut self.environment;
        self.structure
            .set_changed(environment.streaming.fixed_bounds(key));
        environment
            .streaming
            .set(key, body, &mut environment.occupancy);
        self.structure
            .set_changed(environment.streaming.fixed_bounds(key));
        Ok(())
    }

    /// Gives an intact body its colliders in the debris world.
    pub(crate) fn set_proxy(&mut self, body: BodyId, desc: &BodyDesc) -> Result<(), BodyError> {
        desc.check()?;
        if self.kind(body) != Some(BodyKind::Intact) {
            return Err(BodyError::Unknown);
        }
        self.remove_from_debris(body);
        self.set_local_bounds(body, desc.local_bounds());
        let motion = self.motion(body).ok_or(BodyError::Unknown)?;
        let world = self.debris.wait_mut();
        world.add_engine_body(BodyRef::Breakable(body), desc, &motion);
        let inserted = self.world.insert_one(body.0, Proxy);
        inserted.map_err(|_| BodyError::Unknown)?;
        self.update_contact_threshold(body);
        Ok(())
    }

    /// Gives a body another motion; a body at rest occupies only the cells of its current box.
    pub(crate) fn place(
        &mut self,
        body: BodyId,
        motion: Motion,
        is_at_rest: bool,
    ) -> Result<(), BodyError> {
        type Place<'a> = (&'a mut Motion, &'a mut CellOccupancy);
        let query = self.world.query_one_mut::<Place>(body.0);
        let (current, occupancy) = query.map_err(|_| BodyError::Unknown)?;
        *current = motion;
        occupancy.update(&mut self.environment.occupancy, &motion, is_at_rest);
        Ok(())
    }

    /// Gives a body another box in body space, for the cells that it occupies.
    pub(crate) fn set_local_bounds(&mut self, body: BodyId, local_bounds: Aabb) {
        type Place<'a> = (&'a Motion, &'a mut CellOccupancy);
        if let Ok((motion, occupancy)) = self.world.query_one_mut::<Place>(body.0) {
            let grid = &mut self.environment.occupancy;
            let mut new = CellOccupancy::new(local_bounds);
            new.update(grid, motion, false);
            occupancy.vacate(grid);
            *occupancy = new;
        }
    }

    /// Has the debris world report the collisions that a body feels, or that the host wants to hear of.
    pub(crate) fn update_contact_threshold(&mut self, body: BodyId) {
        let Ok(entity) = self.world.entity(body.0) else {
            return;
        };
        if !(entity.has::<Debris>() || entity.has::<Proxy>()) {
            return;
        }
        let reported = self.reported_impulse(least_felt_of_debris(entity));
        let world = self.debris.wait_mut();
        world.set_contact_event_threshold(body, reported);
    }

    /// The impulse from which on the debris world reports collisions of a body, N s, which feels none below another.
    pub(crate) fn reported_impulse(&self, least_felt: f32) -> f32 {
        least_felt.min(self.settings.report_contacts)
    }

    /// Removes a free piece, and reports it.
    pub(crate) fn remove_piece(&mut self, body: BodyId, reason: RemoveReason) {
        let motion = self.motion(body).unwrap_or_default();
        self.despawn(body);
        self.statistics.removed += 1;
        self.events.push(Event::Removed {
            body,
            reason,
            motion,
        });
    }

    /// Removes a body from the world and from everything that refers to it; the results of its job are
    /// dropped.
    pub(crate) fn despawn(&mut self, body: BodyId) -> bool {
        if let Ok(pending) = self.world.get::<&PendingBreak>(body.0) {
            pending.cancel.store(true, Ordering::Relaxed);
        }
        let owner = BodyRef::Breakable(body);
        self.forget_pending(owner);
        self.remove_from_debris(body);
        if self.world.satisfies::<&BodyBonds>(body.0) {
            self.structure.set_removed(self.statistics.frame);
        }
        self.structure.take_weld_ends(body);
        self.history.pieces.forget(body);
        self.world.despawn(body.0).is_ok()
    }

    /// Unit vector against gravity; zero without any.
    pub(crate) fn up(&self) -> glam::DVec3 {
        -self.settings.gravity.as_dvec3().normalize_or_zero()
    }

    /// Has the bonds of a body searched, if it is held at all.
    pub(crate) fn join_structure(&mut self, body: BodyId) {
        let Ok(anchors) = self
            .world
            .get::<&Anchors>(body.0)
            .map(|anchors| (*anchors).clone())
        else {
            return;
        };
        self.structure.is_used |= anchors.is_touching();
        self.structure.is_changed = true;
        if anchors.is_free() {
            let _ = self.world.remove_one::<BodyBonds>(body.0);
        } else {
            // The entity has anchors, so inserting cannot fail.
            let _ = self.world.insert_one(body.0, BodyBonds::default());
            self.structure.to_search.insert(body);
        }
        self.collect_forces_on(body);
    }

    /// Has the debris world collect the forces on held bodies, if they matter to this one.
    pub(crate) fn collect_forces_on(&mut self, body: BodyId) {
        if self.feels_loads(body) {
            self.debris.wait_mut().collects_forces = true;
        }
    }

    /// Removes a body's piece or proxy from the debris world.
    pub(crate) fn remove_from_debris(&mut self, body: BodyId) {
        let debris = self.world.remove_one::<Debris>(body.0);
        if let Ok(debris) = &debris {
            self.debris_budget.remove(body, debris);
        }
        let proxy = self.world.remove_one::<Proxy>(body.0);
        if debris.is_ok() || proxy.is_ok() {
            self.debris.wait_mut().remove(BodyRef::Breakable(body));
        }
        if let Ok(occupancy) = self.world.query_one_mut::<&mut CellOccupancy>(body.0) {
            occupancy.vacate(&mut self.environment.occupancy);
        }
    }

    /// Drops the build of colliders for a body, and the motion that was reported of it during a debris step.
    fn forget_pending(&mut self, owner: BodyRef) {
        self.environment.collider_builds.cancel(owner);
        self.debris.forget_pending_motion(owner);
    }
}
