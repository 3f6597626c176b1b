//! What a failed scenario leaves to look at: its report, the scene's meshes and a picture.

use crate::name_of;
use executor::{
    demo::{DemoOptions, Wanted},
    scenario::{run, Report, RunOptions},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use virtual_display::Display;

/// The first word of the command line of a process that is to take a picture.
const SHOW: &str = "--show-for-a-picture";
/// How long a picture may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a scenario once more and keeps what is to be seen where it fails, in `failures` of a folder.
/// Says in words what there is, and what there is not and why.
pub fn gather(path: &Path, report: &Report, target: &Path) -> String {
    let folder = target.join("failures").join(name_of(path));
    if let Err(error) = fs::create_dir_all(&folder) {
        return format!(
            "nothing is kept: {} cannot be made: {error}",
            folder.display()
        );
    }
    let pieces = folder.join("pieces.obj");
    let options = RunOptions {
        pieces: Some(pieces.clone()),
        ..RunOptions::default()
    };
    let mut said = match run(path, &options) {
        Ok(_) => format!("its meshes: {}\n", pieces.display()),
        Err(error) => format!("its meshes are not kept: {error}\n"),
    };
    let text = serde_json::to_string_pretty(report).unwrap_or_default();
    let report_path = folder.join("report.json");
    if fs::write(&report_path, text).is_ok() {
        said += &format!("its report: {}\n", report_path.display());
    }
    let failed = report.expectations.iter().find(|found| !found.passed);
    let frame = failed.map_or(report.frames.saturating_sub(1), |found| found.frame);
    said += &match picture(path, &folder, frame) {
        Ok(picture) => format!("its picture: {}\n", picture.display()),
        Err(reason) => format!("there is no picture: {reason}\n"),
    };
    said
}

/// Has the scenario shown on a virtual display, by a process of its own.
fn picture(scenario: &Path, folder: &Path, frame: u32) -> Result<PathBuf, String> {
    let display = Display::open(&[])?;
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args([Path::new(SHOW), scenario, folder])
        .arg(frame.to_string())
        .env_remove("WAYLAND_DISPLAY")
        .env("DISPLAY", display.name())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    if !ends(&mut child) {
        return Err("drawing it takes too long".into());
    }
    let path = folder.join(format!("frame_{frame:04}.png"));
    match path.is_file() {
        true => Ok(path),
        false => Err("the renderer does not work here".into()),
    }
}

fn ends(child: &mut Child) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Ok(Some(_)) = child.try_wait() {
            return true;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// What to show, when this process was started for a picture.
pub fn asked_for() -> Option<DemoOptions> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [show, scenario, folder, frame] = words.as_slice() else {
        return None;
    };
    let frame = frame.parse().ok()?;
    (show == SHOW).then(|| DemoOptions {
        scenario: Some(scenario.into()),
        pictures: Some(Wanted {
            folder: folder.into(),
            frames: vec![frame],
        }),
        ..DemoOptions::default()
    })
}
