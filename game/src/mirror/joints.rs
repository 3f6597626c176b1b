//! The engine's joints, mirrored so that a body on a joint resists debris as it does in the engine.

use crate::mirror::{
    engine_bodies::{body_motion, body_type, key_of, node_of},
    transforms::{pose, rotation_of, world_matrix},
};
use fracture_simulation::{
    external::{BodyDesc, BodyType, ExternalBody, JointDesc},
    rapier3d, BodyRef, Motion, Pose, Simulation,
};
use fyrox::{
    core::{algebra::Vector3, math::Matrix4Ext, pool::Handle},
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
    joints: BTreeMap<u64, MirroredJoint>,
    /// Mirrors, without colliders, of static and kinematic bodies that joints are attached to, and the
    /// motion that the simulation has been given last.
    attachments: BTreeMap<u64, (Handle<Node>, Motion)>,
}

/// A joint as it was mirrored, to notice changes.
struct MirroredJoint {
    bodies: [Handle<Node>; 2],
    params: JointParams,
    desc: JointDesc,
}

/// An end of a joint that a rigid body holds.
#[derive(Clone, Debug)]
pub(crate) struct JointEnd {
    /// The joint.
    pub node: Handle<Node>,
    /// 0 for the first body of the joint, 1 for the second.
    pub end: usize,
    /// The frame of this end in the space of the body.
    pub frame: Pose,
    /// The rigid body at this end.
    pub body: Handle<Node>,
    /// The rigid body at the other end.
    pub other: Handle<Node>,
}

impl MirroredJoints {
    /// The ends of joints that a rigid body holds.
    pub fn ends_at(&self, body: Handle<Node>) -> Vec<JointEnd> {
        let end = |(key, joint): (&u64, &MirroredJoint)| {
            let frames = &joint.desc.joint;
            let [first, second] = joint.bodies;
            let (end, frame, other) = match body {
                _ if body == first => (0, frames.local_frame1, second),
                _ if body == second => (1, frames.local_frame2, first),
                _ => return None,
            };
            Some(JointEnd {
                node: node_of(*key),
                end,
                frame,
                body,
                other,
            })
        };
        self.joints.iter().filter_map(end).collect()
    }

    /// Mirrors a joint node, or updates its mirror when it has changed. Other nodes are ignored.
    /// `body_ref` maps a rigid body node to its body in the simulation.
    ///
    /// The engine does not expose the anchor points of a joint. It computes them from the poses of the
    /// bodies when it first sees the joint, and so does this function. They stay when only the bodies of the
    /// simulation change.
    pub fn mirror_node(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        node: Handle<Node>,
        body_ref: impl Fn(Handle<Node>) -> BodyRef,
    ) {
        let Ok(joint_node) = graph.try_get_of_type::<EngineJoint>(node) else {
            return;
        };
        let bodies = [joint_node.body1().to_base(), joint_node.body2().to_base()];
        let kinds = bodies.map(|body| body_type(graph, body));
        if !joint_node.is_globally_enabled() || kinds.contains(&None) {
            return self.remove(simulation, node);
        }
        let params = joint_node.params().clone();
        let ends = bodies.map(body_ref);
        let known = self.joints.get(&key_of(node));
        let known = known.filter(|known| known.bodies == bodies && known.params == params);
        if known.is_some_and(|known| known.desc.bodies == ends) {
            return;
        }
        let joint = known.map(|known| known.desc.joint);
        let joint = joint.unwrap_or_else(|| generic_joint(graph, joint_node, bodies));
        for ((body, kind), end) in bodies.into_iter().zip(kinds).zip(ends) {
            let is_external = matches!(end, BodyRef::External(_));
            if kind != Some(RigidBodyType::Dynamic) && is_external {
                self.add_attachment(simulation, graph, body);
            }
        }
        let desc = JointDesc {
            bodies: ends,
            joint,
        };
        simulation.set_joint(key_of(node), desc);
        let mirrored = MirroredJoint {
            bodies,
            params,
            desc,
        };
        self.joints.insert(key_of(node), mirrored);
    }

    /// Updates the mirrors of the joints of a rigid body, whose body in the simulation has changed.
    pub fn reconnect(
        &mut self,
        simulation: &mut Simulation,
        graph: &Graph,
        body: Handle<Node>,
        body_ref: impl Fn(Handle<Node>) -> BodyRef,
    ) {
        let joints = self.joints.iter();
        let of_body = joints.filter(|(_, joint)| joint.bodies.contains(&body));
        let keys: Vec<u64> = of_body.map(|(key, _)| *key).collect();
        for key in keys {
            self.mirror_node(simulation, graph, node_of(key), &body_ref);
        }
    }

    /// Stops mirroring a joint, or a body that joints are attached to.
    pub fn remove(&mut self, simulation: &mut Simulation, node: Handle<Node>) {
        if self.joints.remove(&key_of(node)).is_some() {
            simulation.remove_joint(key_of(node));
        }
        if self.attachments.remove(&key_of(node)).is_some() {
            simulation.remove_external_body(key_of(node));
        }
    }

    /// Gives the simulation the motions of the bodies that joints are attached to.
    pub fn update_motions(&mut self, simulation: &mut Simulation, graph: &Graph) {
        for (key, (body, motion)) in &mut self.attachments {
            let now = body_motion(graph, *body);
            if now != *motion {
                *motion = now;
                simulation.set_external_motion(*key, now);
            }
        }
    }

    fn add_attachment(&mut self, simulation: &mut Simulation, graph: &Graph, body: Handle<Node>) {
        let motion = body_motion(graph, body);
        let desc = BodyDesc {
            colliders: Vec::new(),
            body_type: BodyType::Kinematic,
        };
        let external = ExternalBody { desc, motion };
        if simulation.set_external_body(key_of(body), external).is_ok() {
            self.attachments.insert(key_of(body), (body, motion));
        }
    }
}

/// A joint as the debris world takes it, with anchor frames from the current poses of its bodies.
fn generic_joint(graph: &Graph, joint: &EngineJoint, bodies: [Handle<Node>; 2]) -> GenericJoint {
    let (axes, limits) = degrees_of_freedom(joint.params());
    let world = world_matrix(graph, joint.handle());
    let position = Vector3::new(world[12], world[13], world[14]);
    let rotation = rotation_of(&world.basis());
    let place = pose(&position, &rotation);
    let [first, second] = bodies.map(|body| body_motion(graph, body).pose.inverse() * place);
    let mut generic = GenericJointBuilder::new(axes)
        .local_frame1(first)
        .local_frame2(second)
        .contacts_enabled(joint.is_contacts_enabled())
        .build();
    for (axis, range) in limits {
        generic.set_limits(axis, [range.start, range.end]);
    }
    generic
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
