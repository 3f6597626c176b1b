//! Blows that a client foretells: they break its own pieces at once, and the authority is asked to take them. What the
//! authority does not confirm is taken back.

use super::blow::{Blow, BlowPush, BlowSize, BreakNumber};
use super::client::{next_number, piece_of};
use super::message::{Content, Message};
use super::rounding::{read_short, round_impact, short_below};
use super::shared::{Foretold, InFlight, Role, SharedObject};
use crate::error::ImpactError;
use crate::history::saving::{piece_state, save_compact};
use crate::history::{BreakLog, BreakRecord, LoggedCause, LoggedImpact, PieceOrigin};
use crate::impacts::resolve::{in_body_space, submit_told, target};
use crate::impacts::{Impact, LocalImpact, Residual, Striker};
use crate::pieces::components::{BreakSeed, Breakable, Generation};
use crate::pieces::Anchors;
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Asks the authority for a blow, and foretells it; says whether it breaks anything here.
pub(crate) fn foretell(simulation: &mut Simulation, impact: Impact) -> Result<bool, ImpactError> {
    impact.check()?;
    let body = target(simulation, &impact).ok_or(ImpactError::UnknownBody)?;
    let network = &simulation.network;
    let id = network.object_of(&simulation.world, body);
    let Some(id) = id.filter(|_| network.role == Role::Client) else {
        return Ok(false);
    };
    let impact = Impact {
        body,
        energy: read_short(short_below(f64::from(impact.energy))),
        // What is not told cannot count.
        residual: Residual::default(),
        striker: Striker::default(),
        ..impact
    };
    let Some(mut object) = simulation.network.objects.remove(&id) else {
        return Ok(false);
    };
    let breaks = ask(simulation, &mut object, id, &impact);
    simulation.network.objects.insert(id, object);
    Ok(breaks.unwrap_or(false))
}

/// Sends a blow to the authority, and strikes it here if what it breaks can be told.
fn ask(
    simulation: &mut Simulation,
    object: &mut SharedObject,
    id: u32,
    impact: &Impact,
) -> Option<bool> {
    let body = impact.body;
    let mut local = in_body_space(simulation, impact)?;
    round_impact(&mut local);
    let number = next_number(simulation, object);
    let frame = simulation.statistics.frame;
    let record = record_of(simulation, body, &local)?;
    let held_at = record.held_at.clone();
    let blow = Blow::of_record(
        BreakNumber::new(id, number, frame)?,
        &record,
        BlowPush {
            impulse: local.impulse,
            already_applied: local.already_applied,
        },
        held_at.as_ref(),
    )?;
    let blow = blow.rounded()?; // as the authority's word on it will be read
    let message = Content::Foretold(blow).to_message()?;
    simulation.network.send(message);
    if !object.is_up_to_date() || !can_be_told(simulation, impact, &record) {
        return Some(false);
    }
    let (piece, hits) = (blow.piece, u64::from(blow.hits));
    let before = piece_state(simulation, piece, body)?;
    let job = submit_told(simulation, body, local, held_at.as_ref(), true)?;
    let seed = simulation.world.query_one_mut::<&mut BreakSeed>(body.0);
    seed.ok()?.impacts = hits;
    object.in_flight = Some(InFlight {
        number,
        job,
        pieces: None,
    });
    object.foretold = Some(Foretold {
        blow,
        frame,
        before,
    });
    Some(true)
}

fn record_of(simulation: &Simulation, body: BodyId, local: &LocalImpact) -> Option<BreakRecord> {
    let entity = simulation.world.entity(body.0).ok()?;
    let origin = entity.get::<&PieceOrigin>();
    let origin = origin.map_or_else(|| PieceOrigin::intact(body), |origin| (*origin).clone());
    let is_touching = entity.get::<&Anchors>()?.is_touching();
    let held_at = simulation
        .history
        .held_at_first(origin.source, origin.piece);
    Some(BreakRecord {
        piece: origin.piece,
        cause: LoggedCause::Impact(LoggedImpact::new(local)),
        hits: entity.get::<&BreakSeed>()?.impacts + 1,
        pieces: 0,
        held_at: held_at.filter(|_| is_touching),
    })
}

/// Whether a client knows what a blow breaks: not of a whole body that is held by touch, as only the authority knows where.
fn can_be_told(simulation: &Simulation, impact: &Impact, record: &BreakRecord) -> bool {
    let body = impact.body;
    let anchors = simulation.world.get::<&Anchors>(body.0);
    let is_held_by_touch = anchors.is_ok_and(|anchors| anchors.is_touching());
    let is_held_where_known = !is_held_by_touch || record.held_at.is_some();
    let is_free = !simulation.is_breaking(body) && !simulation.jobs.worker.is_full();
    is_free && is_held_where_known && is_broken_by(simulation, impact)
}

/// Whether an impact breaks its body, as far as can be told without its solid.
fn is_broken_by(simulation: &Simulation, impact: &Impact) -> bool {
    let Ok(entity) = simulation.world.entity(impact.body.0) else {
        return false;
    };
    let generation = entity.get::<&Generation>();
    let breakable = entity.get::<&Breakable>();
    let can_break = generation
        .zip(breakable)
        .is_some_and(|(own, breakable)| own.can_break(&breakable.asset.material));
    can_break && simulation.breaks(impact).unwrap_or(true)
}

/// Takes a blow that a client has foretold, as the authority. A blow that breaks nothing is refused.
pub(super) fn take_foretold(simulation: &mut Simulation, blow: &Blow) -> Vec<Message> {
    if strike(simulation, blow).is_some() {
        return Vec::new();
    }
    let refusal = Content::Refused(blow.number);
    refusal.to_message().into_iter().collect()
}

fn strike(simulation: &mut Simulation, blow: &Blow) -> Option<()> {
    let object = simulation.network.objects.get(&blow.number.object)?;
    let body = piece_of(simulation, object.source, blow.piece)?;
    let pose = simulation.motion(body)?.pose;
    let point = pose.transform_point(blow.point.as_vec3());
    let normal = pose.rotation * blow.normal.as_vec3();
    let impulse = pose.rotation * blow.push.impulse.as_vec3();
    let plain = Impact::new(body, point, normal, impulse, blow.energy);
    let impact = match blow.size {
        BlowSize::Radius(_) => plain,
        BlowSize::Typed(radius) => Impact {
            radius: Some(radius),
            ..plain
        },
        BlowSize::Blade(kerf) => Impact {
            kerf,
            ..Impact::blade(body, point, normal)
        },
    };
    let is_allowed = blow.energy <= simulation.network.foretold_limit;
    let breaks = is_allowed && is_broken_by(simulation, &impact);
    breaks.then(|| simulation.impact(impact).ok())?
}

/// The state of an object before the blow that was taken back.
pub(crate) fn log_before(simulation: &Simulation, object: &SharedObject) -> Option<BreakLog> {
    let taken_back = object.taken_back.as_ref()?;
    let number = usize::from(taken_back.blow.number.number);
    let mut log = save_compact(simulation, object.source);
    if log.breaks.len() > number {
        log.breaks.truncate(number);
        let is_before = |piece: u32| piece == u32::MAX || (piece as usize) < number;
        log.pieces
            .retain(|state| is_before(state.piece.break_index));
        log.pieces.push(taken_back.before.clone());
        log.pieces.sort_by_key(|state| state.piece);
    }
    Some(log)
}
