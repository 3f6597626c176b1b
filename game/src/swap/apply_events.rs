//! Applies the simulation's events to the scene.

use crate::{
    debris_view::FadeOut,
    destruction::Destruction,
    events::{BreakCause, BreakDiagnostics, Event},
    impacts::{collect::BrokenObject, targets::node_of},
    mirror::transforms::engine_vector,
    object::{
        inspection::drop_if_empty, mass::apply_mass_source, LiveObject, Object, ObjectId, Objects,
    },
    swap::{
        self,
        detaching::{begin_detaching, drop_attachments, finish_detaching},
        nodes::{NodePlacement, PieceAppearance, PieceSurfaces, PrebuiltPiece},
        piece_colliders::{add_collider, remove_collider, PieceCollider},
        piece_info::PieceKind,
        pieces::{Piece, PieceStore},
    },
};
use fracture_simulation::{
    geometry::{self, FractureError},
    hooks::{Payload, SharedPayload},
    BodyId, BodyRef, BreakFailure, Broken, Cause, DebrisCollision, DropReason, DustParticle,
    Event as SimulationEvent, Motion, NewPiece, RemoveReason, Simulation,
};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, mesh::surface::SurfaceResource, node::Node},
};
use std::{fmt::Write, sync::Arc};

/// Bytes reserved in a piece's name for each break.
const MAX_SUFFIX_BYTES: usize = 24;

/// The object and the names of a body of the simulation, for events.
struct BodyInfo {
    object: ObjectId,
    node: Handle<Node>,
    /// Name of the object or the piece.
    name: String,
    surface_tag: Arc<str>,
}

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
            destruction
                .objects
                .report_size(body, &mut destruction.faults);
            apply_mass_source(
                &destruction.objects,
                &mut destruction.faults,
                graph,
                simulation,
                body,
            );
        }
        SimulationEvent::Broken(broken) => apply_break(destruction, graph, simulation, *broken),
        SimulationEvent::Removed {
            body,
            motion,
            reason,
        } => apply_removal(destruction, graph, body, motion, reason),
        SimulationEvent::Collision(collision) => apply_collision(destruction, &collision),
        SimulationEvent::BreakFailed { body, reason } => apply_failure(destruction, body, &reason),
        SimulationEvent::Refined(refined) => {
            let bounds = refined.colliders.bounds();
            destruction.pieces.set_local_bounds(refined.body, bounds);
        }
        SimulationEvent::RefinementFailed { body, reason } => {
            report_kept_rough(destruction, body, &reason)
        }
        SimulationEvent::BelowThreshold {
            body,
            impulse,
            damage_threshold,
        } => {
            add_event(destruction, body, |BodyInfo { node, name, .. }| {
                Event::BelowThreshold {
                    node,
                    name,
                    impulse,
                    threshold: damage_threshold,
                }
            });
        }
        SimulationEvent::Damaged {
            body,
            point,
            damage,
        } => {
            let point = engine_vector(point);
            add_event(destruction, body, |BodyInfo { node, name, .. }| {
                Event::Damaged {
                    node,
                    name,
                    point,
                    damage,
                }
            });
        }
        SimulationEvent::Unbreakable { body } => {
            add_event(destruction, body, |BodyInfo { node, name, .. }| {
                Event::Unbreakable { node, name }
            });
        }
        SimulationEvent::Dropped { body, reason } => {
            let reason = drop_reason(reason).to_owned();
            add_event(destruction, body, |BodyInfo { node, name, .. }| {
                Event::Dropped { node, name, reason }
            });
        }
    }
}

