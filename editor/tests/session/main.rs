//! A session with the real editor: headless, and in a window on a virtual display.
//!
//! Both run the same script on a copy of the data. The window is driven by the same clicks, and its
//! pictures are compared loosely; `FRACTURE_PICTURES=<folder>` keeps them. Without a display server
//! or the programs to look at it the second part is skipped, and says so.

mod display;
mod driver;
mod saved;
mod script;

use display::{Display, DisplayError};
use driver::{Driver, STEP_LIMIT};
use fyrox::{event_loop::EventLoop, renderer::QualitySettings};
use fyroxed_base::{Editor, StartupData};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{self, Child, Command, ExitCode},
    thread,
    time::{Duration, Instant},
};
use virtual_display::tail;

/// The kinds of sessions without a window, and with one.
const HEADLESS: [&str; 4] = ["headless", "stress", "large", "structure"];
const WINDOWED: [&str; 3] = ["window", "cuts", "structure_window"];

/// Longest time for the editor's window to appear: some 3 s on two cores without a graphics card.
const WINDOW_LIMIT: Duration = Duration::from_secs(60);
/// Longest time between two lines of a session's log. Beyond the limit of a step, which says more.
const SILENCE_LIMIT: Duration = STEP_LIMIT.saturating_add(Duration::from_secs(30));

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.as_slice() {
        [mode, folder]
            if HEADLESS.contains(&mode.as_str()) || WINDOWED.contains(&mode.as_str()) =>
        {
            run(mode, Path::new(folder))
        }
        all if all.iter().any(|argument| argument == "--list") => ExitCode::SUCCESS,
        // As of any test: a part of a name runs those that have it.
        all => {
            let filter = all.iter().find(|argument| !argument.starts_with('-'));
            supervise(filter.map_or("", String::as_str))
        }
    }
}

/// Runs each kind of session in a process of its own.
fn supervise(filter: &str) -> ExitCode {
    let wanted = |name: &str| name.contains(filter);
    println!(
        "\nrunning up to {} sessions",
        HEADLESS.len() + WINDOWED.len()
    );
    let mut failed = 0;
    for mode in HEADLESS {
        if wanted(mode) {
            failed += usize::from(!session(mode, None));
        }
    }
    failed += windowed(&wanted);
    println!("\nsession result: {failed} failed\n");
    ExitCode::from(u8::from(failed > 0))
}

fn windowed(wanted: &dyn Fn(&str) -> bool) -> usize {
    let modes = WINDOWED.into_iter().filter(|mode| wanted(mode));
    let run = |mode| match Display::open(&display::PROGRAMS) {
        Ok(display) => usize::from(!session(mode, Some(&display))),
        Err(missing @ DisplayError::NotInstalled(_)) => {
            println!("session {mode} ... skipped: {missing}");
            0
        }
        Err(error) => {
            println!("session {mode} ... FAILED: {error}");
            1
        }
    };
    modes.map(run).sum()
}

fn session(mode: &str, display: Option<&Display>) -> bool {
    let folder = scratch(mode);
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.arg(mode).arg(&folder);
    // The session must not use the machine's own display.
    command.env_remove("WAYLAND_DISPLAY");
    if let Some(display) = display {
        command.env("DISPLAY", display.name());
    }
    let log = folder.join("session.log");
    let file = fs::File::create(&log).expect("a log");
    command.stderr(file.try_clone().expect("a log"));
    command.stdout(file);
    let outcome = watch(command.spawn().expect("a session"), &log, display);
    match outcome {
        Ok(()) => {
            println!("session {mode} ... ok");
            let _ = fs::remove_dir_all(&folder);
            true
        }
        Err(problem) => {
            println!("session {mode} ... FAILED: {problem}");
            if let Some(display) = display {
                println!("{}", display.describe());
            }
            println!("the end of {}:\n{}", log.display(), tail(&log, 40));
            false
        }
    }
}

/// Waits for a session, which writes a line for each step. One that stops doing so is killed.
fn watch(mut session: Child, log: &Path, display: Option<&Display>) -> Result<(), String> {
    if let Some(display) = display {
        if let Err(problem) = display.wait_for_window(WINDOW_LIMIT) {
            let _ = session.kill();
            let _ = session.wait();
            return Err(problem);
        }
    }
    let length = || fs::metadata(log).map_or(0, |file| file.len());
    let (mut last, mut since) = (length(), Instant::now());
    loop {
        match session.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(status.to_string()),
            Ok(None) => thread::sleep(Duration::from_millis(200)),
            Err(error) => return Err(error.to_string()),
        }
        let now = length();
        if now != last {
            (last, since) = (now, Instant::now());
        }
        if since.elapsed() > SILENCE_LIMIT {
            let _ = session.kill();
            let _ = session.wait();
            return Err(format!("no step is done within {SILENCE_LIMIT:?}"));
        }
    }
}

/// A copy of the data, so that a session can write into it. Sessions that run at once have their own.
fn scratch(mode: &str) -> PathBuf {
    let name = format!("session-{mode}-{}", process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    copy(&data, &folder.join("data"));
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

fn run(mode: &str, folder: &Path) -> ExitCode {
    env::set_current_dir(folder).expect("the scratch folder");
    let startup = StartupData {
        working_directory: PathBuf::new(),
        scenes: vec![script::SCENE.into()],
        named_objects: false,
    };
    let mut settings = editor::first_start::settings();
    let data = settings.data_mut();
    data.graphics.quality = QualitySettings::low();
    // Boxes of nodes would hide what pictures are about.
    data.debugging.show_bounds = false;
    // A game that ends at once, and a build that ends when a step says so: the editor's modal window about
    // a build that ends in the frame of its start never closes.
    if let Some(profile) = data.build.profiles.get_mut(data.build.selected_profile) {
        profile.run_command.command = "true".into();
        profile.run_command.args.clear();
        let mut build = profile.run_command.clone();
        build.command = "sh".into();
        let wait = format!("until [ -e {} ]; do sleep 0.05; done", script::BUILT);
        build.args = vec!["-c".into(), wait];
        profile.build_commands = vec![build];
    }
    let mut editor = Editor::new_with_settings(Some(startup), settings);
    editor::install(&mut editor);
    let windowed = WINDOWED.contains(&mode);
    let steps = match mode {
        "stress" => script::stress::steps(),
        "large" => script::large::steps(),
        "cuts" => script::cuts::steps(),
        "structure" | "structure_window" => script::structure::steps(windowed),
        _ => script::steps(windowed),
    };
    editor.add_editor_plugin(Driver::new(steps));
    if windowed {
        editor.run(EventLoop::new().expect("a display"));
    } else {
        editor.run_headless();
    }
    // The driver leaves through the editor's own exit only when all steps are done.
    ExitCode::SUCCESS
}
