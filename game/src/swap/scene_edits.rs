//! The one place that changes a scene graph: old looks go, pieces come.

use crate::mirror::transforms::{position_and_rotation, world_matrix};
use crate::swap::nodes::{self, NodePlacement};
use fracture_simulation::Motion;
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        math::Matrix4Ext,
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{Collider, ColliderBuilder, ColliderShape, GeometrySource},
        graph::Graph,
        mesh::{
            surface::{SurfaceBuilder, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        pivot::PivotBuilder,
        rigidbody::RigidBody,
    },
    script::ScriptTrait,
};

/// The tag of every node that the module adds to a scene.
pub const PIECE_TAG: &str = "fracture";

/// A part of what is collided with: a collider, and the invisible mesh that the engine builds it from.
#[derive(Debug)]
pub(crate) struct PieceCollider {
    /// Names the surface; the part is of use as long as the surface is.
    pub key: u64,
    pub collider: Handle<Node>,
    mesh: Handle<Node>,
}

/// Adds a collider of the given surface to a body, in all else like another collider.
pub(crate) fn add_collision(
    graph: &mut Graph,
    body: Handle<Node>,
    like: Handle<Node>,
    surface: &SurfaceResource,
    place: &NodePlacement,
) -> Option<PieceCollider> {
    let like = graph.try_get_of_type::<Collider>(like).ok()?;
    let base = BaseBuilder::new()
        .with_name(like.name())
        .with_tag(PIECE_TAG.to_owned());
    let builder = ColliderBuilder::new(base)
        .with_friction(like.friction())
        .with_restitution(like.restitution())
        .with_friction_combine_rule(like.friction_combine_rule())
        .with_restitution_combine_rule(like.restitution_combine_rule())
        .with_collision_groups(like.collision_groups())
        .with_solver_groups(like.solver_groups());
    let base = BaseBuilder::new()
        .with_name("collision mesh")
        .with_tag(PIECE_TAG.to_owned())
        .with_visibility(false)
        .with_cast_shadows(false)
        .with_local_transform(place.transform());
    let mesh = MeshBuilder::new(base)
        .with_surfaces(vec![SurfaceBuilder::new(surface.clone()).build()])
        .build(graph)
        .to_base();
    nodes::settle(graph, mesh, place);
    let shape = ColliderShape::trimesh(vec![GeometrySource(mesh)]);
    let collider = builder.with_shape(shape).build(graph).to_base();
    graph.link_nodes(collider, body);
    graph.update_hierarchical_data_for_descendants(collider);
    Some(PieceCollider {
        key: surface.key(),
        collider,
        mesh,
    })
}

/// Takes a part of what is collided with away.
pub(crate) fn remove_collision(graph: &mut Graph, part: &PieceCollider) {
    remove(graph, part.collider);
    remove(graph, part.mesh);
}

/// Takes a node away, with what hangs on it; nothing happens when it has gone already.
pub(crate) fn remove(graph: &mut Graph, node: Handle<Node>) {
    if graph.is_valid_handle(node) {
        graph.remove_node(node);
    }
}

/// Makes the meshes of an object invisible, or visible again. They stay, so that handles to them
/// remain valid.
pub(crate) fn set_visible(graph: &mut Graph, meshes: &[Handle<Node>], visible: bool) {
    for mesh in meshes {
        if let Ok(node) = graph.try_get_node_mut(*mesh) {
            node.set_visibility(visible);
            graph.update_hierarchical_data_for_descendants(*mesh);
        }
    }
}

/// Takes nodes out of the engine's physics with all below them, or gives them back. They stay, so
/// that handles to them remain valid.
pub(crate) fn set_enabled(graph: &mut Graph, nodes: &[Handle<Node>], enabled: bool) {
    for node in nodes {
        if let Ok(found) = graph.try_get_node_mut(*node) {
            found.set_enabled(enabled);
            graph.update_hierarchical_data_for_descendants(*node);
        }
    }
}

/// The nodes of pieces in a scene that was not broken yet since it was loaded.
pub(crate) fn pieces_of_others(graph: &Graph) -> impl Iterator<Item = Handle<Node>> + '_ {
    let nodes = graph.pair_iter();
    nodes.filter_map(|(handle, node)| (node.tag() == PIECE_TAG).then_some(handle))
}

/// Adds a node that does nothing but carry a script.
pub(crate) fn add_script(graph: &mut Graph, name: &str, script: impl ScriptTrait) -> Handle<Node> {
    let base = BaseBuilder::new().with_name(name).with_script(script);
    PivotBuilder::new(base).build(graph).to_base()
}

/// Pushes a whole object, which the engine moves; the impulse is in N s.
pub(crate) fn push(
    graph: &mut Graph,
    body: Handle<Node>,
    point: Vector3<f32>,
    impulse: Vector3<f32>,
) {
    if let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(body) {
        body.apply_impulse_at_point(impulse, point);
        body.wake_up();
    }
}

/// How far a body is moved away before it is put in its place, metres.
const AWAY: f32 = 1.0;

/// Gives a body that the engine's physics moves a new pose and velocity.
pub(crate) fn hand_back(graph: &mut Graph, body: Handle<Node>, motion: &Motion) {
    let Ok(node) = graph.try_get_node(body) else {
        return;
    };
    let parent = world_matrix(graph, node.parent()).try_inverse();
    let Some(from_world) = parent.filter(|parent| parent.iter().all(|x| x.is_finite())) else {
        return;
    };
    let (position, rotation) = position_and_rotation(&motion.pose);
    let local = from_world * rotation.to_homogeneous().append_translation(&position);
    let position = Vector3::new(local[12], local[13], local[14]);
    let rotation = UnitQuaternion::from_matrix(&local.basis());
    // The engine's physics takes no notice when a node moves by less than a millimetre, so that
    // a resting body would sink by as much in every frame.
    for position in [position + Vector3::repeat(AWAY), position] {
        let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(body) else {
            return;
        };
        let transform = body.local_transform_mut();
        transform.set_position(position).set_rotation(rotation);
        let handle = body.handle();
        graph.update_hierarchical_data_for_descendants(handle);
    }
    if let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(body) {
        let [linear, angular] = [motion.linear, motion.angular].map(|v| v.to_array());
        body.set_lin_vel(Vector3::from(linear));
        body.set_ang_vel(Vector3::from(angular));
    }
}
