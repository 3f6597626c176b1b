//! Other players of a scene: the role of this game, and the saves of others.

use fracture_simulation::{network::Role, Simulation};

/// Most saves that wait for their objects to be made anew.
const MAX_SAVES: usize = 64;

/// The state of a game among others.
pub(crate) struct Players {
    pub role: Role,
    /// J
    pub foretold_limit: f32,
    /// Whether an object needs the authority's save.
    pub needs_save: bool,
    /// Saves to be taken when their objects are intact, oldest first.
    pub saves: Vec<Vec<u8>>,
}

impl Default for Players {
    fn default() -> Self {
        Self {
            role: Role::Alone,
            foretold_limit: f32::INFINITY,
            needs_save: false,
            saves: Vec::new(),
        }
    }
}

/// Tells a new simulation of the others.
pub(crate) fn prepare(players: &Players, simulation: &mut Simulation) {
    simulation.set_role(players.role);
    simulation.set_foretold_limit(players.foretold_limit);
}

impl Players {
    /// Keeps a save until its objects are intact. Of too many the oldest is dropped.
    pub fn keep(&mut self, save: Vec<u8>) {
        if self.saves.len() >= MAX_SAVES {
            self.saves.remove(0);
        }
        self.saves.push(save);
    }
}
