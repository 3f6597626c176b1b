//! Runs a scenario: opens its scene, does what it says frame by frame, checks what it expects.

use super::{
    check::{check, volume_error},
    format::{Scenario, TimedExpectation},
    read::{nearest, read, ReadError},
    report::{EventReport, ExpectationReport, ObjectReport, Report, TimeReport},
    stage::Stage,
    wildcard::matches,
};
use crate::{
    data_folder::{DataFolder, DataFolderError},
    headless::{Headless, HeadlessError},
};
use fracture::{PieceKind, Settings};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a scenario could not be run at all.
#[derive(Debug, Error)]
pub enum RunError {
    /// The scenario file.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data folder.
    #[error(transparent)]
    Data(#[from] DataFolderError),
    /// The engine or the scene.
    #[error("scenario {}: {reason}", .path.display())]
    Scene {
        /// The scenario file.
        path: PathBuf,
        /// What is wrong with the scene.
        reason: HeadlessError,
    },
    /// The scenario names a node that the scene does not have.
    #[error("scenario {}: {who} names \"{name}\", but {what}{}", .path.display(), .hint)]
    Node {
        /// The scenario file.
        path: PathBuf,
        /// Which action or expectation.
        who: String,
        /// The name it gives.
        name: String,
        /// Why that does not do.
        what: &'static str,
        /// The nearest right name.
        hint: String,
    },
}

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Where the data is; `None` looks for it, from the scenario file upwards at first.
    pub data: Option<PathBuf>,
    /// Worker threads.
    pub threads: usize,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            data: None,
            threads: 1,
        }
    }
}

/// Runs a scenario file to its end.
///
/// Changes the current folder of the process to the one above the data folder.
///
/// # Errors
/// [`RunError`] when the file or its scene cannot be read, or a name in it does not exist. An
/// expectation that fails is no error: it is in the report.
pub fn run(path: &Path, options: &RunOptions) -> Result<Report, RunError> {
    let data = DataFolder::find(options.data.as_deref(), Some(path))?;
    let scenario = read(path)?;
    let scene_path = data.scene(&scenario.scene, path.parent());
    let failed = |reason| RunError::Scene {
        path: path.to_path_buf(),
        reason,
    };
    let mut engine = Headless::new(&data).map_err(failed)?;
    let scene = engine.open(&scene_path).map_err(failed)?;
    let missing = engine.missing(scene);
    let settings = Settings {
        wait_for_results: scenario.wait_for_results,
        threads: options.threads.max(1),
        seed: scenario.seed,
        check_pieces: true,
        ..Settings::default()
    };
    let mut stage = Stage::new(engine, scene, settings);
    check_names(path, &scenario, &mut stage)?;

    let (expectations, time_ms) = play(&scenario, &mut stage);
    Ok(Report {
        scenario: path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        about: scenario.about.clone(),
        scene: scenario.scene.display().to_string(),
        passed: expectations.iter().all(|expectation| expectation.passed),
        frames: scenario.frames,
        step: scenario.step,
        seed: scenario.seed,
        threads: options.threads.max(1),
        state_hash: format!("{:016x}", stage.destruction().state_hash()),
        expectations,
        objects: objects(&stage),
        events: events(&stage),
        faults: stage
            .destruction()
            .faults()
            .map(ToString::to_string)
            .collect(),
        warnings: warnings(missing, &stage),
        time_ms,
    })
}

/// Every frame: actions, engine, destruction, expectations.
fn play(scenario: &Scenario, stage: &mut Stage) -> (Vec<ExpectationReport>, TimeReport) {
    let mut expectations = Vec::new();
    let mut time = TimeReport::default();
    for frame in 0..scenario.frames {
        let due = scenario.actions.iter();
        for timed in due.filter(|timed| timed.when.frame(scenario.step) == frame) {
            stage.act(&timed.action);
        }
        stage.frame(frame, scenario.step);
        let statistics = stage.destruction().statistics();
        time.main_mean += statistics.main_ms / scenario.frames as f32;
        time.physics_mean += statistics.physics_ms / scenario.frames as f32;
        time.physics_max = time.physics_max.max(statistics.physics_ms);
        time.main_max = time.main_max.max(statistics.main_ms);
        time.worker_max = statistics.worker_ms_max;
        let last = frame + 1 == scenario.frames;
        let now = |timed: &&TimedExpectation| match timed.when {
            Some(when) => when.frame(scenario.step) == frame,
            None => last,
        };
        for timed in scenario.expect.iter().filter(now) {
            let outcome = check(&timed.that, stage);
            expectations.push(ExpectationReport {
                frame,
                expected: timed.that.to_string(),
                found: outcome.found,
                passed: outcome.holds,
            });
        }
    }
    (expectations, time)
}

