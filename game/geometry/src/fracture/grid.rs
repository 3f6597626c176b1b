//! The integer frame of one break: object space to the pattern's grid, and the bisectors there.
//!
//! A vertex goes to grid units with `shift` extra binary digits, rounded once: `X`. With sites `S`
//! (integers below 2^18) the difference of two functions is
//! `h_i - h_j = 2 (S_i - S_j) . X - (|S_i|^2 - |S_j|^2) 2^shift`,
//! an integer below 2^52: `|X| <= 2^30`, `|2 (S_i - S_j)| <= 2^20` in each of three coordinates, and
//! `|S|^2 2^shift <= 3 . 2^36 . 2^12`. So all signs are exact (see [`crate::math::predicates`]), and the step of
//! `X` is finer than the f32 positions it comes from.

use crate::error::FractureError;
use crate::fracture::active_cells::ActiveCells;
use crate::fracture::placement::{CellSelection, FractureParams};
use crate::math::predicates;
use crate::mesh::bvh::BvhNode;
use crate::pattern::{Pattern, GRID_BITS, REACH_BITS};
use crate::solid::Solid;
use glam::{DMat3, DVec3};
use std::cmp::Ordering;

/// An affine function `h_i - h_j` on vertices in grid units.
#[derive(Clone, Copy, Debug)]
pub struct Bisector {
    normal: [i64; 3],
    offset: i64,
    /// The same function on object space, rounded, for boxes.
    slope: DVec3,
    /// Its steepness along each axis.
    steepness: DVec3,
    at_origin: f64,
    margin: f64,
}

impl Bisector {
    /// The value at a vertex.
    pub fn at(&self, x: [i64; 3]) -> i64 {
        self.normal[0] * x[0] + self.normal[1] * x[1] + self.normal[2] * x[2] + self.offset
    }

    /// The values at a triangle's vertices.
    pub fn row(&self, x: &[[i64; 3]; 3]) -> [i64; 3] {
        [self.at(x[0]), self.at(x[1]), self.at(x[2])]
    }

    /// Bounds of the value over a box in object space; the true values lie strictly within.
    pub fn range(&self, around: &CenteredAabb) -> (f64, f64) {
        let middle = self.slope.dot(around.middle) + self.at_origin;
        let spread = self.steepness.dot(around.half) + self.margin;
        (middle - spread, middle + spread)
    }
}

/// The function `h_i` of a cell, on vertices in grid units and, rounded, on object space.
#[derive(Clone, Copy, Debug)]
pub struct SiteFunction {
    normal: [i64; 3],
    offset: i64,
    slope: DVec3,
    /// The value in the middle of the solid's box, which `slope` is about.
    at_middle: f64,
    /// Far more than the float error.
    margin: f64,
}

impl SiteFunction {
    /// The values at a triangle's vertices: below 2^51.
    pub fn row(&self, x: &[[i64; 3]; 3]) -> [i64; 3] {
        let [a, b, c] = self.normal;
        x.map(|x| a * x[0] + b * x[1] + c * x[2] + self.offset)
    }

    /// The value in the middle of a box.
    pub fn middle(&self, around: &CenteredAabb) -> f64 {
        self.slope.dot(around.middle) + self.at_middle
    }

    /// How much less than in the middle the lead over another one may be somewhere in a box.
    pub fn spread(&self, other: &Self, around: &CenteredAabb) -> f64 {
        (self.slope - other.slope).abs().dot(around.half) + (self.margin + other.margin)
    }
}

/// A box as its middle and half its sides.
pub struct CenteredAabb {
    middle: DVec3,
    half: DVec3,
}

impl CenteredAabb {
    pub fn node(node: &BvhNode) -> Self {
        let (low, high) = (node.low.as_dvec3(), node.high.as_dvec3());
        Self {
            middle: (low + high) * 0.5,
            half: (high - low) * 0.5,
        }
    }
}

/// Most grid steps between the origin of object space and the pattern: beyond, the rounding of their
/// difference would be more than a step of the vertices.
const FARTHEST: f64 = (1u64 << 40) as f64;

