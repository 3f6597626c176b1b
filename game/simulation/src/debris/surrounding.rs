//! What the debris meets besides itself.

use glam::Vec3;
use rapier3d::parry::shape::SharedShape;

use crate::body::{BodyId, Motion};

/// A collider of the embedding layer, mirrored into the debris world.
#[derive(Clone)]
pub struct Surrounding {
    /// Its shape; metres, in the space of `motion.pose`.
    pub shape: SharedShape,
    /// Where it is.
    pub motion: Motion,
    /// Whether it moves: then it pushes debris and is not pushed back. Otherwise it is fixed.
    pub moving: bool,
    /// Its friction; `None` takes that of the settings.
    pub friction: Option<f32>,
}

impl Surrounding {
    /// A fixed one.
    pub fn fixed(shape: SharedShape, motion: Motion) -> Self {
        Self {
            shape,
            motion,
            moving: false,
            friction: None,
        }
    }

    /// One that moves: a ball, a character, a door.
    pub fn moving(shape: SharedShape, motion: Motion) -> Self {
        Self {
            moving: true,
            ..Self::fixed(shape, motion)
        }
    }
}

/// What a ray met in the debris world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The body, when it was one: a free piece, an anchored remainder, or an intact body's proxy.
    pub body: Option<BodyId>,
    /// The key of the surrounding, when it was one.
    pub surrounding: Option<u64>,
    /// Where, world space, metres.
    pub point: Vec3,
    /// Outward unit normal there.
    pub normal: Vec3,
    /// Metres from the ray's origin.
    pub distance: f32,
}
