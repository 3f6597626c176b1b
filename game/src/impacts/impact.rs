//! The impact: a hit on an object by a contact, a shot, an explosion or a script.

use crate::mirror::transforms::{unit, vec3};
use fracture_simulation::{BodyId, Striker};
use fyrox::{core::algebra::Vector3, script::ScriptMessagePayload};

/// Mass of the striker, kg, when only the energy of an impact is known.
const NOMINAL_MASS: f32 = 1.0;

/// An impact on an object, in world space.
///
/// An impact is also a script message: send it to a node that carries
/// [`Destructible`](crate::Destructible).
#[derive(Clone, Debug, PartialEq, ScriptMessagePayload)]
pub struct Impact {
    /// Point of the hit, metres. Deep inside a solid, as the position of a node is, where a break would take nothing off, it
    /// counts as the place at which the normal leads out.
    pub point: Vector3<f32>,
    /// Outward normal of the surface that is hit; any length above zero. One without a length is refused.
    pub normal: Vector3<f32>,
    /// Impulse, N s. Its length is compared with the damage threshold.
    pub impulse: Vector3<f32>,
    /// Energy, J. It determines the radius of the break.
    pub energy: f32,
    /// The thing that struck.
    pub striker: Striker,
    /// Radius of the break, metres, in place of the one that follows from the energy.
    pub radius: Option<f32>,
    /// Whether the impact is a cut: see [`Impact::blade`].
    pub blade: bool,
    /// Width that a blade takes out, metres.
    pub kerf: f32,
}

impl Impact {
    /// Creates an impact of the given energy (J) against the normal.
    ///
    /// The impulse is that of a striker of 1 kg with this energy: `p = sqrt(2 m E)`.
    pub fn new(point: Vector3<f32>, normal: Vector3<f32>, energy: f32) -> Self {
        // One that is no direction stays as it is, to be refused by name.
        let normal = unit(normal).unwrap_or(normal);
        Self {
            point,
            normal,
            impulse: -normal * (2.0 * NOMINAL_MASS * energy.max(0.0)).sqrt(),
            energy,
            striker: Striker::default(),
            radius: None,
            blade: false,
            kerf: 0.0,
        }
    }

    /// Creates a cut: the target is divided in two by the plane through `point` with this normal, whatever
    /// its damage threshold and pattern. Nothing is pushed, and each side stays anchored where it was. A cut without
    /// a [kerf](Self::with_kerf) takes nothing out: where both sides are held, it is hardly seen.
    pub fn blade(point: Vector3<f32>, normal: Vector3<f32>) -> Self {
        Self {
            blade: true,
            ..Self::new(point, normal, 0.0)
        }
    }

    /// Sets the width that a cut takes out, metres: that of a blade or a saw. It becomes dust.
    pub fn with_kerf(mut self, kerf: f32) -> Self {
        self.kerf = kerf;
        self
    }

    /// Replaces the impulse, N s.
    pub fn with_impulse(mut self, impulse: Vector3<f32>) -> Self {
        self.impulse = impulse;
        self
    }

    /// Sets the thing that struck, which matters where there is no damage threshold: a hard and small striker
    /// breaks what a soft or large one does not.
    pub fn with_striker(mut self, striker: Striker) -> Self {
        self.striker = striker;
        self
    }

    /// The impact on the other body of the collision.
    pub(crate) fn reversed(&self) -> Self {
        Self {
            normal: -self.normal,
            impulse: -self.impulse,
            ..self.clone()
        }
    }

    /// Sets the radius of the break, metres.
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = Some(radius);
        self
    }

    /// Converts the impact to one of the simulation. `already_applied` says that the engine has applied
    /// the impulse to the body.
    pub(crate) fn on_body(
        &self,
        body: BodyId,
        already_applied: bool,
    ) -> fracture_simulation::Impact {
        let [point, normal, impulse] = [self.point, self.normal, self.impulse].map(vec3);
        fracture_simulation::Impact {
            already_applied,
            striker: self.striker,
            radius: self.radius,
            blade: self.blade,
            kerf: self.kerf,
            ..fracture_simulation::Impact::new(body, point, normal, impulse, self.energy)
        }
    }
}

/// The energy (J) of a collision, computed from the state after the solver.
///
/// `impulse` (N s) stopped the approach of two bodies of reduced mass `mass` (kg) and left them with the
/// separation speed `separation` (m/s, negative while they still approach). Their approach speed was
/// `v = impulse / mass - separation`, and the contact absorbed `mass v^2 / 2`.
pub(crate) fn collision_energy(impulse: f32, mass: f32, separation: f32) -> f32 {
    if mass <= 0.0 {
        return 0.0;
    }
    let approach = (impulse / mass - separation).max(0.0);
    0.5 * mass * approach * approach
}

/// The reduced mass of two bodies, kg. `None` stands for a body that contacts do not move.
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
    fn an_impact_of_unknown_impulse_has_a_striker_of_a_kilogram() {
        let impact = Impact::new(Vector3::zeros(), Vector3::new(0.0, 0.0, 3.0), 50.0);
        assert_eq!(impact.impulse, Vector3::new(0.0, 0.0, -10.0));
        assert_eq!(impact.normal, Vector3::z());
    }
}
