//! One Voronoi cell by box cutting: start from a box, clip by bisectors, nearest first.
//!
//! The cell is kept in its dual form: every vertex is the ordered triple of planes that meet in it,
//! counter-clockwise seen from outside. A bisector removes the vertices on its far side; the edges
//! between removed and kept vertices form one cycle of plane pairs, and each pair meets the new
//! plane in a new vertex. No hull, no adjacency to keep up. After the Box Cutting Algorithm (2019)
//! and Ray, Sokolov, Lefebvre and Levy, "Meshless Voronoi on the GPU" (2018).
//!
//! Coordinates are grid units of the sites (see [`crate::pattern::GRID_BITS`]), doubled, so that the bisector
//! of `i` and `j` is `(S_i - S_j) . y = |S_i|^2 - |S_j|^2` in integers.

use super::soa_vertices::Places;
use crate::math::predicates;

/// Half the side of the starting box in doubled grid units: so far out that it never meets a mesh.
pub const BOX_HALF: i64 = 1 << (crate::pattern::GRID_BITS + crate::pattern::REACH_BITS + 2);

/// A plane of the cell: inside where `normal . y + offset` is positive.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// The other site, or a box side as `site_count + 0..6`.
    pub id: u32,
    normal: [i64; 3],
    offset: i64,
    /// The same numbers; the normal's are below 2^20, so that sums of two products are exact.
    real: [f64; 4],
}

impl Plane {
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

/// A cell under construction, and scratch for building the next.
#[derive(Default)]
pub struct Cell {
    site: u32,
    site_count: u32,
    origin: [i64; 3],
    /// All planes that have cut; some may have lost their face since.
    pub planes: Vec<Plane>,
    /// Vertices of the cell as it is: indices into `planes`, counter-clockwise seen from outside.
    pub vertices: Vec<[u16; 3]>,
    places: Places,
    signs: Vec<predicates::Sign>,
    /// Pairs of planes, each in one number.
    rim: Vec<u32>,
}

impl Cell {
    /// Starts over: the box around `site`.
    pub fn reset(&mut self, site: u32, origin: [i64; 3], site_count: u32) {
        self.site = site;
        self.site_count = site_count;
        self.origin = origin;
        self.planes.clear();
        self.vertices.clear();
        self.places.clear();
        for side in 0..6 {
            let mut normal = [0; 3];
            normal[side / 2] = if side % 2 == 0 { 1 } else { -1 };
            let id = site_count + side as u32;
            self.planes.push(Plane::new(id, normal, BOX_HALF));
        }
        for corner in 0..8u16 {
            let side = |axis: u16| 2 * axis + (corner >> axis & 1);
            let mut planes = [side(0), side(1), side(2)];
            // Sides 1, 3, 5 are the positive ones: an odd number of negative ones turns the corner.
            if corner.count_ones() % 2 == 0 {
                planes.swap(1, 2);
            }
            self.push_vertex(planes);
        }
    }

    /// Cuts by the bisector to another site.
    pub fn clip(&mut self, id: u32, other: [i64; 3]) {
        let plane = self.bisector(id, other);
        if !self.classify(&plane) {
            return;
        }
        let index = self.planes.len() as u16;
        self.planes.push(plane);
        self.find_rim();
        let mut keep = 0;
        for at in 0..self.vertices.len() {
            if self.signs[at] > 0 {
                if keep < at {
                    self.vertices[keep] = self.vertices[at];
                    self.places.copy(at, keep);
                }
                keep += 1;
            }
        }
        self.vertices.truncate(keep);
        self.places.truncate(keep);
        for at in 0..self.rim.len() {
            let pair = self.rim[at];
            self.push_vertex([(pair >> 16) as u16, pair as u16, index]);
        }
    }

    /// A vertex in doubled grid units.
    pub fn place(&self, vertex: usize) -> [f64; 3] {
        let [x, y, z, _] = self.places.get(vertex);
        [x, y, z]
    }

    fn bisector(&self, id: u32, other: [i64; 3]) -> Plane {
        let square = |s: [i64; 3]| s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
        let s = self.origin;
        let normal = [s[0] - other[0], s[1] - other[1], s[2] - other[2]];
        Plane::new(id, normal, square(other) - square(s))
    }

    /// Fills `signs` with each vertex's side; tells whether any is outside.
    fn classify(&mut self, plane: &Plane) -> bool {
        let [x, y, z, offset] = plane.real;
        let size = x.abs() + y.abs() + z.abs();
        // The rounding of the sum with the offset; that of the rest goes with the places.
        let slack = 8.0 * f64::EPSILON * offset.abs();
        if self.places.least(plane.real, size) > slack {
            return false;
        }
        let mut signs = std::mem::take(&mut self.signs);
        self.places.signs(plane.real, size, slack, &mut signs);
        let mut cut = false;
        for (sign, vertex) in signs.iter_mut().zip(&self.vertices) {
            if *sign == 0 {
                *sign = self.exact_side(*vertex, plane);
            }
            cut |= *sign < 0;
        }
        self.signs = signs;
        cut
    }

    /// The exact side of a vertex: a 4x4 determinant over the 3x3 one of the vertex, which is
    /// always negative for inward normals in our orientation.
    fn exact_side(&self, planes: [u16; 3], cutter: &Plane) -> predicates::Sign {
        let [a, b, c] = planes.map(|p| &self.planes[p as usize]);
        let rows = [a, b, c, cutter];
        let minor = |x: &Plane, y: &Plane, z: &Plane| {
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
            for (slot, (row, m)) in pairs().enumerate() {
                terms[slot] = (row.id, -m);
                // Box sides carry only an infinitesimal of their own, the same in all cells.
                if row.id < self.site_count {
                    terms[4].1 += m;
                }
            }
            sign = predicates::sos_sign(&mut terms);
        }
        -sign
    }

    /// The cycle of plane pairs between removed and kept vertices, in the removed ones' direction.
    fn find_rim(&mut self) {
        self.rim.clear();
        let removed = |at: &usize| self.signs[*at] < 0;
        for at in (0..self.vertices.len()).filter(removed) {
            let [a, b, c] = self.vertices[at];
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let pair = |from: u16, to: u16| u32::from(from) << 16 | u32::from(to);
                // An edge that two removed vertices share is passed in both directions.
                let back = pair(to, from);
                match self.rim.iter().position(|edge| *edge == back) {
                    Some(twin) => {
                        self.rim.swap_remove(twin);
                    }
                    None => self.rim.push(pair(from, to)),
                }
            }
        }
    }

    /// Cramer's rule in floating point, with a bound of what rounding can have done.
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
        let at = [coordinate(1, 2), coordinate(2, 0), coordinate(0, 1)];
        let error = 6.0 * f64::EPSILON * size * inverse.abs();
        let far = at[0].abs().max(at[1].abs()).max(at[2].abs());
        self.vertices.push(planes);
        let [x, y, z] = at;
        self.places
            .push([x, y, z, error + 8.0 * f64::EPSILON * far]);
    }
}
