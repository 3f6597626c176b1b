//! Subdivision of a piece's cut faces: long edges are halved by a rule on the edge alone, so that all
//! triangles at an edge, in all pieces, divide it alike.

use super::points::Points;
use crate::fracture::{Piece, CAP_SURFACE};
use crate::math::triangle::are_distinct;
use crate::math::NONE;
use crate::mesh::Mesh;
use glam::{Vec2, Vec3, Vec4};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most halvings of an edge: a sensible grain needs fewer.
const MAX_LEVELS: u32 = 12;

/// The cut faces of a piece, and the triangles of its outside that meet them.
pub struct CapFaces<'a> {
    /// Mesh of the piece with flat faces.
    pub flat: &'a Mesh,
    /// Mesh of the piece with divided faces; empty until they are [divided](Self::divide).
    pub mesh: Mesh,
    /// By vertex: its point, or [`NONE`]. Of those that dividing has added once they are [told](Self::tell_points).
    pub points: Vec<u32>,
    /// Triangles of cut faces.
    pub caps: Vec<[u32; 3]>,
    /// Number of triangles of cut faces when they are divided, as [counted](Self::count_divided).
    pub divided_count: usize,
    /// Vertices of the outside that dividing has added.
    added_outside: Vec<u32>,
    /// Parts of outside triangles that meet cut faces, in the order of these triangles.
    rims: Vec<Rim>,
    /// Number of triangles of the outside, which come first.
    outside: usize,
}

/// A part of a triangle of the outside.
struct Rim {
    /// Index of the triangle.
    triangle: u32,
    corners: [u32; 3],
    /// Whether the edges from each corner to the next are those of cut faces as well.
    is_cut: [bool; 3],
}

impl<'a> CapFaces<'a> {
    /// The cut faces of a piece, given its mesh by [`Piece::to_mesh`].
    pub fn new(piece: &Piece, flat: &'a Mesh, points: &mut Points) -> Self {
        let count = piece.surfaces.iter().filter(|s| **s == CAP_SURFACE).count();
        let outside = flat.triangles.len().saturating_sub(count);
        let caps = flat.triangles[outside..].to_vec();
        let mut of_vertex = vec![NONE; flat.positions.len()];
        for vertex in caps.iter().flatten() {
            let vertex = *vertex as usize;
            of_vertex[vertex] = points.add(flat.positions[vertex]);
        }
        Self {
            flat,
            mesh: Mesh::default(),
            points: of_vertex,
            divided_count: caps.len(),
            caps,
            added_outside: Vec::new(),
            rims: Vec::new(),
            outside,
        }
    }

    /// Finds the triangles of the outside that meet cut faces, and fixes their points.
    pub fn find_rims(&mut self, points: &mut Points) {
        let edges: FxHashSet<u64> = self.caps.iter().flat_map(|t| self.edges(t)).collect();
        for vertex in 0..self.points.len() {
            if self.points[vertex] == NONE {
                let point = points.find(self.flat.positions[vertex]);
                points.fix(point);
                self.points[vertex] = point;
            }
        }
        let outside = self.flat.triangles[..self.outside].iter().enumerate();
        let rim = |(index, triangle): (usize, &[u32; 3])| {
            let is_cut = self.edges(triangle).map(|edge| edges.contains(&edge));
            is_cut.contains(&true).then_some(Rim {
                triangle: index as u32,
                corners: *triangle,
                is_cut,
            })
        };
        self.rims = outside.filter_map(rim).collect();
    }

    /// Halves edges of cut faces until none is longer than `length`.
    pub fn divide(&mut self, length: f32) {
        let added = self.divided_count.saturating_sub(self.caps.len());
        // One for two triangles, and for two edges of the outline. Buffers that grow bit by bit are in the way of other
        // threads, which share their memory.
        self.mesh = self.flat.copy_vertices(None, 3 * added / 4);
        let mut halving = Halving {
            mesh: &mut self.mesh,
            longest_squared: length * length,
            middles: FxHashMap::default(),
        };
        for _ in 0..MAX_LEVELS {
            halving.middles.clear();
            // Where most edges are halved there are three for two triangles.
            halving.middles.reserve(3 * self.caps.len() / 2);
            let mut caps = Vec::with_capacity(2 * self.caps.len());
            for corners in &self.caps {
                halving.divide(*corners, [true; 3], true, |part, _| caps.push(part));
            }
            if halving.middles.is_empty() {
                return;
            }
            let first = halving.mesh.positions.len() as u32;
            let mut rims = Vec::with_capacity(2 * self.rims.len());
            for rim in &self.rims {
                halving.divide(rim.corners, rim.is_cut, false, |corners, is_cut| {
                    rims.push(Rim {
                        corners,
                        is_cut,
                        ..*rim
                    });
                });
            }
            self.added_outside
                .extend(first..halving.mesh.positions.len() as u32);
            (self.caps, self.rims) = (caps, rims);
        }
    }

