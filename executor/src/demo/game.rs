//! The demo's plugin: it loads the scene, listens to mouse and keys, and shows what goes on.

use super::{camera::FlyCamera, gun::Gun, hud::Hud, quality::Governor};
use fracture::{FracturePlugin, Settings};
use fyrox::{
    core::{algebra::Vector2, log::Log, pool::Handle, reflect::prelude::*, visitor::prelude::*},
    engine::GraphicsContext,
    event::{ElementState, Event, MouseButton, WindowEvent},
    gui::inspector::editors::PropertyEditorDefinitionContainer,
    keyboard::{KeyCode, PhysicalKey},
    plugin::{
        error::GameResult, Plugin, PluginContext, PluginRegistrationContext, SceneLoaderResult,
    },
    scene::Scene,
};
use std::path::PathBuf;
use std::sync::Arc;

/// Time that is made up for after a slow frame, seconds. Beyond it the game runs slower than the
/// clock instead of spending ever more steps a frame.
const MOST_LAG: f32 = 0.25;

/// The demo game. It holds the destruction plugin and passes the engine's calls on to it.
#[derive(Default, Debug, Visit, Reflect)]
#[reflect(non_cloneable)]
pub struct Game {
    #[visit(skip)]
    #[reflect(hidden)]
    fracture: FracturePlugin,
    #[visit(skip)]
    #[reflect(hidden)]
    scene_path: PathBuf,
    #[visit(skip)]
    #[reflect(hidden)]
    scene: Handle<Scene>,
    #[visit(skip)]
    #[reflect(hidden)]
    loading: bool,
    #[visit(skip)]
    #[reflect(hidden)]
    camera: FlyCamera,
    #[visit(skip)]
    #[reflect(hidden)]
    gun: Gun,
    #[visit(skip)]
    #[reflect(hidden)]
    hud: Hud,
    #[visit(skip)]
    #[reflect(hidden)]
    quality: Governor,
}

impl Game {
    /// A game on one scene, with the given number of worker threads.
    pub fn new(scene_path: PathBuf, threads: usize) -> Self {
        let settings = Settings {
            threads: threads.max(1),
            ..Settings::default()
        };
        Self {
            fracture: FracturePlugin::new(settings),
            scene_path,
            ..Self::default()
        }
    }

    /// Closes the scene, if one is open, and loads it afresh.
    fn load(&mut self, ctx: &mut PluginContext) {
        if self.loading {
            return;
        }
        self.loading = true;
        ctx.load_scene(
            self.scene_path.clone(),
            false,
            |result, game: &mut Self, ctx| game.on_loaded_scene(result, ctx),
        );
    }

    fn on_loaded_scene(
        &mut self,
        result: SceneLoaderResult,
        ctx: &mut PluginContext,
    ) -> GameResult {
        self.loading = false;
        let scene = match result {
            Ok(output) => output.payload,
            Err(error) => {
                self.hud
                    .complain(format!("The scene cannot be read: {error}"));
                return Err(error.into());
            }
        };
        if ctx.scenes.is_valid_handle(self.scene) {
            ctx.scenes.remove(self.scene);
        }
        self.gun = Gun::default();
        self.scene = ctx.scenes.add(scene);
        if let Ok(scene) = ctx.scenes.try_get_mut(self.scene) {
            self.camera.attach(scene);
        }
        // The time of loading is not made up for.
        *ctx.lag = 0.0;
        Ok(())
    }

    fn on_click(&mut self, button: MouseButton, state: ElementState, ctx: &mut PluginContext) {
        match (button, state) {
            (MouseButton::Left, ElementState::Pressed) => {
                if let Ok(scene) = ctx.scenes.try_get_mut(self.scene) {
                    self.gun.shoot(
                        scene,
                        self.camera.handle(),
                        frame_size(ctx.graphics_context),
                    );
                }
            }
            (MouseButton::Right, _) => self.camera.look(state == ElementState::Pressed),
            _ => (),
        }
    }

