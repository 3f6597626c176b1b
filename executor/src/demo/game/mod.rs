//! The demo's plugin: it loads scenes, runs frames, and shows the overlay. Keys and mouse are handled in
//! `input`.

mod frame;
mod input;
mod sharing;

use crate::demo::controls::camera::FlyCamera;
use crate::demo::controls::cubes::Cubes;
use crate::demo::controls::time_control::TimeControl;
use crate::demo::controls::touch::Fingers;
use crate::demo::controls::Tools;
use crate::demo::effects::Effects;
use crate::demo::game::sharing::begin_hosted_run;
use crate::demo::overlay::crack_preview::CrackPreview;
use crate::demo::overlay::hud::Hud;
use crate::demo::overlay::menu::Menu;
use crate::demo::pictures::{PictureRecorder, Shutter};
use crate::demo::program::Program;
use crate::demo::render_quality::QualityGovernor;
use crate::demo::scene_list::{self, GALLERY};
use crate::demo::session::Session;
use crate::players::Players;
use crate::scenario::Action;
use fracture::FracturePlugin;
use fyrox::{
    core::{log::Log, pool::Handle, reflect::prelude::*, visitor::prelude::*},
    engine::GraphicsContext,
    event::Event,
    gui::{
        inspector::editors::PropertyEditorDefinitionContainer, message::UiMessage, UserInterface,
    },
    plugin::{
        error::GameResult, Plugin, PluginContext, PluginRegistrationContext, SceneLoaderResult,
    },
    scene::Scene,
};
use std::{cell::RefCell, fs, rc::Rc, sync::Arc};

/// Most time that is caught up after a slow frame, seconds. Beyond it the game runs slower than the
/// clock instead of taking ever more steps per frame.
const MOST_LAG: f32 = 0.25;
/// Lowest height of the camera in scenes whose ground is at 0, metres.
const EYE: f32 = 0.2;
/// Most updates that a scene waits for its files; then it starts without them.
const PATIENCE: u32 = 3600;

/// The demo game. It holds the destruction plugin and passes the engine's calls on to it.
#[derive(Default, Debug, Visit, Reflect)]
#[reflect(non_cloneable)]
pub struct Game {
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) fracture: FracturePlugin,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) program: Program,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) players: Players,
    /// The host's run that a client has opened.
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) opened_run: Option<u64>,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) scene: Handle<Scene>,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) loading: bool,
    /// Whether the scene that is being loaded has been replaced by another choice.
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) overtaken: bool,
    /// Updates that the scene has waited for its files.
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) waited: u32,
    /// Number of recordings begun.
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) recordings: u32,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) session: Session,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) shutter: Shutter,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) camera: FlyCamera,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) tools: Tools,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) fingers: Fingers,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) cubes: Cubes,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) pace: TimeControl,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) menu: Menu,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) effects: Effects,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) cells: CrackPreview,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) hud: Hud,
    /// The last action, and whether it is to be repeated.
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) last: Option<Action>,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) repeats: bool,
    #[visit(skip)]
    #[reflect(hidden)]
    pub(in crate::demo) quality: QualityGovernor,
}

impl Game {
    /// Makes a game that starts with the engine. A recorded run waits for results, because only such a
    /// run can be replayed exactly.
    pub fn new(program: Program, players: Players) -> Self {
        let mut menu = Menu::new(program.choices.clone(), !program.is_free());
        menu.select(scene_list::at(&program.scene).unwrap_or(0));
        menu.show(program.begins_with_menu);
        Self {
            fracture: FracturePlugin::new(program.settings()),
            program,
            players,
            menu,
            ..Self::default()
        }
    }

