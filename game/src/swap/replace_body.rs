//! Replaces a broken body by its pieces.

use crate::{
    destruction::Destruction,
    events::Event,
    impacts::collect::BrokenObject,
    mirror::colliders::MirroredColliders,
    object::{LiveObject, ObjectId, Objects},
    swap::{
        self,
        bars::leave_bars,
        body_events::BodyInfo,
        cracks::leave_cracks,
        detaching::{begin_detaching, finish_detaching},
        nodes::{surfaces_of, NodePlacement, PieceAppearance, PieceSurfaces, PrebuiltPiece},
        piece_colliders::{add_collider, remove_collider, update_collider, PieceCollider},
        piece_info::PieceKind,
        pieces::{Piece, PieceStore},
    },
};
use fracture_simulation::{
    geometry,
    hooks::{Payload, SharedPayload},
    BodyId, Broken, DustParticle, NewPiece, Pose, RefinedCollision, Simulation,
};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, mesh::surface::SurfaceResource, node::Node},
};
use std::{fmt::Write, sync::Arc};

/// Bytes reserved in a piece's name for each break.
const MAX_SUFFIX_BYTES: usize = 24;

/// Replaces a broken body by its pieces, in one frame.
pub(super) fn replace_body(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    broken: Broken,
) {
    let Some(info) = BodyInfo::of(&destruction.objects, &destruction.pieces, broken.body) else {
        return; // the object was removed while the break was being computed
    };
    let was_held = release(&mut destruction.objects, info.object, broken.body);
    let mut event = info.broken(&broken);
    let bodies: Vec<BodyId> = broken.pieces.iter().map(|piece| piece.body).collect();
    let is_fragment = |piece: &&NewPiece| kind_of(&piece.kind) == PieceKind::Fragment;
    let fragments = broken.pieces.iter().filter(is_fragment);
    let fragments: Vec<BodyId> = fragments.map(|piece| piece.body).collect();
    let cracked = largest(&broken.pieces, |piece| piece.is_cracked);
    let barred = largest(&broken.pieces, |piece| piece.has_bars);
    let detaching = begin_detaching(destruction, graph, info.object, info.node, &broken);
    add_pieces(
        destruction,
        graph,
        simulation,
        &info,
        broken.body,
        broken.pieces,
    );
    emit_dust(destruction, graph, info.object, broken.body, &broken.dust);
    let told = finish_detaching(destruction, graph, simulation, detaching);
    leave_cracks(destruction, graph, info.object, broken.body, cracked);
    leave_bars(destruction, graph, broken.body, barred);
    remove_broken(destruction, graph, info.object, broken.body, was_held);
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
        let motion = |body: BodyId| simulation.motion(body);
        let info = |body: &BodyId| Some(destruction.pieces.get(*body)?.info(motion(*body)));
        pieces.extend(bodies.iter().filter_map(info));
    }
    destruction.events.push(event);
    destruction.events.extend(told);
}

/// The largest of some pieces.
fn largest(pieces: &[NewPiece], are_meant: impl Fn(&NewPiece) -> bool) -> Option<BodyId> {
    let meant = pieces.iter().filter(|piece| are_meant(piece));
    let largest = meant.max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
    largest.map(|piece| piece.body)
}

/// Adds the pieces of a broken body. They take its colliders over that they still need.
fn add_pieces(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    info: &BodyInfo,
    body: BodyId,
    pieces: Vec<NewPiece>,
) {
    let mut reusable = destruction.pieces.take_colliders(body);
    let (objects, known) = (&destruction.objects, &destruction.pieces);
    // A piece keeps its own when its object is removed.
    if let Some(appearance) = appearance_of(objects, known, info.object, body) {
        for piece in pieces {
            add_piece(
                destruction,
                graph,
                simulation,
                info,
                &appearance,
                piece,
                &mut reusable,
            );
        }
    }
    for collider in reusable {
        remove_collider(graph, &collider);
    }
}

