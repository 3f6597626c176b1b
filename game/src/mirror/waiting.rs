//! Bodies of the engine that wait for the debris step which moves them, begun ahead of a frame and not finished.
//!
//! The engine would move them on without the debris in their way, and they would jump back when the step ends. So
//! they stay where they are for the frame, at rest, and get their velocity back together with the step's results.

use crate::{
    mirror::{engine_bodies::body_motion, transforms::vec3},
    swap::set_motion,
};
use fracture_simulation::{BodyRef, Motion};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody},
};
use std::collections::BTreeMap;

/// Change of velocity in a step, in multiples of gravity's, above which a game has caused it.
const MIN_CHANGE: f32 = 1.0;

/// Change of angular velocity in a step above which a game has caused it, rad/s.
const MIN_TURN: f32 = 0.5;

/// Distance in a step above which a game has placed a body that is at rest, metres.
const MIN_DISTANCE: f32 = 0.05;

/// All bodies that wait.
#[derive(Default)]
pub(crate) struct WaitingBodies(BTreeMap<BodyRef, WaitingBody>);

struct WaitingBody {
    node: Handle<Node>,
    /// The motion that it had, with what the game has done to it since.
    motion: Motion,
}

impl WaitingBodies {
    /// Has a body stay where it is for the engine's next step of `dt` seconds.
    pub fn hold(&mut self, graph: &mut Graph, body: BodyRef, node: Handle<Node>, dt: f32) {
        match self.0.get_mut(&body) {
            Some(waiting) => waiting.add_changes(graph, dt),
            None => {
                let own = graph.try_get_of_type::<RigidBody>(node);
                if own.is_ok_and(|own| own.is_sleeping()) {
                    return;
                }
                let motion = body_motion(graph, node);
                self.0.insert(body, WaitingBody { node, motion });
            }
        }
        if let Some(waiting) = self.0.get(&body) {
            waiting.stay(graph, dt);
        }
    }

    /// Ends the wait of all bodies after a frame of `dt` seconds. Returns each with the motion that it has without
    /// debris.
    pub fn take(&mut self, graph: &Graph, dt: f32) -> impl Iterator<Item = (Handle<Node>, Motion)> {
        for waiting in self.0.values_mut() {
            waiting.add_changes(graph, dt);
        }
        let all = std::mem::take(&mut self.0).into_values();
        all.map(|waiting| (waiting.node, waiting.motion))
    }
}

impl WaitingBody {
    /// Places the body so that the engine's next step leaves it there, at rest.
    fn stay(&self, graph: &mut Graph, dt: f32) {
        let own = graph.try_get_of_type::<RigidBody>(self.node);
        let scale = own.map_or(1.0, |own| own.gravity_scale());
        // rapier adds gravity in as many parts as it has iterations, and moves the body after each.
        let iterations = graph.physics.integration_parameters.num_solver_iterations;
        let mean_share = 0.5 + 0.5 / iterations.max(1) as f32;
        let motion = Motion {
            linear: vec3(*graph.physics.gravity) * (-scale * dt * mean_share),
            ..Motion::at(self.motion.pose)
        };
        set_motion(graph, self.node, &motion);
    }

    /// Adds what the game has done to the body while it waited for a frame of `dt` seconds.
    fn add_changes(&mut self, graph: &Graph, dt: f32) {
        let now = body_motion(graph, self.node);
        let way = now.pose.translation - self.motion.pose.translation;
        if way.length() > MIN_DISTANCE {
            self.motion.pose = now.pose;
        }
        if now.linear.length() > MIN_CHANGE * vec3(*graph.physics.gravity).length() * dt {
            self.motion.linear += now.linear;
        }
        if now.angular.length() > MIN_TURN {
            self.motion.angular += now.angular;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyrox::{
        core::algebra::{Vector2, Vector3},
        scene::{
            base::BaseBuilder,
            collider::{ColliderBuilder, ColliderShape},
            rigidbody::RigidBodyBuilder,
            Scene,
        },
    };

    const DT: f32 = 1.0 / 60.0;
    const SPEED: f32 = 38.0;

    /// A scene with a ball that flies, and the ball.
    fn flying() -> (Scene, Handle<Node>) {
        let mut scene = Scene::new();
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::ball(0.1))
            .build(&mut scene.graph);
        let ball = RigidBodyBuilder::new(BaseBuilder::new().with_child(collider))
            .with_lin_vel(Vector3::new(SPEED, 0.0, 0.0))
            .with_ang_vel(Vector3::new(0.0, 2.0, 0.0))
            .build(&mut scene.graph)
            .to_base();
        (0..3).for_each(|_| update(&mut scene));
        (scene, ball)
    }

    fn update(scene: &mut Scene) {
        scene.update(Vector2::new(1.0, 1.0), DT, Default::default());
    }

    /// Lets the ball wait for some frames, in the first of which `game` does something to it. Returns the motions
    /// before and after, and the way that it has gone meanwhile.
    fn wait(frames: usize, game: fn(&mut RigidBody)) -> (Motion, Motion, f32) {
        let (mut scene, ball) = flying();
        let before = body_motion(&scene.graph, ball);
        let mut waiting = WaitingBodies::default();
        let mut way: f32 = 0.0;
        for frame in 0..frames {
            waiting.hold(&mut scene.graph, BodyRef::External(1), ball, DT);
            if frame == 0 {
                game(scene.graph.try_get_mut_of_type(ball).unwrap());
            }
            update(&mut scene);
            let now = body_motion(&scene.graph, ball);
            way = way.max((now.pose.translation - before.pose.translation).length());
        }
        let mut ended = waiting.take(&scene.graph, DT);
        let (node, motion) = ended.next().unwrap();
        assert!(node == ball && ended.next().is_none());
        (before, motion, way)
    }

    #[test]
    fn a_body_that_waits_stays_where_it_is_and_keeps_its_motion() {
        for frames in 1..7 {
            let (before, after, way) = wait(frames, |_| {});
            assert_eq!(before, after);
            assert!(way < 1e-4, "{way} m in {frames} frames");
        }
    }

    #[test]
    fn what_the_game_does_to_a_body_that_waits_is_kept() {
        for frames in 1..7 {
            let (before, after, _) = wait(frames, |body| {
                body.set_lin_vel(body.lin_vel() + Vector3::y() * 2.0);
            });
            let change = after.linear - before.linear;
            assert!(
                (change.y - 2.0).abs() < 0.2 && change.x.abs() < 0.01,
                "{change}"
            );
            let (before, after, _) = wait(frames, |body| {
                body.apply_impulse(Vector3::z() * 50.0);
            });
            assert!(after.linear.z > 1.0 && after.linear.x == before.linear.x);
            let (before, after, _) = wait(frames, |body| {
                let place = Vector3::new(7.0, 8.0, 9.0);
                body.local_transform_mut().set_position(place);
            });
            let [x, y, z] = after.pose.translation.into();
            assert!((x - 7.0).abs().max((y - 8.0).abs()).max((z - 9.0).abs()) < 0.01);
            assert_eq!(before.linear, after.linear);
        }
    }
}
