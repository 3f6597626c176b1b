//! Puts the pieces of the preview into the scene.

use super::open::Open;
use crate::commands::{bake, Baked};
use fyroxed_base::{scene::GameScene, Editor};

impl Open {
    /// Bakes the pieces of the preview: they come with the step that is sent.
    pub(super) fn bake(&mut self, editor: &mut Editor) {
        let (Some(show), Ok(sketch)) = (&self.show, &self.sketch) else {
            let text = "Nothing to bake: break the object in the preview first.";
            return self.report(editor, text);
        };
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        let handle = game_scene.scene;
        let pieces = show
            .scene(&editor.engine)
            .map(|copy| show.preview().baked(copy));
        let Ok(scene) = editor.engine.scenes.try_get_mut(handle) else {
            return;
        };
        let what = Baked {
            object: show.preview().object(),
            body: sketch.body(),
            meshes: sketch.meshes().to_vec(),
            pieces: pieces.unwrap_or_default(),
        };
        match bake(what, &mut scene.graph) {
            Ok(step) => {
                self.report(
                    editor,
                    "Baked: the pieces are nodes below the object, which does not break any more. \
                     Undo gives it back.",
                );
                self.baked = Some((handle, step.pieces()));
                editor.message_sender.do_command(step);
            }
            Err(error) => self.report(editor, &format!("Not baked: {error}.")),
        }
    }

    fn report(&self, editor: &Editor, text: &str) {
        let ui = editor.engine.user_interfaces.first();
        self.window.set_report(ui, text);
    }
}
