//! Settings of a simulation.

use glam::Vec3;

use crate::platform;

/// Settings of a [`Simulation`](crate::Simulation). A value out of its range is clamped.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Number of worker threads that break bodies, 0 to 64: several bodies at once, and one large body together.
    /// By default as many as the machine has cores, less one for the frame where there are more than two, and 8 at
    /// most. With 0 there are no threads at all: [`Simulation::step`](crate::Simulation::step) does their work, in
    /// parts ([`Settings::job_ms`]), and steps the debris. That is the default where threads cannot be had, as in a
    /// browser. Elsewhere the thread that steps becomes a rayon pool of one thread, for good: the physics engine would
    /// start others. Results do not depend on it.
    pub threads: usize,
    /// Time that breaks and other jobs may take in a step where there are no threads, ms, above 0; infinite: no limit.
    /// A job is left when it is over, and gone on with in the next step. A part of a job that cannot be left may take
    /// longer. Does not apply with `wait_for_results`.
    pub job_ms: f32,
    /// Whether a step first waits for all jobs of the steps before, so that a run is exactly repeatable. This is
    /// for tests and lockstep; a game leaves it off and never waits.
    pub wait_for_results: bool,
    /// Number of threads that step the debris in frames that wait for the step, 1 to 64: those in which bodies
    /// of the engine are near debris. A step beside frames takes one thread, and so does a step ahead of its
    /// frame ([`Simulation::begin_next_step`](crate::Simulation::begin_next_step)) while one is fast enough. The
    /// physics engine merges contacts in the order in which its threads find them, so only 1 is exactly
    /// repeatable; with `wait_for_results` it is always 1, and so it is without worker threads.
    pub physics_threads: usize,
    /// Whether debris is stepped on a thread of its own while the frame goes on, as long as no body of the engine
    /// is near it. Debris is then drawn a frame late. Never with `wait_for_results`, nor without worker threads.
    pub overlap: bool,
    /// Number of jobs that may be queued or running at once, at least 1. More impacts are dropped and counted.
    pub queue_capacity: usize,
    /// Number of impacts that may wait for a body that is being broken already.
    pub waiting_impacts: usize,
    /// Number of free pieces that may exist at once. When there are more, pieces are removed: first those that
    /// no viewer sees ([`Simulation::set_viewers`](crate::Simulation::set_viewers)), of these the ones that
    /// look smallest, and resting ones before moving ones of four times their size. No break is refused.
    pub max_pieces: usize,
    /// Number of triangles that all free pieces may have together. When there are more, the same pieces are
    /// removed.
    pub max_triangles: u64,
    /// Longest side from which on a piece is never removed for the sake of these limits, metres. Where only such
    /// pieces are left, there are more than the limits say.
    pub keep_size: f32,
    /// Time that a piece has to sleep until it is frozen, seconds; infinite to freeze none. A frozen piece costs
    /// nothing, until something pushes it hard or takes its support away.
    pub freeze_after: f32,
    /// Acceleration of the debris, m/s^2.
    pub gravity: Vec3,
    /// Coulomb friction of debris, external bodies and loose bonds that have none of their own.
    pub friction: f32,
    /// Restitution of debris and external bodies that have none of their own, 0 to 1.
    pub restitution: f32,
    /// Highest speed that an impact may give a body as a whole, and a piece relative to the others, m/s. It keeps
    /// a heavy impact from shooting a small splinter through walls.
    pub max_push_speed: f32,
    /// Number of bodies that collisions of debris may break in one step, and of large pieces that may tear where they
    /// land. Beyond it the collisions of least energy are dropped, counted ([`Statistics::chain_dropped`](crate::Statistics::chain_dropped)) and told.
    pub chain_breaks: usize,
    /// Impulse from which on collisions of debris are reported ([`Event::Collision`](crate::Event::Collision)),
    /// N s; the 32 strongest of a step. Infinite to report none.
    pub report_contacts: f32,
    /// Whether the worker checks that every piece is closed ([`NewPiece::closed`](crate::NewPiece::closed)).
    pub check_pieces: bool,
    /// A seed that is mixed into the seed of every body.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: platform::default_threads(),
            job_ms: 2.0,
            wait_for_results: false,
            physics_threads: 2,
            overlap: true,
            queue_capacity: 64,
            waiting_impacts: 8,
            max_pieces: 1000,
            max_triangles: 2_000_000,
            keep_size: 1.0,
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
    /// Whether debris steps may be taken beside the frames and ahead of them.
    pub(crate) fn overlaps_frames(&self) -> bool {
        self.overlap && !self.wait_for_results && self.threads > 0
    }

    /// Clamps every value to its range.
    pub(crate) fn clamped(mut self) -> Self {
        self.threads = self.threads.min(64);
        self.physics_threads = if self.wait_for_results || self.threads == 0 {
            1
        } else {
            self.physics_threads.clamp(1, 64)
        };
        self.queue_capacity = self.queue_capacity.clamp(1, 1 << 16);
        let default = Self::default();
        if self.job_ms.is_nan() || self.job_ms <= 0.0 {
            self.job_ms = default.job_ms;
        }
        if !self.gravity.is_finite() {
            self.gravity = default.gravity;
        }
        if self.freeze_after.is_nan() || self.freeze_after < 0.0 {
            self.freeze_after = default.freeze_after;
        }
        self.keep_size = clamp_or(self.keep_size, 0.0, f32::INFINITY, default.keep_size);
        self.friction = clamp_or(self.friction, 0.0, 10.0, default.friction);
        self.restitution = clamp_or(self.restitution, 0.0, 1.0, default.restitution);
        if self.report_contacts.is_nan() {
            self.report_contacts = default.report_contacts;
        }
        self.max_push_speed = clamp_or(self.max_push_speed, 0.0, 1e4, default.max_push_speed);
        self
    }
}

/// Clamps a value; gives `default` for NaN.
fn clamp_or(value: f32, low: f32, high: f32, default: f32) -> f32 {
    if value.is_nan() {
        return default;
    }
    value.clamp(low, high)
}
