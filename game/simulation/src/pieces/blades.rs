//! Blades: the patterns by which they cut.

use std::sync::Arc;

use fracture_geometry::glam::DVec3;
use fracture_geometry::{Pattern, PieceKind};

use super::lazy::LazyPattern;

/// The cell of [`CutBy::Kerf`] that is taken out.
const KERF_CELL: u32 = 1;

/// The shape of a cut: whose pattern has made the pieces of a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutBy {
    /// The pattern of the body.
    Pattern,
    /// A blade without a width.
    Blade,
    /// A blade that takes out a kerf.
    Kerf,
}

/// The patterns of blades, which cut across their y axis.
#[derive(Clone)]
pub(crate) struct BladePatterns {
    /// One plane through the origin.
    pub plane: Arc<LazyPattern>,
    /// Two planes at a distance of one half on both sides of the origin: scaled by the width of the kerf.
    pub kerf: Arc<LazyPattern>,
}

impl CutBy {
    /// Whether a blade takes out a piece as its kerf.
    pub fn takes_out(self, kind: PieceKind) -> bool {
        let is_in_kerf = matches!(kind, PieceKind::Fragment { cell, .. } if cell == KERF_CELL);
        self == Self::Kerf && is_in_kerf
    }
}

impl BladePatterns {
    /// The pattern of a cut; `None` for that of the body.
    pub fn of(&self, by: CutBy) -> Option<&Arc<LazyPattern>> {
        match by {
            CutBy::Pattern => None,
            CutBy::Blade => Some(&self.plane),
            CutBy::Kerf => Some(&self.kerf),
        }
    }
}

impl Default for BladePatterns {
    fn default() -> Self {
        let rows = |heights: &'static [f64]| {
            LazyPattern::new(move || {
                let sites: Vec<DVec3> = heights.iter().map(|y| DVec3::Y * *y).collect();
                Pattern::from_sites(&sites)
            })
        };
        Self {
            plane: rows(&[1.0, -1.0]),
            kerf: rows(&[1.0, 0.0, -1.0]),
        }
    }
}
