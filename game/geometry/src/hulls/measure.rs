//! How well hulls fit, measured and not sampled: for tests, benchmarks and reports.
//!
//! The distance from a solid changes by no more than the place does. So a cube whose middle is at a distance
//! `d` and whose corners are `r` from there holds nothing farther than `d + r`; cubes that might hold the
//! farthest point are divided until it is known.

use crate::hulls::shape::convex_hull::{ConvexHull, Plane};
use crate::hulls::Hull;
use crate::Solid;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How near the farthest point is found, as a part of the size.
const RESOLUTION: f64 = 0.0015;

/// Nobody asks how near hulls are that are nearer than this part of the size.
const NEAR: f64 = 0.012;

/// A triangle that is thinner, for its longest edge, has any normal once its corners are rounded to f32; the planes
/// around it do without its own.
const THINNEST: f64 = 1e-4;

/// How well some hulls fit a solid, as parts of the diagonal of its box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HullError {
    /// How far a point of a hull is from the solid at most: insides count, so that a hull that fills a
    /// cavity is seen. Up to 0.0015 less than it is, and 0.012 for all that is less.
    pub protrusion: f64,
    /// How far a vertex of the solid is outside of all hulls at most.
    pub uncovered: f64,
}

impl HullError {
    /// Measures hulls against the solid that they stand for. Takes milliseconds and more.
    pub fn measure(hulls: &[Hull], solid: &Solid) -> Self {
        let [low, high] = solid.bounds().corners();
        let size = low.distance(high);
        let hulls: Vec<ConvexHull> = hulls.iter().filter_map(polyhedron).collect();
        let mut farthest = ProtrusionSearch {
            solid,
            resolution: RESOLUTION * size,
            best: NEAR * size,
            open: Vec::new(),
        };
        hulls.iter().for_each(|hull| farthest.look(hull));
        let outside = |position: &[f32; 3]| {
            let point = glam::Vec3::from(*position).as_dvec3();
            let distances = hulls.iter().map(|hull| hull.distance(point));
            distances.fold(f64::INFINITY, f64::min)
        };
        let mesh = solid.mesh();
        let at = |corner: u32| mesh.positions.get(corner as usize);
        let corners = |&[a, b, c]: &[u32; 3]| Some([at(a)?, at(b)?, at(c)?]);
        let triangles = mesh.triangles.iter().filter_map(corners);
        // A triangle that uses a position twice is nothing of the surface.
        let used = triangles
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .flatten();
        Self {
            protrusion: farthest.best / size,
            uncovered: used.map(outside).fold(0.0, f64::max) / size,
        }
    }
}

fn polyhedron(hull: &Hull) -> Option<ConvexHull> {
    let points = hull.points.iter().map(|p| glam::Vec3::from(*p).as_dvec3());
    let points: Vec<DVec3> = points.collect();
    let at = |corner: u32| points.get(corner as usize).copied();
    let plane = |&[a, b, c]: &[u32; 3]| {
        let (a, b, c) = (at(a)?, at(b)?, at(c)?);
        let normal = (b - a).cross(c - a);
        let longest = [b - a, c - b, a - c].map(|edge| edge.length_squared());
        let longest = longest.into_iter().fold(0.0, f64::max);
        let is_known = normal.length() > THINNEST * longest;
        is_known.then(|| Plane::through(normal.normalize(), (a + b + c) / 3.0))
    };
    let planes = hull.triangles.iter().filter_map(plane).collect();
    let triangles = hull.triangles.clone();
    points.first()?;
    Some(ConvexHull {
        points,
        triangles,
        planes,
    })
}

/// A cube by its middle, half its diagonal, and how far what it holds may be.
struct BoundedCube {
    middle: DVec3,
    reach: f64,
    bound: f64,
}

impl PartialEq for BoundedCube {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for BoundedCube {}
impl PartialOrd for BoundedCube {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for BoundedCube {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

struct ProtrusionSearch<'a> {
    solid: &'a Solid,
    resolution: f64,
    best: f64,
    open: Vec<u32>,
}

impl ProtrusionSearch<'_> {
    fn look(&mut self, hull: &ConvexHull) {
        let [low, high] = hull.bounds();
        let side = 0.5 * (high - low).max_element();
        let mut cubes = BinaryHeap::new();
        cubes.push(BoundedCube {
            middle: 0.5 * (low + high),
            reach: side * 3f64.sqrt(),
            bound: f64::INFINITY,
        });
        while let Some(cube) = cubes.pop() {
            if cube.bound <= self.best + self.resolution {
                return;
            }
            let quarter = 0.5 * cube.reach / 3f64.sqrt();
            for corner in 0..8u32 {
                let sign = |bit: u32| {
                    if corner >> bit & 1 == 0 {
                        -quarter
                    } else {
                        quarter
                    }
                };
                let middle = cube.middle + DVec3::new(sign(0), sign(1), sign(2));
                cubes.extend(self.cube(hull, middle, 0.5 * cube.reach));
            }
        }
    }

    /// A cube that may hold something farther than what is known.
    fn cube(&mut self, hull: &ConvexHull, middle: DVec3, reach: f64) -> Option<BoundedCube> {
        let height = hull.height(middle);
        if height > reach {
            return None;
        }
        let prune = self.best + self.resolution;
        let far = self.distance(middle, prune + reach);
        if far + reach <= prune {
            return None;
        }
        let is_inside = self.solid.is_inside(middle);
        if height <= 0.0 && !is_inside {
            self.best = self.best.max(far);
        }
        let bound = reach + if is_inside { -far } else { far };
        (bound > self.best + self.resolution).then_some(BoundedCube {
            middle,
            reach,
            bound,
        })
    }

    /// How far a point is from the surface; searched far only when it is not near.
    fn distance(&mut self, point: DVec3, near: f64) -> f64 {
        let far = self.solid.distance_within(point, near, &mut self.open);
        match far < near {
            true => far,
            false => {
                let open = &mut self.open;
                self.solid.distance_within(point, f64::MAX.sqrt(), open)
            }
        }
    }
}
