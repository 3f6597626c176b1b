//! Anchors: boxes that hold a body to the world, and the test whether a piece touches one.

use std::fmt;
use std::sync::Arc;

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::query;
use rapier3d::parry::shape::{Cuboid, Triangle};

use crate::error::BodyError;

/// An axis-aligned box in body space, `[lowest corner, highest corner]`, that holds what touches it.
pub type Anchor = [Vec3; 2];

/// Makes anchors from a body's bounds (body space).
pub(crate) type FromBounds = Arc<dyn Fn([Vec3; 2]) -> Vec<Anchor> + Send + Sync>;

/// The anchors of a body. An island that touches an anchor stays; fragments always fall.
#[derive(Clone)]
pub enum Anchors {
    /// Boxes; an empty list makes the body free.
    Boxes(Arc<[Anchor]>),
    /// Boxes that follow from the bounds of the intact body, which are known only on the worker.
    /// Pieces inherit the boxes. Such a body counts as anchored.
    FromBounds(FromBounds),
}

impl Default for Anchors {
    fn default() -> Self {
        Self::free()
    }
}

impl Anchors {
    /// No anchors: the body is free.
    pub fn free() -> Self {
        Self::Boxes(Arc::new([]))
    }

    /// The given boxes.
    pub fn boxes(boxes: Vec<Anchor>) -> Self {
        Self::Boxes(boxes.into())
    }

    /// Boxes that a function makes from the body's bounds, on the worker.
    pub fn from_bounds(make: impl Fn([Vec3; 2]) -> Vec<Anchor> + Send + Sync + 'static) -> Self {
        Self::FromBounds(Arc::new(make))
    }

    /// Whether no anchor can hold the body.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Boxes(boxes) if boxes.is_empty())
    }

    /// The boxes for a body with the given bounds.
    pub(crate) fn resolve(&self, bounds: [Vec3; 2]) -> Arc<[Anchor]> {
        match self {
            Self::Boxes(boxes) => boxes.clone(),
            Self::FromBounds(make) => make(bounds).into(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let is_finite = match self {
            Self::Boxes(boxes) => boxes.iter().flatten().all(|corner| corner.is_finite()),
            Self::FromBounds(_) => true,
        };
        if is_finite {
            Ok(())
        } else {
            Err(BodyError::NotFinite { what: "anchor box" })
        }
    }
}

impl fmt::Debug for Anchors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boxes(boxes) => f.debug_tuple("Boxes").field(boxes).finish(),
            Self::FromBounds(_) => f.write_str("FromBounds"),
        }
    }
}

/// Whether any part of a surface touches any of the anchors.
///
/// Vertices decide nearly always and cost little; the triangles are tested only when no vertex lies in
/// the box, as when a small box holds the middle of a large face.
pub(super) fn touches_any(mesh: &Mesh, anchors: &[Anchor]) -> bool {
    anchors.iter().any(|anchor| touches(mesh, anchor))
}

fn touches(mesh: &Mesh, &[a, b]: &Anchor) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    let is_inside = |p: Vec3| p.cmpge(low).all() && p.cmple(high).all();
    if mesh.positions.iter().any(|&p| is_inside(p.into())) {
        return true;
    }
    let center = Pose::from_translation(0.5 * (low + high));
    let cuboid = Cuboid::new(0.5 * (high - low));
    mesh.triangles.iter().any(|&triangle| {
        let Some([a, b, c]) = corners(mesh, triangle) else {
            return false;
        };
        let is_near = a.min(b).min(c).cmple(high).all() && a.max(b).max(c).cmpge(low).all();
        let triangle = Triangle::new(a, b, c);
        is_near
            && query::intersection_test(&center, &cuboid, &Pose::IDENTITY, &triangle)
                .unwrap_or(false)
    })
}

fn corners(mesh: &Mesh, triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let at = |corner: u32| mesh.positions.get(corner as usize).map(|&p| Vec3::from(p));
    Some([at(triangle[0])?, at(triangle[1])?, at(triangle[2])?])
}
