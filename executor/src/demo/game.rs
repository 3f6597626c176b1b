//! The demo's plugin: it loads the scene, listens to mouse and keys, and shows what goes on.

use super::{
    album::{Album, Shutter},
    camera::FlyCamera,
    gun::Gun,
    hud::Hud,
    program::Program,
    quality::Governor,
    session::Session,
};
use crate::scenario::{Action, Point};
use fracture::FracturePlugin;
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
use std::{cell::RefCell, fs, rc::Rc, sync::Arc};

/// Time that is made up for after a slow frame, seconds. Beyond it the game runs slower than the
/// clock instead of spending ever more steps a frame.
const MOST_LAG: f32 = 0.25;
/// Updates that a scene's files are waited for; then it starts without them.
const PATIENCE: u32 = 3600;
/// Radius (m) and energy (J) of a bomb.
const BOMB: [f32; 2] = [1.5, 20_000.0];

/// The demo game. It holds the destruction plugin and passes the engine's calls on to it.
#[derive(Default, Debug, Visit, Reflect)]
#[reflect(non_cloneable)]
pub struct Game {
    #[visit(skip)]
    #[reflect(hidden)]
    fracture: FracturePlugin,
    #[visit(skip)]
    #[reflect(hidden)]
    program: Program,
    #[visit(skip)]
    #[reflect(hidden)]
    scene: Handle<Scene>,
    #[visit(skip)]
    #[reflect(hidden)]
    loading: bool,
    /// Updates since the scene was loaded in which it waited for its files.
    #[visit(skip)]
    #[reflect(hidden)]
    waited: u32,
    /// Recordings that were begun.
    #[visit(skip)]
    #[reflect(hidden)]
    recordings: u32,
    #[visit(skip)]
    #[reflect(hidden)]
    session: Session,
    #[visit(skip)]
    #[reflect(hidden)]
    shutter: Shutter,
    #[visit(skip)]
    #[reflect(hidden)]
    camera: FlyCamera,
    #[visit(skip)]
    #[reflect(hidden)]
    gun: Gun,
    #[visit(skip)]
    #[reflect(hidden)]
    hud: Hud,
    /// Whether the supports are drawn.
    #[visit(skip)]
    #[reflect(hidden)]
    supports: bool,
    #[visit(skip)]
    #[reflect(hidden)]
    quality: Governor,
}

