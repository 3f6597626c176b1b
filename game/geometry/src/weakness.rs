//! Weakness: how much less energy a break takes at some places of a body than at others.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::mesh::Mesh;
use crate::steps::pause;

/// The greatest weakness: a break there still takes a tenth of the energy.
pub const MAX_WEAKNESS: f64 = 0.9;

/// Power of the energy of a crack in the size of fragments.
const SIZE_POWER: f64 = 1.0 / 6.0;

/// Cells of the grid along the longest side of the body. More of them follow thinner lines, and take more memory.
const CELLS: usize = 64;

/// Distance of the places where the paint is looked at, in cells.
const SAMPLE_DISTANCE: f64 = 0.25;

/// Places that are looked at in a step, about.
const SAMPLES_PER_STEP: usize = 8192;

/// How much less energy a break takes at places of a body than its material says, from 0 to [`MAX_WEAKNESS`]: painted on its
/// surface, and inside as on the surface nearby. A grid over its box.
///
/// The size of fragments grows with the energy `g` of a crack: by the power of a third where all is fast (Grady, "Local inertial
/// effects in dynamic fragmentation", 1982), and not at all where it is slow and the strength falls with the root of `g` (Glenn
/// and Chudnovsky, "Strain-energy effects on dynamic fragmentation", 1986). Half of that is taken. The volume that an energy
/// breaks is in proportion to the size of fragments, and inversely to `g`.
#[derive(Clone, Debug, PartialEq)]
pub struct Weakness {
    /// The middle of the first cell, metres.
    first: DVec3,
    /// Side of a cell, metres.
    side: f64,
    /// Number of cells along each axis.
    counts: [usize; 3],
    /// By cell, x first: 255 stands for the greatest weakness.
    cells: Vec<u8>,
    greatest: u8,
}

/// A place on a surface where a body is weak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeakPlace {
    /// Object space, metres.
    pub point: DVec3,
    /// Outward direction of the surface there, of length 1.
    pub normal: DVec3,
    /// How weak it is there, up to [`MAX_WEAKNESS`].
    pub weakness: f64,
}

impl Weakness {
    /// Makes it, in [steps](crate::steps), of what is painted on a mesh: `paint` gets the vertices of a triangle and how much
    /// each of them counts at a place of it, and gives 0 for a firm place to 1 for the weakest. A figure that is none is firm.
    pub async fn of_paint_in_steps(mesh: &Mesh, paint: impl Fn([u32; 3], [f64; 3]) -> f64) -> Self {
        let mut weakness = Self::firm(mesh);
        let mut painted = vec![None; weakness.cells.len()];
        let mut samples = 0;
        for triangle in &mesh.triangles {
            let corners = triangle.map(|vertex| position(mesh, vertex));
            for_each_place(
                corners,
                SAMPLE_DISTANCE * weakness.side,
                |place, weights| {
                    // Rounded; not by a call of the system.
                    let value = (paint(*triangle, weights) * 255.0 + 0.5) as u8;
                    if let Some(cell) = painted.get_mut(weakness.cell_of(place)) {
                        // The weakest counts, so that thin lines do.
                        *cell = (*cell).max(Some(value));
                    }
                    samples += 1;
                },
            );
            if samples >= SAMPLES_PER_STEP {
                samples = 0;
                pause().await;
            }
        }
        weakness.spread(painted).await;
        weakness
    }