    fn on_key(&mut self, key: KeyCode, state: ElementState, ctx: &mut PluginContext) {
        let pressed = state == ElementState::Pressed;
        self.camera.on_key(key, pressed);
        match key {
            KeyCode::KeyR if pressed => self.load(ctx),
            KeyCode::KeyB if pressed => self.bomb(ctx),
            KeyCode::Escape if pressed => ctx.loop_controller.exit(),
            _ => (),
        }
    }

    fn bomb(&mut self, ctx: &mut PluginContext) {
        let size = frame_size(ctx.graphics_context);
        let Ok(scene) = ctx.scenes.try_get_mut(self.scene) else {
            return;
        };
        let target = self.gun.target(scene, self.camera.handle(), size);
        if let (Some(point), Some(destruction)) =
            (target, self.fracture.destruction_mut(self.scene))
        {
            destruction.explosion(scene, point, 1.5, 20_000.0);
        }
    }
}

fn frame_size(graphics: &GraphicsContext) -> Vector2<f32> {
    match graphics {
        GraphicsContext::Initialized(context) => {
            let size = context.window.inner_size();
            Vector2::new(size.width.max(1) as f32, size.height.max(1) as f32)
        }
        GraphicsContext::Uninitialized(_) => Vector2::repeat(1.0),
    }
}

impl Plugin for Game {
    fn register(&self, context: PluginRegistrationContext) -> GameResult {
        self.fracture.register(context)
    }

    fn register_property_editors(&self, editors: Arc<PropertyEditorDefinitionContainer>) {
        self.fracture.register_property_editors(editors);
    }

    fn init(&mut self, scene_path: Option<&str>, mut ctx: PluginContext) -> GameResult {
        if let Some(path) = scene_path {
            self.scene_path = path.into();
        }
        self.hud.build(&mut ctx);
        self.load(&mut ctx);
        Ok(())
    }

    fn update(&mut self, ctx: &mut PluginContext) -> GameResult {
        *ctx.lag = ctx.lag.min(MOST_LAG);
        self.fracture.update(ctx)?;
        if let Ok(scene) = ctx.scenes.try_get_mut(self.scene) {
            self.camera.update(scene, ctx.dt);
            self.gun.tidy(scene);
        }
        let statistics = self
            .fracture
            .destruction(self.scene)
            .map(|d| d.statistics());
        self.hud.update(ctx, statistics, self.loading);
        Ok(())
    }

    fn on_deinit(&mut self, ctx: PluginContext) -> GameResult {
        self.fracture.on_deinit(ctx)
    }

    fn on_graphics_context_initialized(&mut self, ctx: PluginContext) -> GameResult {
        if let GraphicsContext::Initialized(context) = ctx.graphics_context {
            Log::verify(
                context
                    .renderer
                    .set_quality_settings(&self.quality.settings()),
            );
        }
        Ok(())
    }

    fn before_rendering(&mut self, ctx: PluginContext) -> GameResult {
        self.hud.on_picture();
        if !ctx.scenes.is_valid_handle(self.scene) {
            return Ok(());
        }
        if let (Some(settings), GraphicsContext::Initialized(context)) =
            (self.quality.on_frame(), ctx.graphics_context)
        {
            Log::verify(context.renderer.set_quality_settings(&settings));
        }
        Ok(())
    }

    fn on_os_event(&mut self, event: &Event<()>, mut ctx: PluginContext) -> GameResult {
        let Event::WindowEvent { event, .. } = event else {
            return Ok(());
        };
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let cursor = Vector2::new(position.x as f32, position.y as f32);
                self.camera.on_cursor(cursor);
                self.gun.aim(cursor);
            }
            WindowEvent::MouseInput { state, button, .. } => {
                self.on_click(*button, *state, &mut ctx);
            }
            WindowEvent::KeyboardInput { event, .. } if !event.repeat => {
                if let PhysicalKey::Code(key) = event.physical_key {
                    self.on_key(key, event.state, &mut ctx);
                }
            }
            _ => (),
        }
        Ok(())
    }
}
