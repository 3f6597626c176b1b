//! The mode in which the impact is placed in the scene: it only looks and draws.

use super::aim::{Aim, Handle as Knob, Look};
use fyrox::{
    core::{algebra::Vector2, pool::Handle, type_traits::prelude::*, uuid::Uuid},
    engine::Engine,
    graph::SceneGraph,
    gui::{button::Button, message::KeyboardModifiers, BuildContext},
};
use fyroxed_base::{
    interaction::{make_interaction_mode_button, InteractionMode},
    scene::{controller::SceneController, GameScene, Selection},
    settings::Settings,
};
use std::{cell::RefCell, rc::Rc};

/// Places the impact.
#[derive(TypeUuidProvider)]
#[type_uuid(id = "2c3f1f0e-5a0e-4a7b-8a86-3f2b7f0c9d11")]
pub struct PlaceImpact {
    aim: Rc<RefCell<Aim>>,
    held: bool,
}

impl PlaceImpact {
    /// A mode that tells the tool through `aim`.
    pub fn new(aim: Rc<RefCell<Aim>>) -> Self {
        Self { aim, held: false }
    }

    fn look(
        &self,
        controller: &mut dyn SceneController,
        engine: &Engine,
        pos: Vector2<f32>,
        frame: Vector2<f32>,
    ) {
        let Some(scene) = controller.downcast_mut::<GameScene>() else {
            return;
        };
        let Ok(graph) = engine.scenes.try_get(scene.scene).map(|scene| &scene.graph) else {
            return;
        };
        let Ok(camera) = graph.try_get(scene.camera_controller.camera) else {
            return;
        };
        let modifiers = engine.user_interfaces.first().keyboard_modifiers();
        let look = Look {
            ray: camera.make_ray(pos, frame),
            handle: self.held.then(|| knob(modifiers)),
        };
        self.aim.borrow_mut().look = Some(look);
    }
}

fn knob(modifiers: KeyboardModifiers) -> Knob {
    match (modifiers.shift, modifiers.control) {
        (true, _) => Knob::Radius,
        (false, true) => Knob::Normal,
        (false, false) => Knob::Point,
    }
}

impl InteractionMode for PlaceImpact {
    fn on_left_mouse_button_down(
        &mut self,
        _selection: &Selection,
        controller: &mut dyn SceneController,
        engine: &mut Engine,
        pos: Vector2<f32>,
        frame: Vector2<f32>,
        _settings: &Settings,
    ) {
        self.held = true;
        self.look(controller, engine, pos, frame);
    }

    fn on_left_mouse_button_up(
        &mut self,
        _selection: &Selection,
        _controller: &mut dyn SceneController,
        _engine: &mut Engine,
        _pos: Vector2<f32>,
        _frame: Vector2<f32>,
        _settings: &Settings,
    ) {
        self.held = false;
    }

    fn on_mouse_move(
        &mut self,
        _offset: Vector2<f32>,
        pos: Vector2<f32>,
        _selection: &Selection,
        controller: &mut dyn SceneController,
        engine: &mut Engine,
        frame: Vector2<f32>,
        _settings: &Settings,
    ) {
        self.look(controller, engine, pos, frame);
    }

    fn update(
        &mut self,
        _selection: &Selection,
        controller: &mut dyn SceneController,
        engine: &mut Engine,
        _settings: &Settings,
    ) {
        let Some(scene) = controller.downcast_mut::<GameScene>() else {
            return;
        };
        if let Ok(scene) = engine.scenes.try_get_mut(scene.scene) {
            self.aim.borrow().draw(&mut scene.drawing_context);
        }
    }

    fn deactivate(&mut self, _controller: &dyn SceneController, _engine: &mut Engine) {
        self.held = false;
        let mut aim = self.aim.borrow_mut();
        aim.look = None;
        aim.hover.clear();
    }

    fn make_button(&mut self, ctx: &mut BuildContext, selected: bool) -> Handle<Button> {
        let tip = "Place Impact\n\nClick or drag on a destructible: where it is struck.\nShift: the radius. Ctrl: the normal.";
        make_interaction_mode_button(ctx, include_bytes!("crack.png"), tip, selected)
    }

    fn uuid(&self) -> Uuid {
        Self::type_uuid()
    }
}
