//! Sleep tuning of pieces: light chips wedged between heavy blocks would twitch for ever and keep a whole
//! pile awake.

use std::collections::BTreeSet;

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyActivation, RigidBodyHandle};

use super::bodies::Damping;
use super::physics::Physics;
use super::tunnelling::{set_soft_ccd, MovingPiece};
use super::user_data::{center_of_mass, is_piece, Extent};

/// Speeds of a piece's centre and of its surface about it, m/s.
#[derive(Clone, Copy)]
struct Speeds {
    center: f32,
    surface: f32,
}

/// Speeds below which a piece is about to rest. A piece that starts to fall is that slow for one frame.
const SLOW: Speeds = Speeds {
    center: 0.15,
    surface: 0.5,
};

/// Damping of a slow piece.
const SLOW_DAMPING: Damping = Damping {
    linear: 1.0,
    angular: 8.0,
};

/// Damping of a jittering piece.
const JITTER_DAMPING: Damping = Damping {
    linear: 6.0,
    angular: 30.0,
};

/// Time after which a body that stays within [`STUCK_RADIUS`] is stuck, seconds.
const STUCK_TIME: f32 = 2.0;

const STUCK_RADIUS: WindowRadius = WindowRadius {
    factor: 0.25,
    min: 0.01,
    max: 0.05,
};

/// Time after which a piece that stays within [`JITTER_RADIUS`] is jittering on the spot, seconds. In a
/// heap of hundreds some piece always does, and none sleeps before all do.
const JITTER_TIME: f32 = 3.0;

const JITTER_RADIUS: WindowRadius = WindowRadius {
    factor: 1.0,
    min: 0.03,
    max: 0.15,
};

/// Time after which a stuck piece may be frozen, seconds: in a field of thousands that touch each other
/// some piece always stirs, and would keep all of them awake for ever.
const FREEZABLE_TIME: f32 = 4.0;

/// Speeds below which a moving piece may fall asleep.
const SLEEP_SPEEDS: Speeds = Speeds {
    center: 0.4,
    surface: 0.5,
};

/// Speeds below which a stuck or jittering piece may fall asleep.
const STUCK_SLEEP_SPEEDS: Speeds = Speeds {
    center: 1.0,
    surface: 2.0,
};

/// Time below these speeds after which a body falls asleep, seconds.
const TIME_UNTIL_SLEEP: f32 = 1.0;

/// Radius of a [`PositionWindow`]: a multiple of the body's radius within bounds, metres.
struct WindowRadius {
    factor: f32,
    min: f32,
    max: f32,
}

impl WindowRadius {
    fn of_body(&self, radius: f32) -> f32 {
        (self.factor * radius).clamp(self.min, self.max)
    }
}

/// The place that a body has not left, and for how long, seconds.
#[derive(Clone, Copy)]
struct PositionWindow {
    center: Vec3,
    duration: f32,
    /// How long it had been at the place that it was at before.
    before: f32,
}

impl PositionWindow {
    fn new(center: Vec3) -> Self {
        Self {
            center,
            duration: 0.0,
            before: 0.0,
        }
    }

    /// Adds `dt`, and starts a new window if the body has left this one.
    fn update(&mut self, center: Vec3, radius: f32, dt: f32) {
        self.duration += dt;
        if self.center.distance(center) > radius {
            *self = Self {
                before: self.duration,
                ..Self::new(center)
            };
        }
    }

