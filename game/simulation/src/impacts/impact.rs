//! A hit: what the embedding layer reports.

use glam::Vec3;

use crate::error::ImpactError;
use crate::pieces::BodyId;

/// A hit on a body, in world space.
///
/// A hit breaks the body when the length of its impulse reaches the body's toughness. How far the
/// break reaches follows from the energy, see [`Material::radius`](crate::Material::radius).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The body that was hit. When it has been broken meanwhile, the hit goes to the nearest of
    /// its pieces.
    pub body: BodyId,
    /// Where, metres.
    pub point: Vec3,
    /// The body's outward normal there; any length, zero counts as up.
    pub normal: Vec3,
    /// What the hit does to the body's momentum, N s. A piece that does not break takes the share of it that
    /// it would in a collision without a bounce, given the energy.
    pub impulse: Vec3,
    /// Whether the body's own velocity already contains the impulse, as after a contact that the
    /// engine's solver has resolved on a moving body. Then the push only moves momentum between
    /// the pieces, towards the ones near the hit.
    pub already_applied: bool,
    /// Energy of the hit, joules; 0 when unknown. It sets the radius, and the push does not give
    /// pieces more kinetic energy than it.
    pub energy: f32,
    /// Overrides the radius that follows from the energy, metres.
    pub radius: Option<f32>,
    /// Whether it is a blade: the body is cut in two by the plane through the point across the
    /// normal, whatever its toughness and pattern. Both sides stay where they are held.
    pub blade: bool,
}

impl Impact {
    /// A hit that pushes `impulse` into the body, with an energy in joules.
    pub fn new(body: BodyId, point: Vec3, normal: Vec3, impulse: Vec3, energy: f32) -> Self {
        Self {
            body,
            point,
            normal,
            impulse,
            already_applied: false,
            energy,
            radius: None,
            blade: false,
        }
    }

    /// A straight cut through a body.
    pub fn blade(body: BodyId, point: Vec3, normal: Vec3) -> Self {
        Self {
            blade: true,
            ..Self::new(body, point, normal, Vec3::ZERO, 0.0)
        }
    }

    pub(crate) fn check(&self) -> Result<(), ImpactError> {
        let finite = [
            ("point", self.point.is_finite()),
            ("normal", self.normal.is_finite()),
            ("impulse", self.impulse.is_finite()),
            ("energy", self.energy.is_finite()),
        ];
        if let Some((what, _)) = finite.into_iter().find(|(_, finite)| !finite) {
            return Err(ImpactError::NotFinite { what });
        }
        if self.energy < 0.0 {
            return Err(ImpactError::NegativeEnergy {
                energy: self.energy,
            });
        }
        match self.radius {
            Some(radius) if !(radius.is_finite() && radius > 0.0) => {
                Err(ImpactError::Radius { radius })
            }
            _ => Ok(()),
        }
    }
}
