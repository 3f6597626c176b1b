//! A hierarchical hash grid of the cells of space that bodies are in: cubes whose edges double from level
//! to level.

use std::collections::HashMap;

use glam::Vec3;
use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

use crate::types::Motion;

/// Edge of a cell of the finest level, metres.
const FINEST_EDGE: f32 = 4.0;

/// Number of levels. Cells of the last are 131 km wide, which is all that single precision can tell apart.
const LEVELS: usize = 16;

/// Cells along each axis that a box takes at most, on the level that is chosen for it: more are more
/// exact, and more to count.
const MAX_CELLS_PER_AXIS: i64 = 3;

/// Time for which a body's motion is predicted, seconds: it occupies its way as well.
pub(super) const PREDICTION_TIME: f32 = 0.25;

/// Greatest predicted way, metres.
const MAX_PREDICTED_WAY: f32 = 100.0;

/// Distance by which a moving body may be outside of the cells that it occupies, metres: otherwise one
/// that trembles between two cells would come and go.
const CELL_HYSTERESIS: f32 = 1.0;

/// Cells for which memory is reserved at the start, so that a frame in which nothing breaks allocates none.
const RESERVED_CELLS: usize = 1024;

/// A cube of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    level: u8,
    coords: [i32; 3],
}

impl Cell {
    /// The cube, metres.
    pub fn bounds(self) -> Aabb {
        let low = corner(self.coords, self.level);
        Aabb::new(low, low + Vec3::splat(edge(self.level)))
    }
}

/// A box of cells of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CellRange {
    level: u8,
    low: [i32; 3],
    high: [i32; 3],
}

impl CellRange {
    /// The cells of a box, on the finest level that needs few; `None` if the box is not finite.
    fn around(bounds: &Aabb) -> Option<Self> {
        if !(bounds.mins.is_finite() && bounds.maxs.is_finite()) {
            return None;
        }
        let mut ranges = (0..LEVELS as u8).map(|level| Self::on_level(bounds, level));
        let is_small = |range: &Self| {
            range
                .extents()
                .iter()
                .all(|extent| *extent <= MAX_CELLS_PER_AXIS)
        };
        ranges.find(is_small)
    }

    /// The cells of a box on a level.
    fn on_level(bounds: &Aabb, level: u8) -> Self {
        // The conversion saturates.
        let coords = |point: Vec3| (point / edge(level)).to_array().map(floor);
        Self {
            level,
            low: coords(bounds.mins),
            high: coords(bounds.maxs),
        }
    }

    /// Number of cells.
    fn count(&self) -> i64 {
        let product = |count: i64, extent: i64| count.saturating_mul(extent);
        self.extents().into_iter().fold(1, product)
    }

    /// The box of all cells, metres.
    fn bounds(&self) -> Aabb {
        let high = self.high.map(|coord| coord.saturating_add(1));
        Aabb::new(corner(self.low, self.level), corner(high, self.level))
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let [x, y, z] = [0, 1, 2].map(|axis| self.low[axis]..=self.high[axis]);
        let level = self.level;
        z.flat_map(move |z| y.clone().map(move |y| (y, z)))
            .flat_map(move |(y, z)| x.clone().map(move |x| [x, y, z]))
            .map(move |coords| Cell { level, coords })
    }

    fn extents(&self) -> [i64; 3] {
        [0, 1, 2].map(|axis| i64::from(self.high[axis]) - i64::from(self.low[axis]) + 1)
    }
}

/// The greatest whole number that is not above a number, the same on all platforms.
fn floor(number: f32) -> i32 {
    let truncated = number as i32;
    truncated.saturating_sub(i32::from(number < truncated as f32))
}

/// Edge of the cells of a level, metres.
fn edge(level: u8) -> f32 {
    FINEST_EDGE * (1u32 << level) as f32
}

fn corner(coords: [i32; 3], level: u8) -> Vec3 {
    Vec3::from_array(coords.map(|coord| coord as f32)) * edge(level)
}

/// The cells that one body occupies: those of its current box and of the box predicted for
/// [`PREDICTION_TIME`] ahead.
#[derive(Clone, Copy)]
pub(crate) struct CellOccupancy {
    /// Body space, metres.
    local_bounds: Aabb,
    range: Option<CellRange>,
}