/// The pattern laid onto the solid.
pub struct GridFrame<'a> {
    pub solid: &'a Solid,
    pub pattern: &'a Pattern,
    to_grid: DMat3,
    offset: DVec3,
    shift: u32,
    /// Grid steps of the farthest vertex.
    extent: f64,
    /// The middle of the solid's box.
    middle: DVec3,
    /// How far rounding to the grid may move a vertex, in object space.
    rounding: DVec3,
    cut: FractureParams,
}

impl<'a> GridFrame<'a> {
    pub fn new(
        solid: &'a Solid,
        pattern: &'a Pattern,
        cut: &FractureParams,
    ) -> Result<Self, FractureError> {
        let placement = cut.placement;
        let inverse = placement.linear.inverse();
        let finite = inverse.is_finite() && placement.translation.is_finite();
        // NaN fails the comparison too. A mirrored pattern would turn every cap inside out.
        if !finite || placement.linear.determinant().partial_cmp(&0.0) != Some(Ordering::Greater) {
            return Err(FractureError::Placement);
        }
        let to_steps = inverse * (1.0 / pattern.step());
        let offset = -(to_steps * placement.translation) - pattern.center() / pattern.step();
        let [low, high] = solid.bounds().corners();
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let spread = |row: usize| to_steps.row(row).abs().dot(half);
        let center = to_steps * middle + offset;
        let reach = [0, 1, 2].map(|axis| center[axis].abs() + spread(axis));
        let limit = (1u64 << (GRID_BITS + REACH_BITS - 1)) as f64;
        // NaN and infinity fail the comparisons too. Each number is asked: a maximum would pass NaN by.
        let near = reach.iter().all(|steps| *steps < limit);
        if !near || !offset.to_array().iter().all(|steps| steps.abs() < FARTHEST) {
            return Err(FractureError::PatternTooSmall {
                limit: (1u64 << (REACH_BITS - 1)) as f64,
            });
        }
        let steps = reach.into_iter().fold(1.0, f64::max);
        let mut shift = REACH_BITS;
        while steps * (1u64 << shift) as f64 >= (1u64 << 30) as f64 {
            shift -= 1;
        }
        let scale = (1u64 << shift) as f64;
        let step = placement.linear * (pattern.step() / scale);
        // Half a step in each coordinate, and far more than the float error.
        let steps_off = 0.5 + 1e-12 * scale * (steps + offset.abs().max_element());
        let off = |row: usize| steps_off * step.row(row).abs().element_sum();
        Ok(Self {
            solid,
            pattern,
            to_grid: to_steps * scale,
            offset: offset * scale,
            shift,
            extent: steps * scale,
            middle,
            rounding: DVec3::new(off(0), off(1), off(2)),
            cut: *cut,
        })
    }

    /// A triangle's vertices in grid units.
    pub fn vertices(&self, triangle: u32) -> [[i64; 3]; 3] {
        let [a, b, c] = self.solid.positions_of(triangle);
        [self.grid_point(a), self.grid_point(b), self.grid_point(c)]
    }

    /// A point of object space in grid units, rounded.
    fn grid_point(&self, at: DVec3) -> [i64; 3] {
        let grid = self.to_grid * at + self.offset;
        [nearest(grid.x), nearest(grid.y), nearest(grid.z)]
    }

    /// A box about the middle of the solid's, larger by what rounding to the grid moves vertices.
    pub fn about_middle(&self, around: &CenteredAabb) -> CenteredAabb {
        CenteredAabb {
            middle: around.middle - self.middle,
            half: around.half + self.rounding,
        }
    }

    /// The function of a cell.
    pub fn height(&self, cell: u32) -> SiteFunction {
        let [x, y, z] = self.pattern.grid_site(cell);
        let (normal, square) = ([2 * x, 2 * y, 2 * z], x * x + y * y + z * z);
        let offset = -(square << self.shift);
        let real = DVec3::new(normal[0] as f64, normal[1] as f64, normal[2] as f64);
        let at_middle = self.to_grid * self.middle + self.offset;
        SiteFunction {
            normal,
            offset,
            slope: self.to_grid.transpose() * real,
            at_middle: real.dot(at_middle) + offset as f64,
            margin: 1e-12 * (real.abs().element_sum() * self.extent + (offset as f64).abs()),
        }
    }

