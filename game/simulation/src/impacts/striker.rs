//! The energy from which on an impact starts a break: it depends on the material, on the size of the body, and on
//! the size, the density and the speed of what strikes it.
//!
//! A body breaks when the impact has the energy to break all of it that the impact strains. Something fast and
//! hard strains its surroundings only, something slow or soft the whole body, before stresses are as high as
//! the material bears: so a bullet chips a block that a person may walk into.

use glam::Vec3;

use crate::error::ImpactError;
use crate::pieces::Material;

/// Density of a striker of which only energy and impulse are known, kg/m^3: that of stone and glass.
const STONE_DENSITY: f32 = 2600.0;

/// Mass of a striker of which only the impulse is known, kg.
const NOMINAL_MASS: f32 = 1.0;

/// Radius of the region that a striker strains at the critical speed, in radii of the striker: waves run
/// through it and back, and as far in the body meanwhile.
const STRAINED_RADII: f32 = 2.0;

/// Radius of the smallest region that a striker strains, metres: what is smaller is a scratch.
const SCRATCH_RADIUS: f32 = 0.1;

/// Radius of the largest break in radii of the striker: the rest of its energy crushes what is right before it.
/// Spalls of concrete under fast projectiles reach some five diameters.
const MAX_BREAK_RADII: f32 = 12.0;

/// Part of a blast wave's energy that reaches the inside of a body; the rest is thrown back.
const BLAST_SHARE: f32 = 0.4;

/// Speed of an explosion's gas below which a part of the energy has become heat on the way, m/s: what is left is
/// proportional to the speed, as in a blast wave whose momentum grows with the distance only.
const STRONG_BLAST_SPEED: f32 = 1000.0;

/// The thing that strikes a body, as far as a damage threshold depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Striker {
    /// A stone with the mass and the speed that follow from the impulse and the energy of the impact.
    #[default]
    Stone,
    /// A body of known size.
    Body {
        /// Radius of a ball with the same volume, metres, above 0.
        radius: f32,
        /// kg/m^3, above 0.
        density: f32,
    },
    /// Something large that does not move, as in a fall: it strains what it stops.
    Ground {
        /// Share of the body's mass that it stops, above 0 and at most 1: all of what falls flat, less of what turns about a
        /// corner on which it falls, and of each of several feet.
        stopped: f32,
    },
    /// The gas of an explosion, which strains all that is as near as the charge.
    Gas {
        /// Distance of the charge, metres, 0 or more.
        distance: f32,
    },
}

impl Striker {
    /// A body of a mass in kg and a volume in m^3; a stone if one of them is not known, as of a body that is moved by
    /// hand.
    pub fn from_mass(mass: Option<f32>, volume: Option<f32>) -> Self {
        let is_known = |value: &f32| *value > 0.0 && value.is_finite();
        match mass.filter(is_known).zip(volume.filter(is_known)) {
            Some((mass, volume)) => Self::Body {
                radius: ball_radius(volume),
                density: mass / volume,
            },
            None => Self::Stone,
        }
    }

    /// Radius of the largest break that it makes, metres; infinite where its size is not known.
    pub(super) fn max_break_radius(&self) -> f32 {
        match *self {
            Self::Body { radius, .. } => MAX_BREAK_RADII * radius,
            _ => f32::INFINITY,
        }
    }

    pub(super) fn check(&self) -> Result<(), ImpactError> {
        let is_positive = |value: f32| value > 0.0 && value.is_finite();
        match *self {
            Self::Body { radius, density } if !(is_positive(radius) && is_positive(density)) => {
                Err(ImpactError::Striker { radius, density })
            }
            Self::Ground { stopped } if !(stopped > 0.0 && stopped <= 1.0) => {
                Err(ImpactError::Stopped { share: stopped })
            }
            Self::Gas { distance } if !(distance >= 0.0 && distance.is_finite()) => {
                Err(ImpactError::Distance { distance })
            }
            _ => Ok(()),
        }
    }
}

/// The size of a body that is struck.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodySize {
    /// m^3
    pub volume: f32,
    /// Least and largest corner of its box in body space, metres.
    pub bounds: [Vec3; 2],
}

/// The part of an impact that a damage threshold depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactLoad {
    pub striker: Striker,
    /// J; 0 when unknown.
    pub energy: f32,
    /// N s
    pub impulse: f32,
}

