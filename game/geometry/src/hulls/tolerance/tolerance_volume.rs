//! The tolerance volume of a solid, all that is near to it, as voxels: the solid is voxelized and
//! dilated.
//!
//! **Bits.** A column of voxels is a row of bits, so that one column of a hull takes one or two words
//! to look up.
//!
//! **Inside.** A voxel is inside when the winding number at its centre is positive. Each crossing of
//! the surface with a column's centre line adds 1 to all voxels beyond, or subtracts 1. Winding numbers
//! are bit-sliced: three bit sets hold the ones, twos and fours of a number in two's complement, so
//! that 64 voxels are added to at once. Three bits hold -4 to 3. A place that the surface winds around
//! four times reads as -4, which is outside. That errs to the safe side: the volume is smaller then.
//!
//! **Dilation.** All lengths are in voxels. The search's tolerance is 3 of them, the promised one
//! ([`HULL_TOLERANCE`](crate::hulls::HULL_TOLERANCE)) 3.24. A hull is looked up at the voxel centres
//! that it contains, and ends beyond the last of them: on average half a voxel. That leaves 2.74
//! between a centre and the solid:
//! - a voxel that is inside has its centre in the solid: up to 2.74, taken are 2.6;
//! - a voxel with a crossing has a point of the surface on a line through its centre, at most 0.5 from
//!   that: up to 2.24, taken are 2.2;
//! - a voxel with a point of an edge anywhere has it at most 0.87 (half the diagonal) from its centre:
//!   up to 1.87, taken are 1.6, since edges matter only where columns see nothing else.
//!
//! A single hull may end a whole voxel beyond its last centre. To exclude that would take smaller radii
//! and so more hulls; tests measure instead how far hulls protrude.

use super::voxel_grid::{column_crossings, first_center, VoxelGrid};
use crate::hulls::params::{DILATE_EDGES, DILATE_INSIDE, DILATE_SURFACE, EDGE_INSET, THIN_HULL};
use crate::hulls::shape::convex_hull::{triangle_edges, ConvexHull};
use crate::hulls::shape::part::Part;
use crate::math::{Aabb, Plane};
use crate::steps::pause;
use glam::{DVec3, Vec3Swizzles};

/// Triangles that are made voxels between two questions whether to stop.
const TRIANGLES_PER_STOP: usize = 128;

/// All voxels that a hull may reach.
pub struct ToleranceVolume {
    grid: VoxelGrid,
    bits: Vec<u64>,
}

impl ToleranceVolume {
    /// All that is within `tolerance` (metres) of a closed solid, in steps; incomplete when `stop` returns `true`
    /// meanwhile.
    pub async fn in_steps(solid: &Part, tolerance: f64, stop: &(dyn Fn() -> bool + Sync)) -> Self {
        let grid = VoxelGrid::around(&solid.points, tolerance);
        let mut voxelizer = Voxelizer::new(grid);
        let mut bits = vec![0; grid.len()];
        for triangles in solid.triangles.chunks(TRIANGLES_PER_STOP) {
            if stop() {
                return Self { grid, bits };
            }
            for triangle in triangles {
                voxelizer.triangle(solid.corners(*triangle));
            }
            pause().await;
        }
        let sources = [
            (voxelizer.inside(), DILATE_INSIDE),
            (voxelizer.surface, DILATE_SURFACE),
            (voxelizer.edges, DILATE_EDGES),
        ];
        for (source, radius) in sources {
            if stop() {
                break;
            }
            dilate(&grid, source, radius, &mut bits);
            pause().await;
        }
        Self { grid, bits }
    }

    pub fn contains(&self, point: DVec3) -> bool {
        let at = self.grid.grid_point(point);
        let column = self.grid.column(at.x as usize, at.y as usize);
        is_set(&self.bits, column, at.z)
    }

    pub fn contains_hull(&self, hull: &ConvexHull) -> bool {
        let columns = HullColumns::new(hull, &self.grid);
        let mut runs = columns.runs();
        runs.all(|(column, run)| self.contains_run(column, run))
            && self.contains_edges(hull)
            && (!is_upright_and_thin(hull, &self.grid) || self.contains_steep_faces(hull))
    }

