//! Pieces that have left the simulation and are still seen leaving.

use crate::swap;
use crate::{mirror::transforms::vec3, script::enums::Fading, swap::nodes::NodePool};
use fracture_simulation::{Motion, Pose};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::{graph::Graph, node::Node},
};
use rapier3d::math::{Rotation, Vec3};
use std::collections::VecDeque;

/// Pieces that are seen leaving at once; the first ones are gone then.
const MOST: usize = 256;

/// Slower than this a piece lies still, m/s.
const STILL: f32 = 0.1;

/// The least part of its size that a piece is drawn with.
const SMALLEST: f32 = 1e-3;

/// A piece on its way out.
pub(crate) struct Fade {
    pub node: Handle<Node>,
    pub how: Fading,
    pub motion: Motion,
    /// Centre of mass in its own space.
    pub center: Vec3,
    /// How far it has to go to be out of sight, metres.
    pub size: f32,
    /// Seconds that it takes.
    pub time: f32,
    pub passed: f32,
}

/// All of them, oldest first.
#[derive(Default)]
pub(crate) struct Fades(VecDeque<Fade>);

impl Fades {
    /// Has a piece leave.
    pub fn begin(&mut self, graph: &mut Graph, spares: &mut NodePool, fade: Fade) {
        if fade.how == Fading::Vanish || !(fade.time > 0.0 && fade.time.is_finite()) {
            return spares.hide(graph, fade.node);
        }
        if self.0.len() >= MOST {
            let first = self.0.pop_front();
            first
                .into_iter()
                .for_each(|first| spares.hide(graph, first.node));
        }
        self.0.push_back(fade);
    }

    /// Moves all on by `dt` seconds, and takes away what is gone.
    pub fn update(
        &mut self,
        graph: &mut Graph,
        spares: &mut NodePool,
        (dt, gravity): (f32, Vector3<f32>),
    ) {
        if self.0.is_empty() || !(dt.is_finite() && dt > 0.0) {
            return;
        }
        let gravity = vec3(gravity);
        self.0.retain_mut(|fade| {
            let stays = fade.advance(dt, gravity);
            match stays {
                true => fade.show(graph, gravity),
                false => spares.hide(graph, fade.node),
            }
            stays
        });
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl Fade {
    /// Whether it is still to be seen.
    fn advance(&mut self, dt: f32, gravity: Vec3) -> bool {
        self.passed += dt;
        // What was in the air flies on.
        let motion = &mut self.motion;
        if motion.linear.length() > STILL {
            motion.linear += gravity * dt;
            let center = motion.pose.transform_point(self.center) + motion.linear * dt;
            let turn = Rotation::from_scaled_axis(motion.angular * dt);
            let rotation = (turn * motion.pose.rotation).normalize();
            motion.pose = Pose::from_parts(center - rotation * self.center, rotation);
        }
        self.passed < self.time && motion.pose.is_finite()
    }

    fn show(&self, graph: &mut Graph, gravity: Vec3) {
        let part = (self.passed / self.time).clamp(0.0, 1.0);
        let mut pose = self.motion.pose;
        let scale = match self.how {
            Fading::Sink => {
                pose.translation += gravity.normalize_or_zero() * self.size * part;
                1.0
            }
            _ => (1.0 - part).max(SMALLEST),
        };
        swap::move_shrunk(graph, self.node, &pose, (self.center, scale));
    }
}
