//! Collision shapes of pieces, made on the worker.

use std::iter::Sum;

use fracture_geometry::hulls::Hulls;
use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;

use super::convex::{DrawnIn, Hull};
use super::remainder::RemainderCollider;

/// Sorting a fixed piece by cells is worth its time up to so many triangles.
const FEW_TRIANGLES: usize = 4000;

/// Hulls that fill less of a fixed piece than this leave holes in it.
const FILLED: f64 = 0.9;

/// Of several hulls one with less than this share of the volume is a splinter of the search that no shape can
/// be built of.
const NEXT_TO_NOTHING: f64 = 1e-9;

/// Debris shapes are this much smaller than the pieces.
const DRAW_IN: f32 = 0.995;

/// A collision shape in body space.
pub(crate) struct BuiltCollider {
    pub shape: SharedShape,
    pub hulls: HullCount,
}

/// Hulls, and what is to be said of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HullCount {
    pub hulls: u32,
    /// That failed and are boxes.
    pub boxed: u32,
    /// Fragments whose hulls reach out of them too far.
    pub loose: u32,
    /// Pieces whose hulls are parts of the body's decomposition.
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

/// The shape of a free piece: hulls that together reach out of it by no more than a fiftieth of its size.
/// By so much fragments may start inside what they broke out of; that drives nothing apart, see
/// [`birth`](super::contact_offset).
///
/// Moving triangle meshes are no choice: 100 of them cost 20 times as much as hulls and never sleep.
pub(crate) fn debris_collider(mesh: &Mesh) -> BuiltCollider {
    hulls_collider(mesh, Hulls::from_mesh(mesh))
}

/// The same of hulls that are there.
pub(crate) fn hulls_collider(mesh: &Mesh, hulls: Hulls) -> BuiltCollider {
    let points: Vec<Vec3> = mesh.positions.iter().map(|p| Vec3::from(*p)).collect();
    let Some(drawn_in) = DrawnIn::new(&points, DRAW_IN) else {
        return speck();
    };
    let volumes = hulls.hulls.iter().map(|hull| hull.volume);
    let least = NEXT_TO_NOTHING * volumes.sum::<f64>();
    let full = hulls.hulls.iter().filter(|hull| hull.volume > least);
    let made: Vec<Hull> = full.map(|hull| drawn_in.hull(hull)).collect();
    let is_nothing = made.is_empty();
    let built = match is_nothing {
        true => of_hulls(vec![drawn_in.boxed()]),
        false => of_hulls(made),
    };
    let count = HullCount {
        loose: u32::from(!hulls.within_tolerance && !is_nothing),
        clipped: u32::from(hulls.reused),
        ..built.hulls
    };
    BuiltCollider {
        hulls: count,
        ..built
    }
}

/// The shape of what came down by its weight, from its teeth and the rest of it. By hulls that reach out by a
/// fiftieth of its size it would hang on to what stays: each tooth has its own.
pub(crate) fn fallen_collider(mesh: &Mesh, parts: &[Mesh]) -> BuiltCollider {
    let parts = parts.iter().map(Hulls::from_mesh);
    let together = parts.reduce(|mut all, part| {
        all.hulls.extend(part.hulls);
        all.within_tolerance &= part.within_tolerance;
        all
    });
    hulls_collider(mesh, together.unwrap_or_default())
}

/// The shape of a piece that stays fixed: hulls of the pattern's cells when they fill no more than
/// the piece, as in a wall, a pane or a column. Hulls are solid, so that nothing gets stuck inside
/// the wall, and cost less in contacts. A concave piece keeps its mesh.
pub(crate) fn static_collider(
    mesh: &Mesh,
    volume: f64,
    crater: &RemainderCollider,
) -> BuiltCollider {
    if mesh.triangles.len() <= FEW_TRIANGLES {
        let hulls = crater.cells_of(mesh).map(|cells| cell_hulls(&cells));
        let fill = |hulls: &Vec<Hull>| (FILLED..=1.0).contains(&(total(hulls) / volume));
        if let Some(hulls) = hulls.filter(fill) {
            return of_hulls(hulls);
        }
    }
    let vertices = mesh.positions.iter().map(|&point| point.into()).collect();
    match SharedShape::trimesh(vertices, mesh.triangles.clone()) {
        Ok(shape) => BuiltCollider {
            shape,
            hulls: HullCount::default(),
        },
        Err(_) => debris_collider(mesh),
    }
}

/// Hulls of cells. One with too little surface for a hull is better left out than made a box that
/// sticks out.
fn cell_hulls(cells: &[Vec<Vec3>]) -> Vec<Hull> {
    let hull = |cell: &Vec<Vec3>| Hull::around(cell.iter().copied(), DRAW_IN);
    let hulls = cells.iter().filter_map(hull);
    hulls.filter(|hull| !hull.boxed).collect()
}

fn total(hulls: &[Hull]) -> f64 {
    hulls.iter().map(|hull| hull.volume).sum()
}

fn of_hulls(hulls: Vec<Hull>) -> BuiltCollider {
    let hulls_made = HullCount {
        hulls: hulls.len() as u32,
        boxed: hulls.iter().filter(|hull| hull.boxed).count() as u32,
        ..HullCount::default()
    };
    let mut parts: Vec<(Pose, SharedShape)> = hulls.into_iter().flat_map(flat).collect();
    let single = parts.len() == 1 && parts.iter().all(|(pose, _)| *pose == Pose::IDENTITY);
    let shape = match (single, parts.pop()) {
        (true, Some((_, shape))) => shape,
        (false, Some(last)) => {
            parts.push(last);
            SharedShape::compound(parts)
        }
        (_, None) => return speck(),
    };
    BuiltCollider {
        shape,
        hulls: hulls_made,
    }
}

/// A hull as parts of a compound; a box is a compound already, and those do not nest.
fn flat(hull: Hull) -> Vec<(Pose, SharedShape)> {
    match hull.shape.as_compound() {
        Some(compound) => compound.shapes().to_vec(),
        None => vec![(Pose::IDENTITY, hull.shape)],
    }
}

/// For a mesh without a single vertex.
fn speck() -> BuiltCollider {
    BuiltCollider {
        shape: SharedShape::ball(1e-3),
        hulls: HullCount {
            hulls: 1,
            boxed: 1,
            ..HullCount::default()
        },
    }
}
