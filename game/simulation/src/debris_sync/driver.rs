//! The state machine of the debris step.

use std::time::Duration;

use rapier3d::math::Pose;
use rayon::ThreadPoolBuildError;
use web_time::Instant;

use super::clock::InterpolationClock;
use super::interpolation::RenderPoses;
use super::thread::AsyncDebrisWorld;
use crate::debris::{time_passes, BodyRef, DebrisWorld, MovedPiece, Threads, MAX_FRAME};
use crate::settings::Settings;
use crate::types::{BodyId, Motion};

/// Time by which frames may be ahead of the clock, before they wait for a running step. Those of a game never are; a loop
/// without a pace is, and might end before its first step does.
const MAX_LEAD: Duration = Duration::from_millis(100);

/// Part of a frame above which the substeps of a step ahead are long, and are taken by many threads. One
/// thread takes shorter ones, so that the others are free for drawing.
const LONG_SUBSTEP: f32 = 0.25;

/// How long a frame looks out for the end of a step ahead of it, so that one that is about to end is not missed. It does
/// not sleep: where all cores are busy, it might wake half a frame later.
const PATIENCE: Duration = Duration::from_micros(500);

/// The debris step, which is taken in its frame, beside it or ahead of it:
/// - *In the frame* while a body of the engine is among debris, because the engine needs the corrected
///   motions in the same frame, and the host begins no steps ahead; and if every frame has to be complete
///   ([`Settings::wait_for_results`]).
/// - *Beside the frames* otherwise: it is begun at the end of
///   [`Simulation::step`](crate::Simulation::step), and its results come in the next frame, or in a later
///   one if it takes long.
/// - *Ahead of the frame*, if the host asks for it
///   ([`Simulation::begin_next_step`](crate::Simulation::begin_next_step)): it runs while the host draws,
///   and the next frame takes its results and no step of its own. For such a host the frame in which a body
///   comes near takes no step, as pieces enter at rest to one another: the step is begun when it draws.
///
/// | state           | `fetch_results` | `step`: beside  | `step`: in frame | `step`: shadow active | `begin_next_step` |
/// |-----------------|-----------------|-----------------|------------------|-----------------------|-------------------|
/// | `Idle`          | -               | `RunningBeside` | `Idle`           | `AheadAllowed` (*)    | refused           |
/// | `AheadAllowed`  | -               | `RunningBeside` | `Idle`           | `AheadAllowed` (*)    | `RunningAhead`    |
/// | `RunningBeside` | `Idle`          | fetched before  | fetched before   | fetched before        | refused           |
/// | `RunningAhead`  | `FetchedAhead`  | fetched before  | fetched before   | fetched before        | refused           |
/// | `FetchedAhead`  | -               | no step: `AheadAllowed` | as before | as before            | refused           |
///
/// The three columns of `step`: no shadow body is active and steps overlap with frames; none is active
/// and every frame has to be complete; a shadow body is active. (*) No step is taken where the host has asked
/// for one ahead since the last step, but once in a row at most.
/// A step without time changes no state. A frame that is skipped (`try_skip_frame`) leaves
/// `RunningBeside` and `RunningAhead` as they are; the bodies of the engine that a step ahead moves stay where
/// they are in such a frame. `wait`, `wait_mut`, `fetch_results`, `step` and `begin_next_step` wait for a
/// running step; the other methods do not.
pub(crate) struct DebrisDriver {
    world: AsyncDebrisWorld,
    state: StepState,
    /// Whether this frame, or the last one, went on without the running step.
    is_frame_skipped: bool,
    /// When the next frame begins if those since the last step was begun take the time that they stand for.
    frame_due: Instant,
    /// Whether the host has asked for a step ahead since the last step.
    host_asked: bool,
    /// Whether the last frame took no step, so that one could be begun ahead.
    postponed: bool,
    /// Bodies of the engine that the last step ahead moves, by body.
    moved_ahead: Vec<BodyRef>,
    clock: InterpolationClock,
    render_poses: RenderPoses,
    /// Motions that the host reported during a step.
    pending_motions: Vec<(BodyRef, Motion)>,
    freeze_changes: Vec<(BodyId, bool)>,
    corrected_motions: Vec<(BodyRef, Motion)>,
}

/// States of [`DebrisDriver`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum StepState {
    /// No step runs, and none may be begun ahead of its frame.
    Idle,
    /// No step runs; the next one may be begun ahead of its frame.
    AheadAllowed,
    /// A step was begun in an earlier frame; its results have not been fetched.
    RunningBeside,
    /// The step of the next frame was begun; its results have not been fetched.
    RunningAhead,
    /// The results of a step ahead have been fetched; the next frame with time takes no other step.
    FetchedAhead,
}

