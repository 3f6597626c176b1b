//! A hierarchy of triangle clusters: far from a break the surface is taken cluster by cluster, without
//! visiting triangles.
//!
//! A *cluster* is a run of [`CLUSTER_SIZE`] triangles in the order of the BVH's leaves, and so a small
//! region of space; [`CLUSTER_FANOUT`] clusters form a cluster of the next level, up to a few at the
//! top. A *patch* is a connected component of one cluster; nearly every cluster has only one. Clusters
//! and patches are numbered from the lowest level to the highest.

use crate::math::{bits, Csr, NONE};
use crate::mesh::bvh;
use crate::mesh::mass::MassAccumulator;
use std::ops::Range;

/// Triangles of a cluster of the lowest level; the last one may have fewer. Sets of them are bits of a
/// `u32`.
pub const CLUSTER_SIZE: u32 = (bvh::LEAF * bvh::FAN) as u32;
/// Clusters of one level that form a cluster of the next.
const CLUSTER_FANOUT: u32 = bvh::FAN as u32;
/// Clusters of the highest level at most.
const MAX_TOP_CLUSTERS: u32 = 8;

/// A patch of a solid: a connected part of its surface, a few triangles or a large share of all. Patches
/// are numbered from the finest to the coarsest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct PatchId(pub u32);

impl PatchId {
    /// The id as an index.
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Clusters and patches of a surface, how patches are connected, and the volumes that they enclose.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// By triangle: its patch of the lowest level.
    patch_of_triangle: Vec<u32>,
    /// By level: its first cluster and its first patch; one more at the end.
    levels: Vec<[u32; 2]>,
    /// By cluster: its first patch; one more at the end.
    first_patches: Vec<u32>,
    /// By patch: its cluster.
    cluster_of_patch: Vec<u32>,
    /// By patch: its first triangle.
    first_triangles: Vec<u32>,
    /// By patch: the patch of the next level that contains it.
    parents: Vec<u32>,
    /// By patch: the patches of the same level, in other clusters, with which it shares an edge.
    links: Csr<PatchId>,
    /// By patch: its tetrahedra about the solid's origin.
    sums: Vec<MassAccumulator>,
}

/// Labels connected components, range by range; labels count up from 0.
struct Labeler {
    labels: Vec<u32>,
    /// The number of labels.
    count: u32,
    stack: Vec<u32>,
}

impl Labeler {
    fn new(items: usize) -> Self {
        Self {
            labels: vec![NONE; items],
            count: 0,
            stack: Vec::new(),
        }
    }

    /// Labels the connected components within a range of items; calls back with each label and item.
    fn label_components<I: Iterator<Item = u32>>(
        &mut self,
        range: Range<u32>,
        neighbors: impl Fn(u32) -> I,
        mut visit: impl FnMut(u32, u32),
    ) {
        for seed in range.clone() {
            if self.labels[seed as usize] != NONE {
                continue;
            }
            self.labels[seed as usize] = self.count;
            self.stack.push(seed);
            while let Some(item) = self.stack.pop() {
                visit(self.count, item);
                for other in neighbors(item) {
                    if range.contains(&other) && self.labels[other as usize] == NONE {
                        self.labels[other as usize] = self.count;
                        self.stack.push(other);
                    }
                }
            }
            self.count += 1;
        }
    }
}

/// By triangle of a cluster of the lowest level: its neighbours in the cluster, as bits. The cluster is
/// given by the twins of its half-edges and its first triangle. Neighbours in other clusters go to
/// `outside`, in pairs.
fn adjacency(
    twins: &[u32],
    first: u32,
    outside: &mut Vec<[u32; 2]>,
) -> [u32; CLUSTER_SIZE as usize] {
    let mut adjacent = [0; CLUSTER_SIZE as usize];
    for (half_edge, twin) in (0..).zip(twins) {
        let (own, other) = (half_edge / 3, twin / 3);
        let place = other.wrapping_sub(first);
        if place < CLUSTER_SIZE {
            adjacent[own as usize] |= 1 << place;
        } else {
            outside.push([first + own, other]);
        }
    }
    adjacent
}

