//! Explosions: what a charge reaches at once, and what it reaches as soon as it is known where that is.
//!
//! An object is found in the update after it came into the scene, and its colliders are built on the worker. An
//! explosion in that time is kept for it, and is shared out as if it happened when all of it is known.

use crate::{
    destruction::Destruction,
    impacts::{
        delivery::enqueue,
        impact::Impact,
        kept_blast::{Charge, KeptBlast, LateBodies},
        queue::{ImpactError, ImpactTarget, MAX_QUEUED_IMPACTS},
        targets::target_of_body,
    },
    mirror::transforms::{engine_vector, vec3},
    object::{Object, ObjectState},
};
use fracture_simulation::{BlastLoad, Simulation, Striker};
use rapier3d::parry::query::PointQuery;

/// Updates for which an explosion is kept: two seconds at 60 Hz.
const MAX_UPDATES: u32 = 120;

/// Sets off a charge: queues impacts on all that it reaches, and keeps it for what is not known yet. Returns the number
/// of bodies that it has reached.
///
/// # Errors
/// [`ImpactError::TooMany`] where as many are kept as there may be impacts; nothing has happened then.
pub(crate) fn explode(destruction: &mut Destruction, charge: Charge) -> Result<usize, ImpactError> {
    if destruction.impacts.kept_blasts.len() >= MAX_QUEUED_IMPACTS {
        return Err(ImpactError::TooMany);
    }
    let Some(simulation) = &destruction.simulation else {
        keep(destruction, charge, charge.energy, LateBodies::All);
        return Ok(0);
    };
    let is_unread = |object: &Object| is_near(object, &charge) && !is_known(simulation, object);
    let unread = destruction.objects.iter();
    let unread = unread.filter(|(_, object)| is_unread(object));
    let late = LateBodies::Unread {
        objects: unread.map(|(id, _)| id).collect(),
        new_from: destruction.discovery.next_object(),
    };
    let loads = simulation.blast(vec3(charge.center), charge.radius, charge.energy);
    let left = charge.energy - loads.iter().map(|load| load.energy).sum::<f32>();
    let strikes = loads.iter().map(|load| strike(destruction, &charge, load));
    let strikes: Vec<_> = strikes.collect();
    let reached = queue_all(destruction, strikes);
    keep(destruction, charge, left, late);
    Ok(reached)
}

/// Finds the bodies that came into the scene in the frame of an explosion. Call it when an update has discovered them.
pub(crate) fn find_late_bodies(destruction: &mut Destruction) {
    let Destruction {
        objects, impacts, ..
    } = destruction;
    for blast in &mut impacts.kept_blasts {
        let LateBodies::Unread {
            objects: late,
            new_from,
        } = &mut blast.late
        else {
            continue;
        };
        let new = objects.iter().map(|(id, _)| id);
        late.extend(new.filter(|id| id >= new_from));
        blast.late = LateBodies::Found {
            objects: std::mem::take(late),
            bodies: impacts.first_steps.new_bodies().collect(),
        };
    }
}

/// Queues the impacts of explosions on what has become known since.
pub(crate) fn reach_late_bodies(destruction: &mut Destruction, simulation: &Simulation) {
    for mut blast in std::mem::take(&mut destruction.impacts.kept_blasts) {
        if !blast.late.are_there() {
            continue;
        }
        let is_known = |object: &Object| is_known(simulation, object);
        let mut near = late_objects(destruction, &blast);
        let all_known = !simulation.is_building_colliders() && near.all(is_known);
        drop(near);
        if all_known || blast.updates >= MAX_UPDATES {
            reach(destruction, simulation, &blast);
        } else {
            blast.updates += 1;
            destruction.impacts.kept_blasts.push(blast);
        }
    }
}

/// Whether a target is one of the late bodies.
fn contains(destruction: &Destruction, late: &LateBodies, target: ImpactTarget) -> bool {
    let LateBodies::Found { objects, bodies } = late else {
        return true;
    };
    match target {
        ImpactTarget::Object(id) => objects.contains(&id),
        ImpactTarget::Piece(body) => {
            let object = destruction.pieces.object_of(body);
            object.is_some_and(|id| objects.contains(&id))
        }
        ImpactTarget::EngineBody(node) | ImpactTarget::Node(node) => bodies.contains(&node),
    }
}

fn keep(destruction: &mut Destruction, charge: Charge, left: f32, late: LateBodies) {
    destruction.impacts.kept_blasts.push(KeptBlast {
        charge,
        left,
        late,
        updates: 0,
    });
}

/// The late objects within reach.
fn late_objects<'a>(
    destruction: &'a Destruction,
    blast: &'a KeptBlast,
) -> impl Iterator<Item = &'a Object> {
    let objects = destruction.objects.iter().filter(|(id, object)| {
        let target = ImpactTarget::Object(*id);
        contains(destruction, &blast.late, target) && is_near(object, &blast.charge)
    });
    objects.map(|(_, object)| object)
}

/// Shares out what is left of a charge among the late bodies.
fn reach(destruction: &mut Destruction, simulation: &Simulation, blast: &KeptBlast) {
    let charge = &blast.charge;
    let loads = simulation.blast(vec3(charge.center), charge.radius, charge.energy);
    let of_late = |load: &&BlastLoad| {
        let target = target_of_body(destruction, load.body);
        target.is_some_and(|target| contains(destruction, &blast.late, target))
    };
    let late: Vec<BlastLoad> = loads.iter().filter(of_late).copied().collect();
    let energy: f32 = late.iter().map(|load| load.energy).sum();
    let share = if energy > blast.left {
        blast.left.max(0.0) / energy
    } else {
        1.0
    };
    let strikes = late.into_iter().map(|load| {
        let load = BlastLoad {
            impulse: load.impulse * share,
            energy: load.energy * share,
            ..load
        };
        strike(destruction, charge, &load)
    });
    let strikes: Vec<_> = strikes.collect();
    queue_all(destruction, strikes);
}

/// The impact of a charge on a body; `None` for a body that has been removed.
fn strike(
    destruction: &Destruction,
    charge: &Charge,
    load: &BlastLoad,
) -> Option<(ImpactTarget, Impact)> {
    let target = target_of_body(destruction, load.body)?;
    let [point, normal, impulse] = [load.point, load.normal, load.impulse].map(engine_vector);
    let gas = Striker::Gas {
        distance: (point - charge.center).norm(),
    };
    let impact = Impact::new(point, normal, load.energy);
    Some((target, impact.with_impulse(impulse).with_striker(gas)))
}

/// Queues impacts. Returns how many were accepted.
fn queue_all(destruction: &mut Destruction, strikes: Vec<Option<(ImpactTarget, Impact)>>) -> usize {
    let strikes = strikes.into_iter().flatten();
    let accepted = strikes.filter(|(target, impact)| {
        let queued = enqueue(destruction, *target, impact.clone());
        queued.is_ok()
    });
    accepted.count()
}

/// Whether rays meet an object where it is, or never will.
fn is_known(simulation: &Simulation, object: &Object) -> bool {
    match &object.state {
        ObjectState::Live(live) => live.broken || simulation.knows_surface(live.root),
        ObjectState::Waiting => false,
        ObjectState::Faulty(_) | ObjectState::Gone => true,
    }
}

/// Whether an object may be within reach of a charge: one whose meshes are not known is.
fn is_near(object: &Object, charge: &Charge) -> bool {
    object.live().is_none_or(|live| {
        let (pose, center) = (&live.motion.pose, vec3(charge.center));
        live.local_bounds.distance_to_point(pose, center, true) <= charge.radius
    })
}
