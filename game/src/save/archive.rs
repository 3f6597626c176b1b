//! Saves the broken objects of a scene as bytes, and restores them in a scene that has just been loaded.

use crate::{
    destruction::Destruction,
    object::{mass::share_mass, ObjectState, Objects},
    swap::{self, apply_events::apply_events, detaching::drop_attachments, pieces::Piece},
};
use fracture_simulation::{
    save::{Archive, ArchiveError, BreakLog, ReplayError},
    BodyId, Simulation,
};
use fyrox::scene::graph::Graph;
use std::collections::BTreeMap;
use thiserror::Error;

/// Reason why a save cannot be restored.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RestoreError {
    /// The bytes are no save, or one of another version. Nothing has happened.
    #[error(transparent)]
    Save(#[from] ArchiveError),
    /// An object's files are being loaded. Nothing has happened.
    #[error(
        "\"{name}\" is not ready: its files are still being loaded; restore in a later update"
    )]
    NotReady {
        /// Name of the object.
        name: String,
    },
    /// The scene has no such object, or it cannot break. Nothing has happened.
    #[error("the save tells of \"{name}\", and the scene has no destructible of that name that can break; load the scene that was saved")]
    Unknown {
        /// Name of the object.
        name: String,
    },
    /// An object cannot be restored, because it is broken already or does not break as it did. Its state is
    /// unchanged.
    #[error("\"{name}\": {reason}")]
    Object {
        /// Name of the object.
        name: String,
        /// The reason, with the remedy.
        reason: ReplayError,
    },
}

/// Saves all objects to which anything has happened; `log` makes the record of one.
pub(crate) fn save_objects(
    destruction: &Destruction,
    log: fn(&Simulation, BodyId) -> BreakLog,
) -> Vec<u8> {
    let mut archive = Archive::default();
    if let Some(simulation) = &destruction.simulation {
        for object in destruction.objects.values() {
            let log = object.live().map(|live| log(simulation, live.root));
            let log = log.filter(|log| !log.is_untouched());
            // Of objects with one name the place among them tells which is which.
            let is_counted =
                log.is_some() || destruction.objects.all_named(&object.name).nth(1).is_some();
            if is_counted {
                let saved = (object.name.clone(), log.unwrap_or_default());
                archive.objects.push(saved);
            }
        }
    }
    archive.to_bytes()
}

/// Restores the saved objects of a scene that has just been loaded.
pub(crate) fn restore_objects(
    destruction: &mut Destruction,
    graph: &mut Graph,
    archive: Archive,
) -> Result<(), RestoreError> {
    let plan = match_objects(&destruction.objects, archive)?;
    let Some(mut simulation) = destruction.simulation.take() else {
        return Ok(()); // it could not be started, which has been reported
    };
    let mut result = Ok(());
    let logs: Vec<_> = plan.iter().map(|(_, root, log)| (*root, log)).collect();
    let roots: Vec<_> = logs.iter().map(|(root, _)| *root).collect();
    let restore =
        |destruction: &mut Destruction, graph: &mut Graph, simulation: &mut Simulation| {
            // Finished pieces are shown while the worker builds the others.
            simulation.restore_each(&logs, |simulation| {
                apply_events(destruction, graph, simulation);
            })
        };
    let restored = restore_with(destruction, graph, &mut simulation, &roots, restore);
    for ((name, ..), restored) in plan.into_iter().zip(restored) {
        if let Err(reason) = restored {
            destruction.faults.report(&name, &reason);
            result = result.and(Err(RestoreError::Object { name, reason }));
        }
    }
    destruction.simulation = Some(simulation);
    result
}

/// Brings objects with some roots to an earlier state by a function, and shows their pieces.
pub(crate) fn restore_with<R>(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    roots: &[BodyId],
    restore: impl FnOnce(&mut Destruction, &mut Graph, &mut Simulation) -> R,
) -> R {
    // Restored breaks are no events: they happened before the save was made.
    let events = std::mem::take(&mut destruction.events);
    destruction.restoring = true;
    // Before there are pieces to share a rigid body's mass.
    for root in roots {
        let (objects, faults) = (&destruction.objects, &mut destruction.faults);
        share_mass(objects, faults, graph, simulation, *root);
    }
    let restored = restore(destruction, graph, simulation);
    apply_events(destruction, graph, simulation);
    place_pieces(destruction, graph, simulation);
    destruction.restoring = false;
    destruction.events = events;
    restored
}

/// The object of each break log: the objects with its name in the order of the scene.
fn match_objects(
    objects: &Objects,
    archive: Archive,
) -> Result<Vec<(String, BodyId, BreakLog)>, RestoreError> {
    let mut matched: BTreeMap<String, usize> = BTreeMap::new();
    let mut plan = Vec::with_capacity(archive.objects.len());
    for (name, log) in archive.objects {
        let count = matched.entry(name.clone()).or_default();
        let mut named = objects.values().filter(|object| object.name == name);
        let object = named.nth(*count);
        *count += 1;
        if log.pieces.is_empty() && log.breaks.is_empty() {
            continue; // it was as new
        }
        match object.map(|object| &object.state) {
            Some(ObjectState::Live(live)) => plan.push((name, live.root, log)),
            Some(ObjectState::Waiting) => return Err(RestoreError::NotReady { name }),
            _ => return Err(RestoreError::Unknown { name }),
        }
    }
    Ok(plan)
}

/// Removes the pieces that do not exist any more, and moves the others to their poses.
fn place_pieces(destruction: &mut Destruction, graph: &mut Graph, simulation: &Simulation) {
    let bodies: Vec<_> = destruction.pieces.iter().map(|(body, _)| body).collect();
    for body in bodies {
        let Some(motion) = simulation.motion(body) else {
            // Restored breaks are no events, and neither is what hung on their pieces.
            drop_attachments(destruction, graph, body);
            destruction
                .view
                .remove_piece(graph, &mut destruction.pieces, body);
            continue;
        };
        let is_in_place = |piece: &Piece| piece.pose == motion.pose && !piece.batched;
        if destruction.pieces.get(body).is_some_and(is_in_place) {
            continue;
        }
        destruction
            .view
            .unbatch(graph, &mut destruction.pieces, body);
        destruction.pieces.set_pose(body, motion.pose);
        let free = destruction.pieces.get(body).filter(|piece| !piece.anchored);
        if let Some(piece) = free {
            swap::move_piece(graph, piece.node, &motion.pose);
            graph.update_hierarchical_data_for_descendants(piece.node);
        }
    }
}
