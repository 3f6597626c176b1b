//! The classic controls: keys push one of several cubes.

use super::ways::{Way, Ways};
use crate::scenario::{Action, Point};
use fyrox::{core::algebra::Vector3, graph::SceneGraph, keyboard::KeyCode, scene::Scene};

/// What a key gives a cube in a frame, N s; the cubes have 600 kg.
const PUSH: f32 = 180.0;

/// The cubes, and the keys that are down.
#[derive(Debug, Default)]
pub struct Cubes {
    names: &'static [&'static str],
    current: usize,
    keys: Ways,
}

impl Cubes {
    /// The cubes of a scene, by name.
    pub fn new(names: &'static [&'static str]) -> Self {
        Self {
            names,
            ..Self::default()
        }
    }

    /// Whether there are any: if not, the keys are somebody else's.
    pub fn are_there(&self) -> bool {
        !self.names.is_empty()
    }

    /// Takes the next cube.
    pub fn switch(&mut self) {
        self.current = (self.current + 1) % self.names.len().max(1);
    }

    /// The cube that the keys push.
    pub fn current(&self) -> Option<&'static str> {
        self.names.get(self.current).copied()
    }

    /// A key went down or up. Whether it was one of these.
    pub fn on_key(&mut self, key: KeyCode, pressed: bool) -> bool {
        let Some(way) = Way::of_letter(key) else {
            return false;
        };
        if !self.are_there() {
            return false;
        }
        self.keys.hold(way, pressed);
        true
    }

    /// The push of this frame, as seen from a camera that looks in a direction. Nothing once the
    /// cube has broken: its pieces are not the engine's.
    pub fn push(&self, scene: &Scene, look: Vector3<f32>, is_whole: bool) -> Option<Action> {
        let ahead = Vector3::new(look.x, 0.0, look.z).try_normalize(1e-3)?;
        let right = ahead.cross(&Vector3::y());
        let way = ahead * self.keys.sign(Way::Ahead, Way::Back)
            + right * self.keys.sign(Way::Right, Way::Left);
        let way = way.try_normalize(1e-3).filter(|_| is_whole)?;
        let name = self.current()?;
        scene.graph.find_by_name_from_root(name)?;
        Some(Action::Push {
            node: name.to_owned(),
            impulse: Point(way * PUSH).short(),
        })
    }
}
