//! Integer grid of one break: maps object space to the pattern's grid, where bisectors are exact.
//!
//! A vertex is mapped to grid units with `shift` extra binary digits and rounded once: `X`. With sites
//! `S` (integers below 2^18) the difference of two site functions is
//! `h_i - h_j = 2 (S_i - S_j) . X - (|S_i|^2 - |S_j|^2) 2^shift`,
//! an integer below 2^52: `|X| <= 2^30`, `|2 (S_i - S_j)| <= 2^20` in each of three coordinates, and
//! `|S|^2 2^shift <= 3 . 2^36 . 2^12`. So all signs are exact (see [`crate::math::predicates`]), and the
//! step of `X` is finer than the f32 positions that it comes from.

use crate::error::FractureError;
use crate::fracture::affected_cells::AffectedCells;
use crate::fracture::break_shape::{BreakShape, SiteOffset};
use crate::fracture::placement::{CellSelection, FractureParams};
use crate::math::Aabb;
use crate::mesh::bvh::BvhNode;
use crate::pattern::{Pattern, GRID_BITS, REACH_BITS};
use crate::solid::Solid;
use glam::{DMat3, DVec3};
use std::cmp::Ordering;

/// Bisector of two cells as the affine function `h_i - h_j` of a vertex in grid units.
#[derive(Clone, Copy, Debug)]
pub struct Bisector {
    normal: [i64; 3],
    offset: i64,
    /// Gradient in object space, rounded; for boxes.
    gradient: DVec3,
    /// Absolute value of the gradient along each axis.
    steepness: DVec3,
    at_origin: f64,
    margin: f64,
}

impl Bisector {
    /// Value at a vertex in grid units.
    pub fn value(&self, x: [i64; 3]) -> i64 {
        self.normal[0] * x[0] + self.normal[1] * x[1] + self.normal[2] * x[2] + self.offset
    }

    /// Values at the vertices of a triangle.
    pub fn values(&self, x: &[[i64; 3]; 3]) -> [i64; 3] {
        [self.value(x[0]), self.value(x[1]), self.value(x[2])]
    }

    /// Lower and upper bound over a box in object space; exact values lie strictly between.
    pub fn range(&self, bounds: &CenteredAabb) -> (f64, f64) {
        let center = self.gradient.dot(bounds.center) + self.at_origin;
        let spread = self.steepness.dot(bounds.half_extents) + self.margin;
        (center - spread, center + spread)
    }
}

/// Affine function `h_i` of a cell's site: the cell is where its function is largest.
///
/// Exact on vertices in grid units; rounded on object space.
#[derive(Clone, Copy, Debug)]
pub struct SiteFunction {
    normal: [i64; 3],
    offset: i64,
    /// Gradient in object space.
    gradient: DVec3,
    /// Value at the centre of the solid's box.
    at_center: f64,
    /// Bound of the rounding errors in object space, generous.
    margin: f64,
}

impl SiteFunction {
    /// Values at the vertices of a triangle: below 2^51.
    pub fn values(&self, x: &[[i64; 3]; 3]) -> [i64; 3] {
        let [a, b, c] = self.normal;
        x.map(|x| a * x[0] + b * x[1] + c * x[2] + self.offset)
    }

    /// Value at the centre of a box, which is relative to the centre of the solid's box.
    pub fn center_value(&self, bounds: &CenteredAabb) -> f64 {
        self.gradient.dot(bounds.center) + self.at_center
    }

    /// Upper bound of the change of `self - other` between the centre of a box and any point of it.
    pub fn spread(&self, other: &Self, bounds: &CenteredAabb) -> f64 {
        (self.gradient - other.gradient)
            .abs()
            .dot(bounds.half_extents)
            + (self.margin + other.margin)
    }
}

/// Axis-aligned box as centre and half extents.
pub struct CenteredAabb {
    center: DVec3,
    half_extents: DVec3,
}

impl CenteredAabb {
    /// Box of a tree node.
    pub fn of_node(node: &BvhNode) -> Self {
        Self::of(&node.bounds())
    }

    /// A box by its centre and half extents.
    fn of(bounds: &Aabb) -> Self {
        Self {
            center: bounds.center(),
            half_extents: 0.5 * bounds.extents(),
        }
    }
}

/// Largest distance between the origins of object space and of the grid, in grid steps. Farther away
/// the rounding of their difference would exceed one step of the vertices.
const MAX_OFFSET: f64 = (1u64 << 40) as f64;