/// One level under construction; clusters and patches are numbered from 0.
#[derive(Default)]
struct Level {
    /// By cluster: its first patch; one more at the end.
    first_patches: Vec<u32>,
    /// By patch: its first triangle.
    first_triangles: Vec<u32>,
    links: Csr<u32>,
    sums: Vec<MassAccumulator>,
}

impl Level {
    fn patch_count(&self) -> usize {
        self.first_triangles.len()
    }

    fn cluster_count(&self) -> u32 {
        self.first_patches.len() as u32 - 1
    }

    /// The lowest level of a surface, and the patch of each triangle.
    fn lowest(twins: &[u32], mut add: impl FnMut(&mut MassAccumulator, u32)) -> (Self, Vec<u32>) {
        let count = twins.len() / 3;
        let mut level = Self::default();
        let mut patch_of_triangle = vec![0; count];
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        let of_clusters = twins.chunks(3 * CLUSTER_SIZE as usize);
        for (first, own) in (0u32..).step_by(CLUSTER_SIZE as usize).zip(of_clusters) {
            let first_patch = level.patch_count();
            level.first_patches.push(first_patch as u32);
            let adjacent = adjacency(own, first, &mut pairs);
            let all = u32::MAX >> (CLUSTER_SIZE as usize - own.len() / 3);
            bits::for_each_component(all, &adjacent, |patch| {
                let number = level.patch_count() as u32;
                level.first_triangles.push(first + patch.trailing_zeros());
                let mut sum = MassAccumulator::default();
                for triangle in bits::members(patch).map(|bit| first + bit) {
                    patch_of_triangle[triangle as usize] = number;
                    add(&mut sum, triangle);
                }
                level.sums.push(sum);
            });
            // Neighbours in several patches of a cluster: twins need not be mutual at non-manifold
            // edges of a shell.
            if level.patch_count() > first_patch + 1 {
                let own = (0..).zip(own).map(|(h, twin)| [first + h / 3, twin / 3]);
                pairs.extend(own.filter(|[_, other]| other.wrapping_sub(first) < CLUSTER_SIZE));
            }
        }
        level.first_patches.push(level.patch_count() as u32);
        level.set_links(pairs.into_iter(), &patch_of_triangle);
        (level, patch_of_triangle)
    }

    /// The next level, and the patch in it that contains each patch of this level.
    fn coarsen(&self) -> (Self, Vec<u32>) {
        let mut coarse = Self::default();
        let mut labeler = Labeler::new(self.patch_count());
        let links = |patch: u32| self.links.row(patch).iter().copied();
        for start in (0..self.cluster_count()).step_by(CLUSTER_FANOUT as usize) {
            let end = (start + CLUSTER_FANOUT).min(self.cluster_count());
            coarse.first_patches.push(labeler.count);
            let own = self.first_patches[start as usize]..self.first_patches[end as usize];
            labeler.label_components(own, links, |parent, patch| {
                if parent as usize == coarse.first_triangles.len() {
                    let first = self.first_triangles[patch as usize];
                    coarse.first_triangles.push(first);
                    coarse.sums.push(MassAccumulator::default());
                }
                coarse.sums[parent as usize].merge(&self.sums[patch as usize]);
            });
        }
        let parents = labeler.labels;
        coarse.first_patches.push(coarse.patch_count() as u32);
        let patches = 0..self.patch_count() as u32;
        let pairs = patches.flat_map(|patch| links(patch).map(move |other| [patch, other]));
        coarse.set_links(pairs, &parents);
        (coarse, parents)
    }

    /// Sets the links from pairs of neighbours of the level below in both directions, and the patch of
    /// each.
    fn set_links(&mut self, neighbors: impl Iterator<Item = [u32; 2]>, patches: &[u32]) {
        let pairs = neighbors.map(|pair| pair.map(|item| patches[item as usize]));
        let pairs: Vec<[u32; 2]> = pairs.filter(|[own, other]| own != other).collect();
        let rows = || pairs.iter().map(|[own, other]| (*own, *other));
        self.links = Csr::new(self.patch_count(), rows);
        self.links.sort_and_dedup_rows();
    }
}

