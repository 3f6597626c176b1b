//! Brings a whole body to where another one had come: the same breaks, the same places.

use super::log::{BreakLog, PieceRef, PieceState, ReplayError};
use super::replay_job::{break_again, ReplayJob};
use super::restore::recall_all;
use crate::pieces::components::{Breakable, Debris, Seed};
use crate::pieces::{BodyId, Motion};
use crate::simulation::Simulation;

impl Simulation {
    /// What has become of a body that was added: its breaks, and where its pieces are. Breaks under
    /// way are no part of it.
    pub fn past(&self, root: BodyId) -> BreakLog {
        let mut named = self.history.breaks.pieces(root);
        if self.world.contains(root.0) {
            named.push((PieceRef::WHOLE, root));
        }
        let states = named.into_iter();
        BreakLog {
            breaks: self.history.breaks.breaks(root).to_vec(),
            pieces: states
                .filter_map(|(piece, body)| self.state(piece, body))
                .collect(),
            kept: None,
        }
    }

    fn state(&self, piece: PieceRef, body: BodyId) -> Option<PieceState> {
        let entity = self.world.entity(body.0).ok()?;
        let debris = entity.get::<&Debris>().map(|debris| debris.handle);
        let hits = entity.get::<&Seed>()?.hits;
        let cracks = entity.get::<&Breakable>()?.damage.to_vec();
        Some(PieceState {
            piece,
            motion: *entity.get::<&Motion>()?,
            asleep: debris.is_some_and(|handle| self.debris.is_asleep(handle)),
            hits,
            cracks,
        })
    }

    /// Breaks a whole body as another one was broken, and puts its pieces where those were. It waits
    /// for the worker; no time passes. The breaks are told of as events, as all breaks are; of pieces
    /// that broke again or went, nothing is made that could be seen or touched.
    ///
    /// A past that has the pieces themselves is told of as one break ([`Cause::Restore`](crate::Cause::Restore)),
    /// and nothing is broken.
    ///
    /// # Errors
    /// [`ReplayError`] when the body is not whole, or a break does not come out as it did: then the
    /// breaks before it have come to pass, or the first one as it comes out.
    pub fn replay(&mut self, root: BodyId, past: &BreakLog) -> Result<(), ReplayError> {
        let mut outcomes = self.replay_all(&[(root, past)]);
        outcomes.pop().unwrap_or(Ok(()))
    }

    /// [`Simulation::replay`] for several bodies at the same time, on all workers and the calling
    /// thread; what has come of each.
    pub fn replay_all(&mut self, pasts: &[(BodyId, &BreakLog)]) -> Vec<Result<(), ReplayError>> {
        self.replay_each(pasts, |_| ())
    }

    /// The same, calling back whenever a body has got its pieces, while the worker makes those of others:
    /// for the embedding layer to show them meanwhile. What is told of before the end may be told of then.
    pub fn replay_each(
        &mut self,
        pasts: &[(BodyId, &BreakLog)],
        mut told: impl FnMut(&mut Self),
    ) -> Vec<Result<(), ReplayError>> {
        let wait = std::mem::replace(&mut self.settings.wait_for_results, true);
        let mut recalled = recall_all(self, pasts, &mut told);
        let mut ways = Vec::with_capacity(pasts.len());
        for (number, (root, past)) in pasts.iter().enumerate() {
            ways.push(match recalled.remove(&number) {
                true => RestoreMethod::Snapshot,
                false => RestoreMethod::Replay(ReplayJob::new(self, *root, past).map(Box::new)),
            });
        }
        let mut begun: Vec<&mut ReplayJob> =
            ways.iter_mut().filter_map(RestoreMethod::again).collect();
        // With nothing to break nobody waits for the worker.
        if !begun.is_empty() {
            break_again(self, &mut begun);
        }
        self.settings.wait_for_results = wait;
        let ended = ways.into_iter().zip(pasts);
        ended
            .map(|(way, (root, past))| self.end_replay(way, *root, past))
            .collect()
    }

    fn end_replay(
        &mut self,
        way: RestoreMethod,
        root: BodyId,
        past: &BreakLog,
    ) -> Result<(), ReplayError> {
        let RestoreMethod::Replay(again) = way else {
            return Ok(());
        };
        let again = again.ok_or(ReplayError::NotWhole)?;
        if let Some(error) = again.error {
            return Err(error);
        }
        settle(self, root, past, &again.living(past));
        Ok(())
    }
}

/// How a body comes to where another one was.
enum RestoreMethod {
    /// By pieces that were kept; it is there.
    Snapshot,
    /// By the breaks; not at all when it is not whole.
    Replay(Option<Box<ReplayJob>>),
}

impl RestoreMethod {
    fn again(&mut self) -> Option<&mut ReplayJob> {
        match self {
            Self::Snapshot => None,
            Self::Replay(again) => again.as_deref_mut(),
        }
    }
}

/// The pieces of a past that live, and what they are now.
type Living<'a> = [(&'a PieceState, BodyId)];

/// Puts the pieces where they were, and names them and their breaks as the past does.
fn settle(simulation: &mut Simulation, root: BodyId, past: &BreakLog, living: &Living) {
    place(simulation, root, living);
    simulation.history.breaks.adopt(root, past, living);
}

/// Puts the living pieces where they were, and takes away those that had gone.
fn place(simulation: &mut Simulation, root: BodyId, pieces: &Living) {
    let mut living = Vec::with_capacity(pieces.len());
    for (state, body) in pieces {
        living.push(*body);
        place_one(simulation, *body, state);
    }
    living.sort_unstable();
    for body in simulation.history.pieces.descendants(root) {
        if living.binary_search(&body).is_err() {
            simulation.despawn(body);
        }
    }
}

fn place_one(simulation: &mut Simulation, body: BodyId, state: &PieceState) {
    type Marks<'a> = (&'a mut Seed, &'a mut Breakable);
    if let Ok((seed, breakable)) = simulation.world.query_one_mut::<Marks>(body.0) {
        seed.hits = state.hits;
        breakable.damage = state.cracks.clone().into();
    }
    // What is held is where the body of the embedding layer is.
    let debris = simulation.world.get::<&Debris>(body.0);
    let Some(handle) = debris.ok().map(|debris| debris.handle) else {
        return;
    };
    if state.motion.check().is_err() {
        return;
    }
    if simulation.place(body, state.motion, state.asleep).is_err() {
        return;
    }
    simulation.debris.place(handle, &state.motion, state.asleep);
}
