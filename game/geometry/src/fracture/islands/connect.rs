//! Joining the parts of one cell, or of what lies in none.

use crate::fracture::active_cells::UNAFFECTED;
use crate::fracture::caps::cap::{Cap, CapBorder};
use crate::fracture::islands::element_index::ElementIndex;
use crate::fracture::islands::elements::CutSolid;
use crate::fracture::islands::labels::cut;
use crate::fracture::islands::shares;
use crate::fracture::residual::VertexKey;
use crate::fracture::surface::clipped_polygon::EdgeLabel;
use crate::solid::CLUSTER_SIZE;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// One side of a cap.
#[derive(Clone, Copy, Debug, Default)]
pub struct CapSide {
    pub cap: u32,
    pub side: u8,
}

/// A stretch of an edge of the solid, and the node beside it.
type Run = (u32, [VertexKey; 2], u32);

/// Scratch: what is joined when it has the same (edge and ends) or the same stretch.
#[derive(Default)]
pub struct ConnectScratch {
    runs: Vec<Run>,
    along: Vec<(u32, u32)>,
}

/// A union-find forest over the parts of a break.
pub struct Connector<'a> {
    pub parts: &'a CutSolid<'a>,
    pub nodes: &'a ElementIndex,
    /// By node: one that comes before it in the same component, or itself.
    pub parents: &'a [AtomicU32],
    /// By triangle of divided blocks, to be found: what hangs together, with the least of it.
    pub shares: &'a [AtomicU32],
}

