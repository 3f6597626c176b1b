//! A piece that has landed.

use std::sync::Arc;

use glam::DVec3;

use crate::stress::StressLoad;
use crate::types::BodyId;

/// A piece that has landed, and whose stress is to be solved.
pub(crate) struct Landed {
    pub body: BodyId,
    /// Angular velocity before, body space, rad/s.
    pub spin: DVec3,
    pub loads: Arc<[StressLoad]>,
}
