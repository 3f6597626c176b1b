//! The joints of welds in rapier's world.

use rapier3d::dynamics::{
    GenericJoint, GenericJointBuilder, ImpulseJointHandle, JointAxesMask, JointAxis, MotorModel,
    RigidBody,
};
use rapier3d::math::Pose;

use super::external::BodyRef;
use super::joints::solved_alone;
use super::physics::Physics;
use super::welds::{Weld, WeldEnd};
use crate::types::BodyId;

/// Distance between the ends of a weld from which on they are not joined any more, metres: one of its pieces came free
/// some frames before the other, and has gone its own way.
const MAX_DISTANCE: f32 = 0.02;

/// How far bars bend about each axis, radians.
const MAX_BEND: f32 = 1.4;

/// How fast bars turn that almost bend, radians per second: so slowly that it is not seen.
const CREEP: f32 = 1e-6;

/// Relative speed from which on pieces that are joined turn about their bars, radians per second.
const TURNS: f32 = 0.05;

/// Substeps for which bars bend at least.
const MIN_BENDING: u32 = 15;

impl Physics {
    /// Inserts the joints of welds whose pieces are both there; rapier has removed those of bodies that were inserted
    /// anew.
    pub fn connect_welds(&mut self) {
        let mut welds = std::mem::take(&mut self.welds);
        let (mut lost, mut new) = (Vec::new(), Vec::new());
        for (id, weld) in welds.by_id.iter_mut() {
            let is_there = |handle: &ImpulseJointHandle| self.impulse_joints.contains(*handle);
            weld.handle = weld.handle.filter(is_there);
            if let Some(ends) = weld.both().filter(|_| weld.handle.is_none()) {
                match self.connect_weld(ends) {
                    Some(handle) => weld.handle = handle,
                    None => lost.push(*id),
                }
                new.push(*id);
            }
        }
        self.welds = welds;
        self.remove_welds(&lost);
        self.hang(&new);
    }

    /// Has the bars of new joints bend where their pieces turn about each other; of others that is found out in the next
    /// step.
    fn hang(&mut self, ids: &[u64]) {
        for id in ids {
            self.welds.bending.remove(id);
            let joint = self.welds.by_id.get(id).and_then(Weld::joint);
            let Some((handle, _)) = joint.filter(|(_, [end, _])| end.bends) else {
                continue;
            };
            if self.turns(handle) {
                self.bend_welds(&[*id]);
            } else {
                self.welds.hung.insert(*id);
            }
        }
    }

    /// Joins two pieces as they are now: a joint would pull them together with a force. Nothing is joined between two that
    /// are frozen. `None` where they are apart.
    fn connect_weld(&mut self, ends: [(BodyId, WeldEnd); 2]) -> Option<Option<ImpulseJointHandle>> {
        let handles = ends.map(|(body, _)| self.handle(BodyRef::Breakable(body)));
        let [a, b] = [handles[0]?, handles[1]?];
        let [first, second] = [self.bodies.get(a)?, self.bodies.get(b)?];
        let [one, other] = ends.map(|(_, end)| end);
        let place = *first.position() * one.frame;
        let second_place = *second.position() * other.frame;
        let distance = place.translation.distance(second_place.translation);
        if !distance.le(&MAX_DISTANCE) {
            return None;
        }
        if first.is_fixed() && second.is_fixed() {
            return Some(None);
        }
        let joint = weld_joint(&[one, other], [first, second], false);
        Some(Some(self.impulse_joints.insert(a, b, joint, true)))
    }

    /// Has the bars of welds bend.
    pub fn bend_welds(&mut self, ids: &[u64]) {
        for id in ids {
            let joint = self.welds.by_id.get(id).and_then(Weld::joint);
            if let Some((handle, ends)) = joint.filter(|_| !self.welds.bending.contains_key(id)) {
                self.set_joint(handle, &ends, true);
                self.welds.bending.insert(*id, 0);
            }
        }
    }

    /// Ends the bending of bars about which nothing turns any more.
    pub fn end_bending(&mut self) {
        let mut bending = std::mem::take(&mut self.welds.bending);
        bending.retain(|id, substeps| {
            *substeps += 1;
            let joint = self.welds.by_id.get(id).and_then(Weld::joint);
            let Some((handle, ends)) = joint else {
                return false;
            };
            let goes_on = self.turns(handle) || *substeps < MIN_BENDING;
            if !goes_on {
                self.set_joint(handle, &ends, false);
            }
            goes_on
        });
        self.welds.bending = bending;
    }

    /// Whether the two bodies of a joint turn about each other.
    fn turns(&self, joint: ImpulseJointHandle) -> bool {
        let spins = self
            .bodies_of(joint)
            .map(|bodies| bodies.map(RigidBody::angvel));
        spins.is_some_and(|[one, other]| one.distance(other) > TURNS)
    }

    fn bodies_of(&self, joint: ImpulseJointHandle) -> Option<[&RigidBody; 2]> {
        let joint = self.impulse_joints.get(joint)?;
        Some([self.bodies.get(joint.body1)?, self.bodies.get(joint.body2)?])
    }

    /// Replaces a joint by one that holds its pieces as they are now, and bends or not.
    fn set_joint(&mut self, handle: ImpulseJointHandle, ends: &[WeldEnd; 2], bends: bool) {
        let bodies = self.bodies_of(handle);
        let joint = bodies.map(|bodies| weld_joint(ends, bodies, bends));
        if let (Some(new), Some(old)) = (joint, self.impulse_joints.get_mut(handle, true)) {
            old.data = new;
        }
    }

    /// Removes welds; their pieces are two bodies from now on.
    pub fn remove_welds(&mut self, ids: &[u64]) {
        for id in ids {
            let Some(weld) = self.welds.by_id.remove(id) else {
                continue;
            };
            if let Some(handle) = weld.handle {
                self.impulse_joints.remove(handle, true);
            }
            for (body, _) in weld.ends.into_iter().flatten() {
                if let Some(ids) = self.welds.of_body.get_mut(&body) {
                    ids.remove(id);
                }
                let handle = self.handle(BodyRef::Breakable(body));
                self.welds.parted.extend(handle);
            }
        }
    }
}

/// A joint of a weld that holds two bodies as they are now.
fn weld_joint(ends: &[WeldEnd; 2], bodies: [&RigidBody; 2], bends: bool) -> GenericJoint {
    let [first, second] = ends;
    let [one, other] = bodies.map(RigidBody::position);
    let now = other.inverse() * (*one * first.frame);
    let joint = if bends {
        // The angles by which they have bent begin where both pieces were one.
        let frame = Pose::from_parts(now.translation, second.frame.rotation);
        bending_joint(first).local_frame2(frame)
    } else {
        GenericJointBuilder::new(JointAxesMask::LOCKED_FIXED_AXES).local_frame2(now)
    };
    let joint = joint.local_frame1(first.frame).contacts_enabled(false);
    solved_alone(joint.build())
}

/// A joint that turns where the moment about an axis is more than bars bear, and stays as it is then.
fn bending_joint(end: &WeldEnd) -> GenericJointBuilder {
    let axes = [JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ].into_iter();
    let joint = GenericJointBuilder::new(JointAxesMask::LIN_AXES);
    axes.zip(end.bending_moments())
        .fold(joint, |joint, (axis, moment)| {
            joint
                .motor_model(axis, MotorModel::ForceBased)
                .motor_velocity(axis, 0.0, moment / CREEP)
                .motor_max_force(axis, moment)
                .limits(axis, [-MAX_BEND, MAX_BEND])
        })
}
