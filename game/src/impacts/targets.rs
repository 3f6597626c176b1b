//! The targets of impacts: objects and pieces by a node, a name or a ray.

use crate::{
    destruction::Destruction,
    impacts::queue::ImpactTarget,
    mirror::{
        engine_bodies::node_of as engine_node,
        transforms::{vec3, world_matrix},
    },
    object::{ObjectId, Objects},
    script::destructible::Destructible,
    swap::pieces::PieceStore,
};
use fracture_simulation::{BodyId, BodyRef, RayHit};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use rapier3d::parry::query::PointQuery;

/// The object or piece that a node belongs to. Before the first update, when nothing is known of the
/// scene, the node itself.
pub(crate) fn target_at(destruction: &Destruction, node: Handle<Node>) -> Option<ImpactTarget> {
    if let Some(id) = destruction.discovery.object_at(node) {
        return Some(ImpactTarget::Object(id));
    }
    if let Some(body) = destruction.pieces.at_node(node) {
        return Some(ImpactTarget::Piece(body));
    }
    if let Some(id) = destruction.objects.of_engine_body(node) {
        return Some(ImpactTarget::Object(id));
    }
    if !destruction.discovery.is_attached() {
        return Some(ImpactTarget::Node(node));
    }
    // Meshes and colliders are listed by their objects only.
    let mut objects = destruction.objects.iter();
    let owner = objects.find(|(_, object)| {
        let live = object.live();
        live.is_some_and(|live| {
            let mut meshes = live.shown_meshes();
            meshes.any(|mesh| mesh == node) || live.colliders.contains(&node)
        })
    });
    owner.map(|(id, _)| ImpactTarget::Object(id))
}

/// The first hit of a ray.
pub(crate) fn ray_hit(
    destruction: &Destruction,
    origin: Vector3<f32>,
    direction: Vector3<f32>,
    max_distance: f32,
) -> Option<RayHit> {
    let simulation = destruction.simulation.as_ref()?;
    simulation.cast_ray(vec3(origin), vec3(direction), max_distance)
}

/// The object or piece that a ray has hit, with its node.
pub(crate) fn target_of(
    destruction: &Destruction,
    hit: &RayHit,
) -> Option<(ImpactTarget, Handle<Node>)> {
    let body = BodyRef::Breakable(hit.body?);
    let (node, _) = node_of(&destruction.objects, &destruction.pieces, body)?;
    Some((target_of_body(destruction, body)?, node))
}

/// The target that a body of the simulation stands for.
pub(crate) fn target_of_body(destruction: &Destruction, body: BodyRef) -> Option<ImpactTarget> {
    let body = match body {
        BodyRef::External(key) => return Some(ImpactTarget::EngineBody(engine_node(key))),
        BodyRef::Breakable(body) => body,
    };
    if destruction.pieces.get(body).is_some() {
        return Some(ImpactTarget::Piece(body));
    }
    destruction.objects.of_root(body).map(ImpactTarget::Object)
}

/// The piece nearest to a point among those of a batch node.
pub(crate) fn nearest_in_batch(
    destruction: &Destruction,
    node: Handle<Node>,
    point: Vector3<f32>,
) -> Option<BodyId> {
    let distance = |body: BodyId| {
        let center = destruction.pieces.get(body)?.world_center();
        Some(((center - point).norm_squared(), body))
    };
    let distances = destruction
        .view
        .batches
        .pieces_at(node)
        .filter_map(distance);
    let nearest = distances.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, body)| body)
}

/// The object with a name, or else the piece, or else the node whose script has not been discovered yet. Of several
/// it is the one nearest to a point: instances of a prefab share their names.
pub(crate) fn target_named(
    destruction: &Destruction,
    graph: &Graph,
    name: &str,
    point: Vector3<f32>,
) -> Option<ImpactTarget> {
    let objects = destruction.objects.all_named(name).map(|id| {
        let distance = distance_to_object(destruction, graph, id, point);
        (distance, ImpactTarget::Object(id))
    });
    let pieces = destruction.pieces.iter();
    let pieces = pieces.filter(|(_, piece)| piece.name == name);
    let pieces = pieces.map(|(body, piece)| (piece.distance(point), ImpactTarget::Piece(body)));
    let nodes = graph
        .pair_iter()
        .filter(|(_, node)| node.name() == name && node.has_script::<Destructible>());
    let nodes = nodes.map(|(node, _)| {
        let distance = distance_to_node(graph, node, point);
        (distance, ImpactTarget::Node(node))
    });
    nearest(objects)
        .or_else(|| nearest(pieces))
        .or_else(|| nearest(nodes))
}

fn nearest(targets: impl Iterator<Item = (f32, ImpactTarget)>) -> Option<ImpactTarget> {
    let nearest = targets.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, target)| target)
}

/// The distance of a point from the box of an intact object, or from the nearest of its pieces, metres.
fn distance_to_object(
    destruction: &Destruction,
    graph: &Graph,
    id: ObjectId,
    point: Vector3<f32>,
) -> f32 {
    let pieces = destruction.pieces.iter().map(|(_, piece)| piece);
    let own = pieces.filter(|piece| piece.object == id);
    match destruction
        .objects
        .get(id)
        .map(|object| (object, object.live()))
    {
        Some((_, Some(live))) if !live.broken => {
            let pose = &live.motion.pose;
            live.local_bounds.distance_to_point(pose, vec3(point), true)
        }
        Some((_, Some(_))) => own
            .map(|piece| piece.distance(point))
            .fold(f32::MAX, f32::min),
        Some((object, None)) => distance_to_node(graph, object.node, point),
        None => f32::MAX,
    }
}

fn distance_to_node(graph: &Graph, node: Handle<Node>, point: Vector3<f32>) -> f32 {
    let world = world_matrix(graph, node);
    (world.column(3).xyz() - point).norm()
}

/// The node of a body, and whether it belongs to a destructible.
pub(crate) fn node_of(
    objects: &Objects,
    pieces: &PieceStore,
    body: BodyRef,
) -> Option<(Handle<Node>, bool)> {
    let body = match body {
        BodyRef::External(key) => return Some((engine_node(key), false)),
        BodyRef::Breakable(body) => body,
    };
    if let Some(piece) = pieces.get(body) {
        return Some((piece.node, true));
    }
    let id = objects.of_root(body)?;
    Some((objects.get(id)?.node, true))
}
