//! Where a hull may be: all that is nearer to a body than is allowed, as a grid of cubes.
//!
//! A column of cubes is a row of bits, so that a column of a hull is looked up in a step or two. What lies
//! inside is told by where the surface crosses the middles of columns: each crossing adds to or takes from
//! the winding numbers of all cubes beyond, which are kept bit by bit in planes.

use crate::hulls::shape::convex_hull::{bounds, sides, ConvexHull, Plane};
use crate::hulls::shape::part::Part;
use crate::hulls::tolerance::voxel_grid::{crossings, first, VoxelGrid};
use glam::{DVec3, Vec3Swizzles};

/// How far from a cube's middle that is inside other middles may be, in cubes: half a cube is left for
/// where a hull begins and ends in its column.
const AROUND_INSIDE: f64 = 2.6;
/// The same of a cube that the surface goes through somewhere.
const AROUND_SURFACE: f64 = 2.2;
/// The same of a cube that an edge of the surface goes through: of what is thin, columns may see nothing.
const AROUND_EDGES: f64 = 1.6;
/// What is upright and thinner may lie between columns, in cubes.
const THIN: f64 = 1.5;
/// How far below an edge of a hull it is looked, in cubes.
const BELOW_EDGE: f64 = 0.4;

/// The cubes in which a hull may be.
pub struct ToleranceVolume {
    grid: VoxelGrid,
    bits: Vec<u64>,
}

impl ToleranceVolume {
    /// What is nearer than `allowed` (metres) to a whole body.
    pub fn around(body: &Part, allowed: f64) -> Self {
        let grid = VoxelGrid::around(&body.points, allowed);
        let mut filling = Voxelizer::new(grid);
        for corners in &body.triangles {
            filling.triangle(body, *corners);
        }
        let inside = filling.inside();
        let mut bits = vec![0; grid.len()];
        spread(&grid, inside, AROUND_INSIDE, &mut bits);
        spread(&grid, filling.surface, AROUND_SURFACE, &mut bits);
        spread(&grid, filling.edges, AROUND_EDGES, &mut bits);
        Self { grid, bits }
    }

    /// Whether a point may be in a hull.
    pub fn has(&self, point: DVec3) -> bool {
        let at = self.grid.place(point);
        let column = self.grid.column(at.x as usize, at.y as usize);
        is_set(&self.bits, column, at.z)
    }

    /// Whether all of a hull is where it may be.
    pub fn holds(&self, hull: &ConvexHull) -> bool {
        let columns = HullColumns::of(hull, &self.grid);
        let mut filled = columns.filled();
        filled.all(|(column, cubes)| self.has_all(column, cubes))
            && self.has_edges(hull)
            && (!is_upright_and_thin(hull, &self.grid) || self.has_sides(hull))
    }

    /// Whether a hull may be where its steep faces are: what is thin and upright may lie between columns.
    fn has_sides(&self, hull: &ConvexHull) -> bool {
        let mut triangles = hull.triangles.iter();
        triangles.all(|corners| {
            let points = corners.map(|corner| self.grid.place(hull.points[corner as usize]));
            let mut has_all = true;
            along_side(&self.grid, points, |column, z| {
                has_all &= is_set(&self.bits, column, z);
            });
            has_all
        })
    }

    /// Whether a hull may be just below its edges: one that is sharp may lie between columns for long.
    fn has_edges(&self, hull: &ConvexHull) -> bool {
        let step = self.grid.step();
        let middle = hull.points.iter().sum::<DVec3>() / hull.points.len() as f64;
        let edges = hull.triangles.iter().flat_map(|corners| sides(*corners));
        let mut once = edges.filter(|[from, to]| from < to);
        once.all(|edge| {
            let [from, to] = edge.map(|end| {
                let point = hull.points[end as usize];
                point + (middle - point).clamp_length_max(BELOW_EDGE * step)
            });
            let mut between = along(from, to, step).skip(1);
            between.all(|place| self.has(place))
        })
    }

    /// Whether a hull may be in all cubes of a column from the first to the last.
    fn has_all(&self, column: usize, [first, last]: [usize; 2]) -> bool {
        let mut words = (first / 64)..=(last / 64);
        words.all(|word| {
            let from = first.saturating_sub(64 * word);
            let to = (last - 64 * word).min(63);
            let wanted = (u64::MAX << from) & (u64::MAX >> (63 - to));
            let there = self.bits.get(column + word).copied().unwrap_or(0);
            wanted & !there == 0
        })
    }
}

