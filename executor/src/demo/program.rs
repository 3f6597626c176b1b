//! The program of the window: scene, settings, scenario, recording.

use crate::demo::pictures::PictureRequest;
use crate::demo::{session::MOST_BALLS, watch::Watch};
use crate::{
    record::{numbered, Heading, RecordError, Recorder},
    scenario::Scenario,
};
use fracture::Settings;
use std::{path::PathBuf, sync::Arc};

/// Least impulse of a contact that makes a sound, N s.
const LOUD: f32 = 6.0;

/// Settings of destruction that the player chooses. They take effect with the next scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// Worker threads.
    pub threads: usize,
    /// Most free pieces.
    pub pieces: usize,
    /// Most breaks by falling pieces in one frame.
    pub chain: usize,
    /// Whether each frame waits for the worker.
    pub wait: bool,
    /// Mixed into the seed of every object.
    pub seed: u64,
}

impl Default for Choices {
    fn default() -> Self {
        let usual = Settings::default();
        Self {
            threads: usual.threads,
            pieces: usual.max_pieces,
            chain: usual.chain_breaks,
            wait: usual.wait_for_results,
            seed: usual.seed,
        }
    }
}

/// Scene, settings, scenario and recording of a run.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The scene's file, as the engine knows it.
    pub scene: PathBuf,
    /// The player's settings of destruction.
    pub choices: Choices,
    /// The scenario to play, if any.
    pub plan: Option<Arc<Scenario>>,
    /// The data folder, as the engine knows it.
    pub data: PathBuf,
    /// Whether the menu is open at first.
    pub begins_with_menu: bool,
    /// The file of the recording, if any.
    pub record: Option<PathBuf>,
    /// Pictures to take, if any.
    pub pictures: Option<PictureRequest>,
    /// The place where the demo leaves its state.
    pub watch: Watch,
}

impl Program {
    /// Returns the settings of destruction. A recorded run waits for results, because only such a run
    /// can be replayed exactly.
    pub fn settings(&self) -> Settings {
        let plan = self.plan.as_ref();
        let exact = self.record.is_some() || plan.is_some_and(|plan| plan.wait_for_results);
        let usual = Settings::default();
        let choices = &self.choices;
        Settings {
            threads: choices.threads,
            seed: self.seed(),
            wait_for_results: exact || (plan.is_none() && choices.wait),
            // Values that a scenario does not set are as in its headless runs.
            max_pieces: if self.is_free() {
                choices.pieces
            } else {
                usual.max_pieces
            },
            chain_breaks: if self.is_free() {
                choices.chain
            } else {
                usual.chain_breaks
            },
            report_contacts: LOUD,
            send_events_to_scripts: false,
            ..usual
        }
    }

    /// Whether budgets may be changed: not in runs that have to be repeatable.
    pub fn is_free(&self) -> bool {
        self.record.is_none() && self.plan.is_none()
    }

    fn seed(&self) -> u64 {
        self.plan
            .as_ref()
            .map_or(self.choices.seed, |plan| plan.seed)
    }

    /// Makes the recorder of a run by its number, if recording is requested; a frame takes `step`
    /// seconds.
    ///
    /// # Errors
    ///
    /// As [`Recorder::new`].
    pub fn recorder(&self, step: f32, number: u32) -> Result<Option<Recorder>, RecordError> {
        let Some(path) = &self.record else {
            return Ok(None);
        };
        let plan = self.plan.as_ref();
        let heading = Heading {
            about: "Recorded.".into(),
            scene: self.scene.clone(),
            step,
            seed: self.seed(),
            wait_for_results: true,
            most_balls: plan.map_or(Some(MOST_BALLS), |plan| plan.most_balls),
        };
        Recorder::new(&numbered(path, number), &heading).map(Some)
    }
}
