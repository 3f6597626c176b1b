//! The figures of a certificate: plain data.

use glam::Vec3;

use crate::debris::BodyRef;
use crate::error::BreakFailure;
use crate::structure::HoldingBond;
use crate::types::BodyId;

/// A held body of a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct StructureMember {
    /// Its id in the simulation that was looked at.
    pub body: BodyId,
    /// kg
    pub mass: f64,
    /// m^3
    pub volume: f64,
    /// The way in which it is held.
    pub hold: Hold,
    /// The place that is nearest to failing; `None` where there is no strength to compare with.
    pub weakest: Option<WeakPlace>,
    /// Share of its volume that comes down under the weight of the structure, as it stands: 0 of a sound member, 1 of
    /// one that nothing holds.
    pub falls: f64,
    /// The reason why it cannot break. Such a body is taken to stand.
    pub fault: Option<BreakFailure>,
}

/// The way in which a body is held.
#[derive(Clone, Debug, PartialEq)]
pub enum Hold {
    /// Anchors of its own.
    Anchors,
    /// Bonds with what is held.
    Bonds(Vec<HoldingBond>),
    /// Nothing: it falls.
    Nothing {
        /// The nearest that is held, within a metre.
        nearest: Option<FloatingGap>,
    },
}

/// A gap between a body and another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatingGap {
    /// The other body.
    pub with: BodyRef,
    /// The distance up to which the two would have to count as touching, metres.
    pub distance: f32,
}

/// The place of a body that is nearest to failing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeakPlace {
    /// World space, metres.
    pub point: Vec3,
    /// Stress there as a share of the strength: above 1 it fails.
    pub utilisation: f32,
    /// All that the body carries, its own weight included, N.
    pub load: f64,
}

impl WeakPlace {
    /// The further load, spread like that which the body carries, under which the place fails, N: below zero where it
    /// fails as it is. `None` where it bears nothing.
    pub fn reserve(&self) -> Option<f64> {
        let utilisation = f64::from(self.utilisation);
        (utilisation > 0.0).then(|| self.load * (1.0 / utilisation - 1.0))
    }
}

/// The members that come down when one is taken out.
#[derive(Clone, Debug, PartialEq)]
pub struct Removal {
    /// The member.
    pub removed: BodyId,
    /// The other members of which anything comes down.
    pub falls: Vec<FallingMember>,
    /// Their mass as a share of that of all members that stand, the removed one left out.
    pub share: f64,
}

/// A member that comes down, in whole or in part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FallingMember {
    /// The member.
    pub body: BodyId,
    /// Share of its volume that comes down, above 0.
    pub share: f64,
}
