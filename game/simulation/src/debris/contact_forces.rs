//! Forces with which bodies press what is held, as the solver found them.

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::geometry::{ContactManifold, ContactPair};

use super::external::BodyRef;
use super::freeze::is_frozen;
use super::physics::Physics;
use super::physics_queries::{contact_place, solved_contacts};
use super::user_data::is_piece;
use crate::error::BodyError;
use crate::types::is_in_range;

/// Speed above which a piece does not rest on anything, m/s: a part that comes off, and leans on what stays meanwhile, is
/// no load.
const RESTING_SPEED: f32 = 0.2;

/// A force with which one body presses another where they touch; see
/// [`Simulation::add_contact_force`](crate::Simulation::add_contact_force).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// The body that is pressed.
    pub on: BodyRef,
    /// The body that presses it.
    pub by: BodyRef,
    /// Two corners of a box around the places where they touch, world space, metres.
    pub places: [Vec3; 2],
    /// Point at which the force acts, world space, metres.
    pub point: Vec3,
    /// On the first body, N.
    pub force: Vec3,
}

impl ContactForce {
    /// The impulse of contacts, in parts of the one that rapier reports, at rest: it counts the impulse that the solver
    /// began a step with besides those of all solver iterations.
    pub fn share_of_reported(solver_iterations: usize) -> f32 {
        let iterations = solver_iterations.max(1) as f32;
        iterations / (iterations + 1.0)
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let [low, high] = self.places;
        let vectors = [low, high, self.point, self.force];
        if vectors.into_iter().all(is_in_range) {
            Ok(())
        } else {
            Err(BodyError::NotFinite { what: "load" })
        }
    }
}

/// Whether the debris world knows what a body presses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pressing {
    /// Only the host does, or the body is gone.
    Unknown,
    /// In each step that is taken.
    Stepped,
    /// It sleeps or is frozen, and presses what it pressed before.
    AtRest,
}

impl Pressing {
    pub(super) fn of(body: &RigidBody) -> Self {
        match body {
            _ if is_frozen(body) => Self::AtRest,
            _ if !body.is_dynamic() => Self::Unknown,
            _ if body.is_sleeping() => Self::AtRest,
            _ => Self::Stepped,
        }
    }
}

/// The forces of bodies that are awake on breakable bodies that the engine holds, as the last step of rapier found them.
pub(super) fn contact_forces(physics: &Physics) -> Vec<ContactForce> {
    let mut forces = Vec::new();
    for handle in physics.islands.active_bodies() {
        let Some(body) = physics.bodies.get(handle).filter(|body| body.is_dynamic()) else {
            continue;
        };
        let by = BodyRef::from_user_data(body);
        let is_moving = is_piece(body) && body.linvel().length() > RESTING_SPEED;
        let Some(by) = by.filter(|_| !is_moving) else {
            continue;
        };
        for (other, pair) in physics.contacts(handle) {
            let other = physics.bodies.get(other);
            let held = other.filter(|other| !(is_piece(other) || other.is_dynamic()));
            let on = held.and_then(BodyRef::from_user_data);
            if let Some(on) = on.filter(|on| on.breakable().is_some()) {
                let manifolds = pair.manifolds.iter();
                forces.extend(
                    manifolds.filter_map(|m| contact_force(physics, [on, by], handle, pair, m)),
                );
            }
        }
    }
    forces
}

/// The force of a manifold of a pair on its first body; `by` presses it.
fn contact_force(
    physics: &Physics,
    [on, by]: [BodyRef; 2],
    pressing: RigidBodyHandle,
    pair: &ContactPair,
    manifold: &ContactManifold,
) -> Option<ContactForce> {
    let first = physics.colliders.get(pair.collider1)?;
    let to_world = first.position();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (mut sum, mut impulse) = (Vec3::ZERO, 0.0);
    for (contact, own) in solved_contacts(manifold).filter(|(_, own)| *own > 0.0) {
        let point = to_world.transform_point(contact_place(manifold, contact));
        (low, high) = (low.min(point), high.max(point));
        sum += point * own;
        impulse += own;
    }
    if impulse <= 0.0 {
        return None;
    }
    let is_first = first.parent() == Some(pressing);
    let towards = manifold.data.normal * if is_first { 1.0 } else { -1.0 };
    let parameters = &physics.parameters;
    let share = ContactForce::share_of_reported(parameters.num_solver_iterations);
    Some(ContactForce {
        on,
        by,
        places: [low, high],
        point: sum / impulse,
        force: towards * (impulse * share / parameters.dt),
    })
}