    /// `h_i - h_j`.
    pub fn bisector(&self, i: u32, j: u32) -> Bisector {
        let (a, b) = (self.pattern.grid_site(i), self.pattern.grid_site(j));
        let square = |s: [i64; 3]| s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
        let normal = [2 * (a[0] - b[0]), 2 * (a[1] - b[1]), 2 * (a[2] - b[2])];
        let offset = (square(b) - square(a)) << self.shift;
        let real = DVec3::new(normal[0] as f64, normal[1] as f64, normal[2] as f64);
        let size = real.abs().element_sum();
        let slope = self.to_grid.transpose() * real;
        Bisector {
            normal,
            offset,
            slope,
            steepness: slope.abs(),
            at_origin: real.dot(self.offset) + offset as f64,
            // Half a step of rounding in each coordinate, and far more than the float error.
            margin: size
                + 1e-12
                    * (size * (self.extent + self.offset.abs().max_element())
                        + (offset as f64).abs()),
        }
    }

    /// A pattern vertex in object space.
    pub fn pattern_vertex(&self, vertex: u32) -> DVec3 {
        self.cut
            .placement
            .point(self.pattern.vertex(vertex).position)
    }

    /// The direction from cell `i` to cell `j` in object space: the outward normal of their face on
    /// the side of `i`.
    pub fn face_normal(&self, i: u32, j: u32) -> DVec3 {
        let away = -self.bisector(i, j).slope;
        away.normalize_or(DVec3::Y)
    }

    /// Finds the affected cells.
    pub fn affected(&self, slots: &mut ActiveCells) -> Result<(), FractureError> {
        let cells = 0..self.pattern.cell_count() as u32;
        let (point, radius) = match self.cut.selection {
            CellSelection::All => {
                slots.fill(cells);
                return Ok(());
            }
            CellSelection::Within { point, radius } => (point, radius),
        };
        if !point.is_finite() {
            return Err(FractureError::ImpactNotFinite);
        }
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(FractureError::Radius { radius });
        }
        let [low, high] = self.solid.bounds().corners();
        if point.clamp(low, high).distance(point) > radius {
            return Err(self.out_of_reach());
        }
        let placement = self.cut.placement;
        let own = self
            .pattern
            .cell_at(placement.linear.inverse() * (point - placement.translation));
        let near = |cell: &u32| {
            let site = placement.point(self.pattern.site(*cell));
            *cell == own || site.distance_squared(point) <= radius * radius
        };
        slots.fill(cells.filter(near));
        Ok(())
    }

    /// The error of a break that reaches nothing.
    pub fn out_of_reach(&self) -> FractureError {
        let (point, radius) = match self.cut.selection {
            CellSelection::All => (self.cut.placement.translation, f64::INFINITY),
            CellSelection::Within { point, radius } => (point, radius),
        };
        FractureError::OutOfReach {
            point: point.to_array(),
            radius,
        }
    }

    /// Where an edge of the solid crosses a bisector, with the share of its second end.
    pub fn edge_point(points: [u32; 2], places: [DVec3; 2], values: [i64; 2]) -> (DVec3, f64) {
        let share = |from: i64, to: i64| from as f64 / (from - to) as f64;
        // Always from the lower point, so that both triangles get the same bits.
        if points[0] < points[1] {
            let t = share(values[0], values[1]);
            (mix(places[0], places[1], t), t)
        } else {
            let t = share(values[1], values[0]);
            (mix(places[1], places[0], t), 1.0 - t)
        }
    }

    /// Where a triangle crosses two bisectors, as barycentric weights.
    pub fn inner_weights(p: [i64; 3], q: [i64; 3]) -> [f64; 3] {
        let minors = predicates::cross(p, q);
        let sum = (minors[0] + minors[1] + minors[2]) as f64;
        minors.map(|m| m as f64 / sum)
    }
}

/// The nearest integer to a number below 2^51, the even one of two: adding 1.5 * 2^52 leaves it in
/// the last digits. Neither a branch nor a call into the system.
fn nearest(x: f64) -> i64 {
    const LIFT: f64 = 6_755_399_441_055_744.0;
    (x + LIFT).to_bits() as i64 - LIFT.to_bits() as i64
}

fn mix(a: DVec3, b: DVec3, t: f64) -> DVec3 {
    if t == 1.0 {
        return b;
    }
    a + (b - a) * t
}
