//! What the window plays.

use super::{album::Wanted, session::MOST_BALLS};
use crate::{
    record::{numbered, Heading, RecordError, Recorder},
    scenario::Scenario,
};
use fracture::Settings;
use std::{path::PathBuf, sync::Arc};

/// What to play.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The scene's file, as the engine knows it.
    pub scene: PathBuf,
    /// Worker threads.
    pub threads: usize,
    /// What happens by itself.
    pub plan: Option<Arc<Scenario>>,
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
        Settings {
            threads: self.threads.max(1),
            seed: plan.map_or(0, |plan| plan.seed),
            wait_for_results: self.record.is_some()
                || plan.is_some_and(|plan| plan.wait_for_results),
            ..Settings::default()
        }
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
            seed: plan.map_or(0, |plan| plan.seed),
            wait_for_results: true,
            most_balls: plan.map_or(Some(MOST_BALLS), |plan| plan.most_balls),
        };
        Recorder::new(&numbered(path, number), &heading).map(Some)
    }
}
