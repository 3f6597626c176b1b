//! Finds destructibles and colliders: all nodes at first, then the nodes that the graph reports as added,
//! and a part of the scene in turn (the patrol), because scripts and fields change without a report.

use crate::{
    destruction::Destruction,
    mirror::engine_bodies::key_of,
    object::{config::DestructibleConfig, Object, ObjectId, ObjectState},
    script::{debris_settings::DebrisSettings, destructible::Destructible, inbox::DirtyFlag},
    swap,
};
use fracture_simulation::Simulation;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        collider::Collider,
        graph::{event::GraphEvent, Graph},
        joint::Joint,
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
    /// Nodes that were in the scene before the graph reported any.
    initial: Vec<Handle<Node>>,
    /// Slots of the node pool inspected in this update.
    patrol: Range<u32>,
    /// By slot: whether the node there shows pieces. Such nodes are changed by this crate only.
    own: Vec<bool>,
    /// Objects by the key of the node that carries the script.
    by_node: BTreeMap<u64, ObjectId>,
    next_id: u32,
    /// Set by inboxes that have received impacts.
    pub inbox_flag: DirtyFlag,
    /// Objects whose inboxes set the flag of another scene and are polled.
    pub polled_inboxes: BTreeSet<ObjectId>,
}

impl Discovery {
    /// Records all nodes of a graph and subscribes to its events.
    pub fn attach(&mut self, graph: &mut Graph) {
        if self.events.is_some() {
            return;
        }
        let (sender, receiver) = channel();
        graph.event_broadcaster.subscribe(sender);
        self.events = Some(receiver);
        self.initial = graph.pair_iter().map(|(handle, _)| handle).collect();
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

    /// Takes the nodes added and the nodes removed since the last call.
    fn drain_events(&mut self) -> (Vec<Handle<Node>>, Vec<Handle<Node>>) {
        let mut added = std::mem::take(&mut self.initial);
        let mut removed = Vec::new();
        for event in self.events.iter().flat_map(Receiver::try_iter) {
            match event {
                GraphEvent::Added(node) => added.push(node),
                GraphEvent::Removed(node) => removed.push(node),
            }
        }
        (added, removed)
    }

    /// The next slots to inspect. Some may be empty, some hold nodes of pieces.
    fn next_patrol(&mut self, graph: &Graph) -> Range<u32> {
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

    fn is_own(&self, index: u32) -> bool {
        self.own.get(index as usize).copied().unwrap_or_default()
    }

    /// Records whether the node in a slot shows pieces.
    fn set_own(&mut self, node: Handle<Node>, is_own: bool) {
        let slot = node.index() as usize;
        if is_own && self.own.len() <= slot {
            self.own.resize(slot + 1, false);
        }
        if let Some(own) = self.own.get_mut(slot) {
            *own = is_own;
        }
    }

    /// Makes a script's inbox set the flag of this scene; if it sets that of another, it is polled.
    fn watch_inbox(&mut self, id: ObjectId, script: &Destructible) {
        if script.inbox.sets_flag(&self.inbox_flag) {
            self.polled_inboxes.remove(&id);
        } else {
            self.polled_inboxes.insert(id);
        }
    }

    /// Gives the object of a node an id.
    fn register(&mut self, node: Handle<Node>) -> ObjectId {
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.by_node.insert(key_of(node), id);
        id
    }
}

impl Destruction {
    /// Finds destructibles and colliders that have been added, changed or removed.
    ///
    /// Additions and removals of nodes are seen at once. A script that is added to or taken off a node, and
    /// an edited field, are seen when the patrol passes the node.
    pub(crate) fn discover(&mut self, graph: &Graph, simulation: &mut Simulation) {
        let (added, removed) = self.discovery.drain_events();
        for node in removed {
            self.discovery.set_own(node, false);
            self.handle_removed(simulation, graph, node);
        }
        for node in added {
            if graph.is_valid_handle(node) {
                self.discovery.set_own(node, swap::is_piece(graph, node));
            }
            self.inspect(graph, simulation, node);
        }
        for index in self.discovery.next_patrol(graph) {
            if !self.discovery.is_own(index) {
                self.inspect(graph, simulation, graph.handle_from_index(index));
            }
        }
    }

    /// Brings everything that depends on a node up to date.
    fn inspect(&mut self, graph: &Graph, simulation: &mut Simulation, handle: Handle<Node>) {
        let Ok(node) = graph.try_get_node(handle) else {
            return; // added and removed in one frame
        };
        if let Some(settings) = node.try_get_script::<DebrisSettings>() {
            self.apply_debris_settings(simulation, settings);
        }
        match (
            node.try_get_script::<Destructible>(),
            self.discovery.object_at(handle),
        ) {
            (Some(script), None) => {
                let id = self.discovery.register(handle);
                let config = DestructibleConfig::new(script);
                let object = Object::new(handle, node.name_owned(), config);
                self.objects.insert(id, object);
                self.discovery.watch_inbox(id, script);
            }
            (Some(script), Some(id)) => {
                self.discovery.watch_inbox(id, script);
                self.refresh(graph, simulation, id, node, script);
            }
            (None, Some(id)) => self.retire(simulation, id),
            (None, None) => {}
        }
        if node.cast::<Collider>().is_some() {
            self.mirror.colliders.mirror_node(simulation, graph, handle);
        } else if node.cast::<Joint>().is_some() {
            let body_ref = |body| self.objects.body_ref(body);
            self.mirror
                .joints
                .mirror_node(simulation, graph, handle, body_ref);
        }
    }

    /// Replaces the settings by those of a script. They stay in force when the script is removed.
    fn apply_debris_settings(&mut self, simulation: &mut Simulation, script: &DebrisSettings) {
        let settings = script.applied_to(&self.settings);
        if settings != self.settings {
            let (pieces, triangles) = (settings.max_pieces, settings.max_triangles);
            simulation.set_limits(pieces, triangles, settings.settle_after);
            self.settings = settings;
        }
    }

    /// Loads an intact object again when its fields, its pattern or its meshes have changed, and a faulty
    /// one in case the fault has been mended.
    fn refresh(
        &mut self,
        graph: &Graph,
        simulation: &mut Simulation,
        id: ObjectId,
        node: &Node,
        script: &Destructible,
    ) {
        let Some(object) = self.objects.get_mut(id) else {
            return;
        };
        if object.name != node.name() {
            node.name().clone_into(&mut object.name);
        }
        let config = DestructibleConfig::new(script);
        let changed = config != object.config;
        let reload = match &object.state {
            ObjectState::Live(live) => !live.broken && (changed || !live.has_read_meshes(graph)),
            ObjectState::Faulty(_) => true,
            ObjectState::Waiting => changed,
            ObjectState::Gone => false,
        };
        if reload {
            object.config = config;
            if let Some(live) = self.objects.unload(id, ObjectState::Waiting) {
                simulation.remove(live.root);
            }
        }
    }

    fn handle_removed(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        self.mirror.colliders.remove(simulation, graph, node);
        self.mirror.joints.remove(simulation, node);
        self.mirror.colliders.include(node);
        for object in self.view.remove_batch(&mut self.pieces, simulation, node) {
            self.drop_if_empty(object);
        }
        if let Some((body, object)) = self.pieces.remove_by_node(node) {
            self.view.batches.remove_piece(body);
            simulation.remove(body);
            self.drop_if_empty(object);
        }
        let object = self.discovery.object_at(node);
        if let Some(id) = object.or_else(|| self.objects.of_engine_body(node)) {
            self.retire(simulation, id);
        }
    }

    /// Removes an object whose node or script has been removed. Its debris stays.
    fn retire(&mut self, simulation: &mut Simulation, id: ObjectId) {
        let Some(object) = self.objects.get(id) else {
            return;
        };
        self.discovery.by_node.remove(&key_of(object.node));
        self.discovery.polled_inboxes.remove(&id);
        self.impacts.residuals.remove(&id);
        if let Some(live) = self.objects.unload(id, ObjectState::Gone) {
            for held in live.held {
                simulation.remove(held);
                self.pieces.remove(held);
            }
            for collider in live.colliders {
                self.mirror.colliders.include(collider);
            }
        }
        self.drop_if_empty(id);
    }

    /// Drops an object that has neither a node nor a piece.
    pub(crate) fn drop_if_empty(&mut self, id: ObjectId) {
        let object = self.objects.get(id);
        let gone = object.is_some_and(|object| matches!(object.state, ObjectState::Gone));
        if gone && !self.pieces.has_any_of(id) {
            self.objects.remove(id);
        }
    }
}
