//! The systems of a frame, see [`schedule`](crate::schedule) for their order.

pub(crate) mod budget;
pub(crate) mod collider_builds;
pub(crate) mod collisions;
pub(crate) mod count;
pub(crate) mod debris_sync;
pub(crate) mod early_step;
pub(crate) mod environment;
pub(crate) mod errands;
pub(crate) mod hits;
pub(crate) mod preparation;
pub(crate) mod replacement;
pub(crate) mod results;
pub(crate) mod weighing;
