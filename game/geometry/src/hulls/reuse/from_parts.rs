//! Hulls of a piece from the convex parts that its cell has of a decomposition: no plane is sought, and for most
//! no grid is made.

use crate::hulls::reuse::history::FractureHistory;
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::search::inside::is_inside;
use crate::hulls::search::merge::{gathered, merge};
use crate::hulls::shape::convex_hull::{apart, bounds, meet, ConvexHull};
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::hulls::shape::quickhull::hull;
use crate::hulls::tolerance::coverage::{cover, is_covered};
use crate::hulls::tolerance::depth_bound::{are_near, HullCore};

/// Smaller parts are left out, for the size of the piece,
const SPECK: f64 = 0.01;
/// as long as the others have this share of it.
const ALL: f64 = 0.99;
/// So many hulls are few; of more it is worth to be asked of a grid which may be joined.
const FEW: usize = 3;
/// What joint hulls may leave out, as a part of the size,
const LEFT_OUT: f64 = 0.001;
/// and what another part may reach out by to be in one already.
const WITHIN: f64 = 0.002;
/// Most points of a hull.
const MOST_POINTS: usize = 128;

/// Few hulls of a piece of a cell; `None` when those of the decomposition do not fit it.
pub fn of_cell(
    body: &DecomposeContext,
    history: &FractureHistory,
    cell: u32,
) -> Option<Vec<HullPart>> {
    if history.parts.is_empty() {
        return None;
    }
    let around = bounds(&body.whole.points);
    let mut own = CellParts::of(body, &history.of_piece(&around, cell));
    own.assemble(body).or_else(|| {
        // Slivers of neighbours belong to it, perhaps.
        let beside = history.beside_piece(&around, cell);
        let beside = CellParts::of(body, &beside);
        if beside.hulls.is_empty() {
            return None;
        }
        own.hulls.extend(beside.hulls);
        own.sort();
        own.assemble(body)
    })
}

/// Convex parts of a piece, the largest first.
struct CellParts {
    /// With their volumes, m^3.
    hulls: Vec<(f64, ConvexHull)>,
}

impl CellParts {
    /// Those of some parts that are of the piece: its cell may have others of pieces that do not hang together
    /// with it.
    fn of(body: &DecomposeContext, blocks: &[ConvexPolyhedron]) -> Self {
        let mut parts = Self { hulls: Vec::new() };
        for block in blocks {
            let [low, high] = block.bounds();
            let hull = block.polyhedron();
            let core = HullCore::of(&hull);
            if low.distance(*high) < SPECK * body.size || !is_inside(body, core.middle) {
                continue;
            }
            parts.hulls.push((hull.volume(), hull));
        }
        parts.sort();
        parts
    }

    fn sort(&mut self) {
        self.hulls.sort_by(|a, b| b.0.total_cmp(&a.0));
    }

    /// Few hulls of them, when those fit and are of the whole piece.
    fn assemble(&self, body: &DecomposeContext) -> Option<Vec<HullPart>> {
        let volumes = self.hulls.iter().map(|(volume, _)| volume);
        if volumes.sum::<f64>() < ALL * body.whole.volume() {
            return None;
        }
        let open = self.hulls.iter().map(|(_, hull)| hull.clone());
        let (joined, mut told): (Vec<_>, Vec<_>) = joined(body, open.collect()).into_iter().unzip();
        let mut pieces: Vec<HullPart> = joined.into_iter().map(HullPart::around).collect();
        if pieces.len() > FEW {
            pieces = merge(pieces, Vec::new(), usize::MAX, body).0;
            told = vec![false; pieces.len()];
        }
        if pieces.is_empty() {
            return None;
        }
        let extended = cover(&mut pieces, body);
        let known = told.iter().zip(extended).map(|(told, is)| *told && !is);
        let mut unknown = pieces.iter().zip(known).filter(|(_, known)| !known);
        let fit = unknown.all(|(piece, _)| {
            let hull = &piece.hull;
            fits(body, hull) || body.room().holds(hull)
        });
        (fit && is_covered(&pieces, body)).then_some(pieces)
    }
}

