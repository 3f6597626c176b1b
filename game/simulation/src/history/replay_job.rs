//! Replay of a break log: a fresh body is broken as another one was. All breaks whose body exists run at the
//! same time, of all jobs, on all threads.

use std::collections::BTreeSet;

use super::log::{BreakLog, BreakRecord, LoggedCause, PieceRef, PieceState, ReplayError};
use super::saved_strain::note_saved_state;
use super::PieceOrigin;
use crate::event::Event;
use crate::impacts::resolve;
use crate::jobs::drawing_requests::{draw_bars, search_cracks};
use crate::jobs::stress_requests;
use crate::pieces::components::{BreakSeed, Breakable, Debris, Generation, Intact, KeepEntity};
use crate::pieces::{Anchors, Damage, Keep};
use crate::simulation::Simulation;
use crate::swap::apply_results;
use crate::types::{BodyId, Motion};

/// The replay of one body's log.
///
/// There are at most two runs. In the first only the pieces of the save are made with their render meshes
/// and colliders. When a break has another result than in the log, the body is made intact again, the log is
/// cut off before that break, and the second run makes all pieces.
pub(super) struct ReplayJob {
    source: BodyId,
    states: StatesOf,
    intact: IntactState,
    /// The breaks to be replayed.
    breaks: Vec<BreakRecord>,
    /// The pieces of each break that has been applied.
    results: Vec<Option<Vec<BodyId>>>,
    /// The pieces of the save.
    saved_pieces: BTreeSet<PieceRef>,
    /// The first break of this run that has another result than in the log.
    diverged_at: Option<usize>,
    error: Option<ReplayError>,
    /// Number of breaks in the log.
    log_length: usize,
}

/// Where the states of the pieces come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StatesOf {
    Save,
    /// It tells where the pieces are; their damage and their cracks follow from the breaks, and the breaks go on along
    /// them.
    OtherGame,
}

/// The components of the body before its first break, from which it is made intact again.
struct IntactState {
    breakable: Breakable,
    damage: Damage,
    anchors: Anchors,
    seed: BreakSeed,
    generation: Generation,
    motion: Motion,
}

/// Runs jobs until each is at the end of its log, or of the part of it that comes out as it did.
pub(super) fn replay_until_done(simulation: &mut Simulation, jobs: &mut [&mut ReplayJob]) {
    loop {
        run_breaks(simulation, jobs);
        let mut restarted = false;
        for job in jobs.iter_mut() {
            restarted |= job.restart_if_diverged(simulation);
        }
        if !restarted {
            break;
        }
    }
    for job in jobs {
        job.release_source(simulation);
    }
}

/// Runs all breaks that can be run, until none is left.
fn run_breaks(simulation: &mut Simulation, jobs: &mut [&mut ReplayJob]) {
    loop {
        let mut submitted = Vec::new();
        for (job_index, job) in jobs.iter().enumerate() {
            let breaks = job.submit_ready(simulation).into_iter();
            submitted.extend(breaks.map(|(index, body)| (job_index, index, body)));
        }
        if submitted.is_empty() && simulation.jobs.worker.outstanding() == 0 {
            return;
        }
        simulation.jobs.worker.help();
        apply_results::apply_results(simulation);
        for (job_index, index, body) in submitted {
            if let Some(job) = jobs.get_mut(job_index) {
                job.record_result(index, simulation.history.pieces.pieces(body));
            }
        }
    }
}

impl ReplayJob {
    /// Prepares the replay of an intact body. `None` for a body that is not intact, is being broken, or has
    /// a job already.
    pub fn new(
        simulation: &mut Simulation,
        source: BodyId,
        save: &BreakLog,
        states: StatesOf,
    ) -> Option<Self> {
        let intact = IntactState::capture(simulation, source)?;
        simulation.world.insert_one(source.0, KeepEntity).ok()?;
        Some(Self {
            source,
            states,
            intact,
            breaks: save.breaks.clone(),
            results: vec![None; save.breaks.len()],
            saved_pieces: save.pieces.iter().map(|state| state.piece).collect(),
            diverged_at: None,
            error: None,
            log_length: save.breaks.len(),
        })
    }