    /// Whether all voxels of a column from the first to the last are contained.
    fn contains_run(&self, column: usize, [first, last]: [usize; 2]) -> bool {
        let mut words = (first / 64)..=(last / 64);
        words.all(|word| {
            let from = first.saturating_sub(64 * word);
            let to = (last - 64 * word).min(63);
            let wanted = (u64::MAX << from) & (u64::MAX >> (63 - to));
            let contained = self.bits.get(column + word).copied().unwrap_or(0);
            wanted & !contained == 0
        })
    }

    /// Whether places just inside of a hull's edges are contained: a sharp edge may lie between
    /// columns.
    fn contains_edges(&self, hull: &ConvexHull) -> bool {
        let step = self.grid.step();
        let center = hull.points.iter().sum::<DVec3>() / hull.points.len() as f64;
        let edges = hull.triangles.iter().flat_map(|t| triangle_edges(*t));
        let mut edges = edges.filter(|[from, to]| from < to);
        edges.all(|edge| {
            let [from, to] = edge.map(|end| {
                let point = hull.points[end as usize];
                point + (center - point).clamp_length_max(EDGE_INSET * step)
            });
            let mut points = points_between(from, to, step).skip(1);
            points.all(|point| self.contains(point))
        })
    }

    /// Whether a hull's steep faces are contained: an upright and thin hull may lie between columns.
    fn contains_steep_faces(&self, hull: &ConvexHull) -> bool {
        let mut triangles = hull.triangles.iter();
        triangles.all(|triangle| {
            let corners = triangle.map(|corner| self.grid.grid_point(hull.points[corner as usize]));
            let mut contains_all = true;
            steep_crossings(&self.grid, corners, |column, z| {
                contains_all &= is_set(&self.bits, column, z);
            });
            contains_all
        })
    }
}

/// Whether a hull may have no column's centre line inside where it protrudes.
fn is_upright_and_thin(hull: &ConvexHull, grid: &VoxelGrid) -> bool {
    let points: Vec<DVec3> = hull.points.iter().map(|p| grid.grid_point(*p)).collect();
    let area_normal = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| points[corner as usize]);
        (b - a).cross(c - a)
    };
    let larger = |a: &DVec3, b: &DVec3| a.length_squared().total_cmp(&b.length_squared());
    let Some(largest) = hull.triangles.iter().map(area_normal).max_by(larger) else {
        return false;
    };
    let plane = Plane::through(largest.normalize_or_zero(), DVec3::ZERO);
    let [low, high] = plane.height_range(&points);
    is_steep(largest) && high - low < THIN_HULL
}

/// The range of heights of a hull in each column.
struct HullColumns<'a> {
    grid: &'a VoxelGrid,
    /// The first column along x and y, and how many there are.
    low: [usize; 2],
    size: [usize; 2],
    heights: Vec<[f64; 2]>,
}

impl<'a> HullColumns<'a> {
    fn new(hull: &ConvexHull, grid: &'a VoxelGrid) -> Self {
        let points: Vec<DVec3> = hull.points.iter().map(|p| grid.grid_point(*p)).collect();
        let [low, high] = Aabb::from_points(points.iter().copied()).corners();
        let [x, y] = [0, 1]
            .map(|axis| first_center(low[axis])..first_center(high[axis]).min(grid.columns[axis]));
        let (low, size) = ([x.start, y.start], [x.len(), y.len()]);
        let mut columns = Self {
            grid,
            low,
            size,
            heights: vec![[f64::INFINITY, f64::NEG_INFINITY]; size[0] * size[1]],
        };
        for triangle in &hull.triangles {
            columns.triangle(triangle.map(|corner| points[corner as usize]));
        }
        columns
    }

