//! Handling of keys, mouse, fingers and menu.

use crate::demo::controls::touch::Gesture;
use crate::demo::controls::{Tool, Tools, View};
use crate::demo::game::{frame::frame_size, Game};
use crate::demo::overlay::menu::Command;
use crate::demo::scene_list::{self, GALLERY};
use crate::players::Players;
use crate::scenario::Action;
use fyrox::{
    core::algebra::Vector2,
    event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent},
    keyboard::{KeyCode, PhysicalKey},
    plugin::PluginContext,
};
use std::path::Path;

/// Touchpad pixels that count as one notch of the wheel.
const NOTCH: f32 = 40.0;

impl Game {
    /// Handles an event of the window.
    pub(in crate::demo) fn on_window_event(
        &mut self,
        event: &WindowEvent,
        ctx: &mut PluginContext,
    ) {
        match event {
            WindowEvent::CloseRequested => self.end(),
            WindowEvent::RedrawRequested => self.fingers.on_picture(),
            WindowEvent::CursorMoved { position, .. } => {
                let cursor = Vector2::new(position.x as f32, position.y as f32);
                self.camera.on_cursor(cursor);
                self.tools.aim(cursor);
            }
            WindowEvent::MouseInput { state, button, .. } => self.on_click(*button, *state, ctx),
            WindowEvent::MouseWheel { delta, .. } => self.tools.widen(match delta {
                MouseScrollDelta::LineDelta(_, notches) => *notches,
                MouseScrollDelta::PixelDelta(by) => by.y as f32 / NOTCH,
            }),
            WindowEvent::Touch(touch) => {
                let place = Vector2::new(touch.location.x as f32, touch.location.y as f32);
                let height = frame_size(ctx.graphics_context).y;
                let gesture = self.fingers.on_touch(touch.id, touch.phase, place, height);
                if let Some(gesture) = gesture {
                    self.on_gesture(gesture, ctx);
                }
            }
            WindowEvent::KeyboardInput { event, .. } if !event.repeat => {
                if let PhysicalKey::Code(key) = event.physical_key {
                    self.on_key(key, event.state == ElementState::Pressed, ctx);
                }
            }
            _ => (),
        }
    }

    fn on_click(&mut self, button: MouseButton, state: ElementState, ctx: &mut PluginContext) {
        let pressed = state == ElementState::Pressed;
        match button {
            MouseButton::Left if pressed && self.is_on_menu(ctx) => (),
            MouseButton::Left if pressed => self.use_tool(ctx, Tools::press),
            MouseButton::Left => self.use_tool(ctx, Tools::release),
            MouseButton::Right => self.camera.look(pressed),
            _ => (),
        }
    }

