//! One Voronoi cell by clipping: a box is clipped by the bisectors to other sites, nearest first.
//!
//! The cell is kept in dual form: each vertex is the ordered triple of planes that meet in it,
//! counter-clockwise seen from outside. A bisector removes the vertices on its far side; the edges
//! between removed and kept vertices form one cycle of plane pairs, and each pair meets the new plane
//! in a new vertex. There is no hull and no adjacency to maintain. After the Box Cutting Algorithm
//! (2019) and Ray, Sokolov, Lefebvre and Levy, "Meshless Voronoi on the GPU" (2018).
//!
//! Coordinates are doubled grid units of the sites (see [`GRID_BITS`]), so that the bisector of `i` and
//! `j` is `(S_i - S_j) . y = |S_i|^2 - |S_j|^2` in integers.

use crate::math::predicates;
use crate::pattern::{GRID_BITS, REACH_BITS};

/// Half the side of the clip box in doubled grid units: so far out that it never meets a mesh.
pub const CLIP_BOX_HALF: i64 = 1 << (GRID_BITS + REACH_BITS + 2);

/// A plane of the cell: inside where `normal . y + offset` is positive.
#[derive(Clone, Copy, Debug)]
pub struct CellPlane {
    /// The other site, or a side of the clip box as `site_count + 0..6`.
    pub id: u32,
    normal: [i64; 3],
    offset: i64,
    /// Normal and offset as floats; normals are below 2^20, so that sums of two products are exact.
    real: [f64; 4],
}

impl CellPlane {
    fn new(id: u32, normal: [i64; 3], offset: i64) -> Self {
        let [x, y, z] = normal;
        Self {
            id,
            normal,
            offset,
            real: [x as f64, y as f64, z as f64, offset as f64],
        }
    }
}

/// A rounded vertex position in doubled grid units.
#[derive(Clone, Copy, Debug)]
struct RoundedVertex {
    position: [f64; 3],
    /// Bound of the rounding error of `n . position` for normals `n` of size 1.
    error: f64,
}

/// A cell under construction, and scratch for building the next.
#[derive(Default)]
pub struct ConvexCell {
    site: u32,
    site_count: u32,
    origin: [i64; 3],
    /// All planes that have clipped the cell; some may have lost their face since.
    pub planes: Vec<CellPlane>,
    /// Current vertices: indices into `planes`, counter-clockwise seen from outside.
    pub vertices: Vec<[u16; 3]>,
    /// By vertex.
    rounded: Vec<RoundedVertex>,
    /// By vertex: its side of the plane that clips now.
    signs: Vec<predicates::Sign>,
    /// Boundary of the removed part: pairs of planes, each in one number.
    boundary: Vec<u32>,
}

impl ConvexCell {
    /// Starts over with the clip box around a site.
    pub fn reset(&mut self, site: u32, origin: [i64; 3], site_count: u32) {
        self.site = site;
        self.site_count = site_count;
        self.origin = origin;
        self.planes.clear();
        self.vertices.clear();
        self.rounded.clear();
        for side in 0..6 {
            let mut normal = [0; 3];
            normal[side / 2] = if side % 2 == 0 { 1 } else { -1 };
            let id = site_count + side as u32;
            self.planes.push(CellPlane::new(id, normal, CLIP_BOX_HALF));
        }
        for corner in 0..8u16 {
            let side = |axis: u16| 2 * axis + (corner >> axis & 1);
            let mut planes = [side(0), side(1), side(2)];
            // Sides 1, 3, 5 are the positive ones; an odd number of negative ones mirrors the corner.
            if corner.count_ones() % 2 == 0 {
                planes.swap(1, 2);
            }
            self.push_vertex(planes);
        }
    }

    /// Clips by the bisector to another site.
    pub fn clip(&mut self, id: u32, other: [i64; 3]) {
        let plane = self.bisector(id, other);
        if !self.classify(&plane) {
            return;
        }
        let index = self.planes.len() as u16;
        self.planes.push(plane);
        self.find_boundary();
        let mut kept = 0;
        for vertex in 0..self.vertices.len() {
            if self.signs[vertex] > 0 {
                self.vertices[kept] = self.vertices[vertex];
                self.rounded[kept] = self.rounded[vertex];
                kept += 1;
            }
        }
        self.vertices.truncate(kept);
        self.rounded.truncate(kept);
        for edge in 0..self.boundary.len() {
            let pair = self.boundary[edge];
            self.push_vertex([(pair >> 16) as u16, pair as u16, index]);
        }
    }

    /// The position of a vertex in doubled grid units.
    pub fn position(&self, vertex: usize) -> [f64; 3] {
        self.rounded[vertex].position
    }

