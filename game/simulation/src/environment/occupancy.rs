//! Where a body is, as far as it matters to what is around it.

use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

use super::cell::CellRange;
use super::grid::OccupancyGrid;
use crate::types::Motion;

/// A body is where it is, and where it will be within so many seconds.
pub(crate) const AHEAD: f32 = 0.25;

/// A body that is in motion may be so far beside the cells that it is in, metres: else one that trembles
/// between two would come and go.
const SLACK: f32 = 1.0;

/// The farthest that is looked ahead, metres.
const FARTHEST: f32 = 100.0;

/// The cells of space that a body is in.
#[derive(Clone, Copy)]
pub(crate) struct CellOccupancy {
    /// Body space, metres.
    local: Aabb,
    range: Option<CellRange>,
}

impl CellOccupancy {
    /// Of a body whose shape is within a box; it is nowhere yet.
    pub fn new(local: Aabb) -> Self {
        Self { local, range: None }
    }

    /// Takes note of where the body is now, and whether it is to stay there.
    pub fn follow(&mut self, places: &mut OccupancyGrid, motion: &Motion, rests: bool) {
        let here = self.local.transform_by(&motion.pose);
        let way = (motion.linear * AHEAD).clamp_length_max(FARTHEST);
        let bounds = match rests {
            true => here,
            false => here.merged(&here.translated(way)),
        };
        let stays = |range: CellRange| range.bounds().loosened(SLACK).contains(&bounds);
        if !rests && self.range.is_some_and(stays) {
            return; // the common case
        }
        let range = CellRange::around(&bounds);
        if range != self.range {
            if let Some(range) = range {
                places.enter(range);
            }
            self.leave(places);
            self.range = range;
        }
    }

    /// The body is nowhere any more.
    pub fn leave(&mut self, places: &mut OccupancyGrid) {
        if let Some(range) = self.range.take() {
            places.leave(range);
        }
    }
}
