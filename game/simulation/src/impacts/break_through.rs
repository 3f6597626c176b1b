//! The loss of a striker that breaks through a body: the body is thinner there than the break is deep.

use std::f32::consts::PI;

use glam::Vec3;
use hecs::World;

use super::impact::Impact;
use super::striker::BodySize;
use crate::pieces::components::Breakable;
use crate::types::Motion;

/// The loss of a striker that breaks through a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreakThrough {
    /// Energy that the break takes, J.
    pub energy: f32,
    /// Mass that the striker pushes along, kg: that of the cone of the body's material before it.
    pub pushed_mass: f32,
    /// Mean radius of that cone, metres.
    pub pushed_radius: f32,
}

/// The loss of the striker of an impact, if the impact breaks its body; `None` for one that is stopped, or if the
/// body's shape has not been prepared.
///
/// A break of radius `r` takes the energy `r^3 / volume_per_energy`, the inverse of the formula for the radius, of
/// a body that fills half a cube of that radius, and a part of it where the body fills a part.
pub(crate) fn break_through(world: &World, impact: &Impact) -> Option<BreakThrough> {
    let entity = world.entity(impact.body.0).ok()?;
    let material = entity.get::<&Breakable>()?.asset.material;
    let size = BodySize::of_body(entity)?;
    let pose = entity.get::<&Motion>()?.pose;
    let direction = impact.impulse.try_normalize().unwrap_or(-impact.normal);
    let depth = size.depth(
        pose.inverse_transform_point(impact.point),
        pose.rotation.inverse() * direction,
    );
    let radius = impact.break_radius(&material).metres as f32;
    if depth >= radius {
        return None;
    }
    let striker_radius = impact.load().striker_radius()?;
    let broken = size.volume_around(radius);
    let pushed = cone_volume(striker_radius, depth).min(broken);
    Some(BreakThrough {
        energy: (broken / 4.0).min(radius.powi(3)) / material.volume_per_energy,
        pushed_mass: pushed * material.density,
        pushed_radius: striker_radius + 0.5 * depth,
    })
}

/// Volume of the cone that something of a radius punches out of a plate of a thickness, m^3: it widens by half a right
/// angle, as in punching shear.
fn cone_volume(front: f32, thickness: f32) -> f32 {
    let back = front + thickness;
    PI / 3.0 * thickness * (front * front + front * back + back * back)
}

impl BodySize {
    /// Length of the body's material from a point along a direction, metres: that of its box, filled as the whole
    /// box is.
    fn depth(&self, point: Vec3, direction: Vec3) -> f32 {
        let far = Vec3::select(direction.cmpgt(Vec3::ZERO), self.bounds[1], self.bounds[0]);
        let ways = (far - point) / direction;
        let ways = Vec3::select(direction.cmpeq(Vec3::ZERO), Vec3::INFINITY, ways);
        let box_volume = self.extents().element_product();
        ways.min_element().max(0.0) * (self.volume / box_volume).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLAB: BodySize = BodySize {
        volume: 1.2,
        bounds: [Vec3::new(-2.0, 0.0, -0.1), Vec3::new(2.0, 3.0, 0.1)],
    };

    #[test]
    fn the_depth_is_that_of_the_box_along_the_direction() {
        let front = Vec3::new(0.5, 1.0, 0.1);
        for (direction, depth) in [
            (Vec3::NEG_Z, 0.2 / 2.0),
            (Vec3::new(0.6, 0.0, -0.8), 0.25 / 2.0),
            (Vec3::new(1.0, 0.0, 0.0), 1.5 / 2.0),
            (Vec3::Z, 0.0),
        ] {
            let found = SLAB.depth(front, direction);
            assert!((found - depth).abs() < 1e-6, "{direction}: {found} m");
        }
    }
}
