//! Joints of the engine, copied into the debris world, so that a body that hangs on one resists debris.

use std::collections::BTreeMap;

use rapier3d::dynamics::{GenericJoint, ImpulseJointHandle};

use super::external::BodyRef;
use super::idle::Tracked;
use super::physics::Physics;

/// A joint between two bodies that the engine moves.
#[derive(Clone, Copy, Debug)]
pub struct JointDesc {
    /// The bodies that it holds together.
    pub bodies: [BodyRef; 2],
    /// Frames in the bodies' spaces, locked axes, limits and motors.
    pub joint: GenericJoint,
}

/// A joint, and its handle while both its bodies are in the debris world.
struct LiveJoint {
    desc: JointDesc,
    handle: Option<ImpulseJointHandle>,
}

/// All joints, by the host's keys.
pub(super) struct Joints {
    by_key: Tracked<BTreeMap<u64, LiveJoint>>,
    /// Number of times that a joint has come or gone.
    changes: u64,
}

impl Default for Joints {
    fn default() -> Self {
        Self {
            by_key: Tracked::new(BTreeMap::new()),
            changes: 0,
        }
    }
}

impl Joints {
    /// Adds or replaces a joint; it holds from the next step on.
    pub fn set(&mut self, physics: &mut Physics, key: u64, desc: JointDesc) {
        self.remove(physics, key);
        self.by_key.insert(key, LiveJoint { desc, handle: None });
        self.changes += 1;
    }

    /// Removes a joint; `false` if there is none.
    pub fn remove(&mut self, physics: &mut Physics, key: u64) -> bool {
        let joint = self.by_key.remove(&key);
        if let Some(handle) = joint.as_ref().and_then(|joint| joint.handle) {
            physics.impulse_joints.remove(handle, true);
        }
        self.changes += u64::from(joint.is_some());
        joint.is_some()
    }

    /// Inserts the joints whose bodies have both arrived, and drops the handles of those whose bodies
    /// have left.
    pub fn connect(&mut self, physics: &mut Physics) {
        for joint in self.by_key.values_mut() {
            let exists = |handle: &ImpulseJointHandle| physics.impulse_joints.contains(*handle);
            joint.handle = joint.handle.filter(exists);
            if joint.handle.is_some() {
                continue;
            }
            let [a, b] = joint.desc.bodies.map(|body| physics.engine_body(body));
            if let (Some(a), Some(b)) = (a, b) {
                // Inserting wakes both: rapier panics when it joins two sleeping bodies whose islands it
                // does not know.
                let handle = physics.impulse_joints.insert(a, b, joint.desc.joint, true);
                joint.handle = Some(handle);
            }
        }
    }

    pub fn descs(&self) -> impl Iterator<Item = &JointDesc> {
        self.by_key.values().map(|joint| &joint.desc)
    }

    /// Number of times that a joint has come or gone.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether the joints may have changed since [`Joints::clear_dirty`].
    pub fn is_dirty(&self) -> bool {
        self.by_key.is_dirty()
    }

    pub fn clear_dirty(&mut self) {
        self.by_key.clear_dirty();
    }
}
