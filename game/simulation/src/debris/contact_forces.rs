//! Forces with which bodies press what is held, as the solver found them.

use std::ops::Range;

use glam::Vec3;
use rapier3d::data::Coarena;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::geometry::{Collider, ColliderHandle, ContactManifold, ContactPair, Ray};
use rapier3d::pipeline::QueryFilter;

use super::external::BodyRef;
use super::freeze::is_frozen;
use super::physics::Physics;
use super::physics_queries::{contact_place, normal_towards, solved_contacts};
use super::user_data::is_piece;
use crate::error::BodyError;
use crate::types::is_in_range;

/// Speed above which a piece does not rest on anything, m/s: a part that comes off, and leans on what stays meanwhile, is
/// no load.
const RESTING_SPEED: f32 = 0.2;

/// Height of frozen rubble through which a weight goes at most, metres.
const MAX_RUBBLE: f32 = 50.0;

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
    let mut rubble = Vec::new();
    for handle in physics.islands.active_bodies() {
        let Some(body) = physics.bodies.get(handle).filter(|body| body.is_dynamic()) else {
            continue;
        };
        let by = BodyRef::from_user_data(body);
        let is_moving = is_piece(body) && body.linvel().length() > RESTING_SPEED;
        let Some(by) = by.filter(|_| !is_moving) else {
            continue;
        };
        let before = forces.len();
        for (other, pair) in physics.contacts(handle) {
            if let Some(other) = physics
                .bodies
                .get(other)
                .filter(|other| !other.is_dynamic())
            {
                let manifolds = pair.manifolds.iter();
                forces.extend(
                    manifolds.filter_map(|m| force_on_held(physics, other, (handle, by), pair, m)),
                );
            }
        }
        if is_piece(body) && forces.len() > before {
            rubble.push((handle, before..forces.len()));
        }
    }
    bound_by_weight(physics, &rubble, &mut forces);
    forces
}

/// The force of a manifold on a held body, or through frozen rubble on the one below it.
fn force_on_held(
    physics: &Physics,
    other: &RigidBody,
    (pressing, by): (RigidBodyHandle, BodyRef),
    pair: &ContactPair,
    manifold: &ContactManifold,
) -> Option<ContactForce> {
    if is_frozen(other) {
        let on = BodyRef::from_user_data(other)?;
        let force = contact_force(physics, [on, by], pressing, pair, manifold)?;
        return through_rubble(physics, force);
    }
    let held = Some(other).filter(|other| !is_piece(other))?;
    let on = BodyRef::from_user_data(held).filter(|on| on.breakable().is_some())?;
    contact_force(physics, [on, by], pressing, pair, manifold)
}

/// The weight that a force lays on frozen rubble, on the held body that is below: rubble that lies still passes it on
/// downwards.
fn through_rubble(physics: &Physics, force: ContactForce) -> Option<ContactForce> {
    let down = physics.gravity.normalize_or_zero();
    let weight = force.force.dot(down);
    if weight <= 0.0 {
        return None;
    }
    let is_met = |_: ColliderHandle, collider: &Collider| {
        let body = physics.body_of(collider);
        body.is_some_and(|body| !(is_piece(body) || body.is_dynamic()))
    };
    let query = physics.query(QueryFilter::default().predicate(&is_met));
    let ray = Ray::new(force.point, down);
    let (collider, way) = query.cast_ray(&ray, MAX_RUBBLE, true)?;
    let below = physics.colliders.get(collider)?.parent()?;
    let on = BodyRef::from_user_data(physics.bodies.get(below)?)?;
    on.breakable()?;
    Some(ContactForce {
        on,
        places: force.places.map(|place| place + down * way),
        point: force.point + down * way,
        force: down * weight,
        ..force
    })
}

/// Bounds the forces of each heap of pieces that touch each other: it presses down, up and sideways by no more than it
/// weighs. Wedged pieces press with more, which their heap only carries in a circle. `rubble` has the pieces with their
/// forces.
fn bound_by_weight(
    physics: &Physics,
    rubble: &[(RigidBodyHandle, Range<usize>)],
    forces: &mut [ContactForce],
) {
    let down = physics.gravity.normalize_or_zero();
    let mut heaps = Coarena::new();
    let mut weights = Vec::new();
    for (piece, _) in rubble {
        if heaps.get(piece.0).is_none() {
            let mass = collect_heap(physics, *piece, weights.len(), &mut heaps);
            weights.push(mass * physics.gravity.length());
        }
    }
    let heap_of = |piece: &RigidBodyHandle| heaps.get(piece.0).copied();
    let mut sums = vec![[0.0; 3]; weights.len()];
    for (piece, own) in rubble {
        let sum = heap_of(piece).and_then(|heap| sums.get_mut(heap));
        if let Some((sum, forces)) = sum.zip(forces.get(own.clone())) {
            for force in forces {
                let parts = parts(force.force, down).map(Vec3::length);
                sum.iter_mut().zip(parts).for_each(|(sum, own)| *sum += own);
            }
        }
    }
    for (piece, own) in rubble {
        let heap = heap_of(piece);
        let known = heap.and_then(|heap| Some((sums.get(heap)?, *weights.get(heap)?)));
        if let Some(((sum, weight), forces)) = known.zip(forces.get_mut(own.clone())) {
            for force in forces {
                let parts = parts(force.force, down).into_iter().zip(sum);
                let bounded =
                    parts.map(|(own, sum)| own * (weight / sum.max(weight).max(f32::MIN_POSITIVE)));
                force.force = bounded.fold(Vec3::ZERO, |all, own| all + own);
            }
        }
    }
}

/// The parts of a force downwards, upwards and sideways.
fn parts(force: Vec3, down: Vec3) -> [Vec3; 3] {
    let height = force.dot(down);
    let [lowered, raised] = [height.max(0.0), height.min(0.0)].map(|height| height * down);
    [lowered, raised, force - lowered - raised]
}

/// Numbers all bodies that a piece touches, directly or by others, but for those that do not move.
/// Gives their mass, kg.
fn collect_heap(
    physics: &Physics,
    first: RigidBodyHandle,
    number: usize,
    heaps: &mut Coarena<usize>,
) -> f32 {
    let mut mass = 0.0;
    let (mut open, mut touched) = (vec![first], Vec::new());
    heaps.insert(first.0, number);
    while let Some(handle) = open.pop() {
        mass += physics.bodies.get(handle).map_or(0.0, RigidBody::mass);
        let is_new = |other: RigidBodyHandle, body: &RigidBody| {
            body.is_dynamic() && heaps.get(other.0).is_none()
        };
        touched.extend(physics.touched(handle, is_new));
        for other in touched.drain(..) {
            // More than one contact may lead to it.
            if heaps.get(other.0).is_none() {
                heaps.insert(other.0, number);
                open.push(other);
            }
        }
    }
    mass
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
    let towards = -normal_towards(manifold, pressing);
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
