//! Changes of a body that other parts of the simulation have to learn of: motion, shape, removal.

use std::sync::atomic::Ordering;

use rapier3d::geometry::Aabb;

use crate::debris::BodyRef;
use crate::environment::CellOccupancy;
use crate::error::BodyError;
use crate::event::{Event, RemoveReason};
use crate::impacts::least_threshold;
use crate::pieces::components::{Debris, PendingBreak, Proxy};
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

impl Simulation {
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
        self.environment.collider_builds.cancel(owner);
        self.debris.forget_pending_motion(owner);
        self.remove_from_debris(body);
        self.history.pieces.forget(body);
        self.world.despawn(body.0).is_ok()
    }

    /// Has the debris world report the collisions that break a body, or that the host wants to hear of.
    pub(crate) fn update_contact_threshold(&mut self, body: BodyId) {
        let Ok(entity) = self.world.entity(body.0) else {
            return;
        };
        if !(entity.has::<Debris>() || entity.has::<Proxy>()) {
            return;
        }
        let breaking = least_threshold(entity).unwrap_or(f32::INFINITY);
        let threshold = breaking.min(self.settings.report_contacts);
        let world = self.debris.wait_mut();
        world.set_contact_event_threshold(body, threshold);
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
}
