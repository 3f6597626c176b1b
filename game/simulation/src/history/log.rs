//! The break log of a body: the breaks that it and its pieces took, in order, and the states of the
//! living pieces. The pieces' meshes follow from it, because equal breaks give equal pieces.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use thiserror::Error;

use super::snapshot::PieceSnapshots;
use crate::debris::WeldEnd;
use crate::impacts::LocalImpact;
use crate::jobs::StressInput;
use crate::pieces::{Anchor, BreakRadius, CrackSet, DamagedSpot, KeptPattern, PieceBars};
use crate::stress::{BrokenBonds, StressLoad};
use crate::types::{Motion, MAX_FIGURE};

/// Identifies a piece by the break that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PieceRef {
    /// Index of the break in [`BreakLog::breaks`]; `u32::MAX` for the intact body.
    pub break_index: u32,
    /// Index of the piece among the pieces of that break.
    pub piece_index: u32,
}

impl PieceRef {
    /// The body before its first break.
    pub const INTACT: Self = Self {
        break_index: u32::MAX,
        piece_index: 0,
    };
}

/// A break that a body or one of its pieces took.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakRecord {
    /// The piece that broke.
    pub piece: PieceRef,
    /// The cause of the break.
    pub cause: LoggedCause,
    /// Number of breaks that the piece had been asked for. The seeds of its own pieces follow from it.
    pub hits: u64,
    /// Number of pieces that the break made.
    pub pieces: u32,
    /// Where the piece was held when it broke, if it is held by touch ([`Anchors::Touching`](crate::Anchors::Touching)).
    pub held_at: Option<Arc<[Anchor]>>,
}

/// The cause of a break, in body space.
#[derive(Clone, Debug, PartialEq)]
pub enum LoggedCause {
    /// An impact.
    Impact(LoggedImpact),
    /// The body's own weight.
    Weight(LoggedCollapse),
}

impl LoggedCause {
    /// The impact, of a break by one.
    pub(super) fn impact(&mut self) -> Option<&mut LoggedImpact> {
        match self {
            Self::Impact(impact) => Some(impact),
            Self::Weight(_) => None,
        }
    }
}

/// An impact, in body space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedImpact {
    /// Point of the impact, metres.
    pub point: [f64; 3],
    /// Outward normal at the point.
    pub normal: [f64; 3],
    /// Energy, J.
    pub energy: f64,
    /// Radius of the break.
    pub radius: BreakRadius,
    /// Turn of the pattern about the normal, radians.
    pub spin: f64,
    /// True for the cut of a blade.
    pub blade: bool,
    /// Width that the blade took out, metres.
    pub kerf: f64,
    /// The pattern of an earlier break by which this one went on, along the cracks that stayed.
    pub kept: Option<KeptPattern>,
}

/// A collapse of a body under its own weight, or the tearing of a free one that landed.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedCollapse {
    /// Gravity, m/s^2, body space.
    pub gravity: [f64; 3],
    /// Bonds that were broken before.
    pub broken_bonds: BrokenBonds,
    /// Loads besides its own weight.
    pub loads: Vec<StressLoad>,
    /// Places where it only rested on what held it.
    pub loose_supports: Arc<[Anchor]>,
    /// Angular velocity of a free body that landed, rad/s, body space; `None` of a held one.
    pub spin: Option<[f64; 3]>,
}

/// The state of a living piece.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceState {
    /// The piece.
    pub piece: PieceRef,
    /// Pose and velocity.
    pub motion: Motion,
    /// True for a free piece that sleeps.
    pub asleep: bool,
    /// Number of breaks that the piece has been asked for.
    pub hits: u64,
    /// Bonds that its own weight has broken.
    pub broken_bonds: BrokenBonds,
    /// Spots that blows have damaged.
    pub damage: Vec<DamagedSpot>,
    /// Cracks that stay.
    pub cracks: Vec<CrackSet>,
    /// Bars of a piece of reinforced concrete that has any.
    pub bars: Option<Arc<PieceBars>>,
    /// Centres of its bonds with other bodies that have broken, body space.
    pub broken_at: Vec<Vec3>,
    /// Centres of those that the host has been warned of, because they are near their strength, body space.
    pub strained_at: Vec<Vec3>,
    /// Whether the host has been warned of a place inside the piece.
    pub is_strained: bool,
    /// The piece's ends of what joins it to other free pieces, which may be those of other bodies.
    pub welds: Vec<WeldEnd>,
}

