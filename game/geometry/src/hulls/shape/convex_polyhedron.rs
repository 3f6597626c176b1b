//! A convex part of a solid, and what planes leave of it.

use crate::hulls::shape::convex_hull::{bounds, ConvexHull, Plane};
use glam::DVec3;

/// What is nearer to a plane than this part of the farthest coordinate is on it.
const ON: f64 = 1e-9;

/// A convex polyhedron that stands for a part of a solid, in flat arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolyhedron {
    pub points: Vec<DVec3>,
    /// The outlines of all faces, counter-clockwise from outside.
    corners: Vec<u32>,
    faces: Vec<PolygonFace>,
    bounds: [DVec3; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PolygonFace {
    plane: Plane,
    /// Where its outline ends; it begins where that of the face before does.
    end: u32,
}

impl ConvexPolyhedron {
    /// A hull.
    pub fn new(hull: &ConvexHull) -> Self {
        let ends = (1..).map(|count| 3 * count);
        let faces = hull.planes.iter().zip(ends);
        Self {
            points: hull.points.clone(),
            corners: hull.triangles.as_flattened().to_vec(),
            faces: faces
                .map(|(&plane, end)| PolygonFace { plane, end })
                .collect(),
            bounds: hull.bounds(),
        }
    }

    pub fn bounds(&self) -> &[DVec3; 2] {
        &self.bounds
    }

    /// How far it reaches below and above a plane.
    pub fn reach(&self, plane: &Plane) -> [f64; 2] {
        plane.reach(&self.points)
    }

    /// What is below a plane; `None` when nothing is.
    pub fn below(self, plane: &Plane) -> Option<Self> {
        let [low, high] = self.bounds;
        let on = ON * low.abs().max(high.abs()).max_element();
        let [lowest, highest] = self.reach(plane);
        if highest <= on {
            return Some(self);
        }
        if lowest >= -on {
            return None;
        }
        let mut cut = PolyhedronClip::new(&self, plane, on);
        for (plane, ring) in self.rings() {
            cut.face(plane, ring);
        }
        cut.finish()
    }

    /// Its faces.
    fn rings(&self) -> impl Iterator<Item = (Plane, &[u32])> {
        let mut start = 0;
        self.faces.iter().map(move |face| {
            let ring = start..face.end as usize;
            start = ring.end;
            (face.plane, &self.corners[ring])
        })
    }

    /// The same with triangles.
    pub fn polyhedron(&self) -> ConvexHull {
        let (mut triangles, mut planes) = (Vec::new(), Vec::new());
        for (plane, ring) in self.rings() {
            if let [first, rest @ ..] = ring {
                for pair in rest.windows(2) {
                    triangles.push([*first, pair[0], pair[1]]);
                    planes.push(plane);
                }
            }
        }
        ConvexHull {
            points: self.points.clone(),
            triangles,
            planes,
        }
    }
}

/// A cut under way.
struct PolyhedronClip<'a> {
    block: &'a ConvexPolyhedron,
    plane: Plane,
    heights: Vec<f64>,
    /// By point of the block: its number below the plane.
    number: Vec<u32>,
    points: Vec<DVec3>,
    corners: Vec<u32>,
    faces: Vec<PolygonFace>,
    /// By edge, smaller point first.
    crossings: Vec<([u32; 2], u32)>,
    /// The outline of the new face, edge by edge.
    rim: Vec<[u32; 2]>,
}

impl<'a> PolyhedronClip<'a> {
    /// Points that are on the plane count as below it, so that rounding tears no outline.
    fn new(block: &'a ConvexPolyhedron, plane: &Plane, on: f64) -> Self {
        let height = |point: &DVec3| plane.height(*point);
        let snapped = |height: f64| if height.abs() > on { height } else { 0.0 };
        let heights = block.points.iter().map(|point| snapped(height(point)));
        let heights: Vec<f64> = heights.collect();
        let mut points = Vec::with_capacity(block.points.len() + 8);
        let number = block.points.iter().zip(&heights).map(|(point, height)| {
            if *height <= 0.0 {
                points.push(*point);
            }
            (points.len() as u32).wrapping_sub(1)
        });
        Self {
            number: number.collect(),
            block,
            plane: *plane,
            heights,
            points,
            corners: Vec::with_capacity(block.corners.len() + 16),
            faces: Vec::with_capacity(block.faces.len() + 1),
            crossings: Vec::new(),
            rim: Vec::new(),
        }
    }

    fn is_below(&self, point: u32) -> bool {
        self.heights[point as usize] <= 0.0
    }

