//! Finds destructibles and colliders: all of them at first, then what the graph reports as added,
//! and a part of the scene in turn, because scripts and fields change without a report.

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

/// Places of the scene's node pool that are looked at per update.
const PATROL: u32 = 128;

/// Places up to which a patrol goes past nodes of our own.
const FARTHEST: u32 = 4096;

/// What is known of a scene's nodes.
#[derive(Default)]
pub(crate) struct Discovery {
    /// `None` until the scene is seen first.
    reports: Option<Receiver<GraphEvent>>,
    fresh: Vec<Handle<Node>>,
    patrol: Range<u32>,
    /// By place: whether the node there shows pieces. Nobody changes these but us.
    own: Vec<bool>,
    /// Node that carries the script to object.
    known: BTreeMap<u64, ObjectId>,
    next_id: u32,
    /// Rung by the inboxes of all objects but the deaf ones.
    pub bell: DirtyFlag,
    pub deaf: BTreeSet<ObjectId>,
}

impl Discovery {
    /// Takes note of all nodes and asks the graph to report new ones.
    pub fn attach(&mut self, graph: &mut Graph) {
        if self.reports.is_some() {
            return;
        }
        let (sender, receiver) = channel();
        graph.event_broadcaster.subscribe(sender);
        self.reports = Some(receiver);
        self.fresh = graph.pair_iter().map(|(handle, _)| handle).collect();
    }

    /// Whether this update looks at a node anyway.
    pub fn is_turn_of(&self, node: Handle<Node>) -> bool {
        self.patrol.contains(&node.index())
    }

    /// The object whose script a node carries.
    pub fn object_at(&self, node: Handle<Node>) -> Option<ObjectId> {
        self.known.get(&key_of(node)).copied()
    }

    /// Whether the scene has been looked at.
    pub fn has_seen_scene(&self) -> bool {
        self.reports.is_some()
    }

    /// The nodes added, and the nodes removed since the last call.
    fn reported(&mut self) -> (Vec<Handle<Node>>, Vec<Handle<Node>>) {
        let (mut added, mut removed) = (std::mem::take(&mut self.fresh), Vec::new());
        for report in self.reports.iter().flat_map(Receiver::try_iter) {
            match report {
                GraphEvent::Added(node) => added.push(node),
                GraphEvent::Removed(node) => removed.push(node),
            }
        }
        (added, removed)
    }

    /// The nodes whose turn it is; some of them may have gone, some are our own.
    fn next_turn(&mut self, graph: &Graph) -> Range<u32> {
        let start = if self.patrol.end < graph.capacity() {
            self.patrol.end
        } else {
            0
        };
        let all = start..start.saturating_add(FARTHEST).min(graph.capacity());
        let mut strange = all.clone().filter(|index| !self.is_own(*index));
        let end = strange.nth(PATROL as usize).unwrap_or(all.end);
        self.patrol = start..end;
        self.patrol.clone()
    }

    fn is_own(&self, index: u32) -> bool {
        self.own.get(index as usize).copied().unwrap_or_default()
    }

    /// Takes note of whether a node that has come, or gone, is one of our own.
    fn note(&mut self, node: Handle<Node>, is_own: bool) {
        let place = node.index() as usize;
        if is_own && self.own.len() <= place {
            self.own.resize(place + 1, false);
        }
        if let Some(own) = self.own.get_mut(place) {
            *own = is_own;
        }
    }

    /// Has an object's script tell when something comes for it.
    fn listen(&mut self, id: ObjectId, script: &Destructible) {
        match script.inbox.rings(&self.bell) {
            true => self.deaf.remove(&id),
            false => self.deaf.insert(id),
        };
    }

    fn register(&mut self, node: Handle<Node>) -> ObjectId {
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.known.insert(key_of(node), id);
        id
    }
}

impl Destruction {
    /// Looks for destructibles and colliders that have come, changed or gone.
    pub(crate) fn discover(&mut self, graph: &Graph, simulation: &mut Simulation) {
        let (added, removed) = self.discovery.reported();
        for node in removed {
            self.discovery.note(node, false);
            self.node_removed(simulation, graph, node);
        }
        for node in added {
            if graph.is_valid_handle(node) {
                self.discovery.note(node, swap::is_of_pieces(graph, node));
            }
            self.look_at(graph, simulation, node);
        }
        for index in self.discovery.next_turn(graph) {
            if !self.discovery.is_own(index) {
                self.look_at(graph, simulation, graph.handle_from_index(index));
            }
        }
    }

