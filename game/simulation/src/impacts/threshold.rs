//! Damage thresholds of bodies: from which impulse on an impact breaks one.

use fracture_geometry::Solid;
use hecs::EntityRef;

use super::impact::Impact;
use super::striker::{BodySize, ImpactLoad};
use crate::environment::CellOccupancy;
use crate::pieces::components::{Breakable, Debris, Generation};
use crate::pieces::Material;
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Speed of most things that strike debris or are struck by it, m/s: slower ones need more impulse for a break.
const MAX_COLLISION_SPEED: f32 = 30.0;

/// Share of the damage threshold below which an impact is not felt. A lower share reports weaker ones and costs
/// more lookups.
const MIN_FELT_SHARE: f32 = 0.1;

/// An impact on a body whose size is not known until a worker has prepared its shape.
pub(crate) struct ThresholdCheck {
    load: ImpactLoad,
    material: Material,
}

impl ThresholdCheck {
    /// The damage threshold (N s) of the impact if it does not break the solid.
    pub fn threshold_not_reached(&self, solid: &Solid) -> Option<f32> {
        let size = BodySize::of_solid(solid);
        let severity = self.load.severity(&self.material, Some(size), 1.0)?;
        (severity < 1.0).then(|| self.load.impulse / severity)
    }
}

impl BodySize {
    fn of_solid(solid: &Solid) -> Self {
        Self {
            volume: solid.mass().volume as f32,
            extents: solid.bounds().extents().as_vec3(),
        }
    }

    /// The size of a body; `None` for an intact one whose shape has not been prepared.
    fn of_body(entity: EntityRef) -> Option<Self> {
        match entity.get::<&Generation>()?.volume {
            Some(volume) => Some(Self {
                volume: volume as f32,
                extents: entity.get::<&CellOccupancy>()?.local_bounds().extents(),
            }),
            None => {
                let breakable = entity.get::<&Breakable>()?;
                let solid = breakable.shape.prepared()?.ok()?;
                Some(Self::of_solid(solid))
            }
        }
    }
}

impl Simulation {
    /// The impulse from which on an impact of this kind breaks its body, N s; see
    /// [`Material::damage_threshold`]. `None` if the body is not there, or if its size matters and its shape has
    /// not been prepared.
    pub fn damage_threshold(&self, impact: &Impact) -> Option<f32> {
        let entity = self.world.entity(impact.body.0).ok()?;
        let material = entity.get::<&Breakable>()?.asset.material;
        let computed = || Some(impact.impulse.length() / severity(entity, &impact.load(), 1.0)?);
        material.damage_threshold.or_else(computed)
    }

    /// Whether an impact breaks its body. `None` as for [`Simulation::damage_threshold`].
    pub fn breaks(&self, impact: &Impact) -> Option<bool> {
        let entity = self.world.entity(impact.body.0).ok()?;
        Some(impact.blade || severity(entity, &impact.load(), 1.0)? >= 1.0)
    }

    /// Whether an impact is worth a report: it breaks its body, or has a tenth of the impulse that would.
    pub fn is_felt(&self, impact: &Impact) -> bool {
        let threshold = self.damage_threshold(impact).unwrap_or_default();
        impact.impulse.length() >= MIN_FELT_SHARE * threshold
    }

    /// The impulse (N s) below which a contact with a body is not felt: quick to find, and never too high for
    /// anything that falls or is thrown.
    pub fn least_felt_impulse(&self, body: BodyId) -> f32 {
        let entity = self.world.entity(body.0).ok();
        let threshold = entity.and_then(|entity| {
            let typed = entity.get::<&Breakable>()?.asset.material.damage_threshold;
            typed.map_or_else(
                || least_threshold(entity),
                |typed| Some(typed * MIN_FELT_SHARE),
            )
        });
        threshold.unwrap_or(f32::INFINITY)
    }
}

/// The severity of an impact on a body; `None` if the body's size matters and is not known yet.
fn severity(entity: EntityRef, load: &ImpactLoad, factor: f32) -> Option<f32> {
    let material = entity.get::<&Breakable>()?.asset.material;
    load.severity(&material, BodySize::of_body(entity), factor)
}

/// The check that a worker makes for an impact on a body whose size is not known yet.
pub(super) fn deferred_check(entity: EntityRef, impact: &Impact) -> Option<ThresholdCheck> {
    let material = entity.get::<&Breakable>()?.asset.material;
    let load = impact.load();
    let is_deferred = !impact.blade && severity(entity, &load, 1.0).is_none();
    is_deferred.then_some(ThresholdCheck { load, material })
}

/// Whether a collision with debris breaks a body; one whose size is not known yet may break.
pub(super) fn breaks_in_collision(entity: EntityRef, load: &ImpactLoad) -> bool {
    let Some(factor) = collision_factor(entity) else {
        return false;
    };
    severity(entity, load, factor).is_none_or(|severity| severity >= 1.0)
}

/// The impulse below which no usual collision breaks a body, N s; infinite for one that does not break at all.
pub(crate) fn least_threshold(entity: EntityRef) -> Option<f32> {
    let factor = collision_factor(entity)?;
    let material = entity.get::<&Breakable>()?.asset.material;
    let threshold = material.damage_threshold.unwrap_or_else(|| {
        let size = BodySize::of_body(entity);
        let energy = size.map_or(0.0, |size| size.least_energy(&material));
        2.0 * energy / MAX_COLLISION_SPEED
    });
    Some(threshold * factor)
}

/// The factor on the damage threshold of a body in collisions of debris: a free piece is tougher than a body that
/// the engine moves. `None` for a body that cannot break.
fn collision_factor(entity: EntityRef) -> Option<f32> {
    let material = entity.get::<&Breakable>()?.asset.material;
    let can_break = entity.get::<&Generation>()?.can_break(&material);
    let factor = if entity.has::<Debris>() {
        material.threshold_factor
    } else {
        1.0
    };
    can_break.then_some(factor)
}
