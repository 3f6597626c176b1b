//! Edits of scripts and patterns, each one undoable command: fields, dropped pattern files, baked pieces.

use super::{
    selection::{pattern_of, with_graph, with_scene, ShownPattern},
    Session,
};
use crate::commands::{bake, give_pattern, tune, BakeInput, TunePattern};
use fracture::{FracturePattern, FracturePatternResource};
use fyrox::{
    asset::{untyped::ResourceKind, Resource, ResourceData},
    core::{log::Log, pool::Handle, uuid::Uuid},
    graph::SceneGraph,
    gui::{
        inspector::{PropertyAction, PropertyChanged},
        message::UiMessage,
        widget::WidgetMessage,
        UiNode,
    },
    scene::{graph::Graph, node::Node},
};
use fyroxed_base::{
    asset::item::AssetItem,
    camera::{PickMethod, PickingOptions},
    command::CommandGroup,
    scene::GameScene,
    world::item::SceneItem,
    Editor,
};
use std::path::{Path, PathBuf};

/// The folder of new pattern files.
const PATTERNS: &str = "data/patterns";

impl Session {
    /// Changes a field of all selected scripts.
    pub(crate) fn set_script(&self, change: &PropertyChanged, editor: &mut Editor) {
        let field = title(&change.name);
        with_graph(editor, |graph| {
            tune(graph, &self.selection.nodes, &field, |script| {
                apply(change, script)
            })
        });
    }

    /// Changes a field of the patterns of all selected scripts.
    pub(crate) fn set_pattern(&self, change: &PropertyChanged, editor: &mut Editor) {
        let field = title(&change.name);
        let step = self.tuned(&field, editor, |content| apply(change, content));
        if let Some(step) = step {
            editor.message_sender.do_command(step);
        }
    }

    pub(crate) fn use_preset(&self, name: &str, preset: FracturePattern, editor: &mut Editor) {
        let field = format!("Preset {}", title(name));
        let tuned = self.tuned(&field, editor, |content| content.clone_from(&preset));
        let lacking = self.without_pattern(editor);
        let new = Resource::new_embedded(preset);
        let given = with_scene(editor, |graph| give_pattern(graph, &lacking, &field, &new));
        let sender = &editor.message_sender;
        match (tuned, given.flatten()) {
            (Some(tuned), Some(given)) => {
                let nodes = self.selection.nodes.len();
                let mut both = CommandGroup::default();
                both.push(tuned);
                both.push(given);
                sender.do_command(both.with_custom_name(format!("Set {field} of {nodes} Nodes")));
            }
            (Some(tuned), None) => sender.do_command(tuned),
            (None, Some(given)) => sender.do_command(given),
            (None, None) => {}
        }
    }

    /// Makes the command that changes the patterns of all selected scripts.
    fn tuned(
        &self,
        field: &str,
        editor: &Editor,
        mut change: impl FnMut(&mut FracturePattern),
    ) -> Option<TunePattern> {
        let step = |shown: ShownPattern| {
            let (resource, mut content) = (shown.resource?, shown.content?);
            let before = content.clone();
            change(&mut content);
            (content != before).then(|| TunePattern::new(resource, content, shown.path, field))
        };
        let steps = self.patterns(editor).into_iter().filter_map(step);
        steps.reduce(|all, step| all.with(step, field))
    }

    /// Returns the patterns of all selected scripts, each once.
    fn patterns(&self, editor: &Editor) -> Vec<ShownPattern> {
        let resources = &editor.engine.resource_manager;
        let of = |graph: &Graph| {
            let nodes = self.selection.nodes.iter();
            let mut patterns: Vec<ShownPattern> = Vec::new();
            for pattern in nodes.filter_map(|node| pattern_of(graph, *node, resources)) {
                if patterns
                    .iter()
                    .all(|known| known.resource != pattern.resource)
                {
                    patterns.push(pattern);
                }
            }
            patterns
        };
        with_scene(editor, of).unwrap_or_default()
    }

    /// Returns the selected nodes whose scripts have no pattern, or one that cannot be loaded.
    fn without_pattern(&self, editor: &Editor) -> Vec<Handle<Node>> {
        let resources = &editor.engine.resource_manager;
        let lacks = |graph: &Graph, node: Handle<Node>| {
            let pattern = pattern_of(graph, node, resources);
            pattern.is_some_and(|pattern| pattern.content.is_none() && !pattern.is_loading)
        };
        let of = |graph: &Graph| {
            let nodes = self.selection.nodes.iter().copied();
            nodes.filter(|node| lacks(graph, *node)).collect()
        };
        with_scene(editor, of).unwrap_or_default()
    }

    /// Gives nodes a pattern, and the script to those that lack it.
    pub(crate) fn give(
        &self,
        nodes: &[Handle<Node>],
        pattern: FracturePatternResource,
        field: &str,
        editor: &mut Editor,
    ) {
        with_graph(editor, |graph| give_pattern(graph, nodes, field, &pattern));
    }

