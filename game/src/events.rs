//! Events of an update, in the terms of the scene.

use crate::swap::piece_info::{PieceInfo, PieceKind};
use fracture_simulation::{BreakTimes, RemoveReason, Striker};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
    script::ScriptMessagePayload,
};

/// An event of a destructible or its pieces.
///
/// [`FracturePlugin`](crate::FracturePlugin) also sends events to scripts: subscribe
/// with `ctx.message_dispatcher.subscribe_to::<fracture::Event>(ctx.handle)`, and read them in
/// `on_message` with `message.downcast_ref::<fracture::Event>()`.
#[derive(Clone, Debug, PartialEq, ScriptMessagePayload)]
pub enum Event {
    /// An object or a piece was broken. Its pieces are in the scene now.
    Broken {
        /// The node with the script.
        node: Handle<Node>,
        /// The node of the piece that was broken, which may show another piece from the next frame on; none if an
        /// intact object was.
        piece: Handle<Node>,
        /// Name of the object, or of the piece that was broken.
        name: String,
        /// Cause of the break.
        cause: BreakCause,
        /// The new pieces, in the order of their creation.
        pieces: Vec<PieceInfo>,
        /// Number of free pieces that became dust because they were too small or too many.
        dust: usize,
        /// The material: [`Destructible::surface_tag`](crate::Destructible::surface_tag), or the name of a
        /// file.
        surface_tag: String,
        /// Point of the impact, to where the object has moved with it since, or the centre of the crack; world space,
        /// metres.
        point: Vector3<f32>,
        /// Outward unit normal there; up for a break by weight.
        normal: Vector3<f32>,
        /// Energy of the impact, J; objects that break each other have half of their collision's each. 0 for
        /// a break by weight.
        energy: f32,
        /// Radius of the break, metres; 0 for a break by weight.
        radius: f32,
        /// Area of the cracks, m^2.
        crack_area: f32,
        /// Times and accuracy of the break.
        diagnostics: BreakDiagnostics,
    },
    /// An impact was too weak to break anything.
    BelowThreshold {
        /// The node with the script.
        node: Handle<Node>,
        /// The node of the piece; none if it was an intact object.
        piece: Handle<Node>,
        /// Name of the object or piece.
        name: String,
        /// The material: [`Destructible::surface_tag`](crate::Destructible::surface_tag), or the name of a file.
        surface_tag: String,
        /// Point of the impact, world space, metres.
        point: Vector3<f32>,
        /// Outward unit normal there.
        normal: Vector3<f32>,
        /// Direction of the impulse, of unit length; zero of an impact without one.
        direction: Vector3<f32>,
        /// Energy of the impact, J.
        energy: f32,
        /// The thing that struck.
        striker: Striker,
        /// Impulse of the impact, N s.
        impulse: f32,
        /// The least impulse that would have broken it there, N s.
        threshold: f32,
    },
    /// An impact that was too weak to break anything has weakened the place that it struck; see
    /// [`Breaking::weakening`](crate::Breaking::weakening). Comes after its `BelowThreshold`.
    Damaged {
        /// The node with the script.
        node: Handle<Node>,
        /// The node of the piece; none if it was an intact object.
        piece: Handle<Node>,
        /// Name of the object or piece.
        name: String,
        /// The point of the impact, world space, metres.
        point: Vector3<f32>,
        /// Damage of the place: the share of the energy that a break there need not have any more, above 0, at
        /// most 0.9.
        damage: f32,
    },
    /// A bond of the object with what it touches, or the object itself, is near its strength under what it carries:
    /// it may come down soon. Told when the stress passes 0.9 of the strength, and again only after it has
    /// fallen below 0.75: a load that swings is told once.
    Strained {
        /// The node with the script.
        node: Handle<Node>,
        /// The node of the piece; none if it was an intact object.
        piece: Handle<Node>,
        /// Name of the object or piece.
        name: String,
        /// The material: [`Destructible::surface_tag`](crate::Destructible::surface_tag), or the name of a file.
        surface_tag: String,
        /// The place, world space, metres.
        point: Vector3<f32>,
        /// Stress as a share of the strength, above 0.9.
        utilisation: f32,
    },
    /// An impact did not reach the mesh.
    Missed {
        /// The node with the script.
        node: Handle<Node>,
        /// The node of the piece; none if it was an intact object.
        piece: Handle<Node>,
        /// Name of the object or piece.
        name: String,
        /// Positions of the impact and the mesh, in words.
        reason: String,
    },
    /// An impact hit a piece that may not break again, or is too small for its pattern.
    Unbreakable {
        /// The node with the script.
        node: Handle<Node>,
        /// The node of the piece; none if it was an intact object.
        piece: Handle<Node>,
        /// Name of the piece.
        name: String,
    },
    /// A break failed, and the object stays as it was. The fault log has the same reason.
    Failed {
        /// The node with the script.
        node: Handle<Node>,
        /// The node of the piece; none if it was an intact object.
        piece: Handle<Node>,
        /// Name of the object or piece.
        name: String,
        /// The reason, with the remedy.
        reason: String,
    },
    /// An impact was dropped because too many came at once.
    Dropped {
        /// The node with the script.
        node: Handle<Node>,
        /// The node of the piece; none if it was an intact object.
        piece: Handle<Node>,
        /// Name of the object or piece.
        name: String,
        /// The limit that was reached.
        reason: String,
    },
    /// A hard contact of a piece or an object; see
    /// [`Settings::report_contacts`](crate::Settings::report_contacts).
    Contact {
        /// The piece's node, or the node of an intact object.
        node: Handle<Node>,
        /// The node with the script.
        object: Handle<Node>,
        /// Name of the piece or the object.
        name: String,
        /// Its material, as in [`Event::Broken`].
        surface_tag: String,
        /// The other body's node, as in [`QueryHit::node`](crate::QueryHit::node).
        other: Handle<Node>,
        /// Material of the other body; empty when it is not breakable.
        other_surface_tag: String,
        /// Point of contact, world space, metres.
        point: Vector3<f32>,
        /// Outward unit normal of the piece.
        normal: Vector3<f32>,
        /// Impulse between the two bodies, N s.
        impulse: f32,
        /// Approach speed, m/s.
        speed: f32,
        /// Energy absorbed by the contact, J.
        energy: f32,
    },
    /// A piece was removed.
    Removed {
        /// The piece's node. From the next frame on it may show another piece.
        node: Handle<Node>,
        /// Name of the piece.
        name: String,
        /// Its last centre of mass, world space, metres.
        position: Vector3<f32>,
        /// The reason.
        reason: RemoveReason,
    },
    /// Something that hung on an object, or on a piece, does not any more, because that has broken or has been
    /// removed. What hangs on pieces that stay held is not told.
    Detached {
        /// The child node of the object; of a joint, the body that hung on it, or the joint itself where the object hung
        /// on a body that does not fall.
        node: Handle<Node>,
        /// Its name.
        name: String,
        /// The node of the object with the script.
        object: Handle<Node>,
        /// Where it is now.
        to: DetachedTo,
    },
    /// A broken object is intact again: [`Destruction::restore_intact`](crate::Destruction::restore_intact).
    Restored {
        /// The node with the script.
        node: Handle<Node>,
        /// Name of the object.
        name: String,
    },
}

