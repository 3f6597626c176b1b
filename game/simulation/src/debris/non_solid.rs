//! Which colliders have no inside that would push back out what has come into it.

use glam::Vec3;
use rapier3d::geometry::{Aabb, Collider, ColliderHandle, ColliderSet, ShapeType};
use rapier3d::prelude::BoundingVolume;

/// Boxes are wider by this, metres, than their roundings are.
const MARGIN: f32 = 1e-3;

/// Where there are more of them, looking for one takes longer than a ray does.
const MANY: usize = 32;

/// The hollow colliders of a world, and where they are.
#[derive(Default)]
pub(super) struct NonSolidColliders {
    handles: Vec<ColliderHandle>,
    boxes: Vec<Aabb>,
}

impl NonSolidColliders {
    /// Takes note of a collider that has come.
    pub fn note(&mut self, handle: ColliderHandle, collider: Option<&Collider>) {
        self.handles
            .extend(collider.filter(|c| is_hollow(c)).map(|_| handle));
    }

    /// Looks where they are now, and forgets those that have gone.
    pub fn look(&mut self, colliders: &ColliderSet) {
        self.boxes.clear();
        let boxes = &mut self.boxes;
        self.handles.retain(|handle| {
            let collider = colliders.get(*handle);
            boxes.extend(collider.map(|collider| collider.compute_aabb().loosened(MARGIN)));
            collider.is_some()
        });
    }

    /// Whether a way between two points may cross one.
    pub fn may_cross(&self, from: Vec3, to: Vec3) -> bool {
        let way = Aabb::new(from.min(to), from.max(to));
        self.boxes.len() > MANY || self.boxes.iter().any(|bounds| bounds.intersects(&way))
    }
}

/// Whether a collider is a surface alone.
pub(super) fn is_hollow(collider: &Collider) -> bool {
    matches!(
        collider.shape().shape_type(),
        ShapeType::TriMesh | ShapeType::HeightField | ShapeType::Triangle
    )
}
