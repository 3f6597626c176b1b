//! Which parts hang together: union-find over patches of the surface, whole triangles, polygons,
//! rests and cap regions.
//!
//! Two parts are joined where they share a piece of edge within one wedge of material: across a
//! paired half-edge, across a cut, or along a stretch of a pattern edge. Points and edges that merely
//! touch join nothing. No component reaches from one cell into another, so the cells, and what lies
//! in none, are joined independently of each other.

use crate::fracture::active_cells::UNAFFECTED;
use crate::fracture::islands::connect::{CapSide, ConnectScratch, Connector};
use crate::fracture::islands::element_index::ElementIndex;
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::labels::cut;
use crate::fracture::islands::shares;
use crate::solid::Solid;
use std::sync::atomic::{AtomicU32, Ordering};

/// Connected components, found anew for every break in the same memory.
#[derive(Default)]
pub struct Components {
    nodes: ElementIndex,
    /// By node: one that comes before it in the same component, or itself. The threads that join
    /// different cells never touch the same.
    parents: Vec<AtomicU32>,
    /// By triangle of divided blocks: what hangs together there, with the least triangle of it.
    shares: Vec<AtomicU32>,
    /// The sides of caps by slot of their cell, those in no affected cell last.
    cap_sides: Vec<CapSide>,
    /// By slot: where its sides end; one more at the start.
    side_starts: Vec<u32>,
    /// By node of a part, after all.
    of_node: Vec<u32>,
    /// Parts by component, in a fixed order.
    members: Vec<Element>,
    starts: Vec<u32>,
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Components {
    /// Numbers all parts, each a component of its own. There is one job of joining for each slot,
    /// and one for what lies in no affected cell.
    pub fn start(&mut self, parts: &CutSolid) -> usize {
        self.nodes.fill(parts);
        self.parents.clear();
        self.parents
            .extend((0..self.nodes.count).map(AtomicU32::new));
        self.shares.clear();
        let triangles = self.nodes.divided_count();
        self.shares
            .extend((0..triangles).map(|_| AtomicU32::new(0)));
        self.sort_cap_sides(parts);
        parts.slots.count() + 1
    }

    /// Does one job of joining; the jobs may run at the same time.
    pub fn join(&self, parts: &CutSolid, job: usize, lists: &mut ConnectScratch) {
        let union = Connector {
            parts,
            nodes: &self.nodes,
            parents: &self.parents,
            shares: &self.shares,
        };
        let starts = &self.side_starts;
        let sides = &self.cap_sides[starts[job] as usize..starts[job + 1] as usize];
        if job < parts.slots.count() {
            union.join_cell(job as u32, sides, lists);
        } else {
            union.join_rest(sides, lists);
        }
    }

    fn sort_cap_sides(&mut self, parts: &CutSolid) {
        let count = parts.slots.count();
        let sides = || {
            (0..parts.caps.len() as u32).flat_map(|cap| {
                let [one, other] = parts.cap(cap).cells;
                [(one, 0), (other, 1)].map(|(cell, side)| {
                    let slot = parts.slots.of(cell);
                    (slot.min(count as u32) as usize, CapSide { cap, side })
                })
            })
        };
        self.side_starts.clear();
        self.side_starts.resize(count + 3, 0);
        for (slot, _) in sides() {
            self.side_starts[slot + 2] += 1;
        }
        for slot in 2..count + 3 {
            self.side_starts[slot] += self.side_starts[slot - 1];
        }
        self.cap_sides.clear();
        self.cap_sides
            .resize(2 * parts.caps.len(), CapSide::default());
        for (slot, side) in sides() {
            let at = &mut self.side_starts[slot + 1];
            self.cap_sides[*at as usize] = side;
            *at += 1;
        }
    }

    /// Numbers the components by their first node and sorts the parts by component, when all is
    /// joined.
    pub fn finish(&mut self, parts: &CutSolid) {
        // Parents come before their children, so that one pass brings all under their roots.
        for node in 0..self.parents.len() {
            let parent = *self.parents[node].get_mut() as usize;
            let root = *self.parents[parent].get_mut();
            *self.parents[node].get_mut() = root;
        }
        let Self {
            nodes,
            parents,
            shares,
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
        nodes.each(parts, shares, |_, node| {
            let root = *parents[node as usize].get_mut() as usize;
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
        members.resize(starts[starts.len() - 1] as usize, Element::Patch(0));
        nodes.each(parts, shares, |part, node| {
            let slot = &mut next[of_node[node as usize] as usize];
            members[*slot as usize] = part;
            *slot += 1;
        });
    }

    pub fn count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The component of a region of a cap.
    pub fn of_cap(&self, cap: u32, region: u32, side: u8) -> u32 {
        self.of_node[self.nodes.cap(cap, region, side) as usize]
    }

    /// The component of a triangle that is not cut.
    pub fn of_triangle(&self, solid: &Solid, triangle: u32) -> Option<u32> {
        let whole = cut(self.nodes.owners.of(triangle)).is_none();
        whole.then(|| {
            let node = self.nodes.triangle(solid, triangle) as usize;
            let root = self.parents[node].load(Ordering::Relaxed);
            self.of_node[root as usize]
        })
    }

    /// The component of a polygon.
    pub fn of_polygon(&self, polygon: u32) -> u32 {
        self.of_node[self.nodes.polygon(polygon) as usize]
    }

    /// The component of a region of a rest.
    pub fn of_rest(&self, rest: u32, region: u32) -> u32 {
        self.of_node[self.nodes.rest(rest, region) as usize]
    }

    /// The parts of a component.
    pub fn members(&self, component: u32) -> &[Element] {
        let at = component as usize;
        &self.members[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The slot of a component's cell, or [`UNAFFECTED`].
    pub fn owner(&self, parts: &CutSolid, component: u32) -> u32 {
        match self.members(component).first() {
            Some(Element::Patch(patch)) => {
                self.nodes.owners.of(parts.solid.patches().first(*patch))
            }
            Some(Element::Share(block, share)) => {
                let mut own = shares::triangles(*block, *share);
                own.next().map_or(UNAFFECTED, |t| self.nodes.owners.of(t))
            }
            Some(Element::Polygon(polygon)) => parts.surface.polygon(*polygon).slot,
            Some(Element::Cap(cap, _, side)) => {
                parts.slots.of(parts.cap(*cap).cells[usize::from(*side)])
            }
            Some(Element::Residual(..)) | None => UNAFFECTED,
        }
    }
}
