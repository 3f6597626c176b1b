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
    /// Wherever the body touches what is held: external bodies that do not move, bodies with other anchors, and bodies
    /// like itself that have a way to one of these. A body that has none falls. Until its bonds are found, in the
    /// first frames, it is held everywhere.
    Touching {
        /// Distance up to which surfaces that face each other touch, metres, 0 or more. Bodies that overlap touch.
        gap: f32,
        /// Strength of the bonds of touching surfaces, in parts of the weaker material's
        /// [`Material::tensile_strength`](crate::Material::tensile_strength): mortar, nails, glue. Of two bodies the
        /// smaller counts. 0: loose, they only rest on each other. Bonds of materials without strength do not break.
        bond_strength: f32,
    },
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

    /// Whether the body is held by touch.
    pub(crate) fn is_touching(&self) -> bool {
        matches!(self, Self::Touching { .. })
    }

    /// The boxes for a body with the given bounds.
    pub(crate) fn resolve(&self, bounds: [Vec3; 2]) -> Arc<[Anchor]> {
        match self {
            Self::Boxes(boxes) => boxes.clone(),
            Self::FromBounds(make) => make(bounds).into(),
            Self::Touching { .. } => everywhere(bounds).into(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let is_finite = match self {
            Self::Boxes(boxes) => boxes.iter().flatten().all(|corner| corner.is_finite()),
            Self::FromBounds(_) => true,
            Self::Touching { gap, bond_strength } => {
                check_figure("gap of touching bodies", *gap)?;
                return check_figure("bond strength", *bond_strength);
            }
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
            Self::Touching { gap, bond_strength } => f
                .debug_struct("Touching")
                .field("gap", gap)
                .field("bond_strength", bond_strength)
                .finish(),
        }
    }
}

/// One box that holds all of a body with the given bounds.
fn everywhere([low, high]: [Vec3; 2]) -> [Anchor; 1] {
    let margin = 0.01 * (high - low).length();
    [[low - margin, high + margin]]
}

fn check_figure(what: &'static str, value: f32) -> Result<(), BodyError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(BodyError::Material {
        what,
        value,
        range: "finite and not negative",
    })
}

/// Whether any part of a surface touches any of the anchors.
///
/// Vertices decide nearly always and cost little; the triangles are tested only when no vertex lies in
/// the box, as when a small box holds the middle of a large face.
pub(crate) fn touches_any(mesh: &Mesh, anchors: &[Anchor]) -> bool {
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