    fn triangle(&mut self, corners: [DVec3; 3]) {
        let ([left, bottom], [width, height]) = (self.low, self.size);
        let heights = &mut self.heights;
        column_crossings(corners, [left + width, bottom + height], |x, y, z, _| {
            let column = (y - bottom) * width + x - left;
            if let Some([lowest, highest]) = heights.get_mut(column) {
                *lowest = lowest.min(z);
                *highest = highest.max(z);
            }
        });
    }

    /// Columns, each with the first and the last voxel of the hull.
    fn runs(&self) -> impl Iterator<Item = (usize, [usize; 2])> + '_ {
        let run = |(index, [lowest, highest]): (usize, &[f64; 2])| {
            let (x, y) = (index % self.size[0], index / self.size[0]);
            let column = self.grid.column(x + self.low[0], y + self.low[1]);
            let (first, end) = (first_center(*lowest), first_center(*highest));
            let voxels = if first < end {
                [first, end - 1]
            } else {
                [(0.5 * (lowest + highest)) as usize; 2]
            };
            (lowest <= highest).then_some((column, voxels))
        };
        self.heights.iter().enumerate().filter_map(run)
    }
}

/// The winding numbers of voxels, and the voxels of the surface and its edges.
struct Voxelizer {
    grid: VoxelGrid,
    /// The ones, twos and fours of winding numbers in two's complement.
    winding_bits: [Vec<u64>; 3],
    surface: Vec<u64>,
    edges: Vec<u64>,
}

impl Voxelizer {
    fn new(grid: VoxelGrid) -> Self {
        let empty = || vec![0; grid.len()];
        Self {
            grid,
            winding_bits: [empty(), empty(), empty()],
            surface: empty(),
            edges: empty(),
        }
    }

    fn triangle(&mut self, corners: [DVec3; 3]) {
        let grid = self.grid;
        let is_mirrored = grid.is_mirrored();
        let corners = corners.map(|corner| grid.grid_point(corner));
        column_crossings(corners, grid.columns, |x, y, z, is_up| {
            let column = grid.column(x, y);
            self.add_winding(column, z, is_up == is_mirrored);
            set(&mut self.surface, column, z);
        });
        steep_crossings(&grid, corners, |column, z| {
            set(&mut self.surface, column, z);
        });
        for [from, to] in triangle_edges(corners) {
            for at in points_between(from, to, 1.0) {
                let column = grid.column(at.x as usize, at.y as usize);
                set(&mut self.edges, column, at.z);
            }
        }
    }

    /// Adds 1 to the winding numbers of all voxels of a column above `z`, or subtracts 1.
    fn add_winding(&mut self, column: usize, z: f64, is_entry: bool) {
        let words = self.grid.words;
        let first = first_center(z).min(64 * words);
        for word in first / 64..words {
            let mut carry = u64::MAX << first.saturating_sub(64 * word);
            for digits in &mut self.winding_bits {
                let Some(bits) = digits.get_mut(column + word) else {
                    return;
                };
                let before = *bits;
                *bits ^= carry;
                carry &= if is_entry { before } else { !before };
            }
        }
    }

    /// The voxels with positive winding numbers: 1, 2 or 3.
    fn inside(&self) -> Vec<u64> {
        let [ones, twos, fours] = &self.winding_bits;
        let bits = ones.iter().zip(twos).zip(fours);
        bits.map(|((one, two), four)| (one | two) & !four).collect()
    }
}

/// Calls `visit` with column and height where a steep triangle crosses the centre lines of voxels along
/// x or y, whichever it is more across. Triangles that are not steep are seen by columns.
fn steep_crossings(grid: &VoxelGrid, corners: [DVec3; 3], mut visit: impl FnMut(usize, f64)) {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    if !is_steep(normal) {
        return;
    }
    let [x, y, _] = normal.abs().to_array();
    let is_along_x = x > y;
    let permuted = |p: DVec3| if is_along_x { p.yzx() } else { p.xzy() };
    let sides = [grid.columns[usize::from(is_along_x)], 64 * grid.words];
    column_crossings(corners.map(permuted), sides, |across, z, along, _| {
        let along = along as usize;
        let [x, y] = if is_along_x {
            [along, across]
        } else {
            [across, along]
        };
        visit(grid.column(x, y), z as f64);
    });
}