    /// The weakness at a point in object space.
    pub fn at(&self, point: DVec3) -> f64 {
        if !point.is_finite() {
            return 0.0;
        }
        let place = (point - self.first) / self.side;
        // By axis: the cell before the point, and how far the point is on the way to the next.
        let along = [0, 1, 2].map(|axis| {
            let last = self.counts[axis] - 1;
            let place = place[axis].clamp(0.0, last as f64);
            let before = (place as usize).min(last.saturating_sub(1));
            (before, place - before as f64)
        });
        let mut sum = 0.0;
        for corner in 0..8 {
            let is_next = |axis: usize| (corner >> axis) & 1;
            let share = |axis: usize| match is_next(axis) {
                0 => 1.0 - along[axis].1,
                _ => along[axis].1,
            };
            let share = share(0) * share(1) * share(2);
            // Where there is one cell along an axis there is no next one.
            let index = self.index([0, 1, 2].map(|axis| along[axis].0 + is_next(axis)));
            let value = self.cells.get(index).filter(|_| share > 0.0);
            sum += share * value.map_or(0.0, |value| f64::from(*value));
        }
        sum / 255.0 * MAX_WEAKNESS
    }

    /// The weakness of the weakest place.
    pub fn greatest(&self) -> f64 {
        f64::from(self.greatest) / 255.0 * MAX_WEAKNESS
    }

    /// The weak places of a mesh: one in the middle of each cell of the grid that its surface passes through, and on each side
    /// of what is thinner than a cell.
    pub fn places_on(&self, mesh: &Mesh) -> Vec<WeakPlace> {
        // By cell and the side that the surface faces: the place that is nearest to the middle.
        let mut nearest: BTreeMap<(usize, usize), (f64, WeakPlace)> = BTreeMap::new();
        for triangle in &mesh.triangles {
            let corners = triangle.map(|vertex| position(mesh, vertex));
            let [a, b, c] = corners;
            let Some(normal) = (b - a).cross(c - a).try_normalize() else {
                continue;
            };
            for_each_place(corners, SAMPLE_DISTANCE * self.side, |point, _| {
                let cell = self.cell_of(point);
                let distance = self.middle_of(cell).distance_squared(point);
                let key = (cell, side_of(normal));
                if nearest.get(&key).is_some_and(|known| known.0 <= distance) {
                    return;
                }
                let weakness = self.at(point);
                let place = WeakPlace {
                    point,
                    normal,
                    weakness,
                };
                nearest.insert(key, (distance, place));
            });
        }
        let places = nearest.into_values().map(|(_, place)| place);
        places.filter(|place| place.weakness > 0.0).collect()
    }

    /// Side of a cell of the grid, metres: the distance of the places on a mesh.
    pub fn cell_size(&self) -> f64 {
        self.side
    }

    /// How many times as far as elsewhere a break of some energy reaches at a point, 1 to 1.9.
    pub fn reach(&self, point: DVec3) -> f64 {
        libm::pow(1.0 - self.at(point), (SIZE_POWER - 1.0) / 3.0)
    }

    /// How many times as many fragments as elsewhere a volume has at a point, as a power of two, 0 to 1.7.
    pub fn halvings(&self, point: DVec3) -> f64 {
        halvings_at(self.at(point))
    }

    /// The most of [`Weakness::halvings`].
    pub fn most_halvings(&self) -> f64 {
        halvings_at(self.greatest())
    }

    /// The grid over a mesh, without any weakness.
    fn firm(mesh: &Mesh) -> Self {
        let places = || (0..mesh.positions.len()).map(|vertex| position(mesh, vertex as u32));
        let low = places().reduce(DVec3::min).unwrap_or_default();
        let high = places().reduce(DVec3::max).unwrap_or_default();
        let sides = high - low;
        let side = (sides.max_element() / CELLS as f64).max(f64::MIN_POSITIVE);
        let counts = sides.to_array().map(|length| {
            let count = (length / side).ceil() as usize;
            count.clamp(1, CELLS)
        });
        Self {
            first: low + DVec3::splat(0.5 * side),
            side,
            counts,
            cells: vec![0; counts.iter().product()],
            greatest: 0,
        }
    }

    /// The cell that a point is in, or the nearest.
    fn cell_of(&self, point: DVec3) -> usize {
        let place = (point - self.first) / self.side;
        let place = [0, 1, 2].map(|axis| {
            let nearest = (place[axis] + 0.5) as usize;
            nearest.min(self.counts[axis] - 1)
        });
        self.index(place)
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        let [width, height, _] = self.counts;
        (z * height + y) * width + x
    }