    fn bisector(&self, id: u32, other: [i64; 3]) -> CellPlane {
        let square = |s: [i64; 3]| s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
        let s = self.origin;
        let normal = [s[0] - other[0], s[1] - other[1], s[2] - other[2]];
        CellPlane::new(id, normal, square(other) - square(s))
    }

    /// Finds each vertex's side of a plane; returns whether any is outside.
    fn classify(&mut self, plane: &CellPlane) -> bool {
        let [x, y, z, offset] = plane.real;
        let size = x.abs() + y.abs() + z.abs();
        // Rounding of the sum with the offset; that of the products is bounded by vertex.
        let slack = 8.0 * f64::EPSILON * offset.abs();
        let mut signs = std::mem::take(&mut self.signs);
        signs.clear();
        let mut any_outside = false;
        for (vertex, planes) in self.rounded.iter().zip(&self.vertices) {
            let [px, py, pz] = vertex.position;
            let value = x * px + y * py + z * pz + offset;
            let bound = size * vertex.error + slack;
            let sign = if value > bound {
                1
            } else if value < -bound {
                -1
            } else {
                self.exact_side(*planes, plane)
            };
            any_outside |= sign < 0;
            signs.push(sign);
        }
        self.signs = signs;
        any_outside
    }

    /// The exact side of a vertex: a 4x4 determinant over the 3x3 one of the vertex, which is always
    /// negative for inward normals in this orientation.
    fn exact_side(&self, planes: [u16; 3], cutter: &CellPlane) -> predicates::Sign {
        let [a, b, c] = planes.map(|p| &self.planes[p as usize]);
        let rows = [a, b, c, cutter];
        let minor = |x: &CellPlane, y: &CellPlane, z: &CellPlane| {
            predicates::det3(x.normal, y.normal, z.normal) as i128
        };
        // Cofactors of the offset column.
        let cofactors = [
            -minor(b, c, cutter),
            minor(a, c, cutter),
            -minor(a, b, cutter),
            minor(a, b, c),
        ];
        let pairs = || rows.iter().zip(cofactors);
        let value: i128 = pairs().map(|(row, m)| row.offset as i128 * m).sum();
        let mut sign = predicates::sign(value);
        if sign == 0 {
            let mut terms = [(self.site, 0i128); 5];
            for (term, (row, m)) in pairs().enumerate() {
                terms[term] = (row.id, -m);
                // Box sides carry only an infinitesimal of their own, the same in all cells.
                if row.id < self.site_count {
                    terms[4].1 += m;
                }
            }
            sign = predicates::sos_sign(&mut terms);
        }
        -sign
    }

    /// Finds the cycle of plane pairs between removed and kept vertices, in the direction of the
    /// removed ones.
    fn find_boundary(&mut self) {
        self.boundary.clear();
        let is_removed = |vertex: &usize| self.signs[*vertex] < 0;
        for vertex in (0..self.vertices.len()).filter(is_removed) {
            let [a, b, c] = self.vertices[vertex];
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let pair = |from: u16, to: u16| u32::from(from) << 16 | u32::from(to);
                // An edge between two removed vertices is passed in both directions.
                let opposite = pair(to, from);
                match self.boundary.iter().position(|edge| *edge == opposite) {
                    Some(twin) => {
                        self.boundary.swap_remove(twin);
                    }
                    None => self.boundary.push(pair(from, to)),
                }
            }
        }
    }

    /// Adds the vertex of three planes: Cramer's rule in floating point, with a bound of the rounding
    /// error.
    fn push_vertex(&mut self, planes: [u16; 3]) {
        let plane = |k: usize| &self.planes[usize::from(planes[k])];
        let (a, b, c) = (plane(0), plane(1), plane(2));
        let inverse = -1.0 / predicates::det3(a.normal, b.normal, c.normal) as f64;
        let n = [a.real, b.real, c.real];
        let mut size = 0.0f64;
        let mut coordinate = |u: usize, v: usize| {
            // Exact: below 2^41.
            let minor = |r: usize, s: usize| n[r][u] * n[s][v] - n[s][u] * n[r][v];
            let terms = [
                n[0][3] * minor(1, 2),
                n[1][3] * minor(2, 0),
                n[2][3] * minor(0, 1),
            ];
            size = size.max(terms[0].abs() + terms[1].abs() + terms[2].abs());
            (terms[0] + terms[1] + terms[2]) * inverse
        };
        let position = [coordinate(1, 2), coordinate(2, 0), coordinate(0, 1)];
        let error = 6.0 * f64::EPSILON * size * inverse.abs();
        let farthest = position[0]
            .abs()
            .max(position[1].abs())
            .max(position[2].abs());
        self.vertices.push(planes);
        self.rounded.push(RoundedVertex {
            position,
            error: error + 8.0 * f64::EPSILON * farthest,
        });
    }
}
