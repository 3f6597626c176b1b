//! What happened in an update, in the terms of the scene.

use fracture_simulation::RemoveReason;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
    script::ScriptMessagePayload,
};

/// Something that happened to a destructible.
///
/// [`FracturePlugin`](crate::FracturePlugin) sends breaks and contacts to scripts as well: subscribe
/// with `ctx.message_dispatcher.subscribe_to::<fracture::Event>(ctx.handle)`, and take them in
/// `on_message` with `message.downcast_ref::<fracture::Event>()`.
#[derive(Clone, Debug, PartialEq, ScriptMessagePayload)]
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
        /// Free pieces that were too small, or too many, to be bodies: particles.
        crumbs: usize,
        /// What it is made of: [`Destructible::surface_tag`](crate::Destructible::surface_tag), or the
        /// name of a file.
        material: String,
        /// Whether it came down under its own weight, and not by a blow.
        by_weight: bool,
        /// Where it was hit, or the middle of the crack; world space, metres.
        point: Vector3<f32>,
        /// Outward unit normal there; up when its weight broke it.
        normal: Vector3<f32>,
        /// Energy of the blow, J; 0 when its weight broke it.
        energy: f32,
        /// Radius of the break, metres; 0 when its weight broke it.
        radius: f32,
        /// Area of the cracks, m^2.
        new_area: f32,
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
    /// A blow found a piece that may not break further, or is too small for its pattern.
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
    /// A piece has hit something, or was hit, harder than
    /// [`Settings::report_contacts`](crate::Settings::report_contacts).
    Contact {
        /// The piece's node, or that of a whole object.
        node: Handle<Node>,
        /// Its name.
        name: String,
        /// What it is made of.
        material: String,
        /// What it met: as [`QueryHit::node`](crate::QueryHit::node).
        other: Handle<Node>,
        /// What that is made of; empty when it cannot break.
        other_material: String,
        /// World space, metres.
        point: Vector3<f32>,
        /// Unit normal out of the piece.
        normal: Vector3<f32>,
        /// What the two exchanged, N s.
        impulse: f32,
        /// How fast they came together, m/s.
        speed: f32,
        /// The energy that it took, J.
        energy: f32,
    },
    /// A piece was taken away.
    Removed {
        /// The piece's name.
        name: String,
        /// Why.
        reason: RemoveReason,
    },
}
