//! Mechanical energy of a scene, for tests: only impacts and what moves by itself may raise it.

use crate::{
    mirror::{
        engine_bodies::{body_motion, mass_properties},
        transforms::vec3,
    },
    object::Objects,
};
use fracture_simulation::Simulation;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody},
};

/// The kinetic and potential energy of all objects, their pieces and the dynamic bodies of the engine, J.
pub(crate) fn mechanical_energy(
    objects: &Objects,
    simulation: Option<&Simulation>,
    graph: &Graph,
) -> f64 {
    let bodies = graph.pair_iter().map(|(body, _)| body);
    let others = bodies.filter(|body| objects.of_engine_body(*body).is_none());
    let of_engine: f64 = others.filter_map(|body| energy_of(graph, body)).sum();
    of_engine + simulation.map_or(0.0, Simulation::mechanical_energy)
}

/// The energy of a dynamic rigid body, J; `None` for any other node.
fn energy_of(graph: &Graph, body: Handle<Node>) -> Option<f64> {
    let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
    let mass = mass_properties(graph, body).filter(|_| node.is_globally_enabled())?;
    let motion = body_motion(graph, body);
    let frame = motion.pose.rotation * mass.principal_inertia_local_frame;
    let spin = frame.inverse() * motion.angular;
    let center = motion.pose.transform_point(mass.local_com);
    let height = -vec3(*graph.physics.gravity).dot(center);
    let linear = mass.mass() * (0.5 * motion.linear.length_squared() + height);
    let turning = 0.5 * spin.dot(mass.principal_inertia() * spin);
    Some(f64::from(linear) + f64::from(turning))
}
