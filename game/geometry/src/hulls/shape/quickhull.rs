//! The convex hull of points, up to a tolerance: farthest point first (Barber, Dobkin, Huhdanpaa, "The
//! Quickhull Algorithm for Convex Hulls", 1996), and no more once all that is left is near.
//!
//! A point that rounding would let tear the surface is passed over, so that nothing here can fail but
//! by being flat.

use crate::hulls::shape::convex_hull::{ConvexHull, Plane};
use crate::hulls::shape::simplex::simplex;
use crate::math::triangle::triangle_distance;
use glam::DVec3;

/// A face is seen from what is higher than this (of the size of the points) below it, so that flat
/// neighbours go together; one after the other until what is seen has a simple rim.
const FLAT: [f64; 4] = [1e-7, 1e-6, 1e-5, 1e-4];
/// A thin hull is met to this part of its thickness.
const OF_THICKNESS: f64 = 0.05;
const NONE: u32 = u32::MAX;
/// The height of a face that is no more.
const GONE: f64 = -1.0;

/// The hull of some points, or of so many of them that no other is farther than `tolerance` outside,
/// but of not more than `limit` points. `None` when they all but lie in a plane. Points are finite.
pub fn hull(points: &[DVec3], tolerance: f64, limit: usize) -> Option<ConvexHull> {
    let mut growing = HullBuilder::start(points, tolerance)?;
    let mut used = 4;
    while used < limit.max(4) {
        let Some(face) = growing.farthest().or_else(|| growing.beyond_an_edge()) else {
            break;
        };
        if growing.take(face) {
            used += 1;
        }
    }
    Some(growing.finish())
}

struct HullFace {
    corners: [u32; 3],
    /// Across the edge from each corner to the next.
    neighbors: [u32; 3],
    plane: Plane,
    /// The points above it that belong to no other face: the first of a list.
    outside: u32,
    /// Which of those is farthest.
    far: u32,
}

struct HullBuilder<'a> {
    points: &'a [DVec3],
    faces: Vec<HullFace>,
    /// By face: how far the farthest point above it is; less than 0 for a face that is gone.
    heights: Vec<f64>,
    /// By point: the next above the same face.
    next: Vec<u32>,
    tolerance: f64,
    size: f64,
    visible: Vec<u32>,
    /// The outer side of the visible faces: points of the edge, and the face beyond.
    rim: Vec<(u32, u32, u32)>,
}

impl<'a> HullBuilder<'a> {
    fn start(points: &'a [DVec3], tolerance: f64) -> Option<Self> {
        let (corners, size, thickness) = simplex(points)?;
        let mut growing = Self {
            points,
            faces: Vec::with_capacity(64),
            heights: Vec::with_capacity(64),
            next: vec![NONE; points.len()],
            tolerance: tolerance.min(OF_THICKNESS * thickness).max(FLAT[0] * size),
            size,
            visible: Vec::new(),
            rim: Vec::new(),
        };
        let [a, b, c, d] = corners;
        for (corners, neighbors) in [
            ([a, b, c], [1, 2, 3]),
            ([b, a, d], [0, 3, 2]),
            ([c, b, d], [0, 1, 3]),
            ([a, c, d], [0, 2, 1]),
        ] {
            let face = growing.face(corners)?;
            growing.push(HullFace { neighbors, ..face });
        }
        for point in 0..points.len() as u32 {
            growing.share(point, 0);
        }
        Some(growing)
    }

    fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    /// A face without neighbours; `None` when it has no area.
    fn face(&self, corners: [u32; 3]) -> Option<HullFace> {
        let [a, b, c] = corners.map(|corner| self.point(corner));
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some(HullFace {
            corners,
            neighbors: [NONE; 3],
            plane: Plane::through(normal, (a + b + c) / 3.0),
            outside: NONE,
            far: NONE,
        })
    }

    fn push(&mut self, face: HullFace) {
        self.faces.push(face);
        self.heights.push(0.0);
    }

