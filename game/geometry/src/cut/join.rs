//! Which parts hang together: union-find over patches of the surface, whole triangles, polygons,
//! rests and cap regions.
//!
//! Two parts are joined where they share a piece of edge within one wedge of material: across a
//! paired half-edge, across a cut, or along a stretch of a pattern edge. Points and edges that merely
//! touch join nothing.

use super::caps::{Border, Cap};
use super::clip::Line;
use super::owners::{Owners, CUT, REST};
use super::rest::{Key, Rest};
use super::surface::CellSurface;
use crate::solid::{Solid, BLOCK};

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
    /// A patch of the solid that no cut divides.
    Patch(u32),
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

    /// The component of a region of a cap.
    pub fn of_cap(&self, cap: u32, region: u32, side: u8) -> u32 {
        self.of_node[self.nodes.cap(cap, region, side) as usize]
    }

    /// The component of a polygon.
    pub fn of_polygon(&self, slot: u32, index: u32) -> u32 {
        self.of_node[self.nodes.polygon(slot, index) as usize]
    }

    /// The component of a region of a rest.
    pub fn of_rest(&self, rest: u32, region: u32) -> u32 {
        self.of_node[self.nodes.rest(rest, region) as usize]
    }

    /// The parts of a component.
    pub fn members(&self, component: u32) -> &[Part] {
        let at = component as usize;
        &self.members[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The slot of a component's cell, or [`REST`].
    pub fn owner(&self, parts: &Parts, component: u32) -> u32 {
        match self.members(component).first() {
            Some(Part::Patch(patch)) => self.nodes.owners.of(parts.solid.patches().first(*patch)),
            Some(Part::Triangle(triangle)) => self.nodes.owners.of(*triangle),
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

/// The numbering of parts as union-find nodes: patches first, then the triangles of divided blocks,
/// polygons, rests, caps.
struct Nodes {
    owners: Owners,
    triangles: u32,
    polygons: Vec<u32>,
    rests: Vec<u32>,
    caps: Vec<u32>,
    count: u32,
}

impl Nodes {
    fn new(parts: &Parts) -> Self {
        let owners = Owners::new(parts.solid, &parts.surfaces);
        let triangles = parts.solid.patches().count();
        let mut next = triangles + owners.divided().len() as u32 * BLOCK;
        let mut count = |add: u32| {
            let start = next;
            next += add;
            start
        };
        let surfaces = parts.surfaces.iter();
        let polygons = surfaces.map(|s| count(s.polygons.len() as u32)).collect();
        let rests = parts.rests.iter();
        let rests = rests.map(|r| count(r.regions.count())).collect();
        let caps = parts.caps.iter();
        let caps = caps.map(|c| count(2 * c.regions.count())).collect();
        Self {
            owners,
            triangles,
            polygons,
            rests,
            caps,
            count: next,
        }
    }

    /// Calls back with every part and its node, in the order of the nodes.
    fn each(&self, parts: &Parts, mut f: impl FnMut(Part, u32)) {
        let patches = parts.solid.patches();
        for block in 0..patches.block_count() {
            if self.owners.of_block(block).is_some() {
                patches.of_block(block).for_each(|p| f(Part::Patch(p), p));
            }
        }
        let last = parts.solid.triangle_count() as u32;
        for (index, block) in self.owners.divided().iter().enumerate() {
            let first = self.triangles + index as u32 * BLOCK;
            for triangle in block * BLOCK..((block + 1) * BLOCK).min(last) {
                if self.owners.of(triangle) != CUT {
                    f(Part::Triangle(triangle), first + triangle % BLOCK);
                }
            }
        }
        for (slot, surface) in parts.surfaces.iter().enumerate() {
            for index in 0..surface.polygons.len() as u32 {
                f(
                    Part::Polygon(slot as u32, index),
                    self.polygon(slot as u32, index),
                );
            }
        }
        for (index, rest) in parts.rests.iter().enumerate() {
            for region in 0..rest.regions.count() {
                f(
                    Part::Rest(index as u32, region),
                    self.rest(index as u32, region),
                );
            }
        }
        for (index, cap) in parts.caps.iter().enumerate() {
            for region in 0..cap.regions.count() {
                for side in 0..2 {
                    let node = self.cap(index as u32, region, side);
                    f(Part::Cap(index as u32, region, side), node);
                }
            }
        }
    }

    /// The node of a triangle that is not cut: its own, or that of its patch.
    fn triangle(&self, solid: &Solid, triangle: u32) -> u32 {
        match self.owners.divided_slot(triangle) {
            Some(slot) => self.triangles + slot as u32,
            None => solid.patches().of_triangle(triangle),
        }
    }

    fn polygon(&self, slot: u32, index: u32) -> u32 {
        self.polygons[slot as usize] + index
    }

    fn rest(&self, rest: u32, region: u32) -> u32 {
        self.rests[rest as usize] + region
    }

    fn cap(&self, cap: u32, region: u32, side: u8) -> u32 {
        self.caps[cap as usize] + 2 * region + u32::from(side)
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
    join.patches();
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
    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    fn patches(&mut self) {
        let patches = self.parts.solid.patches();
        for block in 0..patches.block_count() {
            let Some(owner) = self.nodes.owners.of_block(block) else {
                continue;
            };
            for patch in patches.of_block(block) {
                for &other in patches.links(patch) {
                    let beside = patches.first(other) / BLOCK;
                    if self.nodes.owners.of_block(beside) == Some(owner) {
                        self.unite(patch, other);
                    }
                }
            }
        }
    }

    /// The whole triangles of divided blocks.
    fn triangles(&mut self) {
        let solid = self.parts.solid;
        let last = solid.triangle_count() as u32;
        for index in 0..self.nodes.owners.divided().len() {
            let block = self.nodes.owners.divided()[index];
            for triangle in block * BLOCK..((block + 1) * BLOCK).min(last) {
                let owner = self.nodes.owners.of(triangle);
                if owner == CUT {
                    continue;
                }
                let own = self.nodes.triangle(solid, triangle);
                for k in 0..3 {
                    let other = solid.twin(3 * triangle + k) / 3;
                    if self.nodes.owners.of(other) == owner {
                        self.unite(own, self.nodes.triangle(solid, other));
                    }
                }
            }
        }
    }

    fn polygons(&mut self) {
        let parts = self.parts;
        for (slot, surface) in parts.surfaces.iter().enumerate() {
            let slot = slot as u32;
            for (index, polygon) in surface.polygons.iter().enumerate() {
                let own = self.nodes.polygon(slot, index as u32);
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

    /// The node of the part of a triangle that lies in a cell.
    fn in_cell(&self, slot: u32, triangle: u32) -> Option<u32> {
        let owner = self.nodes.owners.of(triangle);
        if owner == slot {
            return Some(self.nodes.triangle(self.parts.solid, triangle));
        }
        if owner != CUT {
            return None;
        }
        let polygons = &self.parts.surfaces[slot as usize].polygons;
        let found = polygons.binary_search_by_key(&triangle, |p| p.triangle);
        found
            .ok()
            .map(|index| self.nodes.polygon(slot, index as u32))
    }

    fn rests(&mut self) {
        let parts = self.parts;
        let mut runs: Vec<(u32, [Key; 2], u32)> = Vec::new();
        for (index, rest) in parts.rests.iter().enumerate() {
            for &(k, [from, to], region) in &rest.runs {
                let own = self.nodes.rest(index as u32, region);
                let half_edge = 3 * rest.triangle + u32::from(k);
                let other = parts.solid.twin(half_edge) / 3;
                if self.nodes.owners.of(other) == REST {
                    self.unite(own, self.nodes.triangle(parts.solid, other));
                } else {
                    let keys = [from.min(to), from.max(to)];
                    runs.push((parts.solid.edge(half_edge), keys, own));
                }
            }
        }
        runs.sort_unstable();
        for pair in runs.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
                self.unite(pair[0].2, pair[1].2);
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
                    let own = self.nodes.cap(index as u32, region, side);
                    let slot = slots[usize::from(side)];
                    match border {
                        Border::Stretch(stretch) => along.push((stretch, slot, own)),
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
                self.unite(pair[0].2, pair[1].2);
            }
        }
    }

    /// What lies beside a cut on the side of `slot`; the cut is that of a polygon of slot `first`.
    fn beside(&self, cap: &Cap, first: u32, polygon: u32, slot: u32) -> Option<u32> {
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
        Some(self.nodes.rest(index as u32, cut.1))
    }

    /// Numbers the components by their first node and sorts the parts by component.
    fn finish(mut self) -> Components {
        let parts = self.parts;
        let mut of_node = vec![u32::MAX; self.nodes.count as usize];
        let mut sizes: Vec<u32> = Vec::new();
        // Parents come before their children, so that one pass brings all under their roots.
        for node in 0..self.parents.len() {
            self.parents[node] = self.parents[self.parents[node] as usize];
        }
        self.nodes.each(parts, |_, node| {
            let root = self.parents[node as usize] as usize;
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
        let mut members = vec![Part::Patch(0); starts[sizes.len()] as usize];
        self.nodes.each(parts, |part, node| {
            let slot = &mut next[of_node[node as usize] as usize];
            members[*slot as usize] = part;
            *slot += 1;
        });
        Components {
            members,
            starts,
            of_node,
            nodes: self.nodes,
        }
    }
}