impl CellOccupancy {
    /// The box of the body in body space, metres.
    pub fn local_bounds(&self) -> Aabb {
        self.local_bounds
    }

    /// A body of this box in body space, which occupies no cells yet.
    pub fn new(local_bounds: Aabb) -> Self {
        Self {
            local_bounds,
            range: None,
        }
    }

    /// Occupies the cells of the body's new place; a body at rest only those of its current box.
    pub fn update(&mut self, grid: &mut OccupancyGrid, motion: &Motion, is_at_rest: bool) {
        let here = self.local_bounds.transform_by(&motion.pose);
        let way = (motion.linear * PREDICTION_TIME).clamp_length_max(MAX_PREDICTED_WAY);
        let bounds = if is_at_rest {
            here
        } else {
            here.merged(&here.translated(way))
        };
        let contains =
            |range: CellRange| range.bounds().loosened(CELL_HYSTERESIS).contains(&bounds);
        if !is_at_rest && self.range.is_some_and(contains) {
            return; // the common case
        }
        let range = CellRange::around(&bounds);
        if range != self.range {
            if let Some(range) = range {
                grid.occupy(range);
            }
            self.vacate(grid);
            self.range = range;
        }
    }

    /// Occupies no cells any more.
    pub fn vacate(&mut self, grid: &mut OccupancyGrid) {
        if let Some(range) = self.range.take() {
            grid.vacate(range);
        }
    }
}

/// Cells with the number of bodies in each, and the changes since the last look.
pub(crate) struct OccupancyGrid {
    /// Only looked up, because its order is arbitrary.
    cells: HashMap<Cell, OccupiedCell>,
    /// All occupied cells.
    list: Vec<Cell>,
    /// Number of occupied cells of each level.
    count_on_level: [u32; LEVELS],
    /// Cells that became occupied; some are vacated again by now.
    pub(super) newly_occupied: Vec<Cell>,
    /// Cells that became vacant; some are occupied again by now.
    pub(super) newly_vacant: Vec<Cell>,
}

struct OccupiedCell {
    /// Number of bodies in it.
    bodies: u32,
    /// Index in the list of cells.
    index: usize,
}

impl Default for OccupancyGrid {
    fn default() -> Self {
        Self {
            cells: HashMap::with_capacity(RESERVED_CELLS),
            list: Vec::with_capacity(RESERVED_CELLS),
            count_on_level: [0; LEVELS],
            newly_occupied: Vec::with_capacity(RESERVED_CELLS),
            newly_vacant: Vec::with_capacity(RESERVED_CELLS),
        }
    }
}

impl OccupancyGrid {
    /// Adds a body to cells.
    fn occupy(&mut self, range: CellRange) {
        for cell in range.cells() {
            let index = self.list.len();
            let new = OccupiedCell { bodies: 0, index };
            let occupied = self.cells.entry(cell).or_insert(new);
            occupied.bodies += 1;
            if occupied.bodies == 1 {
                self.list.push(cell);
                self.change_count(cell, |count| count + 1);
                self.newly_occupied.push(cell);
            }
        }
    }

    /// Removes a body from cells.
    fn vacate(&mut self, range: CellRange) {
        for cell in range.cells() {
            let Some(occupied) = self.cells.get_mut(&cell) else {
                continue;
            };
            occupied.bodies -= 1;
            if occupied.bodies == 0 {
                let index = occupied.index;
                self.cells.remove(&cell);
                self.unlist(index);
                self.change_count(cell, |count| count.saturating_sub(1));
                self.newly_vacant.push(cell);
            }
        }
    }

    /// Whether a box intersects an occupied cell. Looks up the box's cells or goes through all occupied
    /// ones, whichever are fewer.
    pub fn is_occupied(&self, bounds: &Aabb) -> bool {
        let levels = self.count_on_level.iter().zip(0u8..);
        let levels = levels.filter(|(count, _)| **count > 0);
        let ranges = levels.map(|(_, level)| CellRange::on_level(bounds, level));
        let add = |sum: i64, range: CellRange| sum.saturating_add(range.count());
        if ranges.clone().fold(0, add) <= self.list.len() as i64 {
            let mut cells = ranges.flat_map(CellRange::cells);
            return cells.any(|cell| self.cells.contains_key(&cell));
        }
        self.list
            .iter()
            .any(|cell| cell.bounds().intersects(bounds))
    }

