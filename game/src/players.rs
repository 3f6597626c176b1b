//! Other players of a scene: the role of this game, and the saves of others.

use crate::object::{ObjectId, Objects};
use fracture_simulation::{geometry::glam::Vec3, network::Role, Simulation};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};

/// Most saves that wait for their objects to be made anew.
const MAX_SAVES: usize = 64;

/// The state of a game among others.
pub(crate) struct Players {
    pub role: Role,
    /// J
    pub foretold_limit: f32,
    /// Most bytes in a second for the places of debris, and the places of the players, metres.
    pub debris_budget: (usize, Vec<Vec3>),
    /// Whether an object needs the authority's save.
    pub needs_save: bool,
    /// Saves to be taken when their objects are intact, oldest first.
    pub saves: Vec<Vec<u8>>,
    /// Rigid bodies of a client whose strikes it foretells.
    foretelling: Vec<Handle<Node>>,
}

impl Default for Players {
    fn default() -> Self {
        Self {
            role: Role::Alone,
            foretold_limit: f32::INFINITY,
            debris_budget: (0, Vec::new()),
            needs_save: false,
            saves: Vec::new(),
            foretelling: Vec::new(),
        }
    }
}

impl Players {
    /// Tells a new simulation of the others.
    pub fn prepare(&self, simulation: &mut Simulation) {
        simulation.set_role(self.role);
        simulation.set_foretold_limit(self.foretold_limit);
        let (bytes, players) = &self.debris_budget;
        simulation.set_debris_budget(*bytes, players.iter().copied());
    }

    /// Sets whether the strikes of a rigid body are foretold.
    pub fn set_foretelling(&mut self, body: Handle<Node>, foretelling: bool) {
        self.foretelling.retain(|known| *known != body);
        if foretelling {
            self.foretelling.push(body);
        }
    }

    /// Whether this is a client, and the strikes of a rigid body are its player's own.
    pub fn foretells(&self, body: Handle<Node>) -> bool {
        self.role == Role::Client && self.foretelling.contains(&body)
    }

    /// Forgets bodies that have been removed.
    pub fn forget_removed(&mut self, graph: &Graph) {
        self.foretelling.retain(|body| graph.is_valid_handle(*body));
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
