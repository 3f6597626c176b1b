//! Poses at which pieces are drawn: interpolated between two steps, or extrapolated beyond the last one.
//! Only rendering uses them; the bodies' motions are those of the steps.

#[cfg(test)]
mod interpolation_tests;

use glam::Quat;
use rapier3d::math::Pose;

use super::clock::RenderTime;
use crate::debris::MovedPiece;
use crate::types::BodyId;

/// The pieces that moved in the last known step, and the poses at which they are drawn.
#[derive(Default)]
pub(super) struct RenderPoses {
    moved: Vec<MovedPiece>,
    poses: Vec<(BodyId, Pose)>,
    /// [`RenderTime::offset`] of the poses.
    offset: f32,
    /// Whether no poses of the last step have been computed.
    is_new_step: bool,
}

impl RenderPoses {
    /// Begins a new step; pieces of the last one that it does not add have come to rest.
    pub fn begin_step(&mut self) {
        self.moved.clear();
        self.is_new_step = true;
    }

    /// Adds a piece that moved in the new step.
    pub fn add(&mut self, moved: MovedPiece) {
        self.moved.push(moved);
    }

    /// Number of pieces of the last known step that are not at rest.
    pub fn awake(&self) -> usize {
        self.moved.iter().filter(|moved| !moved.asleep).count()
    }

    /// Computes the poses for a frame.
    pub fn update(&mut self, time: RenderTime) {
        self.poses.clear();
        let has_changed = self.is_new_step || self.offset != time.offset;
        (self.is_new_step, self.offset) = (false, time.offset);
        if has_changed {
            let pose = |moved: &MovedPiece| (moved.body, pose_at(moved, time));
            self.poses.extend(self.moved.iter().map(pose));
        }
    }

    /// The pieces that are drawn elsewhere than in the last frame.
    pub fn poses(&self) -> &[(BodyId, Pose)] {
        &self.poses
    }
}

/// A piece's pose at a time relative to the last known step: it turns about its centre of mass.
fn pose_at(moved: &MovedPiece, time: RenderTime) -> Pose {
    let offset = time.offset;
    if offset == 0.0 || moved.asleep {
        return moved.to.pose;
    }
    let to = moved.to.pose.transform_point(moved.center);
    let (center, rotation) = if offset > 0.0 {
        let turn = Quat::from_scaled_axis(moved.to.angular * offset);
        (to + moved.to.linear * offset, turn * moved.to.pose.rotation)
    } else {
        let fraction = (-offset / time.step.max(1e-6)).min(1.0);
        let from = moved.from.transform_point(moved.center);
        let rotation = moved.to.pose.rotation;
        let rotation = rotation.slerp(moved.from.rotation, fraction);
        (to.lerp(from, fraction), rotation)
    };
    let rotation = rotation.normalize();
    Pose::from_parts(center - rotation * moved.center, rotation)
}
