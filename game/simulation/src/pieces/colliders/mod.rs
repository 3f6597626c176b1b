//! Collision shapes of pieces, built on the worker.

mod build;
mod hull_shape;
mod remainder;
mod sheet;

use std::fmt;
use std::iter::once;
use std::sync::Arc;

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::geometry::{Aabb, SharedShape};
use rapier3d::prelude::BoundingVolume;

pub(super) use build::{
    collapsed_collider, convex_collider, hulls_collider, outermost_collider, provisional_collider,
    static_collider,
};
pub(crate) use build::{debris_collider, BuiltCollider, HullCount};
pub(super) use hull_shape::convex_shape;
pub(crate) use remainder::RemainderCollider;
pub(super) use sheet::thickened;

/// Collision shapes of a piece, body space. A free piece has one; a large anchored piece has the triangle
/// meshes of its chunks, so that those that no break comes near are reused.
#[derive(Clone)]
pub struct Colliders {
    first: SharedShape,
    others: Arc<[SharedShape]>,
    /// The bounding box of all, computed where they are made: mostly on the worker.
    bounds: Aabb,
}

impl Colliders {
    /// Colliders of the given shapes; `None` when there are none.
    pub(crate) fn new(shapes: impl IntoIterator<Item = SharedShape>) -> Option<Self> {
        let mut shapes = shapes.into_iter();
        let first = shapes.next()?;
        let others: Arc<[SharedShape]> = shapes.collect();
        let boxes = others.iter().map(|shape| shape.compute_local_aabb());
        let bounds = boxes.fold(first.compute_local_aabb(), |all, one| all.merged(&one));
        Some(Self {
            first,
            others,
            bounds,
        })
    }

    /// The first shape, as a rule the only one.
    pub fn first(&self) -> &SharedShape {
        &self.first
    }

    /// All shapes.
    pub fn shapes(&self) -> impl Iterator<Item = &SharedShape> {
        once(&self.first).chain(&*self.others)
    }

    /// The bounding box of all shapes.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}

impl From<SharedShape> for Colliders {
    fn from(first: SharedShape) -> Self {
        Self {
            bounds: first.compute_local_aabb(),
            first,
            others: Arc::default(),
        }
    }
}

impl fmt::Debug for Colliders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.shapes().map(|shape| shape.shape_type());
        f.debug_list().entries(types).finish()
    }
}

/// The bounding box of a mesh, as lowest and highest corner; inverted for a mesh without vertices.
pub(crate) fn mesh_bounds(mesh: &Mesh) -> [Vec3; 2] {
    let points = mesh.positions.iter().map(|p| Vec3::from_array(*p));
    points.fold([Vec3::MAX, Vec3::MIN], |[low, high], p| {
        [low.min(p), high.max(p)]
    })
}
