//! The exchange of motion between the engine's physics and that of debris.

use crate::{
    destruction::Destruction,
    mirror::engine_bodies::{body_motion, key_of},
    object::{LiveObject, Object},
    swap,
};
use fracture_simulation::{BodyId, BodyRef, Motion, Pose, Simulation};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody},
};

/// A sleeping body is not woken for less, metres and metres per second.
const TRIFLE: (f32, f32) = (1e-4, 0.02);

impl Destruction {
    /// Tells the simulation where the engine has moved its bodies.
    pub(crate) fn follow_bodies(&mut self, graph: &Graph, simulation: &mut Simulation) {
        self.surroundings.update(simulation, graph);
        self.joints.follow(simulation, graph);
        for live in self.objects.values_mut().filter_map(Object::live_mut) {
            // What is static may be moved by hand; that is noticed on patrol.
            if live.held.is_empty() || !(live.movable || self.discovery.is_turn_of(live.body)) {
                continue;
            }
            let motion = body_motion(graph, live.body);
            if motion == live.motion {
                continue;
            }
            live.motion = motion;
            for held in &live.held {
                // Refused when not finite, or broken in this very step: then the next frame tells.
                let _ = simulation.set_motion(*held, motion);
                self.pieces.set_pose(*held, motion.pose);
            }
        }
    }

    /// Gives the engine's bodies what debris has done to them. When debris went ahead, with what has been
    /// done to them since.
    pub(crate) fn hand_back(&mut self, graph: &mut Graph, simulation: &Simulation, ahead: bool) {
        for (owner, motion) in simulation.corrected_motions() {
            let known = match owner {
                BodyRef::External(key) => self.surroundings.free.known_mut(key),
                BodyRef::Breakable(body) => {
                    self.live_of(body).map(|live| (live.body, &mut live.motion))
                }
            };
            let Some((body, known)) = known else {
                continue;
            };
            let motion = match ahead {
                true => with_change(&motion, known, &body_motion(graph, body)),
                false => motion,
            };
            *known = motion;
            if !rests(graph, body, &motion) {
                swap::hand_back(graph, body, &motion);
            }
        }
    }

    /// What a rigid body is in the simulation.
    pub(crate) fn owner_of(&self, body: Handle<Node>) -> BodyRef {
        let mut live = self.objects.values().filter_map(Object::live);
        let held = live.find(|live| live.body == body).map(|live| &live.held);
        let held = held.and_then(|held| held.first());
        held.map_or(BodyRef::External(key_of(body)), |body| {
            BodyRef::Breakable(*body)
        })
    }

    fn live_of(&mut self, body: BodyId) -> Option<&mut LiveObject> {
        let mut live = self.objects.values_mut().filter_map(Object::live_mut);
        live.find(|live| live.held.contains(&body))
    }
}

/// A motion with what leads from one to another: a game may have pushed, turned or moved a body. What is not finite is
/// left out.
fn with_change(motion: &Motion, from: &Motion, to: &Motion) -> Motion {
    if from == to {
        return *motion;
    }
    let turn = to.pose.rotation * from.pose.rotation.inverse();
    let way = to.pose.translation - from.pose.translation;
    let changed = Motion {
        pose: Pose::from_parts(
            motion.pose.translation + way,
            (turn * motion.pose.rotation).normalize(),
        ),
        linear: motion.linear + to.linear - from.linear,
        angular: motion.angular + to.angular - from.angular,
    };
    let finite = changed.linear.is_finite() && changed.angular.is_finite();
    match finite && changed.pose.is_finite() {
        true => changed,
        false => *motion,
    }
}

/// Whether a body sleeps where it is to be.
fn rests(graph: &Graph, body: Handle<Node>, motion: &Motion) -> bool {
    let asleep = graph
        .try_get_of_type::<RigidBody>(body)
        .is_ok_and(|body| body.is_sleeping());
    let way = || body_motion(graph, body).pose.translation - motion.pose.translation;
    asleep && motion.linear.length() < TRIFLE.1 && way().length() < TRIFLE.0
}
