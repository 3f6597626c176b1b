//! A blow on an object: from a contact, a gun, a bomb or a script.

use fyrox::{core::algebra::Vector3, script::ScriptMessagePayload};

/// The mass that stands for a blow of which only the energy is known, kg.
const NOMINAL_MASS: f32 = 1.0;

/// A blow on an object, in world space.
///
/// It is also a script message: send it to a node that carries
/// [`Destructible`](crate::Destructible).
#[derive(Clone, Debug, PartialEq, ScriptMessagePayload)]
pub struct Impact {
    /// Where it hits, metres.
    pub point: Vector3<f32>,
    /// Outward normal of the surface that is hit; any length but zero.
    pub normal: Vector3<f32>,
    /// What it pushes with, N s. Its length is compared with the toughness.
    pub impulse: Vector3<f32>,
    /// What there is to break with, J. It sets the radius of the break.
    pub energy: f32,
    /// The radius of the break in metres, instead of the one that follows from the energy.
    pub radius: Option<f32>,
    /// Whether it is a blade: see [`Impact::blade`].
    pub blade: bool,
}

impl Impact {
    /// A blow of the given energy (J) against the normal.
    ///
    /// Its impulse is that of a body of 1 kg with this energy: `p = sqrt(2 m E)`.
    pub fn new(point: Vector3<f32>, normal: Vector3<f32>, energy: f32) -> Self {
        let normal = normal
            .try_normalize(f32::EPSILON)
            .unwrap_or_else(Vector3::y);
        Self {
            point,
            normal,
            impulse: -normal * (2.0 * NOMINAL_MASS * energy.max(0.0)).sqrt(),
            energy,
            radius: None,
            blade: false,
        }
    }

    /// A blade: it cuts what it is aimed at in two, by the plane through a point across a normal,
    /// whatever its toughness and pattern. Nothing is pushed; each side stays where it is held.
    pub fn blade(point: Vector3<f32>, normal: Vector3<f32>) -> Self {
        Self {
            blade: true,
            ..Self::new(point, normal, 0.0)
        }
    }

    /// The same blow with another impulse, N s.
    pub fn with_impulse(mut self, impulse: Vector3<f32>) -> Self {
        self.impulse = impulse;
        self
    }

    /// The same blow as the other of the two bodies feels it.
    pub(crate) fn reversed(&self) -> Self {
        Self {
            normal: -self.normal,
            impulse: -self.impulse,
            ..self.clone()
        }
    }

    /// The same blow with a radius of its own, metres.
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = Some(radius);
        self
    }
}

/// The energy (J) of a collision, from what the solver leaves to see of it.
///
/// `impulse` (N s) stopped the approach of two bodies of reduced mass `mass` (kg) and left them
/// parting at `parting` (m/s, negative while they still approach). They had approached each other
/// at `v = impulse / mass - parting`, and `mass v^2 / 2` is what the contact had to take up.
pub(crate) fn collision_energy(impulse: f32, mass: f32, parting: f32) -> f32 {
    if mass <= 0.0 {
        return 0.0;
    }
    let approach = (impulse / mass - parting).max(0.0);
    0.5 * mass * approach * approach
}

/// The reduced mass of two bodies, kg; `None` stands for a body that does not move.
pub(crate) fn reduced_mass(a: Option<f32>, b: Option<f32>) -> f32 {
    match (a, b) {
        (Some(a), Some(b)) if a + b > 0.0 => a * b / (a + b),
        (Some(m), None) | (None, Some(m)) => m,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_of_a_ball_on_a_wall_does_not_depend_on_the_bounce() {
        // 2 kg at 10 m/s are 100 J, whether the ball stops dead or comes back at 4 m/s.
        let mass = reduced_mass(Some(2.0), None);
        assert_eq!(collision_energy(20.0, mass, 0.0), 100.0);
        assert_eq!(collision_energy(28.0, mass, 4.0), 100.0);
    }

    #[test]
    fn reduced_mass_is_below_both() {
        assert_eq!(reduced_mass(Some(2.0), Some(2.0)), 1.0);
        assert_eq!(reduced_mass(None, None), 0.0);
        assert_eq!(reduced_mass(Some(0.0), Some(0.0)), 0.0);
    }

    #[test]
    fn a_blow_of_unknown_impulse_is_a_kilogram() {
        let impact = Impact::new(Vector3::zeros(), Vector3::new(0.0, 0.0, 3.0), 50.0);
        assert_eq!(impact.impulse, Vector3::new(0.0, 0.0, -10.0));
        assert_eq!(impact.normal, Vector3::z());
    }
}
