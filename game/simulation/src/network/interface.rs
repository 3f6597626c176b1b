//! The host's interface to games of several players.

use super::authority::answer;
use super::client::{take_blow, take_part, take_refusal};
use super::foretell::{foretell, log_before, take_foretold};
use super::join::{join, join_save, save_of};
use super::message::{Content, Message, MessageError};
use super::shared::{NetworkStatistics, Role};
use crate::error::{BodyError, ImpactError};
use crate::history::{ArchiveError, ReplayError};
use crate::impacts::Impact;
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Most messages that are read in a step.
const MAX_RECEIVED: usize = 4096;

impl Simulation {
    /// Sets who decides what breaks of the objects that are shared ([`Simulation::share`]). A client breaks nothing of
    /// them by itself, whatever strikes them and whatever they carry; an authority rounds blows to what messages hold.
    ///
    /// A client that becomes the authority, because that has left, tells its own breaks from then on.
    pub fn set_role(&mut self, role: Role) {
        self.network.role = role;
    }

    /// Who decides what breaks of the objects that are shared.
    pub fn role(&self) -> Role {
        self.network.role
    }

    /// Shares a body that was added with other games, under an id that it has in all of them. Bodies that share an id
    /// have to be equal: the same mesh, pattern, material and seed, and the simulations the same
    /// [`Settings::seed`](crate::Settings::seed). A body that takes the place of another one under an id is shared anew.
    ///
    /// # Errors
    /// [`BodyError::Unknown`] for a body that was not added.
    pub fn share(&mut self, object: u32, body: BodyId) -> Result<(), BodyError> {
        let is_broken = self.history.source(body).is_some();
        if !is_broken && !self.world.contains(body.0) {
            return Err(BodyError::Unknown);
        }
        self.network.share(object, body);
        Ok(())
    }

    /// The body that is shared under an id.
    pub fn shared_body(&self, object: u32) -> Option<BodyId> {
        let shared = self.network.objects.get(&object);
        shared.map(|object| object.source)
    }

    /// Whether a body that was added is shared.
    pub fn is_shared(&self, body: BodyId) -> bool {
        self.network.is_shared(body)
    }

    /// The messages for others since the last call, in order: those of an authority are for all clients, those of a
    /// client for the authority. Any may be lost, repeated or late. Each has at most
    /// [`MAX_MESSAGE`](crate::network::MAX_MESSAGE) bytes, one for a blow 40.
    pub fn drain_messages(&mut self) -> impl Iterator<Item = Message> + '_ {
        self.network.outbox.drain(..)
    }

    /// Takes a message of another game. Returns the answers, which are for the sender alone.
    ///
    /// # Errors
    /// [`MessageError`] says why a message was dropped. Nothing has happened then, and a game goes on.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<Vec<Message>, MessageError> {
        let result = self.take_message(bytes);
        let statistics = &mut self.network.statistics;
        statistics.received += 1;
        statistics.refused += u64::from(result.is_err());
        result
    }

    fn take_message(&mut self, bytes: &[u8]) -> Result<Vec<Message>, MessageError> {
        self.network.received += 1;
        if self.network.received > MAX_RECEIVED {
            return Err(MessageError::TooMany);
        }
        let nothing = |()| Vec::new();
        match (Content::read(bytes)?, self.network.role) {
            (Content::Taken(blow), Role::Client) => take_blow(self, blow).map(nothing),
            (Content::Part(part), Role::Client) => take_part(self, part).map(nothing),
            (Content::Refused(number), Role::Client) => take_refusal(self, number).map(nothing),
            (Content::Foretold(blow), Role::Authority) => Ok(take_foretold(self, &blow)),
            (Content::Known(known), Role::Authority) => Ok(answer(self, &known)),
            _ => Err(MessageError::WrongSide),
        }
    }

    /// Strikes a shared object as a client: the blow breaks here at once what it is going to break, and the authority is
    /// asked to take it, which then tells it to all. If it says otherwise, or nothing for two seconds, the object is
    /// lost ([`Simulation::lost_objects`]) and [`Simulation::state_before_foretold`] has what it was before. Returns
    /// whether the blow breaks anything here: not while an earlier one has not been confirmed, nor in a whole body
    /// that is held by touch, as only the authority knows where.
    ///
    /// The impact's striker and what that keeps do not count. If the authority is to look at such blows first, send it
    /// the player's action in place of this, and call [`Simulation::impact`] there.
    ///
    /// # Errors
    /// [`ImpactError`] as for [`Simulation::impact`].
    pub fn foretell(&mut self, impact: Impact) -> Result<bool, ImpactError> {
        foretell(self, impact)
    }

    /// Sets the most energy of a blow that an authority takes from a client, J; infinite by default. It refuses others.
    pub fn set_foretold_limit(&mut self, joules: f32) {
        self.network.foretold_limit = joules;
    }

    /// What [`Simulation::join`] takes for a lost object whose own blow was taken back: it is as before the blow, and
    /// what the authority has told since then comes again. `None` for one that needs the authority's save.
    pub fn state_before_foretold(&self, object: u32) -> Option<Vec<u8>> {
        let log = log_before(self, self.network.objects.get(&object)?)?;
        Some(save_of(object, &log))
    }

    /// The objects of a client that have other pieces than those of the authority, by id: nothing more breaks of them
    /// here. They need to be made anew, and then brought to the state of the authority's save.
    pub fn lost_objects(&self) -> impl Iterator<Item = u32> + '_ {
        let objects = self.network.objects.iter();
        objects.filter_map(|(id, object)| object.is_lost.then_some(*id))
    }

    /// What a game needs that joins late: the breaks of all shared objects, about 50 bytes each, and where their pieces
    /// are, about 30 each. It has to arrive, so it does not go with the messages.
    pub fn join_save(&self) -> Vec<u8> {
        join_save(self)
    }

    /// Brings the shared objects of this game to the state of [`Simulation::join_save`] of another one, those that have
    /// not broken here. The messages since then may come before or after. The call waits for the worker; no time passes.
    ///
    /// Gives the objects that are not as in the save, which are lost ([`Simulation::lost_objects`]), and why.
    ///
    /// # Errors
    /// [`ArchiveError`] for bytes that are no such save, or a damaged one. Nothing has happened then.
    pub fn join(&mut self, save: &[u8]) -> Result<Vec<(u32, ReplayError)>, ArchiveError> {
        join(self, save)
    }

    /// Counters of what came from other games.
    pub fn network_statistics(&self) -> NetworkStatistics {
        self.network.statistics
    }
}
