//! The surface in patches: what is far from a break is taken as a whole, without looking at its
//! triangles.
//!
//! A *block* is a run of [`BLOCK`] triangles in the order of the tree's leaves, and so a small region
//! of space. A *patch* is a connected part of the surface within one block; nearly every block is
//! one.

use crate::mass::Tetrahedra;
use std::ops::Range;

/// Triangles of a block; the last one may have fewer.
pub const BLOCK: u32 = 64;

/// The patches of a surface, how they hang together, and what they enclose.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// By triangle.
    of_triangle: Vec<u32>,
    /// By block: its first patch; one more at the end.
    starts: Vec<u32>,
    /// By patch: its first triangle.
    first: Vec<u32>,
    /// By patch: where its links start; one more at the end.
    link_starts: Vec<u32>,
    /// Patches in other blocks that a patch shares an edge with; the larger number of two, but for
    /// edges of a shell that only one side knows of.
    links: Vec<u32>,
    /// By patch: its tetrahedra about the solid's origin.
    sums: Vec<Tetrahedra>,
}

impl Patches {
    /// Finds the patches of a surface given by the twins of its half-edges. `add` adds a triangle
    /// to a sum about the solid's origin.
    pub fn new(twins: &[u32], add: impl Fn(&mut Tetrahedra, u32)) -> Self {
        let count = twins.len() as u32 / 3;
        let mut patches = Self {
            of_triangle: vec![u32::MAX; count as usize],
            ..Self::default()
        };
        let mut todo = Vec::new();
        for block in 0..count.div_ceil(BLOCK) {
            patches.starts.push(patches.first.len() as u32);
            let own = block * BLOCK..((block + 1) * BLOCK).min(count);
            for triangle in own.clone() {
                if patches.of_triangle[triangle as usize] == u32::MAX {
                    patches.grow(twins, &own, triangle, &mut todo);
                }
            }
        }
        patches.starts.push(patches.first.len() as u32);
        patches.sums = vec![Tetrahedra::default(); patches.first.len()];
        for triangle in 0..count {
            let patch = patches.of_triangle[triangle as usize];
            add(&mut patches.sums[patch as usize], triangle);
        }
        patches.link(twins);
        patches
    }

    /// Collects the patch of a triangle within its block.
    fn grow(&mut self, twins: &[u32], own: &Range<u32>, triangle: u32, todo: &mut Vec<u32>) {
        let patch = self.first.len() as u32;
        self.first.push(triangle);
        self.of_triangle[triangle as usize] = patch;
        todo.push(triangle);
        while let Some(triangle) = todo.pop() {
            for half_edge in 3 * triangle..3 * triangle + 3 {
                let other = twins[half_edge as usize] / 3;
                if own.contains(&other) && self.of_triangle[other as usize] == u32::MAX {
                    self.of_triangle[other as usize] = patch;
                    todo.push(other);
                }
            }
        }
    }

    fn link(&mut self, all: &[u32]) {
        let mut found: Vec<u32> = Vec::new();
        let mut half_edges = all.chunks((3 * BLOCK) as usize);
        for block in 0..self.starts.len() - 1 {
            let own = self.starts[block]..self.starts[block + 1];
            let twins = half_edges.next().unwrap_or_default();
            for patch in own {
                self.link_starts.push(self.links.len() as u32);
                found.clear();
                for (at, twin) in twins.iter().enumerate() {
                    let triangle = block * BLOCK as usize + at / 3;
                    let beside = self.of_triangle[*twin as usize / 3];
                    // Each link once; along a crowded edge of a shell only one side knows of it.
                    let one_way =
                        || all[*twin as usize] as usize != 3 * block * BLOCK as usize + at;
                    let is_new = beside > patch || (beside < patch && one_way());
                    if self.of_triangle[triangle] == patch && is_new {
                        found.push(beside);
                    }
                }
                found.sort_unstable();
                found.dedup();
                self.links.extend_from_slice(&found);
            }
        }
        self.link_starts.push(self.links.len() as u32);
    }

    /// How many patches there are.
    pub fn count(&self) -> u32 {
        self.first.len() as u32
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The patches of a block.
    pub fn of_block(&self, block: u32) -> Range<u32> {
        self.starts[block as usize]..self.starts[block as usize + 1]
    }

    /// The patch of a triangle.
    pub fn of_triangle(&self, triangle: u32) -> u32 {
        self.of_triangle[triangle as usize]
    }

    /// The first triangle of a patch.
    pub fn first(&self, patch: u32) -> u32 {
        self.first[patch as usize]
    }

    /// The triangles of a patch, ascending.
    pub fn triangles(&self, patch: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.first(patch);
        let end = ((first / BLOCK + 1) * BLOCK).min(self.of_triangle.len() as u32);
        (first..end).filter(move |triangle| self.of_triangle(*triangle) == patch)
    }

    /// Patches in other blocks that a patch shares an edge with, each pair at least once.
    pub fn links(&self, patch: u32) -> &[u32] {
        let at = patch as usize;
        &self.links[self.link_starts[at] as usize..self.link_starts[at + 1] as usize]
    }

    /// A patch's tetrahedra about the solid's origin.
    pub fn sum(&self, patch: u32) -> &Tetrahedra {
        &self.sums[patch as usize]
    }

    /// The tetrahedra of the whole surface.
    pub fn total(&self) -> Tetrahedra {
        let mut total = Tetrahedra::default();
        for sum in &self.sums {
            total.join(sum);
        }
        total
    }

    pub fn memory(&self) -> usize {
        let words = self.of_triangle.len()
            + self.starts.len()
            + self.first.len()
            + self.link_starts.len()
            + self.links.len();
        4 * words + self.sums.len() * size_of::<Tetrahedra>()
    }
}
