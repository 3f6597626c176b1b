//! One frame of the game: destruction, actions, pictures and lines.

use crate::demo::controls::{Tool, Tools, View};
use crate::demo::game::sharing::{hosted_file, is_in_hosted_run};
use crate::demo::game::Game;
use crate::demo::overlay::hud::HudState;
use crate::demo::scene_list;
use crate::demo::watch::DemoState;
use crate::players::Players;
use fyrox::{
    core::algebra::Vector2,
    engine::GraphicsContext,
    graph::SceneGraph,
    plugin::{error::GameResult, Plugin, PluginContext},
};
use std::path::PathBuf;

/// The frame in which the last action is repeated after a reset.
const REPEATED_AT: u32 = 12;

impl Game {
    /// Runs one frame of the scene: destruction, and actions of the next frame.
    pub(in crate::demo) fn pass(&mut self, ctx: &mut PluginContext) -> GameResult {
        if let Ok(scene) = ctx.scenes.try_get_mut(self.scene) {
            let switches = self.menu.switches;
            self.effects.switch(scene, switches.dust, switches.sound);
        }
        self.fracture.update(ctx)?;
        self.play(ctx);
        Ok(())
    }

    /// Performs the actions of scenario and player before the next frame.
    fn play(&mut self, ctx: &mut PluginContext) {
        let size = frame_size(ctx.graphics_context);
        let Ok(scene) = ctx.scenes.try_get_mut(self.scene) else {
            return;
        };
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
        let look = scene.graph.try_get_node(self.camera.handle());
        let look = look.map(|camera| camera.look_vector()).unwrap_or_default();
        let whole = |name: &str| destruction.is_intact(name).unwrap_or(false);
        let is_whole = self.cubes.current().is_some_and(whole);
        let pushed = self.cubes.push(scene, look, is_whole);
        let view = View {
            scene,
            destruction,
            camera: self.camera.handle(),
            size,
        };
        let held = self.tools.hold(&view);
        if self.repeats && self.session.frames() >= REPEATED_AT {
            self.repeats = false;
            self.last
                .clone()
                .into_iter()
                .for_each(|last| self.session.order(last));
        }
        for action in pushed.into_iter().chain(held) {
            self.session.order(action);
        }
        let players = &mut self.players;
        for wrong in self.session.step(scene, destruction, players, &mut post) {
            self.complain(wrong);
        }
    }

    /// Takes what has come from other players, and tells them what there is to tell.
    pub(in crate::demo) fn exchange(&mut self, ctx: &mut PluginContext) {
        let is_open = !self.loading && is_in_hosted_run(&self.players, self.opened_run);
        let destruction = self.fracture.destruction_mut(self.scene);
        self.players.exchange(destruction.filter(|_| is_open));
        let Players::Client(client) = &mut self.players else {
            return;
        };
        let problem = client.take_problem();
        let scene = client.scene().map(|(run, scene)| (run, scene.clone()));
        if let Some(problem) = problem {
            self.complain(problem.to_string());
        }
        if let Some((run, scene)) = scene.filter(|(run, _)| self.opened_run != Some(*run)) {
            self.opened_run = Some(run);
            match hosted_file(&scene, &self.program.data) {
                Ok(file) => self.open_hosted(file, scene.seed, ctx),
                Err(problem) => self.complain(problem.to_string()),
            }
        }
    }

    /// Opens the scene that a host plays.
    fn open_hosted(&mut self, file: PathBuf, seed: u64, ctx: &mut PluginContext) {
        self.menu.select(scene_list::at(&file).unwrap_or(0));
        self.program.scene = file;
        self.program.choices.seed = seed;
        (self.last, self.repeats) = (None, false);
        self.load(ctx);
    }

    /// Stops or resumes the scene's physics, sound and particles.
    pub(in crate::demo) fn hold(&self, ctx: &mut PluginContext, passes: bool) {
        if let Ok(scene) = ctx.scenes.try_get_mut(self.scene) {
            scene
                .graph
                .physics
                .enabled
                .set_value_and_mark_modified(passes);
        }
    }

    /// Takes the requested pictures and exits with the scenario's end. Frames without a picture are not
    /// drawn.
    pub(in crate::demo) fn photograph(&mut self, ctx: &mut PluginContext) {
        let Some(wanted) = &self.program.pictures else {
            return;
        };
        let frame = self.session.frames().checked_sub(1);
        let frame = frame.filter(|frame| wanted.frames.contains(frame));
        self.shutter.set(frame);
        let over = self.session.is_over() && frame.is_none();
        let hurries = self.session.has_begun() && frame.is_none() && !over;
        // The engine updates without drawing while it lags behind.
        *ctx.lag = if hurries { 2.0 * ctx.dt } else { 0.0 };
        if over {
            ctx.loop_controller.exit();
        }
    }

