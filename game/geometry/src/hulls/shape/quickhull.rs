//! The convex hull of points up to a slack, farthest point first (Barber, Dobkin, Huhdanpaa, "The
//! Quickhull Algorithm for Convex Hulls", 1996), ending once all points that are left are near the
//! hull.
//!
//! A point that rounding would let tear the surface is passed over, so that only flat points have no
//! hull.

use super::convex_hull::ConvexHull;
use crate::hulls::params::{MAX_SLACK_OF_THICKNESS, MIN_THICKNESS, VISIBILITY_SLACK};
use crate::math::triangle::triangle_distance_squared;
use crate::math::{Plane, SparseSet, NONE};
use glam::DVec3;

/// Faces for which there is room at first: as many as a hull of 32 points has while it is made.
const FACES_AT_FIRST: usize = 256;

/// Faces that a point sees, edges of their horizon and so on, for which there is room at first.
const VISIBLE_AT_FIRST: usize = 32;

/// Height of the farthest point above a face that has been removed.
const REMOVED: f64 = -1.0;

/// The convex hull of finite points, or of so many of them that no other is farther outside than
/// `slack` (metres), but of at most `max_points`. `None` when they all but lie in a plane.
pub fn convex_hull(points: &[DVec3], slack: f64, max_points: usize) -> Option<ConvexHull> {
    let mut builder = HullBuilder::new(points, slack)?;
    let mut used = 4;
    while used < max_points.max(4) {
        let Some(face) = builder
            .farthest_face()
            .or_else(|| builder.face_with_far_point())
        else {
            break;
        };
        if builder.add_point(face) {
            used += 1;
        }
    }
    Some(builder.finish())
}

struct HullFace {
    corners: [u32; 3],
    /// The faces across the edge from each corner to the next.
    neighbors: [u32; 3],
    plane: Plane,
    /// Outside set: the points above this face that no other face has, as the first of a list in
    /// `next`.
    outside: u32,
    /// The farthest of those.
    farthest: u32,
}

/// An edge between a visible face and one that is not.
struct HorizonEdge {
    from: u32,
    to: u32,
    /// The face that is not visible.
    beyond: u32,
}

struct HullBuilder<'a> {
    points: &'a [DVec3],
    faces: Vec<HullFace>,
    /// By face: height of its farthest point, or [`REMOVED`].
    heights: Vec<f64>,
    /// By point: the next in the outside set of the same face.
    next: Vec<u32>,
    /// Distance outside at which points are left out, metres.
    slack: f64,
    size: f64,
    visible: Vec<u32>,
    horizon: Vec<HorizonEdge>,
    /// Points at which edges of the horizon start.
    starts: Vec<u32>,
    /// The faces over the edges of the horizon.
    fan: Vec<HullFace>,
}

impl<'a> HullBuilder<'a> {
    fn new(points: &'a [DVec3], slack: f64) -> Option<Self> {
        let Simplex {
            corners: [a, b, c, d],
            size,
            thickness,
        } = Simplex::new(points)?;
        let thin_slack = MAX_SLACK_OF_THICKNESS * thickness;
        let mut builder = Self {
            points,
            faces: Vec::with_capacity(FACES_AT_FIRST),
            heights: Vec::with_capacity(FACES_AT_FIRST),
            next: vec![NONE; points.len()],
            slack: slack.min(thin_slack).max(VISIBILITY_SLACK[0] * size),
            size,
            visible: Vec::with_capacity(VISIBLE_AT_FIRST),
            horizon: Vec::with_capacity(VISIBLE_AT_FIRST),
            starts: Vec::with_capacity(VISIBLE_AT_FIRST),
            fan: Vec::with_capacity(VISIBLE_AT_FIRST),
        };
        for (corners, neighbors) in [
            ([a, b, c], [1, 2, 3]),
            ([b, a, d], [0, 3, 2]),
            ([c, b, d], [0, 1, 3]),
            ([a, c, d], [0, 2, 1]),
        ] {
            let face = builder.face(corners)?;
            builder.push(HullFace { neighbors, ..face });
        }
        for point in 0..points.len() as u32 {
            builder.assign_outside(point, 0);
        }
        Some(builder)
    }

    fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    /// A face without neighbors; `None` when it has no area.
    fn face(&self, corners: [u32; 3]) -> Option<HullFace> {
        let [a, b, c] = corners.map(|corner| self.point(corner));
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some(HullFace {
            corners,
            neighbors: [NONE; 3],
            plane: Plane::through(normal, (a + b + c) / 3.0),
            outside: NONE,
            farthest: NONE,
        })
    }

    fn push(&mut self, face: HullFace) {
        self.faces.push(face);
        self.heights.push(0.0);
    }

