//! How debris is drawn: frozen pieces in batches, pieces that fade out, dust.

pub(crate) mod batches;
mod batching;
pub(crate) mod dust;
pub(crate) mod fades;
