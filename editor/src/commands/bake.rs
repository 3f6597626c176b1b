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
use std::{cell::RefCell, collections::VecDeque, rc::Rc};
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
    parent: Handle<Node>,
    /// What is in the scene once the step is done, while it is not.
    out: Option<SubGraph>,
    rest: Rest,
    was_visible: bool,
}

/// Baked pieces that still have to be put into the scene, a few in a frame: the editor's list of nodes
/// takes long for each.
#[derive(Clone, Debug)]
pub struct Rest {
    root: Handle<Node>,
    pieces: Rc<RefCell<VecDeque<Node>>>,
}

/// A step that adds pieces (see [`Preview::baked`](crate::preview::Preview::baked)) below a new node
/// under `parent`, which is empty until [`Bake::rest`] is put into it.
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
    let base = BaseBuilder::new().with_name(format!("{name} pieces"));
    let root = PivotBuilder::new(base).build(graph).to_base();
    // Only steps change the scene: out again until it is done.
    let out = graph.take_reserve_sub_graph(root);
    Ok(Bake {
        name: format!("Bake \"{name}\""),
        object,
        parent,
        out: Some(out),
        rest: Rest {
            root,
            pieces: Rc::new(RefCell::new(pieces.into())),
        },
        was_visible,
    })
}

impl Rest {
    /// Puts up to so many pieces into the scene; none while the step is undone. Returns how many.
    pub fn put(&self, graph: &mut Graph, most: usize) -> usize {
        if !graph.is_valid_handle(self.root) {
            return 0;
        }
        let mut pieces = self.pieces.borrow_mut();
        let now = pieces.len().min(most);
        for piece in pieces.drain(..now) {
            let piece = graph.add_node(piece);
            graph.link_nodes(piece, self.root);
        }
        now
    }

    /// Whether there are none left.
    pub fn is_empty(&self) -> bool {
        self.pieces.borrow().is_empty()
    }
}

impl Bake {
    /// The pieces, to be put into the scene once the step is done. Those that are in it are undone
    /// and done again with the step.
    pub fn rest(&self) -> Rest {
        self.rest.clone()
    }

    /// Adds the node of the pieces and hides the object.
    pub fn put(&mut self, graph: &mut Graph) {
        let Some(out) = self.out.take() else {
            return;
        };
        let root = graph.put_sub_graph_back(out);
        if graph.is_valid_handle(self.parent) {
            graph.link_nodes(root, self.parent);
        }
        show(graph, self.object, false);
    }

    /// Takes the pieces away and shows the object as before.
    pub fn take(&mut self, graph: &mut Graph) {
        if graph.is_valid_handle(self.rest.root) {
            self.out = Some(graph.take_reserve_sub_graph(self.rest.root));
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
        if let Some(out) = self.out.take() {
            // Undone for good.
            self.rest.pieces.borrow_mut().clear();
            let scene = &mut context.get_mut::<GameSceneContext>().scene;
            scene.graph.forget_sub_graph(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyrox::scene::mesh::MeshBuilder;

    fn pieces(count: usize) -> Vec<Node> {
        let piece = |_| MeshBuilder::new(BaseBuilder::new()).build_node();
        (0..count).map(piece).collect()
    }

    fn scene() -> (Graph, Handle<Node>) {
        let mut graph = Graph::new();
        let base = BaseBuilder::new().with_name("Vase");
        let object = MeshBuilder::new(base).build(&mut graph).to_base();
        (graph, object)
    }

    fn count(graph: &Graph) -> usize {
        graph.pair_iter().count()
    }

    #[test]
    fn pieces_come_a_few_at_a_time_and_go_at_once() {
        let (mut graph, object) = scene();
        let root = graph.get_root();
        let before = count(&graph);
        let mut step = bake(object, pieces(10), &mut graph, root).unwrap();
        let rest = step.rest();
        assert_eq!((rest.put(&mut graph, 4), count(&graph)), (0, before));
        step.put(&mut graph);
        assert_eq!((rest.put(&mut graph, 4), count(&graph)), (4, before + 5));
        assert!(!graph[object].visibility());
        step.take(&mut graph);
        assert_eq!((rest.put(&mut graph, 4), count(&graph)), (0, before));
        assert!(graph[object].visibility());
        step.put(&mut graph);
        let rounds = [rest.put(&mut graph, 4), rest.put(&mut graph, 4)];
        assert_eq!((rounds, count(&graph)), ([4, 2], before + 11));
        assert!(rest.is_empty());
    }

    #[test]
    fn there_must_be_something_to_bake() {
        let (mut graph, object) = scene();
        let root = graph.get_root();
        let none = bake(object, Vec::new(), &mut graph, root);
        assert_eq!(none.err(), Some(BakeError::NoPieces));
        let gone = bake(Handle::NONE, pieces(1), &mut graph, root);
        assert_eq!(gone.err(), Some(BakeError::NoObject));
    }
}
