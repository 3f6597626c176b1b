//! The side that is told: it takes messages in any order and breaks each object in the order of the authority.

use super::authority::{MAX_BREAKS, MAX_PARTS};
use super::blow::{Blow, BlowPush, BreakNumber};
use super::message::{Content, Known, MessageError, Part, MAX_KNOWN};
use super::shared::{Awaited, Compared, Foretold, InFlight, Role, SharedObject};
use crate::history::{is_bearable, read_record, BreakRecord, LoggedCause, PieceOrigin, PieceRef};
use crate::impacts::resolve::submit_told;
use crate::jobs::stress_requests;
use crate::pieces::components::{BreakSeed, Breakable};
use crate::pieces::{Anchors, BreakRadius, Keep};
use crate::seeds::angle;
use crate::simulation::Simulation;
use crate::types::{BodyId, JobId};

/// Breaks by which a message may be ahead of what is known of its object.
const MAX_AHEAD: usize = 1024;

/// Breaks of an object of which a client has some parts only.
const MAX_IN_PARTS: usize = 16;

/// Frames after which a blow of which the authority says nothing is taken back.
const PATIENCE: u64 = 120;

/// Frames between two messages that say what a client has.
const FRAMES_BETWEEN_KNOWN: u64 = 15;

/// Takes a blow that the authority has told.
pub(super) fn take_blow(simulation: &mut Simulation, blow: Blow) -> Result<(), MessageError> {
    let number = blow.number;
    take(
        simulation,
        number.object,
        number.number,
        Awaited::Blow(blow),
    )
}

/// Takes a part of a break that the authority has told.
pub(super) fn take_part(simulation: &mut Simulation, part: Part) -> Result<(), MessageError> {
    let (id, number) = (part.number.object, part.number.number);
    let is_new = is_new(simulation, id, number)?;
    let Some(object) = simulation.network.objects.get_mut(&id).filter(|_| is_new) else {
        simulation.network.statistics.repeated += 1;
        return Ok(());
    };
    let count = usize::from(part.count);
    if count > MAX_PARTS {
        return Err(MessageError::Figure);
    }
    if object.parts.len() >= MAX_IN_PARTS && !object.parts.contains_key(&number) {
        return Err(MessageError::TooMany);
    }
    let parts = object
        .parts
        .entry(number)
        .or_insert_with(|| vec![None; count]);
    let place = parts.get_mut(usize::from(part.index));
    *place.ok_or(MessageError::Figure)? = Some(part.bytes);
    if parts.iter().any(Option::is_none) {
        return Ok(());
    }
    let parts = object.parts.remove(&number).unwrap_or_default();
    let bytes: Vec<u8> = parts.into_iter().flatten().flatten().collect();
    let record = read_record(&bytes).map_err(|_| MessageError::Damaged)?;
    if !is_bearable(&record) {
        return Err(MessageError::Figure);
    }
    take(simulation, id, number, Awaited::Record(record))
}

/// Whether a break of an object is not known yet.
fn is_new(simulation: &Simulation, id: u32, number: u16) -> Result<bool, MessageError> {
    let object = simulation.network.objects.get(&id);
    let object = object.ok_or(MessageError::UnknownObject { object: id })?;
    let next = next_number(simulation, object);
    let number_of = usize::from(number);
    if number_of >= next.saturating_add(MAX_AHEAD).min(MAX_BREAKS) {
        return Err(MessageError::TooMany);
    }
    let is_foretold = |own: &Foretold| own.blow.number.number == number;
    let is_open = number_of >= next || object.foretold.as_ref().is_some_and(is_foretold);
    Ok(is_open && !object.waiting.contains_key(&number))
}

/// The number of the first break of an object that has not begun.
pub(super) fn next_number(simulation: &Simulation, object: &SharedObject) -> usize {
    let done = simulation.history.breaks(object.source).len();
    object
        .in_flight
        .as_ref()
        .map_or(done, |under_way| under_way.number + 1)
}

fn take(
    simulation: &mut Simulation,
    id: u32,
    number: u16,
    awaited: Awaited,
) -> Result<(), MessageError> {
    let is_new = is_new(simulation, id, number)?;
    if compare_with_foretold(simulation, id, number, &awaited) {
        return Ok(());
    }
    let network = &mut simulation.network;
    match network.objects.get_mut(&id).filter(|_| is_new) {
        Some(object) => {
            object.waiting.insert(number, awaited);
        }
        None => network.statistics.repeated += 1,
    }
    Ok(())
}