    /// Adds a point to the outside set of the face from `first_face` on that it is highest above, if
    /// there is one. None of these has been removed.
    fn assign_outside(&mut self, index: u32, first_face: usize) {
        let point = self.points[index as usize];
        let (mut highest, mut best) = (VISIBILITY_SLACK[0] * self.size, None);
        for (at, face) in self.faces[first_face..].iter().enumerate() {
            let above = face.plane.height(point);
            if above > highest {
                (highest, best) = (above, Some(first_face + at));
            }
        }
        let Some(best) = best else {
            return;
        };
        let (face, height) = (&mut self.faces[best], &mut self.heights[best]);
        self.next[index as usize] = face.outside;
        face.outside = index;
        if highest > *height {
            *height = highest;
            face.farthest = index;
        }
    }

    /// The face with the highest point above it, if that is higher than the slack.
    fn farthest_face(&self) -> Option<u32> {
        let mut best = (self.slack, None);
        for (index, height) in (0..).zip(&self.heights) {
            if *height > best.0 {
                best = (*height, Some(index));
            }
        }
        best.1
    }

    /// A face with a point that is farther from the hull than the slack although above no plane by as
    /// much, because it is beyond a sharp edge. Makes that point the face's farthest.
    fn face_with_far_point(&mut self) -> Option<u32> {
        let is_alive = |(_, height): &(&HullFace, &f64)| **height > REMOVED;
        let faces = || self.faces.iter().zip(&self.heights);
        let limit = self.slack * self.slack;
        let is_near = |point: DVec3, face: &HullFace| {
            triangle_distance_squared(point, face.corners.map(|corner| self.point(corner))) <= limit
        };
        for (index, (face, height)) in faces().enumerate() {
            let mut next = if *height > REMOVED {
                face.outside
            } else {
                NONE
            };
            while next != NONE {
                let point = self.point(next);
                let is_near_own = is_near(point, face);
                let is_near_any = || {
                    faces()
                        .filter(is_alive)
                        .any(|(face, _)| is_near(point, face))
                };
                if !is_near_own && !is_near_any() {
                    self.faces[index].farthest = next;
                    return Some(index as u32);
                }
                next = self.next[next as usize];
            }
        }
        None
    }

    /// Adds a face's farthest point to the hull. Passes it over and returns `false` when its horizon is
    /// not one simple loop.
    fn add_point(&mut self, seed: u32) -> bool {
        let apex = self.faces[seed as usize].farthest;
        let has_fan = VISIBILITY_SLACK.iter().any(|slack| {
            self.find_visible(apex, seed, slack * self.size);
            self.make_fan(apex).is_some()
        });
        if !has_fan {
            self.pass_over(seed, apex);
            return false;
        }
        let first = self.faces.len();
        for face in &self.visible {
            self.heights[*face as usize] = REMOVED;
        }
        self.link_fan();
        for k in 0..self.visible.len() {
            let mut point = self.faces[self.visible[k] as usize].outside;
            while point != NONE {
                let next = self.next[point as usize];
                if point != apex {
                    self.assign_outside(point, first);
                }
                point = next;
            }
        }
        true
    }

    /// Adds the faces over the edges of the horizon, with their neighbors.
    fn link_fan(&mut self) {
        let (first, count) = (self.faces.len(), self.fan.len());
        let index = |k: usize| (first + k % count) as u32;
        for (k, mut face) in self.fan.drain(..).enumerate() {
            let HorizonEdge { from, to, beyond } = self.horizon[k];
            face.neighbors = [beyond, index(k + 1), index(k + count - 1)];
            let beyond = &mut self.faces[beyond as usize];
            for edge in 0..3 {
                if [beyond.corners[edge], beyond.corners[(edge + 1) % 3]] == [to, from] {
                    beyond.neighbors[edge] = index(k);
                }
            }
            self.faces.push(face);
            self.heights.push(0.0);
        }
    }

    /// Finds the faces visible from a point that is at most `slack` below their planes, and their
    /// horizon.
    fn find_visible(&mut self, apex: u32, seed: u32, slack: f64) {
        let point = self.point(apex);
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(seed);
        let mut next = 0;
        while let Some(&at) = self.visible.get(next) {
            next += 1;
            for beyond in self.faces[at as usize].neighbors {
                if self.visible.contains(&beyond) {
                    continue;
                }
                if self.faces[beyond as usize].plane.height(point) > -slack {
                    self.visible.push(beyond);
                }
            }
        }
        for &at in &self.visible {
            let face = &self.faces[at as usize];
            for edge in 0..3 {
                let beyond = face.neighbors[edge];
                if !self.visible.contains(&beyond) {
                    let (from, to) = (face.corners[edge], face.corners[(edge + 1) % 3]);
                    self.horizon.push(HorizonEdge { from, to, beyond });
                }
            }
        }
    }