impl Connector<'_> {
    /// Joins the parts that lie in the cell of a slot; `sides` are those of its caps.
    pub fn join_cell(&self, slot: u32, sides: &[CapSide], lists: &mut ConnectScratch) {
        let surface = self.parts.surface;
        let mut next = 0;
        for run in surface.runs(slot) {
            next = self.join_run(run, next, slot);
        }
        for index in surface.polygons_of(slot) {
            let polygon = surface.polygon(index);
            let own = self.nodes.polygon(index);
            for line in surface.outline(polygon).lines {
                let EdgeLabel::Edge(k) = line else { continue };
                let half_edge = 3 * polygon.triangle + u32::from(*k);
                let other = self.parts.solid.twin(half_edge) / 3;
                if let Some(beside) = self.beyond_edge(slot, polygon.triangle, other) {
                    self.unite(own, beside);
                }
            }
        }
        self.join_caps(slot, sides, lists);
    }

    /// Joins the parts that lie in no affected cell.
    pub fn join_rest(&self, sides: &[CapSide], lists: &mut ConnectScratch) {
        let patches = self.parts.solid.patches();
        for patch in &self.nodes.whole {
            if self.nodes.owners.of_block(patches.block(*patch)) == Some(UNAFFECTED) {
                self.join_patch(*patch, UNAFFECTED);
            }
        }
        for (index, block) in self.nodes.owners.divided().iter().enumerate() {
            self.join_divided(*block, index * CLUSTER_SIZE as usize, UNAFFECTED);
        }
        self.join_rests(lists);
        self.join_caps(UNAFFECTED, sides, lists);
    }

    /// Joins what an owner has of the blocks of a run of triangles, from block `next` on. Returns the
    /// block after them.
    fn join_run(&self, run: &Range<u32>, next: u32, owner: u32) -> u32 {
        let patches = self.parts.solid.patches();
        let end = run.end.div_ceil(CLUSTER_SIZE);
        for block in next.max(run.start / CLUSTER_SIZE)..end {
            match self.nodes.owners.divided_slot(block * CLUSTER_SIZE) {
                Some(first) => self.join_divided(block, first, owner),
                None => {
                    let own = patches.of_block(block);
                    own.for_each(|patch| self.join_patch(patch, owner));
                }
            }
        }
        end
    }

    /// Joins a whole patch with what it touches on its own level. What is smaller finds its way to
    /// it from below.
    fn join_patch(&self, patch: u32, owner: u32) {
        let patches = self.parts.solid.patches();
        let own = self.nodes.whole_patch(patches, patch);
        for &other in patches.links(patch) {
            if self.nodes.owners.of_block(patches.block(other)) == Some(owner) {
                self.unite(own, self.nodes.whole_patch(patches, other));
            }
        }
    }

    /// Joins what an owner has of a divided block, whose triangles have the slots from `first` on.
    fn join_divided(&self, block: u32, first: usize, owner: u32) {
        let solid = self.parts.solid;
        let left = solid.triangle_count() as u32 - block * CLUSTER_SIZE;
        let all = u32::MAX >> (CLUSTER_SIZE - left.min(CLUSTER_SIZE));
        let set = self.nodes.owners.set_of(first, owner) & all;
        shares::each(solid, block, set, |share| {
            let least = first + share.trailing_zeros() as usize;
            let own = self.nodes.divided(least);
            self.shares[least].store(share, Ordering::Relaxed);
            for triangle in shares::triangles(block, share) {
                let slot = first + (triangle % CLUSTER_SIZE) as usize;
                self.unite(own, self.nodes.divided(slot));
                self.join_out(triangle, own, owner);
            }
        });
    }

    /// Joins a triangle of a divided block with its neighbours in others.
    fn join_out(&self, triangle: u32, own: u32, owner: u32) {
        let owners = &self.nodes.owners;
        let (solid, block) = (self.parts.solid, triangle / CLUSTER_SIZE);
        for half_edge in 3 * triangle..3 * triangle + 3 {
            let other = solid.twin(half_edge) / 3;
            if other / CLUSTER_SIZE == block && !solid.is_shell() {
                continue;
            }
            let beside = match owners.divided_slot(other) {
                // The other one will see to it.
                Some(_) if other > triangle && !solid.is_shell() => continue,
                Some(slot) if owners.in_divided(slot) == owner => self.nodes.divided(slot),
                None if owners.of(other) == owner => self.nodes.triangle(solid, other),
                // Along a crowded edge of a shell a cut neighbour need not know of this triangle.
                _ if solid.is_shell() && owner != UNAFFECTED => match self.in_cell(owner, other) {
                    Some(beside) => beside,
                    None => continue,
                },
                _ => continue,
            };
            self.unite(own, beside);
        }
    }

    /// In a shell: whole triangles with what is left of cut ones along crowded edges.
    fn collect_crowded(&self, runs: &mut Vec<Run>) {
        let solid = self.parts.solid;
        let last = solid.triangle_count() as u32;
        for triangle in 0..last {
            if self.nodes.owners.of(triangle) != UNAFFECTED {
                continue;
            }
            let points = solid.points_of(triangle);
            for k in 0..3 {
                let half_edge = 3 * triangle + k as u32;
                if cut(self.nodes.owners.of(solid.twin(half_edge) / 3)).is_some() {
                    let ends = [points[k], points[(k + 1) % 3]].map(VertexKey::Point);
                    let keys = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                    let own = self.nodes.triangle(solid, triangle);
                    runs.push((solid.edge(half_edge), keys, own));
                }
            }
        }
    }

    fn join_rests(&self, lists: &mut ConnectScratch) {
        let solid = self.parts.solid;
        lists.runs.clear();
        if solid.is_shell() {
            self.collect_crowded(&mut lists.runs);
        }
        for (index, rest) in self.parts.rests.iter().enumerate() {
            for &(k, [from, to], region) in &rest.runs {
                let own = self.nodes.rest(index as u32, region);
                let half_edge = 3 * rest.triangle + u32::from(k);
                let other = solid.twin(half_edge) / 3;
                if self.nodes.owners.of(other) == UNAFFECTED {
                    self.unite(own, self.nodes.triangle(solid, other));
                } else {
                    let keys = [from.min(to), from.max(to)];
                    lists.runs.push((solid.edge(half_edge), keys, own));
                }
            }
        }
        lists.runs.sort_unstable();
        for pair in lists.runs.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
                self.unite(pair[0].2, pair[1].2);
            }
        }
    }

    /// Joins cap regions with the surface at their borders, and with each other along stretches.
    fn join_caps(&self, slot: u32, sides: &[CapSide], lists: &mut ConnectScratch) {
        lists.along.clear();
        for CapSide { cap: index, side } in sides {
            let cap = self.parts.cap(*index);
            let first = self.parts.slots.of(cap.cells[0]);
            for &(border, region) in &cap.borders {
                let own = self.nodes.cap(*index, region, *side);
                match border {
                    CapBorder::Span(stretch) => lists.along.push((stretch, own)),
                    CapBorder::Surface(polygon) => {
                        if let Some(beside) = self.beside(cap, [first, slot], polygon) {
                            self.unite(own, beside);
                        }
                    }
                }
            }
        }
        lists.along.sort_unstable();
        for pair in lists.along.windows(2) {
            if pair[0].0 == pair[1].0 {
                self.unite(pair[0].1, pair[1].1);
            }
        }
    }

    /// What lies beside a cut on the side of `slot`; the cut is that of a polygon of slot `first`.
    fn beside(&self, cap: &Cap, [first, slot]: [u32; 2], polygon: u32) -> Option<u32> {
        if slot == first {
            return Some(self.nodes.polygon(polygon));
        }
        let triangle = self.parts.surface.polygon(polygon).triangle;
        if slot != UNAFFECTED {
            return self.in_cell(slot, triangle);
        }
        let rests = self.parts.rests;
        let index = rests.binary_search_by_key(&triangle, |r| r.triangle).ok()?;
        let mut cuts = rests[index].cuts.iter();
        let cut = cuts.find(|(cells, _)| *cells == cap.cells)?;
        Some(self.nodes.rest(index as u32, cut.1))
    }

    /// The node of the part of a polygon's neighbour that lies in its cell; nothing for another
    /// polygon that comes before it and has seen to it.
    fn beyond_edge(&self, slot: u32, triangle: u32, other: u32) -> Option<u32> {
        let owner = self.nodes.owners.of(other);
        let is_seen_to = other < triangle && cut(owner).is_some();
        match is_seen_to && !self.parts.solid.is_shell() {
            true => None,
            false => self.part_in(owner, slot, other),
        }
    }

    /// The node of the part of a triangle that lies in a cell.
    fn in_cell(&self, slot: u32, triangle: u32) -> Option<u32> {
        self.part_in(self.nodes.owners.of(triangle), slot, triangle)
    }

    fn part_in(&self, owner: u32, slot: u32, triangle: u32) -> Option<u32> {
        if owner == slot {
            return Some(self.nodes.triangle(self.parts.solid, triangle));
        }
        let polygon = self.parts.surface.polygon_in(cut(owner)?, slot)?;
        Some(self.nodes.polygon(polygon))
    }

    /// The smaller root stays, so that the result does not depend on the order.
    fn unite(&self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.set(a.max(b), a.min(b));
        }
    }

    fn find(&self, mut node: u32) -> u32 {
        loop {
            let parent = self.parent(node);
            let above = self.parent(parent);
            if above == parent {
                return parent;
            }
            self.set(node, above);
            node = above;
        }
    }

    // Each node is only touched by the thread that joins its cell: no order is needed.

    fn parent(&self, node: u32) -> u32 {
        self.parents[node as usize].load(Ordering::Relaxed)
    }

    fn set(&self, node: u32, parent: u32) {
        self.parents[node as usize].store(parent, Ordering::Relaxed);
    }
}
