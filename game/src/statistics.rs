//! Numbers for a status line, a test or a report.

/// What a [`Destruction`](crate::Destruction) holds and what it cost. Times never reach results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Nodes that carry the script.
    pub objects: usize,
    /// Those that can break and are whole.
    pub intact: usize,
    /// Living pieces of affected cells.
    pub fragments: usize,
    /// Living connected parts of what was not affected.
    pub islands: usize,
    /// Free pieces that are not asleep.
    pub awake: usize,
    /// Free pieces that are fixed because they have come to rest for good.
    pub settled: usize,
    /// The engine's colliders, and bodies that it moves, that debris could meet.
    pub surroundings: usize,
    /// Those of them that debris is near, and physics therefore counts with.
    pub mirrored: usize,
    /// Triangles of all free pieces.
    pub triangles: u64,
    /// Meshes that each show many settled pieces.
    pub batches: usize,
    /// The pieces that they show.
    pub merged: usize,
    /// Pieces that are gone, and still seen leaving.
    pub fading: usize,
    /// Particles that may be seen.
    pub particles: usize,
    /// Pieces taken away since the start: too old, too many, or out of the world.
    pub removed: u64,
    /// Blows dropped since the start because too many came at once.
    pub dropped: u64,
    /// Breaks queued or running.
    pub jobs_pending: usize,
    /// Breaks applied since the start.
    pub breaks: u64,
    /// Those of them that were objects, or what remained of them, coming down under their own weight.
    pub collapses: u64,
    /// Times that a body's weight was looked at, since the start.
    pub weighed: u64,
    /// What the last such look took on the worker, ms.
    pub weigh_ms: f32,
    /// What the last break took on the worker, ms.
    pub worker_ms: f32,
    /// The longest break so far, ms.
    pub worker_ms_max: f32,
    /// What the last update took on the main thread, ms, debris physics included.
    pub main_ms: f32,
    /// The longest update so far, ms.
    pub main_ms_max: f32,
    /// What of the last update went into debris physics, ms.
    pub physics_ms: f32,
    /// Steps of debris physics since the start: none is taken while all debris rests and nothing around it
    /// has changed.
    pub physics_steps: u64,
    /// Blows of debris that would have broken something, dropped since the start because a frame may
    /// only break so much.
    pub chain_dropped: u64,
    /// Faults reported since the start.
    pub faults: usize,
}
