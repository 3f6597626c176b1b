//! Bodies that are broken again as they were broken before: in each round all that is there to be
//! broken, of all bodies.

use std::collections::BTreeSet;

use super::log::{BreakLog, BreakRecord, LoggedCause, PieceRef, PieceState, ReplayError};
use crate::event::Event;
use crate::impacts::resolve;
use crate::jobs::stress_requests;
use crate::pieces::components::{Breakable, Generation, Held, Intact, KeepEntity, Seed};
use crate::pieces::Keep;
use crate::pieces::{BodyId, Motion};
use crate::simulation::Simulation;
use crate::swap::apply_results;

/// A body on its way to where another one was.
pub(super) struct ReplayJob {
    root: BodyId,
    /// The pieces of each break that has come to pass again.
    made: Vec<Option<Vec<BodyId>>>,
    pub error: Option<ReplayError>,
    /// What is to come to pass.
    breaks: Vec<BreakRecord>,
    /// The pieces that are there in the end.
    lasting: BTreeSet<PieceRef>,
    /// The first break that came out otherwise.
    differs_at: Option<usize>,
    whole: IntactState,
    of: usize,
}

/// A body before its first break.
struct IntactState {
    breakable: Breakable,
    held: Held,
    seed: Seed,
    generation: Generation,
    motion: Motion,
}

/// Breaks everything again. Where a break comes out otherwise the body is made whole, and broken anew
/// up to there: its pieces have not been made to stay.
pub(super) fn break_again(simulation: &mut Simulation, bodies: &mut [&mut ReplayJob]) {
    loop {
        go_round(simulation, bodies);
        let begin = |again: &mut &mut ReplayJob| again.begin_anew(simulation);
        if bodies.iter_mut().filter_map(begin).count() == 0 {
            break;
        }
    }
    for again in bodies {
        again.end(simulation);
    }
}

/// Breaks what can be broken until nothing is left.
fn go_round(simulation: &mut Simulation, bodies: &mut [&mut ReplayJob]) {
    loop {
        let mut under_way = Vec::new();
        for (of, again) in bodies.iter().enumerate() {
            let submitted = again.submit(simulation).into_iter();
            under_way.extend(submitted.map(|(number, body)| (of, number, body)));
        }
        if under_way.is_empty() && simulation.worker.outstanding() == 0 {
            return;
        }
        simulation.worker.help();
        apply_results::apply_finished(simulation);
        for (of, number, body) in under_way {
            if let Some(again) = bodies.get_mut(of) {
                again.arrived(number, simulation.history.pieces.pieces(body));
            }
        }
    }
}

impl ReplayJob {
    /// A body that is whole; `None` when it is not, is being broken, or is on its way already.
    pub fn new(simulation: &mut Simulation, root: BodyId, past: &BreakLog) -> Option<Self> {
        let whole = IntactState::of(simulation, root)?;
        simulation.world.insert_one(root.0, KeepEntity).ok()?;
        Some(Self {
            root,
            made: vec![None; past.breaks.len()],
            error: None,
            breaks: past.breaks.clone(),
            lasting: past.pieces.iter().map(|state| state.piece).collect(),
            differs_at: None,
            whole,
            of: past.breaks.len(),
        })
    }

    /// The body of a name.
    fn named(&self, piece: PieceRef) -> Option<BodyId> {
        if piece == PieceRef::WHOLE {
            return Some(self.root);
        }
        let pieces = self.made.get(piece.made_by as usize)?.as_ref()?;
        pieces.get(piece.index as usize).copied()
    }

