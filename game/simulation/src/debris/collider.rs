//! Collision shapes of pieces, made on the worker.

use std::iter::Sum;

use fracture_geometry::{Hulls, Mesh};
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;

use super::convex::{DrawnIn, Hull, PART, WHOLE};
use super::crater::{Crater, Sorted};
use super::parts;

/// How much larger than the rest of an island its hulls may be.
const CONVEX_ENOUGH: f64 = 1.3;

/// The same for one hull of all.
const NO_CRATER: f64 = 1.02;

/// Sorting a fixed piece by cells is worth its time up to so many triangles.
const FEW_TRIANGLES: usize = 4000;

/// Hulls that fill less of a fixed piece than this leave holes in it.
const FILLED: f64 = 0.9;

/// Debris shapes are this much smaller than the pieces.
const DRAW_IN: f32 = 0.995;

/// A collision shape in body space.
pub(crate) struct Built {
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
/// [`birth`](super::birth).
///
/// Moving triangle meshes are no choice: 100 of them cost 20 times as much as hulls and never sleep.
pub(crate) fn debris_collider(mesh: &Mesh) -> Built {
    hulls_collider(mesh, Hulls::of(mesh))
}

/// The same of hulls that are there.
pub(crate) fn hulls_collider(mesh: &Mesh, hulls: Hulls) -> Built {
    let points: Vec<Vec3> = mesh.positions.iter().map(|p| Vec3::from(*p)).collect();
    let Some(drawn_in) = DrawnIn::new(&points, DRAW_IN) else {
        return speck();
    };
    let made = hulls.hulls.iter().map(|hull| drawn_in.hull(hull));
    let is_nothing = hulls.hulls.is_empty();
    let built = match is_nothing {
        true => of_hulls(vec![drawn_in.boxed()]),
        false => of_hulls(made.collect()),
    };
    let count = HullCount {
        loose: u32::from(!hulls.fit && !is_nothing),
        clipped: u32::from(hulls.clipped),
        ..built.hulls
    };
    Built {
        hulls: count,
        ..built
    }
}

/// The shape of what came down by its weight. It parts along a rough crack that may be small for it: by
/// hulls that reach out by a fiftieth of its size it would hang on to what stays. So it has a hull for
/// each of the lattice's cells, which cannot reach over the crack, or one when that is hardly larger. Only
/// what exceeds the number of cells is split like any concave piece.
pub(crate) fn fallen_collider(mesh: &Mesh, volume: f64, crater: &Crater) -> Built {
    if let Some(built) = convex(mesh, NO_CRATER * volume) {
        return built;
    }
    let Sorted { cells, rest } = crater.sort(mesh);
    let mut hulls = cell_hulls(&cells);
    let left = volume - total(&hulls);
    hulls.extend(parts::split(rest, CONVEX_ENOUGH * left, DRAW_IN));
    match hulls.is_empty() {
        true => debris_collider(mesh),
        false => of_hulls(hulls),
    }
}

/// The shape of a piece that stays fixed: hulls of the pattern's cells when they fill no more than
/// the piece, as in a wall, a pane or a column. Hulls are solid, so that nothing gets stuck inside
/// the wall, and cost less in contacts. A concave piece keeps its mesh.
pub(crate) fn static_collider(mesh: &Mesh, volume: f64, crater: &Crater) -> Built {
    if mesh.triangles.len() <= FEW_TRIANGLES {
        let Sorted { cells, rest } = crater.sort(mesh);
        let hulls = cell_hulls(&cells);
        let filled = total(&hulls) / volume;
        if rest.is_empty() && (FILLED..=1.0).contains(&filled) {
            return of_hulls(hulls);
        }
    }
    let vertices = mesh.positions.iter().map(|&point| point.into()).collect();
    match SharedShape::trimesh(vertices, mesh.triangles.clone()) {
        Ok(shape) => Built {
            shape,
            hulls: HullCount::default(),
        },
        Err(_) => debris_collider(mesh),
    }
}

/// Hulls of cells. One with too little surface for a hull is better left out than made a box that
/// sticks out.
fn cell_hulls(cells: &[Vec<Vec3>]) -> Vec<Hull> {
    let hull = |cell: &Vec<Vec3>| Hull::around(cell.iter().copied(), PART, DRAW_IN);
    let hulls = cells.iter().filter_map(hull);
    hulls.filter(|hull| !hull.boxed).collect()
}

fn total(hulls: &[Hull]) -> f64 {
    hulls.iter().map(|hull| hull.volume).sum()
}

/// The hull when its volume is at most `largest`, or when there is nothing to make parts of.
fn convex(mesh: &Mesh, largest: f64) -> Option<Built> {
    let points = mesh.positions.iter().map(|&point| Vec3::from(point));
    match Hull::around(points, WHOLE, DRAW_IN) {
        Some(hull) => (hull.volume <= largest).then(|| of_hulls(vec![hull])),
        None => Some(speck()),
    }
}

fn of_hulls(hulls: Vec<Hull>) -> Built {
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
    Built {
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
fn speck() -> Built {
    Built {
        shape: SharedShape::ball(1e-3),
        hulls: HullCount {
            hulls: 1,
            boxed: 1,
            ..HullCount::default()
        },
    }
}
