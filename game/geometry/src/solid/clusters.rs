//! The surface in patches: what is far from a break is taken as a whole, without looking at its
//! triangles.
//!
//! A *block* is a run of [`CLUSTER_SIZE`] triangles in the order of the tree's leaves, and so a small region
//! of space; [`CLUSTER_FANOUT`] of them are a block of the next level, and so on up to a few. A *patch* is a
//! connected part of the surface within one block; nearly every block is one. Blocks and patches are
//! numbered from the lowest level to the highest.

use crate::math::NONE;
use crate::mesh::mass::MassAccumulator;
use std::ops::Range;

/// Triangles of a block of the lowest level; the last one may have fewer.
pub const CLUSTER_SIZE: u32 = 32;
/// Blocks of one level that make a block of the next.
const CLUSTER_FANOUT: u32 = 8;
/// There are no levels above one with so few blocks.
const TOP_LEVEL_CLUSTERS: u32 = 8;

/// The patches of a surface, how they hang together, and what they enclose.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// By triangle: its patch of the lowest level.
    of_triangle: Vec<u32>,
    /// By level, and one more at the end: its first block and its first patch.
    levels: Vec<[u32; 2]>,
    /// By block: its first patch; one more at the end.
    starts: Vec<u32>,
    /// By patch: its block.
    blocks: Vec<u32>,
    /// By patch: its first triangle.
    first: Vec<u32>,
    /// By patch: the one of the next level that it is a part of.
    parents: Vec<u32>,
    /// By patch: where its links start; one more at the end.
    link_starts: Vec<u32>,
    /// Patches of the same level, in other blocks, that a patch shares an edge with.
    links: Vec<u32>,
    /// By patch: its tetrahedra about the solid's origin.
    sums: Vec<MassAccumulator>,
}

impl Clusters {
    /// Finds the patches of a surface given by the twins of its half-edges. `add` adds a triangle
    /// to a sum about the solid's origin.
    pub fn new(twins: &[u32], add: impl Fn(&mut MassAccumulator, u32)) -> Self {
        let count = twins.len() as u32 / 3;
        let mut patches = Self {
            of_triangle: vec![NONE; count as usize],
            levels: vec![[0, 0]],
            ..Self::default()
        };
        patches.grow_lowest(twins);
        patches.sums = vec![MassAccumulator::default(); patches.first.len()];
        for triangle in 0..count {
            let patch = patches.of_triangle[triangle as usize];
            add(&mut patches.sums[patch as usize], triangle);
        }
        patches.link_lowest(twins);
        while patches.top().len() as u32 > TOP_LEVEL_CLUSTERS {
            patches.add_level();
        }
        patches.starts.push(patches.first.len() as u32);
        patches.link_starts.push(patches.links.len() as u32);
        patches
    }

    fn grow_lowest(&mut self, twins: &[u32]) {
        let count = self.of_triangle.len() as u32;
        let mut todo = Vec::new();
        for block in 0..count.div_ceil(CLUSTER_SIZE) {
            self.starts.push(self.first.len() as u32);
            let own = block * CLUSTER_SIZE..((block + 1) * CLUSTER_SIZE).min(count);
            for triangle in own.clone() {
                if self.of_triangle[triangle as usize] != NONE {
                    continue;
                }
                let patch = self.push(block, triangle);
                self.of_triangle[triangle as usize] = patch;
                todo.push(triangle);
                while let Some(triangle) = todo.pop() {
                    for half_edge in 3 * triangle..3 * triangle + 3 {
                        let other = twins[half_edge as usize] / 3;
                        if own.contains(&other) && self.of_triangle[other as usize] == NONE {
                            self.of_triangle[other as usize] = patch;
                            todo.push(other);
                        }
                    }
                }
            }
        }
        self.levels
            .push([self.starts.len() as u32, self.first.len() as u32]);
    }

    fn link_lowest(&mut self, twins: &[u32]) {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        // Patches are numbered block by block: what is in order in each block is in order.
        for (block, own) in twins.chunks(3 * CLUSTER_SIZE as usize).enumerate() {
            let start = pairs.len();
            for (at, twin) in own.iter().enumerate() {
                let triangle = block * CLUSTER_SIZE as usize + at / 3;
                let pair = [triangle, *twin as usize / 3].map(|t| self.of_triangle[t]);
                if pair[0] != pair[1] && pairs.last() != Some(&pair) {
                    pairs.push(pair);
                }
            }
            pairs[start..].sort_unstable();
        }
        self.link(pairs, 0..self.first.len() as u32);
    }

    fn push(&mut self, block: u32, first: u32) -> u32 {
        self.blocks.push(block);
        self.first.push(first);
        self.parents.push(NONE);
        self.first.len() as u32 - 1
    }