/// Pattern placed on a solid: the map from object space to grid units.
pub struct GridFrame<'a> {
    pub solid: &'a Solid,
    pub pattern: &'a Pattern,
    to_grid: DMat3,
    offset: DVec3,
    shift: u32,
    /// Largest coordinate of a vertex, in grid units.
    extent: f64,
    /// Centre of the solid's box.
    center: DVec3,
    /// Largest displacement of a vertex by rounding to the grid, in object space.
    rounding: DVec3,
    params: FractureParams<'a>,
}

impl<'a> GridFrame<'a> {
    pub fn new(
        solid: &'a Solid,
        pattern: &'a Pattern,
        params: &FractureParams<'a>,
    ) -> Result<Self, FractureError> {
        let placement = params.placement;
        let inverse = placement.linear.inverse();
        let finite = inverse.is_finite() && placement.translation.is_finite();
        // NaN fails the comparison too. A mirrored pattern would turn every cap inside out.
        if !finite || placement.linear.determinant().partial_cmp(&0.0) != Some(Ordering::Greater) {
            return Err(FractureError::Placement);
        }
        let to_steps = inverse * (1.0 / pattern.step());
        let offset = -(to_steps * placement.translation) - pattern.center() / pattern.step();
        let steps = max_coordinate(solid, to_steps, offset)?;
        let mut shift = REACH_BITS;
        while steps * (1u64 << shift) as f64 >= (1u64 << 30) as f64 {
            shift -= 1;
        }
        let scale = (1u64 << shift) as f64;
        let step = placement.linear * (pattern.step() / scale);
        // Half a step in each coordinate, and far more than the float error.
        let max_steps = 0.5 + 1e-12 * scale * (steps + offset.abs().max_element());
        let rounding = |row: usize| max_steps * step.row(row).abs().element_sum();
        Ok(Self {
            solid,
            pattern,
            to_grid: to_steps * scale,
            offset: offset * scale,
            shift,
            extent: steps * scale,
            center: solid.bounds().center(),
            rounding: DVec3::new(rounding(0), rounding(1), rounding(2)),
            params: *params,
        })
    }

    /// Vertices of a triangle in grid units.
    pub fn vertices(&self, triangle: u32) -> [[i64; 3]; 3] {
        let [a, b, c] = self.solid.positions_of(triangle);
        [self.to_grid(a), self.to_grid(b), self.to_grid(c)]
    }

    /// Nearest grid point of a point in object space.
    fn to_grid(&self, point: DVec3) -> [i64; 3] {
        let grid = self.to_grid * point + self.offset;
        [nearest(grid.x), nearest(grid.y), nearest(grid.z)]
    }

    /// Box relative to the centre of the solid's box, enlarged by the rounding of vertices to the grid.
    pub fn relative_to_center(&self, bounds: &CenteredAabb) -> CenteredAabb {
        CenteredAabb {
            center: bounds.center - self.center,
            half_extents: bounds.half_extents + self.rounding,
        }
    }

    /// Site function of a cell.
    pub fn site_function(&self, cell: u32) -> SiteFunction {
        let [x, y, z] = self.pattern.grid_site(cell);
        let (normal, square) = ([2 * x, 2 * y, 2 * z], x * x + y * y + z * z);
        let offset = -(square << self.shift);
        let real = DVec3::new(normal[0] as f64, normal[1] as f64, normal[2] as f64);
        let grid_center = self.to_grid * self.center + self.offset;
        SiteFunction {
            normal,
            offset,
            gradient: self.to_grid.transpose() * real,
            at_center: real.dot(grid_center) + offset as f64,
            margin: 1e-12 * (real.abs().element_sum() * self.extent + (offset as f64).abs()),
        }
    }

    /// Bisector `h_i - h_j` of two cells.
    pub fn bisector(&self, i: u32, j: u32) -> Bisector {
        let (a, b) = (self.pattern.grid_site(i), self.pattern.grid_site(j));
        let square = |s: [i64; 3]| s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
        let normal = [2 * (a[0] - b[0]), 2 * (a[1] - b[1]), 2 * (a[2] - b[2])];
        let offset = (square(b) - square(a)) << self.shift;
        let real = DVec3::new(normal[0] as f64, normal[1] as f64, normal[2] as f64);
        let size = real.abs().element_sum();
        let gradient = self.to_grid.transpose() * real;
        Bisector {
            normal,
            offset,
            gradient,
            steepness: gradient.abs(),
            at_origin: real.dot(self.offset) + offset as f64,
            // Half a step of rounding in each coordinate, and far more than the float error.
            margin: size
                + 1e-12
                    * (size * (self.extent + self.offset.abs().max_element())
                        + (offset as f64).abs()),
        }
    }

