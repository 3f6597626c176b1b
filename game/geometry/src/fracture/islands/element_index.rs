//! Numbering of the elements as nodes of the union-find forest.

use crate::fracture::ids::{CapId, ElementId, PolygonId, ResidualId};
use crate::fracture::islands::elements::{CutSolid, Element, TriangleSet};
use crate::fracture::islands::labels::CellLabels;
use crate::math::{SparseSet, NONE};
use crate::solid::{Clusters, PatchId, Solid, CLUSTER_SIZE};
use std::sync::atomic::{AtomicU32, Ordering};

/// Ids of the elements: first patches of undivided clusters, then triangles of divided clusters, polygons,
/// regions of residuals, and regions of caps with two sides each.
#[derive(Default)]
pub struct ElementIndex {
    pub labels: CellLabels,
    /// Patches of undivided clusters; a patch's number is its id.
    patches: SparseSet,
    first_triangle: u32,
    first_polygon: u32,
    /// By residual: id of its first region.
    residuals: Vec<u32>,
    /// By cap: id of its first region.
    caps: Vec<u32>,
    count: u32,
}

impl ElementIndex {
    /// Numbers the elements of a cut solid.
    pub fn fill(&mut self, cut: &CutSolid) {
        self.labels
            .fill(cut.solid, cut.surface, cut.affected.count());
        self.labels
            .collect_patches(cut.solid.clusters(), &mut self.patches);
        self.first_triangle = self.patches.len() as u32;
        self.first_polygon = self.first_triangle + self.divided_triangles();
        let mut next = self.first_polygon + cut.surface.polygons.len() as u32;
        let mut reserve = |count: u32| {
            let first = next;
            next += count;
            first
        };
        self.residuals.clear();
        let residuals = cut.residuals.iter();
        self.residuals
            .extend(residuals.map(|residual| reserve(residual.regions.count())));
        self.caps.clear();
        let caps = cut.cap_ids();
        self.caps
            .extend(caps.map(|cap| reserve(2 * cut.cap(cap).regions.count())));
        self.count = next;
    }

    /// Number of ids.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Number of ids for triangles of divided clusters.
    pub fn divided_triangles(&self) -> u32 {
        self.labels.divided().len() as u32 * CLUSTER_SIZE
    }

    /// Patches of undivided clusters.
    pub fn patches(&self) -> impl Iterator<Item = PatchId> + '_ {
        self.patches.ids().iter().copied().map(PatchId)
    }

    /// Calls back with every element and its id. `triangle_sets` has the bits of each connected set of
    /// triangles at the slot of its first triangle, and zeros elsewhere.
    pub fn for_each(
        &self,
        cut: &CutSolid,
        triangle_sets: &[AtomicU32],
        mut f: impl FnMut(Element, ElementId),
    ) {
        for (id, patch) in (0..).map(ElementId).zip(self.patches()) {
            f(Element::Patch(patch), id);
        }
        let sets = triangle_sets.chunks(CLUSTER_SIZE as usize);
        for (cluster, (index, sets)) in self.labels.divided().iter().zip(sets.enumerate()) {
            for (at, bits) in sets.iter().enumerate() {
                let bits = bits.load(Ordering::Relaxed);
                if bits != 0 {
                    let set = TriangleSet {
                        cluster: *cluster,
                        bits,
                    };
                    let slot = index * CLUSTER_SIZE as usize + at;
                    f(Element::Triangles(set), self.divided_triangle(slot));
                }
            }
        }
        for cell in cut.affected.locals() {
            for &polygon in cut.surface.polygons_in(cell) {
                f(Element::Polygon(polygon), self.polygon(polygon));
            }
        }
        for (id, residual) in (0..).map(ResidualId).zip(cut.residuals) {
            for region in 0..residual.regions.count() {
                f(Element::Residual(id, region), self.residual(id, region));
            }
        }
        for cap in cut.cap_ids() {
            for region in 0..cut.cap(cap).regions.count() {
                for side in 0..2 {
                    let element = Element::Cap { cap, region, side };
                    f(element, self.cap(cap, region, side));
                }
            }
        }
    }

    /// Element of a whole triangle: its own in a divided cluster, else that of its patch.
    pub fn triangle(&self, solid: &Solid, triangle: u32) -> ElementId {
        match self.labels.divided_slot(triangle) {
            Some(slot) => self.divided_triangle(slot),
            None => self.patch(
                solid.clusters(),
                solid.clusters().patch_of_triangle(triangle),
            ),
        }
    }

    /// Element of a triangle of a divided cluster, by its slot among those.
    pub fn divided_triangle(&self, slot: usize) -> ElementId {
        ElementId(self.first_triangle + slot as u32)
    }

    /// Element of the largest undivided patch around a patch of an undivided cluster.
    pub fn patch(&self, clusters: &Clusters, mut patch: PatchId) -> ElementId {
        loop {
            let number = self.patches.index_of(patch.0);
            if number != NONE {
                return ElementId(number);
            }
            match clusters.parent(patch) {
                Some(parent) => patch = parent,
                None => return ElementId(0), // unreachable: some cluster above is undivided
            }
        }
    }

    /// Element of a polygon.
    pub fn polygon(&self, polygon: PolygonId) -> ElementId {
        ElementId(self.first_polygon + polygon.0)
    }

    /// Element of a region of a residual.
    pub fn residual(&self, residual: ResidualId, region: u32) -> ElementId {
        ElementId(self.residuals[residual.index()] + region)
    }

    /// Element of one side of a region of a cap.
    pub fn cap(&self, cap: CapId, region: u32, side: u8) -> ElementId {
        ElementId(self.caps[cap.index()] + 2 * region + u32::from(side))
    }
}
