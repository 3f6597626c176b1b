//! Following of other players: which objects they share, and how a client comes back to what the authority has.

use crate::{
    destruction::Destruction,
    fault::FaultLog,
    fault::MODULE,
    object::{Object, Objects},
    players::lost_objects,
    save::archive::restore_with,
};
use fracture_simulation::{
    network::{object_id, Role},
    Simulation,
};
use fyrox::scene::graph::Graph;
use std::collections::BTreeMap;

/// Shares objects that have been loaded, brings those to the authority's state for which there is a save, and has those
/// made intact that are not as the authority has them.
pub(crate) fn follow_others(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
) {
    if destruction.players.role == Role::Alone {
        return;
    }
    share_objects(&destruction.objects, &mut destruction.faults, simulation);
    let is_loading = destruction.objects.values().any(Object::is_waiting);
    if !is_loading && destruction.restores.is_empty() {
        for save in std::mem::take(&mut destruction.players.saves) {
            join(destruction, graph, simulation, &save);
        }
    }
    for (id, object) in lost_objects(&destruction.objects, simulation) {
        if destruction.restores.contains(&object) {
            continue;
        }
        match simulation.state_before_foretold(id) {
            Some(save) => {
                destruction.restores.insert(object);
                destruction.players.keep(save);
            }
            None => destruction.players.needs_save = true,
        }
    }
}

/// Shares the objects that are loaded and not shared yet.
fn share_objects(objects: &Objects, faults: &mut FaultLog, simulation: &mut Simulation) {
    let is_new = |object: &Object| {
        let live = object.live();
        live.is_some_and(|live| !simulation.is_shared(live.root))
    };
    if !objects.values().any(is_new) {
        return; // the common case
    }
    let mut places: BTreeMap<&str, u32> = BTreeMap::new();
    for object in objects.values() {
        let place = places.entry(&object.name).or_default();
        let id = object_id(&object.name, *place);
        *place += 1;
        let Some(live) = object
            .live()
            .filter(|live| !simulation.is_shared(live.root))
        else {
            continue;
        };
        if simulation.shared_body(id).is_some() {
            let problem = "shares the id of another object by chance, and breaks for this player alone; give it another name";
            faults.report_once(&object.name, problem);
        } else if simulation.share(id, live.root).is_err() {
            faults.report_once(&object.name, "cannot be shared with other players");
        }
    }
}

/// Brings objects to the state of a save, as a restored save does.
fn join(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    save: &[u8],
) {
    let live = destruction.objects.values().filter_map(Object::live);
    let intact = live.filter(|live| !live.broken);
    let roots: Vec<_> = intact.map(|live| live.root).collect();
    let joined = restore_with(
        destruction,
        graph,
        simulation,
        &roots,
        |_, _, simulation| simulation.join(save),
    );
    match joined {
        Ok(problems) => {
            for (_, problem) in problems {
                destruction.faults.report_once(MODULE, problem);
            }
        }
        Err(problem) => destruction.faults.report_once(MODULE, problem),
    }
}
