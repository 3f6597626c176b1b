//! Intersection of one triangle with one cell: a convex polygon.
//!
//! A polygon is the cyclic list of the lines that its edges lie on: edges of the triangle and bisectors.
//! Its vertices are the intersections of consecutive lines. So the two lines identify a vertex, and every
//! side test is a determinant of [`crate::math::predicates`].

use crate::fracture::grid::GridFrame;
use crate::fracture::surface::polygon::{EdgeLabel, PolygonVertex, PolygonVertices};
use crate::math::predicates::{self, Sign};
use glam::DVec3;

/// Bisector to another cell: its values at the triangle's vertices.
#[derive(Clone, Copy, Debug)]
pub struct ClipPlane {
    pub cell: u32,
    pub values: [i64; 3],
}

/// Relative error of a sum of three products of weights and values, rounded: four roundings of each product,
/// with a factor of four to spare.
const ROUNDING: f64 = 16.0 / (1u64 << 53) as f64;

/// Vertex of the polygon under construction.
#[derive(Clone, Copy)]
struct Corner {
    /// Line of the edge that starts there: 0 to 2 are the triangle's edges, `3 + p` is plane `p`.
    line: u16,
    /// Side of the current plane.
    sign: Sign,
    /// Barycentric weights in the triangle up to a positive factor, each rounded once; `None` until a plane
    /// asks for them.
    weights: Option<[f64; 3]>,
}

impl Corner {
    fn new(line: u16) -> Self {
        Self {
            line,
            sign: 0,
            weights: None,
        }
    }

    /// Sign at the corner of an affine function, by its values at the triangle's vertices; `None` where
    /// rounding might decide it, and at the triangle's edges, where the exact sign takes no longer. Weights
    /// below 2^105 and values below 2^52 neither overflow nor vanish.
    fn rounded_sign(
        &mut self,
        planes: &[ClipPlane],
        previous: u16,
        values: [f64; 3],
    ) -> Option<Sign> {
        let [p, q] = [previous, self.line].map(|line| planes.get((line as usize).wrapping_sub(3)));
        let (p, q) = (p?.values, q?.values);
        let weights = *self
            .weights
            .get_or_insert_with(|| predicates::rounded_weights(p, q));
        let [a, b, c] = [0, 1, 2].map(|k| weights[k] * values[k]);
        let sum = a + b + c;
        let is_certain = sum.abs() > ROUNDING * (a.abs() + b.abs() + c.abs());
        is_certain.then_some(if sum > 0.0 { 1 } else { -1 })
    }
}

/// Scratch memory for clipping.
#[derive(Default)]
pub struct TriangleClipper {
    corners: Vec<Corner>,
    next_corners: Vec<Corner>,
}

impl TriangleClipper {
    /// Clips a triangle to `cell` by the planes that cross it. Appends the polygon's vertices,
    /// counter-clockwise like the triangle, starting with the smallest edge label, so that the result does
    /// not depend on the order of the planes. Appends nothing if triangle and cell are disjoint.
    pub fn clip(
        &mut self,
        frame: &GridFrame,
        cell: u32,
        triangle: u32,
        planes: &[ClipPlane],
        out: &mut PolygonVertices,
    ) {
        self.corners.clear();
        self.corners.extend([0, 1, 2].map(Corner::new));
        for index in 0..planes.len() {
            self.clip_by(cell, planes, index);
            if self.corners.is_empty() {
                return;
            }
        }
        let label = |corner: &Corner| match corner.line {
            line @ 0..=2 => EdgeLabel::Edge(line as u8),
            line => EdgeLabel::Cell(planes[line as usize - 3].cell),
        };
        let count = self.corners.len();
        let first = (0..count).min_by_key(|at| label(&self.corners[*at]));
        self.corners.rotate_left(first.unwrap_or(0));
        let triangle = TrianglePositions::new(frame, triangle);
        let mut previous = self.corners[count - 1].line;
        for corner in &self.corners {
            let (position, weights) = intersection(&triangle, planes, [previous, corner.line]);
            out.push(PolygonVertex {
                label: label(corner),
                position,
                weights,
            });
            previous = corner.line;
        }
    }

