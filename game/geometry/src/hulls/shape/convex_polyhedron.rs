//! A convex part of a solid as a polyhedron whose faces are polygons, which planes can clip again and
//! again.

use super::convex_hull::{enclosed_volume, ConvexHull};
use crate::hulls::params::ON_PLANE;
use crate::math::{Aabb, Plane};
use glam::DVec3;

/// A convex polyhedron with polygons as faces, in flat arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolyhedron {
    pub points: Vec<DVec3>,
    /// The loops of all faces, counter-clockwise from outside.
    corners: Vec<u32>,
    faces: Vec<PolygonFace>,
    bounds: Aabb,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PolygonFace {
    plane: Plane,
    /// End of its loop in `corners`; the loop begins where that of the previous face ends.
    end: u32,
}

impl ConvexPolyhedron {
    pub fn from_hull(hull: &ConvexHull) -> Self {
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

    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// The part below a plane; `None` when there is none.
    pub fn clip(self, plane: &Plane) -> Option<Self> {
        let [low, high] = self.bounds.corners();
        let rounding = ON_PLANE * low.abs().max(high.abs()).max_element();
        let [lowest, highest] = plane.height_range(&self.points);
        if highest <= rounding {
            return Some(self);
        }
        if lowest >= -rounding {
            return None;
        }
        let mut clip = PolyhedronClip::new(&self, plane, rounding);
        for (plane, corners) in self.faces() {
            clip.clip_face(plane, corners);
        }
        clip.finish()
    }

    /// The faces as fans of triangles.
    fn fans(&self) -> impl Iterator<Item = (Plane, [u32; 3])> + '_ {
        self.faces().flat_map(|(plane, corners)| {
            let first = corners.first().copied();
            let pairs = corners.windows(2).skip(1);
            pairs.filter_map(move |pair| match (first, pair) {
                (Some(first), &[a, b]) => Some((plane, [first, a, b])),
                _ => None,
            })
        })
    }

    /// The faces as their planes and loops.
    fn faces(&self) -> impl Iterator<Item = (Plane, &[u32])> {
        let mut start = 0;
        self.faces.iter().map(move |face| {
            let range = start..face.end as usize;
            start = range.end;
            (face.plane, &self.corners[range])
        })
    }

    /// m^3
    pub fn volume(&self) -> f64 {
        enclosed_volume(&self.points, self.fans().map(|(_, triangle)| triangle))
    }

    /// The same polyhedron with its faces as fans of triangles.
    pub fn to_hull(&self) -> ConvexHull {
        let (planes, triangles) = self.fans().unzip();
        ConvexHull {
            points: self.points.clone(),
            triangles,
            planes,
        }
    }
}

/// A clip of a polyhedron by a plane, in progress.
struct PolyhedronClip<'a> {
    polyhedron: &'a ConvexPolyhedron,
    plane: Plane,
    /// By point of the polyhedron.
    heights: Vec<f64>,
    /// By point of the polyhedron: its number in `points`, if it is below the plane.
    new_index: Vec<u32>,
    points: Vec<DVec3>,
    corners: Vec<u32>,
    faces: Vec<PolygonFace>,
    /// The points where edges cross the plane, by edge with the smaller point first.
    crossings: Vec<([u32; 2], u32)>,
    /// The directed edges of the new face.
    cap_edges: Vec<[u32; 2]>,
}

impl<'a> PolyhedronClip<'a> {
    /// Points that are on the plane up to rounding count as below, so that rounding tears no loop.
    fn new(polyhedron: &'a ConvexPolyhedron, plane: &Plane, rounding: f64) -> Self {
        let snapped = |height: f64| {
            if height.abs() > rounding {
                height
            } else {
                0.0
            }
        };
        let old_points = polyhedron.points.iter();
        let heights = old_points.map(|point| snapped(plane.height(*point)));
        let heights: Vec<f64> = heights.collect();
        let mut points = Vec::with_capacity(polyhedron.points.len() + 8);
        let old_points = polyhedron.points.iter().zip(&heights);
        let new_index = old_points.map(|(point, height)| {
            if *height <= 0.0 {
                points.push(*point);
            }
            (points.len() as u32).wrapping_sub(1)
        });
        Self {
            new_index: new_index.collect(),
            polyhedron,
            plane: *plane,
            heights,
            points,
            corners: Vec::with_capacity(polyhedron.corners.len() + 16),
            faces: Vec::with_capacity(polyhedron.faces.len() + 1),
            crossings: Vec::new(),
            cap_edges: Vec::new(),
        }
    }

    fn is_below(&self, point: u32) -> bool {
        self.heights[point as usize] <= 0.0
    }

