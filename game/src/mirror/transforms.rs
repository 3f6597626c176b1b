//! World transforms of nodes, computed from local transforms, and conversions of vectors and poses.
//!
//! The engine's global transforms are one update old after physics, and wrong for nodes that were
//! added since the last update. Local transforms are always up to date.

use fracture_simulation::Pose;
use fyrox::{
    core::{
        algebra::{Matrix3, Matrix4, UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, transform::TransformBuilder},
};
use rapier3d::math::{Rot3, Vec3};

/// Relative difference below which a computed scale counts as the node's own scale, so that equal meshes
/// get bit-identical transforms, and share one shape, wherever their bodies stand.
const SCALE_TOLERANCE: f32 = 1e-5;
/// Ancestors of a node that are followed at most: a guard against cycles.
const MAX_DEPTH: usize = 4096;

/// The transform from a node's space to world space.
pub(crate) fn world_matrix(graph: &Graph, node: Handle<Node>) -> Matrix4<f32> {
    let mut matrix = Matrix4::identity();
    for ancestor in ancestry(graph, node) {
        matrix = ancestor.local_transform().matrix() * matrix;
    }
    matrix
}

/// Of each node, the lengths that its unit vectors have in the world. They do not change as the node moves and turns.
pub(crate) fn world_scales<'a>(
    graph: &'a Graph,
    nodes: &'a [Handle<Node>],
) -> impl Iterator<Item = [f32; 3]> + 'a {
    nodes.iter().map(|node| {
        let matrix = world_matrix(graph, *node);
        [0, 1, 2].map(|axis| matrix.fixed_view::<3, 1>(0, axis).norm())
    })
}

/// Iterates over a node and its ancestors, upwards.
pub(crate) fn ancestry(graph: &Graph, node: Handle<Node>) -> impl Iterator<Item = &Node> {
    let get = |handle| graph.try_get_node(handle).ok();
    std::iter::successors(get(node), move |node| get(node.parent())).take(MAX_DEPTH)
}

/// A vector of length 1 in the direction of another one, however short that is; `None` of one without a length, and
/// of one that is not finite.
pub(crate) fn unit(vector: Vector3<f32>) -> Option<Vector3<f32>> {
    let is_finite = |unit: &Vector3<f32>| unit.iter().all(|part| part.is_finite());
    let direct = vector.try_normalize(f32::EPSILON).filter(is_finite);
    // The square of a small number may be 0, and that of a large one infinite.
    direct.or_else(|| {
        (vector / vector.amax())
            .try_normalize(f32::EPSILON)
            .filter(is_finite)
    })
}

/// A body's pose, and the scale that remains beside it and is baked into its meshes.
pub(crate) struct BodyFrame {
    /// Body space to world space.
    pub pose: Pose,
    /// The body node's space to body space: its scale, and the shear of the nodes above it.
    pub scale: Matrix4<f32>,
}

impl BodyFrame {
    /// The frame of a rigid body node. Its rotation is the one nearest to the node's world transform, as
    /// in the engine's physics.
    pub fn new(graph: &Graph, body: Handle<Node>) -> Self {
        let world = world_matrix(graph, body);
        let linear: Matrix3<f32> = world.fixed_view::<3, 3>(0, 0).into_owned();
        let rotation = nearest_rotation(&linear, chained_rotation(graph, body));
        let own_scale = graph.try_get_node(body).map_or_else(
            |_| Vector3::repeat(1.0),
            |node| **node.local_transform().scale(),
        );
        let computed = rotation.to_rotation_matrix().matrix().transpose() * linear;
        let translation = Vector3::new(world[12], world[13], world[14]);
        Self {
            pose: pose(&translation, &rotation),
            scale: snapped(computed, own_scale).to_homogeneous(),
        }
    }

    /// The local transform that puts a child of the body node into body space; `None` when the body node
    /// is sheared, because no child transform can undo that.
    pub fn child_transform(&self) -> Option<fyrox::scene::transform::Transform> {
        let scale = [self.scale[(0, 0)], self.scale[(1, 1)], self.scale[(2, 2)]];
        let diagonal = Matrix4::new_nonuniform_scaling(&Vector3::from(scale));
        let off_diagonal = (self.scale - diagonal).abs().max();
        if off_diagonal > SCALE_TOLERANCE * diagonal.abs().max()
            || scale.iter().any(|s| s.abs() < f32::MIN_POSITIVE)
        {
            return None;
        }
        let inverse = Vector3::from(scale.map(|s| 1.0 / s));
        Some(TransformBuilder::new().with_local_scale(inverse).build())
    }
}

/// The rotation of a linear map, iterated from the identity as the engine does it; no turn where numbers are not finite,
/// with which the engine would go on for ever.
pub(crate) fn rotation_of(linear: &Matrix3<f32>) -> UnitQuaternion<f32> {
    nearest_rotation(linear, UnitQuaternion::identity())
}

/// The rotation nearest to a linear map, iterated from a guess. From the identity it stops before it converges when the
/// scales differ much.
fn nearest_rotation(linear: &Matrix3<f32>, guess: UnitQuaternion<f32>) -> UnitQuaternion<f32> {
    let found = UnitQuaternion::from_matrix_eps(linear, f32::EPSILON, 64, guess);
    if found.coords.iter().all(|x| x.is_finite()) {
        found
    } else {
        UnitQuaternion::identity()
    }
}

