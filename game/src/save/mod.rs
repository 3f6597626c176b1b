//! Saving and restoring destruction: as bytes for a save game, or embedded in a saved scene.

pub(crate) mod archive;
pub(crate) mod embedded;

use crate::script::embedded_save::BodyStart;
use fyrox::{core::pool::Handle, scene::node::Node};

/// The save embedded in a scene, or loaded with it.
#[derive(Default)]
pub(crate) struct EmbeddedSaves {
    /// The node that was added for a save. It belongs to the saved scene and is removed from this one.
    node: Handle<Node>,
    /// The save that a scene was loaded with, until its objects are ready to be restored.
    pending: Option<Vec<u8>>,
    /// Bodies of dynamic objects as they were when the objects were found in the scene that was saved.
    starts: Vec<BodyStart>,
}

impl EmbeddedSaves {
    /// Whether objects are still to be restored.
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Takes the save from which objects are to be restored.
    pub fn take_pending(&mut self) -> Option<Vec<u8>> {
        self.pending.take()
    }

    /// The body of an object of a loaded scene as it was when the object was found in the scene that was saved.
    pub fn start_of(&self, body: Handle<Node>) -> Option<&BodyStart> {
        self.starts.iter().find(|start| start.body == body)
    }
}
