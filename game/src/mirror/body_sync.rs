//! Synchronises motions between the engine's bodies and the simulation, both ways.

use crate::{
    mirror::{engine_bodies::body_motion, Mirror},
    object::{discovery::Discovery, Object, Objects},
    swap::{self, pieces::PieceStore},
};
use fracture_simulation::{BodyRef, Motion, Pose, Simulation};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody},
};

/// A sleeping body is left asleep when it is moved by less than this, metres...
const MIN_WAKING_DISTANCE: f32 = 1e-4;
/// ... and made slower than this, m/s.
const MIN_WAKING_SPEED: f32 = 0.02;

impl Mirror {
    /// Gives the simulation the motions of the engine's bodies.
    pub fn sync_in(
        &mut self,
        graph: &Graph,
        simulation: &mut Simulation,
        discovery: &Discovery,
        objects: &mut Objects,
        pieces: &mut PieceStore,
    ) {
        self.colliders.update(simulation, graph);
        self.joints.update_motions(simulation, graph);
        for live in objects.values_mut().filter_map(Object::live_mut) {
            // A static body is moved by hand only; that is noticed when the patrol passes.
            if live.held.is_empty() || !(live.movable || discovery.is_on_patrol(live.body)) {
                continue;
            }
            let motion = body_motion(graph, live.body);
            if motion == live.motion {
                continue;
            }
            live.motion = motion;
            for held in &live.held {
                // Refused when not finite, or when the body has broken in this step: the next frame
                // sends it again.
                let _ = simulation.set_motion(*held, motion);
                pieces.set_pose(*held, motion.pose);
            }
        }
    }

    /// Gives the engine's bodies the motions that debris has corrected in a frame of `dt` seconds. `early` says that
    /// the step began before this frame: changes that the game has made to a body since are kept. Bodies whose step
    /// is not finished wait.
    pub fn sync_out(
        &mut self,
        graph: &mut Graph,
        simulation: &Simulation,
        objects: &mut Objects,
        pieces: &PieceStore,
        step: OwnStep,
    ) {
        if !simulation.waiting_bodies().is_empty() {
            for body in simulation.waiting_bodies() {
                if let Some((node, _)) = self.engine_body(objects, pieces, *body) {
                    self.waiting.hold(graph, *body, node, step.dt);
                }
            }
            return;
        }
        for (node, motion) in self.waiting.take(graph, step.dt) {
            // Debris may correct that, below.
            swap::set_motion(graph, node, &motion);
        }
        for (body, corrected) in simulation.corrected_motions() {
            let Some((node, last)) = self.engine_body(objects, pieces, body) else {
                continue;
            };
            let motion = if step.early {
                with_change(&corrected, last, &body_motion(graph, node))
            } else {
                corrected
            };
            *last = motion;
            if !stays_asleep(graph, node, &motion) {
                swap::set_motion(graph, node, &motion);
            }
        }
    }

    /// The rigid body node of a body that the engine moves, and the motion that the simulation has been given last.
    fn engine_body<'a>(
        &'a mut self,
        objects: &'a mut Objects,
        pieces: &PieceStore,
        body: BodyRef,
    ) -> Option<(Handle<Node>, &'a mut Motion)> {
        match body {
            BodyRef::External(key) => self.colliders.bodies.motion_mut(key),
            BodyRef::Breakable(body) => {
                let object = pieces.object_of(body).or_else(|| objects.of_root(body));
                let live = object.and_then(|id| objects.live_mut(id));
                live.filter(|live| live.held.contains(&body))
                    .map(|live| (live.body, &mut live.motion))
            }
        }
    }
}

/// The debris step whose results a frame takes.
#[derive(Clone, Copy)]
pub(crate) struct OwnStep {
    /// Whether it was begun before the frame.
    pub early: bool,
    /// Length of the frame, seconds.
    pub dt: f32,
}

/// A motion plus the difference of two others: what a game has done to a body in between. The motion
/// alone when the sum is not finite.
fn with_change(motion: &Motion, from: &Motion, to: &Motion) -> Motion {
    if from == to {
        return *motion;
    }
    let rotation = to.pose.rotation * from.pose.rotation.inverse();
    let translation = to.pose.translation - from.pose.translation;
    let changed = Motion {
        pose: Pose::from_parts(
            motion.pose.translation + translation,
            (rotation * motion.pose.rotation).normalize(),
        ),
        linear: motion.linear + to.linear - from.linear,
        angular: motion.angular + to.angular - from.angular,
    };
    let finite = changed.linear.is_finite() && changed.angular.is_finite();
    if finite && changed.pose.is_finite() {
        changed
    } else {
        *motion
    }
}

/// Whether a body sleeps where the motion puts it.
fn stays_asleep(graph: &Graph, body: Handle<Node>, motion: &Motion) -> bool {
    let asleep = graph
        .try_get_of_type::<RigidBody>(body)
        .is_ok_and(|body| body.is_sleeping());
    let way = || body_motion(graph, body).pose.translation - motion.pose.translation;
    asleep && motion.linear.length() < MIN_WAKING_SPEED && way().length() < MIN_WAKING_DISTANCE
}
