//! The one place that changes a scene graph: old looks go, pieces come.

use crate::frames::{position_and_rotation, world_matrix};
use fracture_simulation::{Motion, Pose};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        math::Matrix4Ext,
        pool::Handle,
    },
    graph::SceneGraph,
    material::MaterialResource,
    scene::{
        base::BaseBuilder,
        collider::{Collider, ColliderBuilder, ColliderShape, GeometrySource},
        graph::Graph,
        mesh::{
            surface::{SurfaceBuilder, SurfaceResource},
            Mesh, MeshBuilder, RenderPath,
        },
        node::Node,
        pivot::PivotBuilder,
        rigidbody::RigidBody,
        transform::{Transform, TransformBuilder},
    },
    script::ScriptTrait,
};

/// What is drawn of a piece, or of a chunk of one: surfaces with their material slots.
pub(crate) type Look = Vec<(u32, SurfaceResource)>;

/// The tag of every node that the module adds to a scene.
pub const PIECE_TAG: &str = "fracture";

/// How all pieces of an object are drawn: as the object was.
#[derive(Clone, Debug)]
pub(crate) struct PieceStyle {
    /// One material per slot, that of the cut faces last.
    pub materials: Vec<MaterialResource>,
    cast_shadows: bool,
    frustum_culling: bool,
    render_path: RenderPath,
}

impl PieceStyle {
    /// The style of an object that has the given meshes.
    pub fn of(graph: &Graph, meshes: &[Handle<Node>], materials: Vec<MaterialResource>) -> Self {
        let mesh = meshes
            .iter()
            .find_map(|m| graph.try_get_of_type::<Mesh>(*m).ok());
        Self {
            materials,
            cast_shadows: mesh.is_none_or(|m| m.cast_shadows()),
            frustum_culling: mesh.is_none_or(|m| m.frustum_culling()),
            render_path: mesh.map(Mesh::render_path).unwrap_or_default(),
        }
    }
}

/// Where a piece's node goes.
pub(crate) enum Place<'a> {
    /// Under the scene's root, in world space.
    World(&'a Pose),
    /// Under an engine body.
    Body(Handle<Node>, &'a Transform),
}

/// Adds a node that shows a piece. Its transforms are up to date when this returns.
pub(crate) fn add_piece(
    graph: &mut Graph,
    name: &str,
    surfaces: Vec<(u32, SurfaceResource)>,
    style: &PieceStyle,
    place: &Place,
) -> Handle<Node> {
    let surfaces = surfaces.into_iter().map(|(slot, data)| {
        let builder = SurfaceBuilder::new(data);
        match style
            .materials
            .get(slot as usize)
            .or(style.materials.last())
        {
            Some(material) => builder.with_material(material.clone()).build(),
            None => builder.build(),
        }
    });
    let base = BaseBuilder::new()
        .with_name(name)
        .with_tag(PIECE_TAG.to_owned())
        .with_cast_shadows(style.cast_shadows)
        .with_frustum_culling(style.frustum_culling)
        .with_local_transform(place.transform());
    let node = MeshBuilder::new(base)
        .with_surfaces(surfaces.collect())
        .with_render_path(style.render_path)
        .build(graph)
        .to_base();
    settle(graph, node, place);
    node
}

/// A part of what is collided with: a collider, and the invisible mesh that the engine builds it from.
#[derive(Debug)]
pub(crate) struct CollisionPart {
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
    place: &Place,
) -> Option<CollisionPart> {
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
    settle(graph, mesh, place);
    let shape = ColliderShape::trimesh(vec![GeometrySource(mesh)]);
    let collider = builder.with_shape(shape).build(graph).to_base();
    graph.link_nodes(collider, body);
    graph.update_hierarchical_data_for_descendants(collider);
    Some(CollisionPart {
        key: surface.key(),
        collider,
        mesh,
    })
}

/// Takes a part of what is collided with away.
pub(crate) fn remove_collision(graph: &mut Graph, part: &CollisionPart) {
    remove(graph, part.collider);
    remove(graph, part.mesh);
}

impl Place<'_> {
    fn transform(&self) -> Transform {
        match self {
            Self::World(pose) => {
                let (position, rotation) = position_and_rotation(pose);
                TransformBuilder::new()
                    .with_local_position(position)
                    .with_local_rotation(rotation)
                    .build()
            }
            Self::Body(_, transform) => (*transform).clone(),
        }
    }
}

fn settle(graph: &mut Graph, node: Handle<Node>, place: &Place) {
    if let Place::Body(body, _) = place {
        graph.link_nodes(node, *body);
    }
    graph.update_hierarchical_data_for_descendants(node);
}

/// Moves a piece's node, which stands under the scene's root.
pub(crate) fn move_piece(graph: &mut Graph, node: Handle<Node>, pose: &Pose) {
    if let Ok(node) = graph.try_get_node_mut(node) {
        let (position, rotation) = position_and_rotation(pose);
        node.local_transform_mut()
            .set_position(position)
            .set_rotation(rotation);
    }
}

/// Takes a node away, with what hangs on it; nothing happens when it has gone already.
pub(crate) fn remove(graph: &mut Graph, node: Handle<Node>) {
    if graph.is_valid_handle(node) {
        graph.remove_node(node);
    }
}

/// Makes the meshes of an object invisible. They stay, so that handles to them remain valid.
pub(crate) fn hide(graph: &mut Graph, meshes: &[Handle<Node>]) {
    for mesh in meshes {
        if let Ok(node) = graph.try_get_node_mut(*mesh) {
            node.set_visibility(false);
        }
        graph.update_hierarchical_data_for_descendants(*mesh);
    }
}

/// Makes the meshes of an object visible again.
pub(crate) fn show(graph: &mut Graph, meshes: &[Handle<Node>]) {
    for mesh in meshes {
        if let Ok(node) = graph.try_get_node_mut(*mesh) {
            node.set_visibility(true);
            graph.update_hierarchical_data_for_descendants(*mesh);
        }
    }
}

/// Gives bodies and colliders back to the engine's physics.
pub(crate) fn enable(graph: &mut Graph, nodes: &[Handle<Node>]) {
    for node in nodes {
        if let Ok(found) = graph.try_get_node_mut(*node) {
            found.set_enabled(true);
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

/// Takes colliders out of the engine's physics. They stay, so that handles to them remain valid.
pub(crate) fn disable_all(graph: &mut Graph, colliders: &[Handle<Node>]) {
    for collider in colliders {
        disable(graph, *collider);
    }
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

/// Takes a node out of the engine's physics with all below it. The nodes stay, disabled.
pub(crate) fn disable(graph: &mut Graph, node: Handle<Node>) {
    if let Ok(found) = graph.try_get_node_mut(node) {
        found.set_enabled(false);
        graph.update_hierarchical_data_for_descendants(node);
    }
}