    /// The place of a cell in the grid.
    fn place_of(&self, cell: usize) -> [usize; 3] {
        let [width, height, _] = self.counts;
        [cell % width, cell / width % height, cell / (width * height)]
    }

    fn middle_of(&self, cell: usize) -> DVec3 {
        let place = self.place_of(cell).map(|count| count as f64);
        self.first + DVec3::from_array(place) * self.side
    }

    /// The cells beside one, along the axes.
    fn beside(&self, cell: usize) -> impl Iterator<Item = usize> {
        let counts = self.counts;
        let strides = [1, counts[0], counts[0] * counts[1]];
        let place = self.place_of(cell);
        (0..3).flat_map(move |axis| {
            let before = (place[axis] > 0).then(|| cell - strides[axis]);
            let after = (place[axis] + 1 < counts[axis]).then(|| cell + strides[axis]);
            [before, after].into_iter().flatten()
        })
    }

    /// Takes over what is painted, and gives each other cell the mean of those beside it that are nearer to the surface.
    async fn spread(&mut self, mut painted: Vec<Option<u8>>) {
        let known = |(cell, value): (usize, &Option<u8>)| value.map(|_| cell);
        let mut front: Vec<usize> = painted.iter().enumerate().filter_map(known).collect();
        // By cell: the sum and the number of those beside it that are nearer to the surface.
        let mut sums = vec![(0_u16, 0_u16); painted.len()];
        while !front.is_empty() {
            let mut next = Vec::new();
            for cell in &front {
                let value = u16::from(painted[*cell].unwrap_or_default());
                for beside in self.beside(*cell).filter(|cell| painted[*cell].is_none()) {
                    let (sum, count) = &mut sums[beside];
                    if *count == 0 {
                        next.push(beside);
                    }
                    (*sum, *count) = (*sum + value, *count + 1);
                }
            }
            for cell in &next {
                let (sum, count) = sums[*cell];
                painted[*cell] = Some(((sum + count / 2) / count) as u8);
            }
            front = next;
            pause().await;
        }
        for (cell, value) in self.cells.iter_mut().zip(painted) {
            *cell = value.unwrap_or_default();
        }
        self.greatest = self.cells.iter().copied().max().unwrap_or_default();
    }
}

/// The side of a box that a surface faces, by its normal.
fn side_of(normal: DVec3) -> usize {
    let axis = normal.abs().max_position();
    2 * axis + usize::from(normal[axis] < 0.0)
}

fn halvings_at(weakness: f64) -> f64 {
    -3.0 * SIZE_POWER * libm::log2(1.0 - weakness)
}

fn position(mesh: &Mesh, vertex: u32) -> DVec3 {
    let position = mesh.positions.get(vertex as usize).copied();
    DVec3::from_array(position.unwrap_or_default().map(f64::from))
}

/// Calls back with places of a triangle that are no farther apart than a distance, and how much each corner counts there.
fn for_each_place(corners: [DVec3; 3], distance: f64, mut visit: impl FnMut(DVec3, [f64; 3])) {
    let [a, b, c] = corners;
    let longest = [a - b, b - c, c - a].map(DVec3::length);
    let longest = longest.into_iter().fold(0.0, f64::max);
    // No edge is longer than the diagonal of the grid.
    let most = 2.0 * CELLS as f64 / SAMPLE_DISTANCE;
    let parts = (longest / distance).ceil().clamp(1.0, most) as u32;
    for i in 0..=parts {
        for j in 0..=parts - i {
            let weights = [i, j, parts - i - j].map(|count| f64::from(count) / f64::from(parts));
            visit(a * weights[0] + b * weights[1] + c * weights[2], weights);
        }
    }
}
