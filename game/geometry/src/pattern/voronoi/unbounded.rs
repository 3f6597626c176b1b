//! Unbounded cells, which the clip box closes.

use super::cell_arrays::CellFaces;
use super::convex_cell::ConvexCell;
use super::delaunay_neighbors::DelaunayNeighbors;
use super::dual_index::DualIndex;
use crate::pattern::delaunay::{Delaunay, Facet};
use crate::pattern::{sorted, FaceEdge};

/// No plane.
const NO_PLANE: u16 = u16::MAX;

/// Clips unbounded cells out of the box by the bisectors to their neighbours, one after another.
pub struct UnboundedCells<'a> {
    sites: &'a [[i32; 3]],
    delaunay: &'a Delaunay,
    cell: ConvexCell,
    neighbors: DelaunayNeighbors,
    steps: FaceSteps,
    /// By tetrahedron of the star: its other corners.
    other_corners: Vec<[u32; 3]>,
    /// By vertex of the cell: its dual.
    duals: Vec<VertexDual>,
}

/// A vertex of a cell in the pattern.
#[derive(Clone, Copy)]
struct VertexDual {
    vertex: u32,
    /// The tetrahedron whose circumcentre it is; none for a vertex on the box.
    tet: Option<u32>,
}

/// A step on the boundary of a face, which arrives along one plane and leaves along another.
#[derive(Clone, Copy)]
struct FaceStep {
    vertex: u16,
    leaves: u16,
}

/// The boundaries of a cell's faces: a step for each pair of a face and a plane along which its
/// boundary arrives.
#[derive(Default)]
struct FaceSteps {
    planes: usize,
    steps: Vec<FaceStep>,
}

impl FaceSteps {
    fn fill(&mut self, cell: &ConvexCell) {
        const NO_STEP: FaceStep = FaceStep {
            vertex: 0,
            leaves: NO_PLANE,
        };
        self.planes = cell.planes.len();
        self.steps.clear();
        self.steps.resize(self.planes * self.planes, NO_STEP);
        for (vertex, [a, b, c]) in (0..).zip(cell.vertices.iter().copied()) {
            for (face, arrives, leaves) in [(a, b, c), (b, c, a), (c, a, b)] {
                let index = usize::from(face) * self.planes + usize::from(arrives);
                self.steps[index] = FaceStep { vertex, leaves };
            }
        }
    }

    fn get(&self, face: u16, arrives: u16) -> FaceStep {
        self.steps[usize::from(face) * self.planes + usize::from(arrives)]
    }

    /// A plane along which the boundary of a face arrives at a vertex; `None` if the plane has no face.
    fn first(&self, face: u16) -> Option<u16> {
        let has_step = |arrives: &u16| self.get(face, *arrives).leaves != NO_PLANE;
        (0..self.planes as u16).find(has_step)
    }
}

impl<'a> UnboundedCells<'a> {
    /// For the cells of some sites.
    pub fn new(sites: &'a [[i32; 3]], delaunay: &'a Delaunay) -> Self {
        Self {
            sites,
            delaunay,
            cell: ConvexCell::default(),
            neighbors: DelaunayNeighbors::new(sites.len()),
            steps: FaceSteps::default(),
            other_corners: Vec::new(),
            duals: Vec::new(),
        }
    }

    /// The faces of a cell, one for each site whose bisector bounds it.
    pub fn clip(&mut self, index: &mut DualIndex, star: &[u32], cell: u32) -> CellFaces {
        self.neighbors.gather(self.sites, self.delaunay, star, cell);
        self.clip_by_neighbors(cell);
        self.steps.fill(&self.cell);
        self.find_duals(index, star, cell);
        let mut faces = CellFaces::default();
        for face in 0..self.cell.planes.len() as u16 {
            let neighbor = self.cell.planes[usize::from(face)].id;
            if neighbor >= self.sites.len() as u32 {
                continue;
            }
            if let Some(first) = self.steps.first(face) {
                self.read_face(index, cell, face, first, &mut faces.edges);
                faces.end_face(neighbor);
            }
        }
        faces
    }

    /// Clips by bisectors in the order of their distance, so that planes are in that order too.
    fn clip_by_neighbors(&mut self, cell: u32) {
        let origin = |site: u32| self.sites[site as usize].map(i64::from);
        let sites = self.sites.len() as u32;
        self.cell.reset(cell, origin(cell), sites);
        for (neighbor, _) in self.neighbors.nearest_first() {
            self.cell.clip(neighbor, origin(neighbor));
        }
    }

    fn find_duals(&mut self, index: &mut DualIndex, star: &[u32], cell: u32) {
        self.other_corners.clear();
        for &tet in star {
            let [a, b, c, d] = self.delaunay.tet(tet).corners;
            let others = match cell {
                cell if cell == a => [b, c, d],
                cell if cell == b => [a, c, d],
                cell if cell == c => [a, b, d],
                _ => [a, b, c],
            };
            self.other_corners.push(sorted(others));
        }
        self.duals.clear();
        for (vertex, planes) in self.cell.vertices.iter().enumerate() {
            let others = sorted(planes.map(|plane| self.cell.planes[usize::from(plane)].id));
            let in_star = self.other_corners.iter().position(|of| *of == others);
            let dual = if let Some(tet) = in_star.map(|place| star[place]) {
                VertexDual {
                    vertex: index.vertex(self.delaunay, tet),
                    tet: Some(tet),
                }
            } else {
                let [a, b, c] = others;
                let position = self.cell.position(vertex);
                VertexDual {
                    vertex: index.box_vertex([cell, a, b, c], position),
                    tet: None,
                }
            };
            self.duals.push(dual);
        }
    }

    /// Walks once around a face, beginning where its boundary arrives along the plane `first`.
    fn read_face(
        &self,
        index: &mut DualIndex,
        cell: u32,
        face: u16,
        first: u16,
        edges: &mut Vec<FaceEdge>,
    ) {
        let id_of = |plane: u16| self.cell.planes[usize::from(plane)].id;
        let mut arrives = first;
        for _ in 0..self.steps.planes {
            let step = self.steps.get(face, arrives);
            if step.leaves == NO_PLANE {
                return;
            }
            let next_step = self.steps.get(face, step.leaves);
            let from = self.duals[usize::from(step.vertex)];
            let to = self.duals[usize::from(next_step.vertex)];
            let third = id_of(step.leaves);
            let cells = [cell, id_of(face), third];
            let ends = [from.vertex, to.vertex];
            let edge = match facet_between(self.delaunay, from.tet, to.tet) {
                Some(facet) => index.edge(facet, cells, ends),
                None => index.box_edge(cells, ends),
            };
            edges.push(FaceEdge {
                vertex: from.vertex,
                edge,
                third,
            });
            arrives = step.leaves;
            if arrives == first {
                return;
            }
        }
    }
}

/// Both sides of the facet between two tetrahedra.
fn facet_between(delaunay: &Delaunay, one: Option<u32>, other: Option<u32>) -> Option<[Facet; 2]> {
    let (one, other) = (one?, other?);
    let across = delaunay.tet(one).across;
    let slot = across.iter().position(|side| side.tet() == other)?;
    Some([Facet::new(one, slot), across[slot]])
}
