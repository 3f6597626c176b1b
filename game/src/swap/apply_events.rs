//! Carries what the simulation reports into the scene.

use crate::swap;
use crate::{
    destruction::Destruction,
    events::Event,
    object::ObjectId,
    swap::{
        nodes::{NodePlacement, PieceAppearance, PieceSurfaces, PrebuiltPiece},
        pieces::{Piece, PieceKind},
        scene_edits::PieceCollider,
    },
};
use fracture_simulation::{
    geometry::{self, FractureError},
    BodyId, BodyRef, BreakFailure, Broken, Cause, DebrisCollision, DropReason, Motion, NewPiece,
    Payload, RemoveReason, SharedPayload, Simulation,
};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::{graph::Graph, mesh::surface::SurfaceResource, node::Node},
};
use std::{fmt::Write, sync::Arc};

/// Bytes that there is room for in a piece's name, for each break.
const SUFFIX: usize = 24;

/// A body of the simulation as the scene knows it.
struct BodyInfo {
    object: ObjectId,
    node: Handle<Node>,
    /// The object's name, or the piece's.
    name: String,
    /// What it is made of.
    material: Arc<str>,
}

impl Destruction {
    /// Acts on everything the last step of the simulation reported.
    pub(crate) fn apply_outcomes(&mut self, graph: &mut Graph, simulation: &mut Simulation) {
        let outcomes: Vec<_> = simulation.drain_events().collect();
        for outcome in outcomes {
            self.apply(graph, simulation, outcome);
        }
    }

    fn apply(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        outcome: fracture_simulation::Event,
    ) {
        use fracture_simulation::Event as Outcome;
        match outcome {
            Outcome::Broken(broken) => self.broken(graph, simulation, *broken),
            Outcome::Removed {
                body,
                motion,
                reason,
            } => self.removed(graph, (body, motion), reason),
            Outcome::Collision(contact) => self.contact(&contact),
            Outcome::BreakFailed { body, reason } => self.failed(body, &reason),
            Outcome::BelowThreshold {
                body,
                impulse,
                toughness,
            } => {
                self.tell(body, |BodyInfo { node, name, .. }| Event::BelowThreshold {
                    node,
                    name,
                    impulse,
                    toughness,
                });
            }
            Outcome::Unbreakable { body } => {
                self.tell(body, |BodyInfo { node, name, .. }| Event::Unbreakable {
                    node,
                    name,
                });
            }
            Outcome::Dropped { body, reason } => {
                let reason = drop_reason(reason).to_owned();
                self.tell(body, |BodyInfo { node, name, .. }| Event::Dropped {
                    node,
                    name,
                    reason,
                });
            }
        }
    }

    fn contact(&mut self, contact: &DebrisCollision) {
        let [first, second] = contact.bodies;
        let known = |owner: BodyRef| self.known(owner.breakable()?);
        let (own, other, met, sign) = match (known(first), known(second)) {
            (Some(own), met) => (own, second, met, 1.0),
            (None, Some(own)) => (own, first, None, -1.0),
            (None, None) => return,
        };
        let node = |owner| self.node_of(owner).map_or(Handle::NONE, |(node, _)| node);
        let owner = if sign > 0.0 { first } else { second };
        let event = Event::Contact {
            node: node(owner),
            name: own.name,
            material: own.material.to_string(),
            other: node(other),
            other_material: met.map_or_else(String::new, |met| met.material.to_string()),
            point: Vector3::from(contact.point.to_array()),
            normal: Vector3::from(contact.normal.to_array()) * sign,
            impulse: contact.impulse,
            speed: contact.speed,
            energy: contact.energy,
        };
        self.events.push(event);
    }

    fn tell(&mut self, body: BodyId, event: impl FnOnce(BodyInfo) -> Event) {
        if let Some(known) = self.known(body) {
            self.carries.remove(&known.object);
            self.events.push(event(known));
        }
    }

    fn known(&self, body: BodyId) -> Option<BodyInfo> {
        if let Some(piece) = self.pieces.get(body) {
            let object = self.objects.get(&piece.object);
            return Some(BodyInfo {
                object: piece.object,
                node: object.map_or(Handle::NONE, |object| object.node),
                name: piece.name.clone(),
                material: object.map_or_else(Arc::default, |object| object.material.clone()),
            });
        }
        let (id, object) = self
            .objects
            .iter()
            .find(|(_, object)| object.live().is_some_and(|live| live.root == body))?;
        Some(BodyInfo {
            object: *id,
            node: object.node,
            name: object.name.clone(),
            material: object.material.clone(),
        })
    }

