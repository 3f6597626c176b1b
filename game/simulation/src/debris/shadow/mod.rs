//! Shadow bodies: the debris world's own simulation of bodies that the engine's physics moves (co-simulation).

mod activation;
mod body;
mod sync;

pub(in crate::debris) use body::ShadowBody;