    /// Finds the body of a piece, as far as the replay has come.
    fn body_of(&self, piece: PieceRef) -> Option<BodyId> {
        if piece == PieceRef::INTACT {
            return Some(self.source);
        }
        let pieces = self.results.get(piece.break_index as usize)?.as_ref()?;
        pieces.get(piece.piece_index as usize).copied()
    }

    /// Submits the breaks whose bodies exist; gives their indices and bodies.
    fn submit_ready(&self, simulation: &mut Simulation) -> Vec<(usize, BodyId)> {
        let mut submitted = Vec::new();
        if self.diverged_at.is_some() {
            return submitted;
        }
        for (index, (record, result)) in self.breaks.iter().zip(&self.results).enumerate() {
            let Some(body) = self.body_of(record.piece).filter(|_| result.is_none()) else {
                continue;
            };
            if submit(
                simulation,
                body,
                record,
                self.pieces_to_finish(index),
                self.states,
            ) {
                submitted.push((index, body));
            }
        }
        submitted
    }

    /// Which pieces of a break are given render meshes and colliders.
    fn pieces_to_finish(&self, break_index: usize) -> Keep {
        if self.error.is_some() {
            return Keep::All; // the save does not say which pieces of this run are left
        }
        let break_index = u32::try_from(break_index).unwrap_or(u32::MAX);
        let piece = |piece_index| PieceRef {
            break_index,
            piece_index,
        };
        let saved = self.saved_pieces.range(piece(0)..=piece(u32::MAX));
        Keep::Only(saved.map(|piece| piece.piece_index as usize).collect())
    }

    /// Records the pieces of a break, and compares their number with the log. In the second run the very first
    /// break is accepted as it comes out, so that the body is broken at all.
    fn record_result(&mut self, index: usize, pieces: &[BodyId]) {
        let expected = self.breaks.get(index).map(|record| record.pieces as usize);
        let is_accepted = index == 0 && self.error.is_some();
        if expected != Some(pieces.len()) && !is_accepted {
            let first = self.diverged_at.unwrap_or(index).min(index);
            self.diverged_at = Some(first);
        }
        if let Some(result) = self.results.get_mut(index) {
            *result = Some(pieces.to_vec());
        }
    }

    /// If a break has diverged or could not be run: makes the body intact again, and cuts off the log before
    /// that break. Says whether it did.
    fn restart_if_diverged(&mut self, simulation: &mut Simulation) -> bool {
        let not_run = || self.results.iter().position(Option::is_none);
        let Some(index) = self.diverged_at.take().or_else(not_run) else {
            return false;
        };
        self.error = Some(ReplayError::Different {
            number: index + 1,
            of: self.log_length,
        });
        let is_intact = simulation.world.satisfies::<&Breakable>(self.source.0);
        self.breaks.truncate(index.max(1));
        if is_intact {
            self.breaks.clear(); // not even the first break could be run
        }
        self.undo(simulation, is_intact);
        self.results = vec![None; self.breaks.len()];
        if !is_intact {
            self.intact.restore(simulation, self.source);
        }
        true
    }

    /// Removes all pieces of this run, the body's history and the events about them. The event that says why an
    /// intact body did not break stays.
    fn undo(&self, simulation: &mut Simulation, is_intact: bool) {
        let pieces = self.results.iter().flatten().flatten();
        let pieces: BTreeSet<BodyId> = pieces.copied().collect();
        for piece in &pieces {
            simulation.despawn(*piece);
        }
        simulation.history.forget(self.source);
        let is_ours = |body: BodyId| body == self.source || pieces.contains(&body);
        simulation.events.retain(|event| match event {
            Event::Broken(broken) => !is_ours(broken.body),
            Event::BreakFailed { body, .. } => is_intact || !is_ours(*body),
            _ => true,
        });
    }

    /// Ends the last run: the body's entity is not needed for another one.
    fn release_source(&self, simulation: &mut Simulation) {
        let source = self.source.0;
        // `KeepEntity` was inserted by `new`, so neither call can fail.
        if simulation.world.satisfies::<&Breakable>(source) {
            let _ = simulation.world.remove_one::<KeepEntity>(source);
        } else {
            let _ = simulation.world.despawn(source);
        }
    }