    /// How long the body has been in this window or in the one before, whichever is longer: what creeps goes from window to
    /// window.
    fn longest(&self) -> f32 {
        self.duration.max(self.before)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum RestState {
    Moving,
    Stuck,
    Jittering,
}

/// Windows of one body.
#[derive(Clone, Copy)]
struct RestWindows {
    /// Generation of the handle: an index is used again for other bodies.
    generation: u32,
    stuck: PositionWindow,
    jitter: PositionWindow,
}

impl RestWindows {
    fn new(generation: u32, center: Vec3) -> Self {
        let window = PositionWindow::new(center);
        Self {
            generation,
            stuck: window,
            jitter: window,
        }
    }
}

/// Damping and sleep thresholds of pieces, by how they have moved.
#[derive(Default)]
pub(super) struct SleepTuning {
    /// By index in rapier's arena of bodies.
    windows: Vec<Option<RestWindows>>,
    /// Awake pieces that have been stuck for so long that they may be frozen, as of the last step.
    pub freezable: Vec<RigidBodyHandle>,
}

impl SleepTuning {
    /// Sets damping and sleep thresholds of all awake bodies before a step.
    pub fn update(&mut self, physics: &mut Physics) {
        self.freezable.clear();
        let dt = physics.parameters.dt;
        for handle in physics.islands.active_bodies() {
            let body = physics.bodies.get_mut(handle);
            let Some(body) = body.filter(|body| body.is_dynamic()) else {
                continue;
            };
            let collider = body.colliders().first();
            let collider = collider.and_then(|&collider| physics.colliders.get(collider));
            let radius = collider.map_or(1.0, |c| Extent::from_user_data(c).radius);
            let (state, stuck_time) = self.rest_state(handle, center_of_mass(body), radius, dt);
            if !is_piece(body) {
                // Its damping is the engine's affair.
                set_sleep_thresholds(body.activation_mut(), 1.0, RestState::Moving);
                continue;
            }
            if stuck_time > FREEZABLE_TIME {
                self.freezable.push(handle);
            }
            set_damping(body, radius, state);
            set_soft_ccd(body);
            set_sleep_thresholds(body.activation_mut(), radius, state);
        }
    }

    /// Whether a body has not left the place on which it is, rolling or twitching, for as long as a piece has to be stuck
    /// until it may be frozen.
    pub fn has_stayed(&self, handle: RigidBodyHandle) -> bool {
        let (index, generation) = handle.into_raw_parts();
        let windows = self.windows.get(index as usize).copied().flatten();
        let own = windows.filter(|windows| windows.generation == generation);
        own.is_some_and(|windows| windows.jitter.longest() > FREEZABLE_TIME)
    }

    /// How a body rests, and for how long it has been stuck, seconds.
    fn rest_state(
        &mut self,
        handle: RigidBodyHandle,
        center: Vec3,
        radius: f32,
        dt: f32,
    ) -> (RestState, f32) {
        let (index, generation) = handle.into_raw_parts();
        let index = index as usize;
        if self.windows.len() <= index {
            self.windows.resize(index + 1, None);
        }
        let Some(slot) = self.windows.get_mut(index) else {
            return (RestState::Moving, 0.0);
        };
        let known = slot.filter(|windows| windows.generation == generation);
        let windows = slot.insert(known.unwrap_or(RestWindows::new(generation, center)));
        let stuck = STUCK_RADIUS.of_body(radius);
        windows.stuck.update(center, stuck, dt);
        let jitter = JITTER_RADIUS.of_body(radius);
        windows.jitter.update(center, jitter, dt);
        let state = if windows.jitter.longest() > JITTER_TIME {
            RestState::Jittering
        } else if windows.stuck.duration > STUCK_TIME {
            RestState::Stuck
        } else {
            RestState::Moving
        };
        (state, windows.stuck.duration)
    }
}

fn set_damping(body: &mut RigidBody, radius: f32, state: RestState) {
    let surface = body.angvel().length() * radius;
    let is_slow = body.linvel().length() < SLOW.center && surface < SLOW.surface;
    let damping = if state == RestState::Jittering {
        JITTER_DAMPING
    } else if is_slow {
        SLOW_DAMPING
    } else {
        Damping::FLYING
    };
    body.set_linear_damping(damping.linear);
    body.set_angular_damping(damping.angular);
}

/// Wakes pieces that have fallen asleep in the air, alone or together, of those that were awake before the step: what
/// begins to fall is slow for some frames.
pub(super) fn wake_falling(physics: &mut Physics, moving: &[MovingPiece]) {
    let asleep = moving.iter().map(|piece| piece.handle).filter(|handle| {
        let body = physics.bodies.get(*handle);
        body.is_some_and(RigidBody::is_sleeping)
    });
    let asleep: Vec<RigidBodyHandle> = asleep.collect();
    if asleep.is_empty() || physics.gravity == Vec3::ZERO {
        return; // the common case
    }
    // A heap falls asleep as a whole: what one of its pieces touches besides is what it lies on.
    let mut floating: BTreeSet<_> = asleep.iter().map(|body| body.into_raw_parts()).collect();
    let mut carried = asleep.clone();
    carried.retain(|piece| {
        let stays =
            |other: RigidBodyHandle, _: &RigidBody| !floating.contains(&other.into_raw_parts());
        physics.neighbours(*piece, stays).next().is_some()
    });
    while let Some(piece) = carried.pop() {
        if floating.remove(&piece.into_raw_parts()) {
            let floats =
                |other: RigidBodyHandle, _: &RigidBody| floating.contains(&other.into_raw_parts());
            carried.extend(physics.neighbours(piece, floats));
        }
    }
    for handle in asleep {
        let floats = floating.contains(&handle.into_raw_parts());
        if let Some(body) = physics.bodies.get_mut(handle).filter(|_| floats) {
            body.wake_up(true);
        }
    }
}

/// Sets the speeds below which a body falls asleep. That of its surface counts and not its angular
/// velocity: the motion of a small piece is hardly seen.
fn set_sleep_thresholds(activation: &mut RigidBodyActivation, radius: f32, state: RestState) {
    let speeds = if state == RestState::Moving {
        SLEEP_SPEEDS
    } else {
        STUCK_SLEEP_SPEEDS
    };
    activation.normalized_linear_threshold = speeds.center;
    activation.angular_threshold = speeds.surface / radius.clamp(1e-3, 1.0);
    activation.time_until_sleep = TIME_UNTIL_SLEEP;
}