    /// Counts the triangles that cut faces will have, divided to edges of a length.
    pub fn count_divided(&mut self, length: f32) {
        let corner = |vertex: u32| Vec3::from(self.flat.positions[vertex as usize]);
        let counts = self
            .caps
            .iter()
            .map(|triangle| divided_count(triangle.map(corner), length * length, MAX_LEVELS));
        self.divided_count = counts.sum();
    }

    /// Tells the points of the vertices that dividing has added, and fixes those of the outside.
    pub fn tell_points(&mut self, points: &mut Points) {
        let added = self.mesh.positions.iter().skip(self.points.len());
        self.points
            .extend(added.map(|position| points.add(*position)));
        for vertex in &self.added_outside {
            points.fix(self.points[*vertex as usize]);
        }
    }

    /// Writes the divided triangles to the mesh, in the order of their surfaces.
    pub fn write(&mut self) {
        let Mesh {
            positions,
            triangles,
            surfaces,
            ..
        } = &mut self.mesh;
        let count = self.outside + self.rims.len() + self.caps.len();
        triangles.reserve(count);
        surfaces.reserve(count);
        let mut rims = std::mem::take(&mut self.rims).into_iter().peekable();
        for (index, triangle) in self.flat.triangles.iter().take(self.outside).enumerate() {
            let mut is_rim = false;
            while let Some(rim) = rims.next_if(|rim| rim.triangle as usize == index) {
                is_rim = true;
                if are_distinct(&rim.corners.map(|vertex| positions[vertex as usize])) {
                    triangles.push(rim.corners);
                }
            }
            if !is_rim {
                triangles.push(*triangle);
            }
            surfaces.resize(triangles.len(), self.flat.surface(index));
        }
        let surface = self.flat.surfaces.last().copied().unwrap_or(0);
        triangles.append(&mut self.caps);
        surfaces.resize(triangles.len(), surface);
    }

    /// The keys of a triangle's edges, as those of points.
    fn edges(&self, triangle: &[u32; 3]) -> [u64; 3] {
        let [a, b, c] = triangle.map(|vertex| self.points[vertex as usize]);
        [[a, b], [b, c], [c, a]].map(edge_key)
    }
}

/// The key of an edge, of whichever of its ends comes first: one number is hashed faster than two.
fn edge_key([a, b]: [u32; 2]) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// One round of halving.
struct Halving<'a> {
    mesh: &'a mut Mesh,
    /// The square of the length of edges that stay.
    longest_squared: f32,
    /// New vertices by the ones they lie between.
    middles: FxHashMap<u64, u32>,
}

impl Halving<'_> {
    /// Divides a triangle at its cut edges; `inner` says whether edges between its parts are cut ones.
    fn divide(
        &mut self,
        [a, b, c]: [u32; 3],
        is_cut: [bool; 3],
        inner: bool,
        mut part: impl FnMut([u32; 3], [bool; 3]),
    ) {
        let [ab, bc, ca] = is_cut;
        let middles = [
            self.middle([a, b], ab),
            self.middle([b, c], bc),
            self.middle([c, a], ca),
        ];
        if middles == [None; 3] {
            return part([a, b, c], is_cut);
        }
        let place = |vertex: u32| self.place(vertex);
        let triangle = Divided {
            corners: [a, b, c],
            middles,
            is_cut,
        };
        // A triangle without area has its own corner in the middle of an edge. The part between that corner and that
        // middle has two edges that cancel. In cut faces both are divided alike, and it is dropped; in the outside one may
        // be a cut edge and the other not, and it is dropped when all are divided.
        triangle.visit_parts(inner, place, |corners, is_cut| {
            if !inner || are_distinct(&corners.map(place)) {
                part(corners, is_cut);
            }
        });
    }

    /// The vertex in the middle of an edge if it is to be halved.
    fn middle(&mut self, [a, b]: [u32; 2], is_cut: bool) -> Option<u32> {
        let [from, to] = [a, b].map(|vertex| self.place(vertex));
        if !is_cut || !is_long(from, to, self.longest_squared) {
            return None;
        }
        let key = edge_key([a, b]);
        if let Some(middle) = self.middles.get(&key) {
            return Some(*middle);
        }
        let vertex = add_middle(self.mesh, [a, b], middle(from, to).to_array());
        self.middles.insert(key, vertex);
        Some(vertex)
    }

    fn place(&self, vertex: u32) -> Vec3 {
        self.mesh.positions[vertex as usize].into()
    }
}

fn is_long(from: Vec3, to: Vec3, longest_squared: f32) -> bool {
    from.distance_squared(to) > longest_squared
}

/// The middle of an edge, the same seen from either end: what is added takes the sign of zeros away.
fn middle(from: Vec3, to: Vec3) -> Vec3 {
    (from + to) * 0.5 + Vec3::ZERO
}

