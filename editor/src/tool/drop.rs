//! Pattern assets dropped on nodes and on the window.

use super::open::Open;
use fracture::FracturePatternResource;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    gui::{message::UiMessage, widget::WidgetMessage, UiNode},
    scene::node::Node,
};
use fyroxed_base::{
    asset::item::AssetItem,
    camera::{PickMethod, PickingOptions},
    scene::GameScene,
    world::item::SceneItem,
    Editor,
};

/// Where an asset was dropped.
enum Target {
    /// On the window: for what is selected.
    Window,
    /// On a node in the scene or in the world viewer.
    Node(Handle<Node>),
}

impl Open {
    /// Gives a pattern that was dropped to what it was dropped on.
    pub(super) fn handle_drop(&self, message: &UiMessage, editor: &mut Editor) {
        let Some(&WidgetMessage::Drop(dropped)) = message.data() else {
            return;
        };
        let Some(target) = self.target(message.destination(), editor) else {
            return;
        };
        let Some(pattern) = pattern(dropped, editor) else {
            return;
        };
        match target {
            Target::Window => self.give(&self.subject.nodes, pattern, "Pattern", editor),
            Target::Node(node) => self.give(&[node], pattern, "Pattern", editor),
        }
    }

    fn target(&self, widget: Handle<UiNode>, editor: &mut Editor) -> Option<Target> {
        if widget == editor.scene_viewer.frame().to_base::<UiNode>() {
            return Some(Target::Node(node_under_cursor(editor)?));
        }
        let ui = editor.engine.user_interfaces.first();
        if let Some(item) = ui.try_get_node(widget).ok()?.cast::<SceneItem>() {
            return Some(Target::Node(item.entity_handle.into()));
        }
        let window = self.window.window.to_base::<UiNode>();
        (widget == window).then_some(Target::Window)
    }
}

/// The pattern of an item of the asset browser; nothing for other assets, and for those that cannot be
/// loaded.
fn pattern(dropped: Handle<UiNode>, editor: &Editor) -> Option<FracturePatternResource> {
    let ui = editor.engine.user_interfaces.first();
    let item = ui.try_get_node(dropped).ok()?.cast::<AssetItem>()?;
    let is_pattern = item.path.extension().is_some_and(|name| name == "pattern");
    // By the ending first: asking for another kind of asset would load it, and wait.
    is_pattern.then(|| item.resource())?
}

fn node_under_cursor(editor: &mut Editor) -> Option<Handle<Node>> {
    let ui = editor.engine.user_interfaces.first();
    let frame = editor.scene_viewer.frame_bounds(ui);
    let cursor_pos = ui.cursor_position() - frame.position;
    let entry = editor.scenes.current_scene_entry_mut();
    let scene = entry.controller.downcast_mut::<GameScene>()?;
    let graph = &editor.engine.scenes.try_get(scene.scene).ok()?.graph;
    let options = PickingOptions {
        cursor_pos,
        editor_only: false,
        filter: None,
        ignore_back_faces: editor.settings.selection.ignore_back_faces,
        use_picking_loop: false,
        method: PickMethod::default(),
        settings: &editor.settings.selection,
    };
    let hit = scene.camera_controller.pick(graph, options)?;
    Some(hit.node)
}