    /// Closes the open scene and loads it again, as soon as a load under way has finished.
    pub(in crate::demo) fn load(&mut self, ctx: &mut PluginContext) {
        self.overtaken = self.loading;
        if self.loading {
            return;
        }
        self.loading = true;
        begin_hosted_run(&mut self.players, &self.program);
        self.fracture.set_settings(self.program.settings());
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
        if self.overtaken {
            self.load(ctx);
            return Ok(());
        }
        let scene = match result {
            Ok(output) => output.payload,
            Err(error) => {
                self.hud
                    .complain(format!("The scene cannot be read: {error}"));
                return Err(error.into());
            }
        };
        self.hud.forget_complaint();
        if ctx.scenes.is_valid_handle(self.scene) {
            ctx.scenes.remove(self.scene);
        }
        self.waited = 0;
        self.cells = CrackPreview::default();
        self.pace = TimeControl::default();
        self.scene = ctx.scenes.add(scene);
        self.fracture
            .set_scene_file(self.scene, self.program.scene.clone());
        let known = scene_list::at(&self.program.scene).and_then(|index| GALLERY.get(index));
        self.cubes = Cubes::new(known.map_or(&[], |entry| entry.cubes));
        self.camera.stay_above(known.map(|_| EYE));
        if let Ok(scene) = ctx.scenes.try_get_mut(self.scene) {
            self.camera.attach(scene);
            self.effects = Effects::new(scene);
            scene.enabled.set_value_and_mark_modified(false);
        }
        self.begin(ctx.dt);
        // The time of loading is not caught up.
        *ctx.lag = 0.0;
        Ok(())
    }

    /// Starts a new run of the scene, with a recording if requested.
    fn begin(&mut self, step: f32) {
        self.recordings += 1;
        let recorder = self.program.recorder(step, self.recordings);
        let recorder = recorder.map_err(|error| self.complain(error.to_string()));
        self.session = Session::new(self.program.plan.clone(), recorder.ok().flatten());
    }

    /// Reports a problem on the screen and in the log.
    pub(in crate::demo) fn complain(&mut self, what: String) {
        Log::err(&what);
        self.hud.complain(what);
    }

    /// Ends the recording, if any.
    pub(in crate::demo) fn end(&mut self) {
        let wrong = match self.fracture.destruction(self.scene) {
            Some(destruction) => self.session.end(destruction),
            None => None,
        };
        if let Some(wrong) = wrong {
            self.complain(wrong);
        }
    }

    /// Starts the scene when all its files are loaded: results must not depend on the speed of a disk.
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
        if !matches!(self.players, Players::Client(_)) {
            self.load(&mut ctx);
        }
        Ok(())
    }

    fn update(&mut self, ctx: &mut PluginContext) -> GameResult {
        *ctx.lag = ctx.lag.min(MOST_LAG);
        self.raise_curtain(ctx);
        if let Some(gesture) = self.fingers.rest() {
            self.on_gesture(gesture, ctx);
        }
        let passes = self.pace.passes();
        self.hold(ctx, passes);
        if passes {
            self.pass(ctx)?;
        }
        self.exchange(ctx);
        if let Ok(scene) = ctx.scenes.try_get_mut(self.scene) {
            self.camera.update(scene, ctx.dt);
        }
        self.photograph(ctx);
        self.draw_lines(ctx);
        self.show(ctx);
        Ok(())
    }

    fn on_deinit(&mut self, ctx: PluginContext) -> GameResult {
        self.end();
        self.players.close();
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
                let album =
                    PictureRecorder::new::<Self>(wanted.folder.clone(), self.shutter.clone());
                context
                    .renderer
                    .add_render_pass(Rc::new(RefCell::new(album)));
            }
        }
        Ok(())
    }

    fn before_rendering(&mut self, ctx: PluginContext) -> GameResult {
        self.hud.on_picture();
        // All pictures of one run have the same quality.
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
        self.on_window_event(event, &mut ctx);
        Ok(())
    }

    fn on_ui_message(
        &mut self,
        ctx: &mut PluginContext,
        message: &UiMessage,
        ui: Handle<UserInterface>,
    ) -> GameResult {
        if ui == self.hud.ui() && self.menu.is_open() {
            if let Some(row) = self.hud.panel().clicked(message) {
                let command = self.menu.choose(row);
                self.obey(command, ctx);
            }
        }
        Ok(())
    }
}
