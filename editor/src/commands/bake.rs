//! Pieces of a preview as ordinary nodes of the scene.

use fyrox::{
    core::{log::Log, pool::Handle},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        graph::{Graph, SubGraph},
        node::Node,
        pivot::PivotBuilder,
    },
};
use fyroxed_base::{
    command::{CommandContext, CommandTrait},
    scene::commands::GameSceneContext,
};
use thiserror::Error;

/// Why nothing can be baked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BakeError {
    /// The preview has not been broken.
    #[error("there are no pieces yet; break the object in the preview first")]
    NoPieces,
    /// The object has gone.
    #[error("the object is not in the scene any more; select another one")]
    NoObject,
}

/// Puts baked pieces into the scene and makes the whole object invisible.
#[derive(Debug)]
pub struct Bake {
    name: String,
    object: Handle<Node>,
    root: Handle<Node>,
    parent: Handle<Node>,
    /// The pieces while they are not in the scene.
    pieces: Option<SubGraph>,
    was_visible: bool,
}

/// A step that adds pieces (see [`Preview::baked`](crate::preview::Preview::baked)) below a new node
/// under `parent`.
///
/// They stand beside the object and not below it, where they would count as its meshes.
///
/// # Errors
/// [`BakeError`] when there is nothing to bake.
pub fn bake(
    object: Handle<Node>,
    pieces: Vec<Node>,
    graph: &mut Graph,
    parent: Handle<Node>,
) -> Result<Bake, BakeError> {
    let node = graph
        .try_get_node(object)
        .map_err(|_| BakeError::NoObject)?;
    let (name, was_visible) = (node.name_owned(), node.visibility());
    if pieces.is_empty() {
        return Err(BakeError::NoPieces);
    }
    let children: Vec<_> = pieces
        .into_iter()
        .map(|node| graph.add_node(node))
        .collect();
    let base = BaseBuilder::new().with_name(format!("{name} pieces"));
    let base = children.into_iter().fold(base, BaseBuilder::with_child);
    let root = PivotBuilder::new(base).build(graph).to_base();
    // Only steps change the scene: out again until it is done.
    let pieces = graph.take_reserve_sub_graph(root);
    Ok(Bake {
        name: format!("Bake \"{name}\""),
        object,
        root,
        parent,
        pieces: Some(pieces),
        was_visible,
    })
}

impl Bake {
    /// Adds the pieces and hides the object.
    pub fn put(&mut self, graph: &mut Graph) {
        let Some(pieces) = self.pieces.take() else {
            return;
        };
        self.root = graph.put_sub_graph_back(pieces);
        if graph.is_valid_handle(self.parent) {
            graph.link_nodes(self.root, self.parent);
        }
        show(graph, self.object, false);
    }

    /// Takes the pieces away and shows the object as before.
    pub fn take(&mut self, graph: &mut Graph) {
        if graph.is_valid_handle(self.root) {
            self.pieces = Some(graph.take_reserve_sub_graph(self.root));
        }
        show(graph, self.object, self.was_visible);
    }
}

fn show(graph: &mut Graph, object: Handle<Node>, visible: bool) {
    match graph.try_get_node_mut(object) {
        Ok(node) => {
            node.set_visibility(visible);
        }
        Err(_) => Log::warn("The baked object is not in the scene any more."),
    }
}

impl CommandTrait for Bake {
    fn name(&mut self, _context: &dyn CommandContext) -> String {
        self.name.clone()
    }

    fn execute(&mut self, context: &mut dyn CommandContext) {
        self.put(&mut context.get_mut::<GameSceneContext>().scene.graph);
    }

    fn revert(&mut self, context: &mut dyn CommandContext) {
        self.take(&mut context.get_mut::<GameSceneContext>().scene.graph);
    }

    fn finalize(&mut self, context: &mut dyn CommandContext) {
        if let Some(pieces) = self.pieces.take() {
            let scene = &mut context.get_mut::<GameSceneContext>().scene;
            scene.graph.forget_sub_graph(pieces);
        }
    }
}
