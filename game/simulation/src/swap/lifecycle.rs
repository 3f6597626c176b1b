//! Changes of a body that other parts of the simulation have to learn of: motion, shape, removal.

use std::sync::atomic::Ordering;

use rapier3d::geometry::Aabb;

use crate::debris::BodyRef;
use crate::environment::CellOccupancy;
use crate::error::BodyError;
use crate::pieces::components::{Breakable, Debris, Generation, PendingBreak, Proxy};
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

impl Simulation {
    /// Passes the motion of a mirrored body to the debris world, or queues it while the world is stepping.
    pub(crate) fn follow(&mut self, owner: BodyRef, motion: Motion) {
        if self.debris.is_away() {
            self.followed.retain(|(known, _)| *known != owner);
            self.followed.push((owner, motion));
        } else {
            self.debris.follow(owner, motion);
        }
    }

    /// Sets the motion of a body; `rests` says whether it is to stay there.
    pub(crate) fn place(
        &mut self,
        body: BodyId,
        motion: Motion,
        rests: bool,
    ) -> Result<(), BodyError> {
        let query = self
            .world
            .query_one_mut::<(&mut Motion, &mut CellOccupancy)>(body.0);
        let (current, occupancy) = query.map_err(|_| BodyError::Unknown)?;
        *current = motion;
        occupancy.follow(&mut self.places, &motion, rests);
        Ok(())
    }

    /// Sets the bounds of a body, in body space.
    pub(crate) fn set_bounds(&mut self, body: BodyId, local_bounds: Aabb) {
        let query = self
            .world
            .query_one_mut::<(&Motion, &mut CellOccupancy)>(body.0);
        if let Ok((motion, occupancy)) = query {
            let mut new = CellOccupancy::new(local_bounds);
            new.follow(&mut self.places, motion, false);
            occupancy.leave(&mut self.places);
            *occupancy = new;
        }
    }

    /// Removes one body from all parts of the simulation; the result of its job will be dropped.
    pub(crate) fn despawn(&mut self, body: BodyId) -> bool {
        if let Ok(pending) = self.world.get::<&PendingBreak>(body.0) {
            pending.cancel.store(true, Ordering::Relaxed);
        }
        self.awaited.remove(&BodyRef::Breakable(body));
        self.followed
            .retain(|(owner, _)| *owner != BodyRef::Breakable(body));
        self.leave_debris(body);
        self.history.pieces.forget(body);
        self.world.despawn(body.0).is_ok()
    }

    /// Sets the impulse from which on the debris world reports collisions of a body: those that break it or
    /// are to be reported as events.
    pub(crate) fn update_contact_threshold(&mut self, body: BodyId) {
        type Query<'a> = (
            &'a Breakable,
            &'a Generation,
            Option<&'a Debris>,
            Option<&'a Proxy>,
        );
        let Ok((breakable, generation, debris, proxy)) = self.world.query_one_mut::<Query>(body.0)
        else {
            return;
        };
        let material = &breakable.asset.material;
        let breaking = generation.breaking_impulse(material, debris.is_some());
        let handle = debris
            .map(|debris| debris.handle)
            .or(proxy.map(|proxy| proxy.0));
        if let Some(handle) = handle {
            let threshold = breaking.min(self.settings.report_contacts);
            self.debris.listen(handle, threshold);
        }
    }

    /// Removes a body's piece or proxy from the debris world.
    pub(crate) fn leave_debris(&mut self, body: BodyId) {
        let piece = self.world.remove_one::<Debris>(body.0);
        if let Ok(debris) = &piece {
            self.debris_budget.remove(body, debris);
        }
        let piece = piece.map(|debris| debris.handle);
        let proxy = self.world.remove_one::<Proxy>(body.0).map(|proxy| proxy.0);
        for handle in piece.into_iter().chain(proxy) {
            self.debris.remove(handle);
        }
        if let Ok(occupancy) = self.world.query_one_mut::<&mut CellOccupancy>(body.0) {
            occupancy.leave(&mut self.places);
        }
    }
}
