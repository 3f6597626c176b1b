//! The bars of a piece of reinforced concrete.

use fracture_geometry::bars::{Bar, BarBlow};

/// Bars of a piece, in body space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PieceBars {
    /// Those that are in the piece, with their bare lengths.
    pub(crate) bars: Vec<Bar>,
    /// The blows that they have got, oldest first.
    pub(crate) blows: Vec<BarBlow>,
}

impl PieceBars {
    /// Whether all figures are in their ranges, as those of a save may not be.
    pub(crate) fn is_valid(&self) -> bool {
        let is_bar = |bar: &Bar| bar.axis < 3 && bar.start.is_finite() && bar.end.is_finite();
        self.bars.iter().all(is_bar) && self.blows.iter().all(BarBlow::is_valid)
    }
}
