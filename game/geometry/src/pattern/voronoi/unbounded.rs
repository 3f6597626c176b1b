//! Outer cells, which the far box closes.

use super::cell_arrays::Outline;
use super::convex_cell::Cell;
use super::delaunay_neighbors::Near;
use super::dual_index::Numbers;
use crate::pattern::delaunay::{Delaunay, Facet};
use crate::pattern::{sorted, Side};

const NONE: u16 = u16::MAX;

/// Cuts outer cells out of the box by the bisectors to their neighbours.
pub struct Outer<'a> {
    sites: &'a [[i32; 3]],
    delaunay: &'a Delaunay,
    cell: Cell,
    near: Near,
    turns: Turns,
    /// By tetrahedron of the star: its other corners.
    others: Vec<[u32; 3]>,
    corners: Vec<OuterCorner>,
}

/// A vertex of the cell: its number, and the tetrahedron whose center it is, if it is not on the box.
type OuterCorner = (u32, Option<u32>);

/// How the outlines of a cell's faces run: on face `p`, arriving along `a`, the outline turns at
/// some vertex and leaves along another plane.
#[derive(Default)]
struct Turns {
    count: usize,
    /// By (face, plane along which it arrives): the vertex and the plane along which it leaves.
    table: Vec<(u16, u16)>,
}

impl Turns {
    fn fill(&mut self, cell: &Cell) {
        self.count = cell.planes.len();
        self.table.clear();
        self.table.resize(self.count * self.count, (0, NONE));
        for (vertex, [a, b, c]) in (0..).zip(cell.vertices.iter().copied()) {
            for (face, arrives, leaves) in [(a, b, c), (b, c, a), (c, a, b)] {
                let at = usize::from(face) * self.count + usize::from(arrives);
                self.table[at] = (vertex, leaves);
            }
        }
    }

    fn get(&self, face: u16, arrives: u16) -> (u16, u16) {
        self.table[usize::from(face) * self.count + usize::from(arrives)]
    }

    /// A plane along which the outline of a face arrives somewhere, if the plane has a face at all.
    fn first(&self, face: u16) -> Option<u16> {
        (0..self.count as u16).find(|arrives| self.get(face, *arrives).1 != NONE)
    }
}

impl<'a> Outer<'a> {
    pub fn new(sites: &'a [[i32; 3]], delaunay: &'a Delaunay) -> Self {
        Self {
            sites,
            delaunay,
            cell: Cell::default(),
            near: Near::new(sites.len()),
            turns: Turns::default(),
            others: Vec::new(),
            corners: Vec::new(),
        }
    }

    /// A cell with one face for every site whose plane bounds it.
    pub fn carve(&mut self, numbers: &mut Numbers, star: &[u32], id: u32) -> Outline {
        self.near.gather(self.sites, self.delaunay, star, id);
        self.cut(id);
        self.turns.fill(&self.cell);
        self.find_corners(numbers, star, id);
        let mut outline = Outline {
            ..Outline::default()
        };
        for face in 0..self.cell.planes.len() as u16 {
            let neighbor = self.cell.planes[usize::from(face)].id;
            if neighbor >= self.sites.len() as u32 {
                continue;
            }
            if let Some(first) = self.turns.first(face) {
                self.read_face(numbers, id, [face, first], &mut outline.sides);
                outline.end_face(neighbor);
            }
        }
        outline
    }

    /// Bisectors cut in the order of their distance, so planes are in that order too.
    fn cut(&mut self, id: u32) {
        let origin = |site: u32| self.sites[site as usize].map(i64::from);
        self.cell.reset(id, origin(id), self.sites.len() as u32);
        for (neighbor, _) in self.near.nearest_first() {
            self.cell.clip(neighbor, origin(neighbor));
        }
    }

    fn find_corners(&mut self, numbers: &mut Numbers, star: &[u32], id: u32) {
        self.others.clear();
        for &tet in star {
            let [a, b, c, d] = self.delaunay.tet(tet).corners;
            let others = match id {
                id if id == a => [b, c, d],
                id if id == b => [a, c, d],
                id if id == c => [a, b, d],
                _ => [a, b, c],
            };
            self.others.push(sorted(others));
        }
        self.corners.clear();
        for (vertex, planes) in self.cell.vertices.iter().enumerate() {
            let others = sorted(planes.map(|plane| self.cell.planes[usize::from(plane)].id));
            let corner = match self.others.iter().position(|of| *of == others) {
                Some(at) => (numbers.vertex(self.delaunay, star[at]), Some(star[at])),
                None => {
                    let ([a, b, c], at) = (others, self.cell.place(vertex));
                    (numbers.far_vertex([id, a, b, c], at), None)
                }
            };
            self.corners.push(corner);
        }
    }

    /// Walks once around a face.
    fn read_face(&self, numbers: &mut Numbers, id: u32, at: [u16; 2], sides: &mut Vec<Side>) {
        let id_of = |plane: u16| self.cell.planes[usize::from(plane)].id;
        let [face, first] = at;
        let mut along = first;
        for _ in 0..self.turns.count {
            let (here, leaves) = self.turns.get(face, along);
            if leaves == NONE {
                return;
            }
            let (there, _) = self.turns.get(face, leaves);
            let (vertex, tet) = self.corners[usize::from(here)];
            let (next, next_tet) = self.corners[usize::from(there)];
            let third = id_of(leaves);
            let cells = [id, id_of(face), third];
            let edge = match facet_between(self.delaunay, tet, next_tet) {
                Some(facet) => numbers.edge(facet, cells, [vertex, next]),
                None => numbers.far_edge(cells, [vertex, next]),
            };
            sides.push(Side {
                vertex,
                edge,
                third,
            });
            along = leaves;
            if along == first {
                return;
            }
        }
    }
}

/// Both sides of the facet between two tetrahedra.
fn facet_between(delaunay: &Delaunay, one: Option<u32>, other: Option<u32>) -> Option<[Facet; 2]> {
    let (one, other) = (one?, other?);
    let beyond = delaunay.tet(one).beyond;
    let slot = beyond.iter().position(|side| side.tet() == other)?;
    Some([Facet::new(one, slot), beyond[slot]])
}
