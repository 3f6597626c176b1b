//! Patterns and cards that are dropped from the asset browser, and their targets.

use crate::tool::window::FractureWindow;
use fyrox::{
    asset::{Resource, TypedResourceData},
    core::pool::Handle,
    graph::SceneGraph,
    gui::UiNode,
    scene::node::Node,
};
use fyroxed_base::{
    asset::item::AssetItem,
    camera::{PickMethod, PickingOptions},
    scene::GameScene,
    world::item::SceneItem,
    Editor,
};

/// The target of a dropped asset.
pub enum Target {
    /// The window: the selected nodes.
    Window,
    /// A node in the scene or in the world viewer.
    Node(Handle<Node>),
}

/// Returns the target of an asset that is dropped on a widget.
pub fn target(
    window: &FractureWindow,
    widget: Handle<UiNode>,
    editor: &mut Editor,
) -> Option<Target> {
    if widget == editor.scene_viewer.frame().to_base::<UiNode>() {
        return Some(Target::Node(node_under_cursor(editor)?));
    }
    let ui = editor.engine.user_interfaces.first();
    if let Some(item) = ui.try_get_node(widget).ok()?.cast::<SceneItem>() {
        return Some(Target::Node(item.entity_handle.into()));
    }
    let window = window.window.to_base::<UiNode>();
    (widget == window).then_some(Target::Window)
}

/// Returns the asset of an item of the asset browser; `None` for another kind of files and for those that
/// cannot be loaded.
pub fn dropped_asset<T: TypedResourceData>(
    dropped: Handle<UiNode>,
    extension: &str,
    editor: &Editor,
) -> Option<Resource<T>> {
    let ui = editor.engine.user_interfaces.first();
    let item = ui.try_get_node(dropped).ok()?.cast::<AssetItem>()?;
    let is_such = item.path.extension().is_some_and(|name| name == extension);
    // The file extension first: requesting another kind of asset would load it and wait.
    is_such.then(|| item.resource())?
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
