//! Loads on the surface of a body.

use std::sync::Arc;

use glam::DVec3;

use crate::pieces::Anchor;

/// A load on the surface of a body, besides its own weight; body space.
#[derive(Clone, Debug, PartialEq)]
pub struct StressLoad {
    /// Boxes in which the surface bears it, metres.
    pub places: Arc<[Anchor]>,
    /// Point that the moment is about, metres.
    pub center: DVec3,
    /// N
    pub force: DVec3,
    /// N m
    pub moment: DVec3,
}