/// Whether the middles of columns may all be beside a hull where something is wrong with it.
fn is_upright_and_thin(hull: &ConvexHull, grid: &VoxelGrid) -> bool {
    let points: Vec<DVec3> = hull.points.iter().map(|p| grid.place(*p)).collect();
    let across = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| points[corner as usize]);
        (b - a).cross(c - a)
    };
    let larger = |a: &DVec3, b: &DVec3| a.length_squared().total_cmp(&b.length_squared());
    let Some(largest) = hull.triangles.iter().map(across).max_by(larger) else {
        return false;
    };
    let along = Plane::through(largest.normalize_or_zero(), DVec3::ZERO);
    let [low, high] = along.reach(&points);
    is_steep(largest) && high - low < THIN
}

/// Between which heights a hull is in each column.
struct HullColumns<'a> {
    grid: &'a VoxelGrid,
    low: [usize; 2],
    size: [usize; 2],
    heights: Vec<[f64; 2]>,
}

impl<'a> HullColumns<'a> {
    fn of(hull: &ConvexHull, grid: &'a VoxelGrid) -> Self {
        let points: Vec<DVec3> = hull.points.iter().map(|p| grid.place(*p)).collect();
        let [low, high] = bounds(&points);
        let [x, y] = [0, 1].map(|axis| first(low[axis])..first(high[axis]).min(grid.columns[axis]));
        let (low, size) = ([x.start, y.start], [x.len(), y.len()]);
        let mut columns = Self {
            grid,
            low,
            size,
            heights: vec![[f64::INFINITY, f64::NEG_INFINITY]; size[0] * size[1]],
        };
        for corners in &hull.triangles {
            columns.triangle(corners.map(|corner| points[corner as usize]));
        }
        columns
    }

    fn triangle(&mut self, corners: [DVec3; 3]) {
        let ([left, bottom], [width, height]) = (self.low, self.size);
        let heights = &mut self.heights;
        crossings(corners, [left + width, bottom + height], |x, y, z, _| {
            let at = (y - bottom) * width + x - left;
            if let Some([bottom, top]) = heights.get_mut(at) {
                *bottom = bottom.min(z);
                *top = top.max(z);
            }
        });
    }

    /// Columns, and the first and the last of their cubes in the hull.
    fn filled(&self) -> impl Iterator<Item = (usize, [usize; 2])> + '_ {
        let some = |(at, [bottom, top]): (usize, &[f64; 2])| {
            let (x, y) = (at % self.size[0], at / self.size[0]);
            let column = self.grid.column(x + self.low[0], y + self.low[1]);
            let (first, end) = (first(*bottom), first(*top));
            let cubes = match first < end {
                true => [first, end - 1],
                false => [(0.5 * (bottom + top)) as usize; 2],
            };
            (bottom <= top).then_some((column, cubes))
        };
        self.heights.iter().enumerate().filter_map(some)
    }
}

/// The winding numbers of cubes, and which the surface goes through.
struct Voxelizer {
    grid: VoxelGrid,
    /// Whether the axes as columns have them are a mirror image.
    mirrored: bool,
    /// Bits of the winding numbers, from ones to fours; of negative ones the complement.
    planes: [Vec<u64>; 3],
    surface: Vec<u64>,
    edges: Vec<u64>,
}

impl Voxelizer {
    fn new(grid: VoxelGrid) -> Self {
        let none = || vec![0; grid.len()];
        let mirrored = matches!(grid.axes, [1, 0, 2] | [0, 2, 1] | [2, 1, 0]);
        Self {
            grid,
            mirrored,
            planes: [none(), none(), none()],
            surface: none(),
            edges: none(),
        }
    }

    fn triangle(&mut self, body: &Part, corners: [u32; 3]) {
        let points = corners.map(|corner| self.grid.place(body.points[corner as usize]));
        let VoxelGrid { columns, .. } = self.grid;
        crossings(points, columns, |x, y, z, up| {
            self.cross(self.grid.column(x, y), z, up == self.mirrored);
        });
        self.cover(points);
        for [from, to] in sides(points) {
            self.edge(from, to);
        }
    }

    /// Marks the cubes along an edge of the surface.
    fn edge(&mut self, from: DVec3, to: DVec3) {
        for at in along(from, to, 1.0) {
            let column = self.grid.column(at.x as usize, at.y as usize);
            set(&mut self.edges, column, at.z);
        }
    }

