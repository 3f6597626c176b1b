//! A part of a body between planes: its share of the surface, and the faces that the planes cut, so that
//! it is closed and its hull is the hull of what it stands for.
//!
//! A cut face is not divided into triangles: its outline is enough for points, for what hangs together and
//! for the next cut. Every directed edge of a triangle or outline has its opposite in another.

use crate::hulls::shape::convex_hull::Plane;
use crate::mesh::WeldedMesh;
use crate::Mesh;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// A cut face: its outward normal and its outline, the inside to the left.
#[derive(Clone, Debug)]
pub struct CutFace {
    pub normal: DVec3,
    pub edges: Vec<[u32; 2]>,
}

#[derive(Clone, Debug, Default)]
pub struct Part {
    pub points: Vec<DVec3>,
    /// What the part has of the body's surface.
    pub triangles: Vec<[u32; 3]>,
    pub caps: Vec<CutFace>,
}

impl Part {
    /// A whole body; triangles that use what is not there, or is not finite, are left out.
    pub fn of(mesh: &Mesh) -> Self {
        let is_point = |corner: &u32| {
            let point = mesh.positions.get(*corner as usize);
            point.is_some_and(|p| Vec3::from(*p).is_finite())
        };
        let good = |t: &&[u32; 3]| t.iter().all(is_point);
        let triangles = mesh.triangles.iter().filter(good).copied().collect();
        let whole = WeldedMesh::new(&Mesh::from_triangles(mesh.positions.clone(), triangles));
        let points = whole.points.iter().map(|p| Vec3::from(*p).as_dvec3());
        let part = Self {
            points: points.collect(),
            triangles: whole.corners,
            caps: Vec::new(),
        };
        part.compact()
    }

    pub fn place(&self, corners: [u32; 3]) -> [DVec3; 3] {
        corners.map(|corner| self.points[corner as usize])
    }

    /// The parts on both sides of a plane: below, and above. Points on the plane are below.
    pub fn cut(&self, plane: &Plane) -> [Self; 2] {
        let mut cutting = PartSplit::new(self, plane);
        for &triangle in &self.triangles {
            cutting.triangle(triangle);
        }
        for cap in &self.caps {
            cutting.cap(cap);
        }
        cutting.finish()
    }

    /// Signed.
    pub fn volume(&self) -> f64 {
        let Some(&origin) = self.points.first() else {
            return 0.0;
        };
        let at = |corner: u32| self.points[corner as usize] - origin;
        let six = |[a, b, c]: [DVec3; 3]| a.dot(b.cross(c));
        let surface = self.triangles.iter().map(|t| six(t.map(at)));
        let fan = |cap: &CutFace| {
            let first = cap.edges.first().map_or(DVec3::ZERO, |[a, _]| at(*a));
            let edges = cap.edges.iter();
            edges
                .map(|[a, b]| six([first, at(*a), at(*b)]))
                .sum::<f64>()
        };
        (surface.sum::<f64>() + self.caps.iter().map(fan).sum::<f64>()) / 6.0
    }

    /// Puts another part beside this one.
    pub fn append(&mut self, other: &Self) {
        let first = self.points.len() as u32;
        self.points.extend(&other.points);
        let triangles = other.triangles.iter().map(|t| t.map(|p| p + first));
        self.triangles.extend(triangles);
        self.caps.extend(other.caps.iter().map(|cap| CutFace {
            normal: cap.normal,
            edges: cap.edges.iter().map(|e| e.map(|p| p + first)).collect(),
        }));
    }

    /// Without points that nothing uses.
    pub fn compact(mut self) -> Self {
        let mut number = vec![u32::MAX; self.points.len()];
        let mut points = Vec::new();
        let mut renumber = |point: &mut u32| {
            let slot = &mut number[*point as usize];
            if *slot == u32::MAX {
                *slot = points.len() as u32;
                points.push(self.points[*point as usize]);
            }
            *point = *slot;
        };
        self.triangles.iter_mut().flatten().for_each(&mut renumber);
        let caps = self.caps.iter_mut();
        caps.flat_map(|cap| cap.edges.iter_mut().flatten())
            .for_each(&mut renumber);
        self.points = points;
        self
    }
}

/// One side of a cut under way.
#[derive(Default)]
struct PartSide {
    triangles: Vec<[u32; 3]>,
    caps: Vec<CutFace>,
    /// The outline of the new face.
    edges: Vec<[u32; 2]>,
}

struct PartSplit<'a> {
    part: &'a Part,
    plane: Plane,
    heights: Vec<f64>,
    points: Vec<DVec3>,
    /// By edge, smaller point first. Only looked up, never iterated.
    crossings: FxHashMap<[u32; 2], u32>,
    sides: [PartSide; 2],
}

impl<'a> PartSplit<'a> {
    fn new(part: &'a Part, plane: &Plane) -> Self {
        Self {
            part,
            plane: *plane,
            heights: part.points.iter().map(|p| plane.height(*p)).collect(),
            points: part.points.clone(),
            crossings: FxHashMap::default(),
            sides: Default::default(),
        }
    }

