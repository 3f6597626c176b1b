//! A session with the real editor: headless, and in a window on a virtual display.
//!
//! Both run the same script on a copy of the data. The window is driven by the same clicks, and its
//! pictures are compared loosely; `FRACTURE_PICTURES=<folder>` keeps them. Without a display server
//! or the programs to look at it the second part is skipped, and says so.

mod display;
mod driver;
mod saved;
mod script;

use driver::Driver;
use fyrox::{event_loop::EventLoop, renderer::QualitySettings};
use fyroxed_base::{settings::Settings, Editor, StartupData};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode},
    thread,
    time::{Duration, Instant},
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.as_slice() {
        [mode, folder]
            if ["headless", "window", "stress", "large", "cuts"].contains(&mode.as_str()) =>
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
    println!("\nrunning up to 5 sessions");
    let mut failed = 0;
    if wanted("headless") {
        failed += usize::from(!session("headless", None));
    }
    for mode in ["stress", "large"] {
        if wanted(mode) {
            failed += usize::from(!session(mode, None));
        }
    }
    failed += windowed(&wanted);
    println!("\nsession result: {failed} failed\n");
    ExitCode::from(u8::from(failed > 0))
}

fn windowed(wanted: &dyn Fn(&str) -> bool) -> usize {
    let modes = ["window", "cuts"].into_iter().filter(|mode| wanted(mode));
    let run = |mode| match display::Display::open(&display::PROGRAMS) {
        Ok(display) => usize::from(!session(mode, Some(&display))),
        Err(reason) => {
            println!("session {mode} ... skipped: {reason}");
            0
        }
    };
    modes.map(run).sum()
}

fn session(mode: &str, display: Option<&display::Display>) -> bool {
    let folder = scratch(mode);
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.arg(mode).arg(&folder);
    // Whatever the machine has, this session must not use it.
    command.env_remove("WAYLAND_DISPLAY");
    if let Some(display) = display {
        command.env("DISPLAY", display.name());
    }
    let log = folder.join("session.log");
    let file = fs::File::create(&log).expect("a log");
    command.stderr(file.try_clone().expect("a log"));
    command.stdout(file);
    let succeeded = ends_well(command.spawn().expect("a session"));
    let verdict = if succeeded { "ok" } else { "FAILED" };
    println!("session {mode} ... {verdict}");
    if !succeeded {
        let text = fs::read_to_string(&log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let tail = lines.len().saturating_sub(40);
        println!("{}", lines[tail..].join("\n"));
    }
    succeeded
}

/// Waits for a session. One that hangs is ended, far beyond what the slowest machine needs.
fn ends_well(mut session: Child) -> bool {
    let end = Instant::now() + Duration::from_secs(30 * 60);
    while Instant::now() < end {
        if let Some(status) = session.try_wait().expect("a session") {
            return status.success();
        }
        thread::sleep(Duration::from_millis(200));
    }
    let _ = session.kill();
    let _ = session.wait();
    println!("session hangs");
    false
}

/// A copy of the data, so that a session can write into it.
fn scratch(mode: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("session-{mode}"));
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
    let mut settings = Settings::default();
    let data = settings.data_mut();
    data.graphics.quality = QualitySettings::low();
    // Boxes of nodes would hide what pictures are about.
    data.debugging.show_bounds = false;
    // A game that ends at once.
    if let Some(profile) = data.build.profiles.get_mut(data.build.selected_profile) {
        profile.run_command.command = "true".into();
        profile.run_command.args.clear();
        profile.build_commands = vec![profile.run_command.clone()];
    }
    let mut editor = Editor::new_with_settings(Some(startup), settings);
    editor::install(&mut editor);
    let windowed = ["window", "cuts"].contains(&mode);
    let steps = match mode {
        "stress" => script::stress::steps(),
        "large" => script::large::steps(),
        "cuts" => script::cuts::steps(),
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
