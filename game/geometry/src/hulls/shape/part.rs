//! A part of a solid between planes: its share of the solid's surface, and outlines of the faces that
//! the planes cut.
//!
//! A part is closed, so that its hull is the hull of what it stands for: every directed edge of a
//! triangle or outline has its opposite in another. Cut faces are not triangulated, since outlines are
//! enough for points, for connectivity and for the next split.

use crate::math::{Aabb, Plane, NONE};
use crate::mesh::WeldedMesh;
use crate::Mesh;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// A face that a plane has cut.
#[derive(Clone, Debug)]
pub struct CutFace {
    /// Outward.
    pub normal: DVec3,
    /// The directed edges of its outline, with the face to the left.
    pub edges: Vec<[u32; 2]>,
}

/// A part of a solid.
#[derive(Clone, Debug, Default)]
pub struct Part {
    pub points: Vec<DVec3>,
    /// The triangles of the solid's surface.
    pub triangles: Vec<[u32; 3]>,
    pub cut_faces: Vec<CutFace>,
}

impl Part {
    /// The whole of a mesh, welded; without triangles whose vertices are missing or not finite.
    pub fn from_mesh(mesh: &Mesh) -> Self {
        let is_valid = |corner: &u32| {
            let point = mesh.positions.get(*corner as usize);
            point.is_some_and(|p| Vec3::from(*p).is_finite())
        };
        let all_valid = |t: &&[u32; 3]| t.iter().all(is_valid);
        let triangles = mesh.triangles.iter().filter(all_valid).copied().collect();
        let welded = WeldedMesh::new(&Mesh::from_triangles(mesh.positions.clone(), triangles));
        let points = welded.points.iter().map(|p| Vec3::from(*p).as_dvec3());
        let part = Self {
            points: points.collect(),
            triangles: welded.corners,
            cut_faces: Vec::new(),
        };
        part.compact()
    }

    /// The positions of a triangle's corners.
    pub fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|corner| self.points[corner as usize])
    }

    pub fn bounds(&self) -> Aabb {
        Aabb::from_points(self.points.iter().copied())
    }

    /// The parts below and above a plane. Points on the plane are below.
    pub fn split(&self, plane: &Plane) -> [Self; 2] {
        let mut split = PartSplit::new(self, plane);
        for &triangle in &self.triangles {
            split.triangle(triangle);
        }
        for face in &self.cut_faces {
            split.cut_face(face);
        }
        split.finish()
    }

    /// Signed volume, m^3.
    pub fn volume(&self) -> f64 {
        let Some(&origin) = self.points.first() else {
            return 0.0;
        };
        let at = |corner: u32| self.points[corner as usize] - origin;
        let six_volume = |[a, b, c]: [DVec3; 3]| a.dot(b.cross(c));
        let surface = self.triangles.iter().map(|t| six_volume(t.map(at)));
        let fan = |face: &CutFace| {
            let first = face.edges.first().map_or(DVec3::ZERO, |[a, _]| at(*a));
            let edges = face.edges.iter();
            let triangles = edges.map(|[a, b]| six_volume([first, at(*a), at(*b)]));
            triangles.sum::<f64>()
        };
        (surface.sum::<f64>() + self.cut_faces.iter().map(fan).sum::<f64>()) / 6.0
    }

    /// Adds another part without joining points.
    pub fn append(&mut self, other: &Self) {
        let first = self.points.len() as u32;
        self.points.extend(&other.points);
        let triangles = other.triangles.iter().map(|t| t.map(|p| p + first));
        self.triangles.extend(triangles);
        let faces = other.cut_faces.iter().map(|face| CutFace {
            normal: face.normal,
            edges: face.edges.iter().map(|e| e.map(|p| p + first)).collect(),
        });
        self.cut_faces.extend(faces);
    }

    /// Drops unused points.
    pub fn compact(self) -> Self {
        Self::compacted(&self.points, self.triangles, self.cut_faces)
    }

    /// A part with those of the points that it uses.
    pub fn compacted(
        points: &[DVec3],
        mut triangles: Vec<[u32; 3]>,
        mut cut_faces: Vec<CutFace>,
    ) -> Self {
        let mut used = Vec::with_capacity(points.len());
        let mut numbers = vec![NONE; points.len()];
        let mut renumber = |point: &mut u32| {
            let number = &mut numbers[*point as usize];
            if *number == NONE {
                *number = used.len() as u32;
                used.push(points[*point as usize]);
            }
            *point = *number;
        };
        triangles
            .as_flattened_mut()
            .iter_mut()
            .for_each(&mut renumber);
        for face in &mut cut_faces {
            face.edges
                .as_flattened_mut()
                .iter_mut()
                .for_each(&mut renumber);
        }
        Self {
            points: used,
            triangles,
            cut_faces,
        }
    }
}

