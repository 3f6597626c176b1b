//! The engine's colliders, bodies and joints, mirrored into the debris world, and motion synchronised
//! both ways.

pub(crate) mod bodies;
mod body_sync;
pub(crate) mod colliders;
pub(crate) mod engine_bodies;
pub(crate) mod joints;
pub(crate) mod shapes;
pub(crate) mod transforms;
