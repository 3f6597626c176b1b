//! What a body is made of, as far as breaking goes.

use crate::error::BodyError;

/// Physical properties of a breakable body; pieces inherit them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// kg/m^3, above 0.
    pub density: f32,
    /// The impulse that starts a break, N s, 0 or more.
    pub toughness: f32,
    /// Volume that one joule breaks, m^3/J, 0 or more; see [`Material::radius`].
    pub energy_to_radius: f32,
    /// Smallest radius of a break, metres, above 0.
    pub min_radius: f32,
    /// Largest radius of a break, metres, not below `min_radius`.
    pub max_radius: f32,
    /// How many times pieces of pieces may break: 1 means that only the whole body breaks, and what
    /// still stands of it.
    pub max_generation: u32,
    /// Pieces below this volume do not break, m^3.
    pub smallest_volume: f32,
    /// How many times the toughness it takes for a piece to break when it falls on something or is
    /// fallen on, 1 or more: what has broken once has lost its weakest places, and rubble that
    /// crumbles at every fall is dust before long.
    pub piece_toughness: f32,
    /// The tension at which it tears under its own weight, Pa, 0 or more; 0 leaves weight out of
    /// account. It bears as much shear, and ten times as much pressure. Concrete and stone have some
    /// 3e6, brickwork 3e5, wood 4e7. What is held is weighed after each break, see
    /// [`Simulation::support`](crate::Simulation::support).
    pub strength: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            density: 2400.0,
            toughness: 20.0,
            energy_to_radius: 1e-4,
            min_radius: 0.1,
            max_radius: 2.0,
            max_generation: 3,
            smallest_volume: 1e-5,
            piece_toughness: 10.0,
            strength: 0.0,
        }
    }
}

impl Material {
    /// How far a hit of some energy breaks, metres: `cbrt(energy * energy_to_radius)`, within
    /// `min_radius` and `max_radius`. The broken volume grows in proportion to the energy, as it
    /// does when breaking a cubic metre takes a fixed amount of it.
    pub fn radius(&self, energy: f32) -> f32 {
        // Not the system's cube root: every platform must break alike.
        let free = libm::cbrtf(energy.max(0.0) * self.energy_to_radius);
        free.max(self.min_radius).min(self.max_radius)
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let positive = "finite and above 0";
        let not_negative = "finite and not negative";
        let rules = [
            ("density", self.density, self.density > 0.0, positive),
            (
                "toughness",
                self.toughness,
                self.toughness >= 0.0,
                not_negative,
            ),
            (
                "energy to radius",
                self.energy_to_radius,
                self.energy_to_radius >= 0.0,
                not_negative,
            ),
            (
                "smallest radius",
                self.min_radius,
                self.min_radius > 0.0,
                positive,
            ),
            (
                "largest radius",
                self.max_radius,
                self.max_radius >= self.min_radius,
                "finite and not below the smallest radius",
            ),
            (
                "piece toughness",
                self.piece_toughness,
                self.piece_toughness >= 1.0,
                "finite and 1 or more",
            ),
            (
                "strength",
                self.strength,
                self.strength >= 0.0,
                not_negative,
            ),
            (
                "smallest volume",
                self.smallest_volume,
                self.smallest_volume >= 0.0,
                not_negative,
            ),
        ];
        for (what, value, holds, range) in rules {
            if !(holds && value.is_finite()) {
                return Err(BodyError::Material { what, value, range });
            }
        }
        Ok(())
    }
}
