//! Several players: what a game does with the messages of others, and what it tells them.

use crate::{
    destruction::Destruction,
    fault::MODULE,
    impacts::{
        impact::Impact,
        queue::{validate, ImpactError, ImpactTarget},
        targets::target_at,
    },
    players,
};
use fracture_simulation::network::{Message, NetworkStatistics, Role};
use fyrox::{core::pool::Handle, scene::node::Node};

impl Destruction {
    /// Sets who decides what breaks: this game alone, as at first; this game, for others too; or another game. All
    /// games load the same scene with the same [`Settings::seed`](crate::Settings::seed). Objects know each other by
    /// name, and objects of one name by their order in the scene.
    ///
    /// A client breaks nothing of itself. A client that becomes the authority, because that has left, goes on from what
    /// it has.
    pub fn set_role(&mut self, role: Role) {
        self.players.role = role;
        if let Some(simulation) = &mut self.simulation {
            simulation.set_role(role);
        }
    }

    /// The messages since the last call: those of an authority are for all clients, those of a client for the
    /// authority. Send them as they are, in datagrams; any may be lost, doubled or late. A blow has 40 bytes.
    pub fn drain_messages(&mut self) -> Vec<Message> {
        let simulation = self.simulation.as_mut();
        simulation.map_or_else(Vec::new, |simulation| simulation.drain_messages().collect())
    }

    /// Takes a message of another game, and gives the answers to its sender. One that cannot be taken is dropped and
    /// counted, and is a fault, told once.
    pub fn receive(&mut self, message: &[u8]) -> Vec<Message> {
        let Some(simulation) = &mut self.simulation else {
            return Vec::new(); // it comes again
        };
        match simulation.receive(message) {
            Ok(answers) => answers,
            Err(error) => {
                self.faults.report_once(MODULE, error);
                Vec::new()
            }
        }
    }

    /// What a game needs that joins late, or that asks with [`Destruction::needs_join_save`]: about 50 bytes a break and
    /// 30 a piece. Send it so that it arrives.
    pub fn join_save(&self) -> Vec<u8> {
        let simulation = self.simulation.as_ref();
        simulation.map_or_else(Vec::new, |simulation| simulation.join_save())
    }

    /// Brings a client to the state of the authority's [`Destruction::join_save`] in the next update, or as soon as all
    /// objects are loaded: those that have not broken here, and those that are not as the authority has them.
    pub fn join(&mut self, save: Vec<u8>) {
        players::take_save(self, save);
    }

    /// Whether an object of this client is not as the authority has it, so that it needs the authority's
    /// [`Destruction::join_save`].
    pub fn needs_join_save(&self) -> bool {
        self.players.needs_save
    }

    /// Strikes an object or piece as a client, at once: it breaks here as it is going to, and the authority is asked to
    /// take the blow. If it does not, the blow is taken back. Returns whether anything breaks here before the authority
    /// has said so: not while an earlier blow on the object has not been confirmed, and not the first of an object that
    /// is held by touch. As an authority, or alone, it is [`Destruction::impact`].
    ///
    /// # Errors
    /// [`ImpactError`] as for [`Destruction::impact`].
    pub fn foretell(&mut self, node: Handle<Node>, impact: Impact) -> Result<bool, ImpactError> {
        if self.players.role != Role::Client {
            return self.impact(node, impact).map(|()| true);
        }
        validate(&impact)?;
        let unknown = ImpactError::NotDestructible { node };
        let body = match target_at(self, node) {
            Some(ImpactTarget::Piece(body)) => Some(body),
            Some(ImpactTarget::Object(id)) => self.objects.live(id).map(|live| live.root),
            _ => None,
        };
        let simulation = self.simulation.as_mut();
        let (Some(body), Some(simulation)) = (body, simulation) else {
            return Err(unknown);
        };
        let told = simulation.foretell(impact.on_body(body, false));
        told.map_err(|_| unknown)
    }

    /// Sets the most energy of a blow that an authority takes from a client, J; infinite by default.
    pub fn set_foretold_limit(&mut self, joules: f32) {
        self.players.foretold_limit = joules;
        if let Some(simulation) = &mut self.simulation {
            simulation.set_foretold_limit(joules);
        }
    }

    /// Counters of what came from other games.
    pub fn network_statistics(&self) -> NetworkStatistics {
        let simulation = self.simulation.as_ref();
        simulation.map_or_else(Default::default, |simulation| {
            simulation.network_statistics()
        })
    }
}