    fn failed(&mut self, body: BodyId, reason: &BreakFailure) {
        let Some(BodyInfo {
            object, node, name, ..
        }) = self.known(body)
        else {
            return;
        };
        self.carries.remove(&object);
        let is_piece = self.pieces.get(body).is_some();
        if is_piece && *reason == BreakFailure::OnePiece {
            // It is as small as its pattern makes them.
            self.events.push(Event::Unbreakable { node, name });
            return;
        }
        let open = self
            .objects
            .get(&object)
            .map(|object| object.tuning.open_mesh);
        let text = format!("{reason}{}", open.unwrap_or_default().remedy(reason));
        let missed = matches!(
            reason,
            BreakFailure::Fracture(FractureError::OutOfReach { .. })
        );
        // That a piece has flown away from a blow is nothing to be mended.
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

    fn removed(
        &mut self,
        graph: &mut Graph,
        (body, motion): (BodyId, Motion),
        reason: RemoveReason,
    ) {
        if let Some(piece) = self.fade_piece(graph, body, motion) {
            self.drop_if_empty(piece.object);
            let name = piece.name;
            self.events.push(Event::Removed { name, reason });
        }
    }

    /// The swap: the new pieces come, the old look goes, in one frame.
    fn broken(&mut self, graph: &mut Graph, simulation: &mut Simulation, broken: Broken) {
        let Some(known) = self.known(broken.body) else {
            return; // its object went while the break was under way
        };
        let was_held = self.was_held(known.object, broken.body);
        let event = event_of(&broken, &known);
        let mut spare = self.pieces.take_collision(broken.body);
        for piece in broken.pieces {
            self.add_piece(graph, simulation, &known, piece, &mut spare);
        }
        for part in spare {
            swap::remove_collision(graph, &part);
        }
        if !self.restoring {
            let style = self.style_of(known.object, broken.body);
            self.show_crumbs(graph, &broken.dust, style.as_deref());
        }
        if let Some(object) = self.objects.get_mut(&known.object) {
            object.crumbs += broken.dust.iter().map(|c| f64::from(c.volume)).sum::<f64>();
        }
        if self.forget_piece(graph, broken.body).is_none() {
            self.hide_intact_look(graph, known.object);
        }
        if was_held {
            self.exchange_colliders(graph, known.object);
        }
        let break_ = (broken.body, broken.frames);
        self.carry_on(graph, simulation, known.object, break_);
        self.events.push(event);
    }

    /// How a body's pieces are drawn.
    fn style_of(&self, object: ObjectId, body: BodyId) -> Option<Arc<PieceAppearance>> {
        let piece = self.pieces.get(body).map(|piece| &piece.style);
        let whole = || self.objects.get(&object)?.live().map(|live| &live.style);
        piece.or_else(whole).cloned()
    }

    /// Takes a broken body off the list of what the engine moves; whether it was on it.
    fn was_held(&mut self, object: ObjectId, body: BodyId) -> bool {
        let Some(live) = self
            .objects
            .get_mut(&object)
            .and_then(|object| object.live_mut())
        else {
            return false;
        };
        let before = live.held.len();
        live.held.retain(|held| *held != body);
        live.held.len() < before
    }

    /// Adds a piece; of `spare`, what its parent was collided with, it takes what is still right.
    fn add_piece(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        known: &BodyInfo,
        new: NewPiece,
        spare: &mut Vec<PieceCollider>,
    ) {
        let Some(live) = self
            .objects
            .get_mut(&known.object)
            .and_then(|object| object.live_mut())
        else {
            return; // the object's node has gone; so has its style
        };
        let name = name_of(&known.name, new.line.iter().chain([&new.kind]));
        let kind = match new.kind {
            geometry::PieceKind::Fragment { .. } => PieceKind::Fragment,
            geometry::PieceKind::Island { .. } => PieceKind::Island,
        };
        let place = match &live.child_transform {
            Some(transform) if new.anchored => NodePlacement::Body(live.body, transform),
            _ => NodePlacement::World(&new.motion.pose),
        };
        let shapes = collision_of(&new);
        let (look, ready) = look_of(new.payload, &new.render_chunks);
        let node = match ready {
            Some(node) => swap::show_ready(graph, &name, node, &place),
            None => self.spares.show(graph, &name, &look, &live.style, &place),
        };
        let mut collision = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let old = spare.iter().position(|part| part.key == shape.key());
            let part = match (old, live.colliders.first()) {
                (Some(old), _) => Some(spare.swap_remove(old)),
                (None, Some(like)) => swap::add_collision(graph, live.body, *like, &shape, &place),
                (None, None) => None,
            };
            collision.extend(part);
        }
        for part in &collision {
            self.surroundings
                .leave_out(simulation, graph, part.collider);
        }
        if new.anchored {
            live.held.push(new.body);
        }
        let piece = Piece {
            object: known.object,
            node,
            merged: false,
            look,
            style: live.style.clone(),
            triangles: new.triangles,
            collision,
            name,
            kind,
            volume: new.mass.volume,
            closed: new.closed,
            anchored: new.anchored,
            generation: new.generation,
            center: new.mass.center.as_vec3(),
            pose: new.motion.pose,
        };
        self.pieces.insert(new.body, piece);
    }

