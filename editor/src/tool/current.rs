//! The scene that is being edited.

use crate::commands::SetDestructible;
use fyrox::scene::graph::Graph;
use fyroxed_base::{scene::GameScene, Editor};

/// A look at the scene; `None` when none is open.
pub(super) fn with_scene<R>(editor: &Editor, act: impl FnOnce(&Graph) -> R) -> Option<R> {
    let entry = editor.scenes.current_scene_entry_ref();
    let game_scene = entry.controller.downcast_ref::<GameScene>()?;
    let scene = editor.engine.scenes.try_get(game_scene.scene).ok()?;
    Some(act(&scene.graph))
}

/// Sends the step that a look at the scene gives, if any.
pub(super) fn with_graph(editor: &Editor, step: impl FnOnce(&Graph) -> Option<SetDestructible>) {
    if let Some(step) = with_scene(editor, step).flatten() {
        editor.message_sender.do_command(step);
    }
}
