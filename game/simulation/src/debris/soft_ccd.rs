//! Fast pieces see what is ahead of them. Else they are inside of it before there is a contact, and
//! what drives them out again lifts a whole landing heap.

use rapier3d::dynamics::RigidBody;

/// From this speed on, m/s.
const FAST: f32 = 1.0;

/// So far at most, metres: a step at 12 m/s. Farther would meet too many triangles of a dense mesh.
const FARTHEST: f32 = 0.2;

/// Sets how far a piece looks in the next step.
pub(super) fn look_ahead(body: &mut RigidBody) {
    let fast = body.linvel().length() > FAST;
    body.set_soft_ccd_prediction(if fast { FARTHEST } else { 0.0 });
}