    /// Sorts the horizon into a loop and makes the fan of faces over its edges. `None` when it is not one simple loop.
    fn make_fan(&mut self, apex: u32) -> Option<()> {
        let horizon = &mut self.horizon;
        for k in 1..horizon.len() {
            let end = horizon[k - 1].to;
            let next = (k..horizon.len()).find(|next| horizon[*next].from == end)?;
            horizon.swap(k, next);
        }
        let (first, last) = (horizon.first()?, horizon.last()?);
        if horizon.len() < 3 || last.to != first.from {
            return None;
        }
        // A point that comes up twice pinches the loop.
        let starts = &mut self.starts;
        starts.clear();
        starts.extend(horizon.iter().map(|edge| edge.from));
        starts.sort_unstable();
        if starts.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        self.fan.clear();
        for edge in &self.horizon {
            let face = self.face([edge.from, edge.to, apex])?;
            self.fan.push(face);
        }
        Some(())
    }

    /// Removes a point from a face's outside set.
    fn pass_over(&mut self, seed: u32, removed: u32) {
        let face = &mut self.faces[seed as usize];
        let mut point = std::mem::replace(&mut face.outside, NONE);
        let (mut farthest, plane) = ((0.0, NONE), face.plane);
        while point != NONE {
            let next = self.next[point as usize];
            if point != removed {
                self.next[point as usize] = face.outside;
                face.outside = point;
                let height = plane.height(self.points[point as usize]);
                if height > farthest.0 {
                    farthest = (height, point);
                }
            }
            point = next;
        }
        (self.heights[seed as usize], face.farthest) = farthest;
    }

    fn finish(self) -> ConvexHull {
        let mut used = SparseSet::with_id_capacity(self.points.len());
        let (mut triangles, mut planes) = (Vec::new(), Vec::new());
        let faces = self.faces.iter().zip(&self.heights);
        for (face, _) in faces.filter(|(_, height)| **height > REMOVED) {
            triangles.push(face.corners.map(|corner| used.insert(corner)));
            planes.push(face.plane);
        }
        ConvexHull {
            points: used
                .ids()
                .iter()
                .map(|corner| self.point(*corner))
                .collect(),
            triangles,
            planes,
        }
    }
}

/// The initial tetrahedron of a hull.
struct Simplex {
    /// Four points far from each other. The first three are counter-clockwise seen from the side away
    /// from the fourth.
    corners: [u32; 4],
    /// Greatest distance between the two extreme points along an axis, metres.
    size: f64,
    /// Height of the fourth point over the others, metres.
    thickness: f64,
}

impl Simplex {
    /// `None` when the points all but lie in a plane.
    fn new(points: &[DVec3]) -> Option<Self> {
        points.first()?;
        let at = |index: u32| points[index as usize];
        let (mut lowest, mut highest) = ([0; 3], [0; 3]);
        for (index, point) in (0..).zip(points) {
            for axis in 0..3 {
                if point[axis] < at(lowest[axis])[axis] {
                    lowest[axis] = index;
                }
                if point[axis] > at(highest[axis])[axis] {
                    highest[axis] = index;
                }
            }
        }
        let extremes = |axis: usize| {
            let (low, high) = (lowest[axis], highest[axis]);
            (at(low).distance(at(high)), low, high)
        };
        let longer = |x: (f64, u32, u32), y: (f64, u32, u32)| if y.0 > x.0 { y } else { x };
        let (size, a, b) = [1, 2].map(extremes).into_iter().fold(extremes(0), longer);
        let along = (at(b) - at(a)).try_normalize()?;
        let (_, c) = farthest_point(points, |p| (p - at(a)).cross(along).length_squared());
        let normal = (at(b) - at(a)).cross(at(c) - at(a)).try_normalize()?;
        let (thickness, d) = farthest_point(points, |p| normal.dot(p - at(a)).abs());
        let is_thick = thickness > MIN_THICKNESS * size && size.is_finite();
        let is_above = normal.dot(at(d) - at(a)) > 0.0;
        let [b, c] = if is_above { [c, b] } else { [b, c] };
        is_thick.then_some(Self {
            corners: [a, b, c, d],
            size,
            thickness,
        })
    }
}

