//! Applies the simulation's events to the scene.

use crate::{
    debris_view::FadeOut,
    destruction::Destruction,
    events::Event,
    fault::MODULE,
    impacts::targets::node_of,
    mirror::transforms::engine_vector,
    object::{
        inspection::drop_if_empty,
        mass::{apply_mass_source, keep_own_mass},
        Object, Objects,
    },
    swap::{
        bars::show_bars,
        body_events::BodyInfo,
        cracks::show_cracks,
        detaching::drop_attachments,
        push_body,
        replace_body::{exchange, replace_body},
    },
};
use fracture_simulation::{
    geometry::FractureError, BodyId, BodyRef, BreakFailure, DebrisCollision,
    Event as SimulationEvent, Motion, Push, RefinedCollider, RemoveReason, Simulation,
    StrainedBond,
};
use fyrox::{core::pool::Handle, scene::graph::Graph};
use rapier3d::math::Vec3;

/// Applies all events of the simulation's last step.
pub(crate) fn apply_events(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
) {
    let events: Vec<_> = simulation.drain_events().collect();
    for event in events {
        apply_event(destruction, graph, simulation, event);
    }
}

fn apply_event(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    event: SimulationEvent,
) {
    match event {
        SimulationEvent::Prepared { body } => {
            finish_preparing(destruction, graph, simulation, body)
        }
        SimulationEvent::Broken(broken) => replace_body(destruction, graph, simulation, *broken),
        SimulationEvent::Removed {
            body,
            motion,
            reason,
        } => apply_removal(destruction, graph, body, motion, reason),
        SimulationEvent::Collision(collision) => apply_collision(destruction, &collision),
        SimulationEvent::BreakFailed { body, reason } => {
            apply_failure(destruction, graph, body, &reason)
        }
        SimulationEvent::Refined(refined) => apply_refinement(destruction, &refined),
        SimulationEvent::CollisionRefined(new) => exchange(destruction, graph, simulation, new),
        SimulationEvent::Cracked(new) => show_cracks(destruction, graph, &new),
        SimulationEvent::NoRoomForBars { body } => report_no_bars(destruction, body),
        SimulationEvent::BarsBared(new) => show_bars(destruction, graph, &new),
        SimulationEvent::RefinementFailed { body, reason } => {
            report_kept_rough(destruction, body, &reason)
        }
        SimulationEvent::Pushed { body, point, push } => {
            push_intact(&destruction.objects, graph, body, point, &push);
        }
        told => apply_told(destruction, told),
    }
}

/// Tells the game and its developer what changes no scene.
fn apply_told(destruction: &mut Destruction, event: SimulationEvent) {
    match event {
        SimulationEvent::BelowThreshold(blow) => {
            tell(destruction, blow.body, |info| info.below_threshold(&blow));
        }
        SimulationEvent::Damaged {
            body,
            point,
            damage,
        } => tell(destruction, body, |info| info.damaged(point, damage)),
        SimulationEvent::Strained(strained) => tell_strained(destruction, &strained),
        SimulationEvent::Unsupported { body } => report_unsupported(destruction, body),
        SimulationEvent::NoGround => destruction.faults.report(MODULE, NO_GROUND),
        SimulationEvent::Unbreakable { body } => tell(destruction, body, BodyInfo::unbreakable),
        SimulationEvent::Dropped { body, reason } => {
            tell(destruction, body, |info| info.dropped(reason));
        }
        _ => {}
    }
}

fn apply_refinement(destruction: &mut Destruction, refined: &RefinedCollider) {
    let bounds = refined.colliders.bounds();
    destruction.pieces.set_local_bounds(refined.body, bounds);
}

/// Pushes a dynamic object that an impact has not broken.
fn push_intact(objects: &Objects, graph: &mut Graph, body: BodyId, point: Vec3, push: &Push) {
    let object = objects.of_root(body).and_then(|id| objects.get(id));
    let live = object.and_then(Object::live);
    if let Some(live) = live.filter(|live| live.dynamic && !live.broken) {
        push_body(graph, live.body, engine_vector(point), push);
    }
}

fn tell_strained(destruction: &mut Destruction, strained: &StrainedBond) {
    let info = BodyInfo::of(&destruction.objects, &destruction.pieces, strained.body);
    let event = info.map(|info| info.strained(strained));
    destruction.events.extend(event);
}

/// Reports an object that nothing holds from the start.
fn report_unsupported(destruction: &mut Destruction, body: BodyId) {
    let (objects, faults) = (&mut destruction.objects, &mut destruction.faults);
    let object = objects.of_root(body).and_then(|id| objects.get_mut(id));
    if let Some(object) = object {
        object.report_once(UNSUPPORTED, faults);
    }
}

/// The fault of a scene in which nothing stands still.
const NO_GROUND: &str =
    "objects are held by touch, but the scene has no ground, and all stay where they are; \
    add a static rigid body with a collider, or a terrain, below them, or choose another Anchoring";

/// The fault of an object that falls when the game starts.
const UNSUPPORTED: &str =
    "it falls, because it touches neither a static body nor another object that is held; \
    move it, raise its Gap, or choose another Anchoring";

