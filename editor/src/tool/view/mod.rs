//! The preview's pictures: a scene of its own with a camera, and a second one to compare it with.

pub(crate) mod comparison;
pub(crate) mod preview_pair;
mod viewport;
pub(crate) mod wheel_area;

pub(in crate::tool) use viewport::camera;
