//! The demo: a window with a scene to shoot at.
//!
//! Left click shoots a ball at what the cursor points to, `B` sets off a bomb there, `R` resets
//! the scene. `W A S D` or the arrow keys fly, the right mouse button looks around, `Q` and `E`
//! go down and up, `Shift` is faster.

mod album;
mod camera;
mod game;
mod gun;
mod hud;
mod program;
mod quality;
mod session;

pub use album::Wanted;

use crate::{
    data_folder::{DataFolder, DataFolderError},
    record::{self, RecordError},
    scenario::{self, ReadError},
};
use fyrox::{
    asset::manager::ResourceManager,
    core::SafeLock,
    dpi::LogicalSize,
    engine::{executor::Executor, GraphicsContextParams},
    event_loop::EventLoop,
    window::WindowAttributes,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
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
    /// The scenario cannot be read.
    #[error(transparent)]
    Scenario(#[from] ReadError),
    /// Nothing can be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// What to open.
#[derive(Clone, Debug, Default)]
pub struct DemoOptions {
    /// The data folder; `None` looks for it.
    pub data: Option<PathBuf>,
    /// The scene, relative to the data folder.
    pub scene: PathBuf,
    /// Worker threads.
    pub threads: usize,
    /// A scenario to be watched; its scene is opened instead, and its step is the frame's.
    pub scenario: Option<PathBuf>,
    /// The file that everything that is done is recorded to. Each break is then waited for.
    pub record: Option<PathBuf>,
    /// Pictures to be taken of the scenario; it ends with the last of them.
    pub pictures: Option<Wanted>,
}

/// Opens the window and plays until it is closed.
///
/// # Errors
/// [`DemoError`] when the data, the scene, the scenario or a screen is missing, or nothing can be
/// recorded.
pub fn run(options: &DemoOptions) -> Result<(), DemoError> {
    let file = options.scenario.as_deref();
    let data = DataFolder::find(options.data.as_deref(), file)?;
    let plan = file.map(scenario::read).transpose()?.map(Arc::new);
    let scene = match &plan {
        Some(plan) => data.scene(&plan.scene, file.and_then(Path::parent)),
        None => data.scene(&options.scene, None),
    };
    // The current folder is about to change.
    let [record, folder] = [
        options.record.as_deref(),
        options.pictures.as_ref().map(|wanted| &*wanted.folder),
    ]
    .map(|path| path.map(|path| std::path::absolute(path).unwrap_or_else(|_| path.into())));
    data.enter()?;
    if !scene.is_file() {
        return Err(DemoError::NoScene(scene));
    }
    if let Some(record) = &record {
        record::check(record)?;
    }
    let event_loop = EventLoop::new().map_err(|_| DemoError::NoScreen)?;
    let mut executor = Executor::from_params(Some(event_loop), window());
    set_registry(&executor.resource_manager, &data.name());
    executor.set_resource_hot_reloading_enabled(false);
    // Physics only ever takes the fixed step: with a long one things break by falling a millimetre.
    executor.set_throttle_threshold(f32::MAX);
    if let Some(plan) = &plan {
        executor.set_desired_update_rate(1.0 / plan.step);
    }
    executor.add_plugin(game::Game::new(program::Program {
        scene,
        threads: options.threads,
        plan,
        record,
        pictures: options
            .pictures
            .clone()
            .zip(folder)
            .map(|(wanted, folder)| Wanted { folder, ..wanted }),
    }));
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
