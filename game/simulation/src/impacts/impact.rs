//! Impacts: in world space as the host reports them, and in body space as jobs need them.

use glam::{DVec3, Vec3};
use rapier3d::math::Pose;

use super::striker::{ImpactLoad, Striker};
use crate::error::ImpactError;
use crate::event::WeakBlow;
use crate::pieces::{BreakRadius, CutBy, KeptPattern, Material};
use crate::types::{is_in_range, BodyId, MAX_FIGURE};

/// An impact on a body, in world space.
///
/// The impact breaks the body when the length of its impulse reaches the body's damage threshold, see
/// [`Simulation::damage_threshold`](crate::Simulation::damage_threshold). The reach of the break follows from
/// the energy, see [`Material::radius`](crate::Material::radius).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The body that was hit. If it has been broken meanwhile, the impact goes to the nearest of its
    /// pieces.
    pub body: BodyId,
    /// Impact point, metres. Deep inside a solid, as the position of a node is, where a break would take nothing off, it
    /// counts as the place at which the normal leads out.
    pub point: Vec3,
    /// The body's outward normal there; any length, zero counts as up.
    pub normal: Vec3,
    /// Change of the body's momentum by the impact, N s. A piece that does not break takes the share of
    /// it that it would in a collision without a bounce, given the energy.
    pub impulse: Vec3,
    /// Whether the body's own velocity contains the impulse already, as after a contact that the engine's
    /// solver has resolved on a moving body. Then the impulse only moves momentum between the pieces,
    /// towards the ones near the impact.
    pub already_applied: bool,
    /// Energy of the impact, joules; 0 when unknown. It sets the radius, and bounds the kinetic energy
    /// that pieces get, and so the impulse that a free body takes.
    pub energy: f32,
    /// The part of the impact that the striker keeps if the body breaks.
    pub residual: Residual,
    /// The thing that struck.
    pub striker: Striker,
    /// Radius of the break in place of the one that follows from the energy, metres.
    pub radius: Option<f32>,
    /// Whether this is a blade: the body is cut in two by the plane through the point perpendicular to
    /// the normal, whatever its damage threshold and pattern. Both sides stay where they are anchored.
    pub blade: bool,
    /// Width that a blade takes out of the body, metres: half of it on each side of the plane becomes dust.
    pub kerf: f32,
}

/// The part of an impact that a striker keeps when it breaks through a body: pieces do not get it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// N s
    pub impulse: Vec3,
    /// J
    pub energy: f32,
    /// Radius within which the striker pushes along what is before it, metres; 0 when unknown: the pieces of the whole
    /// break get the rest of the impulse.
    pub pushed_radius: f32,
}

/// An impact in body space, all lengths in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalImpact {
    pub point: DVec3,
    pub normal: DVec3,
    /// N s
    pub impulse: DVec3,
    pub already_applied: bool,
    /// J
    pub energy: f64,
    /// The part of the impulse that the striker keeps, N s.
    pub residual_impulse: DVec3,
    /// The part of the energy that the striker keeps, J.
    pub residual_energy: f64,
    /// Distance over which the push on the pieces falls off.
    pub reach: f64,
    pub radius: BreakRadius,
    /// Rotation of the pattern about the normal, radians.
    pub spin: f64,
    pub blade: bool,
    /// Width that a blade takes out, metres.
    pub kerf: f64,
    /// The pattern of the cracks among which it is.
    pub kept: Option<KeptPattern>,
}

impl LocalImpact {
    pub fn cut_by(&self) -> CutBy {
        match (self.blade, self.kerf > 0.0) {
            (false, _) => CutBy::Pattern,
            (true, false) => CutBy::Blade,
            (true, true) => CutBy::Kerf,
        }
    }

    /// Speed of a body with this momentum and energy, m/s; `None` when the energy is not known.
    pub fn striker_speed(&self) -> Option<f64> {
        let impulse = self.impulse.length();
        (self.energy > 0.0 && impulse > 0.0).then(|| 2.0 * self.energy / impulse)
    }
}

impl Impact {
    /// Largest figure of an impact, in its unit: squares of it are numbers.
    pub const MAX_FIGURE: f32 = MAX_FIGURE;

    /// An impact with an impulse (N s) into the body and an energy (J).
    pub fn new(body: BodyId, point: Vec3, normal: Vec3, impulse: Vec3, energy: f32) -> Self {
        Self {
            body,
            point,
            normal,
            impulse,
            already_applied: false,
            energy,
            residual: Residual::default(),
            striker: Striker::default(),
            radius: None,
            blade: false,
            kerf: 0.0,
        }
    }

    /// A straight cut through a body.
    pub fn blade(body: BodyId, point: Vec3, normal: Vec3) -> Self {
        Self {
            blade: true,
            ..Self::new(body, point, normal, Vec3::ZERO, 0.0)
        }
    }

    /// The impact on a body that has moved since, by a movement of world space.
    pub(crate) fn moved(self, movement: Pose) -> Self {
        Self {
            point: movement.transform_point(self.point),
            normal: movement.rotation * self.normal,
            impulse: movement.rotation * self.impulse,
            residual: Residual {
                impulse: movement.rotation * self.residual.impulse,
                ..self.residual
            },
            ..self
        }
    }

    /// The radius of the break in a body of a material.
    pub(super) fn break_radius(&self, material: &Material) -> BreakRadius {
        match self.radius {
            Some(radius) => BreakRadius::typed(f64::from(radius)),
            None => {
                let mut radius = material.break_radius(self.energy);
                let bound = f64::from(self.striker.max_break_radius());
                radius.metres = radius.metres.min(bound).max(radius.smallest);
                radius
            }
        }
    }

    pub(super) fn load(&self) -> ImpactLoad {
        ImpactLoad {
            striker: self.striker,
            energy: self.energy,
            impulse: self.impulse.length(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), ImpactError> {
        // NaN is not below the limit either.
        let is_valid = |value: f32| value.abs() <= MAX_FIGURE;
        let checks = [
            ("point", is_in_range(self.point)),
            ("normal", is_in_range(self.normal)),
            ("impulse", is_in_range(self.impulse)),
            ("energy", is_valid(self.energy)),
            ("residual impulse", is_in_range(self.residual.impulse)),
            ("residual energy", is_valid(self.residual.energy)),
            ("pushed radius", is_valid(self.residual.pushed_radius)),
        ];
        if let Some((what, _)) = checks.into_iter().find(|(_, is_valid)| !is_valid) {
            return Err(ImpactError::NotFinite { what });
        }
        if self.energy < 0.0 {
            return Err(ImpactError::NegativeEnergy {
                energy: self.energy,
            });
        }
        if !(self.kerf >= 0.0 && is_valid(self.kerf)) {
            return Err(ImpactError::Kerf { kerf: self.kerf });
        }
        self.striker.check()?;
        match self.radius {
            Some(radius) if !(radius.is_finite() && radius > 0.0) => {
                Err(ImpactError::Radius { radius })
            }
            _ => Ok(()),
        }
    }

    /// The report of it where it takes an impulse of at least the threshold, N s, to break the body.
    pub(crate) fn weak_blow(&self, damage_threshold: f32) -> WeakBlow {
        WeakBlow {
            body: self.body,
            point: self.point,
            normal: self.normal.normalize_or(Vec3::Y),
            impulse: self.impulse,
            energy: self.energy,
            striker: self.striker,
            damage_threshold,
        }
    }
}
