//! Debris of a client that follows what the authority tells of it.

use super::client::piece_of;
use super::message::{MessageError, Poses};
use crate::pieces::components::Debris;
use crate::simulation::Simulation;

/// Most poses that are taken in a step.
const MAX_TAKEN: usize = 2048;

/// Takes poses that the authority has told. Those of pieces that are not here are passed over, and so is what is older
/// than what is known.
pub(super) fn take_poses(simulation: &mut Simulation, told: &Poses) -> Result<(), MessageError> {
    for pose in &told.poses {
        let object = simulation.network.objects.get(&pose.object);
        let object = object.ok_or(MessageError::UnknownObject {
            object: pose.object,
        })?;
        let following = &mut simulation.network.following;
        following.taken += 1;
        if following.taken > MAX_TAKEN {
            return Err(MessageError::TooMany);
        }
        let source = object.source;
        let Some(body) = piece_of(simulation, source, pose.piece) else {
            continue;
        };
        if simulation.world.satisfies::<&Debris>(body.0) {
            simulation.network.following.lead(body, told.frame, pose);
        }
    }
    Ok(())
}

/// Leads pieces to where the authority has them.
pub(crate) fn follow_debris(simulation: &mut Simulation, dt: f32) {
    simulation.network.following.taken = 0;
    if simulation.network.following.leads.is_empty() || dt <= 0.0 {
        return;
    }
    let mut leads = std::mem::take(&mut simulation.network.following.leads);
    let gravity = simulation.settings.gravity;
    leads.retain(|body, _| simulation.world.satisfies::<&Debris>(body.0));
    for (body, lead) in leads.iter_mut().filter(|(_, lead)| !lead.is_done) {
        let debris = simulation.world.get::<&Debris>(body.0);
        let Ok(middle) = debris.map(|debris| debris.bounds.center()) else {
            continue;
        };
        lead.pass(middle, dt, gravity);
        let Some(motion) = simulation.motion(*body).filter(|_| !lead.is_done) else {
            continue;
        };
        match lead.step(middle, &motion) {
            Some(motion) => {
                let world = simulation.debris.wait_mut();
                world.set_piece_motion(*body, &motion, false);
            }
            None => lead.is_done = lead.at_rest,
        }
    }
    simulation.network.following.leads = leads;
}