    /// Gives a point to the highest of the faces from `first` on; above none it is done with.
    fn share(&mut self, index: u32, first: usize) {
        let point = self.points[index as usize];
        let mut best = (FLAT[0] * self.size, None);
        let known = self.faces.iter_mut().zip(&mut self.heights).skip(first);
        for (face, height) in known {
            let above = face.plane.height(point);
            if above > best.0 && *height > GONE {
                best = (above, Some((face, height)));
            }
        }
        if let (above, Some((face, height))) = best {
            self.next[index as usize] = face.outside;
            face.outside = index;
            if above > *height {
                *height = above;
                face.far = index;
            }
        }
    }

    /// The face with the farthest point, if that is farther than it may be.
    fn farthest(&self) -> Option<u32> {
        let mut best = (self.tolerance, None);
        for (index, height) in (0..).zip(&self.heights) {
            if *height > best.0 {
                best = (*height, Some(index));
            }
        }
        best.1
    }

    /// A face with a point that is farther from the hull than it may be, though not above any face by as
    /// much: beyond a sharp edge. That is its farthest then.
    fn beyond_an_edge(&mut self) -> Option<u32> {
        let alive = |(_, height): &(&HullFace, &f64)| **height > GONE;
        let faces = || self.faces.iter().zip(&self.heights);
        let allowed = self.tolerance * self.tolerance;
        let is_near = |point: DVec3, face: &HullFace| {
            triangle_distance(point, face.corners.map(|corner| self.point(corner))) <= allowed
        };
        for (index, (face, height)) in faces().enumerate() {
            let mut next = if *height > GONE { face.outside } else { NONE };
            while next != NONE {
                let point = self.point(next);
                let is_known = is_near(point, face);
                if !is_known && !faces().filter(alive).any(|(face, _)| is_near(point, face)) {
                    self.faces[index].far = next;
                    return Some(index as u32);
                }
                next = self.next[next as usize];
            }
        }
        None
    }

    /// Takes a face's farthest point in; or passes it over, when its rim is not one simple loop.
    fn take(&mut self, seed: u32) -> bool {
        let apex = self.faces[seed as usize].far;
        let mut fan = None;
        for flat in FLAT {
            self.look_from(apex, seed, flat * self.size);
            fan = self.fan(apex);
            if fan.is_some() {
                break;
            }
        }
        let Some(fan) = fan else {
            self.pass_over(seed, apex);
            return false;
        };
        let first = self.faces.len();
        for face in &self.visible {
            self.heights[*face as usize] = GONE;
        }
        let count = fan.len();
        for (k, mut face) in fan.into_iter().enumerate() {
            let (from, to, beyond) = self.rim[k];
            let at = |k: usize| (first + k % count) as u32;
            face.neighbors = [beyond, at(k + 1), at(k + count - 1)];
            let beyond = &mut self.faces[beyond as usize];
            for edge in 0..3 {
                if [beyond.corners[edge], beyond.corners[(edge + 1) % 3]] == [to, from] {
                    beyond.neighbors[edge] = at(k);
                }
            }
            self.push(face);
        }
        for k in 0..self.visible.len() {
            let mut point = self.faces[self.visible[k] as usize].outside;
            while point != NONE {
                let next = self.next[point as usize];
                if point != apex {
                    self.share(point, first);
                }
                point = next;
            }
        }
        true
    }

    /// Finds the faces that a point sees, and their rim.
    fn look_from(&mut self, apex: u32, seed: u32, flat: f64) {
        let point = self.point(apex);
        self.visible.clear();
        self.rim.clear();
        self.visible.push(seed);
        let mut next = 0;
        while let Some(&at) = self.visible.get(next) {
            next += 1;
            for edge in 0..3 {
                let face = &self.faces[at as usize];
                let beyond = face.neighbors[edge];
                if self.visible.contains(&beyond) {
                    continue;
                }
                if self.faces[beyond as usize].plane.height(point) > -flat {
                    self.visible.push(beyond);
                }
            }
        }
        for &at in &self.visible {
            let face = &self.faces[at as usize];
            for edge in 0..3 {
                let beyond = face.neighbors[edge];
                if !self.visible.contains(&beyond) {
                    let ends = [face.corners[edge], face.corners[(edge + 1) % 3]];
                    self.rim.push((ends[0], ends[1], beyond));
                }
            }
        }
    }