    /// Calls a function with the player's view, if a scene is open.
    pub(in crate::demo) fn with_view<T>(
        &mut self,
        ctx: &mut PluginContext,
        look: impl FnOnce(&mut Tools, &View) -> Option<T>,
    ) -> Option<T> {
        let size = frame_size(ctx.graphics_context);
        let view = View {
            scene: ctx.scenes.try_get_mut(self.scene).ok()?,
            destruction: self.fracture.destruction(self.scene)?,
            camera: self.camera.handle(),
            size,
        };
        look(&mut self.tools, &view)
    }

    /// Draws lines over the scene: bonds, supports, damage, cracks, and the preview of a tool.
    pub(in crate::demo) fn draw_lines(&mut self, ctx: &mut PluginContext) {
        let size = frame_size(ctx.graphics_context);
        let Ok(scene) = ctx.scenes.try_get_mut(self.scene) else {
            return;
        };
        scene.drawing_context.clear_lines();
        let Some(destruction) = self.fracture.destruction(self.scene) else {
            return;
        };
        let switches = self.menu.switches;
        let camera = scene.graph.try_get_node(self.camera.handle());
        let eye = camera.map(|camera| camera.global_position());
        let eye = eye.unwrap_or_default();
        if switches.bonds {
            for line in destruction.bonds() {
                line.draw(eye, &mut scene.drawing_context);
            }
        }
        if switches.supports {
            for line in destruction.supports() {
                line.over_everything(eye).draw(&mut scene.drawing_context);
            }
            destruction.draw_damage(&mut scene.drawing_context);
        }
        let view = View {
            scene,
            destruction,
            camera: self.camera.handle(),
            size,
        };
        let marks = self.tools.marks(&view);
        let sight = self.tools.sight(&view).filter(|_| switches.cells);
        marks.draw(&mut scene.drawing_context);
        match sight {
            Some([eye, direction]) => self.cells.update(scene, destruction, eye, direction),
            None => self.cells.clear(),
        }
    }

    /// Describes the current tool and the speed of time.
    fn tool_line(&self) -> String {
        let tools = &self.tools;
        let mut line = format!("tool: {}", tools.tool().name());
        match (tools.tool(), tools.charge()) {
            (Tool::Bomb, _) => line += &format!(" ({:.1} m)", tools.radius()),
            (_, Some(charge)) => line += &format!(" ({:.0} %)", charge * 100.0),
            _ => (),
        }
        if let Some(cube) = self.cubes.current() {
            line += &format!("   W A S D push {cube}");
        }
        if self.pace.speed() < 1.0 {
            line += &format!("   time x {}", self.pace.speed());
        }
        if self.pace.is_paused() {
            line += "   paused";
        }
        if self.camera.turns_freely() {
            line += "   the cursor turns the camera (C)";
        }
        line
    }

    /// Tells the program's watcher how the demo stands.
    fn report(&self) {
        let destruction = self.fracture.destruction(self.scene);
        let statistics = destruction.map(|d| d.statistics()).unwrap_or_default();
        self.program.watch.change(|state| {
            let (longest_ms, longest_step_ms) = if statistics.main_ms > state.longest_ms {
                (statistics.main_ms, statistics.physics_ms)
            } else {
                (state.longest_ms, state.longest_step_ms)
            };
            *state = DemoState {
                scene: self.program.scene.clone(),
                is_loading: self.loading || !self.session.has_begun(),
                menu_is_open: self.menu.is_open(),
                tool: self.tools.tool().name(),
                look: self.camera.angles(),
                breaks: statistics.breaks,
                pieces: statistics.fragments + statistics.islands,
                awake: statistics.awake,
                sounds: statistics.sounds,
                faults: statistics.faults,
                longest_ms,
                longest_step_ms,
                is_over: state.is_over,
            }
        });
    }

    pub(in crate::demo) fn show(&mut self, ctx: &mut PluginContext) {
        self.menu.tool = self.tools.tool();
        self.report();
        let destruction = self.fracture.destruction(self.scene);
        let tool = self.tool_line();
        let players = self.players.status();
        let shown = HudState {
            statistics: destruction.map(|d| d.statistics()),
            loading: self.loading || destruction.is_none(),
            recording: self.session.is_recording(),
            players: players.as_deref(),
            tool: &tool,
        };
        self.hud.update(ctx, shown, &self.menu);
    }
}

/// Size of the picture, pixels.
pub(in crate::demo) fn frame_size(graphics: &GraphicsContext) -> Vector2<f32> {
    match graphics {
        GraphicsContext::Initialized(context) => {
            let size = context.window.inner_size();
            Vector2::new(size.width.max(1) as f32, size.height.max(1) as f32)
        }
        GraphicsContext::Uninitialized(_) => Vector2::repeat(1.0),
    }
}
