//! Exports the game as *File > Export Project* of the editor does, without a window: builds it and puts the
//! program and its converted data side by side into a folder that can be run from anywhere.
//!
//! ```text
//! cargo run --release -p editor --example export -- build
//! ```
//!
//! The folder is erased first.

use editor::project;
use fyrox_build_tools::export::{export, ExportOptions};
use fyroxed_base::{settings::Settings, Editor};
use std::{env, error::Error, path::PathBuf, sync::Arc};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).map_or("build".into(), PathBuf::from);
    let destination_folder = std::path::absolute(folder)?;
    project::enter()?;
    // Its loaders are those of the editor.
    let mut editor = Editor::new_with_settings(None, Settings::default());
    editor::install(&mut editor);
    let options = ExportOptions {
        destination_folder,
        open_destination_folder: false,
        ..ExportOptions::default()
    };
    export(
        options,
        Arc::default(),
        editor.engine.resource_manager.clone(),
    )?;
    Ok(())
}
