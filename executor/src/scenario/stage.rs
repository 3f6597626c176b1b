//! An open scene with its destruction, for actions and queries of a scenario.

use super::{
    action::Action,
    energy::{Brought, EnergyAccount},
    obj_export,
    perform::{perform, Balls},
    stopped_falls::StoppedFalls,
    wildcard::matches,
};
use crate::{headless::Headless, record::RecordError};
use fracture::{Destruction, Event, PieceInfo, Settings};
use fyrox::{
    core::{
        algebra::Vector3,
        pool::Handle,
        visitor::{error::VisitError, Visitor},
    },
    scene::Scene,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

/// A scene on which a scenario runs.
pub struct Stage {
    engine: Headless,
    scene: Handle<Scene>,
    destruction: Destruction,
    objects: Vec<String>,
    closed: Option<Closing>,
    /// Why the scene's meshes were not written.
    pub undrawn: Option<String>,
    balls: Balls,
    /// The account of the scene's energy, which takes time; `None` where frames do not wait for results.
    pub account: Option<EnergyAccount>,
    /// Events of the module so far, with their frames.
    pub history: Vec<(u32, Event)>,
    /// Actions that could not be done, in words.
    pub refused: Vec<String>,
    /// Errors of the recording.
    pub unwritten: Vec<RecordError>,
    /// The file for the scene's meshes.
    pub sketch: Option<PathBuf>,
}

/// Jobs and breaks at the time when the scene was closed.
#[derive(Clone, Copy, Debug)]
pub struct Closing {
    /// Jobs that were queued or running.
    pub jobs: usize,
    /// Breaks that had been applied.
    pub breaks: usize,
}

impl Stage {
    /// Makes the stage of an open scene.
    pub fn new(
        mut engine: Headless,
        scene: Handle<Scene>,
        scene_file: &Path,
        settings: Settings,
        balls: Balls,
    ) -> Self {
        let account = settings.wait_for_results.then(EnergyAccount::default);
        let mut destruction = Destruction::new(settings);
        destruction.set_resources(engine.resources());
        destruction.set_scene_file(scene_file);
        // A first update without time: objects are known before the first action.
        if let Some(scene) = engine.scene(scene) {
            destruction.update(scene, 0.0);
        }
        Self {
            objects: destruction.object_names(),
            engine,
            scene,
            destruction,
            closed: None,
            undrawn: None,
            balls,
            account,
            history: Vec::new(),
            refused: Vec::new(),
            unwritten: Vec::new(),
            sketch: None,
        }
    }

    /// The breakable nodes at the start, sorted.
    pub fn objects(&self) -> &[String] {
        &self.objects
    }

    /// All node names in the scene.
    pub fn node_names(&mut self) -> Vec<String> {
        let scene = self.engine.scene(self.scene);
        scene.map_or_else(Vec::new, |scene| {
            scene
                .graph
                .linear_iter()
                .map(|node| node.name().to_owned())
                .collect()
        })
    }

    /// The destruction of the scene.
    pub fn destruction(&self) -> &Destruction {
        &self.destruction
    }

    /// Whether and how the scene was closed.
    pub fn closing(&self) -> Option<Closing> {
        self.closed
    }

    /// Runs one frame.
    pub fn frame(&mut self, frame: u32, step: f32) {
        let known = self.history.len();
        self.run_frame(frame, step);
        if let Some(mut account) = self.account.take() {
            let energy = self.mechanical_energy();
            let events = self.history.iter().skip(known);
            account.add(frame, energy, events.map(|(_, event)| event));
            self.account = Some(account);
        }
    }

    fn run_frame(&mut self, frame: u32, step: f32) {
        let scene = self.engine.scene(self.scene);
        let falls = scene.map(|scene| StoppedFalls::before_step(&scene.graph));
        self.engine.frame(step);
        let Some(scene) = self.engine.scene(self.scene) else {
            return;
        };
        if let (Some(account), Some(falls)) = (&mut self.account, falls) {
            account.bring(falls.energy_brought(&scene.graph, step));
        }
        self.destruction.update(scene, step);
        self.balls.tidy(scene);
        self.note_events(frame);
    }

    /// The mechanical energy of the scene, J.
    fn mechanical_energy(&mut self) -> f64 {
        let scene = self.engine.scene(self.scene);
        scene.map_or(0.0, |scene| self.destruction.mechanical_energy(scene))
    }

    /// The names of the bodies that rest in the air.
    pub fn hanging(&mut self) -> Vec<String> {
        let scene = self.engine.scene(self.scene);
        let hanging = scene.map_or_else(Vec::new, |scene| self.destruction.hanging(scene));
        hanging.into_iter().map(|body| body.name).collect()
    }

    /// Waits for the breaks under way; no time passes.
    pub fn finish(&mut self) {
        if let Some(scene) = self.engine.scene(self.scene) {
            self.destruction.finish_breaks(scene);
        }
    }

    /// Collects the events of a frame.
    pub fn note_events(&mut self, frame: u32) {
        let events = self.destruction.events().iter().cloned();
        self.history.extend(events.map(|event| (frame, event)));
    }

    /// Writes the scene's current meshes, if requested and not written yet.
    pub fn draw(&mut self) {
        let Some(path) = self.sketch.take() else {
            return;
        };
        let drawn = match self.engine.scene(self.scene) {
            Some(scene) => obj_export::write(scene, &path).map_err(|error| error.to_string()),
            None => Err(closed()),
        };
        if let Err(reason) = drawn {
            self.undrawn = Some(format!("{} is not written: {reason}", path.display()));
        }
    }

    /// Performs an action.
    pub fn act(&mut self, action: &Action) {
        let Some(mut account) = self.account.take() else {
            return self.perform_or_close(action);
        };
        let before = self.mechanical_energy();
        let scene = self.engine.scene(self.scene);
        let brought = Brought::by(action, scene.map(|scene| &*scene));
        self.perform_or_close(action);
        match brought {
            Brought::AtMost(energy) => account.bring(energy),
            Brought::AtOnce => account.bring(self.mechanical_energy() - before),
            Brought::InNextFrame => account.open(),
        }
        self.account = Some(account);
    }

    fn perform_or_close(&mut self, action: &Action) {
        let result = match action {
            Action::CloseScene => self.close(),
            Action::SaveAndLoad => self.save_and_load(),
            _ => self.perform(action),
        };
        if let Err(reason) = result {
            self.refused.push(reason);
        }
    }

    fn perform(&mut self, action: &Action) -> Result<(), String> {
        let mut posted = Vec::new();
        let mut post = |node, blow| posted.push((node, blow));
        let scene = self.engine.scene(self.scene).ok_or_else(closed)?;
        perform(
            action,
            scene,
            &mut self.destruction,
            &mut self.balls,
            &mut post,
        )?;
        for (node, blow) in posted {
            self.engine.send(self.scene, node, blow);
        }
        Ok(())
    }

    /// Saves the scene by the engine with what is broken in it, closes it, and loads it.
    fn save_and_load(&mut self) -> Result<(), String> {
        let scene = self.engine.scene(self.scene).ok_or_else(closed)?;
        self.destruction.embed_save(scene);
        let mut visitor = Visitor::new();
        let saved = scene.save("Scene", &mut visitor);
        saved.map_err(|error| format!("the scene is not saved: {error}"))?;
        let settings = self.destruction.settings().clone();
        self.destruction.clear();
        self.engine.close(self.scene);
        let file = TemporaryFile::new(&visitor).map_err(|error| error.to_string())?;
        let opened = self.engine.open(&file.0);
        self.scene = opened.map_err(|error| error.to_string())?;
        self.destruction = Destruction::new(settings);
        self.destruction.set_resources(self.engine.resources());
        if let Some(scene) = self.engine.scene(self.scene) {
            self.destruction.update(scene, 0.0);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let jobs = self.destruction.statistics().jobs_pending;
        self.destruction.clear();
        self.engine.close(self.scene);
        let breaks = self.breaks().count();
        self.closed = Some(Closing { jobs, breaks });
        Ok(())
    }

    /// All breaks so far: frame, object, frames waited.
    pub fn breaks(&self) -> impl Iterator<Item = (u32, &str, u64)> {
        self.history
            .iter()
            .filter_map(|(frame, event)| match event {
                Event::Broken {
                    name, diagnostics, ..
                } => Some((*frame, name.as_str(), diagnostics.frames_waited)),
                _ => None,
            })
    }

    /// Returns all problems: faults of the module, then refused actions.
    pub fn complaints(&self) -> Vec<String> {
        let faults = self.destruction.faults().map(ToString::to_string);
        faults.chain(self.refused.iter().cloned()).collect()
    }

    /// The pieces of an object, sorted by name; none while it is intact.
    pub fn pieces(&self, object: &str) -> Vec<PieceInfo> {
        let mut pieces = self.destruction.pieces_of(object);
        pieces.sort_by(|a, b| a.name.cmp(&b.name));
        pieces
    }

    /// Returns the positions of the bodies with a name, which may hold `*` and `**`.
    pub fn positions(&mut self, body: &str) -> BTreeMap<String, Vector3<f32>> {
        let matches = |name: &str| matches(body, name);
        let mut found = BTreeMap::new();
        for object in &self.objects {
            for piece in self.destruction.pieces_of(object) {
                if matches(&piece.name) {
                    found.insert(piece.name, piece.position);
                }
            }
        }
        if found.is_empty() {
            if let Some(scene) = self.engine.scene(self.scene) {
                let nodes = scene.graph.linear_iter();
                let matching = nodes.filter(|node| matches(node.name()));
                found.extend(matching.map(|n| (n.name().to_owned(), n.global_position())));
            }
        }
        found
    }
}

/// A saved scene, for as long as it is loaded.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(scene: &Visitor) -> Result<Self, VisitError> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("fracture-{}-{number}.rgs", std::process::id());
        let path = std::env::temp_dir().join(name);
        scene.save_binary_to_file(&path)?;
        Ok(Self(path))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // What is left in the folder for temporary files is lost sooner or later.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn closed() -> String {
    "the scene is closed".into()
}
