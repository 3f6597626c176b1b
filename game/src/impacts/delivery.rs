//! Brings impacts to the simulation: those from script messages and from game code.

use crate::{
    destruction::Destruction,
    events::Event,
    impacts::{
        impact::Impact,
        queue::{validate, ImpactError, ImpactTarget},
        targets::target_at,
    },
    mirror::transforms::vec3,
    object::{ObjectId, ObjectState},
    script::destructible::Destructible,
    swap,
};
use fracture_simulation::{Push, Simulation};
use fyrox::{core::pool::Handle, graph::SceneGraph, scene::graph::Graph};

/// Impacts kept for an object whose files are still being loaded.
const MAX_EARLY_IMPACTS: usize = 8;

/// Queues the impacts that came by script message.
pub(crate) fn take_messages(destruction: &mut Destruction, graph: &mut Graph) {
    let flagged = destruction.discovery.inbox_flag.take();
    let polled = &destruction.discovery.polled_inboxes;
    if !flagged && polled.is_empty() {
        return; // the common case
    }
    let queue = &mut destruction.impacts.queue;
    for (id, object) in destruction.objects.iter() {
        if !(flagged || polled.contains(&id)) {
            continue;
        }
        let script = graph.try_get_script_of::<Destructible>(object.node);
        if !script.is_ok_and(|script| !script.inbox.is_empty()) {
            continue;
        }
        let Ok(script) = graph.try_get_script_of_mut::<Destructible>(object.node) else {
            continue;
        };
        let (impacts, dropped) = script.inbox.take();
        if dropped > 0 {
            let message =
                format!("{dropped} impacts came by message in one frame and were dropped");
            destruction.faults.report(&object.name, message);
        }
        for impact in impacts {
            // An impact that does not fit is counted by the queue.
            queue.push(ImpactTarget::Object(id), impact);
        }
    }
}

/// Gives the queued impacts to the simulation.
pub(crate) fn deliver_impacts(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
) {
    for (target, impact) in destruction.impacts.queue.drain() {
        match target {
            ImpactTarget::Object(id) => strike_object(destruction, simulation, id, impact),
            ImpactTarget::Piece(body) => {
                // Refused when the piece has been removed since.
                let _ = simulation.impact(impact.on_body(body, false));
            }
            ImpactTarget::EngineBody(node) => {
                let push = Push {
                    impulse: vec3(impact.impulse),
                    energy: impact.energy,
                    max_speed: simulation.settings().max_push_speed,
                };
                destruction.impacts.pushes.push((node, impact.point, push));
            }
            ImpactTarget::Node(node) => match target_at(destruction, node) {
                Some(ImpactTarget::Object(id)) => {
                    strike_object(destruction, simulation, id, impact);
                }
                _ => {
                    let name = graph.try_get_node(node).map(|n| n.name_owned());
                    let error = ImpactError::NotDestructible { node };
                    destruction.faults.report(&name.unwrap_or_default(), error);
                }
            },
        }
    }
}

/// Pushes bodies of the engine by the impacts that were delivered, once debris has given them its corrections.
pub(crate) fn push_engine_bodies(destruction: &mut Destruction, graph: &mut Graph) {
    for (body, point, push) in destruction.impacts.pushes.drain(..) {
        swap::push_body(graph, body, point, &push);
    }
}

fn strike_object(
    destruction: &mut Destruction,
    simulation: &mut Simulation,
    id: ObjectId,
    impact: Impact,
) {
    let Some(object) = destruction.objects.get_mut(id) else {
        return;
    };
    let reason = match (&object.state, validate(&impact)) {
        // Those of messages have not been checked.
        (ObjectState::Live(_), Err(error)) => error.to_string(),
        (ObjectState::Live(live), Ok(())) => {
            match simulation.impact(impact.on_body(live.root, false)) {
                Ok(()) => return,
                Err(error) => error.to_string(),
            }
        }
        (ObjectState::Waiting, _) if object.early_impacts.len() < MAX_EARLY_IMPACTS => {
            object.early_impacts.push(impact);
            return;
        }
        (ObjectState::Waiting, _) => "its files are still being loaded; strike it later".to_owned(),
        (ObjectState::Faulty(reason), _) => reason.clone(),
        (ObjectState::Gone, _) => return,
    };
    destruction.faults.report(&object.name, &reason);
    let (node, name) = (object.node, object.name.clone());
    let failed = Event::Failed {
        node,
        piece: Handle::NONE,
        name,
        reason,
    };
    destruction.events.push(failed);
}

/// Checks an impact and queues it for the next update.
pub(crate) fn enqueue(
    destruction: &mut Destruction,
    target: ImpactTarget,
    impact: Impact,
) -> Result<(), ImpactError> {
    validate(&impact)?;
    if let ImpactTarget::Object(id) = target {
        let object = destruction.objects.get(id);
        if let Some((object, ObjectState::Faulty(reason))) = object.map(|o| (o, &o.state)) {
            let (name, reason) = (object.name.clone(), reason.clone());
            return Err(ImpactError::Faulty { name, reason });
        }
    }
    if destruction.impacts.queue.push(target, impact) {
        Ok(())
    } else {
        Err(ImpactError::TooMany)
    }
}
