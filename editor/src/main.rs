//! The Fyrox editor with destructibles and fracture patterns in it.
//!
//! `editor [SCENE...]` opens the given scenes, paths being relative to the folder that holds `data`.
//! Without any it opens the demo scene, if there is one.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use editor::{first_start, project};
use fyrox::event_loop::EventLoop;
use fyroxed_base::{Editor, StartupData};
use std::{env, path::PathBuf, process::ExitCode};

/// The scene that is opened when none is given.
const DEMO: &str = "data/scenes/demo.rgs";

fn main() -> ExitCode {
    match run(env::args_os().skip(1).map(PathBuf::from).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("editor: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(scenes: Vec<PathBuf>) -> Result<(), Box<dyn std::error::Error>> {
    project::enter()?;
    let scenes = project::checked(scenes, DEMO)?;
    let event_loop = EventLoop::new()
        .map_err(|error| format!("no window can be opened: {error}; start it on a desktop"))?;
    let startup = StartupData {
        working_directory: PathBuf::new(), // the one entered above
        scenes,
        named_objects: false,
    };
    let mut editor = Editor::new_with_settings(Some(startup), first_start::settings());
    editor::install(&mut editor);
    editor.run(event_loop);
    Ok(())
}
