//! Builders of collision shapes: compounds of hulls for debris, hulls or a triangle mesh for what stays
//! fixed.

use std::iter::Sum;

use fracture_geometry::hulls::{Hull, Hulls};
use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;

use super::hull_shape::{Contraction, HullShape};
use super::mesh_bounds;
use super::remainder::RemainderCollider;
use crate::pieces::remaining_parts::RemainingParts;

/// Triangles of a fixed piece up to which sorting them by cells is worth its time.
const MAX_TRIANGLES_BY_CELL: usize = 4000;

/// Hulls that fill less than this share of a fixed piece would leave holes in it.
const MIN_FILL: f64 = 0.9;

/// Of several hulls, one with less than this share of their volume is a splinter of the search of which
/// no shape can be built.
const MIN_VOLUME_SHARE: f64 = 1e-9;

/// Size of debris shapes relative to the pieces. Below 1, so that neighbours do not start in contact.
const CONTRACTION: f32 = 0.995;

/// Radius of the ball that stands for a piece without a shape, metres.
const PLACEHOLDER_RADIUS: f32 = 1e-3;

/// A collision shape in body space.
#[derive(Clone)]
pub(crate) struct BuiltCollider {
    pub shape: SharedShape,
    pub hulls: HullCount,
    /// Whether better hulls are to take its place.
    pub provisional: bool,
}

/// Statistics of the hulls of colliders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HullCount {
    pub hulls: u32,
    /// Hulls that could not be built and are boxes.
    pub boxed: u32,
    /// Fragments whose hulls reach out of them too far.
    pub loose: u32,
    /// Pieces whose hulls are reused from the intact body's.
    pub clipped: u32,
}

impl Sum for HullCount {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |sum, count| Self {
            hulls: sum.hulls + count.hulls,
            boxed: sum.boxed + count.boxed,
            loose: sum.loose + count.loose,
            clipped: sum.clipped + count.clipped,
        })
    }
}

impl BuiltCollider {
    /// A tiny ball, for pieces that never collide.
    pub fn placeholder() -> Self {
        Self {
            shape: SharedShape::ball(PLACEHOLDER_RADIUS),
            hulls: HullCount::default(),
            provisional: false,
        }
    }

    /// A tiny ball in place of a hull that could not be built: the mesh has no vertices.
    fn failed() -> Self {
        Self {
            hulls: HullCount {
                hulls: 1,
                boxed: 1,
                ..HullCount::default()
            },
            ..Self::placeholder()
        }
    }

    fn from_hulls(hulls: Vec<HullShape>) -> Self {
        let count = HullCount {
            hulls: hulls.len() as u32,
            boxed: hulls.iter().filter(|hull| hull.boxed).count() as u32,
            ..HullCount::default()
        };
        let mut parts: Vec<(Pose, SharedShape)> =
            hulls.into_iter().flat_map(compound_parts).collect();
        let is_single = parts.len() == 1 && parts.iter().all(|(pose, _)| *pose == Pose::IDENTITY);
        let shape = match (is_single, parts.pop()) {
            (true, Some((_, shape))) => shape,
            (false, Some(last)) => {
                parts.push(last);
                SharedShape::compound(parts)
            }
            (_, None) => return Self::failed(),
        };
        Self {
            shape,
            hulls: count,
            provisional: false,
        }
    }
}

/// The shape of a free piece: hulls that together reach out of it by some fiftieth of its size.
/// By so much fragments may start inside their neighbours, which contact offsets allow for.
///
/// Moving triangle meshes are no alternative: they cost a multiple of hulls and never sleep.
pub(crate) fn debris_collider(mesh: &Mesh) -> BuiltCollider {
    hulls_collider(mesh, Hulls::from_mesh(mesh))
}

/// The shape with which a free piece of some volume, m^3, enters the debris world, made in 0.1 to 1 milliseconds; the
/// lasting one, if the piece is all but convex. Of hulls that others are to replace none is counted.
pub(crate) fn provisional_collider(mesh: &Mesh, volume: f64) -> BuiltCollider {
    let hulls = Hulls::provisional(mesh, volume);
    if hulls.within_tolerance {
        return hulls_collider(mesh, hulls);
    }
    collider_to_be_replaced(mesh, hulls)
}

/// The shape with which a piece enters that is convex, made in a tenth of the time of others; `None` of any other piece.
pub(crate) fn convex_collider(mesh: &Mesh) -> Option<BuiltCollider> {
    Some(collider_to_be_replaced(mesh, Hulls::of_convex(mesh)?))
}

/// The shape with which a piece enters that is in a cell of its own, where there is time for no other; `None` of a flat one.
pub(crate) fn outermost_collider(mesh: &Mesh) -> Option<BuiltCollider> {
    let hulls = Hulls::of_outermost_vertices(mesh);
    (!hulls.hulls.is_empty()).then(|| collider_to_be_replaced(mesh, hulls))
}

