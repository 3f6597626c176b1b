//! Piles come to rest: light chips wedged between heavy blocks would twitch for ever and keep a whole
//! pile awake.

use std::collections::BTreeMap;

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyActivation, RigidBodyHandle, RigidBodySet};
use rapier3d::geometry::ColliderSet;

use super::extent::{center, Extent};
use super::soft_ccd::look_ahead;
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

/// A piece that has been stuck for so long, seconds, is still: in a field of thousands that touch each
/// other some piece always stirs, and would keep all of them awake for ever.
const STILL: f32 = 4.0;

/// Below these speeds of its centre and of its surface about it, m/s, a piece that is not stuck and
/// one that is may fall asleep, after so many seconds.
const SLEEPY: [(f32, f32); 2] = [(0.4, 0.5), (1.0, 2.0)];
const SLEEP_AFTER: f32 = 1.0;

/// A piece that has not moved by so many times its radius, within bounds in metres, for so long,
/// seconds, is weary: it hops on the spot. In a heap of hundreds some piece always does, and none
/// sleeps before all do.
const WEARY: (f32, f32) = (1.0, 3.0);
const WEARY_WAY: (f32, f32) = (0.03, 0.15);

/// Linear and angular damping of a weary piece, 1/s.
const CALMED: [f32; 2] = [6.0, 30.0];

/// Where a piece is and since when, seconds.
#[derive(Clone, Copy)]
struct PositionWindow {
    center: Vec3,
    since: f32,
}

impl PositionWindow {
    fn new(center: Vec3) -> Self {
        Self { center, since: 0.0 }
    }

    /// How long a piece has been within some way of its spot; it gets a new one when it has left.
    fn stay(&mut self, center: Vec3, way: f32, dt: f32) -> f32 {
        self.since += dt;
        if self.center.distance(center) > way {
            *self = Self::new(center);
        }
        self.since
    }
}

/// How a piece lies.
#[derive(Clone, Copy, PartialEq)]
enum RestState {
    Moving,
    Stuck,
    Weary,
}

/// Brings pieces to rest.
#[derive(Default)]
pub(super) struct SleepTuning {
    /// Of awake pieces.
    spots: BTreeMap<(u32, u32), [PositionWindow; 2]>,
    /// Pieces that have been stuck for long, though others keep their heap awake.
    pub still: Vec<RigidBodyHandle>,
}

impl SleepTuning {
    /// Damps slow pieces, and lets stuck ones sleep; to be called before a step of `dt` seconds.
    pub fn calm(
        &mut self,
        awake: impl Iterator<Item = RigidBodyHandle>,
        bodies: &mut RigidBodySet,
        colliders: &ColliderSet,
        dt: f32,
    ) {
        self.still.clear();
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
            let (lie, stuck) = self.lie(handle, center(body), radius, dt);
            if stuck > STILL {
                self.still.push(handle);
            }
            damp(body, radius, lie);
            look_ahead(body);
            let_sleep(body.activation_mut(), radius, lie != RestState::Moving);
        }
    }

    /// Forgets a piece that is removed.
    pub fn forget(&mut self, handle: RigidBodyHandle) {
        self.spots.remove(&handle.into_raw_parts());
    }

    /// How a piece lies, and since when it is stuck, seconds.
    fn lie(
        &mut self,
        handle: RigidBodyHandle,
        center: Vec3,
        radius: f32,
        dt: f32,
    ) -> (RestState, f32) {
        let spots = self.spots.entry(handle.into_raw_parts());
        let [near, far] = spots.or_insert([PositionWindow::new(center); 2]);
        let way = |part: f32, bounds: (f32, f32)| (part * radius).clamp(bounds.0, bounds.1);
        let stuck = near.stay(center, way(STUCK.0, STUCK_WAY), dt);
        let weary = far.stay(center, way(WEARY.0, WEARY_WAY), dt);
        let lie = match (weary > WEARY.1, stuck > STUCK.1) {
            (true, _) => RestState::Weary,
            (_, true) => RestState::Stuck,
            _ => RestState::Moving,
        };
        (lie, stuck)
    }
}

fn damp(body: &mut RigidBody, radius: f32, lie: RestState) {
    let turning = body.angvel().length() * radius;
    let slow = body.linvel().length() < SLOW[0] && turning < SLOW[1];
    let [linear, angular] = match (lie, slow) {
        (RestState::Weary, _) => CALMED,
        (_, true) => SETTLING,
        _ => FLYING,
    };
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
