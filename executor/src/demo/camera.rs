//! A camera that flies with keys and turns with the cursor: while the right mouse button is down, or
//! always.

use super::ways::{Way, Ways};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    keyboard::KeyCode,
    scene::{camera::Camera, node::Node, Scene},
};

/// Metres per second.
const SPEED: f32 = 4.0;
/// How much faster with Shift.
const HASTE: f32 = 3.0;
/// Radians per pixel.
const TURN: f32 = 0.004;
/// Steepest look up or down, radians.
const STEEPEST: f32 = 1.5;

/// Flies the scene's camera.
#[derive(Default, Debug)]
pub struct FlyCamera {
    camera: Handle<Node>,
    yaw: f32,
    pitch: f32,
    looking: bool,
    freely: bool,
    cursor: Option<Vector2<f32>>,
    keys: Ways,
}

impl FlyCamera {
    /// Takes over the scene's first camera, from where it stands.
    pub fn attach(&mut self, scene: &Scene) {
        let camera = scene
            .graph
            .pair_iter()
            .find(|(_, node)| node.cast::<Camera>().is_some());
        let Some((handle, node)) = camera else {
            self.camera = Handle::NONE;
            return;
        };
        self.camera = handle;
        let look = node.look_vector();
        self.yaw = look.x.atan2(look.z);
        self.pitch = -look.y.atan2(look.x.hypot(look.z));
    }

    /// The camera.
    pub fn handle(&self) -> Handle<Node> {
        self.camera
    }

    /// Starts or stops turning with the cursor.
    pub fn look(&mut self, looking: bool) {
        self.looking = looking;
    }

    /// Has the cursor turn it always, or only while it is told to look.
    pub fn turn_freely(&mut self, freely: bool) {
        self.freely = freely;
    }

    /// Whether the cursor turns it always.
    pub fn turns_freely(&self) -> bool {
        self.freely
    }

    /// The cursor is here now, pixels.
    pub fn on_cursor(&mut self, cursor: Vector2<f32>) {
        if let (true, Some(before)) = (self.looking || self.freely, self.cursor) {
            let by = cursor - before;
            self.yaw -= by.x * TURN;
            self.pitch = (self.pitch + by.y * TURN).clamp(-STEEPEST, STEEPEST);
        }
        self.cursor = Some(cursor);
    }

    /// A key went down or up.
    pub fn on_key(&mut self, key: KeyCode, pressed: bool) {
        let way = Way::of_letter(key).or(match key {
            KeyCode::ArrowUp => Some(Way::Ahead),
            KeyCode::ArrowDown => Some(Way::Back),
            KeyCode::ArrowLeft => Some(Way::Left),
            KeyCode::ArrowRight => Some(Way::Right),
            KeyCode::KeyE => Some(Way::Up),
            KeyCode::KeyQ => Some(Way::Down),
            KeyCode::ShiftLeft | KeyCode::ShiftRight => Some(Way::Fast),
            _ => None,
        });
        if let Some(way) = way {
            self.keys.hold(way, pressed);
        }
    }

    /// Moves the camera by one frame of `dt` seconds.
    pub fn update(&self, scene: &mut Scene, dt: f32) {
        let Ok(camera) = scene.graph.try_get_mut(self.camera) else {
            return;
        };
        let (ahead, side) = (camera.look_vector(), camera.side_vector());
        let sign = |plus, minus| self.keys.sign(plus, minus);
        // The engine's side vector points to the left of the picture.
        let by = ahead * sign(Way::Ahead, Way::Back)
            + side * sign(Way::Left, Way::Right)
            + Vector3::y() * sign(Way::Up, Way::Down);
        let haste = 1.0 + (HASTE - 1.0) * self.keys.held(Way::Fast);
        let yaw = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), self.yaw);
        let pitch = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), self.pitch);
        let transform = camera.local_transform_mut();
        transform.offset(by * SPEED * haste * dt);
        transform.set_rotation(yaw * pitch);
    }
}