/// The shape of some hulls that others are to replace. None of them is counted.
fn collider_to_be_replaced(mesh: &Mesh, hulls: Hulls) -> BuiltCollider {
    BuiltCollider {
        hulls: HullCount::default(),
        provisional: true,
        ..collider_of(mesh, hulls, Contraction::provisional_hull)
    }
}

/// The shape of a free piece with the given hulls.
pub(crate) fn hulls_collider(mesh: &Mesh, hulls: Hulls) -> BuiltCollider {
    collider_of(mesh, hulls, Contraction::hull)
}

/// The shape of a free piece with the given hulls, each of which becomes a shape by a function.
fn collider_of(
    mesh: &Mesh,
    hulls: Hulls,
    shape: impl Fn(&Contraction, &Hull) -> HullShape,
) -> BuiltCollider {
    if mesh.positions.is_empty() {
        return BuiltCollider::failed();
    }
    let contraction = Contraction::new(mesh_bounds(mesh), CONTRACTION);
    let volumes = hulls.hulls.iter().map(|hull| hull.volume);
    let min_volume = MIN_VOLUME_SHARE * volumes.sum::<f64>();
    let solid = hulls.hulls.iter().filter(|hull| hull.volume > min_volume);
    let shapes: Vec<HullShape> = solid.map(|hull| shape(&contraction, hull)).collect();
    let has_hulls = !shapes.is_empty();
    let built = BuiltCollider::from_hulls(if has_hulls {
        shapes
    } else {
        vec![contraction.boxed()]
    });
    let hulls = HullCount {
        loose: u32::from(!hulls.within_tolerance && has_hulls),
        clipped: u32::from(hulls.reused),
        ..built.hulls
    };
    BuiltCollider { hulls, ..built }
}

/// The shape of a piece that fell in a collapse, from the parts along the crack and the rest of it. It
/// interlocks with what stays: hulls that reach out by a fiftieth of its size would hang on to that, so
/// that each part has hulls of its own.
pub(crate) fn collapsed_collider(mesh: &Mesh, parts: &[Mesh]) -> BuiltCollider {
    let hulls = parts.iter().map(Hulls::from_mesh);
    let joined = hulls.reduce(|mut all, part| {
        all.hulls.extend(part.hulls);
        all.within_tolerance &= part.within_tolerance;
        all
    });
    hulls_collider(mesh, joined.unwrap_or_default())
}

/// The shape of a piece that stays fixed: its convex parts, where they are known; else hulls of the pattern's cells when they
/// fill no more than the piece, as in a pane. Hulls are solid, so that debris does not get stuck inside a wall, and a flat
/// side of them has one contact where a triangle mesh has dozens. A concave piece keeps its triangle mesh.
pub(crate) fn static_collider(
    mesh: &Mesh,
    volume: f64,
    parts: Option<&RemainingParts>,
    by_cells: Option<&RemainderCollider>,
) -> BuiltCollider {
    if let Some((parts, shape)) = parts.and_then(|parts| Some((parts, parts.shape()?))) {
        return BuiltCollider {
            shape,
            hulls: HullCount {
                hulls: parts.len() as u32,
                ..HullCount::default()
            },
            provisional: false,
        };
    }
    if mesh.triangles.len() <= MAX_TRIANGLES_BY_CELL {
        let cells = by_cells.and_then(|remainder| remainder.cells_of(mesh));
        let hulls = cells.map(|cells| cell_hulls(&cells));
        let fills = |hulls: &Vec<HullShape>| {
            let total: f64 = hulls.iter().map(|hull| hull.volume).sum();
            (MIN_FILL..=1.0).contains(&(total / volume))
        };
        if let Some(hulls) = hulls.filter(fills) {
            return BuiltCollider::from_hulls(hulls);
        }
    }
    let vertices = mesh.positions.iter().map(|&point| point.into()).collect();
    match SharedShape::trimesh(vertices, mesh.triangles.clone()) {
        Ok(shape) => BuiltCollider {
            shape,
            hulls: HullCount::default(),
            provisional: false,
        },
        Err(_) => debris_collider(mesh),
    }
}

/// Hulls of cells. A cell with too little surface for a hull is left out: a box would stick out.
fn cell_hulls(cells: &[Vec<Vec3>]) -> Vec<HullShape> {
    let hull = |cell: &Vec<Vec3>| HullShape::around(cell.iter().copied(), CONTRACTION);
    let hulls = cells.iter().filter_map(hull);
    hulls.filter(|hull| !hull.boxed).collect()
}

/// The parts of a hull in a compound; a box is a compound already, and compounds do not nest.
fn compound_parts(hull: HullShape) -> Vec<(Pose, SharedShape)> {
    match hull.shape.as_compound() {
        Some(compound) => compound.shapes().to_vec(),
        None => vec![(Pose::IDENTITY, hull.shape)],
    }
}
