//! Support of pieces that come to rest: a piece that hangs on held bodies by steep contacts alone, as a
//! wedge or by friction, is released from them before it can fall asleep.

use glam::Vec3;
use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::geometry::{Collider, ColliderHandle, Ray};
use rapier3d::pipeline::QueryFilter;

use super::contact_offset::CARRYING_SLOPE;
use super::external::BodyRef;
use super::physics::Physics;
use super::physics_queries::{normal_towards, solved_contacts};
use super::released::{is_held, ReleasedPairs, LEVEL_SLOPE};
use super::user_data::{center_of_mass, is_piece, piece_id};

/// Time between two looks at a slow piece, seconds; several pass before it falls asleep.
const INTERVAL: f32 = 0.2;

/// Share of what a piece bears, itself included, that has to come from below it. The rest may be friction.
const MIN_SHARE: f32 = 0.5;

/// Pressure of held bodies on a piece, as a multiple of what it bears: a groove with faces of 72 degrees
/// takes 3.3. More is a wedge, or the lever of a part that sticks in them, and would crush the teeth.
const MAX_PRESSURE: f32 = 4.0;

/// Gap between a piece and what it lies over, metres.
const MAX_GAP: f32 = 0.05;

/// The impulses that hold a piece up or press it down.
#[derive(Default)]
struct Support {
    /// Impulse of contacts below it, N s.
    from_below: f32,
    /// Impulse of what lies on it, N s.
    from_above: f32,
    /// Impulse by which held bodies press it down, N s: they do not lie on it, but clamp it.
    clamping: f32,
    /// Impulse of held bodies in all directions, N s.
    pressure: f32,
    /// Held bodies that are touched, each with the piece that touches it.
    held: Vec<(RigidBodyHandle, RigidBodyHandle)>,
}

impl Support {
    /// The support of pieces that are joined.
    fn of(physics: &Physics, pieces: &[RigidBodyHandle], up: Vec3) -> Self {
        let mut support = Self::default();
        for piece in pieces {
            support.add(physics, *piece, pieces, up);
        }
        support
    }

    fn add(
        &mut self,
        physics: &Physics,
        piece: RigidBodyHandle,
        joined: &[RigidBodyHandle],
        up: Vec3,
    ) {
        for (other, pair) in physics.contacts(piece) {
            if !pair.has_any_active_contact() || joined.contains(&other) {
                continue;
            }
            let is_held = physics.bodies.get(other).is_some_and(is_held);
            if is_held {
                self.held.push((piece, other));
            }
            for manifold in &pair.manifolds {
                let slope = normal_towards(manifold, piece).dot(up);
                let impulse: f32 = solved_contacts(manifold).map(|(_, impulse)| impulse).sum();
                self.pressure += if is_held { impulse } else { 0.0 };
                if slope > CARRYING_SLOPE {
                    self.from_below += slope * impulse;
                } else if slope < -CARRYING_SLOPE && is_held {
                    self.clamping -= slope * impulse;
                } else if slope < -CARRYING_SLOPE {
                    self.from_above -= slope * impulse;
                }
            }
        }
    }

    /// Whether enough of a weight, as impulse of a step in N s, is carried from below, without jamming.
    fn is_enough_for(&self, weight: f32) -> bool {
        let load = weight + self.from_above;
        let from_below = self.from_below - self.clamping;
        // A piece that is being stopped bears more than the load: how its faces lean is told by what comes from below.
        from_below >= MIN_SHARE * load && self.pressure <= MAX_PRESSURE * load.max(from_below)
    }
}

/// Pieces that are about to rest, at the end of another interval.
pub(super) fn resting_pieces(physics: &Physics) -> Vec<RigidBodyHandle> {
    let dt = physics.parameters.dt;
    let is_due = |handle: &RigidBodyHandle| {
        let body = physics.bodies.get(*handle).filter(|body| is_piece(body));
        body.is_some_and(|body| {
            let time = body.activation().time_since_can_sleep;
            (time / INTERVAL).floor() > ((time - dt).max(0.0) / INTERVAL).floor()
        })
    };
    physics.islands.active_bodies().filter(is_due).collect()
}

