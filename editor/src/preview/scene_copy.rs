//! The copy of a scene in which a preview runs.

use super::{
    neighbourhood::Near,
    slow_colliders::{self, Remedy},
};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{camera::Camera, node::Node, Scene},
};

/// Copies an object and the nodes near it, without the editor's own nodes. Handles stay those of the
/// original. The time does not grow with the scene.
///
/// Colliders that the engine takes long to build are disabled in the copy.
/// [`Preview::new`](super::Preview::new) takes the [`Surroundings`] that are returned beside it and adds
/// lighter colliders in their place.
pub fn copy(
    scene: &Scene,
    object: Handle<Node>,
    root: Handle<Node>,
    editor_objects: Handle<Node>,
) -> (Scene, Surroundings) {
    let near = Near::to(&scene.graph, object);
    let (mut copy, _) = scene.clone_ex(
        root,
        true,
        &mut |handle, _| handle != editor_objects && near.has(handle),
        &mut |handle, node| {
            let remedy = near.remedy(handle);
            if remedy.is_some_and(|remedy| remedy != Remedy::Box) {
                node.set_enabled(false);
            }
        },
        &mut |_, _, _| {},
    );
    copy.drawing_context.clear_lines();
    let cameras: Vec<_> = copy
        .graph
        .pair_iter()
        .filter(|(_, node)| node.cast::<Camera>().is_some())
        .map(|(handle, _)| handle)
        .collect();
    for camera in cameras {
        if let Ok(camera) = copy.graph.try_get_mut_of_type::<Camera>(camera) {
            camera.set_enabled(false);
        }
    }
    for collider in near.heavy(Remedy::Box) {
        slow_colliders::box_in(&mut copy.graph, collider);
    }
    let surroundings = Surroundings {
        heavy: near.heavy(Remedy::Parts),
    };
    (copy, surroundings)
}

/// Colliders that are still missing around an object in its copied scene.
#[derive(Default)]
pub struct Surroundings {
    /// Colliders that are added part by part.
    pub(super) heavy: Vec<Handle<Node>>,
}
