//! Pieces of a break that its bars hold together.

use std::f64::consts::PI;

use fracture_geometry::bars::{Bar, BarFigures, Parting};
use fracture_geometry::support::AreaProperties;
use glam::{DMat3, DVec3};

use super::barred_piece::BarredPiece;
use crate::types::square;

/// Acceleration that bars are to bear across, m/s^2: that of gravity twice, because a part comes to hang on them at once.
/// Along them they bear more than three times gravity then, as of a part that swings down from where it was level.
const MIN_ACCELERATION: f64 = 2.0 * 9.81;

/// Two pieces of a break that bars hold together.
pub(crate) struct BarBond {
    /// The first and the second, by their numbers among those that become bodies, ascending.
    pub pieces: [usize; 2],
    /// The sections of the bars together, body space. The normal points from the first to the second.
    pub face: AreaProperties,
    /// Tension at which the steel flows, Pa.
    pub strength: f64,
    /// The longest bare length between the two, metres.
    pub bare: f64,
}

/// Bars that go from one piece to another.
#[derive(Default)]
pub(super) struct BarsBetween {
    /// Where each is in the middle between the two.
    places: Vec<DVec3>,
    /// Sum of their directions from the first to the second.
    along: DVec3,
    /// The bare length of each.
    bare: Vec<f64>,
}

impl BarsBetween {
    /// Adds a bar by the lengths of it that are in one and in the other, in its direction, which is that from the first piece
    /// to the second or the opposite one.
    pub fn add(&mut self, bar: &Bar, [before, after]: [[f64; 2]; 2], is_towards_second: bool) {
        let [end, start] = [before[1], after[0]];
        let axis = DVec3::AXES[bar.axis];
        self.places.push(bar.place(0.5 * (end + start)));
        self.along += if is_towards_second { axis } else { -axis };
        self.bare.push((start - end).max(0.0));
    }

    /// The bond of two pieces; `None` where the bars would not bear the one that hangs on the other: of two free ones the
    /// lighter.
    pub fn bond(
        &self,
        [first, second]: [&BarredPiece; 2],
        figures: &BarFigures,
    ) -> Option<BarBond> {
        let bond = BarBond {
            pieces: [first.body, second.body],
            face: self.face(figures.section())?,
            strength: figures.yield_strength,
            bare: self.bare.iter().copied().fold(0.0, f64::max),
        };
        let hung = if first.hangs_on(second) {
            first
        } else {
            second
        };
        let force = hung.kilograms * MIN_ACCELERATION;
        let strengths = self
            .bare
            .iter()
            .map(|bare| figures.transverse_strength(*bare));
        (strengths.sum::<f64>() >= force).then_some(bond)
    }

    /// The sections of all bars as one face; `None` where as many bars go to the other piece as come back from it.
    fn face(&self, section: f64) -> Option<AreaProperties> {
        let normal = self.along.try_normalize()?;
        let count = self.places.len() as f64;
        let center = self.places.iter().sum::<DVec3>() / count;
        let moments = self.places.iter().map(|place| square(*place - center));
        let moments = moments.fold(DMat3::ZERO, |sum, moment| sum + moment);
        // Those of a disc about its own centre, in all directions.
        let own = DMat3::from_diagonal(DVec3::splat(section / (4.0 * PI)));
        Some(AreaProperties {
            area: section * count,
            center,
            normal,
            moments: section * (moments + count * own),
        })
    }
}

/// The way in which a bar parts that goes from one piece to another.
pub(super) fn parting_of(
    [first, second]: [&BarredPiece; 2],
    bonds: &[BarBond],
    is_torn: bool,
) -> Parting {
    let [one, other] = [first.body, second.body];
    let is_bond = |bond: &BarBond| bond.pieces == [one.min(other), one.max(other)];
    let are_held = first.is_held && second.is_held;
    if are_held || !is_torn && bonds.iter().any(is_bond) {
        Parting::None
    } else if first.hangs_on(second) {
        Parting::InFirst
    } else {
        Parting::InSecond
    }
}
