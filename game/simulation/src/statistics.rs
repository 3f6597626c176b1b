//! Counters for a status line, a test or a report.

/// What a [`Simulation`](crate::Simulation) holds and what it cost. Times never influence results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Steps taken.
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
    /// Free pieces that are fixed because they have come to rest for good.
    pub settled: usize,
    /// Mirrored bodies of the embedding layer, near debris or not.
    pub external_bodies: usize,
    /// Those of them that are in the debris world, because a body is near.
    pub active_external_bodies: usize,
    /// Jobs queued or running.
    pub jobs: usize,
    /// Hits that wait for a job of their body.
    pub waiting_impacts: usize,
    /// Breaks applied since the start.
    pub breaks: u64,
    /// Jobs that failed since the start.
    pub failures: u64,
    /// Hits dropped since the start because a queue was full.
    pub dropped: u64,
    /// Blows of debris that would have broken something, dropped since the start because a step may
    /// only break so much.
    pub chain_dropped: u64,
    /// Pieces since the start that were too small to be bodies.
    pub dust_particles: u64,
    /// Pieces taken away since the start to stay within the budget, because their lifetime had passed,
    /// or because they left the world.
    pub removed: u64,
    /// Results thrown away since the start because their body had gone meanwhile.
    pub stale: u64,
    /// Hulls since the start that free pieces are collided with.
    pub hulls: u64,
    /// Hulls since the start that could not be built and became boxes.
    pub boxed_hulls: u64,
    /// Fragments since the start whose hulls reach out by more than a fiftieth of their size.
    pub loose_hulls: u64,
    /// Pieces since the start whose hulls are parts of a convex decomposition of their body, or mostly those of the
    /// whole, of those that need several.
    pub clipped_pieces: u64,
    /// Passes over what bodies bear of their own weight, since the start.
    pub stress_solves: u64,
    /// Bodies that came apart under their own weight, since the start; `breaks` has them too.
    pub collapses: u64,
    /// Worker time of the last such pass, ms.
    pub stress_ms: f32,
    /// Worker time of the last break that was applied, ms.
    pub worker_ms: f32,
    /// The longest worker time of a break so far, ms.
    pub worker_ms_max: f32,
    /// Frames since the start that did not wait for the debris' step, which took longer than a frame.
    pub skipped_frames: u64,
    /// Time of the last debris physics step, ms, on whichever thread.
    pub physics_ms: f32,
    /// Steps of the debris' physics since the start; a long frame takes several. None is taken while all
    /// debris rests and nothing around it has changed.
    pub physics_steps: u64,
    /// Whether the physics engine has panicked in a step; debris stands still from then on.
    pub physics_failed: bool,
    /// Time of the last whole step on the calling thread, ms, waiting for results included.
    pub step_ms: f32,
}
