//! The debris step beside or ahead of the frame, and the poses at which pieces are drawn meanwhile.

mod clock;
mod early_step;
mod interpolation;
mod thread;

pub(crate) use clock::InterpolationClock;
pub(crate) use early_step::EarlyStep;
pub(crate) use interpolation::RenderPoses;
pub(crate) use thread::AsyncDebrisWorld;
