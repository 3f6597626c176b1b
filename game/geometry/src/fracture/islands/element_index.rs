//! The numbering of parts.

use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::labels::CellLabels;
use crate::solid::{Clusters, Solid, CLUSTER_SIZE};
use std::sync::atomic::{AtomicU32, Ordering};

/// The numbering of parts as union-find nodes: whole patches first, then the triangles of divided
/// blocks, polygons, rests, caps.
#[derive(Default)]
pub struct ElementIndex {
    pub owners: CellLabels,
    /// The patches that are taken whole, and the node of each; no others have one.
    pub whole: Vec<u32>,
    node_of_patch: Vec<u32>,
    triangles: u32,
    polygons: u32,
    rests: Vec<u32>,
    caps: Vec<u32>,
    pub count: u32,
}

const NONE: u32 = u32::MAX;

impl ElementIndex {
    /// Numbers the parts of a break.
    pub fn fill(&mut self, parts: &CutSolid) {
        let patches = parts.solid.patches();
        self.owners
            .fill(parts.solid, parts.surface, parts.slots.count());
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
        let mut next = self.triangles + self.divided_count();
        let mut count = |add: u32| {
            let start = next;
            next += add;
            start
        };
        self.polygons = count(parts.surface.polygon_count());
        self.rests.clear();
        let rests = parts.rests.iter();
        self.rests.extend(rests.map(|r| count(r.regions.count())));
        self.caps.clear();
        let caps = 0..parts.caps.len() as u32;
        self.caps
            .extend(caps.map(|c| count(2 * parts.cap(c).regions.count())));
        self.count = next;
    }

    /// How many triangles divided blocks have room for.
    pub fn divided_count(&self) -> u32 {
        self.owners.divided().len() as u32 * CLUSTER_SIZE
    }

    /// Calls back with every part and its node, in the order of the nodes. `shares` are what hangs
    /// together in divided blocks, each with its least triangle.
    pub fn each(&self, parts: &CutSolid, shares: &[AtomicU32], mut f: impl FnMut(Element, u32)) {
        for (node, patch) in self.whole.iter().enumerate() {
            f(Element::Patch(*patch), node as u32);
        }
        let of_block = shares.chunks(CLUSTER_SIZE as usize);
        for (index, (block, own)) in self.owners.divided().iter().zip(of_block).enumerate() {
            let first = self.triangles + index as u32 * CLUSTER_SIZE;
            for (at, share) in own.iter().enumerate() {
                match share.load(Ordering::Relaxed) {
                    0 => {}
                    share => f(Element::Share(*block, share), first + at as u32),
                }
            }
        }
        for polygon in 0..parts.surface.polygon_count() {
            f(Element::Polygon(polygon), self.polygon(polygon));
        }
        for (index, rest) in parts.rests.iter().enumerate() {
            for region in 0..rest.regions.count() {
                f(
                    Element::Residual(index as u32, region),
                    self.rest(index as u32, region),
                );
            }
        }
        for index in 0..parts.caps.len() as u32 {
            for region in 0..parts.cap(index).regions.count() {
                for side in 0..2 {
                    let node = self.cap(index, region, side);
                    f(Element::Cap(index, region, side), node);
                }
            }
        }
    }

    /// The node of a triangle that is not cut: its own, or that of its patch.
    pub fn triangle(&self, solid: &Solid, triangle: u32) -> u32 {
        match self.owners.divided_slot(triangle) {
            Some(slot) => self.divided(slot),
            None => self.whole_patch(solid.patches(), solid.patches().of_triangle(triangle)),
        }
    }

    /// The node of a triangle of a divided block, by its place among those.
    pub fn divided(&self, slot: usize) -> u32 {
        self.triangles + slot as u32
    }

    /// The node of the whole patch that a patch of an undivided block is a part of.
    pub fn whole_patch(&self, patches: &Clusters, mut patch: u32) -> u32 {
        while self.node_of_patch[patch as usize] == NONE {
            match patches.parent(patch) {
                Some(parent) => patch = parent,
                None => return 0, // not reached: some block above is not divided
            }
        }
        self.node_of_patch[patch as usize]
    }

    pub fn polygon(&self, polygon: u32) -> u32 {
        self.polygons + polygon
    }

    pub fn rest(&self, rest: u32, region: u32) -> u32 {
        self.rests[rest as usize] + region
    }

    pub fn cap(&self, cap: u32, region: u32, side: u8) -> u32 {
        self.caps[cap as usize] + 2 * region + u32::from(side)
    }
}