/// Points from one to another, at most a step apart; with the first, without the last.
fn points_between(from: DVec3, to: DVec3, step: f64) -> impl Iterator<Item = DVec3> {
    let count = (from.distance(to) / step).ceil();
    (0..count as u32).map(move |at| from.lerp(to, f64::from(at) / count))
}

/// Whether a face shows more of its area along x or y than along z.
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

/// Adds to `bits` all voxels whose centres are within `radius` (in voxels) of those of `voxels`.
fn dilate(grid: &VoxelGrid, voxels: Vec<u64>, radius: f64, bits: &mut [u64]) {
    let reach = radius as isize;
    // By height: the voxels, and so many below and above each.
    let mut stretched = vec![voxels];
    for height in 0..reach as usize {
        let higher = stretched_by_one(grid, &stretched[height]);
        stretched.push(higher);
    }
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            let left = radius * radius - (dx * dx + dy * dy) as f64;
            if left < 0.0 {
                continue;
            }
            let shift = (dy * grid.columns[0] as isize + dx) * grid.words as isize;
            let (from, to) = ((-shift).max(0) as usize, shift.max(0) as usize);
            let source = stretched[left.sqrt() as usize].iter().skip(from);
            for (bits, more) in bits.iter_mut().skip(to).zip(source) {
                *bits |= more;
            }
        }
    }
}

/// The voxels, and those below and above each.
fn stretched_by_one(grid: &VoxelGrid, voxels: &[u64]) -> Vec<u64> {
    let mut out = Vec::with_capacity(voxels.len());
    for column in voxels.chunks_exact(grid.words) {
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
    use crate::hulls::shape::quickhull::convex_hull;
    use crate::steps::finish;
    use crate::Mesh;
    use glam::{DQuat, EulerRot, Vec3};

    fn volume(part: &Part, tolerance: f64) -> ToleranceVolume {
        finish(ToleranceVolume::in_steps(part, tolerance, &|| false))
    }

    /// The hull of a turned mesh, and its tolerance volume of a fiftieth of its size.
    fn turned(mesh: &Mesh, angle: f64) -> (ConvexHull, ToleranceVolume) {
        let turn = DQuat::from_euler(EulerRot::XYZ, angle, 2.0 * angle, -angle);
        let mut part = Part::from_mesh(mesh);
        part.points
            .iter_mut()
            .for_each(|point| *point = turn * *point);
        let volume = volume(&part, 0.02 * part.bounds().diagonal());
        (convex_hull(&part.points, 0.0, usize::MAX).unwrap(), volume)
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
                let (hull, volume) = turned(&mesh, angle);
                assert!(volume.contains_hull(&hull), "{angle}");
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
        let volume = volume(&Part::from_mesh(&hollow(2.0, 0.2)), 0.03);
        let thickness = 0.3 * volume.grid.step();
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
                    let slice = convex_hull(&points, 0.0, usize::MAX).unwrap();
                    assert!(!volume.contains_hull(&slice), "{axis} {angle} {at}");
                }
            }
        }
    }

    #[test]
    fn holes_and_cavities_are_not_filled() {
        let hollow = hollow(1.0, 0.5);
        for mesh in [Mesh::torus(0.35, 0.15, 32, 16), hollow] {
            for angle in [0.0, 0.3, 0.785] {
                let (hull, volume) = turned(&mesh, angle);
                assert!(!volume.contains_hull(&hull), "{angle}");
                assert!(!volume.contains(DVec3::ZERO));
                let outside = 2.0 * hull.points[0];
                assert!(!volume.contains(outside));
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
        let (_, volume) = turned(&twice, 0.0);
        assert!(volume.contains(DVec3::splat(0.2)) && volume.contains(DVec3::splat(0.6)));
        assert!(!volume.contains(DVec3::new(-0.4, 0.6, 0.0)));
    }
}
