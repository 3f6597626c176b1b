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

/// Removes a piece's collider and its mesh.
pub(crate) fn remove_collider(graph: &mut Graph, collider: &PieceCollider) {
    remove(graph, collider.collider);
    remove(graph, collider.mesh);
}
