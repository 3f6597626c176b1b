//! Data kept in the `user_data` of rapier's bodies and colliders: the body that a rigid body stands for,
//! and the size of a shape, so that no step has to look either up.

use glam::Vec3;
use rapier3d::dynamics::RigidBody;
use rapier3d::geometry::{Collider, SharedShape};
use rapier3d::parry::shape::TypedShape;

use super::contact_offset::ALLOWED_PENETRATION;
use super::external::BodyRef;
use super::lazy_hull::LazyConvexHull;
use crate::types::{BodyId, Motion};

/// Bit of the user data of an external body.
const EXTERNAL: u128 = 1 << 64;

/// Depth of a shape's middle below which it is a crumb, metres: the solver lets one sink in by two thirds of it.
const CRUMB_DEPTH: f32 = 1.5 * ALLOWED_PENETRATION;

/// The skin of a crumb's collider, metres.
const CRUMB_SKIN: f32 = 1.5 * ALLOWED_PENETRATION;

/// Bit of the user data of a free piece.
const PIECE: u128 = 1 << 65;

/// Bit of the user data of a large piece.
const LARGE: u128 = 1 << 66;

impl BodyRef {
    /// The user data of a rigid body that the engine moves.
    pub(super) fn to_user_data(self) -> u128 {
        match self {
            Self::Breakable(id) => u128::from(id.to_bits()),
            Self::External(key) => EXTERNAL | u128::from(key),
        }
    }

    /// The body that a rigid body stands for.
    pub(super) fn from_user_data(body: &RigidBody) -> Option<Self> {
        let low = body.user_data as u64;
        if body.user_data & EXTERNAL != 0 {
            return Some(Self::External(low));
        }
        hecs::Entity::from_bits(low).map(|entity| Self::Breakable(BodyId(entity)))
    }
}

/// The user data of a free piece.
pub(super) fn piece_user_data(id: BodyId) -> u128 {
    PIECE | BodyRef::Breakable(id).to_user_data()
}

/// The user data of a free piece that may tear when it lands.
pub(super) fn large_piece_user_data(id: BodyId) -> u128 {
    LARGE | piece_user_data(id)
}

/// Whether a rigid body is a free piece that may tear when it lands.
pub(super) fn is_large_piece(body: &RigidBody) -> bool {
    body.user_data & LARGE != 0
}

/// Whether a rigid body is a free piece, and not a proxy or an external body.
pub(super) fn is_piece(body: &RigidBody) -> bool {
    body.user_data & PIECE != 0
}

/// The id of a free piece; `None` for other bodies.
pub(super) fn piece_id(body: &RigidBody) -> Option<BodyId> {
    let piece = Some(body).filter(|body| is_piece(body))?;
    BodyRef::from_user_data(piece)?.breakable()
}

/// Size of a collider's shape, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    /// The smallest extent along the axes of its space.
    pub thickness: f32,
    /// The radius of its bounding sphere.
    pub radius: f32,
}

impl Extent {
    pub fn from_shape(shape: &SharedShape) -> Self {
        Self {
            thickness: 2.0 * shape.compute_local_aabb().half_extents().min_element(),
            radius: shape.compute_local_bounding_sphere().radius,
        }
    }

    pub fn from_user_data(collider: &Collider) -> Self {
        Self {
            thickness: f32::from_bits(collider.user_data as u32),
            radius: f32::from_bits((collider.user_data >> 32) as u32),
        }
    }

    pub fn to_user_data(self) -> u128 {
        u128::from(self.thickness.to_bits()) | u128::from(self.radius.to_bits()) << 32
    }
}

/// The skin of a piece's collider, metres: the solver lets a piece sink in by so much, which would bring the centre of
/// a crumb below the ground.
pub(super) fn skin(shape: &SharedShape) -> f32 {
    let depth = match shape.as_compound() {
        Some(compound) => {
            let depths = compound.shapes().iter().map(|(_, part)| depth(part));
            depths.fold(0.0, f32::max)
        }
        None => depth(shape),
    };
    if depth < CRUMB_DEPTH {
        CRUMB_SKIN
    } else {
        0.0
    }
}

/// Distance from the middle of a shape to its surface, metres: half the thickness of a plate, a quarter of the height
/// of a tetrahedron.
fn depth(shape: &SharedShape) -> f32 {
    if let Some(hull) = shape.as_shape::<LazyConvexHull>() {
        return hull.depth();
    }
    let TypedShape::ConvexPolyhedron(hull) = shape.as_typed_shape() else {
        return shape.compute_local_aabb().half_extents().min_element();
    };
    let middle = hull.points().iter().sum::<Vec3>() / hull.points().len() as f32;
    let distances = hull.faces().iter().filter_map(|face| {
        let corners = hull.vertices_adj_to_face();
        let corner = corners.get(face.first_vertex_or_edge as usize)?;
        let corner = hull.points().get(*corner as usize)?;
        Some(face.normal.dot(*corner - middle))
    });
    distances.fold(f32::INFINITY, f32::min)
}

/// A body's centre of mass at its current pose; rapier's own value is that of the step before.
pub(super) fn center_of_mass(body: &RigidBody) -> Vec3 {
    body.position().transform_point(body.local_center_of_mass())
}

/// A body's pose and velocity.
pub(super) fn motion(body: &RigidBody) -> Motion {
    Motion {
        pose: *body.position(),
        linear: body.linvel(),
        angular: body.angvel(),
    }
}
