//! Runs every file in `data/scenarios/`, one test each, and a few of them many times to compare outcomes.
//!
//! The outcome of a run is compared with its golden summary in `tests/golden/`. With the variable
//! `FRACTURE_BLESS` it is written there instead. With `FRACTURE_THREADS` there are as many worker threads as it says, in
//! place of one.

#![forbid(unsafe_code)]

use executor::{
    demo,
    scenario::{run, Report, RunOptions},
};
use fyrox::core::log::Log;
use libtest_mimic::{Arguments, Failed, Trial};
use scenarios::{evidence, golden};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Scenarios that are run with several numbers of workers, which must not change the outcome.
const REPEATED: &[&str] = &["wall_middle", "column_cut", "pane_ball", "pair"];

fn main() -> ExitCode {
    if let Some(options) = evidence::picture_request() {
        return match demo::run(&options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let mut arguments = Arguments::from_args();
    // The engine loads resources from the current folder of the process: one run at a time.
    arguments.test_threads = Some(1);
    // Messages of the module are in the reports.
    Log::enable_writing_to_stdout(false);
    let files = match scenarios::files() {
        Ok(files) => files,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    libtest_mimic::run(&arguments, trials(files)).exit_code()
}

fn trials(files: Vec<PathBuf>) -> Vec<Trial> {
    let mut trials: Vec<Trial> = files.into_iter().map(scenario_trial).collect();
    trials.push(Trial::test(
        "there_are_at_least_ten_scenarios",
        at_least_ten,
    ));
    trials.push(Trial::test("golden_summaries_have_a_scenario", || {
        Ok(golden::check_for_strays()?)
    }));
    trials.push(Trial::test(
        "a_failure_leaves_its_report_meshes_and_picture",
        a_failure_is_kept,
    ));
    for (name, compared) in [
        ("log", Compared::Everything),
        ("unhurried", Compared::Geometry),
    ] {
        let test = format!("a_hundred_replays_are_the_same_{name}");
        trials.push(Trial::test(test, move || a_hundred_times(name, compared)));
    }
    trials
}

/// Test of a scenario: its expectations hold and its outcome is the golden one. Some have to come to the
/// same state with more workers, bit for bit.
fn scenario_trial(path: PathBuf) -> Trial {
    let name = scenarios::name_of(&path);
    Trial::test(name.clone(), move || {
        let report = run_with(&path, workers())?;
        let mut failures = scenarios::failures(&report);
        failures += &golden::compare(&name, &report)?;
        if !failures.is_empty() {
            let kept = evidence::gather(&path, &report, Path::new(env!("CARGO_TARGET_TMPDIR")));
            return Err(format!("{failures}{}", kept.description).into());
        }
        if REPEATED.contains(&name.as_str()) {
            for threads in [1, 3, 0] {
                let again = run_with(&path, threads)?;
                if again.state_hash != report.state_hash {
                    let difference = format!(
                        "state {} with {threads} workers, {} at first",
                        again.state_hash, report.state_hash
                    );
                    return Err(difference.into());
                }
            }
        }
        Ok(())
    })
}

/// Number of worker threads.
fn workers() -> usize {
    let given = std::env::var("FRACTURE_THREADS").ok();
    given.map_or(1, |count| count.parse().expect("a number of threads"))
}

/// Report of a run with this number of workers.
fn run_with(path: &Path, threads: usize) -> Result<Report, Failed> {
    let options = RunOptions {
        threads,
        ..RunOptions::default()
    };
    let report = run(path, &options)?;
    if report.expectations.is_empty() {
        return Err("it expects nothing, so it tests nothing".into());
    }
    Ok(report)
}

/// Part of the outcome that has to be the same in every run.
#[derive(Clone, Copy, PartialEq)]
enum Compared {
    /// Meshes of the pieces.
    Geometry,
    /// Meshes, poses and velocities.
    Everything,
}

/// Runs one log a hundred times, with 1, 2, 8 and no workers.
fn a_hundred_times(name: &str, compared: Compared) -> Result<(), Failed> {
    let path = scenarios::folder().join(format!("repeat/{name}.ron"));
    let first = run_with(&path, 1)?;
    let failures = scenarios::failures(&first);
    if !failures.is_empty() {
        return Err(failures.into());
    }
    if first.pieces.len() < 10 {
        return Err("it does not break, so it tests nothing".into());
    }
    for run in 1..100 {
        let threads = [1, 2, 8, 0][run % 4];
        let again = run_with(&path, threads)?;
        let compare = |what: &str, first: &str, again: &str| {
            if first == again {
                return Ok(());
            }
            Err(format!(
                "run {run}, {threads} workers: {what} {again}, at first {first}"
            ))
        };
        compare("geometry", &first.geometry_hash, &again.geometry_hash)?;
        if compared == Compared::Everything {
            compare("state", &first.state_hash, &again.state_hash)?;
        }
    }
    Ok(())
}

/// A scenario that fails leaves its report, meshes and a picture of its first failure.
fn a_failure_is_kept() -> Result<(), Failed> {
    let path = scenarios::folder().join("failing/column.ron");
    let report = run_with(&path, 1)?;
    let failures = scenarios::failures(&report);
    if report.passed || !failures.starts_with("frame 30: expected that") {
        return Err(format!("it does not fail as it should: {failures}").into());
    }
    let kept = evidence::gather(&path, &report, Path::new(env!("CARGO_TARGET_TMPDIR")));
    let found = evidence::check(&kept)?;
    println!("{}\n{found}", kept.description);
    Ok(())
}

fn at_least_ten() -> Result<(), Failed> {
    let count = scenarios::files().map_err(|error| error.to_string())?.len();
    if count < 10 {
        return Err(format!("only {count} scenarios were found").into());
    }
    Ok(())
}
