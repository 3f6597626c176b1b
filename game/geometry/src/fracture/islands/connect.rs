//! Connection of elements with the same label: those of one affected cell, or the unaffected ones.
//!
//! The rule: elements with the same label on both sides of an edge are united. Edges within a cluster are
//! flooded bit by bit, clusters without cuts are linked by their patches, edges that cuts divide are matched
//! by the keys of their ends.

use crate::fracture::caps::face_caps::{Cap, CapBorder};
use crate::fracture::ids::{CapId, ElementId, LocalCell, PolygonId, ResidualId, SpanId};
use crate::fracture::islands::element_index::ElementIndex;
use crate::fracture::islands::elements::{neighbors, CutSolid, TriangleSet};
use crate::fracture::islands::labels::Label;
use crate::fracture::surface::polygon::{EdgeLabel, VertexKey};
use crate::math::{SparseSet, UnionFind};
use crate::solid::{PatchId, CLUSTER_SIZE};
use std::sync::atomic::{AtomicU32, Ordering};

/// One side of a cap: 0 is that of its first cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct CapSide {
    pub cap: CapId,
    pub side: u8,
}

/// Part of an edge of the solid, and an element at it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EdgePartElement {
    edge: u32,
    /// Keys of its ends, ascending.
    ends: [VertexKey; 2],
    element: ElementId,
}

/// Scratch memory.
#[derive(Default)]
pub struct ConnectScratch {
    /// Sorted, so that elements at the same part become neighbours.
    edge_parts: Vec<EdgePartElement>,
    /// Spans that the current caps border.
    spans: SparseSet,
    /// By index of a span: the first element at it.
    span_elements: Vec<ElementId>,
}

/// Unites elements; may run for different labels at the same time.
pub struct Connector<'a> {
    pub cut: &'a CutSolid<'a>,
    pub index: &'a ElementIndex,
    pub forest: &'a UnionFind,
    /// Output, by triangle of divided clusters: the connected set of which it is the first triangle.
    pub triangle_sets: &'a [AtomicU32],
}

