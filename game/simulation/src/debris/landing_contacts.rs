//! The contacts of large pieces that land.

use std::collections::BTreeMap;

use glam::Vec3;
use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::geometry::ContactPair;

use super::external::BodyRef;
use super::landings::{LandingContact, LandingContacts, LandingStep, Landings};
use super::physics::Physics;
use super::physics_queries::contacts_of_pair;
use super::user_data::{is_large_piece, piece_id};
use crate::types::BodyId;

impl Landings {
    /// Takes the last step. `before` gives the linear and the angular velocity before it.
    pub(super) fn update(
        &mut self,
        physics: &Physics,
        before: impl Fn(RigidBodyHandle) -> (Vec3, Vec3),
    ) {
        for handle in physics.islands.active_bodies() {
            let body = physics.bodies.get(handle).filter(|b| is_large_piece(b));
            let Some((body, id)) = body.and_then(|body| Some((body, piece_id(body)?))) else {
                continue;
            };
            let (linear, spin) = before(handle);
            let step = LandingStep {
                body: id,
                linear: [linear, body.linvel()],
                spin,
                pose: *body.position(),
                mass: body.mass(),
                gravity: physics.gravity,
                dt: physics.parameters.dt,
            };
            self.add(&step, || step_contacts(physics, handle, id));
        }
        self.end_step();
    }
}

/// The contacts of a piece in the last step. One that is welded to others has none: it is a part of what has been stopped,
/// see `weld_strength`.
fn step_contacts(physics: &Physics, handle: RigidBodyHandle, piece: BodyId) -> LandingContacts {
    if physics.welds.pairs_of(piece).next().is_some() {
        return LandingContacts::default();
    }
    let mut by_other: BTreeMap<(u32, u32), (BodyRef, Vec<LandingContact>)> = BTreeMap::new();
    for (other, pair) in physics.contacts(handle) {
        let by = physics.bodies.get(other).and_then(BodyRef::from_user_data);
        if let Some(by) = by.filter(|_| pair.has_any_active_contact()) {
            let entry = by_other.entry(other.into_raw_parts());
            let (_, contacts) = entry.or_insert_with(|| (by, Vec::new()));
            add_contacts(physics, handle, pair, contacts);
        }
    }
    LandingContacts {
        contacts: by_other.into_values().collect(),
        iterations: physics.parameters.num_solver_iterations,
    }
}

/// Adds the contacts of a pair of colliders.
fn add_contacts(
    physics: &Physics,
    handle: RigidBodyHandle,
    pair: &ContactPair,
    contacts: &mut Vec<LandingContact>,
) {
    let Some(first) = physics.colliders.get(pair.collider1) else {
        return;
    };
    let face = contacts.last().map_or(0, |last| last.face + 1);
    let solved = contacts_of_pair(first, pair, handle);
    contacts.extend(solved.map(|contact| LandingContact {
        face: face + contact.manifold,
        place: contact.place,
        normal: contact.normal,
        impulse: f64::from(contact.impulse),
    }));
}
