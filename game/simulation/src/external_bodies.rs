//! The embedding layer's own bodies among debris: mirrors, joints, and what is handed back.

use crate::debris::{BodyDesc, BodyRef, ExternalBody, JointDesc};
use crate::error::BodyError;
use crate::jobs::{BuildFunction, PendingColliders};
use crate::pieces::components::Proxy;
use crate::simulation::Simulation;
use crate::types::{BodyId, BodyKind, Motion};

/// Steps for which a body goes through what it has broken.
const PASSAGE: u32 = 30;

impl Simulation {
    /// Mirrors a rigid body of the engine, or replaces it; `key` is the caller's name for it. It takes
    /// part in the debris' physics from the next step on, while a body of the simulation is near.
    pub fn set_external_body(&mut self, key: u64, external: ExternalBody) -> Result<(), BodyError> {
        external.motion.check()?;
        external.desc.check()?;
        self.awaited.remove(&BodyRef::External(key));
        self.followed
            .retain(|(owner, _)| *owner != BodyRef::External(key));
        self.scenery.set(key, external, &mut self.places);
        Ok(())
    }

    /// The same for a body whose shapes take long to build, such as a level's triangle mesh: they are
    /// made on the worker, and take the place of an older mirror as soon as they are there. A
    /// function that returns `None` found nothing to bump into.
    pub fn build_external_body(
        &mut self,
        key: u64,
        motion: Motion,
        make: impl FnOnce() -> Option<BodyDesc> + Send + 'static,
    ) -> Result<(), BodyError> {
        motion.check()?;
        self.await_mirror(BodyRef::External(key), motion, Box::new(make));
        Ok(())
    }

    /// Makes the colliders of an intact body on the worker, in place of [`Body::mirror`](crate::Body::mirror).
    pub fn build_proxy(
        &mut self,
        body: BodyId,
        make: impl FnOnce() -> Option<BodyDesc> + Send + 'static,
    ) -> Result<(), BodyError> {
        let motion = self.motion(body).ok_or(BodyError::Unknown)?;
        self.await_mirror(BodyRef::Breakable(body), motion, Box::new(make));
        Ok(())
    }

    fn await_mirror(&mut self, owner: BodyRef, motion: Motion, make: BuildFunction) {
        self.versions += 1;
        let (version, make) = (self.versions, Some(make));
        let awaited = PendingColliders {
            motion,
            version,
            make,
        };
        self.awaited.insert(owner, awaited);
        self.unmade.push_back(owner);
    }

    /// Gives an intact body its colliders.
    pub(crate) fn set_proxy(&mut self, body: BodyId, desc: &BodyDesc) -> Result<(), BodyError> {
        desc.check()?;
        if self.kind(body) != Some(BodyKind::Intact) {
            return Err(BodyError::Unknown);
        }
        self.leave_debris(body);
        self.set_bounds(body, desc.local_bounds());
        let motion = self.motion(body).ok_or(BodyError::Unknown)?;
        let handle = self
            .debris
            .add_mirror(BodyRef::Breakable(body), desc, &motion);
        let inserted = self.world.insert_one(body.0, Proxy(handle));
        inserted.map_err(|_| BodyError::Unknown)?;
        self.update_contact_threshold(body);
        Ok(())
    }

    /// Tells where a surrounding is now; `false` when there is none or the motion is not finite.
    pub fn set_external_motion(&mut self, key: u64, motion: Motion) -> bool {
        let owner = BodyRef::External(key);
        if motion.check().is_err() {
            return false;
        }
        if let Some(awaited) = self.awaited.get_mut(&owner) {
            awaited.motion = motion;
        }
        let present = self.scenery.follow(key, motion);
        if present == Some(true) {
            self.follow(owner, motion);
        }
        present.is_some()
    }

    /// The keys of the surroundings that take part in the debris' physics because a body is near, from
    /// one on, in order: changes of these matter soon.
    pub fn active_external_bodies(&self, from: u64) -> impl Iterator<Item = u64> + '_ {
        self.scenery.present(from)
    }

    /// Takes a surrounding away; `false` when there is none.
    pub fn remove_external_body(&mut self, key: u64) -> bool {
        self.awaited.remove(&BodyRef::External(key));
        self.followed
            .retain(|(owner, _)| *owner != BodyRef::External(key));
        self.scenery.remove(key, &mut self.places)
    }

    /// Mirrors a joint between two mirrored bodies, or replaces it. It holds as soon as both are
    /// there.
    pub fn set_joint(&mut self, key: u64, joint: JointDesc) {
        self.scenery.pin(key, joint.bodies);
        self.debris.set_joint(key, joint);
    }

    /// Takes a joint away; `false` when there is none.
    pub fn remove_joint(&mut self, key: u64) -> bool {
        self.scenery.unpin(key);
        self.debris.remove_joint(key)
    }

    /// Lets what has broken a body, and has energy left, go through the pieces for half a second: the
    /// break has taken its share already, and the pieces are not to take it again.
    pub fn ignore_pieces(&mut self, striker: BodyRef, broken: BodyId) {
        let pieces = self.history.pieces.descendants(broken);
        self.debris.ignore_pairs_for(striker, &pieces, PASSAGE);
    }

    /// Bodies of the engine's physics ([`BodyType::Dynamic`](crate::BodyType::Dynamic)) that debris has touched in
    /// the last step, and their motion after it. The engine goes on from there: give each the pose
    /// and the velocities, in this frame.
    pub fn corrected_motions(&self) -> impl Iterator<Item = (BodyRef, Motion)> + '_ {
        self.handed.iter().copied()
    }
}
