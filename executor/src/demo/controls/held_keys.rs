//! Keys that are held down to move something.

use fyrox::keyboard::KeyCode;
use std::collections::BTreeSet;

/// A direction of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveKey {
    Ahead,
    Back,
    Left,
    Right,
    Up,
    Down,
    Fast,
}

impl MoveKey {
    /// Returns the direction of a letter key (W A S D Q E).
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

/// The directions whose keys are held.
#[derive(Debug, Default)]
pub struct HeldKeys(BTreeSet<MoveKey>);

impl HeldKeys {
    /// Handles a key that went down or up.
    pub fn hold(&mut self, way: MoveKey, pressed: bool) {
        if pressed {
            self.0.insert(way);
        } else {
            self.0.remove(&way);
        }
    }

    /// Returns 1 while a key is held, else 0.
    pub fn held(&self, way: MoveKey) -> f32 {
        f32::from(u8::from(self.0.contains(&way)))
    }

    /// Returns 1, 0 or -1 for two opposite directions.
    pub fn sign(&self, plus: MoveKey, minus: MoveKey) -> f32 {
        self.held(plus) - self.held(minus)
    }
}
