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

/// Scratch memory for clipping.
#[derive(Default)]
pub struct TriangleClipper {
    /// Line indices: 0 to 2 are the triangle's edges, `3 + p` is plane `p`.
    lines: Vec<u16>,
    next_lines: Vec<u16>,
    signs: Vec<Sign>,
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
        self.lines.clear();
        self.lines.extend([0, 1, 2]);
        for index in 0..planes.len() {
            self.clip_by(cell, planes, index);
            if self.lines.is_empty() {
                return;
            }
        }
        let label = |line: u16| match line {
            0..=2 => EdgeLabel::Edge(line as u8),
            _ => EdgeLabel::Cell(planes[line as usize - 3].cell),
        };
        let count = self.lines.len();
        let first = (0..count).min_by_key(|at| label(self.lines[*at]));
        self.lines.rotate_left(first.unwrap_or(0));
        let triangle = TrianglePositions::new(frame, triangle);
        let mut previous = self.lines[count - 1];
        for &line in &self.lines {
            let (position, weights) = intersection(&triangle, planes, [previous, line]);
            out.push(PolygonVertex {
                label: label(line),
                position,
                weights,
            });
            previous = line;
        }
    }

    /// Removes the part of the polygon behind one plane.
    fn clip_by(&mut self, cell: u32, planes: &[ClipPlane], by: usize) {
        self.signs.clear();
        let mut previous = self.lines[self.lines.len() - 1];
        for &line in &self.lines {
            self.signs.push(side(cell, planes, [previous, line], by));
            previous = line;
        }
        self.next_lines.clear();
        let ends = self.signs.iter().cycle().skip(1);
        for ((line, start), end) in self.lines.iter().zip(&self.signs).zip(ends) {
            if *start > 0 || *end > 0 {
                self.next_lines.push(*line);
            }
            if *start > 0 && *end < 0 {
                self.next_lines.push(by as u16 + 3);
            }
        }
        std::mem::swap(&mut self.lines, &mut self.next_lines);
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
