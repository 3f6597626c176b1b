//! How the debris world and the books learn of bodies that change or go.

use rapier3d::geometry::Aabb;

use crate::debris::BodyRef;
use crate::environment::CellOccupancy;
use crate::error::BodyError;
use crate::pieces::components::{Breakable, Debris, Generation, Pending, Proxy};
use crate::pieces::{BodyId, Motion};
use crate::simulation::Simulation;

impl Simulation {
    /// Tells the debris world where a mirrored body is, or keeps it until the world is back.
    pub(crate) fn follow(&mut self, owner: BodyRef, motion: Motion) {
        if self.debris.is_away() {
            self.followed.retain(|(known, _)| *known != owner);
            self.followed.push((owner, motion));
        } else {
            self.debris.follow(owner, motion);
        }
    }

    /// Says where a body is and how it moves, and whether it is to stay there.
    pub(crate) fn place(
        &mut self,
        body: BodyId,
        motion: Motion,
        rests: bool,
    ) -> Result<(), BodyError> {
        let query = self
            .world
            .query_one_mut::<(&mut Motion, &mut CellOccupancy)>(body.0);
        let (current, haunt) = query.map_err(|_| BodyError::Unknown)?;
        *current = motion;
        haunt.follow(&mut self.places, &motion, rests);
        Ok(())
    }

    /// Gives a body another shape, as far as its place goes.
    pub(crate) fn reshape(&mut self, body: BodyId, local: Aabb) {
        let query = self
            .world
            .query_one_mut::<(&Motion, &mut CellOccupancy)>(body.0);
        if let Ok((motion, haunt)) = query {
            let mut shaped = CellOccupancy::new(local);
            shaped.follow(&mut self.places, motion, false);
            haunt.leave(&mut self.places);
            *haunt = shaped;
        }
    }

    /// Takes one body out of everything; its job's result will find nobody.
    pub(crate) fn despawn(&mut self, body: BodyId) -> bool {
        if let Ok(pending) = self.world.get::<&Pending>(body.0) {
            pending
                .cancel
                .store(true, std::sync::atomic::Ordering::Relaxed);
        }
        self.awaited.remove(&BodyRef::Breakable(body));
        self.followed
            .retain(|(owner, _)| *owner != BodyRef::Breakable(body));
        self.leave_debris(body);
        self.history.pieces.forget(body);
        self.world.despawn(body.0).is_ok()
    }

    /// Has the debris world tell of blows that break a body, or are to be told of.
    pub(crate) fn listen(&mut self, body: BodyId) {
        type Parts<'a> = (
            &'a Breakable,
            &'a Generation,
            Option<&'a Debris>,
            Option<&'a Proxy>,
        );
        let Ok((breakable, generation, debris, proxy)) = self.world.query_one_mut::<Parts>(body.0)
        else {
            return;
        };
        let toughness = generation.toughness(&breakable.material, debris.is_some());
        let handle = debris
            .map(|debris| debris.handle)
            .or(proxy.map(|proxy| proxy.0));
        if let Some(handle) = handle {
            let least = toughness.min(self.settings.report_contacts);
            self.debris.listen(handle, least);
        }
    }

    /// Takes a body's piece or proxy out of the debris world.
    pub(crate) fn leave_debris(&mut self, body: BodyId) {
        let piece = self.world.remove_one::<Debris>(body.0);
        if let Ok(debris) = &piece {
            self.debris_budget.leave(body, debris);
        }
        let piece = piece.map(|debris| debris.handle);
        let proxy = self.world.remove_one::<Proxy>(body.0).map(|proxy| proxy.0);
        for handle in piece.into_iter().chain(proxy) {
            self.debris.remove(handle);
        }
        if let Ok(haunt) = self.world.query_one_mut::<&mut CellOccupancy>(body.0) {
            haunt.leave(&mut self.places);
        }
    }
}
