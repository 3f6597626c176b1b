//! One run of the open scene: actions of the scenario and the player, frame by frame, and their
//! recording.

use crate::{
    players::{perform_of_others, perform_shared, Players},
    record::Recorder,
    scenario::{Action, Balls, Post, Scenario},
};
use fracture::Destruction;
use fyrox::{core::log::Log, scene::Scene};
use std::sync::Arc;

/// Most balls of the player in the scene.
pub const MOST_BALLS: usize = 40;

/// One run of a scene, from opening to closing.
#[derive(Default)]
pub struct Session {
    plan: Option<Arc<Scenario>>,
    recorder: Option<Recorder>,
    balls: Balls,
    /// Actions of the player for the next frame.
    ordered: Vec<Action>,
    /// Frames that have passed; `None` before the first update.
    frames: Option<u32>,
}

impl Session {
    /// Makes a run that has not begun, with an optional scenario.
    pub fn new(plan: Option<Arc<Scenario>>, recorder: Option<Recorder>) -> Self {
        let most = match &plan {
            Some(plan) => plan.most_balls,
            None => Some(MOST_BALLS),
        };
        Self {
            plan,
            recorder,
            balls: Balls::new(most),
            ordered: Vec::new(),
            frames: None,
        }
    }

    /// Frames that have passed.
    pub fn frames(&self) -> u32 {
        self.frames.unwrap_or(0)
    }

    /// Whether the first update has been made.
    pub fn has_begun(&self) -> bool {
        self.frames.is_some()
    }

    /// Whether a recording is under way.
    pub fn is_recording(&self) -> bool {
        self.recorder.as_ref().is_some_and(Recorder::is_running)
    }

    /// Whether the scenario has come to its end.
    pub fn is_over(&self) -> bool {
        let plan = self.plan.as_ref();
        plan.is_some_and(|plan| self.frames() >= plan.frames)
    }

    /// Schedules an action before the next frame.
    pub fn order(&mut self, action: Action) {
        self.ordered.push(action);
    }

    /// Performs the actions before the next frame, those of other players first. Call right after [`Destruction::update`], whose first
    /// call precedes the first frame. Returns problems in words.
    pub fn step(
        &mut self,
        scene: &mut Scene,
        destruction: &mut Destruction,
        players: &mut Players,
        post: &mut Post,
    ) -> Vec<String> {
        let frame = self.frames.map_or(0, |frames| frames + 1);
        self.frames = Some(frame);
        self.balls.tidy(scene);
        let mut wrong = Vec::new();
        if self.is_over() {
            wrong.extend(self.end(destruction));
        }
        wrong.extend(perform_of_others(players, scene, destruction, &mut self.balls).err());
        for action in self.due(frame) {
            if let Some(recorder) = &mut self.recorder {
                let noted = recorder.note(frame, &action);
                wrong.extend(noted.err().map(|error| error.to_string()));
            }
            let done = perform_shared(players, &action, scene, destruction, &mut self.balls, post);
            wrong.extend(done.err());
        }
        wrong
    }

    /// Returns the actions of scenario and player before a frame.
    fn due(&mut self, frame: u32) -> Vec<Action> {
        let planned = self.plan.iter().flat_map(|plan| {
            let due = move |when: u32| when == frame;
            let timed = plan.actions.iter();
            timed.filter(move |timed| due(timed.when.frame(plan.step)))
        });
        let mut all: Vec<Action> = planned.map(|timed| timed.action.clone()).collect();
        all.append(&mut self.ordered);
        all
    }

    /// Ends the recording with the current state. Returns a problem in words, if any.
    pub fn end(&mut self, destruction: &Destruction) -> Option<String> {
        let mut recorder = self.recorder.take()?;
        let state = destruction.settings().wait_for_results;
        let state = state.then(|| destruction.state_hash());
        recorder
            .finish(self.frames(), state)
            .err()
            .map(|error| error.to_string())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The window was closed without an event.
        if let Some(mut recorder) = self.recorder.take() {
            if let Err(error) = recorder.finish(self.frames(), None) {
                Log::err(error.to_string());
            }
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let recording = self.is_recording();
        f.debug_struct("Session")
            .field("frames", &self.frames)
            .field("recording", &recording)
            .finish_non_exhaustive()
    }
}
