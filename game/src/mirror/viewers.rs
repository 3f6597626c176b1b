//! The scene's cameras, as the simulation knows them: what they see is removed last.

use crate::mirror::transforms::{vec3, world_matrix};
use fracture_simulation::{
    geometry::glam::{Mat4, Vec3, Vec4},
    Viewer,
};
use fyrox::{
    core::algebra::{Matrix4, Vector2},
    scene::{camera::Camera, graph::Graph, node::Node},
};

/// Width of a view in heights where the window's is not known or must not matter: that of the widest screens.
const WIDEST: f32 = 2.4;

/// The enabled cameras. Looks at all nodes. In runs that have to be repeatable the size of the window must not matter.
pub(crate) fn viewers(graph: &Graph, repeatable: bool) -> impl Iterator<Item = Viewer> + '_ {
    let cameras = graph.linear_iter().filter_map(enabled_camera);
    cameras.map(move |camera| viewer(graph, camera, repeatable))
}

/// A node as a camera that is enabled.
pub(crate) fn enabled_camera(node: &Node) -> Option<&Camera> {
    let camera = node.cast::<Camera>();
    camera.filter(|camera| camera.is_enabled() && camera.is_globally_enabled())
}

fn viewer(graph: &Graph, camera: &Camera, repeatable: bool) -> Viewer {
    let world = world_matrix(graph, camera.handle());
    let axis = |index: usize| vec3(world.column(index).xyz());
    let (position, up, look) = (axis(3), axis(1), axis(2));
    let view = Mat4::look_to_rh(position, look.normalize_or(Vec3::Z), up);
    let last = camera.projection_matrix();
    let projection = if repeatable || last == Matrix4::identity() {
        camera.projection().matrix(Vector2::new(WIDEST, 1.0))
    } else {
        last
    };
    let columns = [0, 1, 2, 3].map(|index| projection.column(index));
    let [x, y, z, w] = columns.map(|column| Vec4::new(column[0], column[1], column[2], column[3]));
    Viewer::through(position, Mat4::from_cols(x, y, z, w) * view)
}
