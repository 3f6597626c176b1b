//! The joints of welds in rapier's world.

use rapier3d::dynamics::{FixedJointBuilder, ImpulseJointHandle};

use super::external::BodyRef;
use super::joints::solved_alone;
use super::physics::Physics;
use super::welds::WeldEnd;
use crate::types::BodyId;

/// Distance between the ends of a weld from which on they are not joined any more, metres: one of its pieces came free
/// some frames before the other, and has gone its own way.
const MAX_DISTANCE: f32 = 0.02;

impl Physics {
    /// Inserts the joints of welds whose pieces are both there; rapier has removed those of bodies that were inserted
    /// anew.
    pub fn connect_welds(&mut self) {
        let mut welds = std::mem::take(&mut self.welds);
        let mut lost = Vec::new();
        for (id, weld) in welds.by_id.iter_mut() {
            let is_there = |handle: &ImpulseJointHandle| self.impulse_joints.contains(*handle);
            weld.handle = weld.handle.filter(is_there);
            if let Some(ends) = weld.both().filter(|_| weld.handle.is_none()) {
                match self.connect_weld(ends) {
                    Some(handle) => weld.handle = handle,
                    None => lost.push(*id),
                }
            }
        }
        self.welds = welds;
        self.remove_welds(&lost);
    }

    /// Joins two pieces as they are now: a joint would pull them together with a force. Nothing is joined between two that
    /// are frozen. `None` where they are apart.
    fn connect_weld(&mut self, ends: [(BodyId, WeldEnd); 2]) -> Option<Option<ImpulseJointHandle>> {
        let handles = ends.map(|(body, _)| self.handle(BodyRef::Breakable(body)));
        let [a, b] = [handles[0]?, handles[1]?];
        let [first, second] = [self.bodies.get(a)?, self.bodies.get(b)?];
        let [one, other] = ends.map(|(_, end)| end.frame);
        let place = *first.position() * one;
        let other = *second.position() * other;
        let distance = place.translation.distance(other.translation);
        if !distance.le(&MAX_DISTANCE) {
            return None;
        }
        if first.is_fixed() && second.is_fixed() {
            return Some(None);
        }
        let joint = FixedJointBuilder::new().contacts_enabled(false);
        let other = second.position().inverse() * place;
        let joint = joint.local_frame1(one).local_frame2(other).build();
        let joint = solved_alone(joint.into());
        Some(Some(self.impulse_joints.insert(a, b, joint, true)))
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
