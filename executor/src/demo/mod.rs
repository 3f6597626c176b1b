//! The demo: a window with scenes to break things in. Its menu chooses among them, the mouse uses a tool
//! on what the cursor points to; all keys are in [`KEYS`].

mod controls;
mod effects;
mod game;
mod overlay;
mod pictures;
mod program;
mod render_quality;
mod scene_list;
mod session;
mod watch;

pub use controls::{Tool, Tools, View};
pub use pictures::PictureRequest;
pub use program::Choices;
pub use scene_list::{SceneEntry, GALLERY};
pub use watch::{DemoState, Watch};

use crate::{
    data_folder::{DataFolder, DataFolderError},
    players::{Client, Host, Players, PlayersError},
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
use program::Program;
use std::{
    net::SocketAddr,
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
    #[error("scene {}: there is no such file; the demo has {}", .0.display(), scene_names())]
    NoScene(PathBuf),
    /// The scene file is where the engine finds no scenes.
    #[error("scene {}: the window opens scenes below the folder that the data folder is in; copy it there, or name its own data folder with --data", .0.display())]
    SceneElsewhere(PathBuf),
    /// The scenario cannot be read.
    #[error(transparent)]
    Scenario(#[from] ReadError),
    /// Nothing can be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no way to other players.
    #[error(transparent)]
    Players(#[from] PlayersError),
}

/// Options of the demo.
#[derive(Clone, Debug, Default)]
pub struct DemoOptions {
    /// The data folder; `None` searches for it.
    pub data: Option<PathBuf>,
    /// The scene, relative to the data folder.
    pub scene: PathBuf,
    /// Settings of destruction.
    pub choices: Choices,
    /// Whether the menu is open at first.
    pub menu: bool,
    /// A scenario to play: its scene is opened instead, with its time step.
    pub scenario: Option<PathBuf>,
    /// The file for a recording of all actions. Each frame then waits for its breaks.
    pub record: Option<PathBuf>,
    /// Pictures to take of the scenario; the program ends with the last one.
    pub pictures: Option<PictureRequest>,
    /// The side of this program among other players.
    pub side: Side,
}

/// The side of a program among other players.
#[derive(Clone, Copy, Debug, Default)]
pub enum Side {
    /// Alone.
    #[default]
    Alone,
    /// The host, at an address of this machine.
    Host(SocketAddr),
    /// A client of the host at an address.
    Client(SocketAddr),
}

impl Side {
    fn open(self) -> Result<Players, PlayersError> {
        Ok(match self {
            Self::Alone => Players::None,
            Self::Host(address) => Players::Host(Host::open(address)?),
            Self::Client(host) => Players::Client(Client::open(host)?),
        })
    }
}

/// Opens the window and plays until it is closed.
///
/// # Errors
/// [`DemoError`] when the data, the scene, the scenario or a screen is missing, or nothing can be
/// recorded, or the address of a host is in use.
pub fn run(options: &DemoOptions) -> Result<(), DemoError> {
    let file = options.scenario.as_deref();
    let data = DataFolder::find(options.data.as_deref(), file)?;
    let plan = file.map(scenario::read).transpose()?.map(Arc::new);
    let scene = match &plan {
        Some(plan) => data.scene(&plan.scene, file.and_then(Path::parent)),
        None => named_scene(&data, &options.scene),
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
    if scene.is_absolute() {
        return Err(DemoError::SceneElsewhere(scene));
    }
    if let Some(record) = &record {
        record::check(record)?;
    }
    let players = options.side.open()?;
    let program = Program {
        scene,
        choices: options.choices.clone(),
        data: data.name(),
        begins_with_menu: options.menu && plan.is_none(),
        plan,
        record,
        pictures: options
            .pictures
            .clone()
            .zip(folder)
            .map(|(wanted, folder)| PictureRequest { folder, ..wanted }),
        watch: Watch::default(),
    };
    play(program, players)
}

/// Plays on a page in a browser, which has no folders: files are fetched from `data` beside the page. Returns once the game
/// has begun.
///
/// # Errors
/// [`DemoError::NoScreen`] when there is no page, [`DemoError::NoScene`] when the scene is none of the [`GALLERY`].
pub fn run_on_page(scene: Option<&str>, watch: &Watch) -> Result<(), DemoError> {
    let file = |name| Path::new("scenes").join(name).with_extension("rgs");
    let scene = file(scene.unwrap_or("demo"));
    let missing = || DemoError::NoScene(scene.clone());
    let index = scene_list::at(&scene).ok_or_else(missing)?;
    let entry = GALLERY.get(index).ok_or_else(missing)?;
    let data = PathBuf::from("data");
    let program = Program {
        scene: scene_list::path(entry, &data),
        data,
        begins_with_menu: true,
        watch: watch.clone(),
        ..Program::default()
    };
    play(program, Players::None)
}

/// Opens the window and plays.
fn play(program: Program, players: Players) -> Result<(), DemoError> {
    let event_loop = EventLoop::new().map_err(|_| DemoError::NoScreen)?;
    let mut executor = Executor::from_params(Some(event_loop), window());
    set_registry(&executor.resource_manager, &program.data);
    executor.set_resource_hot_reloading_enabled(false);
    // Physics only ever takes the fixed step: with a long one things break by falling a millimetre.
    executor.set_throttle_threshold(f32::MAX);
    if let Some(plan) = &program.plan {
        executor.set_desired_update_rate(1.0 / plan.step);
    }
    executor.add_plugin(game::Game::new(program, players));
    executor.run();
    Ok(())
}

/// Returns a scene by its file or its name.
fn named_scene(data: &DataFolder, scene: &Path) -> PathBuf {
    let found = data.scene(scene, None);
    if found.is_file() || scene.extension().is_some() {
        return found;
    }
    data.scene(&Path::new("scenes").join(scene).with_extension("rgs"), None)
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

fn scene_names() -> String {
    let stem = |entry: &SceneEntry| {
        Path::new(entry.file)
            .file_stem()
            .map(|stem| stem.to_string_lossy())
    };
    let names: Vec<_> = GALLERY.iter().filter_map(stem).collect();
    names.join(", ")
}

fn set_registry(resources: &ResourceManager, data: &Path) {
    let registry = resources.state().resource_registry.clone();
    registry
        .safe_lock()
        .set_path(data.join("resources.registry"));
}

/// Keys and mouse, one line each.
pub const KEYS: &[&str] = &[
    "Tab, M, Esc  the menu: arrows and Enter, or the mouse",
    "2            shoot: a ball at what the cursor points to",
    "3, B         bomb; the wheel changes its radius",
    "4            hammer: the longer held, the harder",
    "5            blade: drag a line, one straight cut",
    "6            push: hold; breaks nothing",
    "Space        pause",
    ".            a single step",
    ",            slow motion",
    "R            reset the scene",
    "T            reset it and repeat the last hit with another seed",
    "1, W A S D   the cube to push, and its push (without cubes they fly)",
    "arrows, Q E  fly; Shift is faster",
    "right mouse  the cursor turns the camera; C: always",
    "V            draw what holds what: green to red by stress, blue where it only presses, a cross at the ground",
    "G, H         draw supports and damage; draw the cracks of a hit at the cursor",
    "F1           numbers, frame times and keys",
    "touch        a tap uses the tool, a finger that rests holds it down; a drag looks, with two fingers it flies;",
    "             a tap with two opens the menu",
];