/// Reports an intact object that is not of a size to break, and gives it its mass, as its solid is known now.
fn finish_preparing(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    body: BodyId,
) {
    let (objects, faults) = (&mut destruction.objects, &mut destruction.faults);
    objects.report_size(body, faults);
    apply_mass_source(objects, faults, graph, simulation, body);
}

fn apply_collision(destruction: &mut Destruction, collision: &DebrisCollision) {
    let [first, second] = collision.bodies;
    let info =
        |body: BodyRef| BodyInfo::of(&destruction.objects, &destruction.pieces, body.breakable()?);
    let (own, other, other_info, sign) = match (info(first), info(second)) {
        (Some(own), other_info) => (own, second, other_info, 1.0),
        (None, Some(own)) => (own, first, None, -1.0),
        (None, None) => return,
    };
    let node = |body| {
        let node = node_of(&destruction.objects, &destruction.pieces, body);
        node.map_or(Handle::NONE, |(node, _)| node)
    };
    let body = if sign > 0.0 { first } else { second };
    let event = Event::Contact {
        node: node(body),
        object: own.node,
        name: own.name,
        surface_tag: own.surface_tag.to_string(),
        other: node(other),
        other_surface_tag: other_info.map_or_else(String::new, |info| info.surface_tag.to_string()),
        point: engine_vector(collision.point),
        normal: engine_vector(collision.normal) * sign,
        impulse: collision.impulse,
        speed: collision.speed,
        energy: collision.energy,
    };
    destruction.events.push(event);
}

/// Adds an event about a body whose object has not broken: its strikers get nothing back.
fn tell(destruction: &mut Destruction, body: BodyId, event: impl FnOnce(BodyInfo) -> Event) {
    if let Some(info) = BodyInfo::of(&destruction.objects, &destruction.pieces, body) {
        destruction.impacts.residuals.remove(&info.object);
        destruction.events.push(event(info));
    }
}

fn apply_failure(
    destruction: &mut Destruction,
    graph: &mut Graph,
    body: BodyId,
    reason: &BreakFailure,
) {
    keep_own_mass(&mut destruction.objects, graph, body, reason);
    let Some(info) = BodyInfo::of(&destruction.objects, &destruction.pieces, body) else {
        return;
    };
    destruction.impacts.residuals.remove(&info.object);
    let is_piece = destruction.pieces.get(body).is_some();
    if is_piece && *reason == BreakFailure::OnePiece {
        // The piece is as small as a cell of its pattern.
        destruction.events.push(info.unbreakable());
        return;
    }
    let text = failure_text(destruction.objects.get(info.object), reason);
    let missed = matches!(
        reason,
        BreakFailure::Fracture(FractureError::OutOfReach { .. })
    );
    // A piece that has moved away from an impact is no fault.
    if !(missed && is_piece) {
        destruction.faults.report(&info.name, &text);
    }
    destruction.events.push(info.failed(missed, text));
}

/// Reports a piece that keeps the collider with which it has entered the scene.
fn report_kept_rough(destruction: &mut Destruction, body: BodyId, reason: &BreakFailure) {
    if let Some(BodyInfo { name, .. }) =
        BodyInfo::of(&destruction.objects, &destruction.pieces, body)
    {
        let text = format!("its collider stays a rough one, which may fill hollows: {reason}");
        destruction.faults.report(&name, text);
    }
}

fn report_no_bars(destruction: &mut Destruction, body: BodyId) {
    if let Some(BodyInfo { name, .. }) =
        BodyInfo::of(&destruction.objects, &destruction.pieces, body)
    {
        let text = "it has no room for its bars and breaks as plain concrete; lower Bar Cover or Bar Diameter, \
                    or set Bar Spacing to 0";
        destruction.faults.report(&name, text);
    }
}

/// Why a break of an object has failed, in words, with the remedy.
fn failure_text(object: Option<&Object>, reason: &BreakFailure) -> String {
    let is_of_size = matches!(
        reason,
        BreakFailure::OnePiece | BreakFailure::Fracture(FractureError::PatternTooSmall { .. })
    );
    if let Some(advice) = object.filter(|_| is_of_size).and_then(Object::size_advice) {
        return advice;
    }
    let open = object.map(|object| object.config.open_mesh);
    format!("{reason}{}", open.unwrap_or_default().remedy(reason))
}

fn apply_removal(
    destruction: &mut Destruction,
    graph: &mut Graph,
    body: BodyId,
    motion: Motion,
    reason: RemoveReason,
) {
    let object = destruction.pieces.get(body).map(|piece| piece.object);
    let config = object.and_then(|id| destruction.objects.get(id));
    let fade_out = config.map(|object| FadeOut {
        fading: *object.config.pieces.fading,
        duration: *object.config.pieces.fade_time,
    });
    let fade_out = fade_out.unwrap_or(FadeOut::NONE);
    let told = drop_attachments(destruction, graph, body);
    let (pieces, settings) = (&mut destruction.pieces, &destruction.settings);
    let removed = destruction
        .view
        .fade_piece(graph, pieces, body, motion, fade_out, settings);
    if let Some(piece) = removed {
        drop_if_empty(&mut destruction.objects, &destruction.pieces, piece.object);
        destruction.events.push(Event::Removed {
            node: piece.node,
            position: piece.world_center(),
            name: piece.name,
            reason,
        });
    }
    destruction.events.extend(told);
}