/// Lets each hull, the largest first, take in all that fits together with it; of what has taken in others it is
/// told that it fits.
fn joined(body: &DecomposeContext, open: Vec<ConvexHull>) -> Vec<(ConvexHull, bool)> {
    let open = open.into_iter().map(|hull| (hull, false)).collect();
    gathered(open, |now: &mut (ConvexHull, bool), (other, _)| {
        if is_within(body, other, &now.0) {
            return true;
        }
        let joint = joint(body, &now.0, other).filter(|joint| fits(body, joint));
        let goes_together = joint.is_some();
        if let Some(joint) = joint {
            *now = (joint, true);
        }
        goes_together
    })
}

fn is_within(body: &DecomposeContext, hull: &ConvexHull, other: &ConvexHull) -> bool {
    let limit = WITHIN * body.size;
    hull.points.iter().all(|point| other.height(*point) < limit)
}

fn joint(body: &DecomposeContext, one: &ConvexHull, other: &ConvexHull) -> Option<ConvexHull> {
    let apart = apart(&bounds(&one.points), &bounds(&other.points));
    let corners = || [&one.points[..], &other.points].concat();
    let near = apart < body.allowed;
    near.then(|| hull(&corners(), LEFT_OUT * body.size, MOST_POINTS))
        .flatten()
}

/// Whether it is told by the depth of the piece's surface in a hull that it reaches out by no more than is
/// allowed.
fn fits(body: &DecomposeContext, hull: &ConvexHull) -> bool {
    let core = HullCore::of(hull);
    let deepest = core.deepest(body.allowed);
    core.depth > deepest && is_near(body, hull, deepest) && is_inside(body, core.middle)
}

/// Whether all of the surface is below one of the planes by `deepest` at most, or outside.
fn is_near(body: &DecomposeContext, hull: &ConvexHull, deepest: f64) -> bool {
    let around = hull.bounds();
    let here = body.runs().triangles(&body.whole, |run| meet(run, &around));
    are_near(&body.whole, here, &hull.planes, deepest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hulls::reuse::convex_parts::ConvexParts;
    use crate::hulls::reuse::placed_pattern::PlacedPattern;
    use crate::{Mesh, Pattern, Placement};
    use glam::{DMat3, DVec3};

    /// A cube with a pit in the middle of its top.
    fn pitted(depth: f32) -> Mesh {
        let mut mesh = Mesh::cuboid([1.0; 3]);
        let is_top = |t: &[u32; 3]| t.iter().all(|p| mesh.positions[*p as usize][1] > 0.4);
        let (top, mut rest): (Vec<_>, Vec<_>) = mesh.triangles.iter().copied().partition(is_top);
        let corner = |x: f32, z: f32| {
            let is_there = |p: &[f32; 3]| p[0] * x > 0.0 && p[1] > 0.0 && p[2] * z > 0.0;
            mesh.positions.iter().position(is_there).expect("a corner") as u32
        };
        let ring = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)].map(|(x, z)| corner(x, z));
        assert_eq!(top.len(), 2);
        let pit = mesh.positions.len() as u32;
        rest.extend((0..4).map(|k| [ring[k], ring[(k + 1) % 4], pit]));
        mesh.positions.push([0.0, 0.5 - depth, 0.0]);
        Mesh::from_triangles(mesh.positions, rest)
    }

    #[test]
    fn a_part_that_is_too_deep_is_no_hull_of_a_piece() {
        let pattern = Pattern::from_sites(&[DVec3::ZERO, 100.0 * DVec3::X]).expect("a pattern");
        let placement = Placement {
            linear: DMat3::IDENTITY,
            translation: DVec3::ZERO,
        };
        for (depth, fits) in [(0.01, true), (0.3, false)] {
            let body = DecomposeContext::new(&pitted(depth), 0.0185);
            let around = hull(&body.whole.points, 0.0, MOST_POINTS).expect("a hull");
            let decomposition = ConvexParts {
                blocks: vec![ConvexPolyhedron::new(&around)],
            };
            let history = FractureHistory {
                parts: &decomposition,
                past: Vec::new(),
                pattern: PlacedPattern::new(&pattern, placement),
            };
            let hulls = of_cell(&body, &history, 0);
            assert_eq!(hulls.is_some(), fits, "{depth}");
        }
    }
}