    fn unlist(&mut self, index: usize) {
        self.list.swap_remove(index);
        let moved = self.list.get(index);
        if let Some(moved) = moved.and_then(|cell| self.cells.get_mut(cell)) {
            moved.index = index;
        }
    }

    fn change_count(&mut self, cell: Cell, change: impl Fn(u32) -> u32) {
        if let Some(count) = self.count_on_level.get_mut(usize::from(cell.level)) {
            *count = change(*count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(center: Vec3, half: f32) -> Aabb {
        Aabb::from_half_extents(center, Vec3::splat(half))
    }

    #[test]
    fn a_box_is_within_its_cells_and_they_are_few() {
        for half in [0.0, 0.1, 1.9, 5.0, 77.0, 9000.0] {
            for center in [Vec3::ZERO, Vec3::new(-3.9, 4.0, 512.3)] {
                let bounds = cube(center, half);
                let range = CellRange::around(&bounds).unwrap();
                let all = range.bounds();
                assert!(all.mins.cmple(bounds.mins).all() && all.maxs.cmpge(bounds.maxs).all());
                assert!(range.count() <= 27, "{range:?}");
                assert_eq!(range.cells().count() as i64, range.count());
                let is_inside = |cell: Cell| all.mins.cmple(cell.bounds().mins).all();
                assert!(range.cells().all(is_inside));
            }
        }
    }

    #[test]
    fn whole_numbers_below_are_those_of_the_system() {
        for number in [
            0.0, -0.0, 0.5, -0.5, -1.0, -1.5, 3.99, 1e9, -1e9, 1e30, -1e30,
        ] {
            assert_eq!(floor(number), number.floor() as i32, "{number}");
        }
    }

    #[test]
    fn a_box_that_is_not_finite_has_no_cells() {
        assert_eq!(CellRange::around(&cube(Vec3::NAN, 1.0)), None);
        assert_eq!(CellRange::around(&cube(Vec3::ZERO, f32::INFINITY)), None);
        assert_eq!(CellRange::around(&cube(Vec3::ZERO, 1e30)), None);
        assert!(CellRange::on_level(&cube(Vec3::ZERO, 1e30), 0).count() > 0);
    }

    fn range(x: f32, half: f32) -> CellRange {
        CellRange::around(&cube(Vec3::new(x, 1.0, 1.0), half)).unwrap()
    }

    fn is_occupied_at(grid: &OccupancyGrid, x: f32) -> bool {
        let center = Vec3::new(x, 1.0, 1.0);
        let long = Aabb::from_half_extents(center, Vec3::new(0.1, 1000.0, 1000.0));
        let is_occupied = grid.is_occupied(&cube(center, 0.1));
        assert_eq!(is_occupied, grid.is_occupied(&long));
        is_occupied
    }

    #[test]
    fn cells_are_occupied_until_the_last_body_has_left() {
        let mut grid = OccupancyGrid::default();
        let (near, far, wide) = (range(2.0, 0.5), range(102.0, 0.5), range(2.0, 50.0));
        for range in [near, near, far, wide] {
            grid.occupy(range);
        }
        assert!(is_occupied_at(&grid, 2.0) && is_occupied_at(&grid, 102.0));
        assert!(is_occupied_at(&grid, 40.0) && !is_occupied_at(&grid, 200.0));
        grid.vacate(wide);
        grid.vacate(near);
        assert!(is_occupied_at(&grid, 2.0) && !is_occupied_at(&grid, 40.0));
        grid.newly_vacant.clear();
        grid.vacate(near);
        assert_eq!(grid.newly_vacant.len(), 1);
        assert!(!is_occupied_at(&grid, 2.0) && is_occupied_at(&grid, 102.0));
        grid.vacate(far);
        assert!(!is_occupied_at(&grid, 102.0));
        grid.vacate(far);
        assert!(grid.list.is_empty() && grid.cells.is_empty());
    }
}
