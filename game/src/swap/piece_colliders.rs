//! Colliders of held pieces in the engine's physics.

use crate::swap::{
    nodes::{attach, NodePlacement},
    scene_edits::{remove, PIECE_TAG},
};
use fyrox::{
    core::pool::Handle,
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
    },
};

/// A collider of a held piece, and the invisible mesh that the engine builds it from.
#[derive(Debug)]
pub(crate) struct PieceCollider {
    /// Key of the surface that it is built from. Pieces with the same surface take it over.
    pub key: u64,
    pub collider: Handle<Node>,
    mesh: Handle<Node>,
}

/// Adds a collider with the shape of a surface to a body. Friction, groups and the rest are copied from
/// the collider `like`.
pub(crate) fn add_collider(
    graph: &mut Graph,
    body: Handle<Node>,
    like: Handle<Node>,
    surface: &SurfaceResource,
    placement: &NodePlacement,
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
        .with_local_transform(placement.transform());
    let mesh = MeshBuilder::new(base)
        .with_surfaces(vec![SurfaceBuilder::new(surface.clone()).build()])
        .build(graph)
        .to_base();
    attach(graph, mesh, placement);
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

/// Gives a collider that a piece takes over the friction, the bounce and the groups that the collider `like` has now.
pub(crate) fn update_collider(graph: &mut Graph, collider: &PieceCollider, like: Handle<Node>) {
    let contact = |collider: &Collider| {
        let friction = (collider.friction(), collider.friction_combine_rule());
        let bounce = (collider.restitution(), collider.restitution_combine_rule());
        let groups = (collider.collision_groups(), collider.solver_groups());
        (friction, bounce, groups)
    };
    let Ok(like) = graph.try_get_of_type::<Collider>(like).map(contact) else {
        return;
    };
    let own = graph.try_get_mut_of_type::<Collider>(collider.collider);
    let Some(own) = own.ok().filter(|own| contact(own) != like) else {
        return; // the common case: what is set is given to the engine's physics
    };
    let (friction, bounce, groups) = like;
    own.set_friction(friction.0);
    own.set_friction_combine_rule(friction.1);
    own.set_restitution(bounce.0);
    own.set_restitution_combine_rule(bounce.1);
    own.set_collision_groups(groups.0);
    own.set_solver_groups(groups.1);
}

/// Removes a piece's collider and its mesh.
pub(crate) fn remove_collider(graph: &mut Graph, collider: &PieceCollider) {
    remove(graph, collider.collider);
    remove(graph, collider.mesh);
}
