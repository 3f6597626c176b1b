//! Material of a body: what breaks it, how cut faces look, and how long its debris lasts.

use std::ops::RangeInclusive;

use fracture_geometry::bars::BarFigures;
use fracture_geometry::piece_mesh::{CapMapping, CapStyle, Roughness};
use fracture_geometry::Solid;

use super::pattern_fit::BodyAxis;
use super::pattern_scale::BreakRadius;
use crate::error::BodyError;

/// Densities with which masses and their inverses are numbers, kg/m^3.
const DENSITIES: RangeInclusive<f32> = 1e-6..=1e9;

const POSITIVE: &str = "finite and above 0";
const NOT_NEGATIVE: &str = "finite and not negative";

/// Physical properties of a breakable body; pieces inherit them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Density, kg/m^3, from 1e-6 to 1e9.
    pub density: f32,
    /// Impulse that starts a break, N s, 0 or more. `None`: it follows from the volume per energy, the body's
    /// size and the [`Striker`](crate::Striker), and the less of the body an impact strains the less it takes.
    pub damage_threshold: Option<f32>,
    /// Damage that a blow leaves which is too weak to break the body, in parts of its share of the breaking
    /// energy, 0 to 1: 0 leaves none, with 1 the energies of blows at a place add up. See
    /// [`DamagedSpot`](crate::DamagedSpot).
    pub weakening: f32,
    /// Energy that tears the sheet on which the body's shards hang, in parts of the energy that breaks a body without one, 1
    /// or more; 1: there is none. Weaker blows leave cracks, if those stay, and damage, and it sags: laminated glass.
    pub sheet_toughness: f32,
    /// Volume that one joule breaks, m^3/J, 0 or more; see [`Material::radius`]. Where there is no damage
    /// threshold, 0 is unbreakable.
    pub volume_per_energy: f32,
    /// Smallest radius of a break, metres, above 0.
    pub min_radius: f32,
    /// Largest radius of a break, metres, not below `min_radius`.
    pub max_radius: f32,
    /// How many times pieces of pieces may break. 1: only the intact body breaks, and what still stands
    /// of it. A piece that is more than half of the body counts as broken once, however often parts have been chipped
    /// off, one of more than a quarter as broken twice at most, and so on.
    pub max_depth: u32,
    /// Volume below which pieces do not break, m^3.
    pub min_volume: f32,
    /// Factor on the damage threshold, or on the energy that a break takes where there is none, when a piece
    /// falls on something or is fallen on, 1 or more. A piece has lost its weakest places already, and rubble
    /// that breaks at every fall would soon be dust.
    pub threshold_factor: f32,
    /// Tensile strength under the body's own weight, Pa, 0 or more; 0 leaves weight out of account.
    /// Shear strength is the same, compressive strength ten times as much. Concrete and stone have some
    /// 3e6, brickwork 3e5, wood 4e7. Anchored bodies are solved for stress after each break, see
    /// [`Simulation::stress_graph`](crate::Simulation::stress_graph).
    pub tensile_strength: f32,
    /// Least area of a section by which parts of an anchored body may hang once it was broken, m^2, 0 or more: of less they
    /// snap off, whatever they weigh. Counts with a tensile strength. Sections are those of some 200 cells of the intact
    /// body, so a neck of less than a side of such a cell is not seen.
    pub min_neck: f32,
    /// Whether pieces that reach into an anchor stay there, as shards in a frame; else all that a blow breaks comes off.
    pub held_pieces_stay: bool,
    /// Whether cracks stay around the holes of breaks, and where a blow was too weak for one: the host is told of their
    /// surface ([`Event::Cracked`](crate::Event::Cracked)), and the next break among them goes on by the same cells, and so
    /// along them.
    pub cracks_stay: bool,
    /// Bars that are laid into a body when it first breaks, see [`lay_in`](fracture_geometry::bars::lay_in): they stay where
    /// a break has taken the concrete from around them ([`Event::BarsBared`](crate::Event::BarsBared)).
    pub bars: BarFigures,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            density: 2400.0,
            damage_threshold: None,
            weakening: 0.5,
            sheet_toughness: 1.0,
            volume_per_energy: 1e-4,
            min_radius: 0.1,
            max_radius: 2.0,
            max_depth: 3,
            min_volume: 1e-5,
            threshold_factor: 10.0,
            tensile_strength: 0.0,
            min_neck: 0.0,
            held_pieces_stay: false,
            cracks_stay: false,
            bars: BarFigures::default(),
        }
    }
}

impl Material {
    /// Radius of the break by an impact of the given energy (J), metres:
    /// `cbrt(energy * volume_per_energy)`, within `min_radius` and `max_radius`. The broken volume grows
    /// in proportion to the energy, as it does when breaking a cubic metre takes a fixed amount of it. Energy
    /// beyond that which breaks the whole body makes smaller pieces, see
    /// [`PatternBreak`](crate::pattern::PatternBreak).
    pub fn radius(&self, energy: f32) -> f32 {
        // Not the system's cube root: every platform must break alike.
        let unlimited = libm::cbrtf(energy.max(0.0) * self.volume_per_energy);
        unlimited.max(self.min_radius).min(self.max_radius)
    }

    /// The radius of [`Material::radius`] with the range of radii that blows of any energy have.
    pub fn break_radius(&self, energy: f32) -> BreakRadius {
        BreakRadius {
            metres: f64::from(self.radius(energy)),
            smallest: f64::from(self.min_radius),
            largest: f64::from(self.max_radius),
        }
    }

    /// Whether stress under the body's own weight is solved.
    pub(crate) fn has_strength(&self) -> bool {
        self.tensile_strength > 0.0
    }

