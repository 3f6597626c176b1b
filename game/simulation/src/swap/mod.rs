//! Finished jobs put into effect: pieces take the place of their body, and bodies come and go.

pub(crate) mod apply_results;
mod lifecycle;
pub(crate) mod refine;
pub(crate) mod replace;
