//! Impacts on their way from the host, or from collisions of debris, to the jobs that break bodies.

pub(crate) mod blast;
pub(crate) mod break_through;
pub(crate) mod debris_collisions;
mod harmless;
mod impact;
mod priority_queue;
pub(crate) mod resolve;
mod solid_angle;
pub(crate) mod striker;
pub(crate) mod threshold;
mod told_blows;
mod weaken;

pub use blast::BlastLoad;
pub use break_through::BreakThrough;
pub(crate) use harmless::HarmlessBodies;
pub(crate) use impact::LocalImpact;
pub use impact::{Impact, Residual};
pub use priority_queue::PriorityCappedQueue;
pub use striker::Striker;
pub(crate) use threshold::{least_felt_of_debris, least_felt_of_new_piece, ThresholdCheck};
pub(crate) use told_blows::ToldBlows;
