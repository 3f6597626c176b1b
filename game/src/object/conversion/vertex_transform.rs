//! How the vertices of a surface come to body space: all in the same way, or each by its bones.

use fyrox::{
    core::algebra::{Matrix3, Matrix4},
    scene::mesh::buffer::{VertexAttributeUsage as Usage, VertexReadTrait, VertexViewRef},
};

/// The transform of a vertex to body space.
pub(super) struct VertexTransform {
    pub matrix: Matrix4<f32>,
    pub linear: Matrix3<f32>,
    pub normal: Matrix3<f32>,
    /// -1 if it mirrors, else 1.
    pub mirror: f32,
}

impl VertexTransform {
    pub fn new(matrix: Matrix4<f32>) -> Self {
        let linear: Matrix3<f32> = matrix.fixed_view::<3, 3>(0, 0).into_owned();
        // A mesh scaled to zero thickness has no volume and is refused later; its normals do not matter.
        let inverse = linear.try_inverse().unwrap_or_else(Matrix3::identity);
        Self {
            matrix,
            linear,
            normal: inverse.transpose(),
            mirror: if linear.determinant() < 0.0 {
                -1.0
            } else {
                1.0
            },
        }
    }

    /// The transform of a vertex by its bones, as in the engine's shaders; `None` if none of them moves it.
    pub fn by_bones(bones: &[Matrix4<f32>], vertex: &VertexViewRef) -> Option<Self> {
        let indices = vertex.read_4_u8(Usage::BoneIndices).ok()?;
        let weights = vertex.read_4_f32(Usage::BoneWeight).ok()?;
        let weighted = indices
            .iter()
            .zip(weights.iter())
            .filter_map(|(bone, weight)| {
                let matrix = bones.get(usize::from(*bone))?;
                (*weight != 0.0).then(|| matrix * *weight)
            });
        let sum: Matrix4<f32> = weighted.sum();
        let total: f32 = sum.m44;
        (total > 0.0).then(|| Self::new(sum / total))
    }
}
