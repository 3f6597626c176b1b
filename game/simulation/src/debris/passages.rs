//! Passages: a striker passes through the fragments of what it has broken, as long as they overlap.

use std::collections::BTreeMap;

use glam::Vec3;
use rapier3d::geometry::Collider;
use rapier3d::math::Pose;
use rapier3d::parry::query::{cast_shapes, intersection_test, ShapeCastOptions};

use super::external::BodyRef;
use super::physics::Physics;
use crate::types::BodyId;

/// Steps in which a fragment is let through whatever it does: until the striker has its speed back from the
/// engine, which has stopped it at the object, fragments do not seem to lie in its way.
const FIRST_STEPS: u32 = 3;

/// Most steps until a striker meets a fragment that lies in its way, half a second.
const MAX_STEPS_AHEAD: u32 = 30;

/// Pairs of a striker and a fragment that do not touch each other. The break has taken its share of the
/// striker's energy already, and the fragments in its way are not to take it again.
#[derive(Default)]
pub(super) struct Passages(BTreeMap<(BodyRef, BodyRef), Passage>);

/// The way of a striker through a fragment.
#[derive(Clone, Copy, Default)]
struct Passage {
    steps: u32,
    has_overlapped: bool,
}

/// How two bodies lie to each other.
#[derive(PartialEq)]
enum Encounter {
    Overlap,
    /// They will touch if they go on as they do.
    Ahead,
    Apart,
}

impl Passages {
    /// Lets a striker pass through fragments.
    pub fn add(&mut self, striker: BodyRef, fragments: &[BodyId]) {
        for fragment in fragments {
            let pair = (striker, BodyRef::Breakable(*fragment));
            self.0.insert(pair, Passage::default());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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

/// How two bodies lie to each other for the next seconds; `None` when one of them is gone.
fn encounter(physics: &Physics, (a, b): (BodyRef, BodyRef), seconds: f32) -> Option<Encounter> {
    let [a, b] = [a, b].map(|body| physics.bodies.get(physics.handle(body)?));
    let (a, b) = (a?, b?);
    let place = |collider: &Collider, body: Pose| {
        body * collider.position_wrt_parent().copied().unwrap_or_default()
    };
    let options = ShapeCastOptions {
        max_time_of_impact: seconds,
        ..ShapeCastOptions::default()
    };
    let mut found = Encounter::Apart;
    for one in physics.colliders_of(a) {
        for other in physics.colliders_of(b) {
            let (at, to) = (place(one, *a.position()), place(other, *b.position()));
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
