//! A camera that flies with keys and turns with the cursor, while the right mouse button is down or always; fingers do
//! both.

use crate::demo::controls::held_keys::{HeldKeys, MoveKey};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    keyboard::KeyCode,
    scene::{camera::Camera, node::Node, Scene},
};

/// Speed of the camera, m/s.
const SPEED: f32 = 4.0;
/// Speed factor with Shift.
const HASTE: f32 = 3.0;
/// Turn per pixel of cursor movement, radians.
const TURN: f32 = 0.004;
/// Turn by a finger that crosses the height of the picture, radians.
const FINGER_TURN: f32 = 2.0;
/// Flight by two fingers that cross the height of the picture, metres.
const FINGER_FLIGHT: f32 = 12.0;
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
    /// Flight by fingers for the next frame, metres: to the right and ahead.
    drift: Vector2<f32>,
    keys: HeldKeys,
    /// The lowest height it flies at, where there is ground.
    lowest: Option<f32>,
}

impl FlyCamera {
    /// Takes over the scene's first camera at its current pose.
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

    /// Sets the lowest height of the camera, metres, or none.
    pub fn stay_above(&mut self, lowest: Option<f32>) {
        self.lowest = lowest;
    }

    /// The camera.
    pub fn handle(&self) -> Handle<Node> {
        self.camera
    }

    /// Yaw and pitch, radians.
    pub fn angles(&self) -> [f32; 2] {
        [self.yaw, self.pitch]
    }

    /// Starts or stops turning with the cursor.
    pub fn look(&mut self, looking: bool) {
        self.looking = looking;
    }

    /// Sets whether the cursor turns the camera always, or only while looking.
    pub fn turn_freely(&mut self, freely: bool) {
        self.freely = freely;
    }

    /// Whether the cursor turns the camera always.
    pub fn turns_freely(&self) -> bool {
        self.freely
    }

    /// Sets the cursor position, pixels.
    pub fn on_cursor(&mut self, cursor: Vector2<f32>) {
        if let (true, Some(before)) = (self.looking || self.freely, self.cursor) {
            self.turn((cursor - before) * TURN);
        }
        self.cursor = Some(cursor);
    }

    /// Turns with a finger, whose way is in heights of the picture.
    pub fn turn_with_finger(&mut self, way: Vector2<f32>) {
        self.turn(way * FINGER_TURN);
    }

    /// Flies with two fingers, whose way is in heights of the picture: sideways, and ahead as they move up.
    pub fn fly_with_fingers(&mut self, way: Vector2<f32>) {
        self.drift += Vector2::new(way.x, -way.y) * FINGER_FLIGHT;
    }

    /// Turns to the right and down, radians.
    fn turn(&mut self, by: Vector2<f32>) {
        self.yaw -= by.x;
        self.pitch = (self.pitch + by.y).clamp(-STEEPEST, STEEPEST);
    }

    /// Handles a key that went down or up.
    pub fn on_key(&mut self, key: KeyCode, pressed: bool) {
        let way = MoveKey::of_letter(key).or(match key {
            KeyCode::ArrowUp => Some(MoveKey::Ahead),
            KeyCode::ArrowDown => Some(MoveKey::Back),
            KeyCode::ArrowLeft => Some(MoveKey::Left),
            KeyCode::ArrowRight => Some(MoveKey::Right),
            KeyCode::KeyE => Some(MoveKey::Up),
            KeyCode::KeyQ => Some(MoveKey::Down),
            KeyCode::ShiftLeft | KeyCode::ShiftRight => Some(MoveKey::Fast),
            _ => None,
        });
        if let Some(way) = way {
            self.keys.hold(way, pressed);
        }
    }

    /// Moves the camera by one frame of `dt` seconds.
    pub fn update(&mut self, scene: &mut Scene, dt: f32) {
        let drift = std::mem::take(&mut self.drift);
        let Ok(camera) = scene.graph.try_get_mut(self.camera) else {
            return;
        };
        let (ahead, side) = (camera.look_vector(), camera.side_vector());
        let sign = |plus, minus| self.keys.sign(plus, minus);
        // The engine's side vector points to the left.
        let by = ahead * sign(MoveKey::Ahead, MoveKey::Back)
            + side * sign(MoveKey::Left, MoveKey::Right)
            + Vector3::y() * sign(MoveKey::Up, MoveKey::Down);
        let haste = 1.0 + (HASTE - 1.0) * self.keys.held(MoveKey::Fast);
        let yaw = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), self.yaw);
        let pitch = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), self.pitch);
        let transform = camera.local_transform_mut();
        let by = by * SPEED * haste * dt + ahead * drift.y - side * drift.x;
        let mut place = **transform.position() + by;
        place.y = self.lowest.map_or(place.y, |lowest| place.y.max(lowest));
        transform.set_position(place);
        transform.set_rotation(yaw * pitch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyrox::scene::{base::BaseBuilder, camera::CameraBuilder};

    /// Returns the height of a camera that starts at 1 m and flies down for three seconds.
    fn sunk(lowest: Option<f32>) -> f32 {
        let mut scene = Scene::new();
        let handle = CameraBuilder::new(BaseBuilder::new()).build(&mut scene.graph);
        let place = Vector3::new(0.0, 1.0, 0.0);
        scene.graph[handle]
            .local_transform_mut()
            .set_position(place);
        let mut camera = FlyCamera::default();
        camera.attach(&scene);
        camera.stay_above(lowest);
        camera.on_key(KeyCode::KeyQ, true);
        (0..180).for_each(|_| camera.update(&mut scene, 1.0 / 60.0));
        scene.graph[handle].local_transform().position().y
    }

    #[test]
    fn it_stays_above_the_ground_where_there_is_one() {
        assert_eq!(sunk(Some(0.2)), 0.2);
        assert!(sunk(None) < -10.0);
    }
}
