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
use crate::solid::{Patches, Solid, BLOCK};

/// Everything a break consists of before it is sorted into pieces.
pub struct Parts<'a> {
    pub solid: &'a Solid,
    /// By cell, ascending.
    pub surfaces: &'a [CellSurface],
    pub caps: &'a [Cap],
    /// By triangle, ascending.
    pub rests: &'a [Rest],
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

/// Connected components, found anew for every break in the same memory.
#[derive(Default)]
pub struct Components {
    nodes: Nodes,
    /// By node: one that comes before it in the same component, or itself.
    parents: Vec<u32>,
    /// By node, after all.
    of_node: Vec<u32>,
    /// Parts by component, in a fixed order.
    members: Vec<Part>,
    starts: Vec<u32>,
    next: Vec<u32>,
    /// Scratch: what is joined when it has the same (edge and ends) or (stretch and slot).
    runs: Vec<(u32, [Key; 2], u32)>,
    along: Vec<(u32, u32, u32)>,
}

impl Components {
    pub fn count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The component of a region of a cap.
    pub fn of_cap(&self, cap: u32, region: u32, side: u8) -> u32 {
        self.of_node[self.nodes.cap(cap, region, side) as usize]
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

/// The numbering of parts as union-find nodes: whole patches first, then the triangles of divided
/// blocks, polygons, rests, caps.
#[derive(Default)]
struct Nodes {
    owners: Owners,
    /// The patches that are taken whole, and the node of each; no others have one.
    whole: Vec<u32>,
    node_of_patch: Vec<u32>,
    triangles: u32,
    polygons: Vec<u32>,
    rests: Vec<u32>,
    caps: Vec<u32>,
    count: u32,
}

const NONE: u32 = u32::MAX;

impl Nodes {
    fn fill(&mut self, parts: &Parts) {
        let patches = parts.solid.patches();
        self.owners.fill(parts.solid, parts.surfaces);
        for patch in self.whole.drain(..) {
            self.node_of_patch[patch as usize] = NONE;
        }
        if self.node_of_patch.len() < patches.count() as usize {
            self.node_of_patch.resize(patches.count() as usize, NONE);
        }
        self.owners.whole_patches(patches, &mut self.whole);
        for (node, patch) in self.whole.iter().enumerate() {
            self.node_of_patch[*patch as usize] = node as u32;
        }
        self.triangles = self.whole.len() as u32;
        let mut next = self.triangles + self.owners.divided().len() as u32 * BLOCK;
        let mut count = |add: u32| {
            let start = next;
            next += add;
            start
        };
        self.polygons.clear();
        let surfaces = parts.surfaces.iter();
        let polygons = surfaces.map(|s| count(s.polygons.len() as u32));
        self.polygons.extend(polygons);
        self.rests.clear();
        let rests = parts.rests.iter();
        self.rests.extend(rests.map(|r| count(r.regions.count())));
        self.caps.clear();
        let caps = parts.caps.iter();
        self.caps.extend(caps.map(|c| count(2 * c.regions.count())));
        self.count = next;
    }

    /// Calls back with every part and its node, in the order of the nodes.
    fn each(&self, parts: &Parts, mut f: impl FnMut(Part, u32)) {
        for (node, patch) in self.whole.iter().enumerate() {
            f(Part::Patch(*patch), node as u32);
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
            None => self.whole(solid.patches(), solid.patches().of_triangle(triangle)),
        }
    }

    /// The node of the whole patch that a patch of an undivided block is a part of.
    fn whole(&self, patches: &Patches, mut patch: u32) -> u32 {
        while self.node_of_patch[patch as usize] == NONE {
            match patches.parent(patch) {
                Some(parent) => patch = parent,
                None => return 0, // not reached: some block above is not divided
            }
        }
        self.node_of_patch[patch as usize]
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

impl Components {
    /// Finds the connected components of all parts.
    pub fn join(&mut self, parts: &Parts) {
        self.nodes.fill(parts);
        self.parents.clear();
        self.parents.extend(0..self.nodes.count);
        self.join_patches(parts);
        self.join_triangles(parts);
        self.join_polygons(parts);
        self.join_rests(parts);
        self.join_caps(parts);
        self.sort(parts);
    }

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

    /// Whole patches with what they touch on their own level. What is smaller finds its way to them
    /// from below.
    fn join_patches(&mut self, parts: &Parts) {
        let patches = parts.solid.patches();
        for node in 0..self.nodes.whole.len() {
            let patch = self.nodes.whole[node];
            let owner = self.nodes.owners.of_block(patches.block(patch));
            for &other in patches.links(patch) {
                if self.nodes.owners.of_block(patches.block(other)) == owner {
                    let beside = self.nodes.whole(patches, other);
                    self.unite(node as u32, beside);
                }
            }
        }
    }

    /// The whole triangles of divided blocks.
    fn join_triangles(&mut self, parts: &Parts) {
        let solid = parts.solid;
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

    fn join_polygons(&mut self, parts: &Parts) {
        for (slot, surface) in parts.surfaces.iter().enumerate() {
            let slot = slot as u32;
            for (index, polygon) in surface.polygons.iter().enumerate() {
                let own = self.nodes.polygon(slot, index as u32);
                for corner in surface.corners(polygon) {
                    let Line::Edge(k) = corner.line else { continue };
                    let other = parts.solid.twin(3 * polygon.triangle + u32::from(k)) / 3;
                    if let Some(beside) = self.in_cell(parts, slot, other) {
                        self.unite(own, beside);
                    }
                }
            }
        }
    }

    /// The node of the part of a triangle that lies in a cell.
    fn in_cell(&self, parts: &Parts, slot: u32, triangle: u32) -> Option<u32> {
        let owner = self.nodes.owners.of(triangle);
        if owner == slot {
            return Some(self.nodes.triangle(parts.solid, triangle));
        }
        if owner != CUT {
            return None;
        }
        let polygons = &parts.surfaces[slot as usize].polygons;
        let found = polygons.binary_search_by_key(&triangle, |p| p.triangle);
        found
            .ok()
            .map(|index| self.nodes.polygon(slot, index as u32))
    }

    fn join_rests(&mut self, parts: &Parts) {
        let mut runs = std::mem::take(&mut self.runs);
        runs.clear();
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
        self.runs = runs;
    }

    fn join_caps(&mut self, parts: &Parts) {
        let mut along = std::mem::take(&mut self.along);
        along.clear();
        for (index, cap) in parts.caps.iter().enumerate() {
            let slots = cap.cells.map(|cell| parts.slot(cell));
            for &(border, region) in &cap.borders {
                for side in 0..2u8 {
                    let own = self.nodes.cap(index as u32, region, side);
                    let slot = slots[usize::from(side)];
                    match border {
                        Border::Stretch(stretch) => along.push((stretch, slot, own)),
                        Border::Surface(polygon) => {
                            if let Some(beside) = self.beside(parts, cap, [slots[0], slot], polygon)
                            {
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
        self.along = along;
    }

    /// What lies beside a cut on the side of `slot`; the cut is that of a polygon of slot `first`.
    fn beside(
        &self,
        parts: &Parts,
        cap: &Cap,
        [first, slot]: [u32; 2],
        polygon: u32,
    ) -> Option<u32> {
        let triangle = parts.surfaces[first as usize].polygons[polygon as usize].triangle;
        if slot != REST {
            return self.in_cell(parts, slot, triangle);
        }
        let rests = &parts.rests;
        let index = rests.binary_search_by_key(&triangle, |r| r.triangle).ok()?;
        let cut = rests[index]
            .cuts
            .iter()
            .find(|(cells, _)| *cells == cap.cells)?;
        Some(self.nodes.rest(index as u32, cut.1))
    }

    /// Numbers the components by their first node and sorts the parts by component.
    fn sort(&mut self, parts: &Parts) {
        // Parents come before their children, so that one pass brings all under their roots.
        for node in 0..self.parents.len() {
            self.parents[node] = self.parents[self.parents[node] as usize];
        }
        let Self {
            nodes,
            parents,
            of_node,
            members,
            starts,
            next,
            ..
        } = self;
        of_node.clear();
        of_node.resize(nodes.count as usize, NONE);
        // Sizes first, then where each component ends.
        starts.clear();
        starts.push(0);
        nodes.each(parts, |_, node| {
            let root = parents[node as usize] as usize;
            if of_node[root] == NONE {
                of_node[root] = starts.len() as u32 - 1;
                starts.push(0);
            }
            let component = of_node[root];
            of_node[node as usize] = component;
            starts[component as usize + 1] += 1;
        });
        for component in 1..starts.len() {
            starts[component] += starts[component - 1];
        }
        next.clear();
        next.extend_from_slice(starts);
        members.clear();
        members.resize(starts[starts.len() - 1] as usize, Part::Patch(0));
        nodes.each(parts, |part, node| {
            let slot = &mut next[of_node[node as usize] as usize];
            members[*slot as usize] = part;
            *slot += 1;
        });
    }
}