/// Where something is that hung on a broken object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DetachedTo {
    /// The attachment goes with a free piece.
    Piece {
        /// The piece's node.
        node: Handle<Node>,
        /// The piece's name.
        name: String,
    },
    /// The attachment is a body, and nothing holds it any more, or a joint that has ended.
    Nothing,
    /// Nothing is left that it could hang on. It is hidden and disabled, until the object is intact again.
    Hidden,
}

/// Cause of a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BreakCause {
    /// An impact.
    Impact,
    /// The object's own weight.
    Weight,
    /// A save that was restored: the break happened before.
    Restore,
}

/// Times and accuracy of a break, for tools and tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BreakDiagnostics {
    /// Frames from the impact to the pieces; 1 is the next frame.
    pub frames_waited: u64,
    /// Worker time of the break, ms.
    pub worker_ms: f32,
    /// Where that time went.
    pub times: BreakTimes,
    /// Relative difference of the volumes before and after the break.
    pub volume_error: f64,
    /// Impulse of the impact, N s; 0 for a break by weight.
    pub impulse: Vector3<f32>,
    /// Kinetic energy that the break has added to what the free pieces had as parts of the body, J: a part of the
    /// impact's energy at most.
    pub energy_gain: f64,
    /// Momentum that the break has added to what the free pieces had as parts of the body, N s: the impulse, unless
    /// the body had it already or something is held.
    pub momentum_gain: Vector3<f32>,
    /// Angular momentum about the point of the impact that the break has added, N m s: none, unless something is held.
    pub angular_momentum_gain: Vector3<f32>,
    /// The part of the impulse that the striker has kept, N s.
    pub kept_impulse: Vector3<f32>,
    /// The part of the impact's energy that the striker has kept, J. What neither it nor the pieces have has become
    /// cracks and heat.
    pub kept_energy: f32,
}

impl Event {
    /// Numbers of fragments and islands among the new pieces of a break; zero for other events.
    pub fn piece_counts(&self) -> (usize, usize) {
        let Self::Broken { pieces, .. } = self else {
            return (0, 0);
        };
        let is_fragment = |piece: &&PieceInfo| piece.kind == PieceKind::Fragment;
        let fragments = pieces.iter().filter(is_fragment).count();
        (fragments, pieces.len() - fragments)
    }
}
