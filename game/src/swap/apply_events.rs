//! Applies the simulation's events to the scene.

use crate::{
    debris_view::FadeOut,
    destruction::Destruction,
    events::{BreakCause, BreakDiagnostics, Event},
    impacts::collect::BrokenObject,
    mirror::transforms::engine_vector,
    object::{LiveObject, Object, ObjectId},
    swap::{
        self,
        nodes::{NodePlacement, PieceAppearance, PieceSurfaces, PrebuiltPiece},
        pieces::{Piece, PieceKind},
        scene_edits::PieceCollider,
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

impl Destruction {
    /// Applies all events of the simulation's last step.
    pub(crate) fn apply_events(&mut self, graph: &mut Graph, simulation: &mut Simulation) {
        let events: Vec<_> = simulation.drain_events().collect();
        for event in events {
            self.apply(graph, simulation, event);
        }
    }

    fn apply(&mut self, graph: &mut Graph, simulation: &mut Simulation, event: SimulationEvent) {
        match event {
            SimulationEvent::Prepared { body } => {
                self.check_size(body);
                self.apply_mass_source(graph, simulation, body);
            }
            SimulationEvent::Broken(broken) => self.broken(graph, simulation, *broken),
            SimulationEvent::Removed {
                body,
                motion,
                reason,
            } => self.removed(graph, body, motion, reason),
            SimulationEvent::Collision(collision) => self.collided(&collision),
            SimulationEvent::BreakFailed { body, reason } => self.failed(body, &reason),
            SimulationEvent::Refined(refined) => {
                let bounds = refined.colliders.bounds();
                self.pieces.set_local_bounds(refined.body, bounds);
            }
            SimulationEvent::RefinementFailed { body, reason } => self.kept_rough(body, &reason),
            SimulationEvent::BelowThreshold {
                body,
                impulse,
                damage_threshold,
            } => {
                self.report(body, |BodyInfo { node, name, .. }| Event::BelowThreshold {
                    node,
                    name,
                    impulse,
                    threshold: damage_threshold,
                });
            }
            SimulationEvent::Damaged {
                body,
                point,
                damage,
            } => {
                let point = engine_vector(point);
                self.report(body, |BodyInfo { node, name, .. }| Event::Damaged {
                    node,
                    name,
                    point,
                    damage,
                });
            }
            SimulationEvent::Unbreakable { body } => {
                self.report(body, |BodyInfo { node, name, .. }| Event::Unbreakable {
                    node,
                    name,
                });
            }
            SimulationEvent::Dropped { body, reason } => {
                let reason = drop_reason(reason).to_owned();
                self.report(body, |BodyInfo { node, name, .. }| Event::Dropped {
                    node,
                    name,
                    reason,
                });
            }
        }
    }

    fn collided(&mut self, collision: &DebrisCollision) {
        let [first, second] = collision.bodies;
        let info = |body: BodyRef| self.info(body.breakable()?);
        let (own, other, other_info, sign) = match (info(first), info(second)) {
            (Some(own), other_info) => (own, second, other_info, 1.0),
            (None, Some(own)) => (own, first, None, -1.0),
            (None, None) => return,
        };
        let node = |body| {
            let node = self.node_of(body);
            node.map_or(Handle::NONE, |(node, _)| node)
        };
        let body = if sign > 0.0 { first } else { second };
        let event = Event::Contact {
            node: node(body),
            name: own.name,
            surface_tag: own.surface_tag.to_string(),
            other: node(other),
            other_surface_tag: other_info
                .map_or_else(String::new, |info| info.surface_tag.to_string()),
            point: engine_vector(collision.point),
            normal: engine_vector(collision.normal) * sign,
            impulse: collision.impulse,
            speed: collision.speed,
            energy: collision.energy,
        };
        self.events.push(event);
    }

    /// Adds an event about a body whose object has not broken: its strikers get nothing back.
    fn report(&mut self, body: BodyId, event: impl FnOnce(BodyInfo) -> Event) {
        if let Some(info) = self.info(body) {
            self.impacts.residuals.remove(&info.object);
            self.events.push(event(info));
        }
    }

    fn info(&self, body: BodyId) -> Option<BodyInfo> {
        if let Some(piece) = self.pieces.get(body) {
            let object = self.objects.get(piece.object);
            return Some(BodyInfo {
                object: piece.object,
                node: object.map_or(Handle::NONE, |object| object.node),
                name: piece.name.clone(),
                surface_tag: object.map_or_else(Arc::default, |object| object.surface_tag.clone()),
            });
        }
        let id = self.objects.of_root(body)?;
        let object = self.objects.get(id)?;
        Some(BodyInfo {
            object: id,
            node: object.node,
            name: object.name.clone(),
            surface_tag: object.surface_tag.clone(),
        })
    }

    fn failed(&mut self, body: BodyId, reason: &BreakFailure) {
        let Some(BodyInfo {
            object, node, name, ..
        }) = self.info(body)
        else {
            return;
        };
        self.impacts.residuals.remove(&object);
        let is_piece = self.pieces.get(body).is_some();
        if is_piece && *reason == BreakFailure::OnePiece {
            // The piece is as small as a cell of its pattern.
            self.events.push(Event::Unbreakable { node, name });
            return;
        }
        let text = self.failure_text(object, reason);
        let missed = matches!(
            reason,
            BreakFailure::Fracture(FractureError::OutOfReach { .. })
        );
        // A piece that has moved away from an impact is no fault.
        if !(missed && is_piece) {
            self.faults.report(&name, &text);
        }
        let reason = text;
        self.events.push(if missed {
            Event::Missed { node, name, reason }
        } else {
            Event::Failed { node, name, reason }
        });
    }

    /// Reports a piece that keeps the collider with which it has entered the scene.
    fn kept_rough(&mut self, body: BodyId, reason: &BreakFailure) {
        if let Some(BodyInfo { name, .. }) = self.info(body) {
            let text = format!("its collider stays a rough one, which may fill hollows: {reason}");
            self.faults.report(&name, text);
        }
    }

    /// Why a break of an object has failed, in words, with the remedy.
    fn failure_text(&self, object: ObjectId, reason: &BreakFailure) -> String {
        let object = self.objects.get(object);
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

    fn removed(&mut self, graph: &mut Graph, body: BodyId, motion: Motion, reason: RemoveReason) {
        let object = self.pieces.get(body).map(|piece| piece.object);
        let config = object.and_then(|id| self.objects.get(id));
        let fade_out = config.map(|object| FadeOut {
            fading: *object.config.pieces.fading,
            duration: *object.config.pieces.fade_time,
        });
        let fade_out = fade_out.unwrap_or(FadeOut::NONE);
        let told = self.drop_attachments(graph, body);
        let (pieces, settings) = (&mut self.pieces, &self.settings);
        let removed = self
            .view
            .fade_piece(graph, pieces, body, motion, fade_out, settings);
        if let Some(piece) = removed {
            self.drop_if_empty(piece.object);
            self.events.push(Event::Removed {
                node: piece.node,
                position: piece.world_center(),
                name: piece.name,
                reason,
            });
        }
        self.events.extend(told);
    }

    /// Replaces a broken body by its pieces, in one frame.
    fn broken(&mut self, graph: &mut Graph, simulation: &mut Simulation, broken: Broken) {
        let Some(info) = self.info(broken.body) else {
            return; // the object was removed while the break was being computed
        };
        let was_held = self.release(info.object, broken.body);
        let mut event = event_of(&broken, &info);
        let bodies: Vec<BodyId> = broken.pieces.iter().map(|piece| piece.body).collect();
        let is_fragment =
            |piece: &&NewPiece| matches!(piece.kind, geometry::PieceKind::Fragment { .. });
        let fragments = broken.pieces.iter().filter(is_fragment);
        let fragments: Vec<BodyId> = fragments.map(|piece| piece.body).collect();
        let detaching = self.begin_detaching(graph, info.object, info.node, &broken);
        let mut reusable = self.pieces.take_colliders(broken.body);
        for piece in broken.pieces {
            self.add_piece(graph, simulation, &info, piece, &mut reusable);
        }
        for collider in reusable {
            swap::remove_collider(graph, &collider);
        }
        self.emit_dust(graph, info.object, broken.body, &broken.dust);
        let told = self.finish_detaching(graph, simulation, detaching);
        let piece = self.view.remove_piece(graph, &mut self.pieces, broken.body);
        if piece.is_none() {
            self.hide_intact(graph, info.object);
        }
        if was_held {
            self.replace_colliders(graph, info.object);
        }
        let broken = BrokenObject {
            id: info.object,
            fragments,
            point: broken.point,
            radius: broken.radius,
            frames_waited: broken.frames,
        };
        self.impacts
            .apply_residuals(graph, simulation, &self.objects, &broken);
        if let Event::Broken { pieces, .. } = &mut event {
            let info = |body: &BodyId| Some(self.pieces.get(*body)?.info(simulation.motion(*body)));
            pieces.extend(bodies.iter().filter_map(info));
        }
        self.events.push(event);
        self.events.extend(told);
    }

    /// Shows the dust of a break, and adds it to the object's.
    fn emit_dust(&mut self, graph: &mut Graph, id: ObjectId, body: BodyId, dust: &[DustParticle]) {
        if !self.restoring {
            if let Some(appearance) = self.appearance(id, body) {
                self.view
                    .emit_dust(graph, id, dust, &appearance, &self.settings);
            }
        }
        if let Some(object) = self.objects.get_mut(id) {
            let volumes = dust.iter().map(|dust| f64::from(dust.volume));
            object.dust_volume += volumes.sum::<f64>();
        }
    }

    /// The appearance of a body's pieces.
    fn appearance(&self, object: ObjectId, body: BodyId) -> Option<Arc<PieceAppearance>> {
        let of_piece = self.pieces.get(body).map(|piece| &piece.appearance);
        let of_object = || self.objects.live(object).map(|live| &live.appearance);
        of_piece.or_else(of_object).cloned()
    }

    /// Removes a broken body from the bodies that follow the engine's rigid body. Returns whether it was
    /// one of them.
    fn release(&mut self, object: ObjectId, body: BodyId) -> bool {
        let Some(live) = self.objects.live_mut(object) else {
            return false;
        };
        let count = live.held.len();
        live.held.retain(|held| *held != body);
        live.held.len() < count
    }

    /// Adds a piece with its node and colliders. It takes those of its parent's colliders over that it
    /// still needs.
    fn add_piece(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        info: &BodyInfo,
        new: NewPiece,
        reusable: &mut Vec<PieceCollider>,
    ) {
        let Some(live) = self.objects.live_mut(info.object) else {
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
                let pool = &mut self.view.pool;
                pool.show(graph, &name, &surfaces, appearance, &placement)
            }
        };
        let colliders = add_colliders(graph, live, collider_surfaces, &placement, reusable);
        for collider in &colliders {
            self.mirror
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
        self.pieces.insert(new.body, piece);
    }

    /// Hides the meshes of an object that has been broken.
    fn hide_intact(&mut self, graph: &mut Graph, object: ObjectId) {
        if let Some(live) = self.objects.live_mut(object) {
            live.broken = true;
            let meshes: Vec<_> = live.shown_meshes().collect();
            live.replaced.hidden = swap::hide(graph, &meshes);
        }
    }

    /// Replaces the colliders of an object's rigid body by those of the held pieces. Without held pieces,
    /// the rigid body is disabled.
    fn replace_colliders(&mut self, graph: &mut Graph, object: ObjectId) {
        let Some(live) = self.objects.live_mut(object) else {
            return;
        };
        live.colliders.truncate(live.own_colliders);
        let mut disabled = swap::disable(graph, &live.colliders);
        let held = live.held.iter().filter_map(|body| self.pieces.get(*body));
        let colliders = held.flat_map(|piece| &piece.colliders);
        live.colliders
            .extend(colliders.map(|collider| collider.collider));
        if live.held.is_empty() {
            disabled.extend(swap::disable(graph, &[live.body]));
        }
        live.replaced.disabled.extend(disabled);
    }
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
            (None, Some(like)) => swap::add_collider(graph, live.body, *like, &surface, placement),
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
