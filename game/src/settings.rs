//! What is fixed when destruction starts in a scene.

/// How a [`Destruction`](crate::Destruction) runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Worker threads that break objects, 1 to 64. Results do not depend on it.
    pub threads: usize,
    /// Whether each update first waits for every break ordered before it, so that a run is exactly
    /// repeatable. For tests; a game leaves it off and never waits.
    pub wait_for_results: bool,
    /// Free pieces that may exist at once; beyond it the oldest and smallest go.
    pub max_pieces: usize,
    /// Whether the worker checks that every piece is closed, for
    /// [`PieceInfo::closed`](crate::PieceInfo::closed).
    pub check_pieces: bool,
    /// Mixed into every object's own seed.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            wait_for_results: false,
            max_pieces: 1000,
            check_pieces: false,
            seed: 0,
        }
    }
}
