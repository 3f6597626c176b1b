//! Counts and times, for a status line, a test or a report.

/// Counts and times of a [`Destruction`](crate::Destruction). Results do not depend on times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Nodes with the script [`Destructible`](crate::Destructible).
    pub objects: usize,
    /// Objects that can break and are intact.
    pub intact: usize,
    /// Pieces of affected cells.
    pub fragments: usize,
    /// Connected pieces of the unaffected cells.
    pub islands: usize,
    /// Free pieces that are not asleep.
    pub awake: usize,
    /// Frozen pieces: fixed in their places after a time of sleep.
    pub settled: usize,
    /// Mirrored colliders and dynamic bodies of the engine.
    pub surroundings: usize,
    /// Mirrored colliders and bodies near debris, which its physics includes.
    pub mirrored: usize,
    /// Triangles of all free pieces.
    pub triangles: u64,
    /// Mesh nodes that each show a batch of frozen pieces.
    pub batches: usize,
    /// Pieces shown by these nodes.
    pub merged: usize,
    /// Sounds of [`BreakSounds`](crate::BreakSounds) that have begun since the start.
    pub sounds: usize,
    /// Removed pieces that are fading out.
    pub fading: usize,
    /// Dust particles.
    pub particles: usize,
    /// Pieces removed since the start: too old, too many, or out of the world.
    pub removed: u64,
    /// Impacts dropped since the start because there were too many at once.
    pub dropped: u64,
    /// Breaks queued or being computed.
    pub jobs_pending: usize,
    /// Breaks applied since the start.
    pub breaks: u64,
    /// Those of the breaks that were collapses of an object, or its remainder, under its own weight.
    pub collapses: u64,
    /// Stress solves since the start.
    pub weighed: u64,
    /// Time of the last stress solve on the worker, ms.
    pub weigh_ms: f32,
    /// Time of the last break on the worker, ms.
    pub worker_ms: f32,
    /// Time of the longest break so far, ms.
    pub worker_ms_max: f32,
    /// Time of the last update on the main thread, ms, debris physics included.
    pub main_ms: f32,
    /// Time of the longest update so far, ms.
    pub main_ms_max: f32,
    /// Time of debris physics in the last update, ms.
    pub physics_ms: f32,
    /// Steps of debris physics since the start. A step is skipped while all debris rests and nothing around
    /// it has changed.
    pub physics_steps: u64,
    /// Impacts of debris dropped since the start because of the limit
    /// [`Settings::chain_breaks`](crate::Settings::chain_breaks).
    pub chain_dropped: u64,
    /// Results of preparation that were read from [cooked](crate::Cooking) files instead of computed.
    pub cooked: u64,
    /// Faults reported since the start.
    pub faults: usize,
}
