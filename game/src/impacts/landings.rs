//! Large intact objects that the engine moves, told to the simulation for when they land.

use crate::{
    fault::FaultLog,
    impacts::{ccd_impacts::BodyTracker, contact::collider_pose, scene_bodies::SceneBodies},
    mirror::{
        engine_bodies::{body_motion, dynamic_mass},
        transforms::vec3,
    },
    object::LiveObject,
};
use fracture_simulation::{
    geometry::glam::Vec3, BodyRef, LandingContact, LandingContacts, LandingStep, Motion, Simulation,
};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        collider::Collider,
        graph::{physics::ContactPair, Graph},
        node::Node,
        rigidbody::RigidBody,
    },
};
use std::collections::BTreeMap;

/// Tells how objects that may tear where they land have moved in a step of `dt` seconds. To be told before the tracker
/// looks for impacts of that step.
pub(super) fn tell_landings(
    graph: &Graph,
    simulation: &mut Simulation,
    bodies: &SceneBodies,
    tracker: &BodyTracker,
    faults: &mut FaultLog,
    dt: f32,
) {
    for object in bodies.objects.values() {
        let live = object.live().filter(|live| live.dynamic && !live.broken);
        let Some(live) = live else {
            continue; // the common case
        };
        let Some(before) = tracker.motion_before(live.body) else {
            continue; // it is new
        };
        let now = body_motion(graph, live.body);
        if is_asleep(&before, &now) || !simulation.feels_landings(live.root) {
            continue;
        }
        let Some(step) = landing_step(graph, live, [before, now], dt) else {
            continue;
        };
        let contacts = || landing_contacts(graph, bodies, live);
        if let Err(error) = simulation.add_landing_step(step, contacts) {
            faults.report(&object.name, error);
        }
    }
}

/// Whether a body has slept through a step, from its motions before and after: the engine stops what falls asleep.
fn is_asleep(before: &Motion, after: &Motion) -> bool {
    [before, after]
        .iter()
        .all(|motion| motion.linear == Vec3::ZERO && motion.angular == Vec3::ZERO)
}

/// How an object has moved in a step, from its motions before and after.
fn landing_step(
    graph: &Graph,
    live: &LiveObject,
    [before, now]: [Motion; 2],
    dt: f32,
) -> Option<LandingStep> {
    let node = graph.try_get_of_type::<RigidBody>(live.body).ok()?;
    Some(LandingStep {
        body: live.root,
        linear: [before.linear, now.linear],
        spin: before.angular,
        pose: now.pose,
        mass: dynamic_mass(graph, live.body)?,
        gravity: vec3(*graph.physics.gravity) * node.gravity_scale(),
        dt,
    })
}

/// The contacts of an object in the last step.
fn landing_contacts(graph: &Graph, bodies: &SceneBodies, live: &LiveObject) -> LandingContacts {
    let mut by_other: BTreeMap<BodyRef, Vec<LandingContact>> = BTreeMap::new();
    for own in &live.colliders {
        let Ok(collider) = graph.try_get_of_type::<Collider>(*own) else {
            continue;
        };
        for pair in collider.active_contacts(&graph.physics) {
            let other = pair.other(own.transmute()).to_base::<Node>();
            if let Ok(other) = graph.try_get_node(other) {
                let by = bodies.objects.body_ref(other.parent());
                add_contacts(graph, *own, &pair, by_other.entry(by).or_default());
            }
        }
    }
    LandingContacts {
        contacts: by_other.into_iter().collect(),
        iterations: graph.physics.integration_parameters.num_solver_iterations,
    }
}

/// Adds the contacts of a pair of colliders.
fn add_contacts(
    graph: &Graph,
    own: Handle<Node>,
    pair: &ContactPair,
    contacts: &mut Vec<LandingContact>,
) {
    let Some(pose) = collider_pose(graph, own) else {
        return;
    };
    let is_first = pair.collider1.to_base::<Node>() == own;
    for manifold in &pair.manifolds {
        let face = contacts.last().map_or(0, |last| last.face + 1);
        // The engine's normals point from the first collider to the second.
        let normal = vec3(manifold.normal) * if is_first { -1.0 } else { 1.0 };
        contacts.extend(manifold.points.iter().map(|point| {
            let local = if is_first {
                point.local_p1
            } else {
                point.local_p2
            };
            LandingContact {
                face,
                place: pose.transform_point(vec3(local)).as_dvec3(),
                normal: normal.as_dvec3(),
                impulse: f64::from(point.impulse),
            }
        }));
    }
}
