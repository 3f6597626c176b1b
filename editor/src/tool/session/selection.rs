//! The selected nodes, their scripts and patterns, and the scene that is being edited.

use crate::commands::SetDestructible;
use fracture::{
    BreakPreview, Destructible, FracturePattern, FracturePatternResource, PreviewError,
};
use fyrox::{
    asset::{manager::ResourceManager, state::ResourceState},
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, Scene},
};
use fyroxed_base::{
    scene::{GameScene, Selection},
    Editor,
};
use std::path::PathBuf;

/// The selected nodes, with destructibles in place of their descendants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DestructibleSelection {
    /// All selected nodes.
    pub nodes: Vec<Handle<Node>>,
    /// The first node that is destructible.
    pub main: Option<Handle<Node>>,
}

/// The pattern of a script, as the window shows it.
pub struct ShownPattern {
    /// Its content; `None` while it is loading, or when it cannot be loaded.
    pub content: Option<FracturePattern>,
    /// Its label.
    pub label: String,
    /// The asset; `None` when the script has none.
    pub resource: Option<FracturePatternResource>,
    /// Its file.
    pub path: Option<PathBuf>,
    /// Whether it is loading.
    pub is_loading: bool,
}

impl DestructibleSelection {
    /// Reads a selection. A node below a destructible stands for it. While something other than nodes is
    /// selected, such as an asset that is about to be dragged, the previous selection stays.
    pub fn of(selection: &Selection, graph: &Graph, before: &Self) -> Self {
        let selected = match selection.as_graph() {
            Some(selected) => selected.nodes().to_vec(),
            None if selection.is_empty() => Vec::new(),
            None => before.nodes.clone(),
        };
        let nodes: Vec<_> = selected
            .into_iter()
            .filter(|node| graph.is_valid_handle(*node))
            .map(|node| destructible_above(graph, node).unwrap_or(node))
            .collect();
        let has = |node: &Handle<Node>| graph.try_get_script_of::<Destructible>(*node).is_ok();
        let main = nodes.iter().copied().find(has);
        Self { nodes, main }
    }

    /// Returns the script that is shown.
    pub fn script<'a>(&self, graph: &'a Graph) -> Option<&'a Destructible> {
        graph.try_get_script_of::<Destructible>(self.main?).ok()
    }

    /// Whether a selected node has no script.
    pub fn lacks_script(&self, graph: &Graph) -> bool {
        let lacks = |node: &Handle<Node>| graph.try_get_script_of::<Destructible>(*node).is_err();
        self.nodes.iter().any(lacks)
    }

    /// Returns the status line of the selection.
    pub fn status(&self, graph: &Graph, sketch: &Result<BreakPreview, PreviewError>) -> String {
        let name = |node: Handle<Node>| {
            let node = graph.try_get_node(node);
            node.map(|node| node.name_owned()).unwrap_or_default()
        };
        let Some(main) = self.main else {
            return match self.nodes.as_slice() {
                [] => "Select a node in the scene or in the world viewer.".into(),
                [one] => format!("\"{}\" is not destructible.", name(*one)),
                many => format!("{} nodes, none of them destructible.", many.len()),
            };
        };
        let also = match self.nodes.len() {
            0 | 1 => String::new(),
            count => format!(" and {} more: edits go to all of them", count - 1),
        };
        match sketch {
            Ok(_) => format!("\"{}\"{also}", name(main)),
            Err(error) => format!("\"{}\" cannot break: {error}.", name(main)),
        }
    }

    /// Returns the pattern of the script that is shown.
    pub fn pattern(&self, graph: &Graph, resources: &ResourceManager) -> Option<ShownPattern> {
        pattern_of(graph, self.main?, resources)
    }
}

/// Returns the pattern of a destructible.
pub fn pattern_of(
    graph: &Graph,
    node: Handle<Node>,
    resources: &ResourceManager,
) -> Option<ShownPattern> {
    let script = graph.try_get_script_of::<Destructible>(node).ok()?;
    let Some(resource) = script.pattern.clone_inner() else {
        return Some(ShownPattern {
            content: None,
            label: "No pattern: 64 cells, denser around the impact. Choose a preset to make one."
                .into(),
            resource: None,
            path: None,
            is_loading: false,
        });
    };
    let path = resources.resource_path(resource.as_ref());
    let is_external = resource.kind().is_external();
    let file = match &path {
        Some(path) => path.display().to_string(),
        None if is_external => "A pattern file".into(),
        None => "kept in the scene".into(),
    };
    let is_gone = is_external && !path.as_ref().is_some_and(|path| path.is_file());
    let mut is_loading = false;
    let label = match &resource.header().state {
        ResourceState::Ok { .. } if is_gone => format!(
            "{file} has been deleted; what is shown is only in memory. Press Save Pattern As File."
        ),
        ResourceState::LoadError { error, .. } => format!(
            "{file} cannot be loaded: {error}. Choose a preset, or another file under Pattern."
        ),
        ResourceState::Pending { .. } | ResourceState::Unloaded => {
            is_loading = true;
            format!("{file} is loading.")
        }
        ResourceState::Ok { .. } => file,
    };
    let content = resource.data_ref().as_loaded_ref().cloned();
    Some(ShownPattern {
        content,
        label,
        resource: Some(resource),
        path,
        is_loading,
    })
}

fn destructible_above(graph: &Graph, node: Handle<Node>) -> Option<Handle<Node>> {
    let find = |handle: Handle<Node>| graph.try_get_node(handle).ok();
    std::iter::successors(find(node), |node| find(node.parent()))
        .find(|node| node.try_get_script::<Destructible>().is_some())
        .map(|node| node.handle())
}

/// Calls a function with the edited scene; `None` when none is open.
pub(crate) fn with_scene<R>(editor: &Editor, act: impl FnOnce(&Graph) -> R) -> Option<R> {
    current_scene(editor).map(|scene| act(&scene.graph))
}

/// The edited scene; `None` when none is open.
pub(crate) fn current_scene(editor: &Editor) -> Option<&Scene> {
    let entry = editor.scenes.current_scene_entry_ref();
    let game_scene = entry.controller.downcast_ref::<GameScene>()?;
    editor.engine.scenes.try_get(game_scene.scene).ok()
}

/// Executes the command that a function makes from the edited scene, if any.
pub(crate) fn with_graph(editor: &Editor, step: impl FnOnce(&Graph) -> Option<SetDestructible>) {
    if let Some(step) = with_scene(editor, step).flatten() {
        editor.message_sender.do_command(step);
    }
}
