//! `executor`: the demo in a window, or a scenario or a scene's certificate without one.

#![forbid(unsafe_code)]

mod cli;

use clap::Parser;
use cli::Cli;
use executor::{
    certify::{certify as certify_scene, CertificateReport},
    cook::cook_scenes,
    demo::{self, Choices, DemoOptions, PictureRequest, Side},
    players::{resolve, PlayersError},
    scenario::{self, Report, RunOptions},
};
use fyrox::core::log::{Log, LogMessage, MessageKind};
use serde::Serialize;
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::mpsc::{self, Receiver},
};

/// The scene that the window opens by default.
const SCENE: &str = "scenes/demo.rgs";
/// Exit status: an expectation fails, a scene does not stand, or a file of cooked shapes cannot be written.
const FAILED: u8 = 1;
/// Removals that are printed; all are in the report.
const SHOWN_REMOVALS: usize = 10;
/// Exit status: the file or scene cannot be read, or no window opens.
const UNREADABLE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // The engine logs every collider it makes.
    Log::set_log_info(false);
    if let Some(scenes) = &cli.cook {
        return cook(scenes, &cli);
    }
    if let Some(scene) = &cli.certify {
        return certify(scene, &cli);
    }
    match &cli.scenario {
        Some(path) if cli.headless => headless(path, &cli),
        _ => windowed(&cli),
    }
}

fn windowed(cli: &Cli) -> ExitCode {
    let side = match side(cli) {
        Ok(side) => side,
        Err(error) => return unreadable(&error),
    };
    let options = DemoOptions {
        data: cli.data.clone(),
        scene: cli.scene.clone().unwrap_or_else(|| SCENE.into()),
        menu: cli.scene.is_none() && cli.record.is_none() && cli.join.is_none(),
        choices: Choices {
            threads: usize::from(cli.threads),
            wait: cli.wait,
            seed: cli.seed,
            ..Choices::default()
        },
        scenario: cli.scenario.clone(),
        record: cli.record.clone(),
        pictures: cli.pictures.clone().map(|folder| PictureRequest {
            folder,
            frames: cli.frame.clone(),
        }),
        side,
    };
    match demo::run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => unreadable(&error),
    }
}

/// The side of this program among other players.
fn side(cli: &Cli) -> Result<Side, PlayersError> {
    Ok(match (&cli.host, &cli.join) {
        (Some(own), _) => Side::Host(resolve(own)?),
        (None, Some(host)) => Side::Client(resolve(host)?),
        (None, None) => Side::Alone,
    })
}

/// Cooks scenes, and prints the files and the problems.
fn cook(scenes: &[PathBuf], cli: &Cli) -> ExitCode {
    let report = match cook_scenes(scenes, cli.data.as_deref()) {
        Ok(report) => report,
        Err(error) => return unreadable(&error),
    };
    for file in &report.written {
        println!("{} was written", file.display());
    }
    for file in &report.unchanged {
        println!("{} is up to date", file.display());
    }
    for problem in &report.problems {
        eprintln!("warning: {problem}");
    }
    if report.problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}

/// Certifies a scene, and prints what is wrong with it.
fn certify(scene: &Path, cli: &Cli) -> ExitCode {
    let report_path = cli.report.as_deref().map(absolute);
    // The log would be in the way of a report on the standard output.
    let _engine_log = listen();
    let show = |done: usize, all: usize| eprint!("\r{done} of {all} objects taken out");
    let report = match certify_scene(scene, cli.data.as_deref(), show) {
        Ok(report) => report,
        Err(error) => return unreadable(&error),
    };
    eprintln!();
    summarize_certificate(&report);
    let written = report_path.map_or(ExitCode::SUCCESS, |path| write_report(&report, &path));
    if written != ExitCode::SUCCESS {
        return written;
    }
    let is_lost = cli.max_loss.is_some_and(|most| report.largest_loss > most);
    if report.stands && !is_lost {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}

/// Prints what does not stand, and the removals that bring down most.
fn summarize_certificate(report: &CertificateReport) {
    for problem in &report.problems {
        eprintln!("warning: {problem}");
    }
    for object in &report.objects {
        match (&object.gap, object.floats) {
            (Some(gap), _) => eprintln!(
                "{} floats: a gap of {:.1} mm to {}",
                object.node,
                gap.distance * 1e3,
                gap.to
            ),
            (None, true) => eprintln!("{} floats: nothing that is held is near", object.node),
            (None, false) if object.comes_down > 0.0 => eprintln!(
                "{} does not carry its weight: {:.0} % comes down",
                object.node,
                object.comes_down * 1e2
            ),
            (None, false) => {}
        }
    }
    for removal in report.removals.iter().take(SHOWN_REMOVALS) {
        eprintln!(
            "without {}: {} come down, {:.1} % of all others",
            removal.node,
            removal.brings_down.len(),
            removal.share * 1e2
        );
    }
    let verdict = if report.stands {
        "stands"
    } else {
        "does not stand"
    };
    eprintln!(
        "{}: {verdict}, {} objects",
        report.scene,
        report.objects.len()
    );
}

fn headless(path: &Path, cli: &Cli) -> ExitCode {
    // The run changes the current folder; the report goes where the user is now.
    let report_path = cli.report.as_deref().map(absolute);
    let options = RunOptions {
        data: cli.data.clone(),
        threads: usize::from(cli.threads),
        record: cli.record.as_deref().map(absolute),
        pieces: cli.pieces.as_deref().map(absolute),
    };
    let engine_log = listen();
    let outcome = scenario::run(path, &options);
    for message in engine_log
        .try_iter()
        .filter(|m| m.kind == MessageKind::Error)
    {
        eprintln!("engine: {}", message.content.trim_end());
    }
    let report = match outcome {
        Ok(report) => report,
        Err(error) => return unreadable(&error),
    };
    summarize(&report);
    let written = report_path.map_or(ExitCode::SUCCESS, |path| write_report(&report, &path));
    if written != ExitCode::SUCCESS {
        written
    } else if report.passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}

/// Redirects the engine's log from the standard output, which may be used by the report.
fn listen() -> Receiver<LogMessage> {
    let (sender, receiver) = mpsc::channel();
    Log::enable_writing_to_stdout(false);
    Log::add_listener(sender);
    receiver
}

fn absolute(path: &Path) -> std::path::PathBuf {
    if path == Path::new("-") {
        return path.to_path_buf();
    }
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn unreadable(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(UNREADABLE)
}

/// Prints failures in full, and the rest as a count.
fn summarize(report: &Report) {
    for warning in &report.warnings {
        eprintln!("warning: {warning}");
    }
    for fault in &report.faults {
        eprintln!("fault: {fault}");
    }
    for failed in report.expectations.iter().filter(|e| !e.passed) {
        eprintln!(
            "failed at frame {}: expected that {}; found {}",
            failed.frame, failed.expected, failed.found
        );
    }
    let held = report.expectations.iter().filter(|e| e.passed).count();
    eprintln!(
        "{}: {held} of {} expectations hold after {} frames, state {}",
        report.scenario,
        report.expectations.len(),
        report.frames,
        report.state_hash
    );
}

/// Writes a report; the exit status of that.
fn write_report(report: &impl Serialize, path: &Path) -> ExitCode {
    let Err(error) = write(report, path) else {
        return ExitCode::SUCCESS;
    };
    eprintln!(
        "error: the report {} cannot be written: {error}",
        path.display()
    );
    ExitCode::from(UNREADABLE)
}

fn write(report: &impl Serialize, path: &Path) -> io::Result<()> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    if path == Path::new("-") {
        print!("{text}");
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
