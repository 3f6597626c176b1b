//! Pushes that break nothing.

use super::{orders::Target, Destruction};
use crate::{bodies::mass_of, frames::vec3, swap};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody, Scene},
};

impl Destruction {
    /// Pushes the first thing on a ray along it, now, whatever its toughness: a free piece, an object
    /// or any other body that the engine's physics moves. `impulse` is in N s; what is light gets less
    /// of it, so that its speed changes by no more than `speed`, m/s. Returns the node that was pushed;
    /// nothing when what the ray meets does not move.
    pub fn push(
        &mut self,
        scene: &mut Scene,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
        [impulse, speed]: [f32; 2],
    ) -> Option<Handle<Node>> {
        let direction = direction.try_normalize(f32::EPSILON)?;
        if !(impulse.is_finite() && speed >= 0.0) {
            return None;
        }
        let push = |mass: f32| direction * impulse.min(mass * speed);
        let hit = self.cast_ray(origin, direction, max_distance)?;
        let point = Vector3::from(hit.point.to_array());
        match self.struck_by(&hit) {
            Some((Target::Piece(body), node)) => {
                let simulation = self.simulation.as_mut()?;
                let pushed = simulation.push(body, hit.point, |mass| vec3(push(mass)));
                pushed.then_some(node)
            }
            Some((Target::Object(id), node)) => {
                let live = self.objects.get(&id)?.live()?;
                let free = live.dynamic && !live.broken;
                free.then(|| push_body(&mut scene.graph, live.body, point, push))?;
                Some(node)
            }
            _ => {
                let node = self.ray(origin, direction, max_distance)?.node;
                scene.graph.try_get_of_type::<RigidBody>(node).ok()?;
                push_body(&mut scene.graph, node, point, push);
                Some(node)
            }
        }
    }
}

fn push_body(
    graph: &mut Graph,
    body: Handle<Node>,
    point: Vector3<f32>,
    push: impl Fn(f32) -> Vector3<f32>,
) {
    let mass = mass_of(graph, body).unwrap_or(0.0);
    swap::push(graph, body, point, push(mass));
}