/// Takes what the authority says of a break that was foretold. False for another one.
fn compare_with_foretold(
    simulation: &mut Simulation,
    id: u32,
    number: u16,
    awaited: &Awaited,
) -> bool {
    let Some(object) = simulation.network.objects.get_mut(&id) else {
        return false;
    };
    let blow = match awaited {
        Awaited::Blow(blow) => Some(blow),
        Awaited::Record(_) => None,
    };
    let compared = object.compare(number, blow);
    if let Some(blow) = blow.filter(|_| compared == Compared::Confirmed) {
        let pieces = u32::from(blow.pieces);
        let done = simulation.history.breaks(object.source);
        match (&mut object.in_flight, done.get(usize::from(number))) {
            (Some(under_way), _) => under_way.pieces = Some(pieces),
            (None, Some(record)) => object.is_lost |= record.pieces != pieces,
            (None, None) => {}
        }
    }
    count(simulation, compared);
    compared != Compared::Other
}

fn count(simulation: &mut Simulation, compared: Compared) {
    let statistics = &mut simulation.network.statistics;
    match compared {
        Compared::Other => {}
        Compared::Confirmed => statistics.confirmed += 1,
        Compared::TakenBack => statistics.taken_back += 1,
    }
}

/// Takes that the authority refuses a blow that was foretold.
pub(super) fn take_refusal(
    simulation: &mut Simulation,
    number: BreakNumber,
) -> Result<(), MessageError> {
    let object = number.object;
    let known = simulation.network.objects.get_mut(&object);
    let known = known.ok_or(MessageError::UnknownObject { object })?;
    let compared = known.compare(number.number, None);
    count(simulation, compared);
    Ok(())
}

/// Lets happen what the authority has told, and says now and then what is known.
pub(crate) fn follow_authority(simulation: &mut Simulation) {
    if simulation.network.role != Role::Client {
        return;
    }
    simulation.network.received = 0;
    let ids: Vec<u32> = simulation.network.objects.keys().copied().collect();
    for &id in &ids {
        follow(simulation, id);
    }
    if simulation
        .statistics
        .frame
        .is_multiple_of(FRAMES_BETWEEN_KNOWN)
    {
        tell_known(simulation, &ids);
    }
}

/// Goes on with one object.
fn follow(simulation: &mut Simulation, id: u32) {
    // Taken out, so that both can be changed.
    let Some(mut object) = simulation.network.objects.remove(&id) else {
        return;
    };
    settle(simulation, &mut object);
    give_up(simulation, &mut object);
    while !object.is_lost && submit_next(simulation, &mut object) {}
    simulation.network.objects.insert(id, object);
}

/// Takes note of a break under way that is done, and compares what it has made with what the authority has.
fn settle(simulation: &mut Simulation, object: &mut SharedObject) {
    let Some(under_way) = object.in_flight.take() else {
        return;
    };
    let done = simulation.history.breaks(object.source);
    match done.get(under_way.number) {
        Some(record)
            if under_way
                .pieces
                .is_none_or(|pieces| pieces == record.pieces) =>
        {
            simulation.network.statistics.applied += 1;
        }
        None if simulation.jobs.worker.cancel_flag(under_way.job).is_some() => {
            object.in_flight = Some(under_way);
        }
        // Nothing has come of what was foretold, and so there is nothing to take back.
        None if object.foretold.take().is_some() => {}
        _ => object.is_lost = true,
    }
}

/// Takes back a blow for whose confirmation the client has waited too long.
fn give_up(simulation: &mut Simulation, object: &mut SharedObject) {
    let frame = simulation.statistics.frame;
    let is_old = |own: &&Foretold| frame > own.frame + PATIENCE;
    let old = object.foretold.as_ref().filter(is_old);
    if let Some(number) = old.map(|own| own.blow.number.number) {
        let compared = object.compare(number, None);
        count(simulation, compared);
    }
}

/// Submits the next break of an object, or passes over it where its piece has been removed. False when it has to wait.
fn submit_next(simulation: &mut Simulation, object: &mut SharedObject) -> bool {
    let next = next_number(simulation, object);
    let awaited = u16::try_from(next).ok().and_then(|key| {
        let awaited = object.waiting.get(&key)?;
        Some((key, awaited.clone()))
    });
    let Some((key, awaited)) = awaited.filter(|_| object.is_sure()) else {
        return false;
    };
    let Some(body) = piece_of(simulation, object.source, awaited.piece()) else {
        object.waiting.remove(&key);
        pass_over(simulation, object, awaited);
        return !object.is_lost;
    };
    if simulation.is_breaking(body) || simulation.jobs.worker.is_full() {
        return false;
    }
    object.waiting.remove(&key);
    let submitted = submit(simulation, body, &awaited);
    object.in_flight = submitted.map(|(job, pieces)| InFlight {
        number: next,
        job,
        pieces: Some(pieces),
    });
    object.is_lost |= object.in_flight.is_none();
    false
}