/// One side of a split in progress.
#[derive(Default)]
struct PartSide {
    triangles: Vec<[u32; 3]>,
    cut_faces: Vec<CutFace>,
    /// The outline of the new face.
    new_edges: Vec<[u32; 2]>,
}

struct PartSplit<'a> {
    part: &'a Part,
    plane: Plane,
    /// By point of the part.
    heights: Vec<f64>,
    /// Points of the part, then of crossings.
    points: Vec<DVec3>,
    /// The points where edges cross the plane, by edge with the smaller point first. Only looked up,
    /// never iterated.
    crossings: FxHashMap<[u32; 2], u32>,
    /// Below, and above.
    sides: [PartSide; 2],
}

impl<'a> PartSplit<'a> {
    fn new(part: &'a Part, plane: &Plane) -> Self {
        let mut points = Vec::with_capacity(part.points.len() + part.points.len() / 4 + 16);
        points.extend_from_slice(&part.points);
        Self {
            part,
            plane: *plane,
            heights: part.points.iter().map(|p| plane.height(*p)).collect(),
            points,
            crossings: FxHashMap::default(),
            sides: [(); 2].map(|()| PartSide {
                triangles: Vec::with_capacity(part.triangles.len()),
                ..PartSide::default()
            }),
        }
    }

    /// 0 for a point below the plane, 1 above.
    fn side(&self, point: u32) -> usize {
        usize::from(self.heights[point as usize] > 0.0)
    }

    /// The point where an edge crosses the plane.
    fn crossing(&mut self, a: u32, b: u32) -> u32 {
        let edge = [a.min(b), a.max(b)];
        *self.crossings.entry(edge).or_insert_with(|| {
            let [a, b] = edge.map(|point| self.part.points[point as usize]);
            let [from, to] = edge.map(|point| self.heights[point as usize]);
            self.points.push(a + (b - a) * (from / (from - to)));
            self.points.len() as u32 - 1
        })
    }

    fn triangle(&mut self, triangle: [u32; 3]) {
        let [a, b, c] = triangle;
        let sides = triangle.map(|point| self.side(point));
        // The corner that is alone on its side comes first.
        let [lone, next, last] = match sides {
            [x, y, z] if x == y && y == z => return self.sides[x].triangles.push(triangle),
            [x, y, z] if y == z && x != y => [a, b, c],
            [x, y, z] if x == z && x != y => [b, c, a],
            _ => [c, a, b],
        };
        let (x, y) = (self.crossing(lone, next), self.crossing(lone, last));
        let lone_side = self.side(lone);
        let side = &mut self.sides[lone_side];
        side.triangles.push([lone, x, y]);
        side.new_edges.push([y, x]);
        let side = &mut self.sides[1 - lone_side];
        side.triangles.extend([[x, next, last], [x, last, y]]);
        side.new_edges.push([x, y]);
    }

