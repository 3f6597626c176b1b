//! Bodies that become the pieces that somebody has kept of others, without being broken.

use std::collections::BTreeSet;

use glam::Vec3;

use crate::body::components::{Breakable, Held, Intact};
use crate::body::BodyId;
use crate::debris::HullCount;
use crate::event::{Broken, Cause, Crumb, Event, NewPiece};
use crate::past::{Origin, Past, PieceRef, PieceState};
use crate::simulation::Simulation;
use crate::systems::replacement::{note_hulls, retire, spawn, Descent, Parent, Whole};
use crate::worker::{RecallOrder, Recalled, RecalledPiece, Task};

/// Hands over what can be recalled, as far as the worker has room, and calls back to take what is done
/// until all is; the numbers of the pasts that were tried.
pub(super) fn recall_all(
    simulation: &mut Simulation,
    pasts: &[(BodyId, &Past)],
    take: impl Fn(&mut Simulation),
) -> BTreeSet<usize> {
    let mut roots = BTreeSet::new();
    let mut orders = Vec::new();
    for (number, (root, past)) in pasts.iter().enumerate() {
        // Of several pasts of one body the first counts.
        let order = order(simulation, *root, past).filter(|_| roots.insert(*root));
        orders.extend(order.map(|order| (number, *root, order)));
    }
    let tried = orders.iter().map(|(number, ..)| *number).collect();
    loop {
        while simulation.worker.room() > 0 {
            let Some((_, root, order)) = orders.pop() else {
                break;
            };
            let task = Task::Recall(Box::new(order));
            let frame = simulation.statistics.frame;
            simulation.worker.submit(Some(root), frame, task);
        }
        if simulation.worker.outstanding() == 0 {
            return tried;
        }
        simulation.worker.help();
        take(simulation);
    }
}

/// `None` for a body that is not whole, and for a past without pieces.
fn order(simulation: &Simulation, root: BodyId, past: &Past) -> Option<RecallOrder> {
    let kept = past.kept.clone()?;
    let (_, pieces) = kept.pieces().ok()?;
    if pieces.len() != past.living().count() {
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

/// What of a past has been recalled, and where; `None` when its body is still whole.
pub(super) fn recalled<'a>(
    simulation: &Simulation,
    root: BodyId,
    past: &'a Past,
) -> Option<Vec<(&'a PieceState, BodyId)>> {
    let is_whole = simulation.world.satisfies::<&Breakable>(root.0);
    let pieces = simulation.lineage.pieces(root).iter().copied();
    (!is_whole).then(|| past.living().zip(pieces).collect())
}

/// Puts the pieces in the place of their body.
pub(super) fn arrive(simulation: &mut Simulation, body: BodyId, recalled: Recalled) {
    let whole = Whole {
        center: recalled.center,
        cap_surface: recalled.cap_surface,
        anchors: &recalled.anchors,
    };
    let Some(parent) = Parent::of(simulation, body, &whole) else {
        return;
    };
    let hulls: HullCount = recalled.pieces.iter().map(|kept| kept.piece.hulls).sum();
    note_hulls(simulation, hulls);
    simulation.leave_debris(body);
    let (mut pieces, mut origins) = (Vec::new(), Vec::new());
    for (index, kept) in (0..).zip(recalled.pieces) {
        let line = kept.line.clone();
        let piece = spawn_one(simulation, &parent, kept);
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
    simulation.chronicle.recall(body, recalled.crumbs, origins);
    retire(simulation, body, &parent, &pieces);
    let broken = broken(body, pieces, (recalled.volume, recalled.crumbs), hulls);
    simulation.events.push(Event::Broken(Box::new(broken)));
}

fn spawn_one(simulation: &mut Simulation, parent: &Parent, kept: RecalledPiece) -> NewPiece {
    let RecalledPiece {
        piece,
        line,
        depth,
        seed,
    } = kept;
    let mut new = spawn(simulation, parent, Descent { depth, seed }, piece);
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
