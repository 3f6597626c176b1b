//! Finished jobs put into effect: pieces take the place of their body.

pub(crate) mod apply_results;
mod joined;
pub(crate) mod parent;
pub(crate) mod refine;
pub(crate) mod replace;
pub(crate) mod spawn;
