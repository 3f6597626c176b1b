//! The systems of a frame, see [`schedule`](crate::schedule) for their order.

pub(crate) mod ahead;
pub(crate) mod budget;
pub(crate) mod collisions;
pub(crate) mod count;
pub(crate) mod errands;
pub(crate) mod hits;
mod keeping;
pub(crate) mod mirrors;
pub(crate) mod preparation;
mod recall;
pub(crate) mod replacement;
pub(crate) mod replay;
pub(crate) mod results;
mod rounds;
pub(crate) mod transport;
pub(crate) mod vicinity;
pub(crate) mod weighing;