/// Records a break of a piece that is not here any more: what it becomes is not here either.
fn pass_over(simulation: &mut Simulation, object: &mut SharedObject, awaited: Awaited) {
    let record = match awaited {
        Awaited::Blow(blow) => blow.record(0.0, BreakRadius::typed(0.0)),
        Awaited::Record(record) => record,
    };
    if !simulation.history.record_missed(object.source, record) {
        object.is_lost = true; // the intact body cannot be missing
    }
    simulation.network.statistics.skipped += 1;
}

/// The living body of a piece of an object.
pub(super) fn piece_of(simulation: &Simulation, source: BodyId, piece: PieceRef) -> Option<BodyId> {
    if piece == PieceRef::INTACT {
        return simulation.world.contains(source.0).then_some(source);
    }
    let is_it = |body: &BodyId| {
        let origin = simulation.world.get::<&PieceOrigin>(body.0);
        origin.is_ok_and(|origin| origin.piece == piece)
    };
    let mut bodies = simulation.history.pieces.descendants(source).into_iter();
    bodies.find(is_it)
}

/// Submits a break; gives its job and the number of pieces that it makes.
fn submit(simulation: &mut Simulation, body: BodyId, awaited: &Awaited) -> Option<(JobId, u32)> {
    let (record, push) = match awaited {
        Awaited::Blow(blow) => (record_of(simulation, body, blow)?, blow.push),
        Awaited::Record(record) => (record.clone(), BlowPush::default()),
    };
    let seed = simulation.world.query_one_mut::<&mut BreakSeed>(body.0);
    seed.ok()?.impacts = record.hits;
    let held_at = record.held_at.as_ref();
    let job = match &record.cause {
        LoggedCause::Impact(logged) => {
            let mut impact = logged.to_local_impact();
            impact.impulse = push.impulse;
            impact.already_applied = push.already_applied;
            let finds_cracks = matches!(awaited, Awaited::Blow(_));
            submit_told(simulation, body, impact, held_at, finds_cracks)
        }
        LoggedCause::Weight(collapse) => {
            stress_requests::submit_logged(simulation, body, collapse, held_at, Keep::All)
        }
    };
    Some((job?, record.pieces))
}

/// The break that a blow makes of a body.
fn record_of(simulation: &Simulation, body: BodyId, blow: &Blow) -> Option<BreakRecord> {
    let entity = simulation.world.entity(body.0).ok()?;
    let range = entity.get::<&Breakable>()?.asset.material.break_radius(0.0);
    let seed = entity.get::<&BreakSeed>()?.seed;
    // Each blow counts before it breaks.
    let spin = angle(seed, u64::from(blow.hits).saturating_sub(1));
    let origin = entity.get::<&PieceOrigin>();
    let is_touching = entity.get::<&Anchors>()?.is_touching();
    let origin = origin.filter(|_| is_touching);
    let held_at = origin.and_then(|own| simulation.history.held_at_first(own.source, own.piece));
    Some(BreakRecord {
        held_at,
        ..blow.record(spin, range)
    })
}

impl Awaited {
    fn piece(&self) -> PieceRef {
        match self {
            Self::Blow(blow) => blow.piece,
            Self::Record(record) => record.piece,
        }
    }
}

/// Tells the authority how many breaks of each object are known.
fn tell_known(simulation: &mut Simulation, ids: &[u32]) {
    let mut counts = Vec::new();
    for &id in ids {
        let Some(object) = simulation.network.objects.get(&id) else {
            continue;
        };
        let foretold = object.foretold.as_ref();
        let mut next = match foretold {
            Some(own) => usize::from(own.blow.number.number),
            None => next_number(simulation, object),
        };
        while u16::try_from(next).is_ok_and(|next| object.waiting.contains_key(&next)) {
            next += 1;
        }
        let known = if object.is_lost { usize::MAX } else { next };
        if known > 0 {
            counts.push((id, u16::try_from(known).unwrap_or(u16::MAX)));
        }
    }
    let mut first = 0;
    let mut chunks = counts.chunks(MAX_KNOWN).peekable();
    let mut known = Vec::new();
    // Each message speaks for all ids from the end of the one before to its own last one.
    loop {
        let counts = chunks.next().unwrap_or_default().to_vec();
        let is_last = chunks.peek().is_none();
        let last = match counts.last() {
            Some((id, _)) if !is_last => *id,
            _ => u32::MAX,
        };
        known.push(Known {
            first,
            last,
            counts,
        });
        if is_last {
            break;
        }
        first = last.saturating_add(1);
    }
    let messages = known.into_iter().map(Content::Known);
    for message in messages.filter_map(|content| content.to_message()) {
        simulation.network.send(message);
    }
}
