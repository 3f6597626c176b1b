//! The engine's joints, mirrored, so that what hangs on one resists debris.

use crate::mirror::{
    engine_bodies::{body_motion, body_type, key_of},
    transforms::{pose, world_matrix},
};
use fracture_simulation::{
    rapier3d, BodyDesc, BodyRef, BodyType, ExternalBody, JointDesc, Motion, Simulation,
};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        math::Matrix4Ext,
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        graph::Graph,
        joint::{Joint as EngineJoint, JointParams},
        node::Node,
        rigidbody::RigidBodyType,
    },
};
use rapier3d::dynamics::{GenericJoint, GenericJointBuilder, JointAxesMask, JointAxis};
use std::{collections::BTreeMap, ops::Range};

/// The mirrored joints of a scene.
#[derive(Default)]
pub(crate) struct MirroredJoints {
    known: BTreeMap<u64, MirroredJoint>,
    /// Stand-ins for bodies that joints hang on and physics does not move, with where they were.
    hooks: BTreeMap<u64, (Handle<Node>, Motion)>,
}

struct MirroredJoint {
    bodies: [Handle<Node>; 2],
    params: JointParams,
    ends: [BodyRef; 2],
}

impl MirroredJoints {
    /// Mirrors a joint node, or mirrors it anew when it has changed. Other nodes are ignored.
    /// `owner` tells what a rigid body is in the simulation.
    ///
    /// The engine keeps to itself where it has tied the bodies together. It does so when it first
    /// sees the joint, and so do we.
    pub fn consider(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        node: Handle<Node>,
        owner: impl Fn(Handle<Node>) -> BodyRef,
    ) {
        let Ok(joint) = graph.try_get_of_type::<EngineJoint>(node) else {
            return;
        };
        let bodies = [joint.body1().to_base(), joint.body2().to_base()];
        let kinds = bodies.map(|body| body_type(graph, body));
        if !joint.is_globally_enabled() || kinds.contains(&None) {
            return self.forget(simulation, node);
        }
        let params = joint.params().clone();
        let ends = bodies.map(owner);
        let same = |k: &MirroredJoint| k.bodies == bodies && k.params == params && k.ends == ends;
        if self.known.get(&key_of(node)).is_some_and(same) {
            return;
        }
        for ((body, kind), end) in bodies.into_iter().zip(kinds).zip(ends) {
            let own = matches!(end, BodyRef::External(_));
            if kind != Some(RigidBodyType::Dynamic) && own {
                self.add_hook(simulation, graph, body);
            }
        }
        let mirrored = JointDesc {
            bodies: ends,
            joint: mirrored(graph, joint, bodies),
        };
        simulation.set_joint(key_of(node), mirrored);
        let known = MirroredJoint {
            bodies,
            params,
            ends,
        };
        self.known.insert(key_of(node), known);
    }

    /// Stops mirroring a joint, or a body that joints hang on.
    pub fn forget(&mut self, simulation: &mut Simulation, node: Handle<Node>) {
        if self.known.remove(&key_of(node)).is_some() {
            simulation.remove_joint(key_of(node));
        }
        if self.hooks.remove(&key_of(node)).is_some() {
            simulation.remove_external_body(key_of(node));
        }
    }

    /// Follows what joints hang on.
    pub fn follow(&mut self, simulation: &mut Simulation, graph: &Graph) {
        for (key, (body, motion)) in &mut self.hooks {
            let now = body_motion(graph, *body);
            if now != *motion {
                *motion = now;
                simulation.set_external_motion(*key, now);
            }
        }
    }

    fn add_hook(&mut self, simulation: &mut Simulation, graph: &Graph, body: Handle<Node>) {
        let motion = body_motion(graph, body);
        let desc = BodyDesc {
            colliders: Vec::new(),
            body_type: BodyType::Kinematic,
        };
        let external = ExternalBody { desc, motion };
        if simulation.set_external_body(key_of(body), external).is_ok() {
            self.hooks.insert(key_of(body), (body, motion));
        }
    }
}

fn mirrored(graph: &Graph, joint: &EngineJoint, bodies: [Handle<Node>; 2]) -> GenericJoint {
    let (axes, limits) = degrees_of_freedom(joint.params());
    let world = world_matrix(graph, joint.handle());
    let position = Vector3::new(world[12], world[13], world[14]);
    let rotation = UnitQuaternion::from_matrix(&world.basis());
    let place = pose(&position, &rotation);
    let [first, second] = bodies.map(|body| body_motion(graph, body).pose.inverse() * place);
    let mut mirrored = GenericJointBuilder::new(axes)
        .local_frame1(first)
        .local_frame2(second)
        .contacts_enabled(joint.is_contacts_enabled())
        .build();
    for (axis, range) in limits {
        mirrored.set_limits(axis, [range.start, range.end]);
    }
    mirrored
}

/// The locked axes of a joint, and the limits along the others.
fn degrees_of_freedom(params: &JointParams) -> (JointAxesMask, Vec<(JointAxis, Range<f32>)>) {
    let limit = |enabled: bool, axis: JointAxis, range: &Range<f32>| {
        (enabled && range.start.is_finite() && range.end.is_finite()).then(|| (axis, range.clone()))
    };
    match params {
        JointParams::BallJoint(ball) => {
            let x = limit(
                ball.x_limits_enabled,
                JointAxis::AngX,
                &ball.x_limits_angles,
            );
            let y = limit(
                ball.y_limits_enabled,
                JointAxis::AngY,
                &ball.y_limits_angles,
            );
            let z = limit(
                ball.z_limits_enabled,
                JointAxis::AngZ,
                &ball.z_limits_angles,
            );
            let limits = [x, y, z].into_iter().flatten().collect();
            (JointAxesMask::LOCKED_SPHERICAL_AXES, limits)
        }
        JointParams::FixedJoint(_) => (JointAxesMask::LOCKED_FIXED_AXES, Vec::new()),
        JointParams::PrismaticJoint(slide) => {
            let limit = limit(slide.limits_enabled, JointAxis::LinX, &slide.limits);
            (
                JointAxesMask::LOCKED_PRISMATIC_AXES,
                limit.into_iter().collect(),
            )
        }
        JointParams::RevoluteJoint(hinge) => {
            let limit = limit(hinge.limits_enabled, JointAxis::AngX, &hinge.limits);
            (
                JointAxesMask::LOCKED_REVOLUTE_AXES,
                limit.into_iter().collect(),
            )
        }
    }
}