    /// Writes the pattern to a new file and gives the file to the selected scripts.
    pub(crate) fn save_pattern(&mut self, editor: &mut Editor) {
        let Some(shown) = self.shown_pattern(editor) else {
            return;
        };
        let mut content = shown.content.unwrap_or_default();
        let name = with_scene(editor, |graph| {
            let node = graph.try_get_node(self.selection.main?).ok()?;
            Some(node.name_owned())
        });
        let path = free_path(Path::new(PATTERNS), &name.flatten().unwrap_or_default());
        let saved = std::fs::create_dir_all(PATTERNS)
            .map_err(|error| error.to_string())
            .and_then(|()| content.save(&path).map_err(|error| error.to_string()));
        let ui = editor.engine.user_interfaces.first();
        if let Err(reason) = saved {
            let path = path.display();
            let text =
                format!("{path} cannot be written: {reason}; check the folder's permissions.");
            Log::err(&text);
            return self.window.set_report(ui, &text);
        }
        self.window
            .set_report(ui, &format!("Saved {}.", path.display()));
        let resource = Resource::new_ok(Uuid::new_v4(), ResourceKind::External, content);
        let manager = &editor.engine.resource_manager;
        Log::verify(manager.register(resource.clone().into_untyped(), &path));
        self.give(&self.selection.nodes, resource, "Pattern", editor);
        self.start_pattern_search();
    }

    pub(crate) fn shown_pattern(&self, editor: &Editor) -> Option<ShownPattern> {
        let resources = &editor.engine.resource_manager;
        with_scene(editor, |graph| self.selection.pattern(graph, resources)).flatten()
    }
}

fn apply(change: &PropertyChanged, target: &mut dyn fyrox::core::reflect::Reflect) {
    let action = PropertyAction::from_field_action(&change.action);
    action.apply(&change.path(), target, &mut |result| Log::verify(result));
}

/// Returns a field's name as the inspector writes it.
fn title(field: &str) -> String {
    let words = field.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the path of a file that does not exist yet, named after an object.
fn free_path(folder: &Path, name: &str) -> PathBuf {
    let letter = |c: char| match c {
        c if c.is_alphanumeric() => c.to_ascii_lowercase(),
        _ => '_',
    };
    let name: String = name.chars().map(letter).collect();
    let name = if name.is_empty() {
        "pattern".into()
    } else {
        name
    };
    let plain = folder.join(format!("{name}.pattern"));
    let numbered = (2..).map(|n: u32| folder.join(format!("{name}_{n}.pattern")));
    std::iter::once(plain.clone())
        .chain(numbered)
        .find(|path| !path.exists())
        .unwrap_or(plain)
}

/// The target of a dropped asset.
enum Target {
    /// The window: the selected nodes.
    Window,
    /// A node in the scene or in the world viewer.
    Node(Handle<Node>),
}

impl Session {
    /// Gives a dropped pattern to its target.
    pub(crate) fn handle_drop(&self, message: &UiMessage, editor: &mut Editor) {
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
            Target::Window => self.give(&self.selection.nodes, pattern, "Pattern", editor),
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

/// Returns the pattern of an item of the asset browser; `None` for other assets and for those that
/// cannot be loaded.
fn pattern(dropped: Handle<UiNode>, editor: &Editor) -> Option<FracturePatternResource> {
    let ui = editor.engine.user_interfaces.first();
    let item = ui.try_get_node(dropped).ok()?.cast::<AssetItem>()?;
    let is_pattern = item.path.extension().is_some_and(|name| name == "pattern");
    // The file extension first: requesting another kind of asset would load it and wait.
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

impl Session {
    /// Bakes the pieces of the preview with an undoable command.
    pub(crate) fn bake(&mut self, editor: &mut Editor) {
        let (Some(show), Ok(sketch)) = (&self.preview, &self.sketch) else {
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
            .map(|copy| show.preview().piece_nodes(copy));
        let Ok(scene) = editor.engine.scenes.try_get_mut(handle) else {
            return;
        };
        let what = BakeInput {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_named_as_in_the_inspector() {
        assert_eq!(title("max_radius"), "Max Radius");
        assert_eq!(title("seed"), "Seed");
        assert_eq!(title(""), "");
    }

    #[test]
    fn a_new_file_overwrites_none() {
        let folder = std::env::temp_dir().join(format!("fracture-free-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let first = free_path(&folder, "Old Wall/7");
        assert!(first.ends_with("old_wall_7.pattern"));
        std::fs::write(&first, "").unwrap();
        assert!(free_path(&folder, "Old Wall/7").ends_with("old_wall_7_2.pattern"));
        assert!(free_path(&folder, "").ends_with("pattern.pattern"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
