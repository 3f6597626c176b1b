//! Which parts hang together: union-find over whole triangles, polygons, rests and cap regions.
//!
//! Two parts are joined where they share a piece of edge within one wedge of material: across a
//! paired half-edge, across a cut, or along a stretch of a pattern edge. Points and edges that merely
//! touch join nothing.

use super::caps::{Border, Cap};
use super::clip::Line;
use super::rest::{Key, Rest};
use super::surface::CellSurface;
use crate::solid::Solid;

/// The owner of a triangle that lies in no affected cell.
pub const REST: u32 = u32::MAX;
/// The owner of a triangle that is cut.
const CUT: u32 = u32::MAX - 1;

/// Everything a break consists of before it is sorted into pieces.
pub struct Parts<'a> {
    pub solid: &'a Solid,
    /// By cell, ascending.
    pub surfaces: Vec<CellSurface>,
    pub caps: Vec<Cap>,
    /// By triangle, ascending.
    pub rests: Vec<Rest>,
}

/// A part of the surface or of a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A whole triangle of the solid.
    Triangle(u32),
    /// A polygon of a cell: slot of the cell, index.
    Polygon(u32, u32),
    /// A region of what is left of a triangle: index of the rest, region.
    Rest(u32, u32),
    /// A region of a cap, seen from its first cell (side 0) or from the other (side 1).
    Cap(u32, u32, u8),
}

/// Connected components.
pub struct Components {
    /// Parts by component, in a fixed order.
    members: Vec<Part>,
    starts: Vec<u32>,
    of_node: Vec<u32>,
    nodes: Nodes,
}

impl Components {
    pub fn count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    pub fn of(&self, part: Part) -> u32 {
        self.of_node[self.nodes.id(part) as usize]
    }

    /// The parts of a component.
    pub fn members(&self, component: u32) -> &[Part] {
        let at = component as usize;
        &self.members[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The slot of a component's cell, or [`REST`].
    pub fn owner(&self, parts: &Parts, component: u32) -> u32 {
        match self.members(component).first() {
            Some(Part::Triangle(triangle)) => self.nodes.owner[*triangle as usize],
            Some(Part::Polygon(slot, _)) => *slot,
            Some(Part::Cap(cap, _, side)) => {
                parts.slot(parts.caps[*cap as usize].cells[usize::from(*side)])
            }
            Some(Part::Rest(..)) | None => REST,
        }
    }
}

impl Parts<'_> {
    /// The slot of a cell, or [`REST`] when it is not affected.
    pub fn slot(&self, cell: u32) -> u32 {
        let found = self.surfaces.binary_search_by_key(&cell, |s| s.cell);
        found.map_or(REST, |slot| slot as u32)
    }
}

/// The numbering of parts as union-find nodes, and who owns each triangle.
#[derive(Default)]
struct Nodes {
    owner: Vec<u32>,
    polygons: Vec<u32>,
    rests: Vec<u32>,
    caps: Vec<u32>,
    count: u32,
}

impl Nodes {
    fn new(parts: &Parts) -> Self {
        let mut owner = vec![REST; parts.solid.triangle_count()];
        let mut next = owner.len() as u32;
        let mut count = |add: usize| {
            let start = next;
            next += add as u32;
            start
        };
        let polygons = parts
            .surfaces
            .iter()
            .map(|s| count(s.polygons.len()))
            .collect();
        let rests = parts
            .rests
            .iter()
            .map(|r| count(r.regions.count() as usize))
            .collect();
        let caps = parts
            .caps
            .iter()
            .map(|c| count(2 * c.regions.count() as usize))
            .collect();
        for (slot, surface) in parts.surfaces.iter().enumerate() {
            for run in &surface.runs {
                owner[run.start as usize..run.end as usize].fill(slot as u32);
            }
            for polygon in &surface.polygons {
                owner[polygon.triangle as usize] = CUT;
            }
        }
        Self {
            owner,
            polygons,
            rests,
            caps,
            count: next,
        }
    }

    /// Calls back with every part, in the order of the nodes.
    fn each(&self, parts: &Parts, mut f: impl FnMut(Part)) {
        for (triangle, owner) in self.owner.iter().enumerate() {
            if *owner != CUT {
                f(Part::Triangle(triangle as u32));
            }
        }
        for (slot, surface) in parts.surfaces.iter().enumerate() {
            (0..surface.polygons.len()).for_each(|p| f(Part::Polygon(slot as u32, p as u32)));
        }
        for (index, rest) in parts.rests.iter().enumerate() {
            (0..rest.regions.count()).for_each(|region| f(Part::Rest(index as u32, region)));
        }
        for (index, cap) in parts.caps.iter().enumerate() {
            for region in 0..cap.regions.count() {
                f(Part::Cap(index as u32, region, 0));
                f(Part::Cap(index as u32, region, 1));
            }
        }
    }

    fn id(&self, part: Part) -> u32 {
        match part {
            Part::Triangle(triangle) => triangle,
            Part::Polygon(slot, index) => self.polygons[slot as usize] + index,
            Part::Rest(rest, region) => self.rests[rest as usize] + region,
            Part::Cap(cap, region, side) => self.caps[cap as usize] + 2 * region + u32::from(side),
        }
    }
}

/// Finds the connected components of all parts.
pub fn join(parts: &Parts) -> Components {
    let nodes = Nodes::new(parts);
    let mut join = Join {
        parents: (0..nodes.count).collect(),
        parts,
        nodes,
    };
    join.triangles();
    join.polygons();
    join.rests();
    join.caps();
    join.finish()
}

struct Join<'a> {
    parents: Vec<u32>,
    parts: &'a Parts<'a>,
    nodes: Nodes,
}