/// The greatest distance of a point by some measure, and that point.
fn farthest_point(points: &[DVec3], measure: impl Fn(DVec3) -> f64) -> (f64, u32) {
    let mut best = (f64::NEG_INFINITY, 0);
    for (index, point) in (0..).zip(points) {
        let distance = measure(*point);
        if distance > best.0 {
            best = (distance, index);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn check(points: &[DVec3], hull: &ConvexHull, tolerance: f64) {
        for point in points {
            let above = hull.height(*point);
            assert!(above <= tolerance + 1e-9, "{above}");
        }
        for point in &hull.points {
            assert!(hull.height(*point) <= 1e-7, "not convex");
        }
        let edges = hull.triangles.len() * 3 / 2;
        assert_eq!(hull.points.len() + hull.triangles.len(), edges + 2);
    }

    #[test]
    fn the_hull_of_random_points_is_convex_and_around_them() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        for round in 0..300 {
            let count = random.random_range(4..200);
            let step = if round % 3 == 0 { 0.125 } else { 0.0 };
            let mut draw = || {
                let x: f64 = random.random_range(-1.0..1.0);
                if step > 0.0 {
                    (x / step).round() * step
                } else {
                    x
                }
            };
            let points: Vec<DVec3> = (0..count)
                .map(|_| DVec3::new(draw(), draw(), draw()))
                .collect();
            if let Some(hull) = convex_hull(&points, 0.0, usize::MAX) {
                check(&points, &hull, 0.0);
            }
        }
    }

    #[test]
    fn a_box_has_eight_corners_however_finely_it_is_divided() {
        let grid = |k: i32| DVec3::new(f64::from(k % 6), f64::from(k / 6 % 6), f64::from(k / 36));
        let points: Vec<DVec3> = (0..216).map(grid).collect();
        let hull = convex_hull(&points, 1e-6, usize::MAX).unwrap();
        assert!((hull.volume() - 125.0).abs() < 1e-9);
        check(&points, &hull, 1e-6);
        assert_eq!(hull.points.len(), 8);
    }

    #[test]
    fn a_tolerance_saves_points_and_flat_sets_have_no_hull() {
        let sphere = Mesh::sphere(1.0, 64, 32);
        let points: Vec<DVec3> = sphere
            .positions
            .iter()
            .map(|p| glam::Vec3::from(*p).as_dvec3())
            .collect();
        let near = convex_hull(&points, 0.02, usize::MAX).unwrap();
        check(&points, &near, 0.02);
        assert!(near.points.len() < 300, "{}", near.points.len());
        assert_eq!(convex_hull(&points, 0.0, 20).unwrap().points.len(), 20);
        let flat: Vec<DVec3> = points.iter().map(|p| DVec3::new(p.x, p.y, 0.5)).collect();
        assert!(convex_hull(&flat, 0.0, 64).is_none());
        assert!(convex_hull(&[], 0.0, 64).is_none());
        assert!(convex_hull(&[DVec3::ONE; 9], 0.0, 64).is_none());
    }

    #[test]
    fn what_is_beyond_a_sharp_edge_is_not_left_out() {
        let points: &[[f64; 3]] = &[
            [-0.16141145, -0.5, -0.31618863],
            [-0.14847893, -0.5, -0.35845974],
            [-0.14095934, -0.45390683, -0.41679558],
            [-0.12907395, -0.5, -0.42188665],
            [-0.09691235, -0.5, -0.23396704],
            [-0.07803109, -0.5, -0.39228877],
            [-0.029426778, -0.5, -0.1479384],
            [-1.5169661e-8, -0.5, -0.3470414],
            [-4.8268736e-9, -0.5, -0.110426],
            [0.01752206, -0.5, -0.08808938],
            [0.025445102, -0.41546783, -0.3103107],
            [0.02993398, -0.5, -0.07226702],
            [0.039845172, -0.5, -0.05963252],
            [0.048543785, -0.5, -0.048543785],
            [0.0568342, -0.5, -0.0379754],
            [0.061892048, -0.5, -0.3111525],
            [0.065380104, -0.5, -0.02708133],
            [0.074931964, -0.5, -0.014904895],
            [0.086624175, -0.5, 0.0],
            [0.10263986, -0.5, 0.020416327],
            [0.115909316, -0.5, -0.27982983],
            [0.12831913, -0.5, 0.05315152],
            [0.12959863, -0.5, -0.27189192],
            [0.15706106, -0.5, -0.23505852],
            [0.18204318, -0.5, 0.12163739],
            [0.1903758, -0.5, -0.1903758],
            [0.2218133, -0.5, -0.14821091],
            [0.2539037, -0.5, -0.10517036],
            [0.2893977, -0.5, -0.05756478],
            [0.3323171, -0.5, 0.0],
            [0.35887963, -0.5, 0.34706336],
            [0.3901837, -0.5, 0.07761232],
            [0.39609385, -0.45275605, 0.2646615],
            [0.41265064, -0.42198846, 0.20120852],
            [0.4157348, -0.5, 0.27778515],
            [0.45144615, -0.47728354, 0.1869951],
            [0.46193978, -0.5, 0.19134171],
            [0.46571055, -0.5, 0.17891116],
        ];
        let points: Vec<DVec3> = points.iter().copied().map(DVec3::from).collect();
        let near = convex_hull(&points, 0.004, 128).unwrap();
        check(&points, &near, 0.00401);
    }
}
