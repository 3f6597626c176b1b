//! Neighbours that are born touching: what their hulls overlap, or leave open between them, at the
//! break is no error to be mended.
//!
//! Hulls are not the pieces: they fill hollows, have fewer corners and are drawn in a little. So at a
//! break they start a little inside or apart of each other. Pushing them apart makes a break without a
//! blow explode; letting them fall into the gaps makes a wall crumble. So a contact that is there in
//! the first step of a piece remembers its distance, and counts from it for as long as it lasts.

use rapier3d::geometry::SolverContact;

/// Penetration that the physics engine does not mend, metres. Neighbours start with as much, so that
/// they do not sink in by it first.
pub(super) const TOLERANCE: f32 = 1e-3;

/// What a body may have sunk into its surroundings without being lifted out, metres: heavier things do
/// rest that deep.
pub(super) const RESTING: f32 = 2e-3;

/// A contact bears weight when its normal is steeper than this, as the sine of the angle.
pub(super) const STEEP: f32 = 0.3;

/// The distance from which a contact counts, kept as the user data of its manifold. Zero is that of a
/// manifold that nobody has looked at; not a number is that of contacts that count from where they are.
#[derive(Clone, Copy)]
pub(super) struct ContactOffset(f32);

impl ContactOffset {
    pub const NONE: Self = Self(f32::NAN);

    pub fn unpack(data: u32) -> Option<Self> {
        (data != 0).then(|| Self(f32::from_bits(data)))
    }

    /// The last bit is lost, which is not much of a length.
    pub fn pack(self) -> u32 {
        self.0.to_bits() | 1
    }

    /// Of a contact in the first step of a piece; `deepest` is how much overlap it may excuse. Gaps
    /// count as closed only where weight rests on them (`bears`): else all neighbours lean on each
    /// other, and what the solver gets wrong about that pushes them apart.
    pub fn of_newborn(contacts: &[SolverContact], deepest: f32, bears: bool) -> Self {
        let counts = |distance: &f32| bears || *distance < 0.0;
        let distance = nearest(contacts).filter(counts);
        distance.map_or(Self::NONE, |distance| Self(distance.max(-deepest)))
    }

    /// Counts distances from the start, and forgets it as the bodies part.
    pub fn apply(self, contacts: &mut [SolverContact]) -> Self {
        let known = nearest(contacts).filter(|_| !self.0.is_nan());
        let Some(distance) = known else {
            return Self::NONE;
        };
        // An overlap that has become less is not allowed to grow again.
        let start = self.0.max(distance.min(0.0));
        for contact in contacts {
            if start > 0.0 {
                contact.dist -= start + TOLERANCE;
            } else if contact.dist <= 0.0 {
                // What overlaps less than at the start must not come closer, either.
                contact.dist = (contact.dist - start).min(0.0) - TOLERANCE;
            }
        }
        Self(start)
    }
}

fn nearest(contacts: &[SolverContact]) -> Option<f32> {
    contacts
        .iter()
        .map(|contact| contact.dist)
        .min_by(f32::total_cmp)
}
