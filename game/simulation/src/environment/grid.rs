//! The cells of space in which something is.

use std::collections::HashMap;

use rapier3d::geometry::Aabb;

use super::cell::{Cell, CellRange, LEVELS};
use rapier3d::prelude::BoundingVolume;

/// Cells for which there is room from the beginning: a frame in which nothing breaks takes no memory.
const ROOM: usize = 1024;

/// Cells with how many things are in each, and what has changed about them since it was last asked.
pub(crate) struct OccupancyGrid {
    /// Only looked up: its order is none.
    inhabited: HashMap<Cell, OccupiedCell>,
    all: Vec<Cell>,
    on_level: [u32; LEVELS],
    /// Cells that something has come into, and that the last thing has left; some again meanwhile.
    pub entered: Vec<Cell>,
    pub left: Vec<Cell>,
}

struct OccupiedCell {
    by: u32,
    /// Its place among all.
    at: usize,
}

impl Default for OccupancyGrid {
    fn default() -> Self {
        Self {
            inhabited: HashMap::with_capacity(ROOM),
            all: Vec::with_capacity(ROOM),
            on_level: [0; LEVELS],
            entered: Vec::with_capacity(ROOM),
            left: Vec::with_capacity(ROOM),
        }
    }
}

impl OccupancyGrid {
    /// Something is in these cells.
    pub(super) fn enter(&mut self, range: CellRange) {
        for cell in range.cells() {
            let at = self.all.len();
            let inhabited = self
                .inhabited
                .entry(cell)
                .or_insert(OccupiedCell { by: 0, at });
            inhabited.by += 1;
            if inhabited.by == 1 {
                self.all.push(cell);
                self.count(cell, |count| count + 1);
                self.entered.push(cell);
            }
        }
    }

    /// It is there no longer.
    pub(super) fn leave(&mut self, range: CellRange) {
        for cell in range.cells() {
            let Some(inhabited) = self.inhabited.get_mut(&cell) else {
                continue;
            };
            inhabited.by -= 1;
            if inhabited.by == 0 {
                let at = inhabited.at;
                self.inhabited.remove(&cell);
                self.forget(at);
                self.count(cell, |count| count.saturating_sub(1));
                self.left.push(cell);
            }
        }
    }

    /// Whether a box meets a cell in which something is.
    pub fn is_any_in(&self, bounds: &Aabb) -> bool {
        let levels = self.on_level.iter().zip(0u8..);
        let levels = levels.filter(|(count, _)| **count > 0);
        let ranges = levels.map(|(_, level)| CellRange::on_level(bounds, level));
        let cells = ranges
            .clone()
            .fold(0i64, |all, range| all.saturating_add(range.count()));
        // Whichever are fewer.
        if cells <= self.all.len() as i64 {
            let mut cells = ranges.flat_map(CellRange::cells);
            return cells.any(|cell| self.inhabited.contains_key(&cell));
        }
        self.all.iter().any(|cell| cell.bounds().intersects(bounds))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn forget(&mut self, at: usize) {
        self.all.swap_remove(at);
        let moved = self
            .all
            .get(at)
            .and_then(|cell| self.inhabited.get_mut(cell));
        if let Some(moved) = moved {
            moved.at = at;
        }
    }

    fn count(&mut self, cell: Cell, change: impl Fn(u32) -> u32) {
        if let Some(count) = self.on_level.get_mut(usize::from(cell.level)) {
            *count = change(*count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn range(x: f32, half: f32) -> CellRange {
        let center = Vec3::new(x, 1.0, 1.0);
        CellRange::around(&Aabb::from_half_extents(center, Vec3::splat(half))).unwrap()
    }

    fn is_any_at(places: &OccupancyGrid, x: f32) -> bool {
        let center = Vec3::new(x, 1.0, 1.0);
        let small = Aabb::from_half_extents(center, Vec3::splat(0.1));
        let long = Aabb::from_half_extents(center, Vec3::new(0.1, 1000.0, 1000.0));
        let found = places.is_any_in(&small);
        assert_eq!(found, places.is_any_in(&long));
        found
    }

    #[test]
    fn cells_are_inhabited_until_the_last_has_left() {
        let mut places = OccupancyGrid::default();
        let (here, there, wide) = (range(2.0, 0.5), range(102.0, 0.5), range(2.0, 50.0));
        for range in [here, here, there, wide] {
            places.enter(range);
        }
        assert!(is_any_at(&places, 2.0) && is_any_at(&places, 102.0));
        assert!(is_any_at(&places, 40.0) && !is_any_at(&places, 200.0));
        places.leave(wide);
        places.leave(here);
        assert!(is_any_at(&places, 2.0) && !is_any_at(&places, 40.0));
        places.left.clear();
        places.leave(here);
        assert_eq!(places.left.len(), 1);
        assert!(!is_any_at(&places, 2.0) && is_any_at(&places, 102.0));
        places.leave(there);
        assert!(!is_any_at(&places, 102.0));
        places.leave(there);
        assert!(places.all.is_empty() && places.inhabited.is_empty());
    }
}
