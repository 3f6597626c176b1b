//! Other players of a scene: the role of this game, and the saves of others.

use crate::object::{ObjectId, Objects};
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

impl Players {
    /// Tells a new simulation of the others.
    pub fn prepare(&self, simulation: &mut Simulation) {
        simulation.set_role(self.role);
        simulation.set_foretold_limit(self.foretold_limit);
    }

    /// Keeps a save until its objects are intact. Of too many the oldest is dropped.
    pub fn keep(&mut self, save: Vec<u8>) {
        if self.saves.len() >= MAX_SAVES {
            self.saves.remove(0);
        }
        self.saves.push(save);
    }
}

/// The objects that are not as the authority has them, each with its id for others.
pub(crate) fn lost_objects(objects: &Objects, simulation: &Simulation) -> Vec<(u32, ObjectId)> {
    let lost = simulation.lost_objects();
    let object = |id| Some((id, objects.of_root(simulation.shared_body(id)?)?));
    lost.filter_map(object).collect()
}
