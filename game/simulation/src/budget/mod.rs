//! How many free pieces there may be, and how long they stay.

pub(crate) mod count;
mod debris_budget;
pub(crate) mod enforce;

pub(crate) use debris_budget::DebrisBudget;
