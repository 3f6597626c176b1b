//! Finds destructibles and colliders: all nodes at first, then the nodes that the graph reports as added,
//! and a part of the scene in turn (the patrol), because scripts and fields change without a report.

use crate::{
    mirror::engine_bodies::key_of,
    object::ObjectId,
    script::{destructible::Destructible, inbox::DirtyFlag},
};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        base::SceneNodeId,
        graph::{event::GraphEvent, Graph},
        node::Node,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::mpsc::{channel, Receiver},
};

/// Nodes inspected by the patrol per update. More are noticed sooner and cost more time in every update.
const PATROL_NODES: u32 = 128;

/// Slots of the node pool that a patrol passes per update at most, the skipped nodes of pieces included.
const MAX_PATROL_SLOTS: u32 = 4096;

/// Finds nodes with scripts, and knows which object each belongs to.
#[derive(Default)]
pub(crate) struct Discovery {
    /// `None` until the first update.
    events: Option<Receiver<GraphEvent>>,
    /// Nodes that have come since the last update; in the first one those that were in the scene before.
    added: Vec<Handle<Node>>,
    /// Nodes that have gone since the last update.
    removed: Vec<Handle<Node>>,
    /// Slots of the node pool inspected in this update.
    patrol: Range<u32>,
    /// By slot: whether the node there shows pieces. Such nodes are changed by this crate only.
    own: Vec<bool>,
    /// Objects by the key of the node that carries the script.
    by_node: BTreeMap<u64, ObjectId>,
    next_id: u32,
    /// Id of the scene's root node, by which the scene is told from others.
    root: Option<SceneNodeId>,
    /// Set by inboxes that have received impacts.
    pub inbox_flag: DirtyFlag,
    /// Objects whose inboxes set the flag of another scene and are polled.
    pub polled_inboxes: BTreeSet<ObjectId>,
}

impl Discovery {
    /// Records all nodes of a graph and subscribes to its events.
    pub fn attach(&mut self, graph: &mut Graph) {
        self.root = root_id(graph); // games may change it
        if self.events.is_some() {
            return;
        }
        let (sender, receiver) = channel();
        graph.event_broadcaster.subscribe(sender);
        self.events = Some(receiver);
        self.added = graph.pair_iter().map(|(handle, _)| handle).collect();
    }

    /// Whether the patrol inspects a node in this update.
    pub fn is_on_patrol(&self, node: Handle<Node>) -> bool {
        self.patrol.contains(&node.index())
    }

    /// The object whose script is on a node.
    pub fn object_at(&self, node: Handle<Node>) -> Option<ObjectId> {
        self.by_node.get(&key_of(node)).copied()
    }

    /// Whether the scene has been inspected.
    pub fn is_attached(&self) -> bool {
        self.events.is_some()
    }

    /// Whether a graph is that of another scene than the one that has been inspected. A copy of the scene
    /// counts as the scene.
    pub fn is_of_other_scene(&self, graph: &Graph) -> bool {
        self.is_attached() && self.root != root_id(graph)
    }

    /// Takes the nodes added and the nodes removed since the last call.
    pub fn drain_events(&mut self) -> (Vec<Handle<Node>>, Vec<Handle<Node>>) {
        self.receive();
        (
            std::mem::take(&mut self.added),
            std::mem::take(&mut self.removed),
        )
    }

    /// Whether a node has come into the scene since the last update.
    pub fn is_new(&mut self, node: Handle<Node>) -> bool {
        self.receive();
        self.added.contains(&node)
    }

    fn receive(&mut self) {
        for event in self.events.iter().flat_map(Receiver::try_iter) {
            match event {
                GraphEvent::Added(node) => self.added.push(node),
                GraphEvent::Removed(node) => self.removed.push(node),
            }
        }
    }

    /// The next slots to inspect. Some may be empty, some hold nodes of pieces.
    pub fn next_patrol(&mut self, graph: &Graph) -> Range<u32> {
        let start = if self.patrol.end < graph.capacity() {
            self.patrol.end
        } else {
            0
        };
        let slots = start..start.saturating_add(MAX_PATROL_SLOTS).min(graph.capacity());
        let mut others = slots.clone().filter(|index| !self.is_own(*index));
        let end = others.nth(PATROL_NODES as usize).unwrap_or(slots.end);
        self.patrol = start..end;
        self.patrol.clone()
    }

    /// Whether the node in a slot shows pieces.
    pub fn is_own(&self, index: u32) -> bool {
        self.own.get(index as usize).copied().unwrap_or_default()
    }

    /// Records whether the node in a slot shows pieces.
    pub fn set_own(&mut self, node: Handle<Node>, is_own: bool) {
        let slot = node.index() as usize;
        if is_own && self.own.len() <= slot {
            self.own.resize(slot + 1, false);
        }
        if let Some(own) = self.own.get_mut(slot) {
            *own = is_own;
        }
    }

    /// Makes a script's inbox set the flag of this scene; if it sets that of another, it is polled.
    pub fn watch_inbox(&mut self, id: ObjectId, script: &Destructible) {
        if script.inbox.sets_flag(&self.inbox_flag) {
            self.polled_inboxes.remove(&id);
        } else {
            self.polled_inboxes.insert(id);
        }
    }

    /// The id of the object that will be found next.
    pub fn next_object(&self) -> ObjectId {
        ObjectId(self.next_id)
    }

    /// Gives the object of a node an id.
    pub fn register(&mut self, node: Handle<Node>) -> ObjectId {
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.by_node.insert(key_of(node), id);
        id
    }

    /// Removes the object of a node.
    pub fn unregister(&mut self, node: Handle<Node>, id: ObjectId) {
        self.by_node.remove(&key_of(node));
        self.polled_inboxes.remove(&id);
    }
}

fn root_id(graph: &Graph) -> Option<SceneNodeId> {
    let root = graph.try_get_node(graph.root());
    Some(root.ok()?.instance_id())
}
