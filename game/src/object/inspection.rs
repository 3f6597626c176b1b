//! Inspects the nodes that discovery reports: registers, reloads and retires objects, and mirrors colliders
//! and joints.

use crate::{
    destruction::Destruction,
    object::{config::DestructibleConfig, Object, ObjectId, ObjectState},
    script::{debris_settings::DebrisSettings, destructible::Destructible},
    swap,
};
use fracture_simulation::Simulation;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{collider::Collider, graph::Graph, joint::Joint, node::Node},
};

/// The fault of fields that are edited while the game runs.
pub(super) const CHANGED_TOO_LATE: &str =
    "its fields were changed after it was broken, which has no effect on it; change \
    them before, or restore it (Destruction::restore_intact)";

/// The fault of a node with two scripts.
const SEVERAL_SCRIPTS: &str =
    "its node carries several scripts Destructible, of which only the first counts; \
    remove the others";

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
                if node.try_get_scripts::<Destructible>().nth(1).is_some() {
                    self.report_once(id, SEVERAL_SCRIPTS);
                }
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
            simulation.set_harmless_groups(settings.harmless_groups);
            self.settings = settings;
        }
    }

    /// Loads an intact object again when its fields, its pattern, its meshes or the type of its body have changed, and a faulty
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
        if changed && object.live().is_some_and(|live| live.broken) {
            object.report_once(CHANGED_TOO_LATE, &mut self.faults);
        }
        let reload = match &object.state {
            ObjectState::Live(live) => {
                let is_current = live.has_read_meshes(graph) && live.has_body_type(graph);
                !live.broken && (changed || !is_current)
            }
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

    fn report_once(&mut self, id: ObjectId, fault: &str) {
        if let Some(object) = self.objects.get_mut(id) {
            object.report_once(fault, &mut self.faults);
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
            self.attachments.forget(body);
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
        self.discovery.unregister(object.node, id);
        self.impacts.residuals.remove(&id);
        if let Some(live) = self.objects.unload(id, ObjectState::Gone) {
            for held in live.held {
                simulation.remove(held);
                self.pieces.remove(held);
                self.attachments.forget(held);
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
