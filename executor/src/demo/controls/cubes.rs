//! The classic controls: keys push one of several cubes.

use crate::demo::controls::held_keys::{HeldKeys, MoveKey};
use crate::scenario::{Action, Point};
use fyrox::{core::algebra::Vector3, graph::SceneGraph, keyboard::KeyCode, scene::Scene};

/// Impulse of a key on a cube per frame, N s; a cube has 600 kg.
const PUSH: f32 = 180.0;

/// The cubes, and the keys that are down.
#[derive(Debug, Default)]
pub struct Cubes {
    names: &'static [&'static str],
    current: usize,
    keys: HeldKeys,
}

impl Cubes {
    /// Makes the controls for the cubes of a scene, by name.
    pub fn new(names: &'static [&'static str]) -> Self {
        Self {
            names,
            ..Self::default()
        }
    }

    /// Whether the scene has cubes; if not, other controls use the keys.
    pub fn are_there(&self) -> bool {
        !self.names.is_empty()
    }

    /// Switches to the next cube.
    pub fn switch(&mut self) {
        self.current = (self.current + 1) % self.names.len().max(1);
    }

    /// The cube that the keys push.
    pub fn current(&self) -> Option<&'static str> {
        self.names.get(self.current).copied()
    }

    /// Handles a key that went down or up. Returns whether it belongs to the cubes.
    pub fn on_key(&mut self, key: KeyCode, pressed: bool) -> bool {
        let Some(way) = MoveKey::of_letter(key) else {
            return false;
        };
        if !self.are_there() {
            return false;
        }
        self.keys.hold(way, pressed);
        true
    }

    /// Returns the push of this frame, relative to the camera's direction. `None` once the cube has
    /// broken: its pieces are not engine bodies.
    pub fn push(&self, scene: &Scene, look: Vector3<f32>, is_whole: bool) -> Option<Action> {
        let ahead = Vector3::new(look.x, 0.0, look.z).try_normalize(1e-3)?;
        let right = ahead.cross(&Vector3::y());
        let way = ahead * self.keys.sign(MoveKey::Ahead, MoveKey::Back)
            + right * self.keys.sign(MoveKey::Right, MoveKey::Left);
        let way = way.try_normalize(1e-3).filter(|_| is_whole)?;
        let name = self.current()?;
        scene.graph.find_by_name_from_root(name)?;
        Some(Action::Push {
            node: name.to_owned(),
            impulse: Point(way * PUSH).short(),
        })
    }
}
