//! Inspects the nodes that discovery reports: registers, reloads and retires objects, and mirrors colliders
//! and joints.

use crate::{
    destruction::Destruction,
    mirror::engine_bodies::{contact_properties, groups},
    object::{LiveObject, Object, ObjectId, ObjectState, Objects},
    script::{
        config::DestructibleConfig, debris_settings::DebrisSettings, destructible::Destructible,
    },
    swap::{self, pieces::PieceStore},
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

/// Finds destructibles and colliders that have been added, changed or removed.
///
/// Additions and removals of nodes are seen at once. A script that is added to or taken off a node, and
/// an edited field, are seen when the patrol passes the node.
pub(crate) fn discover(destruction: &mut Destruction, graph: &Graph, simulation: &mut Simulation) {
    let (added, removed) = destruction.discovery.drain_events();
    for node in removed {
        destruction.discovery.set_own(node, false);
        handle_removed(destruction, simulation, graph, node);
    }
    for node in added {
        if graph.is_valid_handle(node) {
            let is_own = swap::is_piece(graph, node);
            destruction.discovery.set_own(node, is_own);
            if !is_own {
                destruction.impacts.first_steps.add(graph, node);
            }
        }
        inspect(destruction, graph, simulation, node);
    }
    for index in destruction.discovery.next_patrol(graph) {
        if !destruction.discovery.is_own(index) {
            inspect(
                destruction,
                graph,
                simulation,
                graph.handle_from_index(index),
            );
        }
    }
}

/// Brings everything that depends on a node up to date.
fn inspect(
    destruction: &mut Destruction,
    graph: &Graph,
    simulation: &mut Simulation,
    handle: Handle<Node>,
) {
    let Ok(node) = graph.try_get_node(handle) else {
        return; // added and removed in one frame
    };
    if let Some(settings) = node.try_get_script::<DebrisSettings>() {
        apply_debris_settings(destruction, simulation, node.name(), settings);
    }
    #[cfg(feature = "effects")]
    destruction
        .effects
        .inspect(handle, node, &mut destruction.faults);
    match (
        node.try_get_script::<Destructible>(),
        destruction.discovery.object_at(handle),
    ) {
        (Some(script), None) => {
            let id = destruction.discovery.register(handle);
            let config = DestructibleConfig::of_node(node, script);
            let object = Object::new(handle, node.name_owned(), config);
            destruction.objects.insert(id, object);
            destruction.discovery.watch_inbox(id, script);
        }
        (Some(script), Some(id)) => {
            destruction.discovery.watch_inbox(id, script);
            if node.try_get_scripts::<Destructible>().nth(1).is_some() {
                if let Some(object) = destruction.objects.get_mut(id) {
                    object.report_once(SEVERAL_SCRIPTS, &mut destruction.faults);
                }
            }
            refresh(destruction, graph, simulation, id, node, script);
        }
        (None, Some(id)) => retire(destruction, simulation, id),
        (None, None) => {}
    }
    mirror(destruction, graph, simulation, node);
}

/// Brings the debris world up to date with a collider or a joint.
fn mirror(destruction: &mut Destruction, graph: &Graph, simulation: &mut Simulation, node: &Node) {
    let handle = node.handle();
    let mirror = &mut destruction.mirror;
    mirror
        .anchor_faults
        .check(graph, handle, &mut destruction.faults);
    if node.cast::<Collider>().is_some() {
        let colliders = &mut destruction.mirror.colliders;
        colliders.mirror_node(simulation, graph, handle);
    } else if node.cast::<Joint>().is_some() {
        let body_ref = |body| destruction.objects.body_ref(body);
        let joints = &mut destruction.mirror.joints;
        joints.mirror_node(simulation, graph, handle, body_ref);
    }
}

/// Replaces the settings by those of a script. They stay in force when the script is removed.
fn apply_debris_settings(
    destruction: &mut Destruction,
    simulation: &mut Simulation,
    name: &str,
    script: &DebrisSettings,
) {
    let (settings, refusals) = script.applied_to(&destruction.settings);
    for refusal in refusals {
        destruction.faults.report_once(name, refusal);
    }
    if settings != destruction.settings {
        let (pieces, triangles) = (settings.max_pieces, settings.max_triangles);
        simulation.set_limits(pieces, triangles, settings.settle_after);
        simulation.set_harmless_groups(settings.harmless_groups);
        destruction.settings = settings;
    }
}

/// Loads an intact object again when its fields, its pattern, its meshes or the type of its body have changed, and a faulty
/// one in case the fault has been mended.
fn refresh(
    destruction: &mut Destruction,
    graph: &Graph,
    simulation: &mut Simulation,
    id: ObjectId,
    node: &Node,
    script: &Destructible,
) {
    let Some(object) = destruction.objects.get_mut(id) else {
        return;
    };
    if object.name != node.name() {
        node.name().clone_into(&mut object.name);
    }
    if let Some(live) = object.live() {
        update_contact(live, &object.config, graph, simulation);
    }
    let config = DestructibleConfig::of_node(node, script);
    if config.is_loading() && object.live().is_some() {
        return; // a file that has changed is being read again
    }
    let changed = config != object.config;
    if changed && object.live().is_some_and(|live| live.broken) {
        object.report_once(CHANGED_TOO_LATE, &mut destruction.faults);
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
        let same = object.live().filter(|live| live.has_read_meshes(graph));
        let damage = same.map(|live| simulation.damaged_spots(live.root));
        let cracks = same.map(|live| simulation.cracks(live.root));
        object.damage.extend(damage.unwrap_or_default());
        object.cracks.extend(cracks.unwrap_or_default());
        if let Some(live) = destruction.objects.unload(id, ObjectState::Waiting) {
            simulation.remove(live.root);
        }
    }
}

/// Gives what may break of an object the friction, the bounce and the collision groups that its collider has now, for the
/// pieces to come.
fn update_contact(
    live: &LiveObject,
    config: &DestructibleConfig,
    graph: &Graph,
    simulation: &mut Simulation,
) {
    let own = live.colliders.iter().take(live.own_colliders).next();
    let Some(collider) = own.filter(|own| graph.is_valid_handle(**own)) else {
        return;
    };
    let (groups, contact) = (
        groups(graph, *collider),
        config.contact(contact_properties(graph, *collider)),
    );
    for body in &live.held {
        // Refused of one that has just broken: its pieces are given it when the patrol passes again.
        let _ = simulation.set_contact(*body, groups, contact);
    }
}

fn handle_removed(
    destruction: &mut Destruction,
    simulation: &mut Simulation,
    graph: &Graph,
    node: Handle<Node>,
) {
    destruction.mirror.colliders.remove(simulation, graph, node);
    destruction.mirror.joints.remove(simulation, node);
    destruction.mirror.colliders.include(node);
    for object in destruction
        .view
        .remove_batch(&mut destruction.pieces, simulation, node)
    {
        drop_if_empty(&mut destruction.objects, &destruction.pieces, object);
    }
    if let Some((body, object)) = destruction.pieces.remove_by_node(node) {
        destruction.view.batches.remove_piece(body);
        destruction.attachments.forget(body);
        simulation.remove(body);
        drop_if_empty(&mut destruction.objects, &destruction.pieces, object);
    }
    let object = destruction.discovery.object_at(node);
    if let Some(id) = object.or_else(|| destruction.objects.of_engine_body(node)) {
        retire(destruction, simulation, id);
    }
}

/// Removes an object whose node or script has been removed. Its debris stays.
fn retire(destruction: &mut Destruction, simulation: &mut Simulation, id: ObjectId) {
    let Some(object) = destruction.objects.get(id) else {
        return;
    };
    destruction.discovery.unregister(object.node, id);
    destruction.impacts.residuals.remove(&id);
    if let Some(live) = destruction.objects.unload(id, ObjectState::Gone) {
        for held in live.held {
            simulation.remove(held);
            destruction.pieces.remove(held);
            destruction.attachments.forget(held);
        }
        for collider in live.colliders {
            destruction.mirror.colliders.include(collider);
        }
    }
    drop_if_empty(&mut destruction.objects, &destruction.pieces, id);
}

/// Drops an object that has neither a node nor a piece.
pub(crate) fn drop_if_empty(objects: &mut Objects, pieces: &PieceStore, id: ObjectId) {
    let object = objects.get(id);
    let gone = object.is_some_and(|object| matches!(object.state, ObjectState::Gone));
    if gone && !pieces.has_any_of(id) {
        objects.remove(id);
    }
}
