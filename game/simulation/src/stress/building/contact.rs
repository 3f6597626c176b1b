//! Springs of a loose bond: they carry pressure, and friction up to a bound.

use fracture_geometry::support::AreaProperties;
use glam::{DMat3, DVec3};

use crate::stress::strength::half_axes;
use crate::types::square;

/// Places and weights of Simpson's rule on a line of half length one.
const SIMPSON: [(f64, f64); 3] = [(-1.0, 1.0 / 6.0), (0.0, 4.0 / 6.0), (1.0, 1.0 / 6.0)];

/// Slope of the curve of friction.
#[derive(Clone, Copy)]
pub(super) enum Slope {
    /// Near the equilibrium: the steps get there in ever fewer parts of the way.
    Tangent,
    /// Far from it: where much slips the tangent is flat, and the step that it gives too long to be taken.
    Secant,
}

/// A spring between the two sides of a loose bond. It carries pressure, and friction that grows with the slip towards a
/// bound. With the bound as it is its energy is convex, and only where the sides part it is not smooth.
#[derive(Clone, Copy)]
pub(super) struct Contact {
    /// From the centre of the face.
    pub place: DVec3,
    /// From the first side to the second.
    normal: DVec3,
    /// N/m
    stiffness: f64,
    /// Most friction, N.
    bound: f64,
}

impl Contact {
    /// The springs of a face of a stiffness in N/m, which have the area and the second moments of a rectangle, with a bound
    /// of their friction in N to begin with.
    pub fn of_face(face: &AreaProperties, stiffness: f64, bound: f64) -> Vec<Self> {
        let [u, v] = half_axes(face);
        let line = |(a, one): (f64, f64)| {
            SIMPSON.into_iter().map(move |(b, other)| Self {
                place: a * u + b * v,
                normal: face.normal,
                stiffness: one * other * stiffness,
                bound,
            })
        };
        SIMPSON.into_iter().flat_map(line).collect()
    }

    /// The force on the first side, N, at a displacement of the second side relative to it.
    pub fn force(&self, opening: DVec3) -> DVec3 {
        let along = opening.reject_from_normalized(self.normal);
        along * (self.stiffness / self.yielding(along)) - self.pressure(opening) * self.normal
    }

    /// How that force grows with the displacement, N/m; or on the way there, in the mean, which is more where it slips.
    pub fn stiffness_at(&self, opening: DVec3, slope: Slope) -> DMat3 {
        let is_pressed = opening.dot(self.normal) <= 0.0;
        let pressing = square(self.normal) * f64::from(is_pressed);
        let along = opening.reject_from_normalized(self.normal);
        let straight = square(along.normalize_or_zero());
        let beside = DMat3::IDENTITY - square(self.normal) - straight;
        let yielding = self.yielding(along);
        let growth = match slope {
            Slope::Tangent => yielding.powi(-3),
            Slope::Secant => yielding.recip(),
        };
        let friction = beside * yielding.recip() + straight * growth;
        (pressing + friction) * self.stiffness
    }

    /// Takes the bound that follows from the pressure at a displacement, or a share of the way to it. Returns the change of
    /// the force there, in parts of the bound and of another force.
    pub fn update_bound(&mut self, opening: DVec3, friction: f64, share: f64, other: f64) -> f64 {
        let before = self.force(opening);
        let bound = friction * self.pressure(opening);
        self.bound += share * (bound - self.bound);
        self.force(opening).distance(before) / (self.bound + other)
    }

    /// N
    fn pressure(&self, opening: DVec3) -> f64 {
        (-self.stiffness * opening.dot(self.normal)).max(0.0)
    }

    /// By how much there is less friction than without a bound.
    fn yielding(&self, along: DVec3) -> f64 {
        let share = self.stiffness * along.length() / self.bound.max(f64::MIN_POSITIVE);
        (1.0 + share * share).sqrt()
    }
}