/// Removes a broken body from the scene: a piece with its node, of an intact object its meshes; and its
/// colliders, if the engine's rigid body had them.
fn remove_broken(
    destruction: &mut Destruction,
    graph: &mut Graph,
    object: ObjectId,
    body: BodyId,
    was_held: bool,
) {
    let (objects, pieces) = (&mut destruction.objects, &mut destruction.pieces);
    if destruction.view.remove_piece(graph, pieces, body).is_none() {
        hide_intact(objects, graph, object);
    }
    if was_held {
        replace_colliders(objects, pieces, graph, object);
    }
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

/// Gives a held piece the colliders of its lasting collision mesh.
pub(super) fn exchange(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    refined: RefinedCollision,
) {
    let (objects, pieces) = (&mut destruction.objects, &mut destruction.pieces);
    let Some((object, pose)) = pieces.get(refined.body).map(|p| (p.object, p.pose)) else {
        return;
    };
    let Some(live) = objects.live(object) else {
        return; // the object's node has been removed
    };
    let mut reusable = pieces.take_colliders(refined.body);
    let placement = placement(Some(live), true, &pose);
    let chunks = &refined.collision_chunks;
    let colliders = add_colliders(graph, live, chunks, &placement, &mut reusable);
    let mirrored = &mut destruction.mirror.colliders;
    exclude(mirrored, simulation, graph, &colliders);
    pieces.set_colliders(refined.body, colliders);
    for collider in reusable {
        remove_collider(graph, &collider);
    }
    replace_colliders(objects, pieces, graph, object);
}

/// Adds a piece with its node and colliders.
fn add_piece(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    info: &BodyInfo,
    appearance: &Arc<PieceAppearance>,
    mut new: NewPiece,
    reusable: &mut Vec<PieceCollider>,
) {
    let live = destruction.objects.live(info.object);
    let name = piece_name(&info.name, new.ancestors.iter().chain([&new.kind]));
    let placement = placement(live, new.anchored, &new.motion.pose);
    let (surfaces, prebuilt) = render_output(new.payload.take(), &new.render_chunks);
    let pool = &mut destruction.view.pool;
    let node = match prebuilt {
        Some(node) => swap::add_prebuilt(graph, &name, node, &placement),
        None => pool.show(graph, &name, &surfaces, appearance, &placement),
    };
    let colliders = live.map_or_else(Vec::new, |live| {
        add_colliders(graph, live, &new.collision_chunks, &placement, reusable)
    });
    let mirrored = &mut destruction.mirror.colliders;
    exclude(mirrored, simulation, graph, &colliders);
    let live = destruction.objects.live_mut(info.object);
    if let Some(live) = live.filter(|_| new.anchored) {
        live.held.push(new.body);
    }
    let piece = Piece {
        object: info.object,
        node,
        cracks: Handle::NONE,
        bars: Handle::NONE,
        batched: false,
        surfaces,
        appearance: appearance.clone(),
        triangles: new.triangles,
        colliders,
        name,
        kind: kind_of(&new.kind),
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

/// Has the debris not collide with the engine's colliders of a piece, which is a body of its own there.
fn exclude(
    mirrored: &mut MirroredColliders,
    simulation: &mut Simulation,
    graph: &Graph,
    colliders: &[PieceCollider],
) {
    for collider in colliders {
        mirrored.exclude(simulation, graph, collider.collider);
    }
}

/// Parent and transform of a new piece's node.
fn placement<'a>(
    live: Option<&'a LiveObject>,
    anchored: bool,
    pose: &'a Pose,
) -> NodePlacement<'a> {
    let live = live.filter(|_| anchored);
    let held = live.and_then(|live| Some((live.body, live.child_transform.as_ref()?)));
    match held {
        Some((body, transform)) => NodePlacement::Body(body, transform),
        None => NodePlacement::World(pose),
    }
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

/// Adds the colliders of a piece, of its collision chunks. Colliders in `reusable` with the same surface are taken over.
fn add_colliders(
    graph: &mut Graph,
    live: &LiveObject,
    chunks: &[SharedPayload],
    placement: &NodePlacement,
    reusable: &mut Vec<PieceCollider>,
) -> Vec<PieceCollider> {
    let mut colliders = Vec::with_capacity(chunks.len());
    for surface in collider_surfaces(chunks) {
        let mut parents = reusable.iter();
        let same = parents.position(|collider| collider.key == surface.key());
        let collider = match (same, live.colliders.first()) {
            (Some(same), like) => {
                let taken = reusable.swap_remove(same);
                update_collider(graph, &taken, like.copied().unwrap_or_default());
                Some(taken)
            }
            (None, Some(like)) => add_collider(graph, live.body, *like, &surface, placement),
            (None, None) => None,
        };
        colliders.extend(collider);
    }
    colliders
}

fn kind_of(kind: &geometry::PieceKind) -> PieceKind {
    match kind {
        geometry::PieceKind::Fragment { .. } => PieceKind::Fragment,
        geometry::PieceKind::Island { .. } => PieceKind::Island,
    }
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
    let chunks = chunks.iter().filter_map(surfaces_of);
    (chunks.flatten().cloned().collect(), None)
}

/// The surfaces that the worker has built for the colliders of a held piece.
fn collider_surfaces(chunks: &[SharedPayload]) -> Vec<SurfaceResource> {
    let chunks = chunks.iter();
    let surfaces = chunks.filter_map(|part| part.downcast_ref::<Option<SurfaceResource>>());
    surfaces.flatten().cloned().collect()
}
