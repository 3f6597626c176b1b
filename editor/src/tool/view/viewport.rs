//! A viewport onto the copied scene, with a camera of its own that the mouse turns.

use crate::preview::bounds;
use crate::tool::view::wheel_area::WheelArea;
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
        camera::{Camera, CameraBuilder, PerspectiveProjection, Projection},
        graph::Graph,
        light::{directional::DirectionalLightBuilder, BaseLightBuilder},
        node::Node,
        transform::TransformBuilder,
        Scene, SceneRenderingOptions,
    },
};
use std::f32::consts::FRAC_PI_2;

/// Turn per pixel of dragging, radians.
const TURN: f32 = 0.008;
/// Most pixels that a press may move to count as a click.
const CLICK: f32 = 4.0;
/// Vertical field of view of the camera, radians.
const FIELD_OF_VIEW: f32 = 1.0;
/// Size of the picture as a multiple of the object's: leaves a margin.
const MARGIN: f32 = 1.05;
/// Intensity of the light at the camera.
const HEADLIGHT: f32 = 0.7;
/// Angle of that light from above and from the left, radians.
const ASIDE: f32 = 0.5;
/// Size of the picture before the widget has been laid out, pixels.
const FIRST_SIZE: [u32; 2] = [400, 300];

/// A viewport onto a scene that only the tool knows.
pub struct Viewport {
    /// The copied scene.
    pub scene: Handle<Scene>,
    frame: Handle<Image>,
    camera: Handle<Camera>,
    size: Vector2<u32>,
    target: Vector3<f32>,
    yaw: f32,
    pitch: f32,
    /// Distance from the target at which the object fills the picture, metres.
    distance: f32,
    /// Factor on the distance, set with the wheel.
    zoom: f32,
    /// World box of the object at first.
    bounds: AxisAlignedBoundingBox,
    drag: Option<Drag>,
    turned: bool,
}

/// Pose of a viewport's camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraPose {
    target: Vector3<f32>,
    yaw: f32,
    pitch: f32,
    distance: f32,
    zoom: f32,
}

struct Drag {
    button: MouseButton,
    last: Vector2<f32>,
    moved: f32,
}

impl Viewport {
    /// Shows a scene in a widget, with the camera facing a node from a direction.
    pub fn open(
        engine: &mut Engine,
        frame: Handle<Image>,
        mut scene: Scene,
        object: Handle<Node>,
        [yaw, pitch]: [f32; 2],
    ) -> Self {
        let bounds = bounds(&scene.graph, object);
        let camera = camera(&mut scene.graph);
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
        let mut viewport = Self {
            scene: engine.scenes.add(scene),
            frame,
            camera,
            size: FIRST_SIZE.into(),
            target: bounds.center(),
            yaw,
            pitch,
            distance: 1.0,
            zoom: 1.0,
            bounds,
            drag: None,
            turned: false,
        };
        // The first picture, which may stay for seconds, shows the object already.
        viewport.update(engine, None);
        viewport
    }

    /// Removes the scene from the engine.
    pub fn close(self, engine: &mut Engine) {
        let ui = engine.user_interfaces.first();
        ui.send(self.frame, ImageMessage::Texture(None));
        ui.send(self.frame, WidgetMessage::Visibility(false));
        if engine.scenes.is_valid_handle(self.scene) {
            engine.scenes.remove(self.scene);
        }
    }

    /// Yaw and pitch to which the user has turned the camera, kept over a reset.
    pub fn direction(&self) -> Option<[f32; 2]> {
        self.turned.then_some([self.yaw, self.pitch])
    }

    /// Places the camera, possibly where another one is, and keeps the picture as large as the widget.
    pub fn update(&mut self, engine: &mut Engine, follow: Option<CameraPose>) {
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
        if let Some(follow) = follow {
            self.set_gaze(follow);
        } else if !self.turned {
            self.distance = fitting(&self.bounds, turn, self.size.cast());
        }
        let back = turn * Vector3::new(0.0, 0.0, -self.distance * self.zoom);
        if let Ok(camera) = scene.graph.try_get_mut(self.camera) {
            camera
                .local_transform_mut()
                .set_position(self.target + back)
                .set_rotation(turn);
        }
    }