    fn hide_intact_look(&mut self, graph: &mut Graph, object: ObjectId) {
        if let Some(live) = self
            .objects
            .get_mut(&object)
            .and_then(|object| object.live_mut())
        {
            live.broken = true;
            swap::set_visible(graph, &live.meshes, false);
        }
    }

    /// Leaves the engine's body with the colliders of what is still held, or takes it out of the
    /// physics.
    fn exchange_colliders(&mut self, graph: &mut Graph, object: ObjectId) {
        let Some(live) = self
            .objects
            .get_mut(&object)
            .and_then(|object| object.live_mut())
        else {
            return;
        };
        live.colliders.truncate(live.own_colliders);
        swap::set_enabled(graph, &live.colliders, false);
        let held = live.held.iter().filter_map(|body| self.pieces.get(*body));
        let parts = held.flat_map(|piece| &piece.collision);
        live.colliders.extend(parts.map(|part| part.collider));
        if live.held.is_empty() {
            swap::set_enabled(graph, &[live.body], false);
        }
    }
}

/// What a piece is called: the name of what it was a part of, and what it is.
fn name_of<'a>(of: &str, line: impl Iterator<Item = &'a geometry::PieceKind> + Clone) -> String {
    // Room for all of it: to make more of it later may wait for a worker who is making pieces.
    let mut name = String::with_capacity(of.len() + SUFFIX * line.clone().count());
    name.push_str(of);
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

/// The surfaces that the worker has made to be drawn, and the node that shows them, if there is one.
fn look_of(payload: Option<Payload>, looks: &[SharedPayload]) -> (PieceSurfaces, Option<Node>) {
    let fragment = payload.and_then(|payload| payload.downcast::<PrebuiltPiece>().ok());
    if let Some(fragment) = fragment {
        return fragment.into_parts();
    }
    let chunks = looks.iter();
    let chunks = chunks.filter_map(|look| look.downcast_ref::<PieceSurfaces>());
    (chunks.flatten().cloned().collect(), None)
}

/// The surfaces that the worker has made to be collided with.
fn collision_of(new: &NewPiece) -> Vec<SurfaceResource> {
    let parts = new.collision_chunks.iter();
    let surfaces = parts.filter_map(|part| part.downcast_ref::<Option<SurfaceResource>>());
    surfaces.flatten().cloned().collect()
}

fn event_of(broken: &Broken, known: &BodyInfo) -> Event {
    let is_fragment =
        |piece: &&NewPiece| matches!(piece.kind, geometry::PieceKind::Fragment { .. });
    let fragments = broken.pieces.iter().filter(is_fragment).count();
    Event::Broken {
        node: known.node,
        name: known.name.clone(),
        fragments,
        islands: broken.pieces.len() - fragments,
        crumbs: broken.dust.len(),
        material: known.material.to_string(),
        by_weight: broken.cause == Cause::Weight,
        point: Vector3::from(broken.point.to_array()),
        normal: Vector3::from(broken.normal.to_array()),
        energy: broken.energy,
        new_area: broken.new_area,
        radius: broken.radius,
        frames_waited: broken.frames,
        worker_ms: broken.worker_ms,
        volume_error: broken.volume_error,
    }
}

fn drop_reason(reason: DropReason) -> &'static str {
    match reason {
        DropReason::QueueFull => "too many breaks are under way",
        DropReason::TooManyWaiting => "too many blows wait for the break under way",
    }
}