    /// 1 for above.
    fn side(&self, point: u32) -> usize {
        usize::from(self.heights[point as usize] > 0.0)
    }

    fn crossing(&mut self, a: u32, b: u32) -> u32 {
        let key = [a.min(b), a.max(b)];
        *self.crossings.entry(key).or_insert_with(|| {
            let [a, b] = key.map(|point| self.part.points[point as usize]);
            let [from, to] = key.map(|point| self.heights[point as usize]);
            self.points.push(a + (b - a) * (from / (from - to)));
            self.points.len() as u32 - 1
        })
    }

    fn triangle(&mut self, triangle: [u32; 3]) {
        let [a, b, c] = triangle;
        let sides = triangle.map(|point| self.side(point));
        let [lone, next, last] = match sides {
            [x, y, z] if x == y && y == z => return self.sides[x].triangles.push(triangle),
            [x, y, z] if y == z && x != y => [a, b, c],
            [x, y, z] if x == z && x != y => [b, c, a],
            _ => [c, a, b],
        };
        let (x, y) = (self.crossing(lone, next), self.crossing(lone, last));
        let alone = self.side(lone);
        let side = &mut self.sides[alone];
        side.triangles.push([lone, x, y]);
        side.edges.push([y, x]);
        let side = &mut self.sides[1 - alone];
        side.triangles.extend([[x, next, last], [x, last, y]]);
        side.edges.push([x, y]);
    }

    /// Cuts an outline and closes both parts along the line in which the planes meet.
    fn cap(&mut self, cap: &CutFace) {
        let mut parts: [Vec<[u32; 2]>; 2] = Default::default();
        // Where the outline goes up through the plane, and where it comes down.
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for &[a, b] in &cap.edges {
            let (from, to) = (self.side(a), self.side(b));
            if from == to {
                parts[from].push([a, b]);
                continue;
            }
            let x = self.crossing(a, b);
            parts[from].push([a, x]);
            parts[to].push([x, b]);
            if from == 0 { &mut up } else { &mut down }.push(x);
        }
        let line = self.plane.normal.cross(cap.normal);
        let along = |point: &u32| line.dot(self.points[*point as usize]);
        let order = |a: &u32, b: &u32| along(a).total_cmp(&along(b)).then(a.cmp(b));
        up.sort_unstable_by(order);
        down.sort_unstable_by(order);
        for (&up, &down) in up.iter().zip(&down) {
            parts[0].push([up, down]);
            parts[1].push([down, up]);
            self.sides[0].edges.push([down, up]);
            self.sides[1].edges.push([up, down]);
        }
        for (side, edges) in self.sides.iter_mut().zip(parts) {
            if !edges.is_empty() {
                let normal = cap.normal;
                side.caps.push(CutFace { normal, edges });
            }
        }
    }

    fn finish(self) -> [Part; 2] {
        let Self {
            points,
            plane,
            sides,
            ..
        } = self;
        let [below, above] = sides;
        let part = |side: PartSide, normal: DVec3| {
            let mut caps = side.caps;
            if !side.edges.is_empty() {
                let edges = side.edges;
                caps.push(CutFace { normal, edges });
            }
            let (points, triangles) = (points.clone(), side.triangles);
            Part {
                points,
                triangles,
                caps,
            }
            .compact()
        };
        [part(below, plane.normal), part(above, -plane.normal)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Every directed edge has its opposite.
    fn assert_closed(part: &Part) {
        let mut sums: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        let mut add = |a: u32, b: u32| {
            *sums.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
        };
        for [a, b, c] in &part.triangles {
            [(*a, *b), (*b, *c), (*c, *a)]
                .into_iter()
                .for_each(|(a, b)| add(a, b));
        }
        for [a, b] in part.caps.iter().flat_map(|cap| &cap.edges) {
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
            let whole = Part::of(&mesh);
            let mut parts = vec![whole.clone()];
            for cutter in [
                plane([1.0, 0.0, 0.0], 0.0),
                plane([0.3, 1.0, 0.2], 0.05),
                plane([0.0, 0.0, 1.0], 0.0),
                plane([-1.0, 0.7, 0.4], 0.1),
                plane([1.0, 1.0, 1.0], 0.5),
            ] {
                parts = parts.iter().flat_map(|part| part.cut(&cutter)).collect();
                parts.iter().for_each(assert_closed);
                let sum: f64 = parts.iter().map(Part::volume).sum();
                assert!((sum - whole.volume()).abs() < 1e-12, "{sum}");
                assert!(parts.iter().all(|part| part.volume() > -1e-15));
            }
        }
    }

    #[test]
    fn the_corner_of_three_cuts_inside_a_body_is_a_point_of_the_part() {
        let mut part = Part::of(&Mesh::cuboid([1.0; 3]));
        for axis in 0..3 {
            let mut normal = [0.0; 3];
            normal[axis] = 1.0;
            [part, _] = part.cut(&plane(normal, 0.25));
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
        assert_eq!(Part::of(&mesh).triangles.len(), 12);
        assert!(Part::of(&Mesh::default()).points.is_empty());
    }
}
