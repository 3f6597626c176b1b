//! Collision shapes of pieces, made on the worker.

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;

use super::convex::{Hull, PART, WHOLE};
use super::crater::{Crater, Sorted};
use super::parts;
use super::polygon::Triangle;

/// How much larger than the piece its hull may be before it counts as concave.
const CONVEX_ENOUGH: f64 = 1.3;

/// The same for an island, in whose crater fragments lie.
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
    /// Hulls that failed and are boxes.
    pub boxed: u32,
}

/// The shape of a free piece: its hull, or when the hull is over 1.3 times its volume (m^3) a
/// compound of the hulls of its parts.
///
/// Moving triangle meshes are no choice: 100 of them cost 20 times as much as hulls and never sleep.
pub(crate) fn debris_collider(mesh: &Mesh, volume: f64) -> Built {
    let target = CONVEX_ENOUGH * volume;
    convex(mesh, target).unwrap_or_else(|| of_hulls(parts::split(triangles(mesh), target, DRAW_IN)))
}

/// The shape of a free island: one hull when it has no crater to speak of, else a hull for each of
/// the pattern's cells. Those cannot reach into cells that were broken out, so that fragments lie in
/// the crater and not inside a hull that would drive them out. Only what exceeds the number of
/// cells is split like any concave piece.
pub(crate) fn island_collider(mesh: &Mesh, volume: f64, crater: &Crater) -> Built {
    if let Some(built) = convex(mesh, NO_CRATER * volume) {
        return built;
    }
    let Sorted { cells, rest } = crater.sort(mesh);
    let mut hulls = cell_hulls(&cells);
    let left = volume - total(&hulls);
    hulls.extend(parts::split(rest, CONVEX_ENOUGH * left, DRAW_IN));
    match hulls.is_empty() {
        true => debris_collider(mesh, volume),
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
        Ok(shape) => Built { shape, boxed: 0 },
        Err(_) => debris_collider(mesh, volume),
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
    let boxed = hulls.iter().filter(|hull| hull.boxed).count() as u32;
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
    Built { shape, boxed }
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
        boxed: 1,
    }
}

fn triangles(mesh: &Mesh) -> Vec<Triangle> {
    let at = |corner: u32| mesh.positions.get(corner as usize).map(|&p| Vec3::from(p));
    let corners = |&[a, b, c]: &[u32; 3]| Some([at(a)?, at(b)?, at(c)?]);
    mesh.triangles.iter().filter_map(corners).collect()
}
