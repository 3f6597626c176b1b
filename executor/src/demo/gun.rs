//! Shoots balls at what the cursor points to.

use crate::ball;
use fyrox::{
    core::{
        algebra::{Point3, Vector2, Vector3},
        math::ray::Ray,
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        camera::Camera, collider::InteractionGroups, graph::physics::RayCastOptions, node::Node,
        rigidbody::RigidBody, Scene,
    },
};
use std::collections::VecDeque;

/// Metres.
const RADIUS: f32 = 0.12;
/// Kilograms.
const MASS: f32 = 20.0;
/// Metres per second.
const SPEED: f32 = 40.0;
/// How far away a target can be, metres.
const REACH: f32 = 200.0;
/// The ball starts this far from the camera, so that it does not fill the picture.
const MUZZLE: f32 = 0.4;
/// Older balls are taken away.
const MOST_BALLS: usize = 40;

/// The gun, and the balls it has shot.
#[derive(Default, Debug)]
pub struct Gun {
    cursor: Vector2<f32>,
    balls: VecDeque<Handle<RigidBody>>,
    shots: usize,
}

impl Gun {
    /// The cursor is here now, pixels.
    pub fn aim(&mut self, cursor: Vector2<f32>) {
        self.cursor = cursor;
    }

    /// Shoots a ball so that it meets what is under the cursor, its fall allowed for.
    pub fn shoot(&mut self, scene: &mut Scene, camera: Handle<Node>, screen: Vector2<f32>) {
        let Some(ray) = self.ray(scene, camera, screen) else {
            return;
        };
        let toward = ray
            .dir
            .try_normalize(f32::EPSILON)
            .unwrap_or_else(Vector3::z);
        let from = ray.origin + toward * MUZZLE;
        let target = hit(scene, ray).unwrap_or(from + toward * REACH * 0.25);
        self.shots += 1;
        let name = format!("ball {}", self.shots);
        let velocity = aim(from, target, *scene.graph.physics.gravity);
        self.balls
            .push_back(ball::throw(scene, &name, RADIUS, MASS, from, velocity));
    }

    /// The point under the cursor, if there is anything.
    pub fn target(
        &self,
        scene: &Scene,
        camera: Handle<Node>,
        screen: Vector2<f32>,
    ) -> Option<Vector3<f32>> {
        hit(scene, self.ray(scene, camera, screen)?)
    }

    /// Takes away the oldest balls, and those that fell out of the world.
    pub fn tidy(&mut self, scene: &mut Scene) {
        let lost = |ball: &Handle<RigidBody>| {
            let place = scene
                .graph
                .try_get(*ball)
                .map(|body| body.global_position());
            place.is_ok_and(|place| place.y < -50.0)
        };
        let surplus = self.balls.len().saturating_sub(MOST_BALLS);
        let mut gone: Vec<_> = self.balls.drain(..surplus).collect();
        gone.extend(self.balls.iter().copied().filter(lost));
        self.balls.retain(|ball| !gone.contains(ball));
        for ball in gone {
            if scene.graph.is_valid_handle(ball) {
                scene.graph.remove_node(ball);
            }
        }
    }

    fn ray(&self, scene: &Scene, camera: Handle<Node>, screen: Vector2<f32>) -> Option<Ray> {
        let camera = scene.graph.try_get(camera).ok()?.cast::<Camera>()?;
        Some(camera.make_ray(self.cursor, screen))
    }
}

/// The first thing on the ray's way.
fn hit(scene: &Scene, ray: Ray) -> Option<Vector3<f32>> {
    let mut hits = Vec::new();
    scene.graph.physics.cast_ray(
        RayCastOptions {
            ray_origin: Point3::from(ray.origin),
            ray_direction: ray.dir.try_normalize(f32::EPSILON)?,
            max_len: REACH,
            groups: InteractionGroups::default(),
            sort_results: true,
        },
        &mut hits,
    );
    hits.first().map(|hit| hit.position.coords)
}

/// The velocity of a ball that passes through the target: straight at it, plus half of what
/// gravity adds on the way.
fn aim(from: Vector3<f32>, target: Vector3<f32>, gravity: Vector3<f32>) -> Vector3<f32> {
    let way = target - from;
    let time = (way.norm() / SPEED).max(1e-3);
    way / time - gravity * (0.5 * time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_meets_its_target() {
        let (from, target) = (Vector3::new(0.0, 1.7, 8.0), Vector3::new(2.0, 1.0, -9.0));
        let gravity = Vector3::new(0.0, -9.81, 0.0);
        let (mut at, mut velocity) = (from, aim(from, target, gravity));
        let (step, mut nearest) = (1e-3, f32::MAX);
        for _ in 0..2000 {
            at += velocity * step + gravity * (0.5 * step * step);
            velocity += gravity * step;
            nearest = nearest.min((at - target).norm());
        }
        assert!(nearest < 0.05, "missed by {nearest} m");
    }
}
