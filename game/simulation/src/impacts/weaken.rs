//! Impacts that are too weak to break a body, and damage a place of it.

use super::impact::Impact;
use super::threshold::damaged_spot;
use crate::event::Event;
use crate::jobs::drawing_requests::search_cracks;
use crate::pieces::components::{BreakSeed, Breakable};
use crate::pieces::{Damage, NewCracks, PatternBreak};
use crate::seeds::angle;
use crate::simulation::Simulation;
use crate::types::Motion;

/// Leaves damage where an impact struck that was too weak to break its body, and reports it.
pub(crate) fn weaken(simulation: &mut Simulation, impact: &Impact) {
    let Ok(entity) = simulation.world.entity(impact.body.0) else {
        return;
    };
    let Some(spot) = damaged_spot(entity, impact) else {
        return;
    };
    let query = simulation
        .world
        .query_one_mut::<(&Breakable, &mut Damage)>(impact.body.0);
    let Ok((breakable, damage)) = query else {
        return;
    };
    let material = &breakable.asset.material;
    let (before, dents) = (damage.at(spot.point), damage.dents(material));
    damage.add(spot);
    let sags_more = damage.dents(material) != dents;
    let damage = damage.at(spot.point);
    if damage > before {
        simulation.update_contact_threshold(impact.body);
        simulation.events.push(Event::Damaged {
            body: impact.body,
            point: impact.point,
            damage,
        });
    }
    // Others are not told of weak blows, and cracks have to follow from the breaks.
    if !simulation.network.is_told(&simulation.world, impact.body) {
        let has_more_cracks = leave_cracks(simulation, impact);
        if has_more_cracks || sags_more {
            search_cracks(simulation, impact.body);
        }
    }
}

/// Leaves cracks where an impact has left damage, along which the next one breaks the body, and says whether there are more
/// than before. None in a body that has not been prepared: where they are depends on its shape.
fn leave_cracks(simulation: &mut Simulation, impact: &Impact) -> bool {
    type Query<'a> = (&'a Breakable, &'a Motion, &'a BreakSeed, &'a mut Damage);
    let query = simulation.world.query_one_mut::<Query>(impact.body.0);
    let Ok((breakable, motion, seed, damage)) = query else {
        return false;
    };
    let asset = &breakable.asset;
    let Some(Ok(solid)) = breakable
        .shape
        .reported()
        .filter(|_| asset.material.cracks_stay)
    else {
        return false;
    };
    // What is painted on it has not been told to steps where another body has had the shape prepared.
    let Some(weakness) = asset
        .weakness
        .as_ref()
        .map_or(Some(None), |painted| painted.reported())
    else {
        return false;
    };
    let radius = impact.break_radius(&asset.material);
    let to_body = motion.pose.rotation.inverse();
    let blow = PatternBreak {
        pattern: &asset.pattern,
        fit: asset.fit,
        point: motion.pose.inverse_transform_point(impact.point).as_dvec3(),
        normal: (to_body * impact.normal).as_dvec3(),
        // As of the next break.
        spin: angle(seed.seed, seed.impacts),
        radius,
        everywhere: false,
        weakness,
    };
    let kept = damage.cracks.at(blow.point, radius);
    let kept = kept.unwrap_or_else(|| blow.lay(solid));
    let new = NewCracks::of_weak_blow(kept, radius, blow.point);
    damage.cracks.add(new)
}
