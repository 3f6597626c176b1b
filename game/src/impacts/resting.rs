//! Bodies of the engine that rest on objects, or hang on them, told to the simulation as loads.

use crate::{
    fault::{FaultLog, MODULE},
    impacts::{contact::Contact, scene_bodies::SceneBodies},
    mirror::{
        engine_bodies::{body_type, node_of},
        transforms::vec3,
    },
    object::Object,
};
use fracture_simulation::{BodyRef, ContactForce, Simulation};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{collider::Collider, graph::Graph, node::Node, rigidbody::RigidBodyType},
};

/// Tells the force of a contact of a held object with a dynamic body, in a step of `dt` seconds, if it matters.
pub(super) fn tell_load(
    graph: &Graph,
    simulation: &mut Simulation,
    bodies: &SceneBodies,
    faults: &mut FaultLog,
    object: &Object,
    contact: &Contact,
    dt: f32,
) {
    let Some(live) = object.live().filter(|live| !live.dynamic) else {
        return;
    };
    let on = bodies.held_at(live, contact.point);
    if !simulation.feels_loads(on) {
        return;
    }
    let Some(other) = body_of(graph, contact.other) else {
        return;
    };
    if body_type(graph, other) != Some(RigidBodyType::Dynamic) {
        return;
    }
    let by = bodies.objects.body_ref(other);
    let force = contact_force(graph, contact, [BodyRef::Breakable(on), by], dt);
    if let Some(Err(error)) = force.map(|force| simulation.add_contact_force(force)) {
        faults.report(&object.name, error);
    }
}

/// Tells the forces on bodies that hang on objects by joints: what carries them does not hang.
pub(super) fn tell_hanging(
    graph: &Graph,
    simulation: &mut Simulation,
    bodies: &SceneBodies,
    faults: &mut FaultLog,
    dt: f32,
) {
    let hanging: Vec<BodyRef> = simulation.hanging_bodies().collect();
    for on in hanging {
        let body = match on {
            BodyRef::External(key) => node_of(key),
            BodyRef::Breakable(root) => {
                let object = bodies.objects.of_root(root);
                let live = object.and_then(|id| bodies.objects.get(id)?.live());
                live.map_or(Handle::NONE, |live| live.body)
            }
        };
        let children = graph
            .try_get_node(body)
            .map_or(&[][..], |own| own.children());
        for child in children {
            let Ok(collider) = graph.try_get_of_type::<Collider>(*child) else {
                continue;
            };
            let pairs = collider.active_contacts(&graph.physics);
            for contact in pairs.filter_map(|pair| Contact::new(graph, &pair, *child)) {
                let by = body_of(graph, contact.other).map(|other| bodies.objects.body_ref(other));
                let force = by.and_then(|by| contact_force(graph, &contact, [on, by], dt));
                if let Some(Err(error)) = force.map(|force| simulation.add_contact_force(force)) {
                    faults.report(MODULE, error);
                }
            }
        }
    }
}

/// The rigid body of a collider.
fn body_of(graph: &Graph, collider: Handle<Node>) -> Option<Handle<Node>> {
    Some(graph.try_get_node(collider).ok()?.parent())
}

/// The force of a contact on the body that it is seen from; `None` where nothing presses.
fn contact_force(
    graph: &Graph,
    contact: &Contact,
    [on, by]: [BodyRef; 2],
    dt: f32,
) -> Option<ContactForce> {
    if dt <= 0.0 || contact.impulse <= 0.0 {
        return None;
    }
    let iterations = graph.physics.integration_parameters.num_solver_iterations;
    let impulse = contact.impulse * ContactForce::share_of_reported(iterations);
    Some(ContactForce {
        on,
        by,
        places: contact.places.map(vec3),
        point: vec3(contact.point),
        force: vec3(-contact.normal * (impulse / dt)),
    })
}
