//! What has become of a body, in few words: the breaks that it took, in order, and where its pieces
//! are. The pieces' meshes follow from it, because the same break gives the same pieces.

use glam::DVec3;
use thiserror::Error;

use super::snapshot::PieceSnapshots;
use crate::jobs::{LocalImpact, StressInput};
use crate::pieces::Motion;
use crate::stress::BrokenFaces;

/// Names a piece by how it came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PieceRef {
    /// The number of the break that made it; `u32::MAX` is none: the whole body.
    pub made_by: u32,
    /// Its place among the pieces of that break.
    pub index: u32,
}

impl PieceRef {
    /// The body before its first break.
    pub const WHOLE: Self = Self {
        made_by: u32::MAX,
        index: 0,
    };
}

/// A break that a body or one of its pieces took.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakRecord {
    /// What was broken.
    pub piece: PieceRef,
    /// What broke it.
    pub cause: LoggedCause,
    /// Breaks that had been asked of it, from which the seeds of its pieces follow.
    pub hits: u64,
    /// How many pieces it was broken into.
    pub pieces: u32,
}

/// What broke a body. All in body space.
#[derive(Clone, Debug, PartialEq)]
pub enum LoggedCause {
    /// A hit.
    Hit(LoggedImpact),
    /// Its own weight.
    Weight(LoggedCollapse),
}

/// A hit, in body space, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedImpact {
    /// Where.
    pub point: [f64; 3],
    /// Outward normal there.
    pub normal: [f64; 3],
    /// J.
    pub energy: f64,
    /// How far it reached, metres.
    pub radius: f64,
    /// Turn of the pattern about the normal, radians.
    pub spin: f64,
    /// Whether it was a blade.
    pub blade: bool,
}

/// A body's own weight when it came apart under it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedCollapse {
    /// m/s^2, body space.
    pub gravity: [f64; 3],
    /// What had cracked before.
    pub cracks: BrokenBonds,
}

/// The faces that are broken between the cells in which a body carries its weight: pairs of those
/// cells, ascending.
pub type BrokenBonds = Vec<[u32; 2]>;

/// A living piece.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceState {
    /// Which.
    pub piece: PieceRef,
    /// Where it is and how it moves.
    pub motion: Motion,
    /// Whether it lies still.
    pub asleep: bool,
    /// Breaks that have been asked of it.
    pub hits: u64,
    /// What has cracked in it under its own weight.
    pub cracks: BrokenBonds,
}

/// What has become of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BreakLog {
    /// In the order in which they came to pass.
    pub breaks: Vec<BreakRecord>,
    /// In the order of their names.
    pub pieces: Vec<PieceState>,
    /// The pieces themselves, if they are not to be made again by breaking the body: as many, and in the
    /// same order, as there are in `pieces` besides the whole body.
    pub kept: Option<PieceSnapshots>,
}

impl BreakLog {
    /// The pieces that live, without the body that is still whole.
    pub(crate) fn living(&self) -> impl Iterator<Item = &PieceState> {
        let is_piece = |state: &&PieceState| state.piece != PieceRef::WHOLE;
        self.pieces.iter().filter(is_piece)
    }
}

/// Why a body cannot be brought to where another one was.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ReplayError {
    /// The body has been broken, or is being broken.
    #[error("it is not whole any more; replay a past on a body that has just been added")]
    NotWhole,
    /// A break does not come out as it did.
    #[error("break {number} of {of} does not come out as it did when it was saved; the mesh, the pattern, the crumb size or the version of the module has changed since")]
    Different {
        /// Which break, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
}

impl LoggedImpact {
    pub(crate) fn of(hit: &LocalImpact) -> Self {
        Self {
            point: hit.point.to_array(),
            normal: hit.normal.to_array(),
            energy: hit.energy,
            radius: hit.radius,
            spin: hit.spin,
            blade: hit.blade,
        }
    }

    /// The hit, which pushes nothing any more.
    pub(crate) fn hit(&self) -> LocalImpact {
        LocalImpact {
            point: DVec3::from_array(self.point),
            normal: DVec3::from_array(self.normal),
            impulse: DVec3::ZERO,
            already_applied: true,
            energy: self.energy,
            radius: self.radius,
            spin: self.spin,
            blade: self.blade,
        }
    }
}

impl LoggedCollapse {
    pub(crate) fn of(strain: &StressInput) -> Self {
        Self {
            gravity: strain.gravity.to_array(),
            cracks: BrokenFaces::clone(&strain.damage),
        }
    }

    pub(crate) fn strain(&self) -> StressInput {
        StressInput {
            gravity: DVec3::from_array(self.gravity),
            damage: self.cracks.clone().into(),
        }
    }
}
