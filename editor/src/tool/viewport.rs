//! The window's own view of the copied scene: a camera of its own, turned with the mouse.

use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector2, Vector3},
        math::{aabb::AxisAlignedBoundingBox, ray::Ray},
        pool::Handle,
    },
    engine::Engine,
    graph::SceneGraph,
    gui::{
        image::{Image, ImageMessage},
        message::{MouseButton, UiMessage},
        widget::WidgetMessage,
    },
    resource::texture::{TextureResource, TextureResourceExtension},
    scene::{
        base::BaseBuilder,
        camera::{Camera, CameraBuilder},
        node::Node,
        Scene, SceneRenderingOptions,
    },
};

/// Radians of turn per pixel.
const TURN: f32 = 0.008;
/// A press that moves less than so many pixels is a click.
const CLICK: f32 = 4.0;
/// Size of the picture before the widget has one.
const FIRST_SIZE: [u32; 2] = [400, 300];

/// A view of a scene that only the tool knows.
pub struct Viewport {
    /// The copied scene.
    pub scene: Handle<Scene>,
    frame: Handle<Image>,
    camera: Handle<Camera>,
    size: Vector2<u32>,
    target: Vector3<f32>,
    yaw: f32,
    pitch: f32,
    distance: f32,
    drag: Option<Drag>,
    turned: bool,
}

struct Drag {
    button: MouseButton,
    last: Vector2<f32>,
    moved: f32,
}

impl Viewport {
    /// Shows a scene in a frame, looking at a node from a direction.
    pub fn open(
        engine: &mut Engine,
        frame: Handle<Image>,
        mut scene: Scene,
        object: Handle<Node>,
        [yaw, pitch]: [f32; 2],
    ) -> Self {
        let bounds = scene.graph.aabb_of_descendants(object, |_, _| true);
        let bounds = bounds.filter(AxisAlignedBoundingBox::is_valid);
        let bounds = bounds.unwrap_or_else(AxisAlignedBoundingBox::unit);
        let camera = CameraBuilder::new(BaseBuilder::new().with_name("Fracture preview"))
            .with_z_near(0.01)
            .build(&mut scene.graph);
        let options = scene.rendering_options.clone_inner();
        let target = TextureResource::new_render_target(FIRST_SIZE[0], FIRST_SIZE[1]);
        scene.rendering_options = SceneRenderingOptions {
            render_target: Some(target.clone()),
            ..options
        }
        .into();
        let ui = engine.user_interfaces.first();
        ui.send(frame, ImageMessage::Texture(Some(target)));
        ui.send(frame, WidgetMessage::Visibility(true));
        Self {
            scene: engine.scenes.add(scene),
            frame,
            camera,
            size: FIRST_SIZE.into(),
            target: bounds.center(),
            yaw,
            pitch,
            distance: (bounds.max - bounds.min).norm().max(0.1) * 1.1,
            drag: None,
            turned: false,
        }
    }

    /// Takes the scene out of the engine.
    pub fn close(self, engine: &mut Engine) {
        let ui = engine.user_interfaces.first();
        ui.send(self.frame, ImageMessage::Texture(None));
        ui.send(self.frame, WidgetMessage::Visibility(false));
        if engine.scenes.is_valid_handle(self.scene) {
            engine.scenes.remove(self.scene);
        }
    }

    /// Where the user has turned it to, to go on there after a reset.
    pub fn direction(&self) -> Option<[f32; 2]> {
        self.turned.then_some([self.yaw, self.pitch])
    }

    /// Puts the camera in its place and keeps the picture as large as the frame.
    pub fn update(&mut self, engine: &mut Engine) {
        let size = engine.user_interfaces.first()[self.frame].actual_local_size();
        let size = size.map(|side| side as u32);
        let Ok(scene) = engine.scenes.try_get_mut(self.scene) else {
            return;
        };
        if size.min() > 0 && size != self.size {
            self.size = size;
            let target = TextureResource::new_render_target(size.x, size.y);
            scene.rendering_options.render_target = Some(target.clone());
            let ui = engine.user_interfaces.first();
            ui.send(self.frame, ImageMessage::Texture(Some(target)));
        }
        let turn = self.turn();
        let back = turn * Vector3::new(0.0, 0.0, -self.distance);
        if let Ok(camera) = scene.graph.try_get_mut(self.camera) {
            camera
                .local_transform_mut()
                .set_position(self.target + back)
                .set_rotation(turn);
        }
    }

    /// Follows the mouse. A click gives the ray through it.
    pub fn handle(&mut self, message: &UiMessage, engine: &mut Engine) -> Option<Ray> {
        match message.data_from::<WidgetMessage>(self.frame)? {
            WidgetMessage::MouseDown { button, pos } => {
                engine.user_interfaces.first_mut().capture_mouse(self.frame);
                self.drag = Some(Drag {
                    button: *button,
                    last: *pos,
                    moved: 0.0,
                });
            }
            WidgetMessage::MouseMove { pos, .. } => self.drag_to(*pos),
            WidgetMessage::MouseUp { pos, .. } => {
                engine.user_interfaces.first_mut().release_mouse_capture();
                let drag = self.drag.take()?;
                let click = drag.button == MouseButton::Left && drag.moved < CLICK;
                return click.then(|| self.ray(*pos, engine)).flatten();
            }
            WidgetMessage::MouseWheel { amount, .. } => {
                message.set_handled(true);
                self.distance *= 1.0 - amount.signum() * 0.1;
            }
            _ => {}
        }
        None
    }

    fn drag_to(&mut self, pos: Vector2<f32>) {
        let turn = self.turn();
        let Some(drag) = &mut self.drag else {
            return;
        };
        let by = pos - drag.last;
        drag.last = pos;
        drag.moved += by.norm();
        if drag.button == MouseButton::Left {
            self.turned = true;
            self.yaw -= by.x * TURN;
            self.pitch = (self.pitch + by.y * TURN).clamp(-1.5, 1.5);
        } else {
            let step = self.distance / self.size.y as f32;
            self.target += turn * Vector3::new(by.x * step, by.y * step, 0.0);
        }
    }

    fn turn(&self) -> UnitQuaternion<f32> {
        UnitQuaternion::from_axis_angle(&Vector3::y_axis(), self.yaw)
            * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), self.pitch)
    }

    fn ray(&self, pos: Vector2<f32>, engine: &Engine) -> Option<Ray> {
        let bounds = engine.user_interfaces.first()[self.frame].screen_bounds();
        let scene = engine.scenes.try_get(self.scene).ok()?;
        let camera = scene.graph.try_get(self.camera).ok()?;
        Some(camera.make_ray(pos - bounds.position, bounds.size))
    }
}