impl ImpactLoad {
    /// The impulse of the impact in parts of the one that breaks a body, or the square root of its energy in parts
    /// of the one that does: from 1 on it breaks. A `factor` above 1 makes the body tougher. `None` if it takes
    /// the size of the body, which is not given.
    pub fn severity(
        &self,
        material: &Material,
        size: Option<BodySize>,
        factor: f32,
    ) -> Option<f32> {
        match material.damage_threshold {
            Some(0.0) => Some(f32::INFINITY),
            Some(typed) => Some(self.impulse / (typed * factor)),
            None => {
                let needed = factor * self.breaking_energy(material, &size?);
                Some((self.energy() / needed).sqrt())
            }
        }
    }

    /// The energy that breaks the strained part of the body, J.
    fn breaking_energy(&self, material: &Material, size: &BodySize) -> f32 {
        let around = |radius: f32| size.volume_around(radius.max(scratch_radius(material)));
        let (strained, share) = match self.striker {
            Striker::Gas { distance } => {
                let moving = (self.speed() / STRONG_BLAST_SPEED).min(1.0);
                (around(distance), BLAST_SHARE * moving)
            }
            Striker::Ground { stopped } => (stopped * size.volume, 1.0),
            _ => (around(self.strained_radius(material)), 1.0),
        };
        strained / (share * material.volume_per_energy)
    }

    /// Radius of the region that the striker strains, metres.
    ///
    /// The stress of an impact is `v Z Z' / (Z + Z')` with the impedances of the two bodies (Johnson, Impact
    /// Strength of Materials, 1972). With equal speeds of sound it reaches the strength `sqrt(2 e E)` of a
    /// material that breaks at an elastic energy of `e` at the speed `sqrt(2 e / d) (1 + d / d')`, from the
    /// densities of the body and the striker.
    fn strained_radius(&self, material: &Material) -> f32 {
        let speed = self.speed();
        let (radius, density) = self.striker_size();
        let elastic = (2.0 / (material.volume_per_energy * material.density)).sqrt();
        let critical_speed = elastic * (1.0 + material.density / density);
        STRAINED_RADII * radius * critical_speed / speed
    }

    /// Radius of a ball with the volume of the striker, metres; `None` of something that does not move as a body.
    pub fn striker_radius(&self) -> Option<f32> {
        let is_body = !matches!(self.striker, Striker::Ground { .. } | Striker::Gas { .. });
        is_body.then(|| self.striker_size().0)
    }

    /// Radius of a ball with the volume of the striker, metres, and its density, kg/m^3; those of a stone where they
    /// are not known.
    fn striker_size(&self) -> (f32, f32) {
        match self.striker {
            Striker::Body { radius, density } => (radius, density),
            _ => {
                let volume = self.impulse / self.speed() / STONE_DENSITY;
                (ball_radius(volume), STONE_DENSITY)
            }
        }
    }

    /// Speed of the striker, m/s.
    fn speed(&self) -> f32 {
        2.0 * self.energy() / self.impulse
    }

    /// J
    fn energy(&self) -> f32 {
        if self.energy > 0.0 {
            self.energy
        } else {
            0.5 * self.impulse * self.impulse / NOMINAL_MASS
        }
    }
}

/// Radius of a ball of a volume in m^3, metres.
fn ball_radius(volume: f32) -> f32 {
    libm::cbrtf(0.75 / std::f32::consts::PI * volume)
}

/// Radius of the smallest region that a striker strains in a material, metres: breaks may be smaller still.
fn scratch_radius(material: &Material) -> f32 {
    SCRATCH_RADIUS.min(material.min_radius)
}

impl BodySize {
    /// Sides of its box, metres.
    pub fn extents(&self) -> Vec3 {
        self.bounds[1] - self.bounds[0]
    }

    /// The least energy that breaks a body of this size, J.
    pub fn least_energy(&self, material: &Material) -> f32 {
        self.volume_around(scratch_radius(material)) / material.volume_per_energy
    }

    /// The part of the volume that lies within a radius of a point of the surface, m^3: that of the body's box
    /// within half a cube, filled as the whole box is.
    pub fn volume_around(&self, radius: f32) -> f32 {
        let mut sides = self.extents().to_array();
        sides.sort_by(f32::total_cmp);
        let [depth, width, length] = sides;
        let share = |reach: f32, side: f32| if reach < side { reach / side } else { 1.0 };
        let shares =
            share(radius, depth) * share(2.0 * radius, width) * share(2.0 * radius, length);
        self.volume * shares
    }
}