/// Names that do not exist are mistakes in the file, found before anything runs.
fn check_names(path: &Path, scenario: &Scenario, stage: &mut Stage) -> Result<(), RunError> {
    let nodes = stage.node_names();
    let objects = stage.objects().to_vec();
    let thrown = scenario
        .actions
        .iter()
        .filter_map(|timed| match &timed.action {
            super::format::Action::Throw { name, .. } => Some(name.clone()),
            _ => None,
        });
    let bodies: Vec<String> = nodes.iter().cloned().chain(thrown).collect();
    for (index, timed) in scenario.actions.iter().enumerate() {
        if let Some(name) = timed.action.node() {
            let removes = matches!(timed.action, super::format::Action::Remove { .. });
            let known = if removes { &nodes } else { &objects };
            require(path, format!("action {}", index + 1), name, known, &nodes)?;
        }
    }
    for (index, timed) in scenario.expect.iter().enumerate() {
        let who = format!("expectation {}", index + 1);
        match (&timed.that, timed.that.body()) {
            (super::Expectation::Above { .. } | super::Expectation::Below { .. }, Some(body)) => {
                let base = body.split('/').next().unwrap_or(body);
                let known = |name: &String| matches(body, name) || matches(base, name);
                if !bodies.iter().any(known) {
                    require(path, who, base, &bodies, &bodies)?;
                }
            }
            (_, Some(name)) => require(path, who, name, &objects, &nodes)?,
            (_, None) => (),
        }
    }
    Ok(())
}

fn require(
    path: &Path,
    who: String,
    name: &str,
    known: &[String],
    nodes: &[String],
) -> Result<(), RunError> {
    if known.iter().any(|other| other == name) {
        return Ok(());
    }
    let what = if nodes.iter().any(|other| other == name) {
        "that node carries no Destructible script"
    } else {
        "the scene has no such node"
    };
    let hint = match nearest(name, known.iter().map(String::as_str)) {
        Some(other) => format!("; did you mean \"{other}\"?"),
        None => format!("; there are: {}", known.join(", ")),
    };
    Err(RunError::Node {
        path: path.to_path_buf(),
        who,
        name: name.to_owned(),
        what,
        hint,
    })
}

fn objects(stage: &Stage) -> Vec<ObjectReport> {
    let report = |name: &String| {
        let pieces = stage.pieces(name);
        let of = |kind| pieces.iter().filter(move |piece| piece.kind == kind);
        let volume = stage.destruction().source_volume(name);
        ObjectReport {
            name: name.clone(),
            intact: stage.destruction().is_intact(name),
            fragments: of(PieceKind::Fragment).count(),
            islands: of(PieceKind::Island).count(),
            anchored: of(PieceKind::Island).filter(|piece| piece.anchored).count(),
            volume,
            volume_error: volume_error(&pieces, volume),
            closed: pieces.iter().all(|piece| piece.closed == Some(true)),
        }
    };
    stage.objects().iter().map(report).collect()
}

fn events(stage: &Stage) -> Vec<EventReport> {
    let history = stage.history.iter();
    history
        .map(|(frame, event)| EventReport::new(*frame, event))
        .collect()
}

fn warnings(missing: Vec<String>, stage: &Stage) -> Vec<String> {
    let missing = missing
        .into_iter()
        .map(|what| format!("{what} cannot be loaded"));
    missing.chain(stage.refused.iter().cloned()).collect()
}
