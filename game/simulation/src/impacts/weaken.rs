//! Impacts that are too weak to break a body, and damage a place of it.

use super::impact::Impact;
use super::threshold::damaged_spot;
use crate::event::Event;
use crate::pieces::{Damage, DamagedSpot};
use crate::simulation::Simulation;
use crate::types::BodyId;

impl Simulation {
    /// The damage of a body's worst place: 0 for none, at most 0.9. `None` if there is no such body.
    pub fn damage(&self, body: BodyId) -> Option<f32> {
        let damage = self.world.get::<&Damage>(body.0).ok()?;
        Some(damage.worst())
    }

    /// The damaged spots of a body; none if there is no such body.
    pub fn damaged_spots(&self, body: BodyId) -> Vec<DamagedSpot> {
        let damage = self.world.get::<&Damage>(body.0);
        damage.map_or_else(|_| Vec::new(), |damage| damage.0.clone())
    }
}

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