    /// Handles the mouse. A click returns the ray through the cursor.
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
                let ui = engine.user_interfaces.first();
                let area = ui.find_component_up::<WheelArea>(self.frame);
                if area.is_some_and(|(_, area)| area.takes_wheel(ui)) {
                    self.zoom *= 1.0 - amount.signum() * 0.1;
                }
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
            let step = self.distance * self.zoom / self.size.y as f32;
            self.target += turn * Vector3::new(by.x * step, by.y * step, 0.0);
        }
    }

    /// Makes room for other nodes beside the object.
    pub fn show_also(&mut self, engine: &Engine, others: &[Handle<Node>]) {
        let Ok(scene) = engine.scenes.try_get(self.scene) else {
            return;
        };
        // Of those farther away there is no copy.
        let copied = others.iter().copied();
        let copied = copied.filter(|node| scene.graph.is_valid_handle(*node));
        for node in copied {
            self.bounds.add_box(bounds(&scene.graph, node));
        }
        self.fit();
    }

    /// Shows the whole object, from where the camera looks at it.
    pub fn fit(&mut self) {
        self.target = self.bounds.center();
        self.distance = fitting(&self.bounds, self.turn(), self.size.cast());
        self.zoom = 1.0;
    }

    /// Returns the camera's pose.
    pub fn gaze(&self) -> CameraPose {
        CameraPose {
            target: self.target,
            yaw: self.yaw,
            pitch: self.pitch,
            distance: self.distance,
            zoom: self.zoom,
        }
    }

    /// Sets the camera's pose.
    pub fn set_gaze(&mut self, gaze: CameraPose) {
        self.target = gaze.target;
        (self.yaw, self.pitch) = (gaze.yaw, gaze.pitch);
        (self.distance, self.zoom) = (gaze.distance, gaze.zoom);
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

/// Makes a camera with a light of its own, for dark scenes.
pub(in crate::tool) fn camera(graph: &mut Graph) -> Handle<Camera> {
    // A directional light shines down its node's y axis.
    let down = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -FRAC_PI_2 + ASIDE);
    let aside = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), ASIDE);
    let turn = TransformBuilder::new().with_local_rotation(aside * down);
    let base = BaseBuilder::new().with_local_transform(turn.build());
    let light = BaseLightBuilder::new(base.with_cast_shadows(false)).with_intensity(HEADLIGHT);
    let light = DirectionalLightBuilder::new(light).build(graph);
    let base = BaseBuilder::new().with_name("Fracture preview");
    // The builder's own field of view has no effect.
    let projection = Projection::Perspective(PerspectiveProjection {
        fov: FIELD_OF_VIEW,
        z_near: 0.01,
        ..PerspectiveProjection::default()
    });
    CameraBuilder::new(base.with_child(light))
        .with_projection(projection)
        .build(graph)
}

/// Returns the distance at which a box fills a picture of a given size, with a margin.
fn fitting(bounds: &AxisAlignedBoundingBox, turn: UnitQuaternion<f32>, size: Vector2<f32>) -> f32 {
    let up = (FIELD_OF_VIEW * 0.5).tan() / MARGIN;
    let across = up * size.x / size.y;
    let needed = |corner: &Vector3<f32>| {
        let at = turn.inverse() * (corner - bounds.center());
        (at.x.abs() / across).max(at.y.abs() / up) - at.z
    };
    let corners = bounds.corners();
    corners.iter().map(needed).fold(0.1, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_has_the_field_of_view_that_distances_are_made_for() {
        let mut graph = Graph::new();
        let camera = camera(&mut graph);
        let projection = graph[camera].projection().clone();
        let expected = |p: PerspectiveProjection| p.fov == FIELD_OF_VIEW && p.z_near == 0.01;
        assert!(matches!(projection, Projection::Perspective(p) if expected(p.clone())));
    }

    #[test]
    fn a_box_fills_the_picture() {
        let bounds = AxisAlignedBoundingBox::from_min_max(
            Vector3::new(-2.0, 0.0, -0.1),
            Vector3::new(2.0, 2.4, 0.1),
        );
        for yaw in [0.0, 0.5, 2.0] {
            let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), yaw);
            for size in [Vector2::new(400.0, 300.0), Vector2::new(200.0, 300.0)] {
                let distance = fitting(&bounds, turn, size);
                let scale = 1.0 / (FIELD_OF_VIEW * 0.5).tan();
                let reach = bounds.corners().iter().fold(0.0f32, |reach, corner| {
                    let at = turn.inverse() * (corner - bounds.center());
                    let depth = at.z + distance;
                    let across = at.x.abs() * scale * size.y / size.x;
                    reach.max((at.y.abs() * scale).max(across) / depth)
                });
                assert!((reach - 1.0 / MARGIN).abs() < 1e-3, "{reach}");
            }
        }
    }
}
