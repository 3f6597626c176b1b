//! What the tool is about: the selected nodes, and their scripts and patterns.

use fracture::{BreakPreview, Destructible, FracturePattern, FracturePatternResource, SketchError};
use fyrox::{
    asset::{manager::ResourceManager, state::ResourceState},
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use fyroxed_base::scene::Selection;
use std::path::PathBuf;

/// The selection, as far as it concerns the tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    /// All selected nodes.
    pub nodes: Vec<Handle<Node>>,
    /// The first of them that is destructible.
    pub main: Option<Handle<Node>>,
}

/// The pattern of a script, as it is to be shown.
pub struct ShownPattern {
    /// Its content; nothing while it is being loaded, or cannot be.
    pub content: Option<FracturePattern>,
    /// What to say about it.
    pub label: String,
    /// The asset to be edited; none when the script has none.
    pub resource: Option<FracturePatternResource>,
    /// Its file.
    pub path: Option<PathBuf>,
    /// Whether there may be content soon.
    pub is_loading: bool,
}

impl Subject {
    /// Looks at a selection. A node below a destructible stands for it. While something else than
    /// nodes is selected, as an asset that is about to be dragged, it stays what it was.
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

    /// The script that is shown.
    pub fn script<'a>(&self, graph: &'a Graph) -> Option<&'a Destructible> {
        graph.try_get_script_of::<Destructible>(self.main?).ok()
    }

    /// What the tool says about the selection.
    pub fn status(&self, graph: &Graph, sketch: &Result<BreakPreview, SketchError>) -> String {
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

    /// The pattern of the script that is shown.
    pub fn pattern(&self, graph: &Graph, resources: &ResourceManager) -> Option<ShownPattern> {
        pattern_of(graph, self.main?, resources)
    }
}

/// The pattern of a destructible.
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
