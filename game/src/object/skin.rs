//! Skinned meshes break as statues, in the pose that they have when they are struck.
//!
//! Until then the simulation asks for their mesh at each blow, and gets that of the pose which the last update has found.

use crate::{
    mirror::transforms::{position_and_rotation, world_matrix, BodyFrame},
    object::{
        conversion::{Skin, SourceSurface},
        weld::read_mesh,
    },
};
use fracture_simulation::{MakeMesh, OpenMeshPolicy, Shape};
use fyrox::{
    core::{algebra::Matrix4, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use std::sync::{Arc, Mutex, PoisonError};

/// The skin of a surface with these bones, in the pose of now; `None` of a surface without bones.
pub(super) fn skin_of(graph: &Graph, frame: &BodyFrame, bones: &[Handle<Node>]) -> Option<Skin> {
    let (position, rotation) = position_and_rotation(&frame.pose.inverse());
    let to_body = Matrix4::new_translation(&position) * rotation.to_homogeneous();
    let matrix = |bone: &Handle<Node>| {
        let node = graph.try_get_node(*bone);
        // The engine draws with the identity for a bone that is not there.
        let to_world = node.map_or_else(
            |_| Matrix4::identity(),
            |node| world_matrix(graph, *bone) * node.inv_bind_pose_transform(),
        );
        to_body * to_world
    };
    (!bones.is_empty()).then(|| Skin {
        matrices: bones.iter().map(matrix).collect(),
        bones: bones.to_vec(),
    })
}

/// The surfaces of an object of which some are skinned, in the pose of the last update.
pub(crate) struct PosedSurfaces(Arc<Mutex<Vec<SourceSurface>>>);

impl PosedSurfaces {
    /// `None` for an object without skinned surfaces.
    pub fn new(sources: &[SourceSurface]) -> Option<Self> {
        let is_skinned = sources.iter().any(|source| source.skin.is_some());
        is_skinned.then(|| Self(Arc::new(Mutex::new(sources.to_vec()))))
    }

    /// Takes the pose of now.
    pub fn update(&self, graph: &Graph, body: Handle<Node>) {
        let frame = BodyFrame::new(graph, body);
        let mut sources = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for source in &mut *sources {
            if let Some(skin) = &mut source.skin {
                if let Some(now) = skin_of(graph, &frame, &skin.bones) {
                    *skin = now;
                }
            }
        }
    }

    /// The shape that is, at each blow, that of the pose of then.
    pub fn shape(&self, policy: OpenMeshPolicy) -> Arc<Shape> {
        let shared = self.0.clone();
        Shape::posed(policy, move || {
            let sources = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let sources = sources.clone();
            let make: MakeMesh = Box::new(move || read_mesh(&sources));
            make
        })
    }
}