    /// Takes the links of a level's patches from pairs of neighbours in both directions.
    fn link(&mut self, mut pairs: Vec<[u32; 2]>, patches: Range<u32>) {
        pairs.sort_unstable();
        pairs.dedup();
        let mut pairs = pairs.into_iter().peekable();
        for patch in patches {
            self.link_starts.push(self.links.len() as u32);
            while let Some([_, other]) = pairs.next_if(|[own, _]| *own == patch) {
                self.links.push(other);
            }
        }
    }

    /// Makes the next level of the highest one.
    fn add_level(&mut self) {
        let [[low, first], [high, end]] =
            [self.levels.len() - 2, self.levels.len() - 1].map(|level: usize| self.levels[level]);
        // Links and starts of the level are still without their ends.
        let ends = [self.links.len() as u32, end];
        let links_of = |patches: &Self, patch: u32| {
            let start = patches.link_starts[patch as usize];
            let end = patches.link_starts.get(patch as usize + 1);
            start..end.copied().unwrap_or(ends[0])
        };
        let mut todo = Vec::new();
        for (index, from) in (low..high).step_by(CLUSTER_FANOUT as usize).enumerate() {
            self.starts.push(self.first.len() as u32);
            let block = high + index as u32;
            let to = (from + CLUSTER_FANOUT).min(high);
            let patch_at = |block: u32| {
                if block == high {
                    ends[1]
                } else {
                    self.starts[block as usize]
                }
            };
            let own = patch_at(from)..patch_at(to);
            for patch in own.clone() {
                if self.parents[patch as usize] != NONE {
                    continue;
                }
                let parent = self.push(block, self.first[patch as usize]);
                let mut sum = MassAccumulator::default();
                self.parents[patch as usize] = parent;
                todo.push(patch);
                while let Some(patch) = todo.pop() {
                    sum.join(&self.sums[patch as usize]);
                    for link in links_of(self, patch) {
                        let other = self.links[link as usize];
                        if own.contains(&other) && self.parents[other as usize] == NONE {
                            self.parents[other as usize] = parent;
                            todo.push(other);
                        }
                    }
                }
                self.sums.push(sum);
            }
        }
        let mut pairs = Vec::new();
        for patch in first..end {
            let own = self.parents[patch as usize];
            let others = links_of(self, patch).map(|link| self.links[link as usize]);
            let others = others.map(|other| self.parents[other as usize]);
            pairs.extend(
                others
                    .filter(|other| *other != own)
                    .map(|other| [own, other]),
            );
        }
        self.link(pairs, end..self.first.len() as u32);
        self.levels
            .push([self.starts.len() as u32, self.first.len() as u32]);
    }

    /// How many patches there are on all levels.
    pub fn count(&self) -> u32 {
        self.first.len() as u32
    }

    /// How many blocks there are on all levels.
    pub fn block_count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The blocks of the highest level.
    pub fn top(&self) -> Range<u32> {
        match self.levels[..] {
            [.., [low, _], [high, _]] => low..high,
            _ => 0..0,
        }
    }

    /// How many blocks the lowest level has.
    pub fn lowest(&self) -> u32 {
        self.levels.get(1).map_or(0, |level| level[0])
    }

    /// The level of a block, 0 for the lowest.
    fn level_of_block(&self, block: u32) -> usize {
        self.levels.partition_point(|[first, _]| *first <= block) - 1
    }

    /// The blocks that a block of a higher level is made of; nothing for one of the lowest.
    pub fn children(&self, block: u32) -> Range<u32> {
        let level = self.level_of_block(block);
        let Some(below) = level.checked_sub(1) else {
            return 0..0;
        };
        let [[low, _], [high, _]] = [self.levels[below], self.levels[level]];
        let first = low + (block - high) * CLUSTER_FANOUT;
        first..(first + CLUSTER_FANOUT).min(high)
    }

    /// The block of the next level that a block is a part of.
    pub fn parent_of_block(&self, block: u32) -> Option<u32> {
        let level = self.level_of_block(block);
        let has_next = level + 2 < self.levels.len();
        has_next
            .then(|| self.levels[level + 1][0] + (block - self.levels[level][0]) / CLUSTER_FANOUT)
    }

    /// The patches of a block.
    pub fn of_block(&self, block: u32) -> Range<u32> {
        self.starts[block as usize]..self.starts[block as usize + 1]
    }

    /// The patch of the lowest level that a triangle belongs to.
    pub fn of_triangle(&self, triangle: u32) -> u32 {
        self.of_triangle[triangle as usize]
    }

    /// The block of a patch.
    pub fn block(&self, patch: u32) -> u32 {
        self.blocks[patch as usize]
    }

    /// The patch of the next level that a patch is a part of.
    pub fn parent(&self, patch: u32) -> Option<u32> {
        Some(self.parents[patch as usize]).filter(|parent| *parent != NONE)
    }