impl Connector<'_> {
    /// Connects the elements in an affected cell; `sides` are those of its caps.
    pub fn connect_cell(&self, cell: LocalCell, sides: &[CapSide], scratch: &mut ConnectScratch) {
        let label = Label::Cell(cell);
        let mut next = 0;
        for range in self.cut.surface.ranges_in(cell) {
            let end = range.end.div_ceil(CLUSTER_SIZE);
            for cluster in next.max(range.start / CLUSTER_SIZE)..end {
                self.connect_cluster(cluster, label);
            }
            next = end;
        }
        for &polygon in self.cut.surface.polygons_in(cell) {
            self.connect_polygon(polygon);
        }
        self.connect_caps(label, sides, scratch);
    }

    /// Connects the unaffected elements; `sides` are those of caps towards them.
    pub fn connect_unaffected(&self, sides: &[CapSide], scratch: &mut ConnectScratch) {
        let (labels, clusters) = (&self.index.labels, self.cut.solid.clusters());
        for patch in self.index.patches() {
            if labels.cluster_label(clusters.cluster_of(patch)) == Some(Label::Unaffected) {
                self.connect_patch(patch, Label::Unaffected);
            }
        }
        for (index, cluster) in labels.divided().iter().enumerate() {
            self.connect_divided(*cluster, index * CLUSTER_SIZE as usize, Label::Unaffected);
        }
        self.connect_residuals(scratch);
        self.connect_caps(Label::Unaffected, sides, scratch);
    }

    /// Connects the elements of a cluster of the lowest level that have a label.
    fn connect_cluster(&self, cluster: u32, label: Label) {
        match self.index.labels.divided_slot(cluster * CLUSTER_SIZE) {
            Some(first) => self.connect_divided(cluster, first, label),
            None => {
                let patches = self.cut.solid.clusters().patches_of(cluster);
                patches.for_each(|patch| self.connect_patch(patch, label));
            }
        }
    }

    /// Unites a patch with the linked ones of its level. Elements of divided clusters unite with it from
    /// their side.
    fn connect_patch(&self, patch: PatchId, label: Label) {
        let clusters = self.cut.solid.clusters();
        let own = self.index.patch(clusters, patch);
        for &other in clusters.links(patch) {
            if self.index.labels.cluster_label(clusters.cluster_of(other)) == Some(label) {
                self.unite(own, self.index.patch(clusters, other));
            }
        }
    }

    /// Connects the whole triangles of a divided cluster that have a label; `first` is the slot of the
    /// cluster's first triangle.
    fn connect_divided(&self, cluster: u32, first: usize, label: Label) {
        let solid = self.cut.solid;
        let count = solid.triangle_count() as u32 - cluster * CLUSTER_SIZE;
        let existing = u32::MAX >> (CLUSTER_SIZE - count.min(CLUSTER_SIZE));
        let bits = self.index.labels.labelled(first, label) & existing;
        TriangleSet { cluster, bits }.for_each_component(solid, |set| {
            let slot = first + set.bits.trailing_zeros() as usize;
            let own = self.index.divided_triangle(slot);
            self.triangle_sets[slot].store(set.bits, Ordering::Relaxed);
            for triangle in set.triangles() {
                let slot = first + (triangle % CLUSTER_SIZE) as usize;
                self.unite(own, self.index.divided_triangle(slot));
                if solid.is_shell() {
                    self.connect_shell_triangle(triangle, own, label);
                } else {
                    self.connect_triangle(triangle, own, label);
                }
            }
        });
    }

    /// Unites a triangle of a divided cluster with its neighbours in other clusters.
    fn connect_triangle(&self, triangle: u32, own: ElementId, label: Label) {
        let labels = &self.index.labels;
        for other in neighbors(self.cut.solid, triangle) {
            if other / CLUSTER_SIZE == triangle / CLUSTER_SIZE {
                continue;
            }
            match labels.divided_slot(other) {
                // Of two triangles in divided clusters the later one unites them.
                Some(_) if other > triangle => {}
                Some(slot) if labels.at_slot(slot) == label => {
                    self.unite(own, self.index.divided_triangle(slot));
                }
                None if labels.label(other) == label => {
                    self.unite(own, self.index.triangle(self.cut.solid, other));
                }
                _ => {}
            }
        }
    }

    /// Unites a triangle of a shell with its neighbours. At a non-manifold edge twins need not be mutual: so
    /// each triangle unites with all its neighbours, clipped ones included.
    fn connect_shell_triangle(&self, triangle: u32, own: ElementId, label: Label) {
        for other in neighbors(self.cut.solid, triangle) {
            if let Some(element) = self.element_with_label(other, label) {
                self.unite(own, element);
            }
        }
    }

    /// Unites a polygon with the elements of its cell across the edges of its triangle.
    fn connect_polygon(&self, id: PolygonId) {
        let (solid, surface) = (self.cut.solid, self.cut.surface);
        let polygon = surface.polygon(id);
        for label in surface.view(polygon).labels {
            let EdgeLabel::Edge(k) = label else { continue };
            let other = solid.twin(3 * polygon.triangle + u32::from(*k)) / 3;
            // Of two clipped triangles the first one unites them; in a shell twins need not be mutual.
            let is_done = other < polygon.triangle
                && !solid.is_shell()
                && matches!(self.index.labels.label(other), Label::Clipped(_));
            if is_done {
                continue;
            }
            if let Some(element) = self.element_with_label(other, Label::Cell(polygon.cell)) {
                self.unite(self.index.polygon(id), element);
            }
        }
    }

    /// Element of a triangle with a label: the whole triangle, or its polygon in the label's cell.
    fn element_with_label(&self, triangle: u32, label: Label) -> Option<ElementId> {
        match (self.index.labels.label(triangle), label) {
            (own, label) if own == label => Some(self.index.triangle(self.cut.solid, triangle)),
            (Label::Clipped(first), Label::Cell(cell)) => {
                let polygon = self.cut.surface.polygon_of_triangle(first, cell)?;
                Some(self.index.polygon(polygon))
            }
            _ => None,
        }
    }

    /// Unites residuals with unaffected triangles across whole edges, and with each other across equal parts
    /// of edges.
    fn connect_residuals(&self, scratch: &mut ConnectScratch) {
        let solid = self.cut.solid;
        let edge_parts = &mut scratch.edge_parts;
        edge_parts.clear();
        if solid.is_shell() {
            self.collect_shell_edges(edge_parts);
        }
        for (id, residual) in (0..).map(ResidualId).zip(self.cut.residuals) {
            for part in &residual.edge_parts {
                let element = self.index.residual(id, part.region);
                let half_edge = 3 * residual.triangle + u32::from(part.edge);
                let other = solid.twin(half_edge) / 3;
                if self.index.labels.label(other) == Label::Unaffected {
                    self.unite(element, self.index.triangle(solid, other));
                } else {
                    edge_parts.push(EdgePartElement {
                        edge: solid.edge(half_edge),
                        ends: ascending(part.ends),
                        element,
                    });
                }
            }
        }
        edge_parts.sort_unstable();
        for pair in edge_parts.windows(2) {
            if pair[0].edge == pair[1].edge && pair[0].ends == pair[1].ends {
                self.unite(pair[0].element, pair[1].element);
            }
        }
    }

    /// Collects the edges between unaffected and clipped triangles of a shell, as twins need not be mutual
    /// there.
    fn collect_shell_edges(&self, out: &mut Vec<EdgePartElement>) {
        let (solid, labels) = (self.cut.solid, &self.index.labels);
        let triangles = 0..solid.triangle_count() as u32;
        for triangle in triangles.filter(|at| labels.label(*at) == Label::Unaffected) {
            let points = solid.points_of(triangle);
            for k in 0..3 {
                let half_edge = 3 * triangle + k as u32;
                if let Label::Clipped(_) = labels.label(solid.twin(half_edge) / 3) {
                    let ends = [points[k], points[(k + 1) % 3]].map(VertexKey::Point);
                    out.push(EdgePartElement {
                        edge: solid.edge(half_edge),
                        ends: ascending(ends),
                        element: self.index.triangle(solid, triangle),
                    });
                }
            }
        }
    }

    /// Unites the regions of caps with the surface at their borders, and with each other along spans.
    fn connect_caps(&self, label: Label, sides: &[CapSide], scratch: &mut ConnectScratch) {
        let (spans, elements) = (&mut scratch.spans, &mut scratch.span_elements);
        spans.clear();
        elements.clear();
        for &CapSide { cap: id, side } in sides {
            let cap = self.cut.cap(id);
            for &(border, region) in &cap.borders {
                let own = self.index.cap(id, region, side);
                match border {
                    CapBorder::Span(SpanId(span)) => {
                        match elements.get(spans.insert(span) as usize) {
                            Some(first) => self.unite(*first, own),
                            None => elements.push(own),
                        }
                    }
                    CapBorder::Surface(polygon) if side == 0 => {
                        self.unite(own, self.index.polygon(polygon));
                    }
                    CapBorder::Surface(polygon) => {
                        if let Some(element) = self.element_behind_cap(cap, label, polygon) {
                            self.unite(own, element);
                        }
                    }
                }
            }
        }
    }

    /// Element at the border of a cap on the side of its second cell; `polygon` is the one on the side of the
    /// first cell.
    fn element_behind_cap(&self, cap: &Cap, label: Label, polygon: PolygonId) -> Option<ElementId> {
        let triangle = self.cut.surface.polygon(polygon).triangle;
        if label == Label::Unaffected {
            let (residual, region) = self.cut.residual_at_cut(triangle, cap.cells)?;
            Some(self.index.residual(residual, region))
        } else {
            self.element_with_label(triangle, label)
        }
    }

    fn unite(&self, a: ElementId, b: ElementId) {
        self.forest.unite(a.0, b.0);
    }
}

/// Two keys in ascending order.
fn ascending([a, b]: [VertexKey; 2]) -> [VertexKey; 2] {
    [a.min(b), a.max(b)]
}
