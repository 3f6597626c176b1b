//! The scene's cameras, as the simulation knows them: what they see is removed last.

use crate::mirror::transforms::vec3;
use fracture_simulation::Viewer;
use fyrox::{
    graph::SceneGraph,
    scene::{
        camera::{Camera, Projection},
        graph::Graph,
        node::Node,
    },
};
use std::f32::consts::FRAC_PI_2;

/// Width of the widest view in heights: scenes do not know their windows.
const WIDEST: f32 = 2.4;

/// The enabled cameras. Looks at all nodes.
pub(crate) fn viewers(graph: &Graph) -> impl Iterator<Item = Viewer> + '_ {
    let cameras = graph
        .pair_iter()
        .filter_map(|(_, node): (_, &Node)| node.cast::<Camera>());
    let enabled = cameras.filter(|camera| camera.is_enabled() && camera.is_globally_enabled());
    enabled.map(viewer)
}

fn viewer(camera: &Camera) -> Viewer {
    let half_angle = match camera.projection() {
        Projection::Perspective(perspective) => {
            let upright = (0.5 * perspective.fov).tan();
            (upright * WIDEST.hypot(1.0)).atan()
        }
        Projection::Orthographic(_) => FRAC_PI_2,
    };
    Viewer {
        position: vec3(camera.global_position()),
        direction: vec3(camera.look_vector()),
        half_angle,
    }
}