/// Whether the shorter diagonal of what is left of a triangle, with middles on its first two edges, is that from its first
/// corner. Of equal ones it is that from the corner that comes first by its coordinates.
fn is_first_diagonal([a, _, c]: [Vec3; 3], [d, e]: [Vec3; 2]) -> bool {
    let (from_a, from_c) = (a.distance_squared(e), c.distance_squared(d));
    from_a < from_c || (from_a == from_c && a.to_array() < c.to_array())
}

/// A triangle some of whose edges, from each corner to the next, are halved.
struct Divided<T> {
    corners: [T; 3],
    middles: [Option<T>; 3],
    /// Whether the edges are those of cut faces.
    is_cut: [bool; 3],
}

impl<T: Copy> Divided<T> {
    /// Calls back with the parts; `inner` says whether edges between them are those of cut faces. What is left beside two
    /// halved edges, a quadrilateral, is divided by the shorter diagonal, so that the same triangle seen from behind is
    /// divided alike.
    fn visit_parts(
        mut self,
        inner: bool,
        place: impl Fn(T) -> Vec3,
        mut part: impl FnMut([T; 3], [bool; 3]),
    ) {
        // Turned so that it begins with a halved edge after one that is not.
        let is_halved = |edge: usize| self.middles[edge % 3].is_some();
        let first = (0..3).find(|edge| is_halved(*edge) && !is_halved(*edge + 2));
        let first = first.unwrap_or(0);
        self.corners.rotate_left(first);
        self.middles.rotate_left(first);
        self.is_cut.rotate_left(first);
        let ([a, b, c], [ab, bc, ca]) = (self.corners, self.is_cut);
        match self.middles {
            [Some(d), Some(e), Some(f)] => {
                part([a, d, f], [ab, inner, ca]);
                part([d, b, e], [ab, bc, inner]);
                part([f, e, c], [inner, bc, ca]);
                part([d, e, f], [inner; 3]);
            }
            [Some(d), Some(e), None] => {
                part([d, b, e], [ab, bc, inner]);
                if is_first_diagonal([a, b, c].map(&place), [d, e].map(&place)) {
                    part([a, d, e], [ab, inner, inner]);
                    part([a, e, c], [inner, bc, ca]);
                } else {
                    part([a, d, c], [ab, inner, ca]);
                    part([d, e, c], [inner, bc, inner]);
                }
            }
            [Some(d), ..] => {
                part([a, d, c], [ab, inner, ca]);
                part([d, b, c], [ab, bc, inner]);
            }
            [None, ..] => part([a, b, c], [ab, bc, ca]),
        }
    }
}

/// The number of parts of a triangle of a cut face, as [`Halving::divide`] makes them, round by round.
fn divided_count(corners: [Vec3; 3], longest_squared: f32, rounds: u32) -> usize {
    let [a, b, c] = corners;
    let middles = [[a, b], [b, c], [c, a]]
        .map(|[from, to]| is_long(from, to, longest_squared).then(|| middle(from, to)));
    if rounds == 0 || middles == [None; 3] {
        return 1;
    }
    let triangle = Divided {
        corners,
        middles,
        is_cut: [true; 3],
    };
    let mut count = 0;
    triangle.visit_parts(
        true,
        |place| place,
        |part, _| {
            count += divided_count(part, longest_squared, rounds - 1);
        },
    );
    count
}

/// Adds a vertex between two others, with the mean of their attributes.
fn add_middle(mesh: &mut Mesh, ends: [u32; 2], position: [f32; 3]) -> u32 {
    let [a, b] = ends.map(|end| end as usize);
    mesh.positions.push(position);
    if let (Some(n), Some(m)) = (mesh.normals.get(a), mesh.normals.get(b)) {
        let sum = Vec3::from(*n) + Vec3::from(*m);
        mesh.normals.push(sum.normalize_or(Vec3::Y).to_array());
    }
    if let (Some(s), Some(t)) = (mesh.tangents.get(a), mesh.tangents.get(b)) {
        let (s, t) = (Vec4::from(*s), Vec4::from(*t));
        let unit = (s + t).truncate().normalize_or(Vec3::X);
        mesh.tangents.push(unit.extend(s.w).to_array());
    }
    if let (Some(p), Some(q)) = (mesh.uvs.get(a), mesh.uvs.get(b)) {
        mesh.uvs
            .push(((Vec2::from(*p) + Vec2::from(*q)) * 0.5).to_array());
    }
    if let (Some(p), Some(q)) = (mesh.colors.get(a), mesh.colors.get(b)) {
        mesh.colors
            .push(((Vec4::from(*p) + Vec4::from(*q)) * 0.5).to_array());
    }
    for attribute in &mut mesh.attributes {
        attribute.push_middle([a, b]);
    }
    mesh.positions.len() as u32 - 1
}