    /// All cubes beyond a crossing are one time more, or less, inside.
    fn cross(&mut self, column: usize, z: f64, more: bool) {
        let words = self.grid.words;
        let first = first(z).min(64 * words);
        for word in first / 64..words {
            let mut carry = u64::MAX << first.saturating_sub(64 * word);
            for plane in &mut self.planes {
                let Some(bits) = plane.get_mut(column + word) else {
                    return;
                };
                let before = *bits;
                *bits ^= carry;
                carry &= if more { before } else { !before };
            }
        }
        self.mark(column, z);
    }

    /// Marks the cubes that a steep triangle goes through.
    fn cover(&mut self, corners: [DVec3; 3]) {
        let grid = self.grid;
        along_side(&grid, corners, |column, z| self.mark(column, z));
    }

    fn mark(&mut self, column: usize, z: f64) {
        set(&mut self.surface, column, z);
    }

    fn inside(&self) -> Vec<u64> {
        let [ones, twos, fours] = &self.planes;
        let bits = ones.iter().zip(twos).zip(fours);
        bits.map(|((one, two), four)| (one | two) & !four).collect()
    }
}

/// The cubes that a steep triangle goes through, by column and height, seen from the side that shows most of it.
fn along_side(grid: &VoxelGrid, [a, b, c]: [DVec3; 3], mut found: impl FnMut(usize, f64)) {
    let across = (b - a).cross(c - a);
    if !is_steep(across) {
        return;
    }
    let [x, y, _] = across.abs().to_array();
    let from_side = |p: DVec3| if x > y { p.yzx() } else { p.xzy() };
    let sides = [grid.columns[usize::from(x > y)], 64 * grid.words];
    crossings([a, b, c].map(from_side), sides, |side, z, away, _| {
        let away = away as usize;
        let [x, y] = if x > y { [away, side] } else { [side, away] };
        found(grid.column(x, y), z as f64);
    });
}

/// Places on the way from a point to another one, no more than a step apart; the first point, not the last.
fn along(from: DVec3, to: DVec3, step: f64) -> impl Iterator<Item = DVec3> {
    let count = (from.distance(to) / step).ceil();
    (0..count as u32).map(move |at| from.lerp(to, f64::from(at) / count))
}

/// Whether more of a face is seen from one side or the other than from above.
fn is_steep(normal: DVec3) -> bool {
    let [x, y, z] = normal.abs().to_array();
    x.max(y) > z
}

fn is_set(bits: &[u64], column: usize, z: f64) -> bool {
    let word = bits.get(column + z as usize / 64);
    word.is_some_and(|word| word >> (z as usize % 64) & 1 == 1)
}

fn set(bits: &mut [u64], column: usize, z: f64) {
    if let Some(word) = bits.get_mut(column + z as usize / 64) {
        *word |= 1 << (z as usize % 64);
    }
}

/// Adds to `bits` all that is around given cubes, up to a distance in cubes.
fn spread(grid: &VoxelGrid, cubes: Vec<u64>, distance: f64, bits: &mut [u64]) {
    let reach = distance as isize;
    let mut tall = vec![cubes];
    for height in 0..reach as usize {
        let higher = stretched(grid, &tall[height]);
        tall.push(higher);
    }
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            let left = distance * distance - (dx * dx + dy * dy) as f64;
            if left < 0.0 {
                continue;
            }
            let by = (dy * grid.columns[0] as isize + dx) * grid.words as isize;
            let (from, to) = ((-by).max(0) as usize, by.max(0) as usize);
            let source = tall[left.sqrt() as usize].iter().skip(from);
            for (bits, more) in bits.iter_mut().skip(to).zip(source) {
                *bits |= more;
            }
        }
    }
}

