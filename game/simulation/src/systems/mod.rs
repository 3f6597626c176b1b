//! The systems of a frame, see [`schedule`](crate::schedule) for their order.

pub(crate) mod collider_builds;
pub(crate) mod debris_sync;
pub(crate) mod early_step;
pub(crate) mod environment;