/// Releases a piece, and those that it is joined to, from the held bodies that they touch, if nothing carries them and
/// none is straight below any of them. Returns whether it was.
pub(super) fn release_unsupported(
    physics: &mut Physics,
    released: &mut ReleasedPairs,
    piece: RigidBodyHandle,
) -> bool {
    let body = physics.bodies.get(piece).filter(|body| body.is_dynamic());
    let Some(id) = body.and_then(piece_id) else {
        return false;
    };
    let joined = physics.welds.joined(id).into_iter();
    let joined = joined.filter_map(|id| physics.handle(BodyRef::Breakable(id)));
    let joined: Vec<RigidBodyHandle> = joined.collect();
    let mut bodies = joined.iter().filter_map(|own| physics.bodies.get(*own));
    if bodies.any(is_held) {
        return false; // it hangs there
    }
    let gravity = physics.gravity;
    let down = gravity.normalize_or_zero();
    let support = Support::of(physics, &joined, -down);
    let masses = joined
        .iter()
        .filter_map(|piece| Some(physics.bodies.get(*piece)?.mass()));
    let weight = masses.sum::<f32>() * gravity.length() * physics.parameters.dt;
    let is_carried = support.held.is_empty() || support.is_enough_for(weight);
    let would_sink = |piece: &RigidBodyHandle| would_sink(physics, *piece, down);
    if is_carried || joined.iter().any(would_sink) {
        return false;
    }
    let mut is_new = false;
    for (piece, held) in support.held {
        let [piece, held] = [piece, held].map(|handle| physics.bodies.get(handle));
        let held = held.and_then(BodyRef::from_user_data);
        if let Some((piece, held)) = piece.and_then(piece_id).zip(held) {
            is_new |= released.add(physics, piece, held, None);
        }
    }
    if let Some(body) = physics.bodies.get_mut(piece).filter(|_| is_new) {
        body.wake_up(true);
    }
    is_new
}

/// Whether a piece could only sink into what is straight below it: a held body on which it lies, or the side of a
/// crevice. Of what breaks, such sides are those of a crack.
fn would_sink(physics: &Physics, piece: RigidBodyHandle, down: Vec3) -> bool {
    let body = physics.bodies.get(piece);
    let Some((body, bounds)) = body.zip(physics.bounds(piece)) else {
        return false;
    };
    let center = center_of_mass(body);
    let lowest = Vec3::select(down.cmpgt(Vec3::ZERO), bounds.maxs, bounds.mins);
    let height = (lowest - center).dot(down);
    let Some(below) = HeldFace::on_ray(physics, center, down) else {
        return false;
    };
    let slope = -below.normal.dot(down);
    let lies_on_it = slope > CARRYING_SLOPE && below.distance <= height + MAX_GAP;
    let is_crevice = || {
        let across = below.normal.reject_from(down).normalize_or_zero();
        let is_same = |side: Vec3| {
            let face = HeldFace::on_ray(physics, center, side);
            face.is_some_and(|face| face.body == below.body)
        };
        slope.abs() < LEVEL_SLOPE
            && !below.is_breakable(physics)
            && is_same(across)
            && is_same(-across)
    };
    lies_on_it || is_crevice()
}

/// A face of a held body.
struct HeldFace {
    body: RigidBodyHandle,
    normal: Vec3,
    /// From the start of the ray, metres.
    distance: f32,
}

impl HeldFace {
    /// The first one on a ray.
    fn on_ray(physics: &Physics, start: Vec3, direction: Vec3) -> Option<Self> {
        let is_met =
            |_: ColliderHandle, collider: &Collider| physics.body_of(collider).is_some_and(is_held);
        let query = physics.query(QueryFilter::default().predicate(&is_met));
        let ray = Ray::new(start, direction);
        let (collider, hit) = query.cast_ray_and_get_normal(&ray, f32::MAX, true)?;
        Some(Self {
            body: physics.colliders.get(collider)?.parent()?,
            normal: hit.normal,
            distance: hit.time_of_impact,
        })
    }

    fn is_breakable(&self, physics: &Physics) -> bool {
        let body = physics.bodies.get(self.body);
        let owner = body.and_then(BodyRef::from_user_data);
        owner.is_some_and(|owner| owner.breakable().is_some())
    }
}
