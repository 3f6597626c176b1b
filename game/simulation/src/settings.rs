//! What is fixed when a simulation starts.

use glam::Vec3;

/// How a [`Simulation`](crate::Simulation) runs. Values out of range are clamped, see each field.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Worker threads that break bodies, 1 to 64. Results do not depend on it.
    pub threads: usize,
    /// Whether a step first waits for every job of the steps before, so that a run is exactly
    /// repeatable. For tests and lockstep; a game leaves it off and never waits.
    pub wait_for_results: bool,
    /// Threads that step the debris in frames that wait for it, 1 to 64: those in which bodies of the
    /// engine are among it. Beside frames one thread does, and ahead of them while that is enough
    /// ([`Simulation::begin_next_step`](crate::Simulation::begin_next_step)). The physics engine merges contacts in the
    /// order in which its threads find them, so that only 1 is exactly repeatable; with
    /// `wait_for_results` it is always 1.
    pub physics_threads: usize,
    /// Whether debris is stepped on a thread of its own while the frame goes on, as long as no body
    /// of the engine is among it. Then it is drawn where it was a frame ago. Never with
    /// `wait_for_results`.
    pub overlap: bool,
    /// Jobs that may be queued or running at once, at least 1. Further hits are dropped and counted.
    pub queue_capacity: usize,
    /// Hits that may wait for a body that is being broken already, per body.
    pub waiting_impacts: usize,
    /// Free pieces that may exist at once; beyond it the oldest, and among those the smallest, go.
    pub max_pieces: usize,
    /// Triangles that free pieces may have together; beyond it the same go.
    pub max_triangles: u64,
    /// How long a piece has to sleep until it is fixed in its place, seconds: then it costs nothing,
    /// until something pushes it hard or takes its support away. Infinite fixes none.
    pub freeze_after: f32,
    /// Acceleration of the debris, m/s^2.
    pub gravity: Vec3,
    /// Coulomb friction of debris and surroundings.
    pub friction: f32,
    /// Bounciness of debris, 0 to 1.
    pub restitution: f32,
    /// Fastest speed that a push may give a body as a whole, and a piece apart from the others, m/s: a
    /// heavy hit on a small splinter must not shoot it through walls.
    pub max_push_speed: f32,
    /// Bodies that collisions of debris may break in one step; the blows with the least energy beyond
    /// it are dropped and counted ([`Statistics::chain_dropped`](crate::Statistics::chain_dropped)).
    pub chain_breaks: usize,
    /// Collisions of debris that exchange at least this impulse, N s, are told of as
    /// [`Event::Collision`](crate::Event::Collision), the hardest 32 of a step; infinite is none.
    pub report_contacts: f32,
    /// Whether the worker checks that every piece is closed ([`NewPiece::closed`](crate::NewPiece::closed)).
    pub check_pieces: bool,
    /// Mixed into every body's own seed.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            wait_for_results: false,
            physics_threads: 2,
            overlap: true,
            queue_capacity: 64,
            waiting_impacts: 8,
            max_pieces: 1000,
            max_triangles: 2_000_000,
            freeze_after: 1.0,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            friction: 0.6,
            restitution: 0.0,
            max_push_speed: 30.0,
            chain_breaks: 8,
            report_contacts: f32::INFINITY,
            check_pieces: false,
            seed: 0,
        }
    }
}

impl Settings {
    /// Whether debris may take steps while frames go on.
    pub(crate) fn goes_on_beside(&self) -> bool {
        self.overlap && !self.wait_for_results
    }

    /// The same settings with every value inside its range.
    pub(crate) fn clamped(mut self) -> Self {
        self.threads = self.threads.clamp(1, 64);
        self.physics_threads = match self.wait_for_results {
            true => 1,
            false => self.physics_threads.clamp(1, 64),
        };
        self.queue_capacity = self.queue_capacity.clamp(1, 1 << 16);
        let default = Self::default();
        if !self.gravity.is_finite() {
            self.gravity = default.gravity;
        }
        if self.freeze_after.is_nan() || self.freeze_after < 0.0 {
            self.freeze_after = default.freeze_after;
        }
        self.friction = within(self.friction, 0.0, 10.0, default.friction);
        self.restitution = within(self.restitution, 0.0, 1.0, default.restitution);
        if self.report_contacts.is_nan() {
            self.report_contacts = default.report_contacts;
        }
        self.max_push_speed = within(self.max_push_speed, 0.0, 1e4, default.max_push_speed);
        self
    }
}

/// `value` clamped, or `default` when it is not a number.
fn within(value: f32, low: f32, high: f32, default: f32) -> f32 {
    if value.is_nan() {
        return default;
    }
    value.clamp(low, high)
}
