//! Pieces that have left the simulation and fade out.

use crate::swap;
use crate::{object::ObjectId, script::enums::Fading, swap::nodes::NodePool};
use fracture_simulation::{Motion, Pose};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, node::Node},
};
use rapier3d::math::{Rotation, Vec3};
use std::collections::VecDeque;

/// Pieces that fade out at once. When there are more, the oldest disappear.
const MAX_FADES: usize = 256;

/// Speed below which a fading piece lies still, m/s.
const MIN_SPEED: f32 = 0.1;

/// Smallest scale of a shrinking piece; zero would make its transform singular.
const MIN_SCALE: f32 = 1e-3;

/// A piece that fades out.
pub(crate) struct Fade {
    /// The object that it was a piece of.
    pub object: ObjectId,
    pub node: Handle<Node>,
    pub fading: Fading,
    pub motion: Motion,
    /// Centre of mass in its own space.
    pub center: Vec3,
    /// Longest side of the piece, metres: the distance by which it sinks.
    pub size: f32,
    /// Seconds until the piece has disappeared.
    pub duration: f32,
    /// Seconds since the beginning.
    pub elapsed: f32,
}

/// All fading pieces, oldest first.
#[derive(Default)]
pub(crate) struct Fades(VecDeque<Fade>);

impl Fades {
    /// Begins to fade a piece out.
    pub fn begin(&mut self, graph: &mut Graph, pool: &mut NodePool, fade: Fade) {
        if fade.fading == Fading::Vanish || !(fade.duration > 0.0 && fade.duration.is_finite()) {
            return pool.recycle(graph, fade.node);
        }
        if self.0.len() >= MAX_FADES {
            if let Some(oldest) = self.0.pop_front() {
                pool.recycle(graph, oldest.node);
            }
        }
        self.0.push_back(fade);
    }

    /// Advances all fades by `dt` seconds, and removes the pieces that have disappeared.
    pub fn update(&mut self, graph: &mut Graph, pool: &mut NodePool, dt: f32, gravity: Vec3) {
        if self.0.is_empty() || !(dt.is_finite() && dt > 0.0) {
            return;
        }
        self.0.retain_mut(|fade| {
            let visible = fade.advance(dt, gravity);
            if visible {
                fade.show(graph, gravity);
            } else {
                pool.recycle(graph, fade.node);
            }
            visible
        });
    }

    /// Removes the fading pieces of an object.
    pub fn remove_of(&mut self, graph: &mut Graph, pool: &mut NodePool, object: ObjectId) {
        self.0.retain(|fade| {
            let stays = fade.object != object;
            if !stays {
                pool.recycle(graph, fade.node);
            }
            stays
        });
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl Fade {
    /// Advances the fade; false when the piece has disappeared.
    fn advance(&mut self, dt: f32, gravity: Vec3) -> bool {
        self.elapsed += dt;
        // A piece in flight keeps flying.
        let motion = &mut self.motion;
        if motion.linear.length() > MIN_SPEED {
            motion.linear += gravity * dt;
            let center = motion.pose.transform_point(self.center) + motion.linear * dt;
            let turn = Rotation::from_scaled_axis(motion.angular * dt);
            let rotation = (turn * motion.pose.rotation).normalize();
            motion.pose = Pose::from_parts(center - rotation * self.center, rotation);
        }
        self.elapsed < self.duration && motion.pose.is_finite()
    }

    fn show(&self, graph: &mut Graph, gravity: Vec3) {
        let share = (self.elapsed / self.duration).clamp(0.0, 1.0);
        let mut pose = self.motion.pose;
        let scale = match self.fading {
            Fading::Sink => {
                pose.translation += gravity.normalize_or_zero() * self.size * share;
                1.0
            }
            _ => (1.0 - share).max(MIN_SCALE),
        };
        swap::move_scaled_piece(graph, self.node, &pose, self.center, scale);
    }
}
