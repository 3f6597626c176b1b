//! Bodies that become the pieces that somebody has kept of others, without being broken.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;

use crate::body::components::{Breakable, Held, Intact};
use crate::body::BodyId;
use crate::debris::HullCount;
use crate::event::{Broken, Cause, Crumb, Event, NewPiece};
use crate::past::{Origin, Past, PieceRef, PieceState};
use crate::simulation::Simulation;
use crate::systems::replacement::{motion, note_hulls, retire, spawn, Descent, Parent, Whole};
use crate::worker::{RecallOrder, Recalled, RecalledPiece, Recalling, Task};

/// What has been recalled of a past, and where.
pub(super) type Living<'a> = Vec<(&'a PieceState, BodyId)>;

/// Makes the pieces of all pasts that have any, on all threads, and puts those of one body after the other
/// in its place; calls back after each. The numbers of those pasts.
pub(super) fn recall_all(
    simulation: &mut Simulation,
    pasts: &[(BodyId, &Past)],
    mut told: impl FnMut(&mut Simulation, BodyId, &Past, &Living),
) -> BTreeSet<usize> {
    let mut bodies = Vec::new();
    let mut orders = Vec::new();
    for (number, (root, past)) in pasts.iter().enumerate() {
        // Of several pasts of one body the first counts.
        let is_first = pasts.iter().take(number).all(|(other, _)| other != root);
        if let Some(order) = order(simulation, *root, past).filter(|_| is_first) {
            bodies.push((number, *root, *past));
            orders.push(order);
        }
    }
    let mut done = BTreeSet::new();
    let Ok(recalling) = Recalling::new(orders) else {
        return done;
    };
    have_helped(simulation, &recalling);
    for (index, (number, root, past)) in bodies.into_iter().enumerate() {
        let recalled = recalling.take(index);
        let living = recalled.and_then(|recalled| arrive(simulation, root, past, recalled));
        if let Some(living) = living {
            told(simulation, root, past, &living);
            done.insert(number);
        }
    }
    done
}

/// Has the worker help, as far as it has room.
fn have_helped(simulation: &mut Simulation, recalling: &Arc<Recalling>) {
    let frame = simulation.statistics.frame;
    for _ in 0..simulation.settings.threads {
        let task = Task::Recall(recalling.clone());
        simulation.worker.submit(None, frame, task);
    }
}

/// `None` for a body that is not whole, and for a past without pieces.
fn order(simulation: &Simulation, root: BodyId, past: &Past) -> Option<RecallOrder> {
    let kept = past.kept.clone()?;
    if kept.contents().ok()?.pieces.len() != past.living().count() {
        return None;
    }
    let entity = simulation.world.entity(root.0).ok()?;
    if !Intact::is_untouched(entity) {
        return None;
    }
    let breakable = entity.get::<&Breakable>()?;
    Some(RecallOrder {
        shape: breakable.shape.clone(),
        anchors: entity.get::<&Held>()?.0.clone(),
        making: breakable.making(simulation.settings.check_pieces),
        kept,
    })
}

/// Puts the pieces in the place of their body.
fn arrive<'a>(
    simulation: &mut Simulation,
    body: BodyId,
    past: &'a Past,
    recalled: Recalled,
) -> Option<Living<'a>> {
    let (crumbs, facts) = (recalled.crumbs, recalled.facts);
    let whole = Whole {
        facts,
        anchors: &recalled.anchors,
    };
    let parent = Parent::of(simulation, body, &whole)?;
    let hulls: HullCount = recalled.pieces.iter().map(|kept| kept.piece.hulls).sum();
    note_hulls(simulation, hulls);
    simulation.leave_debris(body);
    let (mut pieces, mut origins) = (Vec::new(), Vec::new());
    let states = past.living().zip(recalled.pieces);
    for (index, (state, kept)) in (0..).zip(states) {
        let line = kept.line.clone();
        let piece = spawn_one(simulation, &parent, state, kept);
        // Its name is told by the past.
        let name = PieceRef { made_by: 0, index };
        let origin = Origin {
            root: body,
            piece: name,
            line,
        };
        origins.push((piece.body, origin));
        pieces.push(piece);
    }
    let living = past.living().zip(pieces.iter().map(|piece| piece.body));
    let living = living.collect();
    simulation.chronicle.recall(body, (crumbs, facts), origins);
    retire(simulation, body, &parent, &pieces);
    let broken = broken(body, pieces, (facts.volume, crumbs), hulls);
    simulation.events.push(Event::Broken(Box::new(broken)));
    Some(living)
}

/// Makes a piece where it was; what is held is where its body is.
fn spawn_one(
    simulation: &mut Simulation,
    parent: &Parent,
    state: &PieceState,
    kept: RecalledPiece,
) -> NewPiece {
    let RecalledPiece {
        piece,
        line,
        depth,
        seed,
    } = kept;
    let is_free = !piece.anchored && state.motion.check().is_ok();
    let motion = match is_free {
        true => state.motion,
        false => motion(parent, &piece),
    };
    let descent = Descent { depth, seed };
    let mut new = spawn(simulation, parent, (descent, motion), piece);
    if let Some((_, before)) = line.split_last() {
        new.line = before.into();
    }
    new
}

/// What is told of a body that was broken in the past.
fn broken(
    body: BodyId,
    pieces: Vec<NewPiece>,
    (volume, crumbs): (f64, f64),
    hulls: HullCount,
) -> Broken {
    let crumb = Crumb {
        position: Vec3::ZERO,
        velocity: Vec3::ZERO,
        volume: crumbs as f32,
    };
    Broken {
        body,
        pieces,
        crumbs: vec![crumb],
        cause: Cause::Past,
        point: Vec3::ZERO,
        normal: Vec3::Y,
        energy: 0.0,
        new_area: 0.0,
        radius: 0.0,
        volume,
        volume_error: 0.0,
        report: Default::default(),
        frames: 0,
        worker_ms: 0.0,
        hulls: hulls.hulls,
        boxed_hulls: hulls.boxed,
        loose_hulls: hulls.loose,
        clipped_pieces: hulls.clipped,
    }
}