    fn look_at(&mut self, graph: &Graph, simulation: &mut Simulation, handle: Handle<Node>) {
        let Ok(node) = graph.try_get_node(handle) else {
            return; // added and removed in one frame
        };
        if let Some(rules) = node.try_get_script::<DebrisSettings>() {
            self.follow_rules(simulation, rules);
        }
        match (
            node.try_get_script::<Destructible>(),
            self.discovery.object_at(handle),
        ) {
            (Some(script), None) => {
                let id = self.discovery.register(handle);
                let object = Object::new(handle, node.name_owned(), DestructibleConfig::of(script));
                self.objects.insert(id, object);
                self.discovery.listen(id, script);
            }
            (Some(script), Some(id)) => {
                self.discovery.listen(id, script);
                self.refresh(graph, simulation, (id, node), script);
            }
            (None, Some(id)) => self.retire(simulation, id),
            (None, None) => {}
        }
        if node.cast::<Collider>().is_some() {
            self.surroundings.consider(simulation, graph, handle);
        } else if node.cast::<Joint>().is_some() {
            let mut joints = std::mem::take(&mut self.joints);
            let owner = |body| self.owner_of(body);
            joints.consider(simulation, graph, handle, owner);
            self.joints = joints;
        }
    }

    fn follow_rules(&mut self, simulation: &mut Simulation, rules: &DebrisSettings) {
        let settings = rules.applied_to(&self.settings);
        if settings != self.settings {
            let (pieces, triangles) = (settings.max_pieces, settings.max_triangles);
            simulation.set_limits(pieces, triangles, settings.settle_after);
            self.settings = settings;
        }
    }

    /// Takes over what has been changed about an object that is whole: its fields, its pattern, its
    /// meshes.
    fn refresh(
        &mut self,
        graph: &Graph,
        simulation: &mut Simulation,
        (id, node): (ObjectId, &Node),
        script: &Destructible,
    ) {
        let Some(object) = self.objects.get_mut(&id) else {
            return;
        };
        if object.name != node.name() {
            node.name().clone_into(&mut object.name);
        }
        let tuning = DestructibleConfig::of(script);
        let changed = tuning != object.tuning;
        match &object.state {
            ObjectState::Live(live) if !live.broken && (changed || !live.is_as_read(graph)) => {
                simulation.remove(live.root);
            }
            // Whoever is to blame may have mended it meanwhile.
            ObjectState::Faulty(_) => {}
            ObjectState::Waiting if changed => {}
            _ => return,
        }
        object.tuning = tuning;
        object.state = ObjectState::Waiting;
    }

    fn node_removed(&mut self, simulation: &mut Simulation, graph: &Graph, node: Handle<Node>) {
        self.surroundings.forget(simulation, graph, node);
        self.joints.forget(simulation, node);
        self.surroundings.let_in(node);
        self.batch_removed(simulation, node);
        if let Some((body, object)) = self.pieces.forget_node(node) {
            self.batches.leave(body);
            simulation.remove(body);
            self.drop_if_empty(object);
        }
        let of_body =
            |(id, object): (&ObjectId, &Object)| (object.live()?.body == node).then_some(*id);
        let object = self.discovery.object_at(node);
        if let Some(id) = object.or_else(|| self.objects.iter().find_map(of_body)) {
            self.retire(simulation, id);
        }
    }

    /// Forgets an object whose node or script has gone. Its debris stays.
    fn retire(&mut self, simulation: &mut Simulation, id: ObjectId) {
        let Some(object) = self.objects.get_mut(&id) else {
            return;
        };
        self.discovery.known.remove(&key_of(object.node));
        self.discovery.deaf.remove(&id);
        self.carries.remove(&id);
        if let ObjectState::Live(live) = std::mem::replace(&mut object.state, ObjectState::Gone) {
            for held in live.held {
                simulation.remove(held);
                self.pieces.forget_body(held);
            }
            for collider in live.colliders {
                self.surroundings.let_in(collider);
            }
        }
        self.drop_if_empty(id);
    }

    /// Lets go of an object that has neither a node nor a piece.
    pub(crate) fn drop_if_empty(&mut self, id: ObjectId) {
        let gone = self
            .objects
            .get(&id)
            .is_some_and(|o| matches!(o.state, ObjectState::Gone));
        if gone && !self.pieces.has_any_of(id) {
            self.objects.remove(&id);
        }
    }
}
