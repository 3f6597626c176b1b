//! Labels of the solid's triangles: the cell of each, by cluster where a whole cluster has the same.
//!
//! Costs what the affected cells touch; all other clusters are unaffected.

use crate::fracture::ids::{LocalCell, PolygonId};
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::math::SparseSet;
use crate::solid::{Clusters, Solid, CLUSTER_SIZE};

/// Cell of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Label {
    /// In no affected cell.
    #[default]
    Unaffected,
    /// In one affected cell.
    Cell(LocalCell),
    /// Clipped; its polygons start with this one.
    Clipped(PolygonId),
}

impl Label {
    /// Affected cell of a whole triangle.
    pub fn cell(self) -> Option<LocalCell> {
        match self {
            Self::Cell(cell) => Some(cell),
            Self::Unaffected | Self::Clipped(_) => None,
        }
    }
}

/// Label of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClusterLabel {
    /// Of all its triangles.
    Uniform(Label),
    /// Its triangles differ: index among the divided clusters (of the lowest level; 0 above).
    Divided(u32),
}

const UNAFFECTED: ClusterLabel = ClusterLabel::Uniform(Label::Unaffected);
const DIVIDED: ClusterLabel = ClusterLabel::Divided(0);

/// Labels of all clusters, and of the triangles of divided clusters; reused from one break to the next.
#[derive(Default)]
pub struct CellLabels {
    clusters: Vec<ClusterLabel>,
    /// Clusters that are not unaffected.
    touched: Vec<u32>,
    /// Divided clusters of the lowest level, ascending.
    divided: Vec<u32>,
    /// Labels of their triangles, [`CLUSTER_SIZE`] for each.
    triangles: Vec<Label>,
}

impl CellLabels {
    /// Replaces the labels by those of a new break.
    pub fn fill(&mut self, solid: &Solid, surface: &ClippedSurface, cells: usize) {
        for cluster in self.touched.drain(..) {
            self.clusters[cluster as usize] = UNAFFECTED;
        }
        let clusters = solid.clusters();
        if self.clusters.len() < clusters.cluster_count() as usize {
            self.clusters
                .resize(clusters.cluster_count() as usize, UNAFFECTED);
        }
        let cells = || (0..cells as u32).map(LocalCell);
        for cell in cells() {
            self.label_clusters(solid, surface, cell);
        }
        for polygon in &surface.polygons {
            self.touch(clusters, polygon.triangle / CLUSTER_SIZE, DIVIDED);
        }
        if solid.is_shell() {
            // At non-manifold edges twins need not be mutual, so patches cannot be linked as a whole.
            (0..clusters.lowest_count()).for_each(|cluster| self.touch(clusters, cluster, DIVIDED));
        }
        self.number_divided(clusters.lowest_count());
        for cell in cells() {
            for range in surface.ranges_in(cell) {
                self.label_range(range.start, range.end, Label::Cell(cell));
            }
        }
        // Backwards, so that the first polygon of a triangle comes last.
        for (id, polygon) in surface.polygons.iter().enumerate().rev() {
            let label = Label::Clipped(PolygonId(id as u32));
            self.label_range(polygon.triangle, polygon.triangle + 1, label);
        }
    }

    /// Labels the clusters that the ranges of a cell touch.
    fn label_clusters(&mut self, solid: &Solid, surface: &ClippedSurface, cell: LocalCell) {
        let last = solid.triangle_count() as u32;
        for range in surface.ranges_in(cell) {
            let mut start = range.start;
            while start < range.end {
                let cluster = start / CLUSTER_SIZE;
                let end = ((cluster + 1) * CLUSTER_SIZE).min(last);
                let is_whole = start == cluster * CLUSTER_SIZE && end <= range.end;
                let label = if is_whole {
                    ClusterLabel::Uniform(Label::Cell(cell))
                } else {
                    DIVIDED
                };
                self.touch(solid.clusters(), cluster, label);
                start = end;
            }
        }
    }

