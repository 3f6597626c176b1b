//! How many free pieces there may be, and how long they stay.

mod debris_budget;
pub(crate) mod enforce;
mod viewer;

pub(crate) use debris_budget::DebrisBudget;
pub use viewer::Viewer;
