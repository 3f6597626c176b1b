//! Brings impacts to the simulation: those from script messages and from game code.

use crate::{
    destruction::Destruction,
    events::Event,
    impacts::{
        impact::Impact,
        queue::{validate, ImpactError, ImpactTarget},
        targets::target_at,
    },
    mirror::engine_bodies::dynamic_mass,
    object::{ObjectId, ObjectState},
    script::destructible::Destructible,
    swap,
};
use fracture_simulation::{absorbed_impulse, Simulation};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};

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
            ImpactTarget::Object(id) => strike_object(destruction, graph, simulation, id, impact),
            ImpactTarget::Piece(body) => {
                // Refused when the piece has been removed since.
                let _ = simulation.impact(impact.on_body(body, false));
            }
            ImpactTarget::EngineBody(node) => {
                push_unbroken(graph, node, &impact, simulation.settings());
            }
            ImpactTarget::Node(node) => match target_at(destruction, node) {
                Some(ImpactTarget::Object(id)) => {
                    strike_object(destruction, graph, simulation, id, impact);
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

fn strike_object(
    destruction: &mut Destruction,
    graph: &mut Graph,
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
            let on_root = impact.on_body(live.root, false);
            let breaks = simulation.breaks(&on_root).unwrap_or(true);
            if live.dynamic && !live.broken && !breaks {
                push_unbroken(graph, live.body, &impact, simulation.settings());
            }
            match simulation.impact(on_root) {
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

/// Gives a body of the engine the part of an impact's impulse that it can absorb.
fn push_unbroken(
    graph: &mut Graph,
    body: Handle<Node>,
    impact: &Impact,
    settings: &fracture_simulation::Settings,
) {
    let (impulse, energy) = (impact.impulse.norm(), impact.energy);
    let direction = impact.impulse.try_normalize(f32::EPSILON);
    let absorbed = |mass| absorbed_impulse(impulse, energy, mass, settings.max_push_speed);
    push_body(graph, body, impact.point, |mass| {
        direction.unwrap_or_default() * absorbed(mass)
    });
}

/// Gives a body of the engine the impulse that belongs to its mass, at a point.
pub(crate) fn push_body(
    graph: &mut Graph,
    body: Handle<Node>,
    point: Vector3<f32>,
    push: impl Fn(f32) -> Vector3<f32>,
) {
    let mass = dynamic_mass(graph, body).unwrap_or(0.0);
    swap::apply_impulse(graph, body, point, push(mass));
}
