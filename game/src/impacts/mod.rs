//! Impacts on objects: found in the engine's contacts, or requested by game code.

pub(crate) mod api;
pub(crate) mod ccd_impacts;
mod collect;
pub(crate) mod contact;
pub(crate) mod contact_impacts;
pub(crate) mod impact;
pub(crate) mod queue;
