//! One triangle against one cell: the convex polygon that lies in both.
//!
//! A polygon is the cyclic list of the lines its edges lie on: edges of the triangle and bisectors.
//! Its corners are where consecutive lines meet, so a corner is known by what made it and every
//! side test is one of the determinants of [`crate::math::predicates`].

use crate::fracture::grid::GridFrame;
use crate::fracture::surface::clipped_polygon::{EdgeLabel, PolygonVertices};
use crate::math::predicates::{self, Sign};
use glam::DVec3;

/// The values of one bisector at the triangle's vertices.
#[derive(Clone, Copy, Debug)]
pub struct ClipPlane {
    pub cell: u32,
    pub values: [i64; 3],
}

/// Scratch for clipping.
#[derive(Default)]
pub struct TriangleClipper {
    /// Indices of lines: 0 to 2 are the triangle's edges, `3 + r` is row `r`.
    outline: Vec<u16>,
    next: Vec<u16>,
    signs: Vec<Sign>,
}

impl TriangleClipper {
    /// Clips a triangle to `cell` by the bisectors that cross it. Appends the polygon's corners,
    /// counter-clockwise like the triangle, from the one on which the least line starts: the same
    /// for any order of the rows. None if they do not meet.
    pub fn clip(
        &mut self,
        frame: &GridFrame,
        cell: u32,
        triangle: u32,
        rows: &[ClipPlane],
        out: &mut PolygonVertices,
    ) {
        self.outline.clear();
        self.outline.extend([0, 1, 2]);
        for index in 0..rows.len() {
            self.cut(cell, rows, index);
            if self.outline.is_empty() {
                return;
            }
        }
        let line = |index: u16| match index {
            0..=2 => EdgeLabel::Edge(index as u8),
            row => EdgeLabel::Cell(rows[row as usize - 3].cell),
        };
        let count = self.outline.len();
        let least = (0..count).min_by_key(|at| line(self.outline[*at]));
        self.outline.rotate_left(least.unwrap_or(0));
        let points = frame.solid.points_of(triangle);
        let places = frame.solid.positions_of(triangle);
        let mut before = self.outline[count - 1];
        for &after in &self.outline {
            let (at, weights) = place(&points, &places, rows, before, after);
            out.push(line(after), at, weights);
            before = after;
        }
    }

    fn cut(&mut self, cell: u32, rows: &[ClipPlane], by: usize) {
        self.signs.clear();
        let mut before = self.outline[self.outline.len() - 1];
        for &after in &self.outline {
            self.signs.push(side(cell, rows, [before, after], by));
            before = after;
        }
        self.next.clear();
        let following = self.signs.iter().cycle().skip(1);
        for ((line, here), there) in self.outline.iter().zip(&self.signs).zip(following) {
            if *here > 0 || *there > 0 {
                self.next.push(*line);
            }
            if *here > 0 && *there < 0 {
                self.next.push(by as u16 + 3);
            }
        }
        std::mem::swap(&mut self.outline, &mut self.next);
    }
}

/// On which side of bisector `by` the corner between two lines lies.
fn side(cell: u32, rows: &[ClipPlane], lines: [u16; 2], by: usize) -> Sign {
    let row = |line: u16| &rows[line as usize - 3];
    let by = &rows[by];
    match lines {
        [0..=2, vertex @ 0..=2] => predicates::at_vertex(cell, by.cell, by.values[vertex as usize]),
        [edge @ 0..=2, line] | [line, edge @ 0..=2] => {
            let ends = |values: [i64; 3]| [values[edge as usize], values[(edge as usize + 1) % 3]];
            let p = row(line);
            predicates::on_edge([cell, p.cell, by.cell], ends(p.values), ends(by.values))
        }
        [before, after] => {
            let (p, q) = (row(before), row(after));
            let ids = [cell, p.cell, q.cell, by.cell];
            predicates::in_triangle(ids, p.values, q.values, by.values)
        }
    }
}

/// Position and weights of the corner between two lines.
fn place(
    points: &[u32; 3],
    places: &[DVec3; 3],
    rows: &[ClipPlane],
    before: u16,
    after: u16,
) -> (DVec3, [f64; 3]) {
    match [before, after] {
        [0..=2, vertex @ 0..=2] => {
            let mut weights = [0.0; 3];
            weights[vertex as usize] = 1.0;
            (places[vertex as usize], weights)
        }
        [edge @ 0..=2, line] | [line, edge @ 0..=2] => {
            let (k, l) = (edge as usize, (edge as usize + 1) % 3);
            let values = rows[line as usize - 3].values;
            let ends = [places[k], places[l]];
            let (at, t) =
                GridFrame::edge_point([points[k], points[l]], ends, [values[k], values[l]]);
            let mut weights = [0.0; 3];
            (weights[k], weights[l]) = (1.0 - t, t);
            (at, weights)
        }
        [p, q] => {
            let row = |line: u16| rows[line as usize - 3].values;
            let weights = GridFrame::inner_weights(row(p), row(q));
            let at = places[0] * weights[0] + places[1] * weights[1] + places[2] * weights[2];
            (at, weights)
        }
    }
}
