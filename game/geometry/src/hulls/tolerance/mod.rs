//! Tests of whether hulls stay near a solid and cover it.

pub mod coverage;
pub mod depth_bound;
pub mod tolerance_volume;
pub mod voxel_grid;
