//! The state of the demo, for whoever runs it: a page in a browser, and its test.

use serde::Serialize;
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

/// The state of the demo after a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DemoState {
    /// The file of the open scene.
    pub scene: PathBuf,
    /// Whether the scene is still being loaded.
    pub is_loading: bool,
    /// Whether the menu is open.
    pub menu_is_open: bool,
    /// The tool in use.
    pub tool: &'static str,
    /// Yaw and pitch of the camera, radians.
    pub look: [f32; 2],
    /// Number of breaks.
    pub breaks: u64,
    /// Number of pieces.
    pub pieces: usize,
    /// Number of pieces that move.
    pub awake: usize,
    /// Number of sounds that were played.
    pub sounds: usize,
    /// Number of faults.
    pub faults: usize,
    /// Time of the longest update of destruction since it was last forgotten, ms.
    pub longest_ms: f32,
    /// Time of the step of the debris in that update, ms.
    pub longest_step_ms: f32,
    /// Whether the player has quit.
    pub is_over: bool,
}

/// A place where the demo leaves its state. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Mutex<DemoState>>);

impl Watch {
    /// Returns the last state.
    pub fn get(&self) -> DemoState {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Changes the state.
    pub fn change(&self, change: impl FnOnce(&mut DemoState)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
