//! Collisions of debris as impacts: debris breaks, and breaks what it falls on.

use glam::Vec3;

use super::impact::Impact;
use super::striker::{ImpactLoad, Striker};
use super::threshold::{collision_effect, volume, CollisionEffect};
use crate::debris::{BodyRef, DebrisCollision};
use crate::event::{DropReason, Event};
use crate::pieces::components::Debris;
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

/// Most collision events of a step: those of highest energy.
const MAX_COLLISION_EVENTS: usize = 32;

/// Turns the last step's collisions into impacts, the highest energy first, and reports them as events.
///
/// Of two bodies the weaker breaks, or both when the collision is hard enough for both. Impacts beyond the
/// budget of a step are dropped and counted, so that a chain reaction cannot take up the frame. Those, and blows
/// that are felt but come to nothing, are told ([`ToldBlows`](super::ToldBlows)).
pub(crate) fn apply_collisions(simulation: &mut Simulation) {
    let collisions = simulation.debris.wait().collisions();
    if collisions.is_empty() {
        return; // the common case
    }
    let mut collisions = collisions.to_vec();
    simulation
        .told_blows
        .begin_step(simulation.statistics.frame);
    collisions.sort_by(|a, b| b.energy.total_cmp(&a.energy));
    report(simulation, &collisions);
    let mut hit_bodies: Vec<BodyId> = Vec::new();
    for collision in &collisions {
        let impacts = [0, 1].map(|side| collision_impact(simulation, collision, side));
        let breaks = |impact: &&CollisionImpact| impact.effect == CollisionEffect::Breaks;
        let count = impacts.iter().flatten().filter(breaks).count().max(1) as f32;
        for CollisionImpact { mut impact, effect } in impacts.into_iter().flatten() {
            if hit_bodies.contains(&impact.body) {
                continue; // by a harder collision in the same step, which is told
            }
            if let CollisionEffect::Felt { damage_threshold } = effect {
                let blow = impact.weak_blow(damage_threshold);
                tell(simulation, &impact, Event::BelowThreshold(blow));
                continue;
            }
            if effect == CollisionEffect::Breaks {
                hit_bodies.push(impact.body);
                impact.energy /= count;
            }
            if hit_bodies.len() > simulation.settings.chain_breaks {
                simulation.statistics.chain_dropped += 1;
                let reason = DropReason::TooManyBreaks;
                let body = impact.body;
                tell(simulation, &impact, Event::Dropped { body, reason });
            } else {
                // Refused only beyond the limit of impacts per step, where it is counted.
                let _ = simulation.impact(impact);
            }
        }
    }
}

/// Reports an impact that comes to nothing.
fn tell(simulation: &mut Simulation, impact: &Impact, event: Event) {
    let (body, impulse) = (impact.body, impact.impulse.length());
    let told = &mut simulation.told_blows;
    told.tell(body, impulse, event, &mut simulation.events);
}

/// The impact of a collision on one of its bodies.
struct CollisionImpact {
    impact: Impact,
    effect: CollisionEffect,
}

/// The impact of a collision on one of its bodies; `None` if that does not feel it.
fn collision_impact(
    simulation: &Simulation,
    collision: &DebrisCollision,
    side: usize,
) -> Option<CollisionImpact> {
    let body = collision.bodies.get(side)?.breakable()?;
    let place = *collision.places.get(side)?;
    let other = *collision.bodies.get(1 - side)?;
    let (harmless, environment) = (&simulation.harmless, &simulation.environment);
    if harmless.contains(other, environment, &simulation.world) {
        return None;
    }
    let entity = simulation.world.entity(body.0).ok()?;
    let load = ImpactLoad {
        striker: striker(simulation, other),
        energy: collision.energy,
        impulse: collision.impulse,
    };
    let point = entity.get::<&Motion>()?.pose.transform_point(place);
    let effect = collision_effect(entity, &load, point)?;
    let is_free = entity.has::<Debris>();
    let outward = if side == 0 {
        collision.normal
    } else {
        -collision.normal
    };
    let impulse = -outward * collision.impulse;
    let is_dynamic = is_free
        || simulation
            .debris
            .wait()
            .has_shadow(BodyRef::Breakable(body));
    let impact = Impact {
        striker: load.striker,
        // The solver has changed the velocity of a dynamic body.
        already_applied: is_dynamic,
        ..Impact::new(body, point, outward, impulse, collision.energy)
    };
    Some(CollisionImpact { impact, effect })
}

/// A body as what strikes another.
fn striker(simulation: &Simulation, body: BodyRef) -> Striker {
    if is_fixed(simulation, body) {
        return Striker::Ground { stopped: 1.0 };
    }
    let world = simulation.debris.wait();
    let volume = match body {
        BodyRef::Breakable(id) => volume(&simulation.world, id),
        BodyRef::External(_) => world.pushed_volume(body),
    };
    Striker::from_mass(world.mass(body), volume)
}

/// Whether a body stays where it is, whatever strikes it.
fn is_fixed(simulation: &Simulation, body: BodyRef) -> bool {
    match body {
        BodyRef::External(key) => simulation.environment.streaming.is_fixed(key),
        BodyRef::Breakable(id) => {
            let is_free = simulation.world.satisfies::<&Debris>(id.0);
            !is_free && !simulation.debris.wait().has_shadow(body)
        }
    }
}

fn report(simulation: &mut Simulation, collisions: &[DebrisCollision]) {
    let threshold = simulation.settings.report_contacts;
    let reported = collisions.iter().filter(|c| c.impulse >= threshold);
    for collision in reported.take(MAX_COLLISION_EVENTS) {
        let event = DebrisCollision {
            normal: collision.normal.normalize_or(Vec3::Y),
            ..*collision
        };
        simulation.events.push(Event::Collision(event));
    }
}
