//! Copies of what is held in a simulation.

use std::sync::Arc;

use hecs::{Entity, World};

use crate::environment::CellOccupancy;
use crate::error::SimulationError;
use crate::pieces::components::{BreakSeed, Breakable, Generation, Intact};
use crate::pieces::{Anchors, Damage};
use crate::simulation::Simulation;
use crate::structure::BodyBonds;
use crate::types::Motion;

/// Takes the hooks of the host from all bodies: nothing is drawn of the pieces.
pub(super) fn remove_hooks(world: &mut World) {
    for breakable in world.query_mut::<&mut Breakable>() {
        let asset = Arc::make_mut(&mut breakable.asset);
        asset.hooks = None;
    }
}

/// A simulation with the held bodies of another one, under the same ids, and with their bonds. Each is as if it was
/// never broken, and has no collider. Of the external bodies there are those that hold any of them.
pub(super) fn copy(of: &Simulation) -> Result<Simulation, SimulationError> {
    let mut copy = Simulation::new(of.settings.clone())?;
    type Held<'a> = (
        Entity,
        &'a Breakable,
        &'a Anchors,
        &'a BodyBonds,
        &'a BreakSeed,
        &'a Generation,
        &'a Motion,
        &'a CellOccupancy,
    );
    for (entity, breakable, anchors, bonds, seed, generation, motion, occupancy) in
        of.world.query::<Held>().iter()
    {
        for key in bonds.list().iter().filter_map(|bond| bond.with.external()) {
            if let Some(body) = of.environment.streaming.body(key) {
                // It was accepted before.
                let _ = copy.set_external_body(key, body.clone());
            }
        }
        let held = (
            Intact,
            breakable.clone(),
            Damage::default(),
            anchors.clone(),
            seed.clone(),
            *generation,
            *motion,
            CellOccupancy::new(occupancy.local_bounds()),
        );
        copy.world.spawn_at(entity, held);
        // The entity is there.
        let _ = copy.world.insert_one(entity, bonds.clone());
    }
    copy.structure.is_used = of.structure.is_used;
    copy.structure.had_ground = of.structure.had_ground;
    copy.structure.can_give_way = of.structure.can_give_way;
    copy.structure.is_changed = true;
    Ok(copy)
}
