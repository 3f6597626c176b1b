//! Cooks the scenes that are saved, on a thread, one after the other: two may write the file of one model.

use crate::background_job::{Job, Poll};
use fracture::{CookReport, Cooking};
use fyrox::core::{log::Log, Uuid};
use fyroxed_base::{scene::GameScene, Editor};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

/// Scenes that are being cooked, and those that wait.
#[derive(Default)]
pub(crate) struct CookQueue {
    running: Option<(PathBuf, Job<Option<CookReport>>)>,
    waiting: Vec<(PathBuf, Cooking)>,
    /// Problems that have been logged, each once.
    logged: BTreeSet<String>,
}

impl CookQueue {
    /// Adds a scene that is saved to a file. An earlier cooking of it is given up.
    pub fn add(&mut self, editor: &Editor, scene: Uuid, file: &Path) {
        let entry = editor.scenes.entry_by_scene_id(scene);
        let Some(game) = entry.and_then(|entry| entry.controller.downcast_ref::<GameScene>())
        else {
            return;
        };
        let engine = &editor.engine;
        let Ok(scene) = engine.scenes.try_get(game.scene) else {
            return;
        };
        if let Some((_, job)) = self.running.as_ref().filter(|(other, _)| other == file) {
            job.progress.cancel.store(true, Ordering::Relaxed);
        }
        let cooking = Cooking::new(&scene.graph, Some(file), &engine.resource_manager);
        self.waiting.retain(|(other, _)| other != file);
        self.waiting.push((file.to_path_buf(), cooking));
    }

    /// Logs a cooking that is done, and starts the next one.
    pub fn update(&mut self) {
        if let Some((_, job)) = &self.running {
            match job.poll() {
                Poll::Running => return,
                Poll::Done(report) => self.log(report.unwrap_or_default()),
                Poll::Lost => {}
            }
            self.running = None;
        }
        if !self.waiting.is_empty() {
            let (file, cooking) = self.waiting.remove(0);
            let work = Job::start(move |progress| cooking.run(&|| progress.is_cancelled()));
            self.running = Some((file, work));
        }
    }

    fn log(&mut self, report: CookReport) {
        for file in report.written {
            Log::info(format!("{} was cooked", file.display()));
        }
        for problem in report.problems {
            if self.logged.insert(problem.clone()) {
                Log::warn(problem);
            }
        }
    }
}