    /// Puts the pieces where they were saved, removes those that are not in the save, and orders the breaks as
    /// in the log: they may have run in another order.
    pub fn place_pieces(
        self,
        simulation: &mut Simulation,
        save: &BreakLog,
    ) -> Result<(), ReplayError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut living = BTreeSet::new();
        for state in &save.pieces {
            if let Some(body) = self.body_of(state.piece) {
                living.insert(body);
                place_piece(simulation, body, state, self.states);
            }
        }
        for body in simulation.history.pieces.descendants(self.source) {
            if !living.contains(&body) {
                simulation.despawn(body);
            }
        }
        simulation.history.reorder(self.source, &save.breaks);
        Ok(())
    }
}

impl IntactState {
    fn capture(simulation: &Simulation, body: BodyId) -> Option<Self> {
        let entity = simulation.world.entity(body.0).ok()?;
        if !Intact::is_untouched(entity) {
            return None;
        }
        let seed = entity.get::<&BreakSeed>()?;
        Some(Self {
            breakable: Breakable::clone(&*entity.get::<&Breakable>()?),
            damage: Damage::clone(&*entity.get::<&Damage>()?),
            anchors: Anchors::clone(&*entity.get::<&Anchors>()?),
            seed: BreakSeed { ..*seed },
            generation: *entity.get::<&Generation>()?,
            motion: *entity.get::<&Motion>()?,
        })
    }

    fn restore(&self, simulation: &mut Simulation, body: BodyId) {
        let components = (
            Intact,
            self.breakable.clone(),
            self.damage.clone(),
            self.anchors.clone(),
            BreakSeed { ..self.seed },
            self.generation,
            self.motion,
        );
        // `KeepEntity` has kept the entity, so inserting cannot fail.
        let _ = simulation.world.insert(body.0, components);
        simulation.join_structure(body);
    }
}

/// Submits a logged break; false when the body does not exist, or cannot be broken yet.
fn submit(
    simulation: &mut Simulation,
    body: BodyId,
    record: &BreakRecord,
    keep: Keep,
    states: StatesOf,
) -> bool {
    let Ok(seed) = simulation.world.query_one_mut::<&mut BreakSeed>(body.0) else {
        return false;
    };
    seed.impacts = record.hits;
    let held_at = record.held_at.as_ref();
    match &record.cause {
        LoggedCause::Impact(impact) => {
            let finds_cracks = states == StatesOf::OtherGame;
            resolve::submit_logged(simulation, body, impact, held_at, keep, finds_cracks)
        }
        LoggedCause::Weight(collapse) => {
            stress_requests::submit_logged(simulation, body, collapse, held_at, keep).is_some()
        }
    }
}

fn place_piece(simulation: &mut Simulation, body: BodyId, state: &PieceState, states: StatesOf) {
    type Components<'a> = (
        &'a mut BreakSeed,
        &'a mut Breakable,
        &'a mut Damage,
        Option<&'a mut PieceOrigin>,
        Option<&'a Debris>,
    );
    let Ok((seed, breakable, damage, origin, debris)) =
        simulation.world.query_one_mut::<Components>(body.0)
    else {
        return;
    };
    seed.impacts = state.hits;
    if states == StatesOf::Save {
        breakable.broken_bonds = state.broken_bonds.clone().into();
        damage.spots.clone_from(&state.damage);
        damage.cracks.0.clone_from(&state.cracks);
    }
    if let Some(origin) = origin {
        origin.piece = state.piece;
    }
    let is_debris = debris.is_some();
    if states == StatesOf::Save {
        let debris = simulation.debris.wait_mut();
        debris.set_weld_ends(body, &state.welds);
    }
    note_saved_state(simulation, body, state);
    search_cracks(simulation, body);
    draw_bars(simulation, body);
    // The engine moves the other bodies.
    if !is_debris {
        return;
    }
    if state.motion.check().is_err() {
        return;
    }
    if simulation.place(body, state.motion, state.asleep).is_err() {
        return;
    }
    let world = simulation.debris.wait_mut();
    world.set_piece_motion(body, &state.motion, state.asleep);
}
