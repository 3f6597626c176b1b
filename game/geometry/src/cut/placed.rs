//! What a break is asked to do.

use crate::placement::Placement;
use glam::DVec3;

/// Where the pattern lies and which of its cells break off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FractureParams {
    /// Pattern space to object space.
    pub placement: Placement,
    /// The cells that become fragments.
    pub affected: CellSelection,
}

/// Which cells become fragments; everything in the others stays merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellSelection {
    /// Every cell.
    All,
    /// The cell that holds the point, and every cell whose site lies within the radius.
    Within {
        /// The impact in object space, metres.
        point: DVec3,
        /// Metres, above 0.
        radius: f64,
    },
}
