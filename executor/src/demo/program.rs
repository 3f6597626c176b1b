//! What the window plays.

use super::{album::Wanted, session::MOST_BALLS};
use crate::{
    record::{numbered, Heading, RecordError, Recorder},
    scenario::Scenario,
};
use fracture::Settings;
use std::{path::PathBuf, sync::Arc};

/// Contacts of pieces below this impulse, N s, are not heard.
const LOUD: f32 = 6.0;

/// What the player chooses about how destruction runs. It counts from the next scene on.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// Worker threads.
    pub threads: usize,
    /// Free pieces that may be there.
    pub pieces: usize,
    /// Breaks by falling pieces in one frame.
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

/// What to play.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The scene's file, as the engine knows it.
    pub scene: PathBuf,
    /// How destruction runs, as far as the player says.
    pub choices: Choices,
    /// What happens by itself.
    pub plan: Option<Arc<Scenario>>,
    /// The data folder, as the engine knows it.
    pub data: PathBuf,
    /// Whether the menu is open at first.
    pub begins_with_menu: bool,
    /// The file that it is recorded to.
    pub record: Option<PathBuf>,
    /// Pictures to take of it.
    pub pictures: Option<Wanted>,
}

impl Program {
    /// How destruction runs. What is recorded waits for its results, because nothing else can be
    /// replayed exactly.
    pub fn settings(&self) -> Settings {
        let plan = self.plan.as_ref();
        let exact = self.record.is_some() || plan.is_some_and(|plan| plan.wait_for_results);
        let usual = Settings::default();
        let choices = &self.choices;
        Settings {
            threads: choices.threads.max(1),
            seed: self.seed(),
            wait_for_results: exact || (plan.is_none() && choices.wait),
            // What a scenario does not say is as in its other runs.
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

    /// Whether budgets may be changed: not in what is to be the same again.
    pub fn is_free(&self) -> bool {
        self.record.is_none() && self.plan.is_none()
    }

    fn seed(&self) -> u64 {
        self.plan
            .as_ref()
            .map_or(self.choices.seed, |plan| plan.seed)
    }

    /// The recorder of the run of that number, if it is to be recorded; a frame takes `step` seconds.
    ///
    /// # Errors
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
