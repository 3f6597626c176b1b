//! Runs every file in `data/scenarios/`, one test each, and a few twice to compare the outcome.

#![forbid(unsafe_code)]

use executor::scenario::{run, Report, RunOptions};
use fyrox::core::log::Log;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Scenarios that are run with several numbers of workers, which must not change the outcome.
const REPEATED: &[&str] = &["wall_middle", "column_cut", "pane_ball", "pair"];

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The engine's resources live by the current folder of the process: one run at a time.
    arguments.test_threads = Some(1);
    // What the module reports is in the reports.
    Log::enable_writing_to_stdout(false);
    let files = match scenarios::files() {
        Ok(files) => files,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials: Vec<Trial> = files.into_iter().map(holds).collect();
    trials.push(Trial::test(
        "there_are_at_least_ten_scenarios",
        at_least_ten,
    ));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A scenario's expectations hold; for some also with more workers, to the same last bit.
fn holds(path: PathBuf) -> Trial {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let repeated = REPEATED.contains(&name.as_str());
    Trial::test(name, move || {
        let report = play(&path, 1)?;
        if repeated {
            for threads in [1, 3] {
                let again = play(&path, threads)?;
                if again.state_hash != report.state_hash {
                    let what = format!(
                        "state {} with {threads} workers, {} at first",
                        again.state_hash, report.state_hash
                    );
                    return Err(what.into());
                }
            }
        }
        Ok(())
    })
}

fn play(path: &Path, threads: usize) -> Result<Report, Failed> {
    let report = run(
        path,
        &RunOptions {
            data: None,
            threads,
        },
    )?;
    if report.expectations.is_empty() {
        return Err("it expects nothing, so it tests nothing".into());
    }
    let failures = scenarios::failures(&report);
    if report.passed && failures.is_empty() {
        Ok(report)
    } else {
        Err(failures.into())
    }
}

fn at_least_ten() -> Result<(), Failed> {
    let count = scenarios::files().map_err(|error| error.to_string())?.len();
    if count < 10 {
        return Err(format!("only {count} scenarios were found").into());
    }
    Ok(())
}
