//! Work off the main thread: the worker, its jobs, and the systems that submit them.

pub(crate) mod background;
mod break_job;
mod collider_job;
mod errand;
mod idle_task;
mod job;
pub(crate) mod prepare;
mod stress_job;
pub(crate) mod stress_requests;
mod worker;
mod worker_thread;

pub(crate) use break_job::{BreakJob, BreakResult, LocalImpact};
pub(crate) use collider_job::{BuildFunction, BuiltColliders, ColliderJob, PendingColliders};
pub use errand::{TaskId, TaskOutput};
pub(crate) use job::{Done, JobId, Outcome, Preparation, Task};
pub(crate) use stress_job::{Collapse, StressInput, StressJob, StressResult};
pub(crate) use worker::{Ticket, Worker};
