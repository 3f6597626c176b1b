//! The Fyrox editor with destructibles and fracture patterns in it: the fields, and the tool that
//! shows a break before it happens.
//!
//! ```no_run
//! use fyrox::event_loop::EventLoop;
//! use fyroxed_base::Editor;
//!
//! let mut editor = Editor::new(None);
//! editor::install(&mut editor);
//! editor.run(EventLoop::new().unwrap());
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod background_job;
pub mod commands;
pub mod first_start;
pub mod preview;
pub mod project;
mod property_editors;
pub mod tool;

use fracture::FracturePlugin;
use fyroxed_base::Editor;

/// Puts everything into an editor that has not been started.
pub fn install(editor: &mut Editor) {
    editor.add_game_plugin(FracturePlugin::default());
    property_editors::register(editor);
    editor.add_editor_plugin(tool::FractureTool::default());
}
