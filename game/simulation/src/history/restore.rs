//! Bodies that become the pieces that somebody has kept of others, without being broken.

use std::collections::BTreeSet;
use std::sync::Arc;

use fracture_geometry::Mesh;
use glam::Vec3;

use super::break_history::PieceOrigin;
use super::log::{BreakLog, PieceState};
use super::piece_loader::RestoredPiece;
use super::snapshot_restore::{RestoreOrder, SnapshotRestore};
use crate::event::{Broken, Cause, DustParticle, Event, NewPiece};
use crate::jobs::Task;
use crate::pieces::components::{Breakable, Held, Intact, Seed};
use crate::pieces::HullCount;
use crate::pieces::{BodyId, LazyHulls, LazyParts};
use crate::simulation::Simulation;
use crate::swap::replace::{note_hulls, retire, spawn, Descent, Parent, Start, Whole};

/// Makes the pieces of all pasts that have any, on all threads, and puts them in the places of their bodies,
/// one after the other as they come; calls back after each body. The numbers of those pasts.
pub(super) fn recall_all(
    simulation: &mut Simulation,
    pasts: &[(BodyId, &BreakLog)],
    mut told: impl FnMut(&mut Simulation),
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
    let recalling = SnapshotRestore::new(orders);
    have_helped(simulation, &recalling);
    let mut scratch = Mesh::default();
    for (index, (number, root, past)) in bodies.into_iter().enumerate() {
        if arrive(simulation, (root, past), (&recalling, index), &mut scratch).is_some() {
            told(simulation);
            done.insert(number);
        }
    }
    done
}

/// Has the worker help, as far as it has room.
fn have_helped(simulation: &mut Simulation, recalling: &Arc<SnapshotRestore>) {
    let frame = simulation.statistics.frame;
    for _ in 0..simulation.settings.threads {
        let task = Task::Restore(recalling.clone());
        simulation.worker.submit(None, frame, task);
    }
}

/// `None` for a body that is not whole, and for a past without pieces.
fn order(simulation: &Simulation, root: BodyId, past: &BreakLog) -> Option<RestoreOrder> {
    let kept = past.kept.clone()?;
    let contents = kept.contents().ok()?;
    if contents.pieces.len() != past.living().count() {
        return None;
    }
    let entity = simulation.world.entity(root.0).ok()?;
    if !Intact::is_untouched(entity) {
        return None;
    }
    let breakable = entity.get::<&Breakable>()?;
    Some(RestoreOrder {
        shape: breakable.shape.clone(),
        anchors: entity.get::<&Held>()?.0.clone(),
        pattern: breakable.pattern.clone(),
        blade: simulation.blade.clone(),
        making: breakable.making(simulation.settings.check_pieces),
        kept,
        contents,
    })
}

/// Puts the pieces in the place of their body; nothing happens when one of them cannot be made.
fn arrive(
    simulation: &mut Simulation,
    (body, past): (BodyId, &BreakLog),
    (recalling, index): (&SnapshotRestore, usize),
    scratch: &mut Mesh,
) -> Option<()> {
    let recalled = recalling.body(index)?;
    let (crumbs, facts) = (recalled.crumbs, recalled.facts);
    let whole = Whole {
        facts,
        anchors: &recalled.anchors,
    };
    let parent = Parent::of(simulation, body, &whole)?;
    let count = past.pieces.len();
    let (mut pieces, mut origins) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut hulls = HullCount::default();
    for (number, state) in past.living().enumerate() {
        let Some(kept) = recalling.take([index, number], scratch) else {
            let made = pieces.iter().map(|piece: &NewPiece| piece.body);
            made.for_each(|piece| _ = simulation.despawn(piece));
            return None;
        };
        hulls = [hulls, kept.piece.hulls].into_iter().sum();
        let line = kept.line.clone();
        simulation.worker.build_hulls(kept.piece.colliders.clone());
        let piece = spawn_one(simulation, &parent, state, kept);
        let origin = PieceOrigin {
            root: body,
            piece: state.piece,
            line,
        };
        origins.push((piece.body, origin));
        pieces.push(piece);
    }
    note_hulls(simulation, hulls);
    have_divided(simulation, &pieces);
    simulation.leave_debris(body);
    let chronicle = &mut simulation.history.breaks;
    chronicle.recall(body, (crumbs, facts), &past.breaks, origins);
    simulation.statistics.breaks += past.breaks.len() as u64;
    retire(simulation, body, &parent, &pieces);
    let broken = broken(body, pieces, (facts.volume, crumbs), hulls);
    simulation.events.push(Event::Broken(Box::new(broken)));
    Some(())
}

/// Has the parts and the hulls of the whole body made some time, which all pieces share, unless none knows of any.
fn have_divided(simulation: &mut Simulation, pieces: &[NewPiece]) {
    let shapes = || pieces.iter().map(|piece| &piece.shape);
    let parts = shapes().find_map(|shape| Some(shape.known_stock()?.parts.clone()));
    let hulls = shapes().find_map(|shape| shape.known_hulls().cloned());
    simulation.foreseen.extend(parts.map(LazyParts::late));
    simulation.foreseen.extend(hulls.map(LazyHulls::late));
}

/// Makes a piece where it was; what is held is where its body is.
fn spawn_one(
    simulation: &mut Simulation,
    parent: &Parent,
    state: &PieceState,
    kept: RestoredPiece,
) -> NewPiece {
    let RestoredPiece {
        piece,
        line,
        depth,
        seed,
    } = kept;
    let is_free = !piece.anchored && state.motion.check().is_ok();
    let center = piece.mass.center.as_vec3();
    let start = match is_free {
        // It is no neighbour any more of what it broke off.
        true => Start {
            motion: state.motion,
            inside: state.motion.pose.transform_point(center),
            asleep: state.asleep,
        },
        false => parent.start(&piece),
    };
    let descent = Descent {
        depth,
        seed: Seed {
            seed,
            hits: state.hits,
        },
        damage: Arc::new(state.cracks.clone()),
    };
    let mut new = spawn(simulation, parent, (descent, start), piece);
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
    let crumb = DustParticle {
        position: Vec3::ZERO,
        velocity: Vec3::ZERO,
        volume: crumbs as f32,
    };
    Broken {
        body,
        pieces,
        crumbs: vec![crumb],
        cause: Cause::Restore,
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
