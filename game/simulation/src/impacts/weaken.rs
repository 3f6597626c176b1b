//! Impacts that are too weak to break a body, and damage a place of it.

use super::impact::Impact;
use super::threshold::damaged_spot;
use crate::event::Event;
use crate::pieces::Damage;
use crate::simulation::Simulation;

/// Leaves damage where an impact struck that was too weak to break its body, and reports it.
pub(crate) fn weaken(simulation: &mut Simulation, impact: &Impact) {
    let Ok(entity) = simulation.world.entity(impact.body.0) else {
        return;
    };
    let Some(spot) = damaged_spot(entity, impact) else {
        return;
    };
    let Ok(damage) = simulation.world.query_one_mut::<&mut Damage>(impact.body.0) else {
        return;
    };
    let before = damage.at(spot.point);
    damage.add(spot);
    let damage = damage.at(spot.point);
    if damage > before {
        simulation.update_contact_threshold(impact.body);
        simulation.events.push(Event::Damaged {
            body: impact.body,
            point: impact.point,
            damage,
        });
    }
}
