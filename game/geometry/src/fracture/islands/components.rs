//! Connected components of the cut solid's elements, by union-find.
//!
//! Two elements are united where they share a part of an edge within one wedge of material: across a pair of
//! half-edges, across a cut, or along a span of a Voronoi edge. Elements that merely touch at points or edges
//! are not united. No component extends from one affected cell into another cell, so each cell, and the
//! unaffected remainder, is connected independently of the others.

use crate::fracture::ids::{CapId, ComponentId, LocalCell, PolygonId, ResidualId};
use crate::fracture::islands::connect::{CapSide, ConnectScratch, Connector};
use crate::fracture::islands::element_index::ElementIndex;
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::labels::Label;
use crate::math::{Csr, UnionFind, NONE};
use std::sync::atomic::AtomicU32;

/// Connected components; reused from one break to the next.
#[derive(Default)]
pub struct Components {
    index: ElementIndex,
    forest: UnionFind,
    /// By triangle of divided clusters: bits of the connected set of which it is the first triangle, else 0.
    triangle_sets: Vec<AtomicU32>,
    /// By local cell: sides of its caps; the last row has those towards cells that are not affected.
    cap_sides: Csr<CapSide>,
    /// By element id: its component.
    component_of: Vec<u32>,
    /// Components in the order of their first elements, with their elements in a fixed order.
    elements: Csr<Element>,
    count: u32,
    /// Scratch: each element and its component.
    pairs: Vec<(u32, Element)>,
}

impl Components {
    /// Numbers all elements, each a component of its own. Returns the number of jobs: one for each affected
    /// cell, and one for the unaffected elements.
    pub fn start(&mut self, cut: &CutSolid) -> usize {
        self.index.fill(cut);
        self.forest.reset(self.index.count());
        self.triangle_sets.clear();
        let triangles = self.index.divided_triangles();
        self.triangle_sets
            .extend((0..triangles).map(|_| AtomicU32::new(0)));
        let jobs = cut.affected.count() + 1;
        self.cap_sides.fill(jobs, || {
            cut.cap_ids().flat_map(|cap| {
                [0, 1].map(|side| {
                    let cell = cut.cap(cap).cells[usize::from(side)];
                    let local = cut.affected.local(cell);
                    let row = local.map_or(jobs as u32 - 1, |local| local.0);
                    (row, CapSide { cap, side })
                })
            })
        });
        jobs
    }

    /// Connects the elements of one job; jobs may run at the same time, as no two touch the same component.
    pub fn connect(&self, cut: &CutSolid, job: usize, scratch: &mut ConnectScratch) {
        let connector = Connector {
            cut,
            index: &self.index,
            forest: &self.forest,
            triangle_sets: &self.triangle_sets,
        };
        let sides = self.cap_sides.row(job as u32);
        if job < cut.affected.count() {
            connector.connect_cell(LocalCell(job as u32), sides, scratch);
        } else {
            connector.connect_unaffected(sides, scratch);
        }
    }

    /// Numbers the components by their first elements and sorts the elements by component, after all jobs.
    pub fn finish(&mut self, cut: &CutSolid) {
        self.component_of.clear();
        self.component_of.resize(self.index.count(), NONE);
        self.pairs.clear();
        self.count = 0;
        self.index
            .for_each(cut, &self.triangle_sets, |element, id| {
                let root = self.forest.find(id.0) as usize;
                if self.component_of[root] == NONE {
                    self.component_of[root] = self.count;
                    self.count += 1;
                }
                let component = self.component_of[root];
                self.component_of[id.index()] = component;
                self.pairs.push((component, element));
            });
        self.elements
            .fill(self.count as usize, || self.pairs.iter().copied());
    }

    /// Number of components.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Ids of all components.
    pub fn ids(&self) -> impl Iterator<Item = ComponentId> {
        (0..self.count).map(ComponentId)
    }

    /// Elements of a component.
    pub fn elements(&self, component: ComponentId) -> &[Element] {
        self.elements.row(component.0)
    }

    /// Component of one side of a region of a cap.
    pub fn of_cap(&self, cap: CapId, region: u32, side: u8) -> ComponentId {
        ComponentId(self.component_of[self.index.cap(cap, region, side).index()])
    }

    /// Component of a triangle; `None` if it is clipped.
    pub fn of_triangle(&self, cut: &CutSolid, triangle: u32) -> Option<ComponentId> {
        if let Label::Clipped(_) = self.index.labels.label(triangle) {
            return None;
        }
        let element = self.index.triangle(cut.solid, triangle);
        let root = self.forest.find(element.0);
        Some(ComponentId(self.component_of[root as usize]))
    }

    /// Component of a polygon.
    pub fn of_polygon(&self, polygon: PolygonId) -> ComponentId {
        ComponentId(self.component_of[self.index.polygon(polygon).index()])
    }

    /// Component of a region of a residual.
    pub fn of_residual(&self, residual: ResidualId, region: u32) -> ComponentId {
        ComponentId(self.component_of[self.index.residual(residual, region).index()])
    }

    /// Affected cell that contains a component; `None` for an unaffected one.
    pub fn cell(&self, cut: &CutSolid, component: ComponentId) -> Option<LocalCell> {
        let label = |triangle| self.index.labels.label(triangle);
        match *self.elements(component).first()? {
            Element::Patch(patch) => label(cut.solid.clusters().first_triangle(patch)).cell(),
            Element::Triangles(set) => label(set.triangles().next()?).cell(),
            Element::Polygon(polygon) => Some(cut.surface.polygon(polygon).cell),
            Element::Cap { cap, side, .. } => {
                cut.affected.local(cut.cap(cap).cells[usize::from(side)])
            }
            Element::Residual(..) => None,
        }
    }
}
