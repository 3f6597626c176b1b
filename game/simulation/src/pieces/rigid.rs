//! Pieces as the one rigid body that they were.

use glam::{DMat3, DVec3};

/// A piece that can move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushedPiece {
    /// kg
    pub mass: f64,
    /// Centre of mass, metres.
    pub center: DVec3,
    /// About the centre, kg m^2.
    pub inertia: DMat3,
}

impl PushedPiece {
    /// Kinetic energy at a velocity and an angular velocity, J.
    pub fn energy(&self, [linear, angular]: [DVec3; 2]) -> f64 {
        0.5 * (self.mass * linear.length_squared() + angular.dot(self.inertia * angular))
    }
}

/// Mass, centre and inertia of all pieces together.
pub(crate) struct Rigid {
    mass: f64,
    /// Metres.
    pub center: DVec3,
    /// Zero when the pieces have no extent to speak of.
    inverse_inertia: DMat3,
}

/// A velocity of the centre, m/s, and about it, rad/s.
#[derive(Clone, Copy, Default)]
pub(crate) struct RigidMotion {
    pub linear: DVec3,
    pub angular: DVec3,
}

impl RigidMotion {
    /// The velocities of a piece at an arm from the centre.
    pub fn at(&self, arm: DVec3) -> [DVec3; 2] {
        [self.linear + self.angular.cross(arm), self.angular]
    }

    /// The same direction at another speed.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            linear: factor * self.linear,
            angular: factor * self.angular,
        }
    }
}

impl Rigid {
    pub fn new(pieces: &[PushedPiece]) -> Self {
        let mass: f64 = pieces.iter().map(|piece| piece.mass).sum();
        let moment: DVec3 = pieces.iter().map(|p| p.mass * p.center).sum();
        let center = if mass > 0.0 {
            moment / mass
        } else {
            DVec3::ZERO
        };
        let inertia = pieces.iter().fold(DMat3::ZERO, |sum, piece| {
            let arm = piece.center - center;
            let square = DMat3::from_diagonal(DVec3::splat(arm.length_squared()));
            let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            sum + piece.inertia + (square - outer) * piece.mass
        });
        let inverse = inertia.inverse();
        Self {
            mass,
            center,
            inverse_inertia: if inverse.is_finite() {
                inverse
            } else {
                DMat3::ZERO
            },
        }
    }

    /// The motion that an impulse (N s) and an angular impulse about the centre (N m s) give it.
    pub fn moved(&self, impulse: DVec3, angular: DVec3) -> RigidMotion {
        RigidMotion {
            linear: if self.mass > 0.0 {
                impulse / self.mass
            } else {
                DVec3::ZERO
            },
            angular: self.inverse_inertia * angular,
        }
    }

    /// The motion with the momentum and the angular momentum of pieces that do not turn.
    pub fn motion_of(&self, pieces: &[PushedPiece], velocities: &[DVec3]) -> RigidMotion {
        let moving = || pieces.iter().zip(velocities);
        let momentum = moving().map(|(piece, v)| piece.mass * *v).sum();
        let angular =
            moving().map(|(piece, v)| piece.mass * (piece.center - self.center).cross(*v));
        self.moved(momentum, angular.sum())
    }
}
