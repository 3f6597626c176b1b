//! The pieces of a preview as nodes for baking.

use super::{Preview, MARK};
use fracture::PieceInfo;
use fyrox::{
    core::algebra::{Matrix3, Matrix4, UnitQuaternion, Vector3},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        mesh::{Mesh, MeshBuilder},
        node::Node,
        transform::Transform,
        Scene,
    },
};

impl Preview {
    /// Makes nodes that show the pieces where they lie (not moved apart), with their own materials, in
    /// world space.
    pub fn piece_nodes(&self, copy: &Scene) -> Vec<Node> {
        let make = |piece: PieceInfo| {
            let source = copy.graph.try_get_of_type::<Mesh>(piece.node).ok()?;
            let mut surfaces = source.surfaces().to_vec();
            self.paint.unpaint(piece.node, &mut surfaces);
            let spread = **source.local_transform().position();
            let rest = self.rests.get(&piece.node);
            let back = rest.map_or(Vector3::zeros(), |rest| **rest.base.position() - spread);
            let parent = copy.graph.try_get_node(source.parent()).ok()?;
            let back = parent.global_transform().transform_vector(&back);
            let world = Matrix4::new_translation(&back) * source.global_transform();
            let name = piece.name.replace(MARK, "");
            let base = BaseBuilder::new()
                .with_name(name.rsplit('/').next().unwrap_or(&name))
                .with_cast_shadows(source.cast_shadows())
                .with_local_transform(placed(&world));
            let mesh = MeshBuilder::new(base)
                .with_surfaces(surfaces)
                .with_render_path(source.render_path());
            Some(mesh.build_node())
        };
        self.pieces().into_iter().filter_map(make).collect()
    }
}

/// Returns the rigid transform of a piece's matrix; pieces have no scale.
pub(crate) fn placed(matrix: &Matrix4<f32>) -> Transform {
    let linear: Matrix3<f32> = matrix.fixed_view::<3, 3>(0, 0).into_owned();
    let mut transform = Transform::identity();
    transform
        .set_position(Vector3::new(matrix[12], matrix[13], matrix[14]))
        .set_rotation(UnitQuaternion::from_matrix(&linear));
    transform
}