    /// Keeps what is left of a face.
    fn face(&mut self, plane: Plane, ring: &[u32]) {
        let start = self.corners.len();
        let (mut leaves, mut comes) = (None, None);
        let Some(mut a) = ring.last().copied() else {
            return;
        };
        for &b in ring {
            if self.is_below(a) != self.is_below(b) {
                let crossing = self.crossing(a, b);
                self.corners.push(crossing);
                *if self.is_below(a) {
                    &mut leaves
                } else {
                    &mut comes
                } = Some(crossing);
            }
            if self.is_below(b) {
                self.corners.push(self.number[b as usize]);
            }
            a = b;
        }
        self.rim.extend(comes.zip(leaves).map(<[u32; 2]>::from));
        self.end_face(start, plane);
    }

    fn end_face(&mut self, start: usize, plane: Plane) {
        if self.corners.len() < start + 3 {
            self.corners.truncate(start);
            return;
        }
        let end = self.corners.len() as u32;
        self.faces.push(PolygonFace { plane, end });
    }

    fn crossing(&mut self, a: u32, b: u32) -> u32 {
        let key = [a.min(b), a.max(b)];
        if let Some((_, known)) = self.crossings.iter().find(|(edge, _)| *edge == key) {
            return *known;
        }
        let [a, b] = key.map(|point| self.block.points[point as usize]);
        let [from, to] = key.map(|point| self.heights[point as usize]);
        self.points.push(a + (b - a) * (from / (from - to)));
        let new = self.points.len() as u32 - 1;
        self.crossings.push((key, new));
        new
    }

    /// Closes it by the new face, which runs against those around it. `None` when rounding has torn the
    /// outline.
    fn finish(mut self) -> Option<ConvexPolyhedron> {
        let [first, mut at] = *self.rim.first()?;
        let start = self.corners.len();
        self.corners.push(first);
        for _ in 0..self.rim.len() {
            if at == first {
                break;
            }
            self.corners.push(at);
            at = self.rim.iter().find(|edge| edge[0] == at)?[1];
        }
        self.end_face(start, self.plane);
        (at == first).then(|| ConvexPolyhedron {
            bounds: bounds(&self.points),
            points: self.points,
            corners: self.corners,
            faces: self.faces,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hulls::shape::quickhull::hull;

    fn plane(normal: [f64; 3], offset: f64) -> Plane {
        let normal = DVec3::from(normal).normalize();
        Plane { normal, offset }
    }

    fn turned(plane: &Plane) -> Plane {
        Plane {
            normal: -plane.normal,
            offset: -plane.offset,
        }
    }

    fn cube() -> ConvexPolyhedron {
        let corner = |k: u32| DVec3::new((k & 1).into(), (k >> 1 & 1).into(), (k >> 2).into());
        let corners: Vec<DVec3> = (0..8).map(corner).collect();
        ConvexPolyhedron::new(&hull(&corners, 0.0, usize::MAX).expect("a cube"))
    }

    #[test]
    fn both_sides_of_planes_add_up_and_are_convex() {
        let mut blocks = vec![cube()];
        for cutter in [
            plane([1.0, 0.0, 0.0], 0.5),
            plane([1.0, 1.0, 0.0], 0.5f64.sqrt()), // through edges
            plane([1.0, 1.0, 1.0], 0.8),
            plane([0.3, -1.0, 0.2], -0.2),
            plane([0.0, 0.0, 1.0], 0.0), // along a face
        ] {
            let sides = |block: &ConvexPolyhedron| {
                let below = block.clone().below(&cutter);
                below
                    .into_iter()
                    .chain(block.clone().below(&turned(&cutter)))
            };
            blocks = blocks.iter().flat_map(sides).collect();
            let volumes = blocks.iter().map(|block| block.polyhedron().volume());
            assert!((volumes.sum::<f64>() - 1.0).abs() < 1e-12);
            for block in &blocks {
                let own = block.polyhedron();
                assert!(own.points.iter().all(|point| own.height(*point) < 1e-12));
                assert!(own.volume() > 0.0);
            }
        }
        assert!(blocks.len() > 8, "{}", blocks.len());
    }

    #[test]
    fn what_is_beyond_a_plane_or_on_it_is_nothing() {
        assert!(cube().below(&plane([1.0, 0.0, 0.0], -0.1)).is_none());
        assert!(cube().below(&plane([1.0, 0.0, 0.0], 0.0)).is_none());
        let all = cube().below(&plane([1.0, 0.0, 0.0], 1.0));
        assert_eq!(all, Some(cube()));
    }
}
