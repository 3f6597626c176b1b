//! Initial overlap and gap of neighbours at a break, which is no error to be corrected.
//!
//! Hulls are not the pieces: they fill hollows, have fewer corners and are shrunk a little. So at a break
//! they start a little inside or apart of each other. Pushing them apart would make a break without a hit
//! explode; letting them fall into the gaps would make a wall crumble. A contact that exists in the first
//! step of a piece therefore remembers its distance as an offset, and counts from there for as long as it
//! lasts.

use rapier3d::geometry::SolverContact;

/// Penetration that rapier does not correct, metres. Neighbours start with as much, so that they do not
/// sink in by it first.
pub(super) const ALLOWED_PENETRATION: f32 = 1e-3;

/// Penetration into external bodies that a new piece keeps, metres: heavier bodies do rest that deep, and
/// deeper ones are pushed out.
pub(super) const RESTING_PENETRATION: f32 = 2e-3;

/// Vertical part of its unit normal above which a contact carries weight.
pub(super) const CARRYING_SLOPE: f32 = 0.3;

/// Distance that is subtracted from all distances of a contact manifold, metres; NaN for none. It is kept
/// in the manifold's user data, where 0 means that it has not been determined.
#[derive(Clone, Copy)]
pub(super) struct ContactOffset(f32);

impl ContactOffset {
    /// A normal contact.
    pub const NONE: Self = Self(f32::NAN);

    pub fn from_user_data(data: u32) -> Option<Self> {
        (data != 0).then(|| Self(f32::from_bits(data)))
    }

    /// The user data, never 0: the last bit of the distance is lost.
    pub fn to_user_data(self) -> u32 {
        self.0.to_bits() | 1
    }

    /// The offset of a contact in the first step of a piece. `max_overlap` limits the overlap that is
    /// kept. Gaps are kept only where the contact carries weight: otherwise all neighbours would lean on
    /// each other, and the solver's errors would push them apart.
    pub fn from_first_contact(
        contacts: &[SolverContact],
        max_overlap: f32,
        carries_weight: bool,
    ) -> Self {
        let distance = min_distance(contacts);
        let distance = distance.filter(|distance| carries_weight || *distance < 0.0);
        distance.map_or(Self::NONE, |distance| Self(distance.max(-max_overlap)))
    }

    /// Subtracts the offset from the distances of contacts, and returns the offset for the next step: it
    /// shrinks as an overlap does, and ends with the contact.
    pub fn apply(self, contacts: &mut [SolverContact]) -> Self {
        let distance = min_distance(contacts).filter(|_| !self.0.is_nan());
        let Some(distance) = distance else {
            return Self::NONE;
        };
        // An overlap that has become less is not allowed to grow again.
        let offset = self.0.max(distance.min(0.0));
        for contact in contacts {
            if offset > 0.0 {
                contact.dist -= offset + ALLOWED_PENETRATION;
            } else if contact.dist <= 0.0 {
                // A point that overlaps less than the deepest one must not come closer, either.
                contact.dist = (contact.dist - offset).min(0.0) - ALLOWED_PENETRATION;
            }
        }
        Self(offset)
    }
}

fn min_distance(contacts: &[SolverContact]) -> Option<f32> {
    let distances = contacts.iter().map(|contact| contact.dist);
    distances.min_by(f32::total_cmp)
}
