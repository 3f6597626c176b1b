//! Passages: a striker passes through the fragments of what it has broken, as long as they overlap, and so do those
//! that it drives out before it.

use std::collections::BTreeMap;
use std::f32::consts::PI;

use glam::{Quat, Vec3};
use rapier3d::dynamics::RigidBody;
use rapier3d::geometry::{Aabb, Collider, Ray};
use rapier3d::math::Pose;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::parry::query::{cast_shapes, intersection_test, RayCast, ShapeCastOptions};
use rapier3d::parry::shape::Compound;

use super::external::BodyRef;
use super::physics::Physics;
use super::user_data::center_of_mass;
use crate::types::BodyId;

/// Steps in which a fragment is let through whatever it does: until the striker has its speed back from the
/// engine, which has stopped it at the object, fragments do not seem to lie in its way.
const FIRST_STEPS: u32 = 3;

/// Most steps until a striker meets a fragment that lies in its way, half a second.
const MAX_STEPS_AHEAD: u32 = 30;

/// Largest gap between fragments that lie beside each other, m.
const MAX_GAP: f32 = 0.01;

/// Directions across a way, over half a turn, in which a fragment may reach past its striker; an even number.
const DIRECTIONS: u16 = 8;

/// The way that a striker has broken through a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrokenWay {
    /// A point of the way in the body: that of the impact; world space, m.
    pub point: Vec3,
    /// Direction in which the striker goes; it need not be a unit vector.
    pub direction: Vec3,
    /// Radius of the break, m.
    pub radius: f32,
}

impl BrokenWay {
    /// Whether a fragment lies on the way, or has its centre within a radius (m) of it.
    fn leads_to(&self, physics: &Physics, fragment: &RigidBody, radius: f32) -> bool {
        let direction = self.direction.normalize_or_zero();
        let arm = center_of_mass(fragment) - self.point;
        let ray = Ray::new(self.point - direction * self.radius, direction);
        let is_met = |collider: &Collider| {
            let place = place_of(collider, *fragment.position());
            let (shape, length) = (collider.shape(), 2.0 * self.radius);
            // The box first: many hulls of a new piece have no faces yet.
            let bounds = shape.compute_aabb(&place);
            bounds.intersects_local_ray(&ray, length) && shape.intersects_ray(&place, &ray, length)
        };
        arm.reject_from(direction).length() <= radius || physics.colliders_of(fragment).any(is_met)
    }
}

/// Pairs of a striker and a fragment that do not touch each other. The break has taken its share of the
/// striker's energy already, and the fragments in its way are not to take it again.
#[derive(Default)]
pub(super) struct Passages(BTreeMap<(BodyRef, BodyRef), Passage>);

/// The way of a striker through a fragment.
#[derive(Clone, Copy)]
struct Passage {
    way: BrokenWay,
    steps: u32,
    has_overlapped: bool,
}

/// How two bodies lie to each other.
#[derive(PartialEq)]
enum Encounter {
    Overlap,
    /// The bodies will touch if they go on as they do.
    Ahead,
    Apart,
}

impl Passages {
    /// Lets a striker pass through fragments.
    pub fn add(&mut self, striker: BodyRef, fragments: &[BodyId], way: BrokenWay) {
        let passage = Passage {
            way,
            steps: 0,
            has_overlapped: false,
        };
        for fragment in fragments {
            let pair = (striker, BodyRef::Breakable(*fragment));
            self.0.insert(pair, passage);
        }
    }

    /// Lets the fragments that a striker drives out pass through those beside them: the break has taken the energy for
    /// that, and uneven sides of the cracks do not hold them. These are the fragments on its way, and those whose
    /// centres are within a radius (m) of it. Returns them.
    pub fn add_driven_out(
        &mut self,
        physics: &Physics,
        fragments: &[BodyId],
        way: BrokenWay,
        radius: f32,
    ) -> Vec<BodyId> {
        let known = |fragment: &BodyId| {
            let body = physics.handle(BodyRef::Breakable(*fragment));
            let body = physics.bodies.get(body?)?;
            let bounds = bounds_in(physics, body, Pose::IDENTITY)?;
            Some((*fragment, body, bounds.loosened(MAX_GAP)))
        };
        let fragments: Vec<_> = fragments.iter().filter_map(known).collect();
        let is_driven = |(_, body, _): &&(_, &RigidBody, _)| way.leads_to(physics, body, radius);
        let driven_out: Vec<_> = fragments.iter().filter(is_driven).collect();
        for (driven, _, bounds) in &driven_out {
            let others = fragments.iter();
            let beside: Vec<BodyId> = others
                .filter(|(other, _, box_)| other != driven && bounds.intersects(box_))
                .map(|(other, ..)| *other)
                .collect();
            self.add(BodyRef::Breakable(*driven), &beside, way);
        }
        driven_out.iter().map(|(driven, ..)| *driven).collect()
    }

