//! Subdivision of a piece's cut faces: long edges are halved by a rule on the edge alone, so that all
//! triangles at an edge, in all pieces, divide it alike.

use super::points::Points;
use crate::fracture::{Piece, CAP_SURFACE};
use crate::math::NONE;
use crate::mesh::Mesh;
use glam::{Vec2, Vec3, Vec4};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most halvings of an edge: a sensible grain needs fewer.
const MAX_LEVELS: u32 = 12;

/// The cut faces of a piece, and the triangles of its outside that meet them.
pub struct CapFaces<'a> {
    /// Mesh of the piece.
    pub mesh: &'a mut Mesh,
    /// By vertex: its point, or [`NONE`].
    pub points: Vec<u32>,
    /// Triangles of cut faces.
    pub caps: Vec<[u32; 3]>,
    /// Parts of outside triangles that meet cut faces, each with the index of its triangle, ascending.
    rims: Vec<(u32, [u32; 3])>,
    /// Number of triangles of the outside, which come first.
    outside: usize,
}

impl<'a> CapFaces<'a> {
    /// The cut faces of a piece, given its mesh by [`Piece::to_mesh`].
    pub fn new(piece: &Piece, mesh: &'a mut Mesh, points: &mut Points) -> Self {
        let count = piece.surfaces.iter().filter(|s| **s == CAP_SURFACE).count();
        let outside = mesh.triangles.len().saturating_sub(count);
        let caps = mesh.triangles[outside..].to_vec();
        let mut of_vertex = vec![NONE; mesh.positions.len()];
        for vertex in caps.iter().flatten() {
            let vertex = *vertex as usize;
            of_vertex[vertex] = points.add(mesh.positions[vertex]);
        }
        Self {
            mesh,
            points: of_vertex,
            caps,
            rims: Vec::new(),
            outside,
        }
    }

    /// Finds the triangles of the outside that meet cut faces, and fixes their points.
    pub fn find_rims(&mut self, points: &mut Points) {
        let edges: FxHashSet<[u32; 2]> = self.caps.iter().flat_map(|t| self.edges(t)).collect();
        for vertex in 0..self.points.len() {
            if self.points[vertex] == NONE {
                let point = points.find(self.mesh.positions[vertex]);
                points.fix(point);
                self.points[vertex] = point;
            }
        }
        let outside = self.mesh.triangles[..self.outside].iter().enumerate();
        self.rims = outside
            .filter(|(_, triangle)| self.edges(triangle).iter().any(|e| edges.contains(e)))
            .map(|(index, triangle)| (index as u32, *triangle))
            .collect();
    }

    /// Halves edges of cut faces until none is longer than `length`.
    pub fn divide(&mut self, points: &mut Points, length: f32) {
        for _ in 0..MAX_LEVELS {
            let is_long = |[a, b]: &[u32; 2]| points.length_squared(*a, *b) > length * length;
            let edges = self.caps.iter().flat_map(|t| self.edges(t));
            let long: FxHashSet<[u32; 2]> = edges.filter(is_long).collect();
            if long.is_empty() {
                return;
            }
            let mut halving = Halving {
                mesh: &mut *self.mesh,
                of_vertex: &mut self.points,
                points: &mut *points,
                long: &long,
                middles: FxHashMap::default(),
                fix: false,
            };
            let mut caps = Vec::with_capacity(2 * self.caps.len());
            for triangle in &self.caps {
                halving.divide(*triangle, |part| caps.push(part));
            }
            halving.fix = true;
            let mut rims = Vec::with_capacity(2 * self.rims.len());
            for (index, triangle) in &self.rims {
                halving.divide(*triangle, |part| rims.push((*index, part)));
            }
            // A triangle without area has its own corner in the middle of an edge. The part between that
            // corner and that middle has two edges that cancel, and is dropped.
            caps.retain(|part| self.has_edges(part));
            rims.retain(|(_, part)| self.has_edges(part));
            (self.caps, self.rims) = (caps, rims);
        }
    }

