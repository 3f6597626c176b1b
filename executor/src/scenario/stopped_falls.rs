//! Energy that continuous collision detection (CCD) brings: the engine stops a fast body in front of what is in its way,
//! and yet gives it the speed of the whole fall. The contact takes that speed only in the next step.

use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape},
        graph::Graph,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};
use std::f32::consts::PI;

/// Change of a speed in a step, m/s, besides that by gravity, from which on a body has been struck: a contact takes
/// energy.
const MIN_BLOW: f32 = 1e-3;

/// The balls with continuous collision detection, before a step of the engine.
pub struct StoppedFalls(Vec<Fall>);

struct Fall {
    body: Handle<Node>,
    /// Metres.
    position: Vector3<f32>,
    /// m/s
    velocity: Vector3<f32>,
    /// kg
    mass: f32,
}

impl StoppedFalls {
    /// Looks where the balls are before a step.
    pub fn before_step(graph: &Graph) -> Self {
        let balls = graph.pair_iter().filter_map(|(handle, node)| {
            let body = node.cast::<RigidBody>()?;
            let is_checked = body.is_ccd_enabled() && body.body_type() == RigidBodyType::Dynamic;
            is_checked.then(|| Fall {
                body: handle,
                position: **body.local_transform().position(),
                velocity: body.lin_vel(),
                mass: body.mass() + mass_of_balls(graph, body),
            })
        });
        Self(balls.collect())
    }

    /// The energy that the step of `dt` seconds has brought, J.
    pub fn energy_brought(&self, graph: &Graph, dt: f32) -> f64 {
        let gravity = *graph.physics.gravity;
        let brought = self.0.iter().filter_map(|fall| {
            let body = graph.try_get_of_type::<RigidBody>(fall.body).ok()?;
            let moved = **body.local_transform().position() - fall.position;
            fall.energy_brought(moved, body.lin_vel(), gravity * body.gravity_scale(), dt)
        });
        brought.sum()
    }
}

impl Fall {
    /// The energy by which a body's motion has grown more than its height has fallen, J; `None` if something has struck it.
    fn energy_brought(
        &self,
        moved: Vector3<f32>,
        velocity: Vector3<f32>,
        gravity: Vector3<f32>,
        dt: f32,
    ) -> Option<f64> {
        let is_free = (velocity - self.velocity - gravity * dt).norm() < MIN_BLOW;
        let way = (self.velocity + velocity) * (0.5 * dt);
        let work = self.mass * gravity.dot(&(way - moved));
        is_free.then(|| f64::from(work.max(0.0)))
    }
}

/// The mass of a body's colliders that are balls, kg.
fn mass_of_balls(graph: &Graph, body: &RigidBody) -> f32 {
    let colliders = body.children().iter();
    let colliders = colliders.filter_map(|child| graph.try_get_of_type::<Collider>(*child).ok());
    let masses = colliders.filter_map(|collider| match collider.shape() {
        ColliderShape::Ball(ball) => {
            Some(collider.density()? * 4.0 / 3.0 * PI * ball.radius.powi(3))
        }
        _ => None,
    });
    masses.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_that_is_stopped_in_its_fall_has_got_energy() {
        let (dt, gravity) = (1.0 / 60.0, Vector3::y() * -9.81);
        let fall = Fall {
            body: Handle::NONE,
            position: Vector3::zeros(),
            velocity: Vector3::y() * -8.0,
            mass: 20.0,
        };
        let after = fall.velocity + gravity * dt;
        let way = (fall.velocity + after) * (0.5 * dt);
        let brought = |moved, velocity| fall.energy_brought(moved, velocity, gravity, dt);
        assert_eq!(brought(way, after), Some(0.0));
        let kinetic = 0.5 * fall.mass * (after.norm_squared() - fall.velocity.norm_squared());
        let stopped = brought(Vector3::zeros(), after).unwrap_or_default();
        assert!(
            (stopped - f64::from(kinetic)).abs() < 1e-2 * stopped,
            "{stopped} J"
        );
        // The contact has taken its speed.
        assert_eq!(brought(Vector3::zeros(), Vector3::zeros()), None);
    }
}
