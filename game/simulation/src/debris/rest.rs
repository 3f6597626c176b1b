//! Piles come to rest: light chips wedged between heavy blocks would twitch for ever and keep a whole
//! pile awake.

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyActivation};

use super::extent::Extent;
use super::world::{center, DebrisWorld};

/// Below these speeds of its centre and of its surface about it, m/s, a piece is about to rest.
const SLOW: [f32; 2] = [0.15, 0.5];

/// Linear and angular damping of a piece that flies, 1/s.
pub(super) const FLYING: [f32; 2] = [0.02, 0.3];

/// The same for a piece that is about to rest. A piece that starts to fall is that slow for one
/// frame.
const SETTLING: [f32; 2] = [1.0, 8.0];

/// A piece that has not moved by this part of its radius for so long, seconds, is stuck.
const STUCK: (f32, f32) = (0.25, 2.0);

/// That way is within these bounds, metres.
const STUCK_WAY: (f32, f32) = (0.01, 0.05);

/// Below these speeds of its centre and of its surface about it, m/s, a piece that is not stuck and
/// one that is may fall asleep, after so many seconds.
const SLEEPY: [(f32, f32); 2] = [(0.4, 0.3), (1.0, 2.0)];
const SLEEP_AFTER: f32 = 1.0;

/// Where a piece is and since when, seconds.
pub(super) struct Spot {
    center: Vec3,
    since: f32,
}

impl DebrisWorld {
    /// Damps slow pieces, and lets stuck ones sleep.
    pub(super) fn calm(&mut self) {
        let dt = self.parameters.dt;
        for handle in self.islands.active_bodies() {
            let Some(body) = self.bodies.get_mut(handle).filter(|body| body.is_dynamic()) else {
                continue;
            };
            let center = center(body);
            let start = || Spot { center, since: 0.0 };
            let spot = self
                .spots
                .entry(handle.into_raw_parts())
                .or_insert_with(start);
            let collider = body.colliders().first();
            let collider = collider.and_then(|&collider| self.colliders.get(collider));
            let radius = collider.map_or(1.0, |collider| Extent::of(collider).radius);
            spot.since += dt;
            let way = (STUCK.0 * radius).clamp(STUCK_WAY.0, STUCK_WAY.1);
            if spot.center.distance(center) > way {
                *spot = start();
            }
            let stuck = spot.since > STUCK.1;
            damp(body, radius);
            let_sleep(body.activation_mut(), radius, stuck);
        }
    }
}

fn damp(body: &mut RigidBody, radius: f32) {
    let turning = body.angvel().length() * radius;
    let slow = body.linvel().length() < SLOW[0] && turning < SLOW[1];
    let [linear, angular] = if slow { SETTLING } else { FLYING };
    body.set_linear_damping(linear);
    body.set_angular_damping(angular);
}

/// A piece counts as resting by the speed of its surface: what a small one does is hardly seen.
fn let_sleep(activation: &mut RigidBodyActivation, radius: f32, stuck: bool) {
    let (linear, surface) = SLEEPY[usize::from(stuck)];
    activation.normalized_linear_threshold = linear;
    activation.angular_threshold = surface / radius.clamp(1e-3, 1.0);
    activation.time_until_sleep = SLEEP_AFTER;
}
