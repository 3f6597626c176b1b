//! One step of the debris world: the work before and after rapier's own step.

use std::panic::{catch_unwind, AssertUnwindSafe};

use rayon::ThreadPool;
use web_time::Instant;

use super::contact_forces::contact_forces;
use super::freeze::may_thaw;
use super::sleep::wake_falling;
use super::support::{release_unsupported, resting_pieces};
use super::tunnelling::moving_pieces;
use super::weld_strength::break_and_bend_welds;
use super::world::DebrisWorld;
use crate::platform::on_this_thread;

/// Longest step of rapier, seconds; a longer frame is taken in substeps.
pub(crate) const MAX_SUBSTEP: f32 = 1.0 / 59.0;

/// Substeps of a frame at most. The rest of a longer frame is dropped, so that a hitch slows the debris
/// for a moment and does not feed on itself.
const MAX_SUBSTEPS: usize = 4;

/// The longest frame that is stepped as a whole, seconds.
pub(crate) const MAX_FRAME: f32 = MAX_SUBSTEP * MAX_SUBSTEPS as f32;

/// Whether time passes in a step of `dt` seconds.
pub(crate) fn time_passes(dt: f32) -> bool {
    dt.is_finite() && dt > 0.0
}

/// The substeps of one step.
#[derive(Clone, Copy)]
struct Substeps {
    count: usize,
    /// Length of each, seconds.
    length: f32,
}

impl Substeps {
    fn new(dt: f32) -> Self {
        let count = ((dt / MAX_SUBSTEP).ceil() as usize).clamp(1, MAX_SUBSTEPS);
        Self {
            count,
            length: (dt / count as f32).min(MAX_SUBSTEP),
        }
    }
}

/// Threads that take a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Threads {
    Single,
    /// As many as [`Settings::physics_threads`](crate::Settings::physics_threads).
    Pool,
}

impl DebrisWorld {
    /// Takes a step that cannot take the game down: if rapier panics, debris stands still from then on.
    pub fn step_safely(&mut self, dt: f32, threads: Threads) {
        let (single, pool) = (self.single_thread.take(), self.thread_pool.take());
        let chosen = pool.as_ref().filter(|_| threads == Threads::Pool);
        self.step_on(chosen.or(single.as_ref()), dt);
        (self.single_thread, self.thread_pool) = (single, pool);
    }

    fn step_on(&mut self, pool: Option<&ThreadPool>, dt: f32) {
        let (start, steps_before) = (Instant::now(), self.steps);
        if !self.failed {
            // A step that can be skipped is not worth waking a thread for.
            let pool = pool.filter(|_| !self.can_skip_step(dt));
            let step = AssertUnwindSafe(|| match pool {
                Some(pool) => pool.install(|| self.step(dt)),
                None => self.step_here(dt),
            });
            self.failed = catch_unwind(step).is_err();
        }
        if self.failed {
            self.moves.begin();
        }
        let elapsed = start.elapsed().as_secs_f32();
        self.step_ms = elapsed * 1e3;
        if self.steps > steps_before {
            self.substep_cost = elapsed / (self.steps - steps_before) as f32;
        }
    }

    /// Takes a step in the calling thread.
    fn step_here(&mut self, dt: f32) {
        if self.can_skip_step(dt) {
            return self.step(dt);
        }
        let mut spare = self.spare_pool.take();
        on_this_thread(&mut spare, || self.step(dt));
        self.spare_pool = spare;
    }

    /// Moves time on, after [`DebrisWorld::activate_shadow_bodies`]; does nothing unless `dt` is above
    /// zero.
    fn step(&mut self, dt: f32) {
        self.contacts.collisions.clear();
        self.contact_forces.clear();
        self.contact_time = 0.0;
        self.moves.begin();
        if !time_passes(dt) {
            return;
        }
        let substeps = Substeps::new(dt);
        self.physics.parameters.dt = substeps.length;
        if self.can_skip_step(dt) {
            for _ in 0..substeps.count {
                self.frozen.advance_clock(substeps.length);
            }
        } else {
            self.take_substeps(substeps, dt);
        }
        let passages = &self.hooks.passages;
        self.shadows
            .sync_out(&self.physics, |body| passages.has(body));
        self.hooks.passages.update(&self.physics, dt);
    }