    /// Removes the part of the polygon behind one plane.
    fn clip_by(&mut self, cell: u32, planes: &[ClipPlane], by: usize) {
        let values = planes[by].values.map(|value| value as f64);
        let mut previous = self.corners[self.corners.len() - 1].line;
        let mut is_cut = false;
        for corner in &mut self.corners {
            let lines = [previous, corner.line];
            let sign = corner.rounded_sign(planes, previous, values);
            corner.sign = sign.unwrap_or_else(|| side(cell, planes, lines, by));
            is_cut |= corner.sign <= 0;
            previous = corner.line;
        }
        if !is_cut {
            return;
        }
        self.next_corners.clear();
        let ends = self.corners.iter().skip(1).chain(self.corners.first());
        for (start, end) in self.corners.iter().zip(ends) {
            if start.sign > 0 {
                self.next_corners.push(*start);
            } else if end.sign > 0 {
                self.next_corners.push(Corner::new(start.line));
            }
            if start.sign > 0 && end.sign < 0 {
                self.next_corners.push(Corner::new(by as u16 + 3));
            }
        }
        std::mem::swap(&mut self.corners, &mut self.next_corners);
    }
}

/// Side of plane `by` on which the intersection of two lines lies.
fn side(cell: u32, planes: &[ClipPlane], lines: [u16; 2], by: usize) -> Sign {
    let plane = |line: u16| &planes[line as usize - 3];
    let by = &planes[by];
    match lines {
        [0..=2, vertex @ 0..=2] => predicates::at_vertex(cell, by.cell, by.values[vertex as usize]),
        [edge @ 0..=2, line] | [line, edge @ 0..=2] => {
            let ends = |values: [i64; 3]| [values[edge as usize], values[(edge as usize + 1) % 3]];
            let p = plane(line);
            predicates::on_edge([cell, p.cell, by.cell], ends(p.values), ends(by.values))
        }
        [previous, line] => {
            let (p, q) = (plane(previous), plane(line));
            let ids = [cell, p.cell, q.cell, by.cell];
            predicates::in_triangle(ids, p.values, q.values, by.values)
        }
    }
}

/// Position and barycentric weights of the intersection of two lines.
fn intersection(
    triangle: &TrianglePositions,
    planes: &[ClipPlane],
    lines: [u16; 2],
) -> (DVec3, [f64; 3]) {
    let values = |line: u16| planes[line as usize - 3].values;
    match lines {
        [0..=2, vertex @ 0..=2] => triangle.vertex(vertex as usize),
        [edge @ 0..=2, line] | [line, edge @ 0..=2] => {
            triangle.on_edge(edge as usize, values(line))
        }
        [p, q] => triangle.inside(values(p), values(q)),
    }
}

/// Triangle in object space, for the positions of polygon vertices.
pub struct TrianglePositions {
    /// Point ids of the solid.
    points: [u32; 3],
    positions: [DVec3; 3],
}

impl TrianglePositions {
    pub fn new(frame: &GridFrame, triangle: u32) -> Self {
        Self {
            points: frame.solid.points_of(triangle),
            positions: frame.solid.positions_of(triangle),
        }
    }

    /// Position and weights of vertex `k`.
    pub fn vertex(&self, k: usize) -> (DVec3, [f64; 3]) {
        let mut weights = [0.0; 3];
        weights[k] = 1.0;
        (self.positions[k], weights)
    }

    /// Position and weights of the intersection of edge `k` with a bisector.
    pub fn on_edge(&self, k: usize, values: [i64; 3]) -> (DVec3, [f64; 3]) {
        let l = (k + 1) % 3;
        let fraction = |from: i64, to: i64| from as f64 / (from - to) as f64;
        // Always from the lower point, so that both triangles at the edge get the same bits.
        let (position, t) = if self.points[k] < self.points[l] {
            let t = fraction(values[k], values[l]);
            (lerp(self.positions[k], self.positions[l], t), t)
        } else {
            let t = fraction(values[l], values[k]);
            (lerp(self.positions[l], self.positions[k], t), 1.0 - t)
        };
        let mut weights = [0.0; 3];
        (weights[k], weights[l]) = (1.0 - t, t);
        (position, weights)
    }

    /// Position and weights of the intersection of two bisectors.
    fn inside(&self, p: [i64; 3], q: [i64; 3]) -> (DVec3, [f64; 3]) {
        let minors = predicates::cross(p, q);
        let sum = (minors[0] + minors[1] + minors[2]) as f64;
        let weights = minors.map(|minor| minor as f64 / sum);
        let [a, b, c] = self.positions;
        (a * weights[0] + b * weights[1] + c * weights[2], weights)
    }
}

/// Point between two others; `b` itself for `t = 1`.
fn lerp(a: DVec3, b: DVec3, t: f64) -> DVec3 {
    if t == 1.0 {
        return b;
    }
    a + (b - a) * t
}