    /// Does what a movement of fingers means.
    pub(in crate::demo) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut PluginContext) {
        match gesture {
            Gesture::Look(way) => self.camera.turn_with_finger(way),
            Gesture::Fly(way) => self.camera.fly_with_fingers(way),
            Gesture::Menu => self.menu.show(!self.menu.is_open()),
            Gesture::Tap(place) => {
                self.touch(place, ctx);
                self.use_tool(ctx, Tools::release);
            }
            Gesture::Press(place) => self.touch(place, ctx),
            Gesture::Drag(place) => self.tools.aim(place),
            Gesture::Release => self.use_tool(ctx, Tools::release),
            Gesture::Cancel => self.tools.take(self.tools.tool()),
        }
    }

    /// Uses the tool at a place, or chooses the row of the menu that is there.
    fn touch(&mut self, place: Vector2<f32>, ctx: &mut PluginContext) {
        self.tools.aim(place);
        if !self.is_on_menu(ctx) {
            self.use_tool(ctx, Tools::press);
        } else if let Some(row) = self.row_at(place, ctx) {
            let command = self.menu.choose(row);
            self.obey(command, ctx);
        }
    }

    /// The row of the menu at a place in the window.
    fn row_at(&self, place: Vector2<f32>, ctx: &PluginContext) -> Option<usize> {
        let ui = ctx.user_interfaces.try_get(self.hud.ui()).ok()?;
        self.hud.panel().row_at(ui, place)
    }

    fn is_on_menu(&self, ctx: &PluginContext) -> bool {
        let ui = ctx.user_interfaces.try_get(self.hud.ui());
        let on = |ui| self.hud.panel().is_at(ui, self.tools.cursor());
        self.menu.is_open() && ui.is_ok_and(on)
    }

    fn on_key(&mut self, key: KeyCode, pressed: bool, ctx: &mut PluginContext) {
        if self.menu.is_open() {
            if pressed {
                let command = self.menu.on_key(key);
                self.obey(command, ctx);
            } else {
                self.camera.on_key(key, false);
                self.cubes.on_key(key, false);
            }
            return;
        }
        if !self.cubes.on_key(key, pressed) {
            self.camera.on_key(key, pressed);
        }
        if pressed {
            self.on_press(key, ctx);
        }
    }

    fn on_press(&mut self, key: KeyCode, ctx: &mut PluginContext) {
        let switches = &mut self.menu.switches;
        match key {
            KeyCode::Tab | KeyCode::KeyM | KeyCode::Escape => self.menu.show(true),
            KeyCode::F1 => switches.overlay = !switches.overlay,
            KeyCode::KeyG => switches.supports = !switches.supports,
            KeyCode::KeyV => switches.bonds = !switches.bonds,
            KeyCode::KeyH => switches.cells = !switches.cells,
            KeyCode::KeyC => self.camera.turn_freely(!self.camera.turns_freely()),
            KeyCode::KeyB => self.use_tool(ctx, |tools, view| tools.bomb(view)),
            KeyCode::KeyR => self.reset(ctx),
            KeyCode::KeyT => self.repeat(ctx),
            KeyCode::Space => self.pace.pause(),
            KeyCode::Period => self.pace.step(),
            KeyCode::Comma => {
                let step = self.pace.change(ctx.dt);
                self.session.order(Action::Pace { step });
            }
            KeyCode::Digit1 => self.cubes.switch(),
            _ => {
                if let Some(tool) = tool_of(key) {
                    self.tools.take(tool);
                }
            }
        }
    }

    /// Uses a tool and remembers its action as the last one.
    fn use_tool(
        &mut self,
        ctx: &mut PluginContext,
        what: impl FnOnce(&mut Tools, &View) -> Option<Action>,
    ) {
        if let Some(action) = self.with_view(ctx, what) {
            self.last = Some(action.clone());
            self.session.order(action);
        }
    }

    /// Carries out a command of the menu.
    pub(in crate::demo) fn obey(&mut self, command: Option<Command>, ctx: &mut PluginContext) {
        match command {
            Some(Command::Open(index)) => self.open(index, ctx),
            Some(Command::Choices) => {
                let seed = self.program.choices.seed;
                self.program.choices = crate::demo::program::Choices {
                    seed,
                    ..self.menu.choices.clone()
                };
                self.reset(ctx);
            }
            Some(Command::Take(tool)) => self.tools.take(tool),
            Some(Command::Reset) => {
                self.menu.show(false);
                self.reset(ctx);
            }
            Some(Command::Close) => self.menu.show(false),
            Some(Command::Quit) => {
                self.end();
                self.program.watch.change(|state| state.is_over = true);
                ctx.loop_controller.exit();
            }
            Some(Command::Switches) | None => (),
        }
    }

    /// Opens another scene.
    fn open(&mut self, index: usize, ctx: &mut PluginContext) {
        let Some(entry) = GALLERY.get(index).filter(|_| !self.is_led()) else {
            return;
        };
        let data = self.program.data.clone();
        self.program.scene = scene_list::path(entry, Path::new(&data));
        self.program.plan = None;
        self.menu.locked = !self.program.is_free();
        self.menu.show(false);
        (self.last, self.repeats) = (None, false);
        self.reset(ctx);
    }

    /// Whether another player's game decides which scene is open and when it begins anew; says so if it does.
    fn is_led(&mut self) -> bool {
        let is_led = matches!(self.players, Players::Client(_));
        if is_led {
            self.hud
                .complain("The host chooses the scene, and resets it.".to_owned());
        }
        is_led
    }

    fn reset(&mut self, ctx: &mut PluginContext) {
        if self.is_led() {
            return;
        }
        self.end();
        self.load(ctx);
    }

    /// Restarts the scene with another seed and repeats the last action.
    fn repeat(&mut self, ctx: &mut PluginContext) {
        if self.last.is_none() || self.program.plan.is_some() || self.is_led() {
            return;
        }
        self.program.choices.seed += 1;
        self.repeats = true;
        self.reset(ctx);
    }
}

/// Returns the tool of a number key, from 2 on.
fn tool_of(key: KeyCode) -> Option<Tool> {
    let keys = [
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
    ];
    let at = keys.iter().position(|other| *other == key)?;
    Tool::ALL.get(at).copied()
}