    /// What is there in the end, by what a past tells of it.
    pub fn living<'p>(&self, past: &'p BreakLog) -> Vec<(&'p PieceState, BodyId)> {
        let states = past.pieces.iter();
        let body = |state: &'p PieceState| Some((state, self.named(state.piece)?));
        states.filter_map(body).collect()
    }

    /// Hands over what can be broken; the numbers of those breaks, and what is broken.
    fn submit(&self, simulation: &mut Simulation) -> Vec<(usize, BodyId)> {
        if self.differs_at.is_some() {
            return Vec::new();
        }
        let breaks = self.breaks.iter().zip(&self.made).enumerate();
        let open = breaks.filter(|(_, (_, made))| made.is_none());
        let found = open.filter_map(|(number, (past, _))| {
            let body = self.named(past.piece)?;
            let lasting = self.lasting_of(number);
            submit_one(simulation, body, past, lasting).then_some((number, body))
        });
        found.collect()
    }

    /// Which pieces of a break are there in the end, by their place.
    fn lasting_of(&self, number: usize) -> Keep {
        if self.error.is_some() {
            return Keep::All; // nobody knows what becomes of them
        }
        let made_by = u32::try_from(number).unwrap_or(u32::MAX);
        let of_break = |index| PieceRef { made_by, index };
        let lasting = self.lasting.range(of_break(0)..=of_break(u32::MAX));
        Keep::Only(lasting.map(|piece| piece.index as usize).collect())
    }

    /// Takes note of what a break has come to. One that was the very first to differ may.
    fn arrived(&mut self, number: usize, pieces: &[BodyId]) {
        let expected = self.breaks.get(number).map(|past| past.pieces as usize);
        let may_differ = number == 0 && self.error.is_some();
        if expected != Some(pieces.len()) && !may_differ {
            let first = self.differs_at.unwrap_or(number).min(number);
            self.differs_at = Some(first);
        }
        if let Some(made) = self.made.get_mut(number) {
            *made = Some(pieces.to_vec());
        }
    }

    /// Makes the body whole again when it did not come to where it should, and leaves out what came
    /// out otherwise. `None` when there is nothing more to do.
    fn begin_anew(&mut self, simulation: &mut Simulation) -> Option<()> {
        let stuck = || self.made.iter().position(Option::is_none);
        let number = self.differs_at.take().or_else(stuck)?;
        self.error = Some(ReplayError::Different {
            number: number + 1,
            of: self.of,
        });
        let is_whole = simulation.world.satisfies::<&Breakable>(self.root.0);
        self.breaks.truncate(number.max(1));
        if is_whole {
            self.breaks.clear(); // not even the first break comes out
        }
        let gone: BTreeSet<BodyId> = self.made.iter().flatten().flatten().copied().collect();
        self.made = vec![None; self.breaks.len()];
        for body in &gone {
            simulation.despawn(*body);
        }
        simulation.history.breaks.forget_all(self.root);
        let is_ours = |body: BodyId| body == self.root || gone.contains(&body);
        simulation.events.retain(|event| match event {
            Event::Broken(broken) => !is_ours(broken.body),
            Event::BreakFailed { body, .. } => is_whole || !is_ours(*body),
            _ => true,
        });
        if !is_whole {
            self.whole.restore(simulation, self.root);
        }
        Some(())
    }

    /// The body is not kept any longer for another try.
    fn end(&self, simulation: &mut Simulation) {
        match simulation.world.satisfies::<&Breakable>(self.root.0) {
            // It was inserted at the beginning.
            true => drop(simulation.world.remove_one::<KeepEntity>(self.root.0)),
            false => drop(simulation.world.despawn(self.root.0)),
        }
    }
}

impl IntactState {
    fn of(simulation: &Simulation, root: BodyId) -> Option<Self> {
        let entity = simulation.world.entity(root.0).ok()?;
        if !Intact::is_untouched(entity) {
            return None;
        }
        let seed = entity.get::<&Seed>()?;
        Some(Self {
            breakable: Breakable::clone(&*entity.get::<&Breakable>()?),
            held: Held(entity.get::<&Held>()?.0.clone()),
            seed: Seed { ..*seed },
            generation: *entity.get::<&Generation>()?,
            motion: *entity.get::<&Motion>()?,
        })
    }

    fn restore(&self, simulation: &mut Simulation, root: BodyId) {
        let components = (
            Intact,
            self.breakable.clone(),
            Held(self.held.0.clone()),
            Seed { ..self.seed },
            self.generation,
            self.motion,
        );
        // Its entity has been kept.
        let _ = simulation.world.insert(root.0, components);
    }
}

/// Has a body broken by what broke it before; false when it cannot be, or not yet.
fn submit_one(
    simulation: &mut Simulation,
    body: BodyId,
    past: &BreakRecord,
    lasting: Keep,
) -> bool {
    let seed = simulation.world.query_one_mut::<&mut Seed>(body.0);
    let Ok(seed) = seed else {
        return false;
    };
    seed.hits = past.hits;
    match &past.cause {
        LoggedCause::Hit(hit) => resolve::submit_past(simulation, body, hit, lasting),
        LoggedCause::Weight(weight) => {
            stress_requests::submit_past(simulation, body, weight, lasting)
        }
    }
}
