//! Baked pieces on their way into scenes and out of them.

use crate::commands::BakedPieces;
use fyrox::{core::pool::Handle, scene::Scene};
use fyroxed_base::{Editor, Message};

/// Pieces that are inserted or removed per frame.
const IN_A_FRAME: usize = 12;

/// The baked pieces of all commands that can be undone or redone.
#[derive(Default)]
pub(crate) struct BakedQueue(Vec<(Handle<Scene>, BakedPieces)>);

impl BakedQueue {
    /// Adds the pieces of a command.
    pub fn add(&mut self, scene: Handle<Scene>, pieces: BakedPieces) {
        self.0.push((scene, pieces));
    }

    /// Inserts and removes pieces for one frame.
    pub fn update(&mut self, editor: &mut Editor) {
        self.advance(editor, IN_A_FRAME);
        let scenes = &editor.engine.scenes;
        self.0.retain(|(scene, pieces)| {
            let scene = scenes.try_get(*scene);
            scene.is_ok_and(|scene| !pieces.are_forgotten() || !pieces.are_settled(&scene.graph))
        });
    }

    /// Inserts and removes all pieces at once: saving and redoing rely on it.
    pub fn finish(&mut self, editor: &mut Editor) {
        self.advance(editor, usize::MAX);
    }

    /// Whether pieces are being inserted or removed.
    pub fn is_active(&self, editor: &Editor) -> bool {
        self.0.iter().any(|(scene, pieces)| {
            let scene = editor.engine.scenes.try_get(*scene);
            scene.is_ok_and(|scene| !pieces.are_settled(&scene.graph))
        })
    }

    /// Prepares for a redone command, which may concern pieces that are being inserted.
    pub fn finish_coming(&mut self, editor: &mut Editor) {
        if self.0.iter().any(|(_, pieces)| pieces.are_coming()) {
            self.finish(editor);
        }
    }

    fn advance(&mut self, editor: &mut Editor, most: usize) {
        let mut moved = false;
        for (scene, pieces) in &self.0 {
            if let Ok(scene) = editor.engine.scenes.try_get_mut(*scene) {
                moved |= !pieces.are_settled(&scene.graph);
                pieces.advance(&mut scene.graph, most);
            }
        }
        if moved {
            editor.message_sender.send(Message::ForceSync);
        }
    }
}