    /// Ends the passages that no step has been taken for through fragments that were not cut in the striker's
    /// way.
    pub fn end_uncut(&mut self, physics: &Physics) {
        self.0.retain(|pair, passage| {
            passage.steps > 0 || !is_uncut(physics, *pair, &passage.way).unwrap_or(false)
        });
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a striker is let through anything.
    pub fn has(&self, striker: BodyRef) -> bool {
        self.0.keys().any(|(passing, _)| *passing == striker)
    }

    pub fn contains(&self, a: BodyRef, b: BodyRef) -> bool {
        self.0.contains_key(&(a, b)) || self.0.contains_key(&(b, a))
    }

    /// Ends the passages that are over, after a step of `dt` seconds.
    pub fn update(&mut self, physics: &Physics, dt: f32) {
        self.0.retain(|pair, passage| {
            passage.steps = passage.steps.saturating_add(1);
            let steps_ahead = MAX_STEPS_AHEAD.saturating_sub(passage.steps);
            match encounter(physics, *pair, dt * steps_ahead as f32) {
                None => false,
                Some(Encounter::Overlap) => {
                    passage.has_overlapped = true;
                    true
                }
                Some(_) if passage.has_overlapped => false,
                Some(Encounter::Ahead) => steps_ahead > 0,
                Some(Encounter::Apart) => passage.steps < FIRST_STEPS,
            }
        });
    }
}

/// Whether a fragment was not cut in the way of the striker: it reaches past the striker on two opposite sides,
/// and out of the ball that is broken, which keeps large cells around a small striker.
fn is_uncut(
    physics: &Physics,
    (striker, fragment): (BodyRef, BodyRef),
    way: &BrokenWay,
) -> Option<bool> {
    let [striker, fragment] =
        [striker, fragment].map(|body| physics.bodies.get(physics.handle(body)?));
    let (striker, fragment) = (striker?, fragment?);
    let across = Quat::from_rotation_arc(way.direction.try_normalize()?, Vec3::Z);
    let reaches = |turn: u16| {
        // Sines of the system are not the same on every platform.
        let (sin, cos) = libm::sincosf(0.5 * PI * f32::from(turn) / f32::from(DIRECTIONS));
        let turned = Quat::from_xyzw(0.0, 0.0, sin, cos);
        let view = Pose::from_parts(Vec3::ZERO, turned * across);
        let striker = bounds_in(physics, striker, view)?;
        let fragment = bounds_in(physics, fragment, view)?;
        let point = view * way.point;
        // Along both axes of the view.
        let past = fragment.mins.cmplt(striker.mins) & fragment.maxs.cmpgt(striker.maxs);
        let out = fragment.mins.cmplt(point - way.radius) | fragment.maxs.cmpgt(point + way.radius);
        Some((past & out).bitmask() & 0b11 != 0)
    };
    Some((0..DIRECTIONS / 2).any(|turn| reaches(turn).unwrap_or(false)))
}

/// The box of a body's colliders in another space; `None` if it has none.
fn bounds_in(physics: &Physics, body: &RigidBody, view: Pose) -> Option<Aabb> {
    let of_collider = |collider: &Collider| {
        let place = view * place_of(collider, *body.position());
        let whole = || collider.shape().compute_aabb(&place);
        // The box of a turned compound is that of its box.
        let parts = collider.shape().as_compound().map(Compound::shapes);
        let parts = parts.unwrap_or_default().iter();
        let parts = parts.map(|(at, part)| part.compute_aabb(&(place * *at)));
        parts.reduce(|a, b| a.merged(&b)).unwrap_or_else(whole)
    };
    let bounds = physics.colliders_of(body).map(of_collider);
    bounds.reduce(|a, b| a.merged(&b))
}

fn place_of(collider: &Collider, body: Pose) -> Pose {
    body * collider.position_wrt_parent().copied().unwrap_or_default()
}

/// How two bodies lie to each other for the next seconds; `None` when one of them is gone.
fn encounter(physics: &Physics, (a, b): (BodyRef, BodyRef), seconds: f32) -> Option<Encounter> {
    let [a, b] = [a, b].map(|body| physics.bodies.get(physics.handle(body)?));
    let (a, b) = (a?, b?);
    let options = ShapeCastOptions {
        max_time_of_impact: seconds,
        ..ShapeCastOptions::default()
    };
    let mut found = Encounter::Apart;
    for one in physics.colliders_of(a) {
        for other in physics.colliders_of(b) {
            let (at, to) = (place_of(one, *a.position()), place_of(other, *b.position()));
            // Shapes that cannot be compared are as good as apart.
            if intersection_test(&at, one.shape(), &to, other.shape()).unwrap_or(false) {
                return Some(Encounter::Overlap);
            }
            let (way, others) = (a.linvel(), b.linvel());
            // Relative: parry does not turn the first velocity into the space of its shape.
            let hit = cast_shapes(
                &at,
                Vec3::ZERO,
                one.shape(),
                &to,
                others - way,
                other.shape(),
                options,
            );
            if hit.is_ok_and(|hit| hit.is_some()) {
                found = Encounter::Ahead;
            }
        }
    }
    Some(found)
}
