//! Runs a scenario: opens its scene, performs actions and checks expectations frame by frame.

use super::{
    check::{check, volume_error},
    energy::EnergyAccount,
    error::RunError,
    format::{Scenario, TimedExpectation},
    names::check_names,
    perform::Balls,
    read::read,
    report::{EventReport, ExpectationReport, ObjectReport, PieceReport, Report, TimeReport},
    stage::Stage,
};
use crate::{
    data_folder::DataFolder,
    headless::Headless,
    record::{Heading, Recorder},
};
use fracture::{PieceKind, Settings};
use std::path::{Path, PathBuf};

/// Options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The data folder; `None` searches for it, first upwards from the scenario file.
    pub data: Option<PathBuf>,
    /// Worker threads; with 0 the frames do their work.
    pub threads: usize,
    /// The file of a recording.
    pub record: Option<PathBuf>,
    /// An OBJ file that the scene's meshes are written to where the first expectation fails, or at
    /// the end when none does.
    pub pieces: Option<PathBuf>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            data: None,
            threads: 1,
            record: None,
            pieces: None,
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
    let (mut stage, missing) = open(path, &scenario, &data, &scene_path, options)?;
    check_names(path, &scenario, &mut stage)?;

    let heading = heading(&scenario, scene_path);
    let record = options.record.as_deref();
    let mut recorder = record
        .map(|path| Recorder::new(path, &heading))
        .transpose()?;

    stage.sketch = options.pieces.clone();

    let (expectations, time_ms) = play(&scenario, &mut stage, &mut recorder);
    stage.draw();
    let state = stage.destruction().state_hash();
    // Breaks under way at the end are part of the outcome.
    stage.finish();
    Ok(Report {
        scenario: file_name(path),
        about: scenario.about.clone(),
        scene: scenario.scene.display().to_string(),
        passed: expectations.iter().all(|expectation| expectation.passed),
        frames: scenario.frames,
        step: scenario.step,
        seed: scenario.seed,
        wait_for_results: scenario.wait_for_results,
        threads: options.threads,
        state_hash: format!("{state:016x}"),
        geometry_hash: format!("{:016x}", stage.destruction().geometry_hash()),
        expectations,
        objects: objects(&stage),
        pieces: pieces(&stage),
        events: events(&stage),
        faults: stage
            .destruction()
            .faults()
            .map(ToString::to_string)
            .collect(),
        warnings: warnings(missing, &stage),
        energy: stage.account.as_ref().map(EnergyAccount::totals),
        energy_excesses: stage
            .account
            .map_or_else(Vec::new, |account| account.excesses),
        time_ms,
    })
}

/// Opens the scene of a scenario. Returns the stage, and the files that cannot be loaded.
fn open(
    path: &Path,
    scenario: &Scenario,
    data: &DataFolder,
    scene_path: &Path,
    options: &RunOptions,
) -> Result<(Stage, Vec<String>), RunError> {
    let failed = |reason| RunError::Scene {
        path: path.to_path_buf(),
        reason,
    };
    let mut engine = Headless::new(data).map_err(failed)?;
    let scene = engine.open(scene_path).map_err(failed)?;
    let missing = engine.missing(scene);
    let settings = Settings {
        wait_for_results: scenario.wait_for_results,
        threads: options.threads,
        seed: scenario.seed,
        check_pieces: true,
        ..Settings::default()
    };
    let stage = Stage::new(
        engine,
        scene,
        scene_path,
        settings,
        Balls::new(scenario.most_balls),
    );
    Ok((stage, missing))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Runs every frame: actions, engine, destruction, expectations.
fn play(
    scenario: &Scenario,
    stage: &mut Stage,
    recorder: &mut Option<Recorder>,
) -> (Vec<ExpectationReport>, TimeReport) {
    let mut expectations = Vec::new();
    let mut time = TimeReport::default();
    for frame in 0..scenario.frames {
        for timed in &scenario.actions {
            let first = timed.when.frame(scenario.step);
            if first == frame {
                let noted = recorder.iter_mut().map(|r| r.note(frame, &timed.action));
                stage.unwritten.extend(noted.filter_map(Result::err));
            }
            if (first..first.saturating_add(timed.action.lasts())).contains(&frame) {
                stage.act(&timed.action);
            }
        }
        stage.frame(frame, scenario.step);
        let last = frame + 1 == scenario.frames;
        if last && !scenario.wait_for_results {
            stage.finish(); // however slow the machine is
            stage.note_events(frame);
        }
        time.add(&stage.destruction().statistics(), scenario.frames);
        expectations.extend(check_frame(scenario, stage, frame));
    }
    let state = (scenario.wait_for_results).then(|| stage.destruction().state_hash());
    let finished = recorder
        .iter_mut()
        .map(|r| r.finish(scenario.frames, state));
    stage.unwritten.extend(finished.filter_map(Result::err));
    (expectations, time)
}

/// Checks the expectations of a frame.
fn check_frame(scenario: &Scenario, stage: &mut Stage, frame: u32) -> Vec<ExpectationReport> {
    let last = frame + 1 == scenario.frames;
    let now = |timed: &&TimedExpectation| match timed.when {
        Some(when) => when.frame(scenario.step) == frame,
        None => last,
    };
    let report = |timed: &TimedExpectation| {
        let outcome = check(&timed.that, stage);
        if !outcome.holds {
            stage.draw();
        }
        ExpectationReport {
            frame,
            expected: timed.that.to_string(),
            found: outcome.found,
            passed: outcome.holds,
        }
    };
    scenario.expect.iter().filter(now).map(report).collect()
}

fn heading(scenario: &Scenario, scene: PathBuf) -> Heading {
    Heading {
        about: scenario.about.clone(),
        scene,
        step: scenario.step,
        seed: scenario.seed,
        wait_for_results: scenario.wait_for_results,
        most_balls: scenario.most_balls,
    }
}

fn objects(stage: &Stage) -> Vec<ObjectReport> {
    let report = |name: &String| {
        let pieces = stage.pieces(name);
        let of = |kind| pieces.iter().filter(move |piece| piece.kind == kind);
        let volume = stage.destruction().source_volume(name);
        let crumbs = stage.destruction().dust_volume(name);
        ObjectReport {
            name: name.clone(),
            intact: stage.destruction().is_intact(name),
            fragments: of(PieceKind::Fragment).count(),
            islands: of(PieceKind::Island).count(),
            anchored: of(PieceKind::Island).filter(|piece| piece.anchored).count(),
            volume,
            volume_error: volume_error(&pieces, crumbs, volume),
            closed: pieces.iter().all(|piece| piece.closed == Some(true)),
        }
    };
    stage.objects().iter().map(report).collect()
}

fn pieces(stage: &Stage) -> Vec<PieceReport> {
    let all = stage.objects().iter().flat_map(|name| stage.pieces(name));
    all.map(|piece| PieceReport {
        name: piece.name,
        volume: piece.volume,
        anchored: piece.anchored,
        position: piece.position.into(),
    })
    .collect()
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
    let unwritten = stage.unwritten.iter().map(ToString::to_string);
    missing
        .chain(stage.refused.iter().cloned())
        .chain(unwritten)
        .chain(stage.undrawn.clone())
        .collect()
}
