//! Counters and times of a simulation.

/// Counters and times of a [`Simulation`](crate::Simulation). Results never depend on the times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Number of steps.
    pub frame: u64,
    /// Bodies that have not been broken.
    pub intact: usize,
    /// Anchored remainders.
    pub remainders: usize,
    /// Free pieces in the debris world.
    pub debris: usize,
    /// Triangles of all free pieces.
    pub triangles: u64,
    /// Free pieces that are not asleep.
    pub awake: usize,
    /// Free pieces that are frozen, because they have come to rest for good.
    pub frozen: usize,
    /// External bodies, near debris or not.
    pub external_bodies: usize,
    /// External bodies that are in the debris world, because a body is near.
    pub active_external_bodies: usize,
    /// Jobs queued or running.
    pub jobs: usize,
    /// Pieces whose colliders are still provisional ones.
    pub refinements: usize,
    /// Impacts that wait for a job of their body.
    pub waiting_impacts: usize,
    /// Breaks applied since the start.
    pub breaks: u64,
    /// Jobs that failed since the start.
    pub failures: u64,
    /// Impacts dropped since the start because a queue was full.
    pub dropped: u64,
    /// Collisions of debris since the start that would have broken a body, and were dropped because of
    /// [`Settings::chain_breaks`](crate::Settings::chain_breaks).
    pub chain_dropped: u64,
    /// Pieces since the start that were too small to be bodies.
    pub dust_particles: u64,
    /// Pieces removed since the start: over the budget, at the end of their lifetime, or outside the world.
    pub removed: u64,
    /// Results discarded since the start because their body had gone meanwhile.
    pub stale: u64,
    /// Hulls of free pieces' colliders since the start.
    pub hulls: u64,
    /// Hulls since the start that could not be computed and became boxes.
    pub boxed_hulls: u64,
    /// Fragments since the start whose hulls reach out of them by more than 1/50 of their size.
    pub loose_hulls: u64,
    /// Pieces with several hulls since the start that were clipped from hulls of the body, or from those of the
    /// intact body.
    pub clipped_pieces: u64,
    /// Stress solves since the start.
    pub stress_solves: u64,
    /// Collapses since the start; `breaks` counts them too.
    pub collapses: u64,
    /// Worker time of the last stress solve, ms.
    pub stress_ms: f32,
    /// Worker time since the start of the searches for bonds between bodies, and of the weighings of buildings, ms.
    pub structure_worker_ms: f32,
    /// Time of the last step on the calling thread for what holds what, ms.
    pub structure_ms: f32,
    /// Worker time of the last break, ms.
    pub worker_ms: f32,
    /// The longest worker time of a break so far, ms.
    pub worker_ms_max: f32,
    /// Frames since the start that did not wait for the debris step, which took longer than a frame.
    pub skipped_frames: u64,
    /// Time of the last debris step, ms, on whichever thread.
    pub physics_ms: f32,
    /// Physics steps of debris since the start; a long frame takes several. None is taken while all debris
    /// rests and nothing around it has changed.
    pub physics_steps: u64,
    /// True after the physics engine has panicked in a step; debris stands still from then on.
    pub physics_failed: bool,
    /// Time that pieces which came and went took in the last step, ms.
    pub changes_ms: f32,
    /// Time of the last step on the calling thread, ms, with the wait for results.
    pub step_ms: f32,
}
