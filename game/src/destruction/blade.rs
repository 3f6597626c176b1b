//! A blade that is drawn across what one sees.

use super::{orders::Target, Destruction};
use crate::impact::Impact;
use fyrox::core::algebra::Vector3;

/// Rays from one end of the stroke to the other.
const RAYS: u32 = 160;

impl Destruction {
    /// Cuts everything that is seen from `eye` (m) along a stroke from one direction to another, and
    /// is nearer than `reach`: each object and piece that a fan of rays meets first is cut in two, in
    /// the next update, by the plane of the stroke. Returns how many.
    ///
    /// A stroke of no length, or longer than half a turn, cuts nothing.
    pub fn cut(
        &mut self,
        eye: Vector3<f32>,
        from: Vector3<f32>,
        to: Vector3<f32>,
        reach: f32,
    ) -> usize {
        let unit = |v: Vector3<f32>| v.try_normalize(f32::EPSILON);
        let (Some(from), Some(to)) = (unit(from), unit(to)) else {
            return 0;
        };
        let Some(across) = from.cross(&to).try_normalize(1e-4) else {
            return 0;
        };
        let mut met: Vec<Target> = Vec::new();
        for ray in 0..RAYS {
            let share = ray as f32 / (RAYS - 1) as f32;
            let direction = from + (to - from) * share;
            let Some(hit) = self.cast_ray(eye, direction, reach) else {
                continue;
            };
            let Some((target, _)) = self.struck_by(&hit) else {
                continue;
            };
            let point = Vector3::from(hit.point.to_array());
            if !met.contains(&target) && self.order(target, Impact::blade(point, across)).is_ok() {
                met.push(target);
            }
        }
        met.len()
    }
}
