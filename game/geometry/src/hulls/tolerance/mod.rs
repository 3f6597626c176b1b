pub mod coverage;
pub mod depth_bound;
pub mod tolerance_volume;
pub mod voxel_grid;
