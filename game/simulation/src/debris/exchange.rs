//! Exchange of colliders: pieces enter with provisional ones, and lasting ones take their place.
//!
//! Nothing of that is to be seen. The contacts of a piece begin anew then, and keep the overlaps and gaps that they
//! are found with, as in the first step of a piece. A piece that sleeps keeps its collider until it is woken, since
//! rapier would wake it, and all that touches it. So does a piece that has come to lie on something, or under it:
//! it would tilt or sink by what the shapes differ. It has the lasting collider as soon as it moves.

use std::collections::BTreeMap;

use glam::Vec3;
use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::geometry::{ContactPair, SharedShape};

use super::contact_offset::CARRYING_SLOPE;
use super::external::BodyRef;
use super::physics::Physics;
use crate::types::BodyId;

/// Steps after its first in which a piece has not come to lie anywhere.
const FIRST_STEPS: u64 = 3;

/// Speed from which on a piece does not lie, m/s: what the shapes differ is not to be seen then.
const MOVING_SPEED: f32 = 0.3;

/// Pieces with provisional colliders.
#[derive(Default)]
pub(super) struct Exchanges {
    provisional: BTreeMap<BodyId, Provisional>,
    /// Bodies whose collider was exchanged since the last step.
    pub exchanged: Vec<RigidBodyHandle>,
    /// Those of them whose exchange was late: whatever they overlap then, they keep.
    pub settled: Vec<RigidBodyHandle>,
}

/// A provisional collider.
struct Provisional {
    /// The number of steps that rapier had taken when the piece was added.
    since: u64,
    /// The shape that is to take its place, as soon as that is known.
    lasting: Option<SharedShape>,
}

impl Exchanges {
    /// Notes a piece that has entered with a provisional collider after so many steps.
    pub fn expect(&mut self, piece: BodyId, steps: u64) {
        let provisional = Provisional {
            since: steps,
            lasting: None,
        };
        self.provisional.insert(piece, provisional);
    }

    /// Notes the lasting shape of such a piece.
    pub fn set(&mut self, piece: BodyId, shape: SharedShape) {
        if let Some(provisional) = self.provisional.get_mut(&piece) {
            provisional.lasting = Some(shape);
        }
    }

    pub fn forget(&mut self, piece: BodyId) {
        self.provisional.remove(&piece);
    }

    /// Whether a body has a provisional collider.
    pub fn is_provisional(&self, body: BodyRef) -> bool {
        let piece = body.breakable();
        piece.is_some_and(|piece| self.provisional.contains_key(&piece))
    }

    /// Exchanges what can be exchanged after so many steps.
    pub fn apply(&mut self, physics: &mut Physics, steps: u64) {
        if self.provisional.is_empty() {
            return; // the common case
        }
        // Those that rapier's islands know to be awake: it stumbles over others whose contacts are removed.
        let active = physics.islands.active_bodies();
        let ready = active.filter_map(|handle| {
            let body = physics.bodies.get(handle)?;
            let piece = BodyRef::from_user_data(body)?.breakable()?;
            let provisional = self.provisional.get(&piece)?;
            Some((
                piece,
                handle,
                provisional.since,
                provisional.lasting.clone()?,
            ))
        });
        let mut ready: Vec<_> = ready.collect();
        ready.sort_unstable_by_key(|(piece, ..)| *piece);
        for (piece, handle, since, shape) in ready {
            let is_new = steps <= since + FIRST_STEPS;
            if !is_awake(physics, handle) || !is_new && lies(physics, handle) {
                continue;
            }
            physics.exchange_shape(handle, shape);
            self.exchanged.push(handle);
            if !is_new {
                self.settled.push(handle);
            }
            self.provisional.remove(&piece);
        }
    }
}

fn is_awake(physics: &Physics, handle: RigidBodyHandle) -> bool {
    let body = physics.bodies.get(handle);
    body.is_some_and(|body| body.is_dynamic() && !body.is_sleeping())
}

/// Whether a piece lies on something, or something on it. Another shape would leave gaps there, or tilt it.
fn lies(physics: &Physics, handle: RigidBodyHandle) -> bool {
    let moves = |body: RigidBodyHandle| {
        let body = physics.bodies.get(body);
        body.is_some_and(|body| body.linvel().length() > MOVING_SPEED)
    };
    let down = physics.gravity.normalize_or_zero();
    let mut contacts = physics.contacts(handle);
    !moves(handle) && contacts.any(|(other, pair)| !moves(other) && carries(pair, down))
}

/// Whether a contact may carry weight.
fn carries(pair: &ContactPair, down: Vec3) -> bool {
    // An impulse is not asked for: what is about to come to rest has none in some steps.
    let mut manifolds = pair.manifolds.iter();
    manifolds.any(|manifold| {
        let touches = !manifold.data.solver_contacts.is_empty();
        touches && manifold.data.normal.dot(down).abs() > CARRYING_SLOPE
    })
}
