//! Poses that kinematic bodies reach in the next step.

use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::math::Pose;

use super::physics::Physics;

/// Speed above which a kinematic body has been teleported, m/s: it pushes nothing on its way then.
const TELEPORT_SPEED: f32 = 200.0;

/// The way of a kinematic body in the next step.
#[derive(Clone, Copy)]
pub(super) struct Path {
    pub from: Pose,
    pub to: Pose,
}

/// Paths by body, sorted. Keeps its memory from step to step.
#[derive(Default)]
pub(super) struct KinematicTargets(Vec<(Key, Path)>);

type Key = (u32, u32);

impl KinematicTargets {
    /// Sets a body's path, in place of an older one.
    pub fn set(&mut self, body: RigidBodyHandle, path: Path) {
        let key = body.into_raw_parts();
        match self.find(key) {
            Ok(index) => {
                if let Some(target) = self.0.get_mut(index) {
                    target.1 = path;
                }
            }
            Err(index) => self.0.insert(index, (key, path)),
        }
    }

    /// Lets a body stay where it is.
    pub fn remove(&mut self, body: RigidBodyHandle) {
        if let Ok(index) = self.find(body.into_raw_parts()) {
            self.0.remove(index);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Has the next step of rapier move all bodies to a fraction of their paths.
    pub fn apply(&self, physics: &mut Physics, fraction: f32) {
        for ((index, generation), Path { from, to }) in &self.0 {
            let handle = RigidBodyHandle::from_raw_parts(*index, *generation);
            let Some(body) = physics.bodies.get_mut(handle) else {
                continue;
            };
            let pose = if fraction >= 1.0 {
                *to
            } else {
                from.lerp(to, fraction)
            };
            let distance = (to.translation - from.translation).length();
            if distance > TELEPORT_SPEED * physics.parameters.dt {
                body.set_position(*to, true);
            } else {
                body.set_next_kinematic_position(pose);
            }
        }
    }

    fn find(&self, key: Key) -> Result<usize, usize> {
        self.0.binary_search_by_key(&key, |(key, _)| *key)
    }
}
