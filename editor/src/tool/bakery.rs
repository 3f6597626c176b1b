//! Baked pieces on their way into scenes and out of them.

use crate::commands::BakedPieces;
use fyrox::{core::pool::Handle, scene::Scene};
use fyroxed_base::{Editor, Message};

/// Pieces that come or go in one frame.
const IN_A_FRAME: usize = 12;

/// The pieces of all steps that can be undone or done again.
#[derive(Default)]
pub(super) struct Bakery(Vec<(Handle<Scene>, BakedPieces)>);

impl Bakery {
    /// Brings pieces to where they are to be from now on.
    pub fn add(&mut self, scene: Handle<Scene>, pieces: BakedPieces) {
        self.0.push((scene, pieces));
    }

    /// Does a frame's work.
    pub fn update(&mut self, editor: &mut Editor) {
        self.advance(editor, IN_A_FRAME);
        let scenes = &editor.engine.scenes;
        self.0.retain(|(scene, pieces)| {
            let scene = scenes.try_get(*scene);
            scene.is_ok_and(|scene| !pieces.are_forgotten() || !pieces.are_settled(&scene.graph))
        });
    }

    /// Brings all of them to where they are to be: what is saved or done again now relies on it.
    pub fn finish(&mut self, editor: &mut Editor) {
        self.advance(editor, usize::MAX);
    }

    /// Whether any are under way.
    pub fn is_active(&self, editor: &Editor) -> bool {
        self.0.iter().any(|(scene, pieces)| {
            let scene = editor.engine.scenes.try_get(*scene);
            scene.is_ok_and(|scene| !pieces.are_settled(&scene.graph))
        })
    }

    /// Prepares for a step that is done again: it may be about pieces that are on their way.
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