impl Clusters {
    /// Builds the hierarchy of a surface given by the twins of its half-edges. `add` adds a triangle to
    /// a sum about the solid's origin.
    pub fn new(twins: &[u32], add: impl Fn(&mut MassAccumulator, u32)) -> Self {
        let (mut level, patch_of_triangle) = Level::lowest(twins, add);
        let mut clusters = Self {
            patch_of_triangle,
            levels: vec![[0, 0]],
            ..Self::default()
        };
        while level.cluster_count() > MAX_TOP_CLUSTERS {
            let (coarse, parents) = level.coarsen();
            clusters.append(&level, parents);
            level = coarse;
        }
        clusters.append(&level, Vec::new());
        clusters.first_patches.push(clusters.patch_count());
        clusters
    }

    /// Appends a level with the parents of its patches, which the highest level does not have.
    fn append(&mut self, level: &Level, parents: Vec<u32>) {
        let (first_cluster, first_patch) = (self.first_patches.len() as u32, self.patch_count());
        let patches = level.patch_count() as u32;
        for (cluster, own) in (first_cluster..).zip(level.first_patches.windows(2)) {
            self.first_patches.push(first_patch + own[0]);
            let own = own[0]..own[1];
            self.cluster_of_patch.extend(own.map(|_| cluster));
        }
        self.links
            .append(&level.links, |other| PatchId(first_patch + other));
        self.first_triangles.extend(&level.first_triangles);
        self.sums.extend(&level.sums);
        let next_level = first_patch + patches;
        self.parents
            .extend(parents.iter().map(|parent| next_level + parent));
        self.levels
            .push([self.first_patches.len() as u32, next_level]);
    }

    /// The number of patches on all levels.
    pub fn patch_count(&self) -> u32 {
        self.first_triangles.len() as u32
    }

    /// The number of clusters on all levels.
    pub fn cluster_count(&self) -> u32 {
        self.first_patches.len() as u32 - 1
    }

    /// The clusters of the highest level.
    pub fn top(&self) -> Range<u32> {
        match self.levels[..] {
            [.., [low, _], [high, _]] => low..high,
            _ => 0..0,
        }
    }

    /// The number of clusters of the lowest level.
    pub fn lowest_count(&self) -> u32 {
        self.levels.get(1).map_or(0, |level| level[0])
    }

    /// The level of a cluster, 0 for the lowest.
    fn level_of(&self, cluster: u32) -> usize {
        let first_above = self.levels.partition_point(|[first, _]| *first <= cluster);
        first_above - 1
    }

    /// The clusters that form a cluster of a higher level; none for one of the lowest.
    pub fn children(&self, cluster: u32) -> Range<u32> {
        let level = self.level_of(cluster);
        let Some(below) = level.checked_sub(1) else {
            return 0..0;
        };
        let [[low, _], [high, _]] = [self.levels[below], self.levels[level]];
        let first = low + (cluster - high) * CLUSTER_FANOUT;
        first..(first + CLUSTER_FANOUT).min(high)
    }

    /// The cluster of the next level that contains a cluster.
    pub fn parent_cluster(&self, cluster: u32) -> Option<u32> {
        let level = self.level_of(cluster);
        let has_next = level + 2 < self.levels.len();
        let index = || (cluster - self.levels[level][0]) / CLUSTER_FANOUT;
        has_next.then(|| self.levels[level + 1][0] + index())
    }

    /// The patches of a cluster.
    pub fn patches_of(&self, cluster: u32) -> impl ExactSizeIterator<Item = PatchId> {
        let cluster = cluster as usize;
        (self.first_patches[cluster]..self.first_patches[cluster + 1]).map(PatchId)
    }

    /// The patch of the lowest level that contains a triangle.
    pub fn patch_of_triangle(&self, triangle: u32) -> PatchId {
        PatchId(self.patch_of_triangle[triangle as usize])
    }

    /// The cluster of a patch.
    pub fn cluster_of(&self, patch: PatchId) -> u32 {
        self.cluster_of_patch[patch.index()]
    }

    /// The patch of the next level that contains a patch.
    pub fn parent(&self, patch: PatchId) -> Option<PatchId> {
        self.parents.get(patch.index()).copied().map(PatchId)
    }

