//! The debris step in relation to frames: in its frame, beside it or ahead of it, and the poses at which
//! pieces are drawn meanwhile.

pub(crate) mod apply_step;
mod clock;
mod driver;
mod interpolation;
mod thread;

pub(crate) use driver::DebrisDriver;
