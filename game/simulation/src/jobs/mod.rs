//! Work off the main thread: the worker, its jobs, and the systems that submit them.

mod body_queue;
pub(crate) mod bond_job;
pub(crate) mod bond_requests;
pub(crate) mod bond_surface;
mod break_job;
mod building_job;
mod building_region;
pub(crate) mod building_requests;
mod channels;
mod collider_job;
pub(crate) mod collider_requests;
pub(crate) mod drawing_requests;
pub(crate) mod fall_requests;
mod idle_task;
mod job;
mod prepare_job;
pub(crate) mod prepare_requests;
mod queue;
mod running_job;
mod stress_job;
pub(crate) mod stress_requests;
mod touching_bodies;
mod workbench;
mod worker;
mod worker_thread;

pub(crate) use break_job::{BreakJob, BreakResult};
pub(crate) use job::{JobResult, Outcome, Task};
pub use job::{TaskId, TaskOutput};
pub(crate) use queue::Jobs;
pub(crate) use stress_job::StressInput;
pub(crate) use worker::Ticket;