    fn take_substeps(&mut self, substeps: Substeps, dt: f32) {
        self.hooks.exchanges.apply(&mut self.physics, self.steps);
        self.tunnelling
            .unembed_new(&mut self.physics, &self.hooks.released);
        if self.is_dirty() {
            self.joints.connect(&mut self.physics);
            self.physics.connect_welds();
        }
        self.shadows.sync_in(&mut self.physics, dt);
        self.hooks.passages.end_uncut(&self.physics);
        self.frozen.thaw_ahead(&mut self.physics, &self.shadows, dt);
        let began_at_rest = self.is_at_rest();
        for index in 1..=substeps.count {
            self.take_substep(index as f32 / substeps.count as f32);
        }
        if self.collects_forces {
            self.contact_forces = contact_forces(&self.physics);
            self.contact_time = dt;
        }
        self.targets.clear();
        self.moves.update(&self.physics);
        self.idle_steps.count(began_at_rest && !self.is_dirty());
    }

    /// Takes one substep; `fraction` is the part of the step that has passed after it.
    fn take_substep(&mut self, fraction: f32) {
        let physics = &mut self.physics;
        self.targets.apply(physics, fraction);
        self.sleep.update(physics);
        let shadows = self.shadows.active().map(|shadow| shadow.handle);
        self.contacts.record_velocities(physics, shadows);
        self.energy_bound.record(physics);
        self.moves.record(physics);
        let new_pieces = physics.new_pieces.iter().map(|piece| piece.handle);
        let reinserted = self.frozen.reinserted.iter().copied();
        let exchanged = self.hooks.exchanges.exchanged.drain(..);
        let parted = physics.welds.parted.iter().copied();
        let new_bodies = new_pieces.chain(reinserted).chain(exchanged).chain(parted);
        self.hooks.new_bodies.set(new_bodies);
        let settled = self.hooks.exchanges.settled.drain(..);
        self.hooks.settled.set(settled);
        self.hooks.down = physics.gravity.normalize_or_zero();
        let moving = moving_pieces(physics, &self.frozen.reinserted);
        self.frozen.reinserted.clear();
        physics.welds.parted.clear();

        physics.step(&self.hooks, self.contacts.event_handler());
        wake_falling(physics, &moving);
        self.energy_bound.limit(physics);
        physics.clear_dirty();
        self.joints.clear_dirty();
        self.steps += 1;

        self.hooks.struck.set(self.contacts.struck(physics));
        self.hooks.unbalanced.set(std::iter::empty());
        self.contacts.collect(physics);
        self.landings
            .update(physics, |body| self.contacts.velocities_before(body));
        break_and_bend_welds(physics, self.hooks.struck.iter());
        self.tunnelling
            .correct(physics, &moving, &self.hooks.released, &|piece| {
                self.sleep.has_stayed(piece)
            });
        // Pieces that were woken in the middle of the step have moved as well.
        self.moves.record(physics);
        self.moves.update(physics);
        self.release_unsupported();
        let physics = &mut self.physics;
        let moved = moving.iter().map(|piece| piece.handle);
        self.frozen
            .update(physics, &self.shadows, moved, &self.sleep);
        self.frozen.thaw_struck(physics, self.hooks.struck.iter());
    }

    /// Releases the pieces that are about to sleep, or to be frozen, and that nothing carries.
    fn release_unsupported(&mut self) {
        let (physics, released) = (&mut self.physics, &mut self.hooks.released);
        let mut new = resting_pieces(physics);
        new.retain(|piece| release_unsupported(physics, released, *piece));
        self.sleep.freezable.retain(|piece| {
            let is_released = release_unsupported(physics, released, *piece);
            new.extend(is_released.then_some(*piece));
            !is_released
        });
        self.hooks.unbalanced.add(new.into_iter());
        released.forget_separated(physics);
    }

    /// Whether a step of `dt` seconds would change nothing.
    pub fn can_skip_step(&self, dt: f32) -> bool {
        #[cfg(test)]
        if self.never_idle {
            return false;
        }
        let substeps = Substeps::new(dt);
        let gravity = self.physics.gravity;
        let pushes = || {
            self.shadows
                .active()
                .any(|shadow| may_thaw(shadow, gravity, dt))
        };
        self.idle_steps.are_enough()
            && self.is_at_rest()
            && !self.frozen.is_any_due(substeps.count, substeps.length)
            && !pushes()
            && !self.shadows.is_any_disturbed(&self.physics, dt)
    }

    /// Whether nothing moves, and nothing has changed since the last step.
    fn is_at_rest(&self) -> bool {
        let mut awake = self.physics.islands.active_bodies();
        !self.is_dirty() && self.targets.is_empty() && awake.next().is_none()
    }

    /// Whether anything may have changed since rapier has stepped.
    fn is_dirty(&self) -> bool {
        self.physics.is_dirty() || self.joints.is_dirty()
    }
}
