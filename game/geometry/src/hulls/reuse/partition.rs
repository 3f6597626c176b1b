//! Convex parts of a whole solid.
//!
//! A solid is much larger than its pieces, and how far a hull may reach out goes by the size of a piece. A
//! grid as fine as that would be too large, so what counts here is how deep the surface is in a hull: see
//! [`super::shallow`]. Parts are halved along the deepest edges at which they are hollow (Chazelle, "Convex
//! Partitions of Polyhedra", 1984, who does so with all). What pieces have of a part is looked at again when they
//! get it, so some may stay too deep.

use crate::hulls::reuse::reflex::{deepest_edge, deepest_face};
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::shape::convex_hull::{ConvexHull, Plane};
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::hulls::shape::part::Part;
use crate::hulls::shape::quickhull::hull;
use crate::hulls::tolerance::depth_bound::{is_full, is_told};
use crate::math::triangle::halved;
use crate::Mesh;

/// What comes to too many parts in the first way is divided in the second.
const WAYS: [Quality; 2] = [
    Quality {
        depth: 5e-4,
        most: 128,
        fine: 25_000,
    },
    Quality {
        depth: 2e-3,
        most: 512,
        fine: 10_000,
    },
];
/// How much hulls may leave out of the solid, alike,
const LEFT_OUT: f64 = 2e-4;
/// and most points of them.
const MOST_POINTS: usize = 1000;
/// How often triangles are halved that lie across edges of a hull.
const HALVINGS: u32 = 4;
/// Cuts after which a first part has to be shallow enough, and parts after which it has to look as if
const PATIENCE: usize = 24;
/// so much of the solid comes to be in such parts: else it is hollow in too many places.
const WORTH: f64 = 0.9;

struct Quality {
    /// How deep the surface may be in a part, for the diagonal of the solid's box.
    depth: f64,
    /// Most parts. To join more takes longer than to search.
    most: usize,
    /// Most triangles of the solid: a ring of 20,000 takes 0.15 s.
    fine: usize,
}

/// The parts of a mesh; none when more than a tenth of it would be in parts that are too deep.
pub fn blocks(mesh: &Mesh) -> Vec<ConvexPolyhedron> {
    let ways = WAYS.iter().filter(|way| mesh.triangles.len() <= way.fine);
    let mut found = ways.filter_map(|way| divided(mesh, way));
    found.next().unwrap_or_default()
}

fn divided(mesh: &Mesh, way: &Quality) -> Option<Vec<ConvexPolyhedron>> {
    let body = DecomposeContext::new(mesh, way.depth);
    let whole = HullPart::new(body.whole.clone(), &body)?;
    let mut dividing = Partitioner {
        most: way.most,
        open: whole.pieces(&body),
        body: &body,
        volume: body.whole.volume(),
        filled: 0.0,
        done: Vec::new(),
        deep: Vec::new(),
    };
    dividing.run();
    if dividing.filled < WORTH * dividing.volume {
        return None;
    }
    dividing.done.extend(dividing.deep);
    Some(dividing.done)
}

struct Partitioner<'a> {
    most: usize,
    body: &'a DecomposeContext<'a>,
    /// Of the whole, and of what is done.
    volume: f64,
    filled: f64,
    open: Vec<HullPart>,
    done: Vec<ConvexPolyhedron>,
    /// That could not be divided.
    deep: Vec<ConvexPolyhedron>,
}

impl Partitioner<'_> {
    /// Halves the last again and again, so that it shows soon whether anything comes of it.
    fn run(&mut self) {
        let mut cuts = 0;
        while let Some(piece) = self.open.pop() {
            let plane = match looked_at(&piece, self.body) {
                Verdict::Shallow(block) => {
                    self.filled += piece.part.volume();
                    self.done.push(block);
                    continue;
                }
                Verdict::Deep(plane) => plane,
            };
            cuts += 1;
            if self.is_hopeless(cuts) {
                return;
            }
            let count = self.open.len() + self.done.len() + self.deep.len();
            match plane.filter(|_| count < self.most && cuts < 2 * self.most) {
                None => self.deep.push(ConvexPolyhedron::new(&piece.hull)),
                Some(plane) => {
                    let parts = piece.cut(&plane, self.body).into_iter().flatten();
                    self.open.extend(parts);
                }
            }
        }
    }

    fn is_hopeless(&self, cuts: usize) -> bool {
        let count = self.done.len();
        let of_all = self.filled / count.max(1) as f64 * self.most as f64;
        let is_late = count >= PATIENCE || cuts >= PATIENCE && count == 0;
        is_late && of_all < WORTH * self.volume
    }
}

enum Verdict {
    Shallow(ConvexPolyhedron),
    /// With the plane to cut it by.
    Deep(Option<Plane>),
}

/// Looks at a part with a coarse hull and, when no plane follows from that, with a close one.
fn looked_at(piece: &HullPart, body: &DecomposeContext) -> Verdict {
    let part = &piece.part;
    let coarse = deepest_edge(part, &piece.hull, body.allowed);
    if coarse.is_some() {
        return Verdict::Deep(coarse);
    }
    let close = hull(&part.points, LEFT_OUT * body.size, MOST_POINTS);
    let close = close.unwrap_or_else(|| piece.hull.clone());
    match is_full(part, &close) && is_all_near(part, &close, body.allowed) {
        true => Verdict::Shallow(ConvexPolyhedron::new(&close)),
        false => {
            let edge = deepest_edge(part, &close, body.allowed);
            Verdict::Deep(edge.or_else(|| deepest_face(part, &close, body.allowed)))
        }
    }
}

/// Whether all of the surface is near to one plane or another, triangles across edges of the hull bit by bit.
fn is_all_near(part: &Part, hull: &ConvexHull, depth: f64) -> bool {
    let mut last = 0;
    let mut open = Vec::new();
    for triangle in &part.triangles {
        open.push((part.place(*triangle), HALVINGS));
        while let Some((corners, halvings)) = open.pop() {
            if is_told(&corners, &hull.planes, depth, &mut last) {
                continue;
            }
            let halves = halved(&corners, 0.0).filter(|_| halvings > 0);
            let Some(halves) = halves else { return false };
            open.extend(halves.map(|half| (half, halvings - 1)));
        }
    }
    true
}
