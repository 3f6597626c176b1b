//! Where pieces are shown: between two steps, or beyond the last one. Looks alone; bodies know nothing
//! of it.

#[cfg(test)]
mod tests;

use glam::Quat;
use rapier3d::math::Pose;

use crate::debris::MovedPiece;
use crate::types::BodyId;

/// The pieces that moved in the last step that is known, and where they are shown.
#[derive(Default)]
pub(crate) struct RenderPoses {
    moved: Vec<MovedPiece>,
    poses: Vec<(BodyId, Pose)>,
    /// Where in time they are shown.
    lead: f32,
    /// Whether nobody has looked at the last step.
    new: bool,
}

impl RenderPoses {
    /// Forgets the last step; pieces that have not come to rest by now do not move any more.
    pub fn begin(&mut self) {
        self.moved.clear();
        self.new = true;
    }

    /// Adds a piece of a new step.
    pub fn add(&mut self, moved: MovedPiece) {
        self.moved.push(moved);
    }

    /// Pieces of the last step that is known that are not at rest.
    pub fn awake(&self) -> usize {
        self.moved.iter().filter(|moved| !moved.asleep).count()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.moved.clear();
        self.poses.clear();
    }

    /// Takes up where pieces are shown now.
    pub fn update(&mut self, (lead, span): (f32, f32)) {
        self.poses.clear();
        let changed = self.new || self.lead != lead;
        (self.new, self.lead) = (false, lead);
        if changed {
            let pose = |moved: &MovedPiece| (moved.body, moved.pose(lead, span));
            self.poses.extend(self.moved.iter().map(pose));
        }
    }

    /// The pieces that are shown elsewhere than in the last frame.
    pub fn poses(&self) -> &[(BodyId, Pose)] {
        &self.poses
    }
}

impl MovedPiece {
    /// Where it is `lead` seconds after the end of a step of `span` seconds, or before it.
    fn pose(&self, lead: f32, span: f32) -> Pose {
        if lead == 0.0 || self.asleep {
            return self.to.pose;
        }
        let to = self.to.pose.transform_point(self.center);
        let (center, rotation) = if lead > 0.0 {
            let turn = Quat::from_scaled_axis(self.to.angular * lead);
            (to + self.to.linear * lead, turn * self.to.pose.rotation)
        } else {
            let part = (-lead / span.max(1e-6)).min(1.0);
            let from = self.from.transform_point(self.center);
            let rotation = self.to.pose.rotation.slerp(self.from.rotation, part);
            (to.lerp(from, part), rotation)
        };
        let rotation = rotation.normalize();
        Pose::from_parts(center - rotation * self.center, rotation)
    }
}
