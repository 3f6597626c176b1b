//! Reading of messages, by the side that takes them.

use super::authority::answer;
use super::client::{take_blow, take_part, take_refusal};
use super::debris_following::take_poses;
use super::foretell::take_foretold;
use super::message::{Content, Message, MessageError};
use super::shared::Role;
use crate::simulation::Simulation;

/// Most messages that are read in a step.
const MAX_RECEIVED: usize = 4096;

/// Takes a message of another game; gives the answers.
pub(crate) fn take_message(
    simulation: &mut Simulation,
    bytes: &[u8],
) -> Result<Vec<Message>, MessageError> {
    simulation.network.received += 1;
    if simulation.network.received > MAX_RECEIVED {
        return Err(MessageError::TooMany);
    }
    let nothing = |()| Vec::new();
    match (Content::read(bytes)?, simulation.network.role) {
        (Content::Taken(blow), Role::Client) => take_blow(simulation, blow).map(nothing),
        (Content::Part(part), Role::Client) => take_part(simulation, part).map(nothing),
        (Content::Poses(poses), Role::Client) => take_poses(simulation, &poses).map(nothing),
        (Content::Refused(number), Role::Client) => take_refusal(simulation, number).map(nothing),
        (Content::Foretold(blow), Role::Authority) => Ok(take_foretold(simulation, &blow)),
        (Content::Known(known), Role::Authority) => Ok(answer(simulation, &known)),
        _ => Err(MessageError::WrongSide),
    }
}
