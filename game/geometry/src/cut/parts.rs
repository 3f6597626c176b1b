//! What a break consists of before it is sorted into pieces.

use super::caps::{Cap, CapPlace, CellCaps};
use super::rest::Rest;
use super::slots::Slots;
use super::surface::Surface;
use crate::solid::Solid;

/// Everything a break consists of before it is sorted into pieces.
pub struct Parts<'a> {
    pub solid: &'a Solid,
    pub slots: &'a Slots,
    pub surface: &'a Surface,
    /// By slot.
    pub cell_caps: &'a [CellCaps],
    /// Where each cap is, by slot.
    pub caps: &'a [CapPlace],
    /// By triangle, ascending.
    pub rests: &'a [Rest],
}

/// A part of the surface or of a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A patch of the solid that no cut divides.
    Patch(u32),
    /// Whole triangles of a divided block that hang together: the block, and the set of them. See
    /// [`shares`](super::shares).
    Share(u32, u32),
    /// A polygon.
    Polygon(u32),
    /// A region of what is left of a triangle: index of the rest, region.
    Rest(u32, u32),
    /// A region of a cap, seen from its first cell (side 0) or from the other (side 1).
    Cap(u32, u32, u8),
}

impl Part {
    /// Whether no cut touches it.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Patch(_) | Self::Share(..))
    }
}

impl Parts<'_> {
    pub fn cap(&self, index: u32) -> &Cap {
        let place = self.caps[index as usize];
        &self.cell_caps[place.slot as usize].caps[place.index as usize]
    }
}