impl DebrisDriver {
    pub fn new(settings: &Settings) -> Result<Self, ThreadPoolBuildError> {
        Ok(Self {
            world: AsyncDebrisWorld::new(settings)?,
            state: StepState::Idle,
            is_frame_skipped: false,
            frame_due: Instant::now(),
            host_asked: false,
            postponed: false,
            moved_ahead: Vec::new(),
            clock: InterpolationClock::default(),
            render_poses: RenderPoses::default(),
            pending_motions: Vec::with_capacity(64),
            freeze_changes: Vec::new(),
            corrected_motions: Vec::new(),
        })
    }

    /// The debris world. Waits for a running step.
    pub fn wait(&self) -> &DebrisWorld {
        self.world.wait()
    }

    /// The debris world, to be changed. Waits for a running step.
    pub fn wait_mut(&mut self) -> &mut DebrisWorld {
        self.world.wait_mut()
    }

    /// Whether a step is running, so that access to the world would have to wait.
    pub fn is_stepping(&mut self) -> bool {
        self.world.is_stepping()
    }

    /// Whether the step of the next frame has been begun, and its results have not been fetched.
    pub fn is_next_step_running(&self) -> bool {
        self.state == StepState::RunningAhead
    }

    /// Begins a frame of `dt` seconds.
    pub fn begin_frame(&mut self, dt: f32) {
        if time_passes(dt) {
            self.clock.begin_frame(dt.min(MAX_FRAME));
        }
    }

    /// Whether this frame goes on without the step beside or ahead of it, which is still running. Steps of thousands of
    /// pieces take several frames: to wait for one would be seen more than rubble that is late. No frame is skipped if every
    /// one has to be complete.
    pub fn try_skip_frame(&mut self, dt: f32, settings: &Settings) -> bool {
        self.is_frame_skipped = settings.overlaps_frames() && self.is_late();
        self.frame_due += Duration::from_secs_f32(dt.min(MAX_FRAME));
        if self.is_frame_skipped {
            self.clear_reports();
            if self.state == StepState::RunningAhead {
                // Pieces stay where they are, as the bodies of the engine among them do.
                self.clock.reset();
            }
        }
        self.is_frame_skipped
    }

    fn is_late(&mut self) -> bool {
        let lead = self.frame_due.saturating_duration_since(Instant::now());
        if lead > MAX_LEAD {
            return self.world.is_stepping_after(lead - MAX_LEAD);
        }
        match self.state {
            StepState::RunningAhead => self.world.is_stepping_throughout(PATIENCE),
            _ => self.world.is_stepping(),
        }
    }

    /// Bodies of the engine that have to stay where they are in this frame, by body: the step ahead that moves
    /// them is not finished.
    pub fn waiting_bodies(&self) -> &[BodyRef] {
        if self.state == StepState::RunningAhead && self.is_frame_skipped {
            &self.moved_ahead
        } else {
            &[]
        }
    }

    /// Ends a step that was begun in an earlier frame, and waits for it. Returns whether there was one,
    /// whose results are to be taken ([`DebrisDriver::take_results`]).
    pub fn fetch_results(&mut self) -> bool {
        self.clear_reports();
        self.state = match self.state {
            StepState::RunningBeside => StepState::Idle,
            StepState::RunningAhead => StepState::FetchedAhead,
            StepState::Idle | StepState::AheadAllowed | StepState::FetchedAhead => return false,
        };
        self.clock.end_step(self.world.wait().substep_cost);
        true
    }

    /// Forgets the reports of the last step.
    fn clear_reports(&mut self) {
        self.freeze_changes.clear();
        self.corrected_motions.clear();
    }

    /// Takes the results of a step. `apply` gets each piece that moved, and returns whether it still
    /// exists.
    pub fn take_results(&mut self, mut apply: impl FnMut(&MovedPiece) -> bool) {
        let world = self.world.wait_mut();
        self.freeze_changes.extend(world.take_freeze_changes());
        self.corrected_motions.clear();
        self.corrected_motions.extend(world.corrected_motions());
        self.render_poses.begin_step();
        for moved in world.moved() {
            if apply(moved) {
                self.render_poses.add(*moved);
            }
        }
    }

