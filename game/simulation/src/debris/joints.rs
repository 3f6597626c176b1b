//! Joints of the embedding layer, mirrored, so that what hangs on one resists debris.

use rapier3d::dynamics::ImpulseJointHandle;

use super::joint::{JointDesc, MirroredJoint};
use super::world::DebrisWorld;

impl DebrisWorld {
    /// Adds or replaces a joint.
    pub fn set_joint(&mut self, key: u64, joint: JointDesc) {
        self.remove_joint(key);
        let handle = None;
        self.joints.insert(key, MirroredJoint { joint, handle });
    }

    /// Takes a joint away.
    pub fn remove_joint(&mut self, key: u64) -> bool {
        let joint = self.joints.remove(&key);
        if let Some(handle) = joint.as_ref().and_then(|joint| joint.handle) {
            self.impulse_joints.remove(handle, true);
        }
        joint.is_some()
    }

    /// Makes the joints of bodies that have come, and forgets those of bodies that have gone.
    pub(super) fn tie(&mut self) {
        for joint in self.joints.values_mut() {
            let exists = |handle: &ImpulseJointHandle| self.impulse_joints.contains(*handle);
            joint.handle = joint.handle.filter(exists);
            if joint.handle.is_some() {
                continue;
            }
            let [a, b] = joint
                .joint
                .bodies
                .map(|end| self.mirrors.get(&end).copied());
            if let (Some(a), Some(b)) = (a, b) {
                let data = joint.joint.joint;
                // It wakes them: two that sleep the physics engine would join to one of which it does not
                // know whether it is awake, and panic.
                joint.handle = Some(self.impulse_joints.insert(a, b, data, true));
            }
        }
    }
}
