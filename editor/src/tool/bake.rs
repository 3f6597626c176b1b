//! Puts the pieces of the preview into the scene, a few in a frame, so that the editor does not freeze.

use super::{baking::Baking, open::Open};
use crate::commands::bake;
use fyroxed_base::{scene::GameScene, Editor};

/// Pieces that are put into the scene in one frame.
const IN_A_FRAME: usize = 12;

impl Open {
    /// Adds the pieces of the preview to the scene.
    pub(super) fn bake(&mut self, editor: &mut Editor) {
        self.finish_baking(editor);
        let Some(show) = &self.show else {
            let text = "Nothing to bake: break the object in the preview first.";
            return self.report(editor, text);
        };
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        let (handle, parent) = (game_scene.scene, game_scene.scene_content_root);
        let object = show.preview().object();
        let pieces = show
            .scene(&editor.engine)
            .map(|copy| show.preview().baked(copy));
        let Ok(scene) = editor.engine.scenes.try_get_mut(handle) else {
            return;
        };
        let step = bake(object, pieces.unwrap_or_default(), &mut scene.graph, parent);
        match step {
            Ok(step) => {
                self.report(editor, "Baked.");
                self.baking = Some(Baking::new(handle, step.rest()));
                editor.message_sender.do_command(step);
            }
            Err(error) => self.report(editor, &format!("Not baked: {error}.")),
        }
    }

    /// Puts some of the pieces into the scene.
    pub(super) fn go_on_baking(&mut self, editor: &mut Editor) {
        self.put_baked(editor, IN_A_FRAME);
    }

    /// Puts all that are left into the scene: what is saved now must have them.
    pub(super) fn finish_baking(&mut self, editor: &mut Editor) {
        self.put_baked(editor, usize::MAX);
    }

    fn put_baked(&mut self, editor: &mut Editor, most: usize) {
        if self
            .baking
            .as_ref()
            .is_some_and(|baking| baking.put(editor, most))
        {
            self.baking = None;
        }
    }

    fn report(&self, editor: &Editor, text: &str) {
        let ui = editor.engine.user_interfaces.first();
        self.window.set_report(ui, text);
    }
}
