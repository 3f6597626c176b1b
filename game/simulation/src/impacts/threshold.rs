//! Damage thresholds of bodies: from which impulse on an impact breaks one, or weakens a place of it.

use std::sync::Arc;

use fracture_geometry::Solid;
use glam::Vec3;
use hecs::{EntityRef, World};
use rapier3d::geometry::Aabb;

use super::impact::Impact;
use super::striker::{BodySize, ImpactLoad};
use crate::environment::CellOccupancy;
use crate::pieces::components::{Breakable, BreakableAsset, Debris, Generation};
use crate::pieces::{
    energy_share, weakness_of, Damage, DamagedSpot, Material, PaintedWeakness, MAX_DAMAGE,
};
use crate::types::{BodyId, Motion};

/// Speed of most things that strike debris or are struck by it, m/s: slower ones need more impulse for a break.
const MAX_COLLISION_SPEED: f32 = 30.0;

/// Share of the damage threshold below which an impact is not felt. A lower share reports weaker ones and costs
/// more lookups.
const MIN_FELT_SHARE: f32 = 0.1;

/// Share of the breaking energy below which a blow leaves no damage. Concrete bears ten million cycles of 55 % of
/// its strength (ACI 215R-74), which is 0.3 of the energy.
const ENDURANCE_LIMIT: f32 = 0.3;

/// Radius of a damaged spot in radii of the break that its blow would have made.
const SPOT_RADII: f32 = 2.0;

/// An impact on a body whose size, or what is painted on it, is not known until a worker has prepared its shape.
pub(crate) struct ThresholdCheck {
    load: ImpactLoad,
    material: Material,
    /// The place, body space, metres.
    point: Vec3,
    /// Damage of the place.
    damage: f32,
    weakness: Option<Arc<PaintedWeakness>>,
}

impl ThresholdCheck {
    /// Whether the impact does not break the solid.
    pub async fn is_not_reached(&self, solid: &Solid) -> bool {
        let size = BodySize::of_solid(solid);
        let weakness = weakness_of(self.weakness.as_ref()).await;
        let share = energy_share(weakness, self.point);
        let severity = self.load.severity(&self.material, Some(size), 1.0);
        severity.is_some_and(|severity| {
            !breaks_at(severity / share.sqrt(), self.damage, &self.material)
        })
    }
}

impl BodySize {
    fn of_solid(solid: &Solid) -> Self {
        Self {
            volume: solid.mass().volume as f32,
            bounds: solid.bounds().as_vec3(),
        }
    }

    /// The size of a body; `None` for an intact one whose shape has not been prepared.
    pub fn of_body(entity: EntityRef) -> Option<Self> {
        match entity.get::<&Generation>()?.volume {
            Some(volume) => {
                let bounds = entity.get::<&CellOccupancy>()?.local_bounds();
                Some(Self {
                    volume: volume as f32,
                    bounds: [bounds.mins, bounds.maxs],
                })
            }
            None => {
                let breakable = entity.get::<&Breakable>()?;
                let solid = breakable.shape.reported()?.ok()?;
                Some(Self::of_solid(solid))
            }
        }
    }
}

/// The volume of a body, m^3; `None` for an intact one whose shape has not been prepared.
pub(super) fn volume(world: &World, body: BodyId) -> Option<f32> {
    let entity = world.entity(body.0).ok()?;
    Some(BodySize::of_body(entity)?.volume)
}

/// The impulse from which on an impact breaks its body, N s; see
/// [`Simulation::damage_threshold`](crate::Simulation::damage_threshold).
pub(crate) fn damage_threshold(world: &World, impact: &Impact) -> Option<f32> {
    let entity = world.entity(impact.body.0).ok()?;
    let material = entity.get::<&Breakable>()?.asset.material;
    let typed = || Some(material.damage_threshold? * energy_share_at(entity, impact.point)?.sqrt());
    let computed =
        || Some(impact.impulse.length() / severity(entity, impact.point, &impact.load(), 1.0)?);
    let intact = typed().or_else(computed)?;
    let share = material.sheet_toughness * (1.0 - damage_at(entity, impact.point));
    Some(intact * share.sqrt())
}

