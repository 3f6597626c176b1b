//! Shadow bodies: bodies of the engine's physics, simulated a second time in the debris world
//! (co-simulation).
//!
//! The engine steps first and knows nothing of debris. Then the debris world takes the same step for a
//! shadow body of the same mass and shape, with everything that the engine did to the body and with the
//! debris in its way. Where the shadow body touches debris, its pose and velocity are written back to the
//! engine. Both worlds so see one motion in one frame, and a ball on a pile rests as still as in a single
//! world. Poses have to be written back together with velocities, and in the same frame: otherwise the
//! body trembles or is thrown about.

mod activation;
mod shadow_body;
mod sync;

use std::collections::BTreeMap;

use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

pub(super) use self::shadow_body::ShadowBody;
use super::external::{BodyRef, MassDesc};
use super::physics::Physics;
use crate::types::Motion;

/// All shadow bodies, by the body that they shadow.
#[derive(Default)]
pub(super) struct ShadowBodies {
    by_owner: BTreeMap<BodyRef, ShadowBody>,
    /// Number of times that a shadow body has come or gone.
    changes: u64,
    activation: ActivationMemory,
    /// Bodies that touch debris and whose neighbours have not been marked; kept so that quiet frames
    /// allocate none.
    open: Vec<BodyRef>,
}

/// A shadow body while it is decided which are active.
struct Candidate {
    bounds: Option<Aabb>,
    is_active: bool,
}

/// Memory that is kept from step to step, so that quiet frames allocate none.
#[derive(Default)]
struct ActivationMemory {
    /// In the order of the shadow bodies.
    candidates: Vec<Candidate>,
    /// Boxes of active bodies whose neighbours have not been activated.
    open: Vec<Aabb>,
}

impl ShadowBodies {
    /// Adds the shadow of a body of the engine.
    pub fn insert(
        &mut self,
        owner: BodyRef,
        handle: RigidBodyHandle,
        mass: &MassDesc,
        motion: Motion,
    ) {
        self.by_owner
            .insert(owner, ShadowBody::new(handle, mass, motion));
        self.changes += 1;
    }

    pub fn remove(&mut self, owner: BodyRef) {
        let removed = self.by_owner.remove(&owner);
        self.changes += u64::from(removed.is_some());
    }

    /// Number of times that a shadow body has come or gone.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    pub fn contains(&self, owner: BodyRef) -> bool {
        self.by_owner.contains_key(&owner)
    }

    /// The handle of a shadow body, and its factor of gravity.
    pub fn weighed(&self, owner: BodyRef) -> Option<(RigidBodyHandle, f32)> {
        let shadow = self.by_owner.get(&owner)?;
        Some((shadow.handle, shadow.gravity_scale))
    }

    /// Shadow bodies that take part in the debris' physics.
    pub fn active(&self) -> impl Iterator<Item = &ShadowBody> {
        self.by_owner.values().filter(|shadow| shadow.active)
    }

    /// The bodies whose shadows take part in the debris' physics.
    pub fn active_owners(&self) -> impl Iterator<Item = BodyRef> + '_ {
        let active = self.by_owner.iter().filter(|(_, shadow)| shadow.active);
        active.map(|(owner, _)| *owner)
    }

    /// The boxes of active shadow bodies, enlarged by a margin, metres.
    pub fn active_bounds(&self, physics: &Physics, margin: f32) -> Vec<Aabb> {
        let bounds = self
            .active()
            .filter_map(|shadow| physics.bounds(shadow.handle));
        bounds.map(|bounds| bounds.loosened(margin)).collect()
    }
}