/// All cubes, and those below and above them.
fn stretched(grid: &VoxelGrid, cubes: &[u64]) -> Vec<u64> {
    let mut out = Vec::with_capacity(cubes.len());
    for column in cubes.chunks_exact(grid.words) {
        for (word, bits) in column.iter().enumerate() {
            let below = word.checked_sub(1).and_then(|word| column.get(word));
            let above = column.get(word + 1);
            let up = bits << 1 | below.map_or(0, |bits| bits >> 63);
            let down = bits >> 1 | above.map_or(0, |bits| bits << 63);
            out.push(bits | up | down);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hulls::shape::quickhull::hull;
    use crate::Mesh;
    use glam::{DQuat, EulerRot, Vec3};

    /// A mesh turned, its hull, and the room around it of a fiftieth of its size.
    fn turned(mesh: &Mesh, angle: f64) -> (ConvexHull, ToleranceVolume) {
        let turn = DQuat::from_euler(EulerRot::XYZ, angle, 2.0 * angle, -angle);
        let mut part = Part::of(mesh);
        part.points
            .iter_mut()
            .for_each(|point| *point = turn * *point);
        let [low, high] = bounds(&part.points);
        let room = ToleranceVolume::around(&part, 0.02 * low.distance(high));
        (hull(&part.points, 0.0, usize::MAX).unwrap(), room)
    }

    #[test]
    fn hulls_of_what_is_convex_are_held_however_thin_it_is() {
        for mesh in [
            Mesh::cuboid([1.0; 3]),
            Mesh::cuboid([1.0, 0.6, 1e-4]),
            Mesh::cuboid([1.0, 1e-4, 2e-4]),
            Mesh::sphere(0.5, 24, 16),
        ] {
            for angle in [0.0, 0.3, 0.785, 1.2] {
                let (hull, room) = turned(&mesh, angle);
                assert!(room.holds(&hull), "{angle}");
            }
        }
    }

    /// A cube with a cavity.
    fn hollow(outside: f32, inside: f32) -> Mesh {
        let mut hollow = Mesh::cuboid([outside; 3]);
        let inner = Mesh::cuboid([inside; 3]);
        let first = hollow.positions.len() as u32;
        let corners = inner
            .triangles
            .iter()
            .map(|t| [t[0], t[2], t[1]].map(|v| v + first));
        hollow.triangles.extend(corners);
        hollow.positions.extend(&inner.positions);
        hollow
    }

    #[test]
    fn what_is_thinner_than_a_cube_does_not_fill_a_cavity() {
        let room = ToleranceVolume::around(&Part::of(&hollow(2.0, 0.2)), 0.03);
        let thickness = 0.3 * room.grid.step();
        for axis in DVec3::AXES {
            // No edge between its triangles goes through the cavity either.
            let beside = 0.35 * axis.any_orthonormal_vector();
            for angle in [0.0, 0.02, 0.3, 0.785] {
                let turn = DQuat::from_axis_angle(axis.any_orthonormal_vector(), angle);
                for place in 0..20 {
                    let at = 0.3 * thickness * f64::from(place);
                    let point = |k: u32| {
                        let corner = [k & 1, k >> 1 & 1, k >> 2].map(|bit| f64::from(bit) - 0.5);
                        let corner = DVec3::from(corner);
                        let flat = 1.2 * corner * (DVec3::ONE - axis) + beside;
                        turn * (flat + axis * (at + thickness * corner.dot(axis)))
                    };
                    let points: Vec<DVec3> = (0..8).map(point).collect();
                    let slice = hull(&points, 0.0, usize::MAX).unwrap();
                    assert!(!room.holds(&slice), "{axis} {angle} {at}");
                }
            }
        }
    }

    #[test]
    fn holes_and_cavities_are_not_filled() {
        let hollow = hollow(1.0, 0.5);
        for mesh in [Mesh::torus(0.35, 0.15, 32, 16), hollow] {
            for angle in [0.0, 0.3, 0.785] {
                let (hull, room) = turned(&mesh, angle);
                assert!(!room.holds(&hull), "{angle}");
                assert!(!room.has(DVec3::ZERO));
                let outside = 2.0 * hull.points[0];
                assert!(!room.has(outside));
            }
        }
    }

    #[test]
    fn what_overlaps_itself_is_inside_where_it_does() {
        let mut twice = Mesh::cuboid([1.0; 3]);
        let other = Mesh::cuboid([0.9; 3]);
        let first = twice.positions.len() as u32;
        let moved = other
            .positions
            .iter()
            .map(|p| (Vec3::from(*p) + 0.3).to_array());
        twice.positions.extend(moved);
        let corners = other.triangles.iter().map(|t| t.map(|v| v + first));
        twice.triangles.extend(corners);
        let (_, room) = turned(&twice, 0.0);
        assert!(room.has(DVec3::splat(0.2)) && room.has(DVec3::splat(0.6)));
        assert!(!room.has(DVec3::new(-0.4, 0.6, 0.0)));
    }
}
