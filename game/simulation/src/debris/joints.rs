//! Joints of the engine, copied into the debris world, so that a body that hangs on one resists debris.

use std::collections::BTreeMap;

use rapier3d::dynamics::{GenericJoint, ImpulseJointHandle, JointAxesMask};

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
                let own = solved_alone(joint.desc.joint);
                let handle = physics.impulse_joints.insert(a, b, own, true);
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

/// A joint as it is, but never solved with three others at once: of those rapier 0.32 forgets where the centres of mass
/// are. It solves joints with limits one by one, and ignores limits of locked axes.
pub(super) fn solved_alone(mut joint: GenericJoint) -> GenericJoint {
    let locked = joint.locked_axes.bits();
    let lowest = locked & locked.wrapping_neg();
    joint.limit_axes |= JointAxesMask::from_bits_truncate(lowest);
    joint
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use rapier3d::dynamics::{
        MassProperties, RevoluteJointBuilder, RigidBodyBuilder, RigidBodyHandle,
    };

    use super::*;
    use crate::settings::Settings;

    /// Turns of doors about their hinges after half a second, radians. Each has its mass a metre from its hinge, which is
    /// level, and begins level: a pendulum.
    fn fallen(doors: u64, via_mirror: bool) -> Vec<f32> {
        let settings = Settings::default();
        let mut physics = Physics::new(&settings);
        physics.parameters.dt = 1.0 / 240.0;
        let joint: GenericJoint = RevoluteJointBuilder::new(Vec3::Z).build().into();
        let mut joints = Joints::default();
        let mut handles = Vec::new();
        for door in 0..doors {
            let place = Vec3::Z * (5.0 * door as f32);
            let [frame, own] = [2 * door, 2 * door + 1].map(BodyRef::External);
            let fixed = RigidBodyBuilder::fixed().user_data(frame.to_user_data());
            let hung = RigidBodyBuilder::dynamic().user_data(own.to_user_data());
            let hung = hung.additional_mass_properties(MassProperties::new(
                Vec3::X,
                20.0,
                Vec3::splat(0.1),
            ));
            let ends = [fixed, hung].map(|body| physics.insert(body.translation(place), &[]));
            handles.push(ends[1]);
            if via_mirror {
                let bodies = [frame, own];
                joints.set(&mut physics, door, JointDesc { bodies, joint });
            } else {
                physics.impulse_joints.insert(ends[0], ends[1], joint, true);
            }
        }
        joints.connect(&mut physics);
        for _ in 0..120 {
            physics.step(&(), &());
        }
        let way = |handle: RigidBodyHandle| *physics.bodies[handle].rotation() * Vec3::X;
        let turns = handles.into_iter().map(way);
        turns.map(|way: Vec3| (-way.y).atan2(way.x)).collect()
    }

    #[test]
    fn four_alike_joints_keep_the_centres_of_mass() {
        let alone = fallen(1, true)[0];
        // A pendulum that is let go level: `turn'' = (g / l) cos(turn) m l^2 / (m l^2 + I)`, 1.164 rad after 0.5 s.
        assert!((alone - 1.164).abs() < 0.03, "{alone}");
        for turn in fallen(4, true) {
            assert!((turn - alone).abs() < 0.01, "{turn} {alone}");
        }
        // Once rapier no longer forgets them, `solved_alone` can go. With `portable` it does not.
        if cfg!(feature = "portable") {
            return;
        }
        let forgotten = fallen(4, false);
        assert!(
            forgotten.iter().all(|turn| (turn - alone).abs() > 0.1),
            "{forgotten:?}"
        );
    }
}