/// Whether an impact breaks its body; see [`Simulation::breaks`](crate::Simulation::breaks).
pub(crate) fn breaks(world: &World, impact: &Impact) -> Option<bool> {
    let entity = world.entity(impact.body.0).ok()?;
    let material = entity.get::<&Breakable>()?.asset.material;
    let damage = damage_at(entity, impact.point);
    let severity = severity(entity, impact.point, &impact.load(), 1.0)?;
    Some(impact.blade || breaks_at(severity, damage, &material))
}

/// Whether an impact is worth a report; see [`Simulation::is_felt`](crate::Simulation::is_felt).
pub(crate) fn is_felt(world: &World, impact: &Impact) -> bool {
    let threshold = damage_threshold(world, impact).unwrap_or_default();
    impact.impulse.length() >= MIN_FELT_SHARE * threshold
}

/// The impulse below which a contact is not felt, N s; see
/// [`Simulation::least_felt_impulse`](crate::Simulation::least_felt_impulse).
pub(crate) fn least_felt_impulse(world: &World, body: BodyId) -> f32 {
    let entity = world.entity(body.0).ok();
    let least = entity.and_then(|entity| least_felt(entity, 1.0));
    least.unwrap_or(f32::INFINITY)
}

/// The impulse below which no usual collision with debris is felt by a body, N s; infinite for one that does not break
/// at all.
pub(crate) fn least_felt_of_debris(entity: EntityRef) -> f32 {
    let least = collision_factor(entity).and_then(|factor| least_felt(entity, factor));
    least.unwrap_or(f32::INFINITY)
}

/// The impulse below which no usual blow is felt, N s. A `factor` above 1 makes the body tougher.
fn least_felt(entity: EntityRef, factor: f32) -> Option<f32> {
    let breakable = entity.get::<&Breakable>()?;
    let worst = entity.get::<&Damage>().map_or(0.0, |damage| damage.worst());
    let size = || BodySize::of_body(entity);
    Some(least_felt_by(&breakable.asset, size, factor, worst))
}

/// The impulse below which no usual blow is felt by a body whose worst place has some damage, N s.
fn least_felt_by(
    asset: &BreakableAsset,
    size: impl FnOnce() -> Option<BodySize>,
    factor: f32,
    worst: f32,
) -> f32 {
    let material = &asset.material;
    let threshold = material.damage_threshold.unwrap_or_else(|| {
        let energy = size().map_or(0.0, |size| size.least_energy(material));
        2.0 * energy / MAX_COLLISION_SPEED
    });
    let weakness = asset.weakness.as_ref();
    let weakest = weakness.map_or(1.0, |painted| painted.least_energy_share());
    MIN_FELT_SHARE * threshold * factor * (weakest * (1.0 - worst)).sqrt()
}

/// The impulse below which no usual collision with debris is felt by a free piece that is about to enter, N s.
/// `bounds` is its box in body space.
pub(crate) fn least_felt_of_new_piece(
    asset: &BreakableAsset,
    generation: &Generation,
    damage: &Damage,
    bounds: &Aabb,
) -> f32 {
    if !generation.can_break(&asset.material) {
        return f32::INFINITY;
    }
    let size = || {
        Some(BodySize {
            volume: generation.volume? as f32,
            bounds: [bounds.mins, bounds.maxs],
        })
    };
    least_felt_by(asset, size, asset.material.threshold_factor, damage.worst())
}

/// Whether an impact of a severity breaks a place of a damage.
fn breaks_at(severity: f32, damage: f32, material: &Material) -> bool {
    severity * severity / material.sheet_toughness + damage >= 1.0
}

/// The damage of a body at a point in world space.
fn damage_at(entity: EntityRef, point: Vec3) -> f32 {
    let at = || {
        let damage = entity.get::<&Damage>()?;
        let pose = entity.get::<&Motion>()?.pose;
        Some(damage.at(pose.inverse_transform_point(point)))
    };
    at().unwrap_or_default()
}

