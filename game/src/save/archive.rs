//! Saves the broken objects of a scene as bytes, and restores them in a scene that has just been loaded.

use crate::{
    destruction::Destruction,
    object::{LiveObject, ObjectState},
    swap::{self, pieces::Piece},
};
use fracture_simulation::{
    save::{Archive, ArchiveError, BreakLog, ReplayError},
    BodyId, Simulation,
};
use fyrox::scene::{graph::Graph, Scene};
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

impl Destruction {
    /// Saves all broken and damaged objects with their pieces, about 5 kB a piece. A save is restored without breaking
    /// anything again, so it does not matter whether the mesh, the pattern or the module have changed since.
    /// Pending breaks are finished first; [`Destruction::events`] then reports them.
    ///
    /// The save holds nothing of the scene itself: the game saves where the engine's own bodies are.
    pub fn save(&mut self, scene: &mut Scene) -> Vec<u8> {
        self.save_as(scene, Simulation::save)
    }

    /// Saves all broken and damaged objects like [`Destruction::save`], but without the pieces: about 90 bytes a break and
    /// 70 a piece. Restoring breaks the objects again, which takes longer, and fails for an object whose mesh
    /// or pattern has changed since.
    pub fn save_compact(&mut self, scene: &mut Scene) -> Vec<u8> {
        self.save_as(scene, Simulation::save_compact)
    }

    fn save_as(&mut self, scene: &mut Scene, log: fn(&Simulation, BodyId) -> BreakLog) -> Vec<u8> {
        self.finish_breaks(scene);
        let mut archive = Archive::default();
        if let Some(simulation) = &self.simulation {
            let is_altered =
                |live: &&LiveObject| live.broken || simulation.damage(live.root) > Some(0.0);
            for object in self.objects.values() {
                let live = object.live().filter(is_altered);
                // Of objects with one name the place among them tells which is which.
                let is_counted =
                    live.is_some() || self.objects.all_named(&object.name).nth(1).is_some();
                if is_counted {
                    let log = live.map(|live| log(simulation, live.root));
                    let saved = (object.name.clone(), log.unwrap_or_default());
                    archive.objects.push(saved);
                }
            }
        }
        archive.to_bytes()
    }

    /// Restores the objects of a scene that has just been loaded: they get the saved pieces, or are broken
    /// again on all workers. No time passes in the scene.
    ///
    /// Objects are matched by name, and objects with the same name by their order in the scene. A save passed
    /// as a vector is not copied.
    ///
    /// # Errors
    /// [`RestoreError`]. It names the object that is not intact, or does not break as it did; the other
    /// objects are restored nevertheless.
    pub fn restore(
        &mut self,
        scene: &mut Scene,
        save: impl Into<Vec<u8>>,
    ) -> Result<(), RestoreError> {
        let archive = Archive::from_bytes(save)?;
        if self.simulation.is_none() || !self.restores.is_empty() {
            self.discover_objects(&mut scene.graph);
        }
        let plan = self.match_objects(archive)?;
        let Some(mut simulation) = self.simulation.take() else {
            return Ok(()); // it could not be started, which has been reported
        };
        // Restored breaks are no events: they happened before the save was made.
        let events = std::mem::take(&mut self.events);
        self.restoring = true;
        let mut result = Ok(());
        let logs: Vec<_> = plan.iter().map(|(_, root, log)| (*root, log)).collect();
        let graph = &mut scene.graph;
        // Before there are pieces to share a rigid body's mass.
        for (root, _) in &logs {
            self.share_mass(graph, &mut simulation, *root);
        }
        // Finished pieces are shown while the worker builds the others.
        let restored = simulation.restore_each(&logs, |simulation| {
            self.apply_events(graph, simulation);
        });
        self.apply_events(graph, &mut simulation);
        for ((name, ..), restored) in plan.into_iter().zip(restored) {
            if let Err(reason) = restored {
                self.faults.report(&name, &reason);
                result = result.and(Err(RestoreError::Object { name, reason }));
            }
        }
        self.place_pieces(graph, &simulation);
        self.restoring = false;
        self.events = events;
        self.simulation = Some(simulation);
        result
    }

    /// The object of each break log: the objects with its name in the order of the scene.
    fn match_objects(
        &self,
        archive: Archive,
    ) -> Result<Vec<(String, BodyId, BreakLog)>, RestoreError> {
        let mut matched: BTreeMap<String, usize> = BTreeMap::new();
        let mut plan = Vec::with_capacity(archive.objects.len());
        for (name, log) in archive.objects {
            let count = matched.entry(name.clone()).or_default();
            let mut named = self.objects.values().filter(|object| object.name == name);
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
    fn place_pieces(&mut self, graph: &mut Graph, simulation: &Simulation) {
        let bodies: Vec<_> = self.pieces.iter().map(|(body, _)| body).collect();
        for body in bodies {
            let Some(motion) = simulation.motion(body) else {
                // Restored breaks are no events, and neither is what hung on their pieces.
                self.drop_attachments(graph, body);
                self.view.remove_piece(graph, &mut self.pieces, body);
                continue;
            };
            let is_in_place = |piece: &Piece| piece.pose == motion.pose && !piece.batched;
            if self.pieces.get(body).is_some_and(is_in_place) {
                continue;
            }
            self.view.unbatch(graph, &mut self.pieces, body);
            self.pieces.set_pose(body, motion.pose);
            let free = self.pieces.get(body).filter(|piece| !piece.anchored);
            if let Some(piece) = free {
                swap::move_piece(graph, piece.node, &motion.pose);
                graph.update_hierarchical_data_for_descendants(piece.node);
            }
        }
    }
}