impl Join<'_> {
    fn find(&mut self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            let up = self.parents[self.parents[node as usize] as usize];
            self.parents[node as usize] = up;
            node = up;
        }
        node
    }

    /// The smaller root stays, so that the result does not depend on the order.
    fn unite(&mut self, a: Part, b: Part) {
        let (a, b) = (self.nodes.id(a), self.nodes.id(b));
        self.unite_nodes(a, b);
    }

    fn unite_nodes(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    fn triangles(&mut self) {
        let solid = self.parts.solid;
        for triangle in 0..self.nodes.owner.len() as u32 {
            let owner = self.nodes.owner[triangle as usize];
            for k in 0..3 {
                let other = solid.twin(3 * triangle + k) / 3;
                if owner != CUT && other < triangle && self.nodes.owner[other as usize] == owner {
                    self.unite_nodes(triangle, other);
                }
            }
        }
    }

    fn polygons(&mut self) {
        let parts = self.parts;
        for (slot, surface) in parts.surfaces.iter().enumerate() {
            let slot = slot as u32;
            for (index, polygon) in surface.polygons.iter().enumerate() {
                let own = Part::Polygon(slot, index as u32);
                for corner in surface.corners(polygon) {
                    let Line::Edge(k) = corner.line else { continue };
                    let other = parts.solid.twin(3 * polygon.triangle + u32::from(k)) / 3;
                    if let Some(beside) = self.in_cell(slot, other) {
                        self.unite(own, beside);
                    }
                }
            }
        }
    }

    /// The part of a triangle in a cell.
    fn in_cell(&self, slot: u32, triangle: u32) -> Option<Part> {
        if self.nodes.owner[triangle as usize] == slot {
            return Some(Part::Triangle(triangle));
        }
        let polygons = &self.parts.surfaces[slot as usize].polygons;
        let found = polygons.binary_search_by_key(&triangle, |p| p.triangle);
        found.ok().map(|index| Part::Polygon(slot, index as u32))
    }

    fn rests(&mut self) {
        let parts = self.parts;
        let mut runs: Vec<(u32, [Key; 2], u32)> = Vec::new();
        for (index, rest) in parts.rests.iter().enumerate() {
            for &(k, [from, to], region) in &rest.runs {
                let own = Part::Rest(index as u32, region);
                let half_edge = 3 * rest.triangle + u32::from(k);
                let other = parts.solid.twin(half_edge) / 3;
                if self.nodes.owner[other as usize] == REST {
                    self.unite(own, Part::Triangle(other));
                } else {
                    let keys = [from.min(to), from.max(to)];
                    runs.push((parts.solid.edge(half_edge), keys, self.nodes.id(own)));
                }
            }
        }
        runs.sort_unstable();
        for pair in runs.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
                self.unite_nodes(pair[0].2, pair[1].2);
            }
        }
    }

    fn caps(&mut self) {
        let parts = self.parts;
        let mut along: Vec<(u32, u32, u32)> = Vec::new();
        for (index, cap) in parts.caps.iter().enumerate() {
            let slots = cap.cells.map(|cell| parts.slot(cell));
            for &(border, region) in &cap.borders {
                for side in 0..2u8 {
                    let own = Part::Cap(index as u32, region, side);
                    let slot = slots[usize::from(side)];
                    match border {
                        Border::Stretch(stretch) => {
                            along.push((stretch, slot, self.nodes.id(own)));
                        }
                        Border::Surface(polygon) => {
                            if let Some(beside) = self.beside(cap, slots[0], polygon, slot) {
                                self.unite(own, beside);
                            }
                        }
                    }
                }
            }
        }
        along.sort_unstable();
        for pair in along.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
                self.unite_nodes(pair[0].2, pair[1].2);
            }
        }
    }

    /// What lies beside a cut on the side of `slot`; the cut is that of a polygon of slot `first`.
    fn beside(&self, cap: &Cap, first: u32, polygon: u32, slot: u32) -> Option<Part> {
        let triangle = self.parts.surfaces[first as usize].polygons[polygon as usize].triangle;
        if slot != REST {
            return self.in_cell(slot, triangle);
        }
        let rests = &self.parts.rests;
        let index = rests.binary_search_by_key(&triangle, |r| r.triangle).ok()?;
        let cut = rests[index]
            .cuts
            .iter()
            .find(|(cells, _)| *cells == cap.cells)?;
        Some(Part::Rest(index as u32, cut.1))
    }

    /// Numbers the components by their first node and sorts the parts by component.
    fn finish(mut self) -> Components {
        let parts = self.parts;
        let mut of_node = vec![u32::MAX; self.nodes.count as usize];
        let mut sizes: Vec<u32> = Vec::new();
        let nodes = std::mem::take(&mut self.nodes);
        nodes.each(parts, |part| {
            let node = nodes.id(part);
            let root = self.find(node) as usize;
            if of_node[root] == u32::MAX {
                of_node[root] = sizes.len() as u32;
                sizes.push(0);
            }
            of_node[node as usize] = of_node[root];
            sizes[of_node[root] as usize] += 1;
        });
        let mut starts = vec![0];
        for size in &sizes {
            starts.push(starts[starts.len() - 1] + size);
        }
        let mut next = starts.clone();
        let mut members = vec![Part::Triangle(0); starts[sizes.len()] as usize];
        nodes.each(parts, |part| {
            let slot = &mut next[of_node[nodes.id(part) as usize] as usize];
            members[*slot as usize] = part;
            *slot += 1;
        });
        Components {
            members,
            starts,
            of_node,
            nodes,
        }
    }
}
