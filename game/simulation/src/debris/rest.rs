//! Piles come to rest: light chips wedged between heavy blocks would twitch for ever and keep a whole
//! pile awake.

use std::collections::BTreeMap;

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyActivation, RigidBodyHandle, RigidBodySet};
use rapier3d::geometry::ColliderSet;

use super::extent::{center, Extent};
use super::tag::is_piece;

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
struct Spot {
    center: Vec3,
    since: f32,
}

/// Brings pieces to rest.
#[derive(Default)]
pub(super) struct Rest {
    /// Of awake pieces.
    spots: BTreeMap<(u32, u32), Spot>,
}

impl Rest {
    /// Damps slow pieces, and lets stuck ones sleep; to be called before a step of `dt` seconds.
    pub fn calm(
        &mut self,
        awake: impl Iterator<Item = RigidBodyHandle>,
        bodies: &mut RigidBodySet,
        colliders: &ColliderSet,
        dt: f32,
    ) {
        for handle in awake {
            let Some(body) = bodies.get_mut(handle).filter(|body| body.is_dynamic()) else {
                continue;
            };
            if !is_piece(body) {
                // Its damping is the embedding layer's affair.
                let_sleep(body.activation_mut(), 1.0, false);
                continue;
            }
            let collider = body.colliders().first();
            let collider = collider.and_then(|&collider| colliders.get(collider));
            let radius = collider.map_or(1.0, |collider| Extent::of(collider).radius);
            let stuck = self.is_stuck(handle, center(body), radius, dt);
            damp(body, radius);
            let_sleep(body.activation_mut(), radius, stuck);
        }
    }

    /// Forgets a piece that is removed.
    pub fn forget(&mut self, handle: RigidBodyHandle) {
        self.spots.remove(&handle.into_raw_parts());
    }

    fn is_stuck(&mut self, handle: RigidBodyHandle, center: Vec3, radius: f32, dt: f32) -> bool {
        let start = || Spot { center, since: 0.0 };
        let spot = self.spots.entry(handle.into_raw_parts());
        let spot = spot.or_insert_with(start);
        spot.since += dt;
        let way = (STUCK.0 * radius).clamp(STUCK_WAY.0, STUCK_WAY.1);
        if spot.center.distance(center) > way {
            *spot = start();
        }
        spot.since > STUCK.1
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