fn apply_collision(destruction: &mut Destruction, collision: &DebrisCollision) {
    let [first, second] = collision.bodies;
    let info =
        |body: BodyRef| body_info(&destruction.objects, &destruction.pieces, body.breakable()?);
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
fn add_event(destruction: &mut Destruction, body: BodyId, event: impl FnOnce(BodyInfo) -> Event) {
    if let Some(info) = body_info(&destruction.objects, &destruction.pieces, body) {
        destruction.impacts.residuals.remove(&info.object);
        destruction.events.push(event(info));
    }
}

fn body_info(objects: &Objects, pieces: &PieceStore, body: BodyId) -> Option<BodyInfo> {
    if let Some(piece) = pieces.get(body) {
        let object = objects.get(piece.object);
        return Some(BodyInfo {
            object: piece.object,
            node: object.map_or(Handle::NONE, |object| object.node),
            name: piece.name.clone(),
            surface_tag: object.map_or_else(Arc::default, |object| object.surface_tag.clone()),
        });
    }
    let id = objects.of_root(body)?;
    let object = objects.get(id)?;
    Some(BodyInfo {
        object: id,
        node: object.node,
        name: object.name.clone(),
        surface_tag: object.surface_tag.clone(),
    })
}

fn apply_failure(destruction: &mut Destruction, body: BodyId, reason: &BreakFailure) {
    let Some(BodyInfo {
        object, node, name, ..
    }) = body_info(&destruction.objects, &destruction.pieces, body)
    else {
        return;
    };
    destruction.impacts.residuals.remove(&object);
    let is_piece = destruction.pieces.get(body).is_some();
    if is_piece && *reason == BreakFailure::OnePiece {
        // The piece is as small as a cell of its pattern.
        destruction.events.push(Event::Unbreakable { node, name });
        return;
    }
    let text = failure_text(destruction.objects.get(object), reason);
    let missed = matches!(
        reason,
        BreakFailure::Fracture(FractureError::OutOfReach { .. })
    );
    // A piece that has moved away from an impact is no fault.
    if !(missed && is_piece) {
        destruction.faults.report(&name, &text);
    }
    let reason = text;
    destruction.events.push(if missed {
        Event::Missed { node, name, reason }
    } else {
        Event::Failed { node, name, reason }
    });
}

/// Reports a piece that keeps the collider with which it has entered the scene.
fn report_kept_rough(destruction: &mut Destruction, body: BodyId, reason: &BreakFailure) {
    if let Some(BodyInfo { name, .. }) = body_info(&destruction.objects, &destruction.pieces, body)
    {
        let text = format!("its collider stays a rough one, which may fill hollows: {reason}");
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

/// Replaces a broken body by its pieces, in one frame.
fn apply_break(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    broken: Broken,
) {
    let Some(info) = body_info(&destruction.objects, &destruction.pieces, broken.body) else {
        return; // the object was removed while the break was being computed
    };
    let was_held = release(&mut destruction.objects, info.object, broken.body);
    let mut event = event_of(&broken, &info);
    let bodies: Vec<BodyId> = broken.pieces.iter().map(|piece| piece.body).collect();
    let is_fragment =
        |piece: &&NewPiece| matches!(piece.kind, geometry::PieceKind::Fragment { .. });
    let fragments = broken.pieces.iter().filter(is_fragment);
    let fragments: Vec<BodyId> = fragments.map(|piece| piece.body).collect();
    let detaching = begin_detaching(destruction, graph, info.object, info.node, &broken);
    let mut reusable = destruction.pieces.take_colliders(broken.body);
    for piece in broken.pieces {
        add_piece(destruction, graph, simulation, &info, piece, &mut reusable);
    }
    for collider in reusable {
        remove_collider(graph, &collider);
    }
    emit_dust(destruction, graph, info.object, broken.body, &broken.dust);
    let told = finish_detaching(destruction, graph, simulation, detaching);
    let piece = destruction
        .view
        .remove_piece(graph, &mut destruction.pieces, broken.body);
    if piece.is_none() {
        hide_intact(&mut destruction.objects, graph, info.object);
    }
    if was_held {
        replace_colliders(
            &mut destruction.objects,
            &destruction.pieces,
            graph,
            info.object,
        );
    }
    let broken = BrokenObject {
        id: info.object,
        fragments,
        point: broken.point,
        radius: broken.radius,
        frames_waited: broken.frames,
    };
    destruction
        .impacts
        .apply_residuals(graph, simulation, &destruction.objects, &broken);
    if let Event::Broken { pieces, .. } = &mut event {
        let info = |body: &BodyId| {
            Some(
                destruction
                    .pieces
                    .get(*body)?
                    .info(simulation.motion(*body)),
            )
        };
        pieces.extend(bodies.iter().filter_map(info));
    }
    destruction.events.push(event);
    destruction.events.extend(told);
}

/// Shows the dust of a break, and adds it to the object's.
fn emit_dust(
    destruction: &mut Destruction,
    graph: &mut Graph,
    id: ObjectId,
    body: BodyId,
    dust: &[DustParticle],
) {
    if !destruction.restoring {
        if let Some(appearance) = appearance_of(&destruction.objects, &destruction.pieces, id, body)
        {
            destruction
                .view
                .emit_dust(graph, id, dust, &appearance, &destruction.settings);
        }
    }
    if let Some(object) = destruction.objects.get_mut(id) {
        let volumes = dust.iter().map(|dust| f64::from(dust.volume));
        object.dust_volume += volumes.sum::<f64>();
    }
}

/// The appearance of a body's pieces.
fn appearance_of(
    objects: &Objects,
    pieces: &PieceStore,
    object: ObjectId,
    body: BodyId,
) -> Option<Arc<PieceAppearance>> {
    let of_piece = pieces.get(body).map(|piece| &piece.appearance);
    let of_object = || objects.live(object).map(|live| &live.appearance);
    of_piece.or_else(of_object).cloned()
}

/// Removes a broken body from the bodies that follow the engine's rigid body. Returns whether it was
/// one of them.
fn release(objects: &mut Objects, object: ObjectId, body: BodyId) -> bool {
    let Some(live) = objects.live_mut(object) else {
        return false;
    };
    let count = live.held.len();
    live.held.retain(|held| *held != body);
    live.held.len() < count
}

/// Adds a piece with its node and colliders. It takes those of its parent's colliders over that it
/// still needs.
fn add_piece(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    info: &BodyInfo,
    new: NewPiece,
    reusable: &mut Vec<PieceCollider>,
) {
    let Some(live) = destruction.objects.live_mut(info.object) else {
        return; // the object's node has been removed, and its appearance with it
    };
    let name = piece_name(&info.name, new.ancestors.iter().chain([&new.kind]));
    let placement = match &live.child_transform {
        Some(transform) if new.anchored => NodePlacement::Body(live.body, transform),
        _ => NodePlacement::World(&new.motion.pose),
    };
    let collider_surfaces = collider_surfaces(&new);
    let (surfaces, prebuilt) = render_output(new.payload, &new.render_chunks);
    let node = match prebuilt {
        Some(node) => swap::add_prebuilt(graph, &name, node, &placement),
        None => {
            let appearance = &live.appearance;
            let pool = &mut destruction.view.pool;
            pool.show(graph, &name, &surfaces, appearance, &placement)
        }
    };
    let colliders = add_colliders(graph, live, collider_surfaces, &placement, reusable);
    for collider in &colliders {
        destruction
            .mirror
            .colliders
            .exclude(simulation, graph, collider.collider);
    }
    if new.anchored {
        live.held.push(new.body);
    }
    let piece = Piece {
        object: info.object,
        node,
        batched: false,
        surfaces,
        appearance: live.appearance.clone(),
        triangles: new.triangles,
        colliders,
        name,
        kind: match new.kind {
            geometry::PieceKind::Fragment { .. } => PieceKind::Fragment,
            geometry::PieceKind::Island { .. } => PieceKind::Island,
        },
        volume: new.mass.volume,
        mass: new.kilograms,
        local_bounds: new.colliders.bounds(),
        closed: new.closed,
        anchored: new.anchored,
        generation: new.generation,
        center: new.mass.center.as_vec3(),
        pose: new.motion.pose,
    };
    destruction.pieces.insert(new.body, piece);
}

/// Hides the meshes of an object that has been broken.
fn hide_intact(objects: &mut Objects, graph: &mut Graph, object: ObjectId) {
    if let Some(live) = objects.live_mut(object) {
        live.broken = true;
        let meshes: Vec<_> = live.shown_meshes().collect();
        live.replaced.hidden = swap::hide(graph, &meshes);
    }
}

/// Replaces the colliders of an object's rigid body by those of the held pieces. Without held pieces,
/// the rigid body is disabled.
fn replace_colliders(
    objects: &mut Objects,
    pieces: &PieceStore,
    graph: &mut Graph,
    object: ObjectId,
) {
    let Some(live) = objects.live_mut(object) else {
        return;
    };
    live.colliders.truncate(live.own_colliders);
    let mut disabled = swap::disable(graph, &live.colliders);
    let held = live.held.iter().filter_map(|body| pieces.get(*body));
    let colliders = held.flat_map(|piece| &piece.colliders);
    live.colliders
        .extend(colliders.map(|collider| collider.collider));
    if live.held.is_empty() {
        disabled.extend(swap::disable(graph, &[live.body]));
    }
    live.replaced.disabled.extend(disabled);
}

/// Adds the colliders of a piece. Colliders in `reusable` with the same surface are taken over.
fn add_colliders(
    graph: &mut Graph,
    live: &LiveObject,
    surfaces: Vec<SurfaceResource>,
    placement: &NodePlacement,
    reusable: &mut Vec<PieceCollider>,
) -> Vec<PieceCollider> {
    let mut colliders = Vec::with_capacity(surfaces.len());
    for surface in surfaces {
        let mut parents = reusable.iter();
        let same = parents.position(|collider| collider.key == surface.key());
        let collider = match (same, live.colliders.first()) {
            (Some(same), _) => Some(reusable.swap_remove(same)),
            (None, Some(like)) => add_collider(graph, live.body, *like, &surface, placement),
            (None, None) => None,
        };
        colliders.extend(collider);
    }
    colliders
}

/// The name of a piece: the name of its parent, followed by the kinds that lead from it to the piece.
fn piece_name<'a>(
    parent: &str,
    line: impl Iterator<Item = &'a geometry::PieceKind> + Clone,
) -> String {
    // Allocated once: while the worker builds pieces, an allocation may wait for it.
    let mut name = String::with_capacity(parent.len() + MAX_SUFFIX_BYTES * line.clone().count());
    name.push_str(parent);
    for kind in line {
        // Writing to a string cannot fail.
        let _ = match kind {
            geometry::PieceKind::Fragment { cell, part } => {
                write!(name, "/fragment_{cell}_{part}")
            }
            geometry::PieceKind::Island { part } => write!(name, "/island_{part}"),
        };
    }
    name
}

/// The surfaces of a piece that the worker has built, and its node, if it has built one.
fn render_output(
    payload: Option<Payload>,
    chunks: &[SharedPayload],
) -> (PieceSurfaces, Option<Node>) {
    let prebuilt = payload.and_then(|payload| payload.downcast::<PrebuiltPiece>().ok());
    if let Some(prebuilt) = prebuilt {
        return prebuilt.into_parts();
    }
    let chunks = chunks.iter();
    let chunks = chunks.filter_map(|chunk| chunk.downcast_ref::<PieceSurfaces>());
    (chunks.flatten().cloned().collect(), None)
}

/// The surfaces that the worker has built for the colliders of a piece.
fn collider_surfaces(new: &NewPiece) -> Vec<SurfaceResource> {
    let parts = new.collision_chunks.iter();
    let surfaces = parts.filter_map(|part| part.downcast_ref::<Option<SurfaceResource>>());
    surfaces.flatten().cloned().collect()
}

/// The event of a break, still without its pieces.
fn event_of(broken: &Broken, info: &BodyInfo) -> Event {
    Event::Broken {
        node: info.node,
        name: info.name.clone(),
        cause: match broken.cause {
            Cause::Impact => BreakCause::Impact,
            Cause::Weight => BreakCause::Weight,
            Cause::Restore => BreakCause::Restore,
        },
        pieces: Vec::with_capacity(broken.pieces.len()),
        dust: broken.dust.len(),
        surface_tag: info.surface_tag.to_string(),
        point: engine_vector(broken.point),
        normal: engine_vector(broken.normal),
        energy: broken.energy,
        radius: broken.radius,
        crack_area: broken.crack_area,
        diagnostics: BreakDiagnostics {
            frames_waited: broken.frames,
            worker_ms: broken.worker_ms,
            times: broken.times,
            volume_error: broken.volume_error,
            impulse: engine_vector(broken.impulse),
            energy_gain: broken.energy_gain,
            momentum_gain: engine_vector(broken.momentum_gain),
        },
    }
}

fn drop_reason(reason: DropReason) -> &'static str {
    match reason {
        DropReason::QueueFull => "too many breaks are under way",
        DropReason::TooManyWaiting => "too many blows wait for the break under way",
    }
}
