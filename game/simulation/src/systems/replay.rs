//! Brings a whole body to where another one had come: the same breaks, the same places.

use crate::body::components::{Breakable, Debris, Intact, Pending, Seed};
use crate::body::{BodyId, Motion};
use crate::past::{Past, PastBreak, PastCause, PieceRef, PieceState, ReplayError};
use crate::simulation::Simulation;
use crate::systems::{hits, results, weighing};

impl Simulation {
    /// What has become of a body that was added: its breaks, and where its pieces are. Breaks under
    /// way are no part of it.
    pub fn past(&self, root: BodyId) -> Past {
        let mut named = self.chronicle.pieces(root);
        if self.world.contains(root.0) {
            named.push((PieceRef::WHOLE, root));
        }
        let states = named.into_iter();
        Past {
            breaks: self.chronicle.breaks(root).to_vec(),
            pieces: states
                .filter_map(|(piece, body)| self.state(piece, body))
                .collect(),
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
    /// for the worker; no time passes. The breaks are told of as events, as all breaks are.
    ///
    /// # Errors
    /// [`ReplayError`] when the body is not whole, or a break does not come out as it did: then the
    /// breaks before it have come to pass.
    pub fn replay(&mut self, root: BodyId, past: &Past) -> Result<(), ReplayError> {
        let whole = self.world.satisfies::<(&Intact,)>(root.0);
        if !whole || self.world.satisfies::<&Pending>(root.0) {
            return Err(ReplayError::NotWhole);
        }
        let wait = std::mem::replace(&mut self.settings.wait_for_results, true);
        let made = break_again(self, root, past);
        self.settings.wait_for_results = wait;
        let made = made?;
        place(self, root, past, &made);
        self.chronicle.adopt(root, past, &made);
        Ok(())
    }
}

/// The pieces of each break that has come to pass again.
type Made = Vec<Option<Vec<BodyId>>>;

fn named(root: BodyId, piece: PieceRef, made: &Made) -> Option<BodyId> {
    if piece == PieceRef::WHOLE {
        return Some(root);
    }
    let pieces = made.get(piece.made_by as usize)?.as_ref()?;
    pieces.get(piece.index as usize).copied()
}

/// Breaks everything again: in each round all that is there to be broken, on all workers.
fn break_again(
    simulation: &mut Simulation,
    root: BodyId,
    past: &Past,
) -> Result<Made, ReplayError> {
    let of = past.breaks.len();
    let mut made: Made = vec![None; of];
    loop {
        let open = |number: &usize| made.get(*number).is_some_and(Option::is_none);
        let mut under_way = Vec::new();
        for number in (0..of).filter(open) {
            let Some(order) = past.breaks.get(number) else {
                continue;
            };
            let Some(body) = named(root, order.piece, &made) else {
                continue;
            };
            if submit(simulation, body, order) {
                under_way.push((number, body, order.pieces as usize));
            }
        }
        let first_open = (0..of).find(open);
        if under_way.is_empty() {
            return match first_open {
                Some(number) => Err(ReplayError::Different {
                    number: number + 1,
                    of,
                }),
                None => Ok(made),
            };
        }
        results::apply_finished(simulation);
        for (number, body, count) in under_way {
            let pieces = simulation.lineage.pieces(body);
            if pieces.len() != count {
                return Err(ReplayError::Different {
                    number: number + 1,
                    of,
                });
            }
            if let Some(place) = made.get_mut(number) {
                *place = Some(pieces.to_vec());
            }
        }
    }
}

/// Has a body broken by what broke it before; false when it cannot be, or not yet.
fn submit(simulation: &mut Simulation, body: BodyId, past: &PastBreak) -> bool {
    let seed = simulation.world.query_one_mut::<&mut Seed>(body.0);
    let Ok(seed) = seed else {
        return false;
    };
    seed.hits = past.hits;
    match &past.cause {
        PastCause::Hit(hit) => hits::submit_past(simulation, body, hit),
        PastCause::Weight(weight) => weighing::submit_past(simulation, body, weight),
    }
}

/// Puts the living pieces where they were, and takes away those that had gone.
fn place(simulation: &mut Simulation, root: BodyId, past: &Past, made: &Made) {
    let mut living = Vec::with_capacity(past.pieces.len());
    for state in &past.pieces {
        let Some(body) = named(root, state.piece, made) else {
            continue;
        };
        living.push(body);
        place_one(simulation, body, state);
    }
    living.sort_unstable();
    for body in simulation.lineage.descendants(root) {
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
    let Ok(motion) = simulation.world.query_one_mut::<&mut Motion>(body.0) else {
        return;
    };
    *motion = state.motion;
    simulation.debris.place(handle, &state.motion, state.asleep);
}