    /// Splits an outline and closes both sides along the line in which the two planes meet.
    fn cut_face(&mut self, face: &CutFace) {
        let mut edges: [Vec<[u32; 2]>; 2] = Default::default();
        // The crossings at which the outline goes up through the plane, and down.
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for &[a, b] in &face.edges {
            let (from, to) = (self.side(a), self.side(b));
            if from == to {
                edges[from].push([a, b]);
                continue;
            }
            let x = self.crossing(a, b);
            edges[from].push([a, x]);
            edges[to].push([x, b]);
            if from == 0 { &mut up } else { &mut down }.push(x);
        }
        let line = self.plane.normal.cross(face.normal);
        let along = |point: &u32| line.dot(self.points[*point as usize]);
        let order = |a: &u32, b: &u32| along(a).total_cmp(&along(b)).then(a.cmp(b));
        up.sort_unstable_by(order);
        down.sort_unstable_by(order);
        for (&up, &down) in up.iter().zip(&down) {
            edges[0].push([up, down]);
            edges[1].push([down, up]);
            self.sides[0].new_edges.push([down, up]);
            self.sides[1].new_edges.push([up, down]);
        }
        for (side, edges) in self.sides.iter_mut().zip(edges) {
            if !edges.is_empty() {
                let normal = face.normal;
                side.cut_faces.push(CutFace { normal, edges });
            }
        }
    }

    fn finish(self) -> [Part; 2] {
        let Self { points, plane, .. } = self;
        let [below, above] = self.sides;
        let part = |side: PartSide, normal: DVec3| {
            let mut cut_faces = side.cut_faces;
            if !side.new_edges.is_empty() {
                let edges = side.new_edges;
                cut_faces.push(CutFace { normal, edges });
            }
            Part::compacted(&points, side.triangles, cut_faces)
        };
        [part(below, plane.normal), part(above, -plane.normal)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Checks that every directed edge has its opposite.
    fn assert_closed(part: &Part) {
        let mut sums: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        let mut add = |a: u32, b: u32| {
            *sums.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
        };
        for [a, b, c] in &part.triangles {
            add(*a, *b);
            add(*b, *c);
            add(*c, *a);
        }
        for [a, b] in part.cut_faces.iter().flat_map(|face| &face.edges) {
            add(*a, *b);
        }
        assert!(sums.values().all(|sum| *sum == 0));
    }

    fn plane(normal: [f64; 3], offset: f64) -> Plane {
        let normal = DVec3::from(normal).normalize();
        Plane { normal, offset }
    }

    #[test]
    fn cuts_leave_closed_parts_whose_volumes_add_up() {
        for mesh in [
            Mesh::cuboid([1.0; 3]),
            Mesh::torus(0.35, 0.15, 32, 16),
            Mesh::sphere(0.5, 24, 16),
        ] {
            let whole = Part::from_mesh(&mesh);
            let mut parts = vec![whole.clone()];
            for cutter in [
                plane([1.0, 0.0, 0.0], 0.0),
                plane([0.3, 1.0, 0.2], 0.05),
                plane([0.0, 0.0, 1.0], 0.0),
                plane([-1.0, 0.7, 0.4], 0.1),
                plane([1.0, 1.0, 1.0], 0.5),
            ] {
                parts = parts.iter().flat_map(|part| part.split(&cutter)).collect();
                parts.iter().for_each(assert_closed);
                let sum: f64 = parts.iter().map(Part::volume).sum();
                assert!((sum - whole.volume()).abs() < 1e-12, "{sum}");
                assert!(parts.iter().all(|part| part.volume() > -1e-15));
            }
        }
    }

    #[test]
    fn the_corner_of_three_cuts_inside_a_body_is_a_point_of_the_part() {
        let mut part = Part::from_mesh(&Mesh::cuboid([1.0; 3]));
        for axis in 0..3 {
            let mut normal = [0.0; 3];
            normal[axis] = 1.0;
            [part, _] = part.split(&plane(normal, 0.25));
        }
        let corner = DVec3::splat(0.25);
        assert!(part.points.iter().any(|p| p.distance(corner) < 1e-12));
        assert!((part.volume() - 0.75f64.powi(3)).abs() < 1e-12);
    }

    #[test]
    fn triangles_of_no_use_are_left_out() {
        let mut mesh = Mesh::cuboid([1.0; 3]);
        mesh.triangles.push([0, 1, 999]);
        mesh.positions.push([f32::NAN; 3]);
        mesh.triangles.push([0, 1, 24]);
        assert_eq!(Part::from_mesh(&mesh).triangles.len(), 12);
        assert!(Part::from_mesh(&Mesh::default()).points.is_empty());
    }
}
