//! The public data of a piece.

use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};

/// Kind of a piece in the break that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A connected part of an affected cell.
    Fragment,
    /// A connected part of what was not affected.
    Island,
}

/// A living piece of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceInfo {
    /// The name of its node: `<object>/fragment_<cell>_<part>` or `<object>/island_<k>`; a piece of
    /// a piece has the piece's name in place of the object's.
    pub name: String,
    /// Fragment or island.
    pub kind: PieceKind,
    /// Volume, m^3.
    pub volume: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Whether its mesh is closed; `None` unless
    /// [`Settings::check_pieces`](crate::Settings::check_pieces).
    pub closed: Option<bool>,
    /// Whether it is held in place, and so is still the engine's rigid body.
    pub anchored: bool,
    /// Its centre of mass, world space, metres.
    pub position: Vector3<f32>,
    /// Velocity of its centre of mass, world space, m/s.
    pub velocity: Vector3<f32>,
    /// Angular velocity, world space, rad/s.
    pub angular_velocity: Vector3<f32>,
    /// Lowest and highest corner of its box, world space, metres.
    pub bounds: [Vector3<f32>; 2],
    /// The node that shows it; settled pieces may share one, see
    /// [`Settings::merge_after`](crate::Settings::merge_after).
    pub node: Handle<Node>,
    /// How often it and its ancestors were broken; 1 after the first break.
    pub generation: u32,
}