    /// Puts the rim in order and makes a face over each of its edges.
    fn fan(&mut self, apex: u32) -> Option<Vec<HullFace>> {
        let rim = &mut self.rim;
        for k in 1..rim.len() {
            let (_, end, _) = rim[k - 1];
            let next = (k..rim.len()).find(|next| rim[*next].0 == end)?;
            rim.swap(k, next);
        }
        let (first, last) = (rim.first()?, rim.last()?);
        if rim.len() < 3 || last.1 != first.0 {
            return None;
        }
        // A point that comes up twice pinches the loop.
        let mut starts: Vec<u32> = rim.iter().map(|edge| edge.0).collect();
        starts.sort_unstable();
        if starts.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let over = |(from, to, _): &(u32, u32, u32)| self.face([*from, *to, apex]);
        self.rim.iter().map(over).collect()
    }

    /// Takes a point off a face's list.
    fn pass_over(&mut self, seed: u32, apex: u32) {
        let face = &mut self.faces[seed as usize];
        let mut point = std::mem::replace(&mut face.outside, NONE);
        let (mut far, plane) = ((0.0, NONE), face.plane);
        while point != NONE {
            let next = self.next[point as usize];
            if point != apex {
                self.next[point as usize] = face.outside;
                face.outside = point;
                let height = plane.height(self.points[point as usize]);
                if height > far.0 {
                    far = (height, point);
                }
            }
            point = next;
        }
        (self.heights[seed as usize], face.far) = far;
    }

    fn finish(self) -> ConvexHull {
        let mut number = vec![NONE; self.points.len()];
        let (mut points, mut triangles, mut planes) = (Vec::new(), Vec::new(), Vec::new());
        let alive = self.faces.iter().zip(&self.heights);
        for (face, _) in alive.filter(|(_, height)| **height > GONE) {
            triangles.push(face.corners.map(|corner| {
                let slot = &mut number[corner as usize];
                if *slot == NONE {
                    *slot = points.len() as u32;
                    points.push(self.points[corner as usize]);
                }
                *slot
            }));
            planes.push(face.plane);
        }
        ConvexHull {
            points,
            triangles,
            planes,
        }
    }
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
            if let Some(hull) = hull(&points, 0.0, usize::MAX) {
                check(&points, &hull, 0.0);
            }
        }
    }

    #[test]
    fn a_box_has_eight_corners_however_finely_it_is_divided() {
        let grid = |k: i32| DVec3::new(f64::from(k % 6), f64::from(k / 6 % 6), f64::from(k / 36));
        let points: Vec<DVec3> = (0..216).map(grid).collect();
        let hull = hull(&points, 1e-6, usize::MAX).unwrap();
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
        let near = hull(&points, 0.02, usize::MAX).unwrap();
        check(&points, &near, 0.02);
        assert!(near.points.len() < 300, "{}", near.points.len());
        assert_eq!(hull(&points, 0.0, 20).unwrap().points.len(), 20);
        let flat: Vec<DVec3> = points.iter().map(|p| DVec3::new(p.x, p.y, 0.5)).collect();
        assert!(hull(&flat, 0.0, 64).is_none());
        assert!(hull(&[], 0.0, 64).is_none());
        assert!(hull(&[DVec3::ONE; 9], 0.0, 64).is_none());
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
        let near = hull(&points, 0.004, 128).unwrap();
        check(&points, &near, 0.00401);
    }
}
