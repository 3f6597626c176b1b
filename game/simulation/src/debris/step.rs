//! One step of the debris world: what is done before and after the physics engine's own.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Instant;

use rapier3d::rayon::ThreadPool;

use super::targets::KinematicTargets;
use super::world::DebrisWorld;

/// Longest physics step, seconds; a longer frame is stepped in parts.
pub(crate) const LONGEST_STEP: f32 = 1.0 / 59.0;

/// Parts of a frame at most; what is left of a longer frame is dropped, so that a hitch slows the
/// debris for a moment and does not feed on itself.
const MOST_PARTS: usize = 4;

/// The longest frame that is stepped as a whole, seconds.
pub(crate) const LONGEST_FRAME: f32 = LONGEST_STEP * MOST_PARTS as f32;

/// A proxy that would have to move faster than this, m/s, has been teleported.
const TELEPORT: f32 = 200.0;

/// Whether time passes in a step of `dt` seconds.
pub(crate) fn passes(dt: f32) -> bool {
    dt.is_finite() && dt > 0.0
}

/// In how many parts a step of `dt` seconds is taken, and how long each is.
pub(super) fn parts(dt: f32) -> (usize, f32) {
    let parts = ((dt / LONGEST_STEP).ceil() as usize).clamp(1, MOST_PARTS);
    (parts, (dt / parts as f32).min(LONGEST_STEP))
}

/// How many threads take a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Threads {
    One,
    /// As many as there are for steps that a frame waits for.
    Crew,
}

impl DebrisWorld {
    /// A step that cannot take the game down: should the physics engine panic, debris stands still
    /// from then on.
    pub fn step_safely(&mut self, dt: f32, threads: Threads) {
        let (pool, crew) = (self.pool.take(), self.crew.take());
        let many = crew.as_ref().filter(|_| threads == Threads::Crew);
        self.step_on(many.or(pool.as_ref()), dt);
        (self.pool, self.crew) = (pool, crew);
    }

    fn step_on(&mut self, pool: Option<&ThreadPool>, dt: f32) {
        let (start, before) = (Instant::now(), self.steps);
        if !self.failed {
            // What is not worth a step is not worth waking a thread for.
            let pool = pool.filter(|_| !self.is_still(dt));
            let step = AssertUnwindSafe(|| match pool {
                Some(pool) => pool.install(|| self.step(dt)),
                None => self.step(dt),
            });
            self.failed = catch_unwind(step).is_err();
        }
        if self.failed {
            self.moves.begin();
        }
        let elapsed = start.elapsed().as_secs_f32();
        self.step_ms = elapsed * 1e3;
        if self.steps > before {
            self.part_cost = elapsed / (self.steps - before) as f32;
        }
    }

    /// Moves time on, after [`DebrisWorld::engage`]; a `dt` that is not above zero does nothing.
    fn step(&mut self, dt: f32) {
        self.blows.clear();
        self.moves.begin();
        if !passes(dt) {
            return;
        }
        let (parts, length) = parts(dt);
        self.parameters.dt = length;
        match self.is_still(dt) {
            true => self.pass(parts),
            false => self.take_parts(parts, dt),
        }
        self.exchange_out();
        self.hooks.passages.count_down();
    }

    fn take_parts(&mut self, parts: usize, dt: f32) {
        self.lift_fresh();
        if self.is_touched() {
            self.tie();
        }
        self.exchange_in(dt);
        self.make_way(dt);
        let began_at_rest = self.is_at_rest();
        let mut targets = std::mem::take(&mut self.targets);
        for part in 1..=parts {
            self.aim(&targets, part as f32 / parts as f32);
            self.calm();
            self.note_velocities();
            self.note_places();
            self.attend_newborn();
            let moving = self.moving();
            self.step_once();
            self.take_note();
            self.steps += 1;
            self.note_struck();
            self.gather_blows();
            self.hold_back(&moving);
            self.note_moves();
            self.settle(moving.iter().map(|(handle, _)| *handle));
            self.free_pushed();
        }
        targets.clear();
        self.targets = targets;
        self.moves.end(&self.bodies);
        self.count_still(began_at_rest);
    }

    fn calm(&mut self) {
        let (awake, dt) = (self.islands.active_bodies(), self.parameters.dt);
        self.rest.calm(awake, &mut self.bodies, &self.colliders, dt);
    }

    fn note_places(&mut self) {
        let fresh = self.fresh.iter().map(|(handle, _)| *handle);
        let active = self.islands.active_bodies().chain(fresh);
        self.moves.note(&self.bodies, active);
    }

    /// Who was woken in the middle of the step has moved as well.
    fn note_moves(&mut self) {
        let active = self.islands.active_bodies();
        self.moves.note(&self.bodies, active);
        self.moves.end(&self.bodies);
    }

    fn attend_newborn(&mut self) {
        let fresh = self.fresh.iter().map(|(handle, _)| *handle);
        let newborn = fresh.chain(self.settled.anew.drain(..));
        self.hooks.newborn.set(newborn);
        self.hooks.down = self.gravity.normalize_or_zero();
    }

    fn step_once(&mut self) {
        let Self {
            pipeline,
            parameters,
            islands,
            broad_phase,
            narrow_phase,
            bodies,
            colliders,
            impulse_joints,
            multibody_joints,
            ccd,
            gravity,
            hooks,
            collector,
            ..
        } = self;
        pipeline.step(
            *gravity,
            parameters,
            islands,
            broad_phase,
            narrow_phase,
            bodies,
            colliders,
            impulse_joints,
            multibody_joints,
            ccd,
            hooks,
            collector,
        );
    }

    /// Sends moving proxies a part of their way.
    fn aim(&mut self, targets: &KinematicTargets, part: f32) {
        for (handle, [from, to]) in targets.iter() {
            let Some(body) = self.bodies.get_mut(handle) else {
                continue;
            };
            let pose = if part >= 1.0 {
                to
            } else {
                from.lerp(&to, part)
            };
            let far = (to.translation - from.translation).length();
            if far > TELEPORT * self.parameters.dt {
                body.set_position(to, true);
            } else {
                body.set_next_kinematic_position(pose);
            }
        }
    }
}
