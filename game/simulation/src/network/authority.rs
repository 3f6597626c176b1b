//! The side that decides: it tells each break, and again to those who miss it.

use super::blow::{Blow, BlowPush, BreakNumber};
use super::message::{Content, Known, Message, Part, MAX_PART};
use super::shared::{NotedBlow, Role, ToldBreak};
use crate::history::{record_bytes, BreakRecord, PieceOrigin};
use crate::impacts::LocalImpact;
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Frames after which a message that a client does not have is taken for lost.
const FRAMES_ON_THE_WAY: u64 = 20;

/// Most messages that answer one of a client.
const MAX_ANSWERS: usize = 128;

/// Most messages that answer those of all clients in a step.
const MAX_ANSWERS_PER_STEP: usize = 512;

/// Most parts of a break: half of a save of a whole building.
pub(super) const MAX_PARTS: usize = 128;

/// Most breaks of an object that can be told.
pub(super) const MAX_BREAKS: usize = u16::MAX as usize;

/// Notes the blow of a break that is about to be applied.
pub(crate) fn note_blow(simulation: &mut Simulation, body: BodyId, impact: &LocalImpact) {
    let network = &simulation.network;
    if !network.is_told(&simulation.world, body) {
        return;
    }
    let origin = simulation.world.get::<&PieceOrigin>(body.0);
    let source = origin.map_or(body, |origin| origin.source);
    let number = simulation.history.breaks(source).len();
    simulation.network.noted.push(NotedBlow {
        source,
        number,
        push: BlowPush {
            impulse: impact.impulse - impact.residual_impulse,
            already_applied: impact.already_applied,
        },
    });
}

/// Tells the breaks that have happened since the last step.
pub(crate) fn tell_breaks(simulation: &mut Simulation) {
    let noted = std::mem::take(&mut simulation.network.noted);
    if simulation.network.role != Role::Authority {
        return;
    }
    let frame = simulation.statistics.frame;
    let network = &mut simulation.network;
    (network.received, network.answered) = (0, 0);
    let mut new = Vec::new();
    for (&id, object) in &mut network.objects {
        let breaks = simulation.history.breaks(object.source);
        for (number, record) in breaks.iter().enumerate().skip(object.told.len()) {
            let is_of =
                |noted: &&NotedBlow| noted.source == object.source && noted.number == number;
            let push = noted.iter().find(is_of).map(|noted| noted.push);
            let Some(number) = BreakNumber::new(id, number, frame) else {
                break;
            };
            let held_at = simulation
                .history
                .held_at_first(object.source, record.piece);
            let push = push.unwrap_or_default();
            let blow = Blow::of_record(number, record, push, held_at.as_ref());
            let messages = messages_of(number, record, blow);
            new.extend(messages.iter().cloned());
            object.told.push(ToldBreak { frame, messages });
        }
    }
    new.into_iter().for_each(|message| network.send(message));
}

/// The messages of a break: one for a blow.
fn messages_of(number: BreakNumber, record: &BreakRecord, blow: Option<Blow>) -> Vec<Message> {
    let blow = blow.map(Content::Taken);
    if let Some(message) = blow.and_then(|blow| blow.to_message()) {
        return vec![message];
    }
    let bytes = record_bytes(record);
    let count = bytes.chunks(MAX_PART).len();
    if count > MAX_PARTS {
        return Vec::new(); // those who miss it ask for a save
    }
    let parts = bytes.chunks(MAX_PART).enumerate().map(|(index, bytes)| {
        let part = Part {
            number,
            index: index as u8,
            count: count as u8,
            bytes: bytes.to_vec(),
        };
        Content::Part(part).to_message()
    });
    parts.flatten().collect()
}

/// The messages that a client misses, as far as they are not on their way.
pub(super) fn answer(simulation: &mut Simulation, known: &Known) -> Vec<Message> {
    let frame = simulation.statistics.frame;
    let network = &mut simulation.network;
    let left = MAX_ANSWERS_PER_STEP.saturating_sub(network.answered);
    let limit = MAX_ANSWERS.min(left);
    let mut answers = Vec::new();
    if known.first > known.last {
        return answers;
    }
    for (id, object) in network.objects.range(known.first..=known.last) {
        let listed = known.counts.iter().find(|(listed, _)| listed == id);
        let count = listed.map_or(0, |(_, count)| usize::from(*count));
        let missing = object.told.iter().skip(count);
        let old = missing.filter(|told| told.frame + FRAMES_ON_THE_WAY <= frame);
        let messages = old.flat_map(|told| &told.messages);
        answers.extend(messages.take(limit - answers.len()).cloned());
    }
    network.answered += answers.len();
    answers
}
