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
    /// Triangles that free pieces may have together; beyond it the same go.
    pub max_triangles: u64,
    /// How long a free piece has to sleep until it is fixed in its place, seconds: then it costs
    /// nothing, until something pushes it hard or takes its support away. Infinite fixes none.
    pub settle_after: f32,
    /// How long a piece has to be fixed until it is drawn together with others near it, seconds: up
    /// to 128 pieces within 4 m by one mesh node. Each stays a piece that can be struck, and has a node
    /// of its own again when it is. Infinite merges none.
    pub merge_after: f32,
    /// Particles at once; see [`Destructible::crumb_size`](crate::Destructible::crumb_size).
    pub max_particles: usize,
    /// Collisions of pieces that exchange at least this impulse, N s, are told of as
    /// [`Event::Contact`](crate::Event::Contact), the hardest 32 of a frame; infinite is none.
    pub report_contacts: f32,
    /// Whether scripts are told of events. The engine warns in its log of each message that no script has
    /// subscribed to; a game that asks for [`Destruction::events`](crate::Destruction::events) instead
    /// turns it off.
    pub send_events_to_scripts: bool,
    /// Objects and pieces that falling debris may break in one frame; blows with less energy beyond
    /// it are dropped and counted.
    pub chain_breaks: usize,
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
            max_triangles: 2_000_000,
            merge_after: 2.0,
            max_particles: 1000,
            settle_after: 1.0,
            report_contacts: f32::INFINITY,
            send_events_to_scripts: true,
            chain_breaks: 8,
            check_pieces: false,
            seed: 0,
        }
    }
}