    fn check_bars(&self) -> Result<(), BodyError> {
        let BarFigures {
            spacing,
            diameter,
            cover,
            yield_strength,
        } = self.bars;
        let [spacing, cover] = [spacing, cover].map(|value| value as f32);
        let [diameter, flows_at] = [diameter, yield_strength].map(|value| value as f32);
        first_violation([
            ("spacing of bars", spacing, spacing >= 0.0, NOT_NEGATIVE),
            ("cover of bars", cover, cover >= 0.0, NOT_NEGATIVE),
            ("diameter of bars", diameter, diameter > 0.0, POSITIVE),
            ("yield strength of bars", flows_at, flows_at > 0.0, POSITIVE),
        ])
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        self.check_bars()?;
        let at_least_smallest = "finite and not below the smallest radius";
        let at_least_one = "finite and 1 or more";
        let zero_or_more = |what, value: f32| (what, value, value >= 0.0, NOT_NEGATIVE);
        let above_zero = |what, value: f32| (what, value, value > 0.0, POSITIVE);
        let (max_radius, threshold_factor) = (self.max_radius, self.threshold_factor);
        first_violation([
            (
                "density",
                self.density,
                DENSITIES.contains(&self.density),
                "from 1e-6 to 1e9 kg/m^3",
            ),
            zero_or_more(
                "damage threshold",
                self.damage_threshold.unwrap_or_default(),
            ),
            (
                "weakening",
                self.weakening,
                (0.0..=1.0).contains(&self.weakening),
                "0 to 1",
            ),
            zero_or_more("volume per energy", self.volume_per_energy),
            above_zero("smallest radius", self.min_radius),
            (
                "largest radius",
                max_radius,
                max_radius >= self.min_radius,
                at_least_smallest,
            ),
            (
                "threshold factor of pieces",
                threshold_factor,
                threshold_factor >= 1.0,
                at_least_one,
            ),
            (
                "toughness of the sheet",
                self.sheet_toughness,
                self.sheet_toughness >= 1.0,
                at_least_one,
            ),
            zero_or_more("tensile strength", self.tensile_strength),
            zero_or_more("smallest neck", self.min_neck),
            zero_or_more("smallest volume", self.min_volume),
        ])
    }
}

/// The first property that is not finite or outside its range, as `(name, value, is in range, range)`.
fn first_violation<const N: usize>(
    properties: [(&'static str, f32, bool, &'static str); N],
) -> Result<(), BodyError> {
    for (what, value, is_in_range, range) in properties {
        if !(is_in_range && value.is_finite()) {
            return Err(BodyError::Material { what, value, range });
        }
    }
    Ok(())
}

/// How long a body's free pieces last; pieces inherit it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DebrisLifetime {
    /// Lifetime of a free piece, seconds, above 0; infinite: as long as the budget allows. Each piece
    /// lives up to 30 % longer, by its seed, so that a heap does not vanish all at once. A piece that
    /// still moves then is given as long again to come to rest.
    pub lifetime: f32,
    /// Free pieces whose longest side is below this, metres, are not bodies but
    /// [`DustParticle`](crate::DustParticle)s; 0 for none. The largest piece of a break is a body
    /// whatever its size, and of more than 1,024 free pieces of one break the smallest are dust whatever
    /// theirs is.
    pub dust_size: f32,
}

impl Default for DebrisLifetime {
    fn default() -> Self {
        Self {
            lifetime: f32::INFINITY,
            dust_size: 0.0,
        }
    }
}

impl DebrisLifetime {
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        // An infinite lifetime is allowed.
        if self.lifetime.is_nan() || self.lifetime <= 0.0 {
            return Err(BodyError::Material {
                what: "lifetime",
                value: self.lifetime,
                range: "above 0, and infinite for pieces that stay",
            });
        }
        let dust_size = self.dust_size;
        first_violation([("dust size", dust_size, dust_size >= 0.0, NOT_NEGATIVE)])
    }
}

/// Material slot, texture and roughness of the faces that breaks make.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InteriorFaces {
    /// Surface (material slot); `None` is a slot of their own after the mesh's.
    pub surface: Option<u32>,
    /// Texture repeats per metre; `None` is as many as on the mesh.
    pub uv_scale: Option<f32>,
    /// Projection of the texture, which is upright along the grain of patterns that have one, and along y with others.
    pub mapping: CapMapping,
    /// Rotation of the texture, counter-clockwise, radians.
    pub turn: f32,
    /// Bumps.
    pub roughness: Roughness,
}

impl InteriorFaces {
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let Roughness { height, grain, .. } = self.roughness;
        let scale = self.uv_scale.unwrap_or(1.0);
        first_violation([
            ("texture scale of cut faces", scale, scale > 0.0, POSITIVE),
            ("texture turn of cut faces", self.turn, true, "finite"),
            (
                "roughness of cut faces",
                height,
                height >= 0.0,
                NOT_NEGATIVE,
            ),
            ("grain of cut faces", grain, grain >= 0.0, NOT_NEGATIVE),
        ])
    }

    /// The style with defaults filled in from the solid that is broken, with textures that are upright along the grain.
    pub(super) fn style(&self, solid: &Solid, grain: BodyAxis) -> CapStyle {
        CapStyle {
            surface: self.surface.unwrap_or(solid.mesh().surface_count()),
            uv_scale: self.uv_scale.unwrap_or_else(|| solid.uv_density()),
            mapping: self.mapping,
            axes: grain.rotation(solid).as_mat3(),
            turn: self.turn,
        }
    }
}