    /// Adds the part of a face below the plane, and the edge that the new face shares with it.
    fn clip_face(&mut self, plane: Plane, corners: &[u32]) {
        let start = self.corners.len();
        let (mut exit, mut entry) = (None, None);
        let Some(mut a) = corners.last().copied() else {
            return;
        };
        for &b in corners {
            if self.is_below(a) != self.is_below(b) {
                let crossing = self.crossing(a, b);
                self.corners.push(crossing);
                let end = if self.is_below(a) {
                    &mut exit
                } else {
                    &mut entry
                };
                *end = Some(crossing);
            }
            if self.is_below(b) {
                self.corners.push(self.new_index[b as usize]);
            }
            a = b;
        }
        self.cap_edges.extend(entry.zip(exit).map(<[u32; 2]>::from));
        self.end_face(start, plane);
    }

    /// Ends the face whose loop begins at `start`; drops it when it has less than three corners.
    fn end_face(&mut self, start: usize, plane: Plane) {
        if self.corners.len() < start + 3 {
            self.corners.truncate(start);
            return;
        }
        let end = self.corners.len() as u32;
        self.faces.push(PolygonFace { plane, end });
    }

    /// The point where an edge crosses the plane.
    fn crossing(&mut self, a: u32, b: u32) -> u32 {
        let edge = [a.min(b), a.max(b)];
        if let Some((_, known)) = self.crossings.iter().find(|(other, _)| *other == edge) {
            return *known;
        }
        let [a, b] = edge.map(|point| self.polyhedron.points[point as usize]);
        let [from, to] = edge.map(|point| self.heights[point as usize]);
        self.points.push(a + (b - a) * (from / (from - to)));
        let crossing = self.points.len() as u32 - 1;
        self.crossings.push((edge, crossing));
        crossing
    }

    /// Closes the polyhedron by the new face. `None` when rounding has torn its loop.
    fn finish(mut self) -> Option<ConvexPolyhedron> {
        let [first, mut last] = *self.cap_edges.first()?;
        let start = self.corners.len();
        self.corners.push(first);
        for _ in 0..self.cap_edges.len() {
            if last == first {
                break;
            }
            self.corners.push(last);
            last = self.cap_edges.iter().find(|edge| edge[0] == last)?[1];
        }
        self.end_face(start, self.plane);
        (last == first).then(|| ConvexPolyhedron {
            bounds: Aabb::from_points(self.points.iter().copied()),
            points: self.points,
            corners: self.corners,
            faces: self.faces,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hulls::shape::quickhull::convex_hull;

    fn plane(normal: [f64; 3], offset: f64) -> Plane {
        let normal = DVec3::from(normal).normalize();
        Plane { normal, offset }
    }

    fn flipped(plane: &Plane) -> Plane {
        Plane {
            normal: -plane.normal,
            offset: -plane.offset,
        }
    }

    fn cube() -> ConvexPolyhedron {
        let corner = |k: u32| DVec3::new((k & 1).into(), (k >> 1 & 1).into(), (k >> 2).into());
        let corners: Vec<DVec3> = (0..8).map(corner).collect();
        ConvexPolyhedron::from_hull(&convex_hull(&corners, 0.0, usize::MAX).expect("a cube"))
    }

    #[test]
    fn both_sides_of_planes_add_up_and_are_convex() {
        let mut polyhedra = vec![cube()];
        for cutter in [
            plane([1.0, 0.0, 0.0], 0.5),
            plane([1.0, 1.0, 0.0], 0.5f64.sqrt()), // through edges
            plane([1.0, 1.0, 1.0], 0.8),
            plane([0.3, -1.0, 0.2], -0.2),
            plane([0.0, 0.0, 1.0], 0.0), // along a face
        ] {
            let sides = |polyhedron: &ConvexPolyhedron| {
                let below = polyhedron.clone().clip(&cutter);
                below
                    .into_iter()
                    .chain(polyhedron.clone().clip(&flipped(&cutter)))
            };
            polyhedra = polyhedra.iter().flat_map(sides).collect();
            let volumes = polyhedra
                .iter()
                .map(|polyhedron| polyhedron.to_hull().volume());
            assert!((volumes.sum::<f64>() - 1.0).abs() < 1e-12);
            for polyhedron in &polyhedra {
                let hull = polyhedron.to_hull();
                assert!(hull.points.iter().all(|point| hull.height(*point) < 1e-12));
                assert!(hull.volume() > 0.0);
            }
        }
        assert!(polyhedra.len() > 8, "{}", polyhedra.len());
    }

    #[test]
    fn what_is_beyond_a_plane_or_on_it_is_nothing() {
        assert!(cube().clip(&plane([1.0, 0.0, 0.0], -0.1)).is_none());
        assert!(cube().clip(&plane([1.0, 0.0, 0.0], 0.0)).is_none());
        let all = cube().clip(&plane([1.0, 0.0, 0.0], 1.0));
        assert_eq!(all, Some(cube()));
    }
}