    /// The first triangle of a patch.
    pub fn first_triangle(&self, patch: PatchId) -> u32 {
        self.first_triangles[patch.index()]
    }

    /// The triangles of a patch, ascending.
    pub fn triangles(&self, patch: PatchId) -> impl Iterator<Item = u32> + '_ {
        let first = self.first_triangle(patch);
        let level = self.level_of(self.cluster_of(patch)) as u32;
        let size = CLUSTER_SIZE.saturating_mul(CLUSTER_FANOUT.saturating_pow(level));
        let end = (first / size + 1).saturating_mul(size);
        let end = end.min(self.patch_of_triangle.len() as u32);
        let ancestor = move |triangle: u32| {
            let mut patch = self.patch_of_triangle(triangle);
            for _ in 0..level {
                patch = PatchId(self.parents[patch.index()]);
            }
            patch
        };
        let is_alone = self.patches_of(self.cluster_of(patch)).len() == 1;
        (first..end).filter(move |triangle| is_alone || ancestor(*triangle) == patch)
    }

    /// The patches of the same level, in other clusters, with which a patch shares an edge.
    pub fn links(&self, patch: PatchId) -> &[PatchId] {
        self.links.row(patch.0)
    }

    /// A patch's tetrahedra about the solid's origin.
    pub fn sum(&self, patch: PatchId) -> &MassAccumulator {
        &self.sums[patch.index()]
    }

    /// The tetrahedra of the whole surface.
    pub fn total(&self) -> MassAccumulator {
        let mut total = MassAccumulator::default();
        for patch in self.top().flat_map(|cluster| self.patches_of(cluster)) {
            total.merge(self.sum(patch));
        }
        total
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        let words = self.patch_of_triangle.len()
            + 2 * self.levels.len()
            + self.first_patches.len()
            + self.cluster_of_patch.len()
            + self.first_triangles.len()
            + self.parents.len();
        4 * words + self.links.memory() + self.sums.len() * size_of::<MassAccumulator>()
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::Mesh;
    use crate::solid::{PatchId, Solid};
    use std::collections::BTreeSet;

    /// Two linked rings of many triangles: several levels, and clusters of more than one patch.
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
        let clusters = solid.clusters();
        assert!(clusters.levels.len() > 3);
        for level in clusters.levels.windows(2) {
            let own = (level[0][1]..level[1][1]).map(PatchId);
            let mut all: Vec<u32> = own.flat_map(|p| clusters.triangles(p)).collect();
            all.sort_unstable();
            assert!(all.iter().copied().eq(0..solid.triangle_count() as u32));
        }
    }

    #[test]
    fn links_are_the_shared_edges_of_every_level() {
        let solid = rings();
        let clusters = solid.clusters();
        for level in clusters.levels.windows(2) {
            let own = || (level[0][1]..level[1][1]).map(PatchId);
            let mut of_triangle = vec![PatchId(0); solid.triangle_count()];
            for patch in own() {
                let mut of_cluster = clusters.patches_of(clusters.cluster_of(patch));
                assert!(of_cluster.any(|other| other == patch));
                for triangle in clusters.triangles(patch) {
                    of_triangle[triangle as usize] = patch;
                }
            }
            let mut wanted = BTreeSet::new();
            for half_edge in 0..3 * solid.triangle_count() as u32 {
                let ends = [half_edge, solid.twin(half_edge)].map(|h| of_triangle[h as usize / 3]);
                if ends[0] != ends[1] {
                    assert_ne!(clusters.cluster_of(ends[0]), clusters.cluster_of(ends[1]));
                    wanted.insert(ends);
                }
            }
            let found = own().flat_map(|p| clusters.links(p).iter().map(move |q| [p, *q]));
            assert!(found.eq(wanted));
        }
    }

    #[test]
    fn clusters_contain_their_children() {
        let solid = rings();
        let clusters = solid.clusters();
        for cluster in 0..clusters.cluster_count() {
            for child in clusters.children(cluster) {
                assert_eq!(clusters.parent_cluster(child), Some(cluster));
                for patch in clusters.patches_of(child) {
                    let parent = clusters.parent(patch).expect("a parent");
                    assert_eq!(clusters.cluster_of(parent), cluster);
                }
            }
        }
    }
}
