//! Pieces that are on their way into a scene.

use crate::commands::Rest;
use fyrox::{core::pool::Handle, scene::Scene};
use fyroxed_base::{Editor, Message};

/// Pieces that are on their way into a scene.
pub(super) struct Baking {
    scene: Handle<Scene>,
    rest: Rest,
}

impl Baking {
    pub fn new(scene: Handle<Scene>, rest: Rest) -> Self {
        Self { scene, rest }
    }

    /// Puts at most so many pieces into the scene. Whether that was all.
    pub fn put(&self, editor: &mut Editor, most: usize) -> bool {
        let scene = editor.engine.scenes.try_get_mut(self.scene);
        let put = scene.map_or(0, |scene| self.rest.put(&mut scene.graph, most));
        if put > 0 {
            editor.message_sender.send(Message::ForceSync);
        }
        self.rest.is_empty()
    }
}
