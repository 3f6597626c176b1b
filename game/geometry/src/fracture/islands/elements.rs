//! What a break consists of before it is sorted into pieces.

use crate::fracture::active_cells::ActiveCells;
use crate::fracture::caps::cap::{Cap, CapRef, CellCaps};
use crate::fracture::residual::Residual;
use crate::fracture::surface::clipped_surface::ClippedSurface;
use crate::solid::Solid;

/// Everything a break consists of before it is sorted into pieces.
pub struct CutSolid<'a> {
    pub solid: &'a Solid,
    pub slots: &'a ActiveCells,
    pub surface: &'a ClippedSurface,
    /// By slot.
    pub cell_caps: &'a [CellCaps],
    /// Where each cap is, by slot.
    pub caps: &'a [CapRef],
    /// By triangle, ascending.
    pub rests: &'a [Residual],
}

/// A part of the surface or of a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A patch of the solid that no cut divides.
    Patch(u32),
    /// Whole triangles of a divided block that hang together: the block, and the set of them. See
    /// [`shares`](crate::fracture::islands::shares).
    Share(u32, u32),
    /// A polygon.
    Polygon(u32),
    /// A region of what is left of a triangle: index of the rest, region.
    Residual(u32, u32),
    /// A region of a cap, seen from its first cell (side 0) or from the other (side 1).
    Cap(u32, u32, u8),
}

impl Element {
    /// Whether no cut touches it.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Patch(_) | Self::Share(..))
    }
}

impl CutSolid<'_> {
    pub fn cap(&self, index: u32) -> &Cap {
        let place = self.caps[index as usize];
        &self.cell_caps[place.slot as usize].caps[place.index as usize]
    }
}
