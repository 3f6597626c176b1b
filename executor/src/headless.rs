//! The engine without a window: resources, scenes and scripts, no screen and no sound.

use crate::data_folder::{DataFolder, DataFolderError};
use fyrox::{
    asset::{io::FsResourceIo, manager::ResourceManager, untyped::UntypedResource},
    core::{
        dyntype::DynTypeConstructorContainer, futures::executor::block_on, pool::Handle,
        task::TaskPool, visitor::error::VisitError, SafeLock,
    },
    engine::{
        ApplicationLoopController, Engine, EngineInitParams, GraphicsContextParams,
        SerializationContext,
    },
    gui::constructor::new_widget_constructor_container,
    scene::{Scene, SceneLoader},
};
use std::{
    cell::Cell,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};
use thiserror::Error;

/// Longest wait for a scene's files. Reached only when a disk hangs.
const LOADING_LIMIT: Duration = Duration::from_secs(60);

/// Why the engine or a scene could not be opened.
#[derive(Debug, Error)]
pub enum HeadlessError {
    /// No data folder.
    #[error(transparent)]
    Data(#[from] DataFolderError),
    /// The engine does not start.
    #[error("the engine does not start: {0}")]
    Engine(String),
    /// The scene file is not there.
    #[error("scene {}: there is no such file; scenes are looked for beside the scenario and in the data folder", .0.display())]
    NoScene(PathBuf),
    /// The scene file cannot be read.
    #[error("scene {} cannot be read: {reason}; save it again from the editor", .path.display())]
    Scene {
        /// The file.
        path: PathBuf,
        /// The engine's error.
        reason: String,
    },
}

/// An engine without graphics that runs scenes and their scripts frame by frame.
pub struct Headless {
    engine: Engine,
}

impl Headless {
    /// Starts the engine on the given data and registers the destruction module.
    ///
    /// Makes the folder above the data folder the current one of the whole process.
    ///
    /// # Errors
    /// [`HeadlessError`] when the folder cannot be entered or the engine does not start.
    pub fn new(data: &DataFolder) -> Result<Self, HeadlessError> {
        data.enter()?;
        let task_pool = Arc::new(TaskPool::new());
        let engine = Engine::new(EngineInitParams {
            graphics_context_params: GraphicsContextParams::default(),
            serialization_context: Arc::new(SerializationContext::new()),
            widget_constructors: Arc::new(new_widget_constructor_container()),
            dyn_type_constructors: Arc::new(DynTypeConstructorContainer::default()),
            resource_manager: ResourceManager::new(Arc::new(FsResourceIo), task_pool.clone()),
            task_pool,
        })
        .map_err(|error| HeadlessError::Engine(format!("{error:?}")))?;
        fracture::register(&engine.serialization_context, &engine.resource_manager);
        let registry = engine.resource_manager.state().resource_registry.clone();
        registry
            .safe_lock()
            .set_path(data.name().join("resources.registry"));
        engine.resource_manager.update_or_load_registry();
        Ok(Self { engine })
    }

    /// The engine's resources.
    pub fn resources(&self) -> &ResourceManager {
        &self.engine.resource_manager
    }

    /// Reads a scene with everything it uses, and runs its scripts from the next frame on.
    ///
    /// # Errors
    /// [`HeadlessError`] when the file is missing, damaged, or uses a model that is.
    pub fn open(&mut self, path: &Path) -> Result<Handle<Scene>, HeadlessError> {
        if !path.is_file() {
            return Err(HeadlessError::NoScene(path.to_path_buf()));
        }
        let failed = |error: VisitError| HeadlessError::Scene {
            path: path.to_path_buf(),
            reason: error.to_string(),
        };
        let io = self.engine.resource_manager.resource_io();
        let (loader, _) = block_on(SceneLoader::from_file(
            path,
            io.as_ref(),
            self.engine.serialization_context.clone(),
            self.engine.dyn_type_constructors.clone(),
            self.engine.resource_manager.clone(),
        ))
        .map_err(failed)?;
        let scene = block_on(loader.finish());
        self.load_everything();
        let handle = self.engine.scenes.add(scene);
        self.engine.register_scripted_scene(handle);
        Ok(handle)
    }

    /// Waits for textures and other files read in the background: the engine runs no script before, and
    /// frames without a screen are faster than the disk.
    fn load_everything(&self) {
        let deadline = Instant::now() + LOADING_LIMIT;
        // Asked each time: a loaded resource can request more.
        let is_loaded = || {
            let state = self.engine.resource_manager.state();
            state.get_wait_context().is_all_loaded()
        };
        while !is_loaded() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Runs one frame: scripts, then physics and the graph.
    pub fn frame(&mut self, step: f32) {
        let running = Cell::new(true);
        let controller = ApplicationLoopController::Headless { running: &running };
        self.engine
            .update(step, controller, &mut 0.0, Default::default());
    }

    /// Returns the scene's resources that could not be loaded, sorted.
    pub fn missing(&mut self, handle: Handle<Scene>) -> Vec<String> {
        let Some(scene) = self.scene(handle) else {
            return Vec::new();
        };
        let used: Vec<UntypedResource> = scene.collect_used_resources().into_iter().collect();
        let mut missing: Vec<String> = used
            .iter()
            .filter(|resource| resource.is_failed_to_load())
            .map(|resource| self.describe(resource))
            .collect();
        missing.sort();
        missing
    }

    fn describe(&self, resource: &UntypedResource) -> String {
        match self.engine.resource_manager.resource_path(resource) {
            Some(path) => path.display().to_string(),
            None => format!(
                "resource {} (not in the registry)",
                resource.resource_uuid()
            ),
        }
    }

    /// A scene that is open.
    pub fn scene(&mut self, handle: Handle<Scene>) -> Option<&mut Scene> {
        self.engine.scenes.try_get_mut(handle).ok()
    }

    /// Sends a script message to a node.
    pub fn send(
        &self,
        scene: Handle<Scene>,
        node: Handle<fyrox::scene::node::Node>,
        message: impl fyrox::script::ScriptMessagePayload,
    ) {
        let scenes = &self.engine.script_processor.scripted_scenes;
        if let Some(scripted) = scenes.iter().find(|scripted| scripted.handle == scene) {
            scripted.message_sender.send_to_target(node, message);
        }
    }

    /// Closes a scene.
    pub fn close(&mut self, handle: Handle<Scene>) {
        if self.engine.scenes.is_valid_handle(handle) {
            self.engine.scenes.remove(handle);
        }
    }
}
