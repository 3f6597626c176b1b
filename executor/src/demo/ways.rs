//! Keys that are held down to move something.

use fyrox::keyboard::KeyCode;
use std::collections::BTreeSet;

/// What a key is held down for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Ahead,
    Back,
    Left,
    Right,
    Up,
    Down,
    Fast,
}

impl Way {
    /// That of the letters on the left hand.
    pub fn of_letter(key: KeyCode) -> Option<Self> {
        match key {
            KeyCode::KeyW => Some(Self::Ahead),
            KeyCode::KeyS => Some(Self::Back),
            KeyCode::KeyA => Some(Self::Left),
            KeyCode::KeyD => Some(Self::Right),
            _ => None,
        }
    }
}

/// The ways whose keys are down.
#[derive(Debug, Default)]
pub struct Ways(BTreeSet<Way>);

impl Ways {
    /// A key went down or up.
    pub fn hold(&mut self, way: Way, pressed: bool) {
        match pressed {
            true => self.0.insert(way),
            false => self.0.remove(&way),
        };
    }

    /// 1 while a way is held, else 0.
    pub fn held(&self, way: Way) -> f32 {
        f32::from(u8::from(self.0.contains(&way)))
    }

    /// 1, 0 or -1: which of two opposite ways is held.
    pub fn sign(&self, plus: Way, minus: Way) -> f32 {
        self.held(plus) - self.held(minus)
    }
}
