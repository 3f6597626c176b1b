//! What happened in an update, in the terms of the scene.

use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};

/// Something that happened to a destructible.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// It was broken; its pieces are in the scene now.
    Broken {
        /// The node that carries the script.
        node: Handle<Node>,
        /// What was broken: the object's name, or that of one of its pieces.
        name: String,
        /// Pieces of affected cells.
        fragments: usize,
        /// Connected parts of the rest.
        islands: usize,
        /// Where it was hit, world space, metres.
        point: Vector3<f32>,
        /// Radius of the break, metres.
        radius: f32,
        /// Frames from the blow to the pieces; 1 is the next frame.
        frames_waited: u64,
        /// What the break took on the worker, ms.
        worker_ms: f32,
        /// Difference of the volumes before and after, relative.
        volume_error: f64,
    },
    /// A blow was too weak.
    BelowThreshold {
        /// The node that carries the script.
        node: Handle<Node>,
        /// Its name.
        name: String,
        /// The blow's impulse, N s.
        impulse: f32,
        /// The impulse that would have broken it, N s.
        toughness: f32,
    },
    /// A blow did not reach the mesh.
    Missed {
        /// The node that carries the script.
        node: Handle<Node>,
        /// Its name.
        name: String,
        /// Where the blow was, and where the mesh is.
        reason: String,
    },
    /// A blow found a piece that may not break further.
    Unbreakable {
        /// The node that carries the script.
        node: Handle<Node>,
        /// Its name.
        name: String,
    },
    /// A break came to nothing; the object is as it was. Also in the fault log.
    Failed {
        /// The node that carries the script.
        node: Handle<Node>,
        /// Its name.
        name: String,
        /// Why, with the remedy.
        reason: String,
    },
    /// A blow was dropped, because too many came at once.
    Dropped {
        /// The node that carries the script.
        node: Handle<Node>,
        /// Its name.
        name: String,
        /// Which limit it met.
        reason: String,
    },
    /// A piece was taken away: too many of them, or it left the world.
    Removed {
        /// The piece's name.
        name: String,
    },
}
