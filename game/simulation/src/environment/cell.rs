//! Cubes of space, on grids whose edges double from level to level.

use glam::Vec3;
use rapier3d::geometry::Aabb;

/// Edge of a cell of the finest level, metres.
const EDGE: f32 = 4.0;

/// Levels; cells of the last are 131 km wide, which is all that single precision can tell apart.
pub(super) const LEVELS: usize = 16;

/// Cells along each axis that a box takes at most, on the level that is chosen for it.
const MOST: i64 = 3;

/// A cube of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cell {
    pub(super) level: u8,
    place: [i32; 3],
}

impl Cell {
    /// The space that it is, metres.
    pub fn bounds(self) -> Aabb {
        let low = corner(self.place, self.level);
        Aabb::new(low, low + Vec3::splat(edge(self.level)))
    }
}

/// A box of cells of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellRange {
    level: u8,
    low: [i32; 3],
    high: [i32; 3],
}

impl CellRange {
    /// The cells of a box, on the finest level that needs few; `None` where the box is not finite.
    pub fn around(bounds: &Aabb) -> Option<Self> {
        if !(bounds.mins.is_finite() && bounds.maxs.is_finite()) {
            return None;
        }
        let levels = 0..LEVELS as u8;
        let few = |range: &Self| range.extents().iter().all(|extent| *extent <= MOST);
        levels.map(|level| Self::on_level(bounds, level)).find(few)
    }

    /// The cells of a box on a level.
    pub fn on_level(bounds: &Aabb, level: u8) -> Self {
        // The conversion keeps within the numbers that there are.
        let place = |point: Vec3| (point / edge(level)).to_array().map(floor);
        Self {
            level,
            low: place(bounds.mins),
            high: place(bounds.maxs),
        }
    }

    /// How many they are.
    pub fn count(&self) -> i64 {
        let product = |all: i64, extent: i64| all.saturating_mul(extent);
        self.extents().into_iter().fold(1, product)
    }

    /// The space that they are, metres.
    pub fn bounds(&self) -> Aabb {
        let high = self.high.map(|place| place.saturating_add(1));
        Aabb::new(corner(self.low, self.level), corner(high, self.level))
    }

    /// One by one.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let [x, y, z] = [0, 1, 2].map(|axis| self.low[axis]..=self.high[axis]);
        let level = self.level;
        z.flat_map(move |z| y.clone().map(move |y| (y, z)))
            .flat_map(move |(y, z)| x.clone().map(move |x| [x, y, z]))
            .map(move |place| Cell { level, place })
    }

    fn extents(&self) -> [i64; 3] {
        [0, 1, 2].map(|axis| i64::from(self.high[axis]) - i64::from(self.low[axis]) + 1)
    }
}

/// The whole number below, without a call of the system's library.
fn floor(number: f32) -> i32 {
    let near = number as i32;
    near.saturating_sub(i32::from(number < near as f32))
}

fn edge(level: u8) -> f32 {
    EDGE * (1u32 << level) as f32
}

fn corner(place: [i32; 3], level: u8) -> Vec3 {
    Vec3::from_array(place.map(|place| place as f32)) * edge(level)
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
                let merged = |cell: Cell| all.mins.cmple(cell.bounds().mins).all();
                assert!(range.cells().all(merged));
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
    fn what_is_not_finite_is_nowhere() {
        assert_eq!(CellRange::around(&cube(Vec3::NAN, 1.0)), None);
        assert_eq!(CellRange::around(&cube(Vec3::ZERO, f32::INFINITY)), None);
        assert_eq!(CellRange::around(&cube(Vec3::ZERO, 1e30)), None);
        assert!(CellRange::on_level(&cube(Vec3::ZERO, 1e30), 0).count() > 0);
    }
}