impl Game {
    /// A game that begins when the engine does. What is recorded waits for its results, because
    /// nothing else can be replayed exactly.
    pub fn new(program: Program) -> Self {
        let settings = program.settings();
        Self {
            fracture: FracturePlugin::new(settings),
            program,
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
            self.program.scene.clone(),
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
        self.waited = 0;
        self.scene = ctx.scenes.add(scene);
        if let Ok(scene) = ctx.scenes.try_get_mut(self.scene) {
            self.camera.attach(scene);
            scene.enabled.set_value_and_mark_modified(false);
        }
        self.begin(ctx.dt);
        // The time of loading is not made up for.
        *ctx.lag = 0.0;
        Ok(())
    }

    /// A new run of the scene, which is recorded if that is wanted.
    fn begin(&mut self, step: f32) {
        self.recordings += 1;
        let recorder = self.program.recorder(step, self.recordings);
        let recorder = recorder.map_err(|error| self.complain(error.to_string()));
        self.session = Session::new(self.program.plan.clone(), recorder.ok().flatten());
    }

    /// Tells of something that went wrong, on the screen and in the log.
    fn complain(&mut self, what: String) {
        Log::err(&what);
        self.hud.complain(what);
    }

    /// Ends the recording, if there is one.
    fn end(&mut self) {
        let wrong = match self.fracture.destruction(self.scene) {
            Some(destruction) => self.session.end(destruction),
            None => None,
        };
        if let Some(wrong) = wrong {
            self.complain(wrong);
        }
    }

    /// The scene starts when all its files are there: what it is made of must not depend on the
    /// speed of a disk.
    fn raise_curtain(&mut self, ctx: &mut PluginContext) {
        let Ok(scene) = ctx.scenes.try_get_mut(self.scene) else {
            return;
        };
        if *scene.enabled {
            return;
        }
        self.waited += 1;
        let state = ctx.resource_manager.state();
        if state.get_wait_context().is_all_loaded() || self.waited > PATIENCE {
            scene.enabled.set_value_and_mark_modified(true);
        }
    }

    /// Lines where what still stands is held, and how hard it is strained.
    fn draw_supports(&self, ctx: &mut PluginContext) {
        let Ok(scene) = ctx.scenes.try_get_mut(self.scene) else {
            return;
        };
        scene.drawing_context.clear_lines();
        let destruction = self.fracture.destruction(self.scene);
        let drawn = destruction.filter(|_| self.supports);
        for line in drawn.iter().flat_map(|destruction| destruction.supports()) {
            line.draw(&mut scene.drawing_context);
        }
    }

    /// What the scenario and the player do before the next frame.
    fn play(&mut self, ctx: &mut PluginContext) {
        let Ok(scene) = ctx.scenes.try_get_mut(self.scene) else {
            return;
        };
        self.camera.update(scene, ctx.dt);
        let scripts = &ctx.script_processor.scripted_scenes;
        let scripted = scripts.iter().find(|s| s.handle == self.scene);
        let mut post = |node, blow| {
            if let Some(scripted) = scripted {
                scripted.message_sender.send_to_target(node, blow);
            }
        };
        let Some(destruction) = self.fracture.destruction_mut(self.scene) else {
            return;
        };
        for wrong in self.session.step(scene, destruction, &mut post) {
            self.complain(wrong);
        }
    }

    /// Has the pictures taken that are wanted, and ends with the scenario. Frames of which there is to
    /// be no picture are not drawn at all.
    fn photograph(&mut self, ctx: &mut PluginContext) {
        let Some(wanted) = &self.program.pictures else {
            return;
        };
        let frame = self.session.frames().checked_sub(1);
        let frame = frame.filter(|frame| wanted.frames.contains(frame));
        self.shutter.set(frame);
        let over = self.session.is_over() && frame.is_none();
        let hurries = self.session.has_begun() && frame.is_none() && !over;
        // The engine goes on updating for as long as there is time to make up for.
        *ctx.lag = if hurries { 2.0 * ctx.dt } else { 0.0 };
        if over {
            ctx.loop_controller.exit();
        }
    }

    fn on_click(&mut self, button: MouseButton, state: ElementState, ctx: &mut PluginContext) {
        match (button, state) {
            (MouseButton::Left, ElementState::Pressed) => {
                let size = frame_size(ctx.graphics_context);
                let scene = ctx.scenes.try_get_mut(self.scene).ok();
                let shot = scene.and_then(|s| self.gun.shoot(s, self.camera.handle(), size));
                if let Some(shot) = shot {
                    self.session.order(shot);
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
            KeyCode::KeyR if pressed => {
                self.end();
                self.load(ctx);
            }
            KeyCode::KeyG if pressed => self.supports = !self.supports,
            KeyCode::KeyB if pressed => self.bomb(ctx),
            KeyCode::Escape if pressed => {
                self.end();
                ctx.loop_controller.exit();
            }
            _ => (),
        }
    }

    fn bomb(&mut self, ctx: &mut PluginContext) {
        let size = frame_size(ctx.graphics_context);
        let Ok(scene) = ctx.scenes.try_get_mut(self.scene) else {
            return;
        };
        if let Some(point) = self.gun.target(scene, self.camera.handle(), size) {
            let [radius, energy] = BOMB;
            self.session.order(Action::Explosion {
                center: Point(point).short(),
                radius,
                energy,
            });
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
            self.program.scene = path.into();
        }
        self.hud.build(&mut ctx);
        self.load(&mut ctx);
        Ok(())
    }

    fn update(&mut self, ctx: &mut PluginContext) -> GameResult {
        *ctx.lag = ctx.lag.min(MOST_LAG);
        self.raise_curtain(ctx);
        self.fracture.update(ctx)?;
        self.play(ctx);
        self.photograph(ctx);
        self.draw_supports(ctx);
        let statistics = self
            .fracture
            .destruction(self.scene)
            .map(|d| d.statistics());
        let waits = self.loading || self.fracture.destruction(self.scene).is_none();
        self.hud
            .update(ctx, statistics, waits, self.session.is_recording());
        Ok(())
    }

    fn on_deinit(&mut self, ctx: PluginContext) -> GameResult {
        self.end();
        self.fracture.on_deinit(ctx)
    }

    fn on_graphics_context_initialized(&mut self, ctx: PluginContext) -> GameResult {
        if let GraphicsContext::Initialized(context) = ctx.graphics_context {
            Log::verify(
                context
                    .renderer
                    .set_quality_settings(&self.quality.settings()),
            );
            if let Some(wanted) = &self.program.pictures {
                Log::verify(fs::create_dir_all(&wanted.folder));
                let album = Album::new::<Self>(wanted.folder.clone(), self.shutter.clone());
                context
                    .renderer
                    .add_render_pass(Rc::new(RefCell::new(album)));
            }
        }
        Ok(())
    }

    fn before_rendering(&mut self, ctx: PluginContext) -> GameResult {
        self.hud.on_picture();
        // Pictures of one run are all of one quality.
        if !ctx.scenes.is_valid_handle(self.scene) || self.program.pictures.is_some() {
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
            WindowEvent::CloseRequested => self.end(),
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
