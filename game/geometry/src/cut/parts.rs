//! What a break consists of before it is sorted into pieces.

use super::caps::Cap;
use super::owners::REST;
use super::rest::Rest;
use super::surface::CellSurface;
use crate::solid::Solid;

/// Everything a break consists of before it is sorted into pieces.
pub struct Parts<'a> {
    pub solid: &'a Solid,
    /// By cell, ascending.
    pub surfaces: &'a [CellSurface],
    pub caps: &'a [Cap],
    /// By triangle, ascending.
    pub rests: &'a [Rest],
}

/// A part of the surface or of a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A patch of the solid that no cut divides.
    Patch(u32),
    /// A whole triangle of the solid.
    Triangle(u32),
    /// A polygon of a cell: slot of the cell, index.
    Polygon(u32, u32),
    /// A region of what is left of a triangle: index of the rest, region.
    Rest(u32, u32),
    /// A region of a cap, seen from its first cell (side 0) or from the other (side 1).
    Cap(u32, u32, u8),
}

impl Part {
    /// Whether no cut touches it.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Patch(_) | Self::Triangle(_))
    }
}

impl Parts<'_> {
    /// The slot of a cell, or [`REST`] when it is not affected.
    pub fn slot(&self, cell: u32) -> u32 {
        let found = self.surfaces.binary_search_by_key(&cell, |s| s.cell);
        found.map_or(REST, |slot| slot as u32)
    }
}