/// The spot that an impact damages which does not break its body; `None` for one that leaves no damage.
pub(super) fn damaged_spot(entity: EntityRef, impact: &Impact) -> Option<DamagedSpot> {
    let material = entity.get::<&Breakable>()?.asset.material;
    let can_break = entity.get::<&Generation>()?.can_break(&material);
    let damage = damage_by(entity, impact.point, &impact.load()).filter(|_| can_break)?;
    let pose = entity.get::<&Motion>()?.pose;
    let radius = impact.break_radius(&material).metres as f32;
    Some(DamagedSpot {
        point: pose.inverse_transform_point(impact.point),
        normal: (pose.rotation.inverse() * impact.normal).normalize_or(Vec3::Y),
        radius: SPOT_RADII * radius,
        damage,
    })
}

/// The damage that a load leaves where it does not break the body; `None` for none.
fn damage_by(entity: EntityRef, point: Vec3, load: &ImpactLoad) -> Option<f32> {
    let material = entity.get::<&Breakable>()?.asset.material;
    let weakening = material.weakening / material.sheet_toughness;
    let severity = severity(entity, point, load, 1.0)?;
    let is_damaged = weakening > 0.0 && severity * severity >= ENDURANCE_LIMIT;
    is_damaged.then(|| (weakening * severity * severity).min(MAX_DAMAGE))
}

/// The severity of an impact on a body at a point in world space; `None` if the body's size matters, or what is painted on it,
/// and is not known yet.
fn severity(entity: EntityRef, point: Vec3, load: &ImpactLoad, factor: f32) -> Option<f32> {
    let material = entity.get::<&Breakable>()?.asset.material;
    let severity = load.severity(&material, BodySize::of_body(entity), factor)?;
    Some(severity / energy_share_at(entity, point)?.sqrt())
}

/// The share of its energy that a break takes at a point in world space by what is painted there; `None` if that is not known
/// yet.
fn energy_share_at(entity: EntityRef, point: Vec3) -> Option<f32> {
    let breakable = entity.get::<&Breakable>()?;
    let Some(painted) = &breakable.asset.weakness else {
        return Some(1.0);
    };
    let pose = entity.get::<&Motion>()?.pose;
    painted.energy_share(pose.inverse_transform_point(point))
}

/// The check that a worker makes for an impact on a body whose size is not known yet.
pub(super) fn deferred_check(entity: EntityRef, impact: &Impact) -> Option<ThresholdCheck> {
    let breakable = entity.get::<&Breakable>()?;
    let load = impact.load();
    let is_deferred = !impact.blade && severity(entity, impact.point, &load, 1.0).is_none();
    let pose = entity.get::<&Motion>()?.pose;
    is_deferred.then(|| ThresholdCheck {
        load,
        material: breakable.asset.material,
        point: pose.inverse_transform_point(impact.point),
        damage: damage_at(entity, impact.point),
        weakness: breakable.asset.weakness.clone(),
    })
}

/// The effect of a collision with debris on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CollisionEffect {
    /// The impact is felt, and neither of the others. Has the impulse that would have broken the body there, N s.
    Felt { damage_threshold: f32 },
    /// The impact leaves damage. Free pieces take none from one another: rubble that breaks in the end, however it is
    /// rolled about, would soon be dust.
    Damages,
    /// The impact breaks the body, or may break it: the size of the body is not known yet.
    Breaks,
}

/// The effect on a body of a collision with debris at a point in world space; `None` if it is not felt.
pub(super) fn collision_effect(
    entity: EntityRef,
    load: &ImpactLoad,
    point: Vec3,
) -> Option<CollisionEffect> {
    let factor = collision_factor(entity)?;
    let material = entity.get::<&Breakable>()?.asset.material;
    let damage = damage_at(entity, point);
    let severity = severity(entity, point, load, factor);
    let holds = |severity: &f32| !breaks_at(*severity, damage, &material);
    let Some(severity) = severity.filter(holds) else {
        return Some(CollisionEffect::Breaks);
    };
    if !entity.has::<Debris>() && damage_by(entity, point, load).is_some() {
        return Some(CollisionEffect::Damages);
    }
    let share = severity / (1.0 - damage).sqrt();
    let damage_threshold = load.impulse / share;
    (share >= MIN_FELT_SHARE).then_some(CollisionEffect::Felt { damage_threshold })
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
