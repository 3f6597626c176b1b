//! The interaction mode that places the impact. It only picks and draws.

use super::gizmo::{grasped, GizmoHandle};
use super::marker::{CursorRay, ImpactMarker};
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

/// The interaction mode that places the impact.
#[derive(TypeUuidProvider)]
#[type_uuid(id = "2c3f1f0e-5a0e-4a7b-8a86-3f2b7f0c9d11")]
pub struct PlaceImpact {
    aim: Rc<RefCell<ImpactMarker>>,
    /// The handle on which the button was pressed.
    held: Option<GizmoHandle>,
}

impl PlaceImpact {
    /// Makes a mode that reports to the tool through `aim`.
    pub fn new(aim: Rc<RefCell<ImpactMarker>>) -> Self {
        Self { aim, held: None }
    }

    /// Records the ray through the cursor; `press` is set when the button goes down.
    fn look(
        &mut self,
        press: bool,
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
        let ray = camera.make_ray(pos, frame);
        let modifiers = engine.user_interfaces.first().keyboard_modifiers();
        let mut aim = self.aim.borrow_mut();
        let impact = aim.impact.as_ref();
        let under = impact.and_then(|impact| grasped(impact, aim.radius, &ray));
        if press {
            self.held = Some(handle_of_keys(modifiers).or(under).unwrap_or_default());
        }
        aim.held = self.held.or(under);
        // Over a handle no impact is shown.
        if self.held.is_some() || under.is_none() {
            let handle = self.held;
            aim.look = Some(CursorRay { ray, handle });
        }
    }
}

/// Returns the handle that a modifier key stands for, wherever the cursor is.
fn handle_of_keys(modifiers: KeyboardModifiers) -> Option<GizmoHandle> {
    match (modifiers.shift, modifiers.control) {
        (true, _) => Some(GizmoHandle::Radius),
        (false, true) => Some(GizmoHandle::Normal),
        (false, false) => None,
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
        self.look(true, controller, engine, pos, frame);
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
        self.held = None;
        self.aim.borrow_mut().held = None;
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
        self.look(false, controller, engine, pos, frame);
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
        let camera = scene.camera_controller.camera;
        if let Ok(scene) = engine.scenes.try_get_mut(scene.scene) {
            let camera = scene.graph.try_get(camera);
            let eye = camera.map(|camera| camera.global_position());
            let eye = eye.unwrap_or_default();
            let context = &mut scene.drawing_context;
            self.aim.borrow().draw_handles(context, eye);
        }
    }

    fn deactivate(&mut self, _controller: &dyn SceneController, _engine: &mut Engine) {
        self.held = None;
        let mut aim = self.aim.borrow_mut();
        aim.look = None;
        aim.held = None;
        aim.hover.clear();
    }

    fn make_button(&mut self, ctx: &mut BuildContext, selected: bool) -> Handle<Button> {
        let tip = "Place Impact\n\nClick on a destructible: where it is struck.\nThen drag the red handles: place, normal, radius.\nShift and Ctrl drag radius and normal from anywhere.";
        make_interaction_mode_button(ctx, include_bytes!("crack.png"), tip, selected)
    }

    fn uuid(&self) -> Uuid {
        Self::type_uuid()
    }
}
