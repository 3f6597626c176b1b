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
    /// The component of every node.
    pub of_node: Vec<u32>,
    pub count: u32,
    /// The slot of the component's cell, or [`REST`].
    pub owner: Vec<u32>,
    nodes: Nodes,
}

impl Components {
    pub fn of(&self, part: Part) -> u32 {
        self.of_node[self.nodes.id(part) as usize]
    }

    /// All parts with their component, in a fixed order.
    pub fn parts<'a>(&'a self, parts: &'a Parts) -> impl Iterator<Item = (Part, u32)> + 'a {
        let owner = &self.nodes.owner;
        let whole = (0..owner.len() as u32).filter(|t| owner[*t as usize] != CUT);
        let polygons = parts.surfaces.iter().enumerate().flat_map(|(slot, s)| {
            (0..s.polygons.len() as u32).map(move |p| Part::Polygon(slot as u32, p))
        });
        let rests = parts.rests.iter().enumerate();
        let rests =
            rests.flat_map(|(r, rest)| (0..rest.regions).map(move |g| Part::Rest(r as u32, g)));
        let caps = parts.caps.iter().enumerate().flat_map(|(c, cap)| {
            (0..cap.regions)
                .flat_map(move |g| [Part::Cap(c as u32, g, 0), Part::Cap(c as u32, g, 1)])
        });
        let all = whole
            .map(Part::Triangle)
            .chain(polygons)
            .chain(rests)
            .chain(caps);
        all.map(|part| (part, self.of(part)))
    }
}

/// The numbering of parts as union-find nodes, and who owns each triangle.
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
            .map(|r| count(r.regions as usize))
            .collect();
        let caps = parts
            .caps
            .iter()
            .map(|c| count(2 * c.regions as usize))
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
            let slots = cap.cells.map(|cell| self.slot(cell));
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

    fn slot(&self, cell: u32) -> u32 {
        let surfaces = &self.parts.surfaces;
        let found = surfaces.binary_search_by_key(&cell, |s| s.cell);
        found.map_or(REST, |slot| slot as u32)
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

    /// Numbers the components by their first node.
    fn finish(mut self) -> Components {
        let mut of_node = vec![u32::MAX; self.nodes.count as usize];
        let mut count = 0;
        let is_cut = |node: u32| self.nodes.owner.get(node as usize) == Some(&CUT);
        let nodes: Vec<u32> = (0..self.nodes.count).filter(|n| !is_cut(*n)).collect();
        for node in nodes {
            let root = self.find(node) as usize;
            if of_node[root] == u32::MAX {
                of_node[root] = count;
                count += 1;
            }
            of_node[node as usize] = of_node[root];
        }
        let mut components = Components {
            of_node,
            count,
            owner: vec![REST; count as usize],
            nodes: self.nodes,
        };
        let parts = self.parts;
        let mut owner = std::mem::take(&mut components.owner);
        for (part, component) in components.parts(parts) {
            let slot = match part {
                Part::Triangle(triangle) => components.nodes.owner[triangle as usize],
                Part::Polygon(slot, _) => slot,
                Part::Rest(..) => REST,
                Part::Cap(cap, _, side) => {
                    let cell = parts.caps[cap as usize].cells[usize::from(side)];
                    let found = parts.surfaces.binary_search_by_key(&cell, |s| s.cell);
                    found.map_or(REST, |slot| slot as u32)
                }
            };
            owner[component as usize] = slot;
        }
        components.owner = owner;
        components
    }
}