/// The product of the local rotations of a node and its ancestors.
fn chained_rotation(graph: &Graph, node: Handle<Node>) -> UnitQuaternion<f32> {
    ancestry(graph, node).fold(UnitQuaternion::identity(), |rotation, ancestor| {
        **ancestor.local_transform().rotation() * rotation
    })
}

/// The node's own scale if the computed one is as good as equal to it.
fn snapped(computed: Matrix3<f32>, own_scale: Vector3<f32>) -> Matrix3<f32> {
    let near = |other: &Matrix3<f32>| {
        (computed - other).abs().max() <= SCALE_TOLERANCE * other.abs().max()
    };
    let own = Matrix3::from_diagonal(&own_scale);
    if near(&own) {
        own
    } else {
        computed
    }
}

/// The transform from a mesh node's space to body space.
pub(crate) fn mesh_to_body(
    graph: &Graph,
    frame: &BodyFrame,
    body: Handle<Node>,
    mesh: Handle<Node>,
) -> Matrix4<f32> {
    let below_body = ancestry(graph, mesh).take_while(|node| node.handle() != body);
    let chain = below_body.fold(Matrix4::identity(), |matrix, node| {
        node.local_transform().matrix() * matrix
    });
    frame.scale * chain
}

/// Converts an engine vector to one of the debris world.
pub(crate) fn vec3(v: Vector3<f32>) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

/// Converts a vector of the debris world to one of the engine.
pub(crate) fn engine_vector(v: Vec3) -> Vector3<f32> {
    Vector3::new(v.x, v.y, v.z)
}

/// Converts an engine position and rotation to a pose of the debris world.
pub(crate) fn pose(translation: &Vector3<f32>, rotation: &UnitQuaternion<f32>) -> Pose {
    let q = rotation.quaternion();
    Pose::from_parts(vec3(*translation), Rot3::from_xyzw(q.i, q.j, q.k, q.w))
}

/// Converts a pose of the debris world to an engine position and rotation.
pub(crate) fn position_and_rotation(pose: &Pose) -> (Vector3<f32>, UnitQuaternion<f32>) {
    use fyrox::core::algebra::Quaternion;
    let r = pose.rotation;
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(r.w, r.x, r.y, r.z));
    (engine_vector(pose.translation), rotation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyrox::scene::{base::BaseBuilder, pivot::PivotBuilder, transform::Transform};

    fn pivot(graph: &mut Graph, parent: Handle<Node>, transform: Transform) -> Handle<Node> {
        let node = PivotBuilder::new(BaseBuilder::new().with_local_transform(transform))
            .build(graph)
            .to_base();
        if parent.is_some() {
            graph.link_nodes(node, parent);
        }
        node
    }

    fn turned(angle: f32, scale: Vector3<f32>) -> Transform {
        TransformBuilder::new()
            .with_local_position(Vector3::new(angle, 2.0, 3.0))
            .with_local_rotation(UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle))
            .with_local_scale(scale)
            .build()
    }

    #[test]
    fn equal_meshes_get_equal_transforms_wherever_their_bodies_stand() {
        let mut graph = Graph::new();
        let mut transforms = (0..20).map(|i| {
            let body = pivot(
                &mut graph,
                Handle::NONE,
                turned(0.37 * i as f32, Vector3::new(1.5, 1.0, 0.3)),
            );
            let mesh = pivot(&mut graph, body, turned(0.5, Vector3::repeat(2.0)));
            mesh_to_body(&graph, &BodyFrame::new(&graph, body), body, mesh)
        });
        let first = transforms.next().unwrap();
        assert!(transforms.all(|other| other == first));
    }

    #[test]
    fn a_child_of_a_scaled_body_lands_in_body_space() {
        let mut graph = Graph::new();
        let body = pivot(
            &mut graph,
            Handle::NONE,
            turned(0.7, Vector3::new(2.0, 3.0, 0.5)),
        );
        let frame = BodyFrame::new(&graph, body);
        let child = pivot(&mut graph, body, frame.child_transform().unwrap());
        let (position, rotation) = position_and_rotation(&frame.pose);
        let expected = rotation.to_homogeneous().append_translation(&position);
        let world = world_matrix(&graph, child);
        assert!((world - expected).abs().max() < 1e-5, "{world} {expected}");
    }

    #[test]
    fn a_sheared_body_has_no_child_transform() {
        let mut graph = Graph::new();
        let stretched = pivot(
            &mut graph,
            Handle::NONE,
            turned(0.0, Vector3::new(4.0, 1.0, 1.0)),
        );
        let body = pivot(&mut graph, stretched, turned(0.6, Vector3::repeat(1.0)));
        assert!(BodyFrame::new(&graph, body).child_transform().is_none());
    }

    #[test]
    fn a_rotation_is_found_in_any_matrix() {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 2.0);
        let matrix = turn.to_rotation_matrix().into_inner();
        assert_eq!(rotation_of(&matrix), UnitQuaternion::from_matrix(&matrix));
        for number in [0.0, 1e30, f32::MAX, f32::INFINITY, f32::NAN] {
            for place in 0..9 {
                let mut wrong = matrix;
                wrong[place] = number;
                let found = rotation_of(&wrong);
                assert!(found.coords.iter().all(|x| x.is_finite()), "{wrong}");
            }
        }
    }
}
