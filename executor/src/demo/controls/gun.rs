//! Aims balls at what the cursor points to.

use crate::scenario::{Action, Point};
use fyrox::{
    core::{
        algebra::{Point3, Vector2, Vector3},
        math::ray::Ray,
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        camera::Camera, collider::InteractionGroups, graph::physics::RayCastOptions, node::Node,
        Scene,
    },
};

/// Speed of a ball, m/s.
const SPEED: f32 = 40.0;
/// How far away a target can be, metres.
const REACH: f32 = 200.0;
/// The ball starts this far from the camera, so that it does not fill the picture.
const MUZZLE: f32 = 0.4;

/// The gun.
#[derive(Default, Debug)]
pub struct Gun {
    cursor: Vector2<f32>,
}

impl Gun {
    /// Makes a gun that points at a place in the picture, pixels.
    pub fn at(cursor: Vector2<f32>) -> Self {
        Self { cursor }
    }

    /// Returns the throw of a ball that hits the point under the cursor, allowing for gravity.
    pub fn shoot(
        &self,
        scene: &Scene,
        camera: Handle<Node>,
        screen: Vector2<f32>,
    ) -> Option<Action> {
        let ray = self.ray(scene, camera, screen)?;
        let toward = ray
            .dir
            .try_normalize(f32::EPSILON)
            .unwrap_or_else(Vector3::z);
        let from = ray.origin + toward * MUZZLE;
        let target = hit(scene, ray).unwrap_or(from + toward * REACH * 0.25);
        let velocity = aim(from, target, *scene.graph.physics.gravity);
        Some(Action::shot(Point(from), Point(velocity)))
    }

    /// The ray through the cursor.
    pub fn ray(&self, scene: &Scene, camera: Handle<Node>, screen: Vector2<f32>) -> Option<Ray> {
        let camera = scene.graph.try_get(camera).ok()?.cast::<Camera>()?;
        Some(camera.make_ray(self.cursor, screen))
    }
}

/// Returns the first hit of a ray.
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

/// Returns the velocity of a ball through the target: straight at it, plus half of the speed that
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
