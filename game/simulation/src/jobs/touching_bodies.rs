//! Bodies that may touch others, and which are near each other.

use std::sync::Arc;

use hecs::Entity;
use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;
use rapier3d::prelude::BoundingVolume;

use crate::environment::CellOccupancy;
use crate::pieces::components::{Breakable, Intact};
use crate::pieces::{Anchors, Shape};
use crate::simulation::Simulation;
use crate::structure::BodyBonds;
use crate::types::{BodyId, Motion};

/// A body that may touch others.
pub(super) struct TouchingBody {
    pub id: BodyId,
    /// World space, with the gap around it.
    pub bounds: Aabb,
    /// From what it touches, metres; `None` of a body with anchors of its own.
    pub gap: Option<f32>,
    pub pose: Pose,
    pub shape: Arc<Shape>,
    pub is_prepared: bool,
}

/// All bodies that may touch others, sorted along an axis to find those near a box.
pub(super) struct TouchingBodies {
    /// By id.
    list: Vec<TouchingBody>,
    /// The axis along which they stand farthest apart.
    axis: usize,
    /// Their ends along it, by the low ones.
    ends: Vec<Ends>,
}

/// Ends of a body along an axis.
struct Ends {
    low: f32,
    /// The highest one of this body and those before it.
    highest: f32,
    /// The body's index in the list.
    index: usize,
}

impl TouchingBodies {
    /// `None` while an intact one is not prepared.
    pub fn of(simulation: &Simulation) -> Option<Self> {
        type Held<'a> = (
            Entity,
            &'a Breakable,
            &'a Anchors,
            &'a Motion,
            &'a BodyBonds,
            Option<&'a CellOccupancy>,
            Option<&'a Intact>,
        );
        let mut query = simulation.world.query::<Held>();
        let mut found = Vec::new();
        for (entity, breakable, anchors, motion, _, occupancy, intact) in query.iter() {
            let prepared = breakable.shape.reported();
            let local_bounds = match &prepared {
                Some(Ok(solid)) => {
                    let [low, high] = solid.bounds().as_vec3();
                    Aabb::new(low, high)
                }
                // What cannot be prepared cannot break, and touches nothing.
                Some(Err(_)) => continue,
                None if intact.is_some() => return None,
                None => occupancy?.local_bounds(),
            };
            let gap = match anchors {
                Anchors::Touching { gap, .. } => Some(*gap),
                Anchors::Boxes(_) | Anchors::FromBounds(_) => None,
            };
            let bounds = local_bounds.transform_by(&motion.pose);
            found.push(TouchingBody {
                id: BodyId(entity),
                bounds: bounds.loosened(gap.unwrap_or(0.0)),
                gap,
                pose: motion.pose,
                is_prepared: prepared.is_some(),
                shape: breakable.shape.clone(),
            });
        }
        Some(Self::new(found))
    }

    fn new(mut list: Vec<TouchingBody>) -> Self {
        list.sort_unstable_by_key(|body| body.id);
        let all = list.iter().map(|body| body.bounds);
        let all = all.reduce(|all, one| all.merged(&one));
        let axis = all.map_or(0, |all| all.extents().max_position());
        let ends = |(body, index): (&TouchingBody, usize)| Ends {
            low: body.bounds.mins[axis],
            highest: body.bounds.maxs[axis],
            index,
        };
        let mut ends: Vec<Ends> = list.iter().zip(0..).map(ends).collect();
        ends.sort_unstable_by(|one, other| one.low.total_cmp(&other.low));
        let mut highest = f32::NEG_INFINITY;
        for own in &mut ends {
            highest = highest.max(own.highest);
            own.highest = highest;
        }
        Self { list, axis, ends }
    }

    /// All of them, by id.
    pub fn list(&self) -> &[TouchingBody] {
        &self.list
    }

    /// One of them by id.
    pub fn get(&self, body: BodyId) -> Option<&TouchingBody> {
        let found = self.list.binary_search_by_key(&body, |own| own.id);
        self.list.get(found.ok()?)
    }

    /// Those whose boxes intersect a box, by id.
    pub fn intersecting(&self, bounds: &Aabb) -> Vec<&TouchingBody> {
        let [low, high] = [bounds.mins, bounds.maxs].map(|end| end[self.axis]);
        let first = self.ends.partition_point(|own| own.highest < low);
        let near = self.ends.iter().skip(first);
        let near = near.take_while(|own| own.low <= high);
        let near = near.filter_map(|own| self.list.get(own.index));
        let mut found: Vec<&TouchingBody> =
            near.filter(|own| own.bounds.intersects(bounds)).collect();
        found.sort_unstable_by_key(|own| own.id);
        found
    }
}

#[cfg(test)]
mod tests {
    use fracture_geometry::Mesh;
    use glam::Vec3;
    use hecs::World;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    /// Bodies with boxes of a few sizes on a grid, so that many touch, and one that is as long as all.
    fn bodies(random: &mut Pcg64Mcg) -> TouchingBodies {
        let mut world = World::new();
        let shape = Shape::new(Mesh::cuboid([1.0; 3]));
        let mut on_grid =
            |most: i32| Vec3::from_array([(); 3].map(|()| random.random_range(1..most) as f32));
        let mut boxes: Vec<[Vec3; 2]> = (0..60).map(|_| [on_grid(30), on_grid(4)]).collect();
        boxes.push([Vec3::ZERO, Vec3::new(1.0, 1.0, 40.0)]);
        let body = |[low, size]: [Vec3; 2]| TouchingBody {
            id: BodyId(world.spawn(())),
            bounds: Aabb::new(low, low + size),
            gap: None,
            pose: Pose::IDENTITY,
            shape: shape.clone(),
            is_prepared: true,
        };
        TouchingBodies::new(boxes.into_iter().map(body).collect())
    }

    #[test]
    fn those_near_a_box_are_all_that_intersect_it() {
        let mut found = 0;
        for seed in 0..20 {
            let bodies = bodies(&mut Pcg64Mcg::seed_from_u64(seed));
            for own in bodies.list() {
                let near = bodies.intersecting(&own.bounds);
                let near: Vec<BodyId> = near.iter().map(|other| other.id).collect();
                let all = bodies.list().iter();
                let all = all.filter(|other| other.bounds.intersects(&own.bounds));
                let all: Vec<BodyId> = all.map(|other| other.id).collect();
                assert_eq!(near, all, "seed {seed}");
                found += near.len() - 1;
            }
        }
        assert!(found > 100, "{found} neighbors of 1220 bodies");
    }
}
