//! Elements of the cut solid: the smallest parts of its surface and caps that join to pieces.

use crate::fracture::affected_cells::AffectedCells;
use crate::fracture::caps::face_caps::{Cap, CapRef, CellCaps};
use crate::fracture::ids::{CapId, PolygonId, ResidualId};
use crate::fracture::output::round_position;
use crate::fracture::residual::Residual;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::math::bits;
use crate::solid::{PatchId, Solid, CLUSTER_SIZE};
use glam::{DVec3, Vec3};
use std::ops::ControlFlow;

// A set of triangles of one cluster is a word.
const _: () = assert!(CLUSTER_SIZE == u32::BITS);

/// Solid after the cut, before connectivity.
pub struct CutSolid<'a> {
    pub solid: &'a Solid,
    pub affected: &'a AffectedCells,
    pub surface: &'a ClippedSurface,
    /// Caps by local cell.
    pub cell_caps: &'a [CellCaps],
    /// Places of all caps, by local cell.
    pub caps: &'a [CapRef],
    /// Ascending by triangle.
    pub residuals: &'a [Residual],
}

/// Part of the cut solid's surface that is connected in itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Patch of the solid that lies in one cell or is unaffected.
    Patch(PatchId),
    /// Connected whole triangles of a cluster that several cells share.
    Triangles(TriangleSet),
    /// Clipped polygon.
    Polygon(PolygonId),
    /// Region of a residual.
    Residual(ResidualId, u32),
    /// Region of a cap, seen from the cap's first cell (side 0) or from the other (side 1).
    Cap { cap: CapId, region: u32, side: u8 },
}

impl Default for Element {
    fn default() -> Self {
        Self::Patch(PatchId(0))
    }
}

impl Element {
    /// Whether the element consists of whole triangles of the solid.
    pub fn is_uncut(self) -> bool {
        matches!(self, Self::Patch(_) | Self::Triangles(_))
    }
}

/// Triangles of one cluster, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleSet {
    pub cluster: u32,
    pub bits: u32,
}

impl TriangleSet {
    /// Triangles of the set, ascending.
    pub fn triangles(self) -> impl Iterator<Item = u32> {
        bits::members(self.bits).map(move |bit| self.cluster * CLUSTER_SIZE + bit)
    }

    /// Calls back with the connected components of the set, in the order of their first triangles.
    pub fn for_each_component(self, solid: &Solid, mut f: impl FnMut(Self)) {
        let adjacent = self.adjacency(solid);
        bits::for_each_component(self.bits, &adjacent, |bits| f(Self { bits, ..self }));
    }

    /// By triangle of the cluster: the adjacent triangles of the set.
    fn adjacency(self, solid: &Solid) -> [u32; CLUSTER_SIZE as usize] {
        let start = self.cluster * CLUSTER_SIZE;
        let mut adjacent = [0u32; CLUSTER_SIZE as usize];
        for triangle in self.triangles() {
            let own = (triangle - start) as usize;
            for other in neighbors(solid, triangle) {
                let other = other.wrapping_sub(start);
                let at = (other % CLUSTER_SIZE) as usize;
                let is_inside = u32::from(other < CLUSTER_SIZE);
                adjacent[own] |= is_inside << at;
                // At non-manifold edges of a shell twins need not be mutual.
                adjacent[at] |= is_inside << own;
            }
        }
        adjacent
    }
}

/// Triangles across the three edges of a triangle.
pub fn neighbors(solid: &Solid, triangle: u32) -> impl Iterator<Item = u32> + '_ {
    (3 * triangle..3 * triangle + 3).map(|half_edge| solid.twin(half_edge) / 3)
}

impl CutSolid<'_> {
    /// Ids of all caps.
    pub fn cap_ids(&self) -> impl Iterator<Item = CapId> {
        (0..self.caps.len() as u32).map(CapId)
    }

    /// Cap of an id.
    pub fn cap(&self, id: CapId) -> &Cap {
        let place = self.caps[id.index()];
        &self.cell_caps[place.cell.index()][place.index as usize]
    }

    /// Residual of an id.
    pub fn residual(&self, id: ResidualId) -> &Residual {
        &self.residuals[id.index()]
    }

    /// Region of a triangle's residual at the cut between an affected cell and another one.
    pub fn residual_at_cut(&self, triangle: u32, cells: [u32; 2]) -> Option<(ResidualId, u32)> {
        let index = self
            .residuals
            .binary_search_by_key(&triangle, |residual| residual.triangle)
            .ok()?;
        let mut cuts = self.residuals[index].cuts.iter();
        let cut = cuts.find(|cut| cut.cells == cells)?;
        Some((ResidualId(index as u32), cut.region))
    }

    /// Calls back with every triangle of an element, at positions as in the output.
    pub fn for_each_triangle(&self, element: Element, mut f: impl FnMut([DVec3; 3])) {
        let _ = self.visit_triangles(element, |triangle| {
            f(triangle);
            ControlFlow::Continue(())
        });
    }

    /// The same until the callback breaks off.
    pub fn visit_triangles(
        &self,
        element: Element,
        mut f: impl FnMut([DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let rounded = |position: DVec3| Vec3::from(round_position(position)).as_dvec3();
        match element {
            Element::Patch(patch) => {
                let mut triangles = self.solid.clusters().triangles(patch);
                triangles.try_for_each(|triangle| f(self.solid.positions_of(triangle)))?;
            }
            Element::Triangles(set) => {
                let mut triangles = set.triangles();
                triangles.try_for_each(|triangle| f(self.solid.positions_of(triangle)))?;
            }
            Element::Polygon(id) => {
                let view = self.surface.view(self.surface.polygon(id));
                let mut positions = view.positions.iter().map(|position| rounded(*position));
                if let (Some(first), Some(mut last)) = (positions.next(), positions.next()) {
                    for position in positions {
                        f([first, last, position])?;
                        last = position;
                    }
                }
            }
            Element::Residual(id, region) => {
                let residual = self.residual(id);
                let position = |at: u32| rounded(residual.vertices[at as usize].position);
                for &[a, b, c] in residual.regions.triangles(region) {
                    f([position(a), position(b), position(c)])?;
                }
            }
            Element::Cap { cap, region, side } => {
                for [a, b, c] in self.cap(cap).triangles(region) {
                    f(if side == 0 { [a, b, c] } else { [a, c, b] })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
