//! Baked pieces on their way into a scene and out of it, a few in a frame: the editor's list of nodes
//! takes long for each.

use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        graph::{Graph, SubGraph},
        node::Node,
        pivot::PivotBuilder,
    },
};
use std::{cell::RefCell, collections::VecDeque, rc::Rc};

/// Most pieces below one parent node: the time of the world viewer grows with the square of the number
/// of children.
const GROUP: usize = 64;

/// Baked pieces and their parent node. Clones share the pieces.
#[derive(Clone, Debug)]
pub struct BakedPieces(Rc<RefCell<Inner>>);

#[derive(Debug)]
struct Inner {
    root: Handle<Node>,
    /// Whether the pieces should be in the scene.
    wanted: bool,
    /// Whether the command is gone, so that they will never be inserted again.
    dead: bool,
    count: usize,
    /// Pieces that have not been in the scene yet.
    fresh: VecDeque<Node>,
    inside: Vec<Handle<Node>>,
    /// Pieces and parents that were in the scene before, the last one first.
    outside: Vec<SubGraph>,
    root_outside: Option<SubGraph>,
    /// The parent of the next fresh piece.
    group: Handle<Node>,
}

impl BakedPieces {
    /// Makes pieces that are not in the scene yet; `root` is their parent, which is not either.
    pub(super) fn new(root: SubGraph, handle: Handle<Node>, pieces: Vec<Node>) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            root: handle,
            wanted: false,
            dead: false,
            count: pieces.len(),
            fresh: pieces.into(),
            inside: Vec::new(),
            outside: Vec::new(),
            root_outside: Some(root),
            group: handle,
        })))
    }

    /// Sets whether the pieces should be in the scene. Their parent is inserted or hidden at once.
    pub(super) fn want(&self, graph: &mut Graph, wanted: bool) {
        let mut inner = self.0.borrow_mut();
        inner.wanted = wanted;
        if wanted {
            if let Some(root) = inner.root_outside.take() {
                graph.put_sub_graph_back(root);
            }
        }
        if let Ok(root) = graph.try_get_node_mut(inner.root) {
            root.set_visibility(wanted);
        }
    }

    /// Inserts or removes up to `most` pieces. Returns how many.
    pub fn advance(&self, graph: &mut Graph, most: usize) -> usize {
        let mut inner = self.0.borrow_mut();
        if !graph.is_valid_handle(inner.root) {
            return 0;
        }
        let wanted = inner.wanted;
        let moved = (0..most)
            .take_while(|_| {
                if wanted {
                    inner.bring(graph)
                } else {
                    inner.fetch(graph)
                }
            })
            .count();
        if !wanted && inner.inside.is_empty() {
            inner.fetch_root(graph);
        }
        moved
    }

    /// Whether all pieces are where they should be, or cannot get there in this scene.
    pub fn are_settled(&self, graph: &Graph) -> bool {
        let inner = self.0.borrow();
        let stuck = !graph.is_valid_handle(inner.root);
        stuck || (inner.wanted && inner.outside.is_empty() && inner.fresh.is_empty())
    }

    /// Whether pieces are being inserted.
    pub fn are_coming(&self) -> bool {
        self.0.borrow().wanted
    }

    /// Whether no command holds the pieces any more.
    pub fn are_forgotten(&self) -> bool {
        Rc::strong_count(&self.0) == 1
    }

    /// Called when the command is dropped: it is never executed or reverted again.
    pub(super) fn finalize(&self, graph: &mut Graph) {
        let mut inner = self.0.borrow_mut();
        if inner.wanted {
            return;
        }
        inner.dead = true;
        inner.fresh.clear();
        let outside: Vec<_> = inner.outside.drain(..).collect();
        for out in outside.into_iter().chain(inner.root_outside.take()) {
            graph.forget_sub_graph(out);
        }
    }
}

impl Inner {
    /// Inserts the next piece into the scene.
    fn bring(&mut self, graph: &mut Graph) -> bool {
        let piece = match (self.outside.pop(), self.fresh.pop_front()) {
            (Some(known), next) => {
                if let Some(next) = next {
                    self.fresh.push_front(next);
                }
                graph.put_sub_graph_back(known)
            }
            (None, Some(fresh)) => {
                let group = self.group_of_next(graph);
                let piece = graph.add_node(fresh);
                graph.link_nodes(piece, group);
                piece
            }
            (None, None) => return false,
        };
        self.inside.push(piece);
        true
    }

    /// Removes the last piece from the scene.
    fn fetch(&mut self, graph: &mut Graph) -> bool {
        let Some(piece) = self.inside.pop() else {
            return false;
        };
        match (graph.is_valid_handle(piece), self.dead) {
            (true, false) => self.outside.push(graph.take_reserve_sub_graph(piece)),
            (true, true) => graph.remove_node(piece),
            (false, _) => {}
        }
        true
    }

    fn fetch_root(&mut self, graph: &mut Graph) {
        if self.dead {
            graph.remove_node(self.root);
        } else {
            self.root_outside = Some(graph.take_reserve_sub_graph(self.root));
        }
    }

    /// The parent of the next fresh piece: many pieces are divided among several parents.
    fn group_of_next(&mut self, graph: &mut Graph) -> Handle<Node> {
        if self.count <= GROUP {
            return self.root;
        }
        let before = self.count - self.fresh.len() - 1;
        if before.is_multiple_of(GROUP) {
            let (first, last) = (before + 1, (before + GROUP).min(self.count));
            let base = BaseBuilder::new().with_name(format!("{first} to {last}"));
            self.group = PivotBuilder::new(base).build(graph).to_base();
            graph.link_nodes(self.group, self.root);
        }
        self.group
    }
}