impl PieceState {
    /// Whether it is as new, apart from where it is.
    fn is_untouched(&self) -> bool {
        let is_whole = self.broken_bonds.is_empty() && self.broken_at.is_empty();
        let is_unmarked = self.damage.is_empty() && self.cracks.is_empty() && self.bars.is_none();
        let is_untold = self.strained_at.is_empty() && !self.is_strained;
        is_whole && is_unmarked && is_untold && self.welds.is_empty()
    }
}

/// The save of one body, see [`Simulation::save`](crate::Simulation::save).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BreakLog {
    /// The breaks, in the order in which they happened.
    pub breaks: Vec<BreakRecord>,
    /// The living pieces by [`PieceState::piece`], ascending. The intact body is one of them if it has not
    /// broken.
    pub pieces: Vec<PieceState>,
    /// The pieces themselves, so that they need not be made again by breaking the body: as many as there
    /// are in `pieces` besides the intact body, in the same order.
    pub snapshots: Option<PieceSnapshots>,
}

impl BreakLog {
    /// Whether it is that of a body to which nothing has happened, apart from where that is.
    pub fn is_untouched(&self) -> bool {
        self.breaks.is_empty() && self.pieces.iter().all(PieceState::is_untouched)
    }

    /// Iterates over the living pieces, without the intact body.
    pub(crate) fn living(&self) -> impl Iterator<Item = &PieceState> {
        let is_piece = |state: &&PieceState| state.piece != PieceRef::INTACT;
        self.pieces.iter().filter(is_piece)
    }
}

/// An error of [`Simulation::restore`](crate::Simulation::restore).
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ReplayError {
    /// The body has been broken, or is being broken.
    #[error("the body is not intact any more; restore a body that has just been added")]
    NotIntact,
    /// A break has another result than when it was saved.
    #[error("break {number} of {of} does not come out as it did when it was saved; the mesh, the pattern, the dust size or the version of the module has changed since")]
    Different {
        /// Number of the break, from 1.
        number: usize,
        /// Number of breaks in the log.
        of: usize,
    },
}

/// Whether a break has only figures with which one can break a body, as that of another game may not.
pub(crate) fn is_bearable(record: &BreakRecord) -> bool {
    let limit = f64::from(MAX_FIGURE);
    let is_small = |vector: &[f64; 3]| vector.iter().all(|value| value.abs() <= limit);
    match &record.cause {
        LoggedCause::Impact(impact) => {
            let BreakRadius {
                metres,
                smallest,
                largest,
            } = impact.radius;
            let lengths = [metres, smallest, largest, impact.kerf, impact.energy];
            let has_lengths = lengths.iter().all(|value| (0.0..=limit).contains(value));
            let has_radius = metres > 0.0 && smallest <= metres && metres <= largest;
            is_small(&impact.point)
                && is_small(&impact.normal)
                && has_lengths
                && (has_radius || impact.blade)
                && impact.spin.abs() <= limit
        }
        LoggedCause::Weight(collapse) => {
            is_small(&collapse.gravity) && collapse.spin.as_ref().is_none_or(is_small)
        }
    }
}

impl LoggedImpact {
    pub(crate) fn new(impact: &LocalImpact) -> Self {
        Self {
            point: impact.point.to_array(),
            normal: impact.normal.to_array(),
            energy: impact.energy,
            radius: impact.radius,
            spin: impact.spin,
            blade: impact.blade,
            kerf: impact.kerf,
            kept: impact.kept,
        }
    }

    /// Converts back to an impact, which pushes nothing any more.
    pub(crate) fn to_local_impact(self) -> LocalImpact {
        LocalImpact {
            point: DVec3::from_array(self.point),
            normal: DVec3::from_array(self.normal),
            impulse: DVec3::ZERO,
            already_applied: true,
            energy: self.energy,
            residual_impulse: DVec3::ZERO,
            residual_energy: 0.0,
            reach: self.radius.metres,
            radius: self.radius,
            spin: self.spin,
            blade: self.blade,
            kerf: self.kerf,
            kept: self.kept,
        }
    }
}

impl LoggedCollapse {
    pub(crate) fn new(strain: &StressInput) -> Self {
        Self {
            gravity: strain.gravity.to_array(),
            broken_bonds: BrokenBonds::clone(&strain.broken_bonds),
            loads: strain.loads.to_vec(),
            loose_supports: strain.loose_supports.clone(),
            spin: strain.spin.map(|spin| spin.to_array()),
        }
    }

    pub(crate) fn to_strain(&self) -> StressInput {
        StressInput {
            gravity: DVec3::from_array(self.gravity),
            broken_bonds: self.broken_bonds.clone().into(),
            loads: self.loads.clone().into(),
            loose_supports: self.loose_supports.clone(),
            spin: self.spin.map(DVec3::from_array),
        }
    }
}