    /// Passes on the motions that were reported during a step.
    pub fn apply_pending_motions(&mut self) {
        let world = self.world.wait_mut();
        for (owner, motion) in self.pending_motions.drain(..) {
            world.set_motion(owner, motion);
        }
    }

    /// Takes the frame's step of `dt` seconds, or begins it. Returns whether there are results to be taken
    /// ([`DebrisDriver::take_results`]).
    pub fn step(&mut self, dt: f32, settings: &Settings) -> bool {
        if !time_passes(dt) {
            self.clock.reset();
            return false;
        }
        let may_postpone = std::mem::take(&mut self.host_asked) && !self.postponed;
        self.postponed = false;
        if self.state == StepState::FetchedAhead {
            self.state = StepState::AheadAllowed;
            self.clock.reset();
            return false;
        }
        let world = self.world.wait_mut();
        let is_any_shadow_active = world.activate_shadow_bodies(dt);
        if settings.overlaps_frames() && !is_any_shadow_active {
            let length = self.clock.begin_step(dt.min(MAX_FRAME));
            self.begin_step(length, dt, Threads::Single);
            self.state = StepState::RunningBeside;
            return false;
        }
        self.clock.reset();
        if settings.overlaps_frames() && may_postpone {
            world.accept_engine_step();
            self.postponed = true;
            self.state = StepState::AheadAllowed;
            return false;
        }
        let threads = if settings.wait_for_results {
            Threads::Single
        } else {
            Threads::Pool
        };
        world.step_safely(dt, threads);
        self.state = if is_any_shadow_active {
            StepState::AheadAllowed
        } else {
            StepState::Idle
        };
        true
    }

    /// Whether [`DebrisDriver::begin_next_step`] of `dt` seconds may begin a step. Notes that the host asks.
    pub fn can_begin_next_step(&mut self, dt: f32, settings: &Settings) -> bool {
        self.host_asked = true;
        self.state == StepState::AheadAllowed && settings.overlaps_frames() && time_passes(dt)
    }

    /// Begins the step of the next frame, of `dt` seconds, if a body of the engine is among debris.
    /// Returns whether it did.
    pub fn begin_next_step(&mut self, dt: f32) -> bool {
        let world = self.world.wait_mut();
        if !world.activate_shadow_bodies(dt) {
            return false;
        }
        let threads = if world.substep_cost > LONG_SUBSTEP * dt {
            Threads::Pool
        } else {
            Threads::Single
        };
        self.moved_ahead.clear();
        self.moved_ahead.extend(world.active_shadow_owners());
        self.begin_step(dt, dt, threads);
        self.state = StepState::RunningAhead;
        true
    }

    /// Begins a step of so many seconds in a frame of `dt` seconds.
    fn begin_step(&mut self, length: f32, dt: f32, threads: Threads) {
        self.frame_due = Instant::now() + Duration::from_secs_f32(dt.min(MAX_FRAME));
        self.world.begin_step(length, threads);
    }

    /// Passes on the motion of a body that the engine moves, or keeps it until the end of a running step.
    pub fn set_motion(&mut self, owner: BodyRef, motion: Motion) {
        if self.world.is_stepping() {
            self.forget_pending_motion(owner);
            self.pending_motions.push((owner, motion));
        } else {
            self.world.wait_mut().set_motion(owner, motion);
        }
    }

    /// Forgets a motion that was reported during a step, because its body is replaced or goes.
    pub fn forget_pending_motion(&mut self, owner: BodyRef) {
        self.pending_motions.retain(|(other, _)| *other != owner);
    }

    /// Computes the poses at which pieces are drawn in this frame.
    pub fn update_render_poses(&mut self) {
        self.render_poses.update(self.clock.render_time());
    }

    /// The pieces that are drawn elsewhere than in the last frame.
    pub fn render_poses(&self) -> &[(BodyId, Pose)] {
        self.render_poses.poses()
    }

    /// Number of pieces of the last step that are not at rest.
    pub fn awake(&self) -> usize {
        self.render_poses.awake()
    }

    /// Pieces that were frozen (true) or thawed in the last step, in order.
    pub fn freeze_changes(&self) -> &[(BodyId, bool)] {
        &self.freeze_changes
    }

    /// Bodies of the engine that debris has touched in the last step, with their motions after it, by body.
    pub fn corrected_motions(&self) -> &[(BodyRef, Motion)] {
        &self.corrected_motions
    }

    /// Has the next questions find a step running; for tests.
    #[cfg(test)]
    pub fn pretend_stepping(&mut self, questions: u32) {
        self.world.pretended_steps = questions;
    }
}
