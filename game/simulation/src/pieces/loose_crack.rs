//! The crack around a part that fell in a collapse and that nothing carries there.

use std::sync::Arc;

use glam::Vec3;

/// The crack between a falling part and what stays, across which the part is not held up: its teeth would
/// bear a weight that the whole section could not.
#[derive(Clone, Debug)]
pub(crate) struct LooseCrack {
    /// Centres of its faces, body space, metres.
    pub centers: Arc<[Vec3]>,
    /// Distance from the centre of a face within which its teeth are, metres.
    pub reach: f32,
    /// Extent along gravity, metres: having fallen by it, the part is past all teeth.
    pub height: f32,
}

impl LooseCrack {
    /// Whether a point, body space, lies at the teeth of the crack.
    pub fn is_near(&self, point: Vec3) -> bool {
        let reach = self.reach * self.reach;
        let mut centers = self.centers.iter();
        centers.any(|center| center.distance_squared(point) <= reach)
    }
}
