//! What happens in the scene that is open, frame by frame: what a scenario says, what the player
//! does, and the recording of both.

use crate::{
    record::Recorder,
    scenario::{perform, Action, Balls, Post, Scenario},
};
use fracture::Destruction;
use fyrox::{core::log::Log, scene::Scene};
use std::sync::Arc;

/// Balls of the player that may lie about.
pub const MOST_BALLS: usize = 40;

/// One run of a scene, from when it is open until it is closed.
#[derive(Default)]
pub struct Session {
    plan: Option<Arc<Scenario>>,
    recorder: Option<Recorder>,
    balls: Balls,
    /// What the player wants done before the next frame.
    ordered: Vec<Action>,
    /// Frames that have passed; `None` until the scene has been looked at.
    frames: Option<u32>,
}

impl Session {
    /// A run that has not begun. A scenario says what happens by itself.
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

    /// Whether the scene has been looked at.
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

    /// Has something done before the next frame.
    pub fn order(&mut self, action: Action) {
        self.ordered.push(action);
    }

    /// Call it right after [`Destruction::update`], whose first call is a look at the scene before
    /// its first frame. Does what is due before the next frame. Returns what went wrong.
    pub fn step(
        &mut self,
        scene: &mut Scene,
        destruction: &mut Destruction,
        post: &mut Post,
    ) -> Vec<String> {
        let frame = self.frames.map_or(0, |frames| frames + 1);
        self.frames = Some(frame);
        self.balls.tidy(scene);
        let mut wrong = Vec::new();
        if self.is_over() {
            wrong.extend(self.end(destruction));
        }
        for action in self.due(frame) {
            if let Some(recorder) = &mut self.recorder {
                let noted = recorder.note(frame, &action);
                wrong.extend(noted.err().map(|error| error.to_string()));
            }
            wrong.extend(perform(&action, scene, destruction, &mut self.balls, post).err());
        }
        wrong
    }

    /// What the scenario and the player want done before a frame.
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

    /// Ends the recording, with the state of now. Returns what went wrong.
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
        // The window was closed in a way that nobody was told of.
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