    /// The first triangle of a patch.
    pub fn first(&self, patch: u32) -> u32 {
        self.first[patch as usize]
    }

    /// The triangles of a patch, ascending.
    pub fn triangles(&self, patch: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.first(patch);
        let level = self.level_of_block(self.block(patch)) as u32;
        let size = CLUSTER_SIZE.saturating_mul(CLUSTER_FANOUT.saturating_pow(level));
        let end = (first / size + 1).saturating_mul(size);
        let end = end.min(self.of_triangle.len() as u32);
        let ancestor = move |triangle: u32| {
            let mut patch = self.of_triangle(triangle);
            for _ in 0..level {
                patch = self.parents[patch as usize];
            }
            patch
        };
        let is_alone = self.of_block(self.block(patch)).len() == 1;
        (first..end).filter(move |triangle| is_alone || ancestor(*triangle) == patch)
    }

    /// Patches of the same level, in other blocks, that a patch shares an edge with.
    pub fn links(&self, patch: u32) -> &[u32] {
        let at = patch as usize;
        &self.links[self.link_starts[at] as usize..self.link_starts[at + 1] as usize]
    }

    /// A patch's tetrahedra about the solid's origin.
    pub fn sum(&self, patch: u32) -> &MassAccumulator {
        &self.sums[patch as usize]
    }

    /// The tetrahedra of the whole surface.
    pub fn total(&self) -> MassAccumulator {
        let mut total = MassAccumulator::default();
        for block in self.top() {
            self.of_block(block)
                .for_each(|patch| total.join(self.sum(patch)));
        }
        total
    }

    pub fn memory(&self) -> usize {
        let words = self.of_triangle.len()
            + 2 * self.levels.len()
            + self.starts.len()
            + 3 * self.first.len()
            + self.link_starts.len()
            + self.links.len();
        4 * words + self.sums.len() * size_of::<MassAccumulator>()
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::Mesh;
    use crate::solid::Solid;
    use std::collections::BTreeSet;

    /// Two linked rings of many triangles: several levels, blocks of more than one patch.
    fn rings() -> Solid {
        let mut mesh = Mesh::torus(1.0, 0.2, 90, 40);
        let other = Mesh::torus(1.0, 0.2, 70, 40);
        let first = mesh.positions.len() as u32;
        let turned = |[x, y, z]: [f32; 3]| [x + 1.0, z, -y];
        mesh.positions
            .extend(other.positions.iter().map(|p| turned(*p)));
        let shifted = other.triangles.iter().map(|t| t.map(|v| v + first));
        mesh.triangles.extend(shifted);
        mesh.normals.clear();
        mesh.tangents.clear();
        mesh.uvs.clear();
        mesh.surfaces.clear();
        Solid::new(mesh).expect("two rings")
    }

    #[test]
    fn every_level_holds_every_triangle_once() {
        let solid = rings();
        let patches = solid.patches();
        assert!(patches.levels.len() > 3);
        for level in patches.levels.windows(2) {
            let own = level[0][1]..level[1][1];
            let mut all: Vec<u32> = own.flat_map(|p| patches.triangles(p)).collect();
            all.sort_unstable();
            assert!(all.iter().copied().eq(0..solid.triangle_count() as u32));
        }
    }

    #[test]
    fn links_are_the_shared_edges_of_every_level() {
        let solid = rings();
        let patches = solid.patches();
        for level in patches.levels.windows(2) {
            let mut of_triangle = vec![0; solid.triangle_count()];
            for patch in level[0][1]..level[1][1] {
                assert!(patches.of_block(patches.block(patch)).contains(&patch));
                for triangle in patches.triangles(patch) {
                    of_triangle[triangle as usize] = patch;
                }
            }
            let mut wanted = BTreeSet::new();
            for half_edge in 0..3 * solid.triangle_count() as u32 {
                let ends = [half_edge, solid.twin(half_edge)].map(|h| of_triangle[h as usize / 3]);
                if ends[0] != ends[1] {
                    assert_ne!(patches.block(ends[0]), patches.block(ends[1]));
                    wanted.insert(ends);
                }
            }
            let own = level[0][1]..level[1][1];
            let found = own.flat_map(|p| patches.links(p).iter().map(move |q| [p, *q]));
            assert!(found.eq(wanted));
        }
    }

    #[test]
    fn blocks_know_their_children() {
        let solid = rings();
        let patches = solid.patches();
        for block in 0..patches.block_count() {
            for child in patches.children(block) {
                assert_eq!(patches.parent_of_block(child), Some(block));
                for patch in patches.of_block(child) {
                    let parent = patches.parent(patch).expect("a parent");
                    assert_eq!(patches.block(parent), block);
                }
            }
        }
    }
}
