//! The pieces of a break as carriers of what hung on the body: which of them is nearest to a place.

use fracture_simulation::{BodyId, DustParticle, NewPiece};
use rapier3d::{math::Vec3, parry::shape::SharedShape};

/// How much farther than before the surface may be from what stays on it without a collider: by this, metres...
const MAX_GAP: f32 = 0.02;
/// ... and by this part of the distance that it had. What stands off hangs on more than the spot before it.
const MAX_GAP_SHARE: f32 = 0.05;

/// A new piece, as a carrier of attachments.
pub(crate) struct Carrier {
    pub(super) body: BodyId,
    shapes: Vec<SharedShape>,
    pub(super) anchored: bool,
}

impl Carrier {
    pub fn new(piece: &NewPiece) -> Self {
        Self {
            body: piece.body,
            shapes: piece.colliders.shapes().cloned().collect(),
            anchored: piece.anchored,
        }
    }

    /// Distance of the surface from a point in body space, metres; below 0 inside.
    fn distance(&self, point: Vec3) -> f32 {
        let of_shape = |shape: &SharedShape| {
            let projection = shape.project_local_point(point, false);
            let distance = (projection.point - point).length();
            if projection.is_inside {
                -distance
            } else {
                distance
            }
        };
        self.shapes.iter().map(of_shape).fold(f32::MAX, f32::min)
    }
}

/// The piece that carries what hung at a point (body space, metres); `None` if nothing is left there to hang on. `dust` is
/// the distance of the dust from the point, metres. What `falls` by itself does so as soon as dust was nearer.
pub(super) fn carrier_of(
    point: Vec3,
    carriers: &[Carrier],
    dust: f32,
    falls: bool,
) -> Option<&Carrier> {
    let distances = carriers.iter().map(|own| (own.distance(point), own));
    let (distance, carrier) = distances.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let before = dust.min(distance).max(0.0);
    let is_torn_off = if falls {
        dust < distance
    } else {
        distance > before * (1.0 + MAX_GAP_SHARE) + MAX_GAP
    };
    (!is_torn_off).then_some(carrier)
}

/// The distance of a point from the nearest dust particle, taken as a ball; world space, metres.
pub(super) fn dust_distance(dust: &[DustParticle], point: Vec3) -> f32 {
    let distance = |dust: &DustParticle| {
        let radius = (0.75 * dust.volume.max(0.0) / std::f32::consts::PI).cbrt();
        (dust.position - point).length() - radius
    };
    dust.iter().map(distance).fold(f32::MAX, f32::min)
}