    /// Writes the divided triangles to the mesh, in the order of their surfaces.
    pub fn write(self) {
        let Self {
            mesh,
            caps,
            rims,
            outside,
            ..
        } = self;
        let old = std::mem::take(&mut mesh.triangles);
        let surfaces = std::mem::take(&mut mesh.surfaces);
        let mut rims = rims.into_iter().peekable();
        for (index, triangle) in old.iter().take(outside).enumerate() {
            let before = mesh.triangles.len();
            while let Some((_, part)) = rims.next_if(|(of, _)| *of as usize == index) {
                mesh.triangles.push(part);
            }
            if mesh.triangles.len() == before {
                mesh.triangles.push(*triangle);
            }
            let surface = surfaces.get(index).copied().unwrap_or(0);
            mesh.surfaces.resize(mesh.triangles.len(), surface);
        }
        let surface = surfaces.last().copied().unwrap_or(0);
        mesh.triangles.extend(caps);
        mesh.surfaces.resize(mesh.triangles.len(), surface);
    }

    fn has_edges(&self, triangle: &[u32; 3]) -> bool {
        self.edges(triangle).iter().all(|[a, b]| a != b)
    }

    fn edges(&self, triangle: &[u32; 3]) -> [[u32; 2]; 3] {
        let [a, b, c] = triangle.map(|vertex| self.points[vertex as usize]);
        [[a, b], [b, c], [c, a]].map(sorted)
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// One round of halving.
struct Halving<'a> {
    mesh: &'a mut Mesh,
    of_vertex: &'a mut Vec<u32>,
    points: &'a mut Points,
    long: &'a FxHashSet<[u32; 2]>,
    /// New vertices by the ones they lie between.
    middles: FxHashMap<[u32; 2], u32>,
    /// Whether new points are fixed.
    fix: bool,
}

impl Halving<'_> {
    fn divide(&mut self, [a, b, c]: [u32; 3], mut part: impl FnMut([u32; 3])) {
        let middles = [[a, b], [b, c], [c, a]].map(|edge| self.middle(edge));
        match middles {
            [None, None, None] => part([a, b, c]),
            [Some(d), None, None] => halve([a, b, c], d, part),
            [None, Some(d), None] => halve([b, c, a], d, part),
            [None, None, Some(d)] => halve([c, a, b], d, part),
            [Some(d), Some(e), None] => self.divide_in_three([a, b, c], [d, e], part),
            [None, Some(d), Some(e)] => self.divide_in_three([b, c, a], [d, e], part),
            [Some(e), None, Some(d)] => self.divide_in_three([c, a, b], [d, e], part),
            [Some(d), Some(e), Some(f)] => {
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
                    .into_iter()
                    .for_each(part);
            }
        }
    }

    /// Divides a triangle with middles on its first two edges into three. The remaining quadrilateral is
    /// divided by the shorter diagonal, so that the same triangle seen from behind is divided alike.
    fn divide_in_three(
        &self,
        [a, b, c]: [u32; 3],
        [d, e]: [u32; 2],
        mut part: impl FnMut([u32; 3]),
    ) {
        part([d, b, e]);
        let place = |vertex: u32| self.of_vertex[vertex as usize];
        let length = |p: u32, q: u32| self.points.length_squared(place(p), place(q));
        let (from_a, from_c) = (length(a, e), length(c, d));
        let a_first = self.points.flat(place(a)) < self.points.flat(place(c));
        if from_a < from_c || (from_a == from_c && a_first) {
            part([a, d, e]);
            part([a, e, c]);
        } else {
            part([a, d, c]);
            part([d, e, c]);
        }
    }

    fn middle(&mut self, [a, b]: [u32; 2]) -> Option<u32> {
        let edge = sorted([a, b].map(|vertex| self.of_vertex[vertex as usize]));
        if !self.long.contains(&edge) {
            return None;
        }
        if let Some(middle) = self.middles.get(&sorted([a, b])) {
            return Some(*middle);
        }
        let point = self.points.middle(edge);
        if self.fix {
            self.points.fix(point);
        }
        let vertex = add_middle(self.mesh, [a, b], self.points.flat(point));
        self.of_vertex.push(point);
        self.middles.insert(sorted([a, b]), vertex);
        Some(vertex)
    }
}

fn halve([a, b, c]: [u32; 3], middle: u32, mut part: impl FnMut([u32; 3])) {
    part([a, middle, c]);
    part([middle, b, c]);
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
