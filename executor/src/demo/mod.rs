//! The demo: a window with a scene to shoot at.
//!
//! Left click shoots a ball at what the cursor points to, `B` sets off a bomb there, `R` resets
//! the scene. `W A S D` or the arrow keys fly, the right mouse button looks around, `Q` and `E`
//! go down and up, `Shift` is faster.

mod camera;
mod game;
mod gun;
mod hud;
mod quality;

use crate::data_folder::{DataFolder, DataFolderError};
use fyrox::{
    asset::manager::ResourceManager,
    core::SafeLock,
    dpi::LogicalSize,
    engine::{executor::Executor, GraphicsContextParams},
    event_loop::EventLoop,
    window::WindowAttributes,
};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why the demo does not open.
#[derive(Debug, Error)]
pub enum DemoError {
    /// No data.
    #[error(transparent)]
    Data(#[from] DataFolderError),
    /// No screen.
    #[error("no window can be opened: no display answers (DISPLAY and WAYLAND_DISPLAY name it); without one use --headless --scenario FILE.ron --report FILE.json")]
    NoScreen,
    /// The scene file is missing.
    #[error("scene {}: there is no such file", .0.display())]
    NoScene(PathBuf),
}

/// What to open.
#[derive(Clone, Debug)]
pub struct DemoOptions {
    /// The data folder; `None` looks for it.
    pub data: Option<PathBuf>,
    /// The scene, relative to the data folder.
    pub scene: PathBuf,
    /// Worker threads.
    pub threads: usize,
}

/// Opens the window and plays until it is closed.
///
/// # Errors
/// [`DemoError`] when the data, the scene or a screen is missing.
pub fn run(options: &DemoOptions) -> Result<(), DemoError> {
    let data = DataFolder::find(options.data.as_deref(), None)?;
    let scene = data.scene(&options.scene, None);
    data.enter()?;
    if !scene.is_file() {
        return Err(DemoError::NoScene(scene));
    }
    let event_loop = EventLoop::new().map_err(|_| DemoError::NoScreen)?;
    let mut executor = Executor::from_params(Some(event_loop), window());
    set_registry(&executor.resource_manager, &data.name());
    executor.set_resource_hot_reloading_enabled(false);
    // Physics only ever takes the fixed step: with a long one things break by falling a millimetre.
    executor.set_throttle_threshold(f32::MAX);
    executor.add_plugin(game::Game::new(scene, options.threads));
    executor.run();
    Ok(())
}

fn window() -> GraphicsContextParams {
    let mut window_attributes = WindowAttributes::default();
    window_attributes.title = "fracture".into();
    window_attributes.resizable = true;
    window_attributes.inner_size = Some(LogicalSize::new(1024.0, 576.0).into());
    GraphicsContextParams {
        window_attributes,
        ..Default::default()
    }
}

fn set_registry(resources: &ResourceManager, data: &Path) {
    let registry = resources.state().resource_registry.clone();
    registry
        .safe_lock()
        .set_path(data.join("resources.registry"));
}