    /// Position of a pattern vertex in object space.
    pub fn pattern_vertex(&self, vertex: u32) -> DVec3 {
        self.params
            .placement
            .point(self.pattern.vertex(vertex).position)
    }

    /// Unit normal of the face between two cells in object space, from cell `i` to cell `j`.
    pub fn face_normal(&self, i: u32, j: u32) -> DVec3 {
        let outward = -self.bisector(i, j).gradient;
        outward.normalize_or(DVec3::Y)
    }

    /// Direction of the edge between three cells in object space, not normalised.
    pub fn edge_direction(&self, [a, b, c]: [u32; 3]) -> DVec3 {
        // Cross products of gradients transform like areas: up to a positive factor the direction is the
        // cross product of the gradients in object space.
        self.face_normal(a, b).cross(self.face_normal(a, c))
    }

    /// Collects the cells of the selection.
    pub fn select_cells(&self, affected: &mut AffectedCells) -> Result<(), FractureError> {
        let cells = 0..self.pattern.cell_count() as u32;
        let (point, radius, smallest, shape, weakness) = match self.params.selection {
            CellSelection::All => {
                affected.fill(cells);
                return Ok(());
            }
            CellSelection::Within { point, radius } => {
                (point, radius, radius, BreakShape::Ball, None)
            }
            CellSelection::Nested {
                point,
                radius,
                smallest,
                shape,
                weakness,
            } => (point, radius, smallest, shape, weakness),
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
        let placement = self.params.placement;
        let pattern_point = placement.linear.inverse() * (point - placement.translation);
        let containing = self.pattern.cell_at(pattern_point);
        let is_within = |cell: u32, radius: f64| {
            let site = self.pattern.site(cell);
            let place = placement.point(site);
            let offset = SiteOffset {
                object: place - point,
                pattern: site - pattern_point,
            };
            let reach = weakness.map_or(1.0, |weakness| weakness.reach(place));
            cell == containing || shape.has(offset, radius * reach)
        };
        let bounds = CenteredAabb::of(&self.solid.bounds());
        let selected = cells.filter(|cell| is_within(*cell, radius));
        affected.fill(selected.filter(|cell| self.can_reach(*cell, &bounds)));
        if smallest < radius {
            affected.set_reference(|cell| is_within(cell, smallest));
        }
        Ok(())
    }

    /// Whether a cell may have a part in a box; if not, one of its faces has the whole box in front of it.
    fn can_reach(&self, cell: u32, bounds: &CenteredAabb) -> bool {
        let mut neighbors = self.pattern.neighbors(cell).iter();
        neighbors.all(|neighbor| self.bisector(cell, *neighbor).range(bounds).1 > 0.0)
    }

    /// Error of a break whose cells contain nothing of the solid.
    pub fn out_of_reach(&self) -> FractureError {
        let (point, radius) = match self.params.selection {
            CellSelection::All => (self.params.placement.translation, f64::INFINITY),
            CellSelection::Within { point, radius }
            | CellSelection::Nested { point, radius, .. } => (point, radius),
        };
        FractureError::OutOfReach {
            point: point.to_array(),
            radius,
        }
    }
}

/// Largest coordinate of the solid in grid steps, at least 1; an error if the grid cannot represent it.
fn max_coordinate(solid: &Solid, to_steps: DMat3, offset: DVec3) -> Result<f64, FractureError> {
    let half_extents = 0.5 * solid.bounds().extents();
    let center = to_steps * solid.bounds().center() + offset;
    let spread = |axis: usize| to_steps.row(axis).abs().dot(half_extents);
    let steps = [0, 1, 2].map(|axis| center[axis].abs() + spread(axis));
    let limit = (1u64 << (GRID_BITS + REACH_BITS - 1)) as f64;
    // NaN and infinity fail the comparisons too. Each number is compared: a maximum would drop NaN.
    let is_near = steps.iter().all(|steps| *steps < limit);
    if !is_near
        || !offset
            .to_array()
            .iter()
            .all(|steps| steps.abs() < MAX_OFFSET)
    {
        return Err(FractureError::PatternTooSmall {
            limit: (1u64 << (REACH_BITS - 1)) as f64,
        });
    }
    Ok(steps.into_iter().fold(1.0, f64::max))
}

/// Nearest integer of a number below 2^51 in magnitude, the even one of two: adding 1.5 * 2^52 leaves it
/// in the last digits. Needs neither a branch nor a library call.
fn nearest(x: f64) -> i64 {
    const LIFT: f64 = 6_755_399_441_055_744.0;
    (x + LIFT).to_bits() as i64 - LIFT.to_bits() as i64
}