    /// Labels a cluster of the lowest level; the clusters above it are divided.
    fn touch(&mut self, clusters: &Clusters, cluster: u32, label: ClusterLabel) {
        let is_untouched =
            |labels: &[ClusterLabel], cluster: &u32| labels[*cluster as usize] == UNAFFECTED;
        let mut next = Some(cluster).filter(|cluster| is_untouched(&self.clusters, cluster));
        while let Some(cluster) = next {
            self.clusters[cluster as usize] = DIVIDED;
            self.touched.push(cluster);
            let parent = clusters.parent_cluster(cluster);
            next = parent.filter(|parent| is_untouched(&self.clusters, parent));
        }
        self.clusters[cluster as usize] = label;
    }

    fn number_divided(&mut self, lowest: u32) {
        let touched = self.touched.iter().copied();
        let divided = touched
            .filter(|cluster| *cluster < lowest && self.clusters[*cluster as usize] == DIVIDED);
        self.divided.clear();
        self.divided.extend(divided);
        self.divided.sort_unstable();
        for (index, cluster) in (0..).zip(&self.divided) {
            self.clusters[*cluster as usize] = ClusterLabel::Divided(index);
        }
        self.triangles.clear();
        self.triangles.resize(
            self.divided.len() * CLUSTER_SIZE as usize,
            Label::Unaffected,
        );
    }

    /// Labels the triangles of a range that lie in divided clusters.
    fn label_range(&mut self, mut start: u32, end: u32, label: Label) {
        while start < end {
            let stop = (start / CLUSTER_SIZE * CLUSTER_SIZE + CLUSTER_SIZE).min(end);
            if let Some(first) = self.divided_slot(start) {
                self.triangles[first..first + (stop - start) as usize].fill(label);
            }
            start = stop;
        }
    }

    /// Index of a triangle among those of divided clusters; `None` in an undivided one.
    pub fn divided_slot(&self, triangle: u32) -> Option<usize> {
        match self.clusters[(triangle / CLUSTER_SIZE) as usize] {
            ClusterLabel::Divided(index) => {
                Some((index * CLUSTER_SIZE + triangle % CLUSTER_SIZE) as usize)
            }
            ClusterLabel::Uniform(_) => None,
        }
    }

    /// Label of a triangle of a divided cluster, by its slot.
    pub fn at_slot(&self, slot: usize) -> Label {
        self.triangles[slot]
    }

    /// Label of a triangle.
    pub fn label(&self, triangle: u32) -> Label {
        match self.clusters[(triangle / CLUSTER_SIZE) as usize] {
            ClusterLabel::Uniform(label) => label,
            ClusterLabel::Divided(index) => {
                self.triangles[(index * CLUSTER_SIZE + triangle % CLUSTER_SIZE) as usize]
            }
        }
    }

    /// Label of a cluster of any level, unless it is divided.
    pub fn cluster_label(&self, cluster: u32) -> Option<Label> {
        match self.clusters[cluster as usize] {
            ClusterLabel::Uniform(label) => Some(label),
            ClusterLabel::Divided(_) => None,
        }
    }

    /// Triangles of a divided cluster that have a label, as bits; `first` is the slot of its first one.
    pub fn labelled(&self, first: usize, label: Label) -> u32 {
        let own = &self.triangles[first..first + CLUSTER_SIZE as usize];
        let bits = own.iter().enumerate();
        bits.fold(0, |set, (at, own)| set | u32::from(*own == label) << at)
    }

    /// Divided clusters of the lowest level, ascending.
    pub fn divided(&self) -> &[u32] {
        &self.divided
    }

    /// Collects the patches of the largest undivided clusters, in the order of their triangles.
    pub fn collect_patches(&self, clusters: &Clusters, out: &mut SparseSet) {
        out.clear();
        for cluster in clusters.top() {
            self.collect_below(clusters, cluster, out);
        }
    }

    fn collect_below(&self, clusters: &Clusters, cluster: u32, out: &mut SparseSet) {
        if self.cluster_label(cluster).is_some() {
            for patch in clusters.patches_of(cluster) {
                out.insert(patch.0);
            }
            return;
        }
        for child in clusters.children(cluster) {
            self.collect_below(clusters, child, out);
        }
    }
}
