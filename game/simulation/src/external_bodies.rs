//! The engine's own bodies among debris: external bodies, proxies of intact bodies, joints, and corrected
//! motions.

use crate::debris::{BodyDesc, BodyRef, BrokenWay, ExternalBody, JointDesc};
use crate::error::BodyError;
use crate::pieces::components::{Debris, Proxy};
use crate::simulation::Simulation;
use crate::types::{BodyId, BodyKind, Motion};

impl Simulation {
    /// Adds or replaces an external body: a rigid body of the engine that debris collides with. `key` is
    /// the host's name for it. From the next step on it takes part in the debris' physics while a
    /// breakable body is near.
    pub fn set_external_body(&mut self, key: u64, body: ExternalBody) -> Result<(), BodyError> {
        body.motion.check()?;
        body.desc.check()?;
        let owner = BodyRef::External(key);
        self.environment.collider_builds.cancel(owner);
        self.debris.forget_pending_motion(owner);
        let environment = &mut self.environment;
        environment
            .streaming
            .set(key, body, &mut environment.occupancy);
        Ok(())
    }

    /// Adds or replaces an external body whose colliders take long to build, such as a level's triangle
    /// mesh: `build` is called on the worker, and an older body of the key stays until it is done. `None`
    /// leaves that as it is.
    pub fn build_external_body(
        &mut self,
        key: u64,
        motion: Motion,
        build: impl FnOnce() -> Option<BodyDesc> + Send + 'static,
    ) -> Result<(), BodyError> {
        motion.check()?;
        let builds = &mut self.environment.collider_builds;
        builds.request(BodyRef::External(key), motion, Box::new(build));
        Ok(())
    }

    /// Builds the colliders of an intact body on the worker, in place of
    /// [`Body::proxy`](crate::Body::proxy).
    pub fn build_proxy(
        &mut self,
        body: BodyId,
        build: impl FnOnce() -> Option<BodyDesc> + Send + 'static,
    ) -> Result<(), BodyError> {
        let motion = self.motion(body).ok_or(BodyError::Unknown)?;
        let builds = &mut self.environment.collider_builds;
        builds.request(BodyRef::Breakable(body), motion, Box::new(build));
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

    /// Reports the motion of an external body; `false` if there is none, or if the motion is not finite.
    pub fn set_external_motion(&mut self, key: u64, motion: Motion) -> bool {
        let owner = BodyRef::External(key);
        if motion.check().is_err() {
            return false;
        }
        self.environment.collider_builds.set_motion(owner, motion);
        let is_active = self.environment.streaming.set_motion(key, motion);
        if is_active == Some(true) {
            self.debris.set_motion(owner, motion);
        }
        is_active.is_some()
    }

    /// The keys of the external bodies near breakable ones, from one on, in order. Their changes matter
    /// soon, those of others can be reported later.
    pub fn active_external_bodies(&self, from: u64) -> impl Iterator<Item = u64> + '_ {
        self.environment.streaming.active_from(from)
    }

    /// Removes an external body; `false` if there is none.
    pub fn remove_external_body(&mut self, key: u64) -> bool {
        let owner = BodyRef::External(key);
        self.environment.collider_builds.cancel(owner);
        self.debris.forget_pending_motion(owner);
        let environment = &mut self.environment;
        environment
            .streaming
            .remove(key, &mut environment.occupancy)
    }

    /// Adds or replaces a joint between two bodies that the engine moves. It holds as soon as both are in
    /// the debris world. Waits for a running debris step.
    pub fn set_joint(&mut self, key: u64, joint: JointDesc) {
        self.environment.streaming.set_joint(key, joint.bodies);
        self.debris.wait_mut().set_joint(key, joint);
    }

    /// Removes a joint; `false` if there is none. Waits for a running debris step.
    pub fn remove_joint(&mut self, key: u64) -> bool {
        self.environment.streaming.remove_joint(key);
        self.debris.wait_mut().remove_joint(key)
    }

    /// Lets a striker that has broken a body, and has energy left, pass through some of its fragments: the
    /// break has taken its share already, and the fragments are not to take it again. Each is let through if it
    /// lies in the striker's way, and for as long as the two overlap. What is not a free piece stops the
    /// striker as ever, and so does a piece that was not cut in the way: one that reaches past the striker on
    /// two opposite sides, and out of the break's radius. Waits for a running debris step.
    pub fn let_through(&mut self, striker: BodyRef, fragments: &[BodyId], way: BrokenWay) {
        let is_free = |body: &&BodyId| self.world.satisfies::<&Debris>(body.0);
        let free: Vec<BodyId> = fragments.iter().filter(is_free).copied().collect();
        self.debris.wait_mut().let_through(striker, &free, way);
    }

    /// Bodies of the engine's physics ([`BodyType::Dynamic`](crate::external::BodyType::Dynamic)) that debris has
    /// touched in the last step, with their motions after it. Give each the pose and the velocities in
    /// this frame: the engine goes on from there.
    pub fn corrected_motions(&self) -> impl Iterator<Item = (BodyRef, Motion)> + '_ {
        self.debris.corrected_motions().iter().copied()
    }
}
