//! A closed convex part of a model: its corners, and its faces without the edges inside them.

use crate::mesh::Mesh;
use crate::solid::Solid;
use crate::stencil::stencil_error::StencilError;
use glam::{DVec2, DVec3};

/// Farthest that a corner of a part may lie outside of one of its planes, in diagonals of the part.
const CONVEX: f64 = 0.005;
/// Cosine of the angle below which triangles belong to one face: 2 degrees.
const SAME_FACE: f64 = 0.9994;
/// Cosine of the angle below which two edges are parallel: 1 degree.
const SAME_EDGE: f64 = 0.99985;

/// Part of a model: an object of its own, in the metres of the stencil.
#[derive(Clone, Debug, Default)]
pub struct StencilPart {
    /// Name for messages.
    pub name: String,
    /// Closed, convex mesh.
    pub mesh: Mesh,
}

/// Convex part of a model.
pub(super) struct ModelPart {
    pub name: String,
    /// Each corner once.
    pub corners: Vec<DVec3>,
    pub faces: Vec<PartFace>,
    /// Directions of its edges, each once.
    edges: Vec<DVec3>,
    /// Centre of mass.
    pub center: DVec3,
    /// Diagonal of its box, metres.
    pub size: f64,
}

/// Plane face of a part.
pub(super) struct PartFace {
    /// Outward unit normal.
    pub normal: DVec3,
    /// Distance of its plane from the origin, along the normal.
    pub distance: f64,
    /// Corners, counter-clockwise seen from outside.
    pub outline: Vec<DVec3>,
}

impl ModelPart {
    /// Reads a part.
    pub fn new(part: &StencilPart) -> Result<Self, StencilError> {
        let solid = Solid::new(part.mesh.clone()).map_err(|error| StencilError::Part {
            part: part.name.clone(),
            error,
        })?;
        let mut corners: Vec<DVec3> = solid.mesh().positions.iter().map(point).collect();
        corners.sort_by(|a, b| compare(*a, *b));
        corners.dedup();
        let size = solid.bounds().extents().length();
        let planes = planes(&solid, size);
        let depth = planes
            .iter()
            .flat_map(|(normal, distance)| corners.iter().map(move |c| normal.dot(*c) - distance))
            .fold(0.0, f64::max);
        if depth > CONVEX * size {
            return Err(StencilError::NotConvex {
                part: part.name.clone(),
                depth,
            });
        }
        let faces: Vec<PartFace> = planes
            .into_iter()
            .map(|(normal, distance)| PartFace {
                normal,
                distance,
                outline: outline(normal, distance, CONVEX * size, &corners),
            })
            .filter(|face| face.outline.len() > 2)
            .collect();
        Ok(Self {
            name: part.name.clone(),
            edges: edge_directions(&faces),
            corners,
            faces,
            center: solid.mass().center,
            size,
        })
    }

    /// Largest width of the gap to another part over all directions that can separate them, negative where they overlap.
    /// Any width above `enough` is as good as another.
    pub fn gap(&self, other: &Self, enough: f64) -> f64 {
        let own = self.faces.iter().map(|face| face.gap(other));
        let others = other.faces.iter().map(|face| face.gap(self));
        let mut best = f64::NEG_INFINITY;
        for gap in own.chain(others) {
            best = best.max(gap);
            if best > enough {
                return best;
            }
        }
        for one in &self.edges {
            for another in &other.edges {
                let Some(axis) = one.cross(*another).try_normalize() else {
                    continue;
                };
                let axis = if axis.dot(other.center - self.center) < 0.0 {
                    -axis
                } else {
                    axis
                };
                let own = self.corners.iter().map(|c| axis.dot(*c));
                let others = other.corners.iter().map(|c| axis.dot(*c));
                let gap =
                    others.fold(f64::INFINITY, f64::min) - own.fold(f64::NEG_INFINITY, f64::max);
                best = best.max(gap);
                if best > enough {
                    return best;
                }
            }
        }
        best
    }
}

impl PartFace {
    /// Distance of the nearest corner of another part in front of the face, negative behind it.
    fn gap(&self, other: &ModelPart) -> f64 {
        let ahead = other.corners.iter().map(|c| self.normal.dot(*c));
        ahead.fold(f64::INFINITY, f64::min) - self.distance
    }

    /// Area, m^2.
    pub fn area(&self) -> f64 {
        polygon_area(&self.outline, self.normal)
    }

    /// Area of the part of the face that lies opposite another one, m^2.
    pub fn shared_area(&self, other: &Self) -> f64 {
        let drop = |p: DVec3| p - self.normal * (self.normal.dot(p) - self.distance);
        let mut polygon: Vec<DVec3> = other.outline.iter().rev().map(|p| drop(*p)).collect();
        let ends = self.outline.iter().cycle().skip(1);
        for (start, end) in self.outline.iter().zip(ends) {
            let inward = self.normal.cross(*end - *start);
            polygon = clipped(&polygon, inward, inward.dot(*start));
        }
        polygon_area(&polygon, self.normal)
    }
}

/// The part of a convex polygon where `normal . p` is at least `from`.
fn clipped(polygon: &[DVec3], normal: DVec3, from: f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    let ends = polygon.iter().cycle().skip(1);
    for (start, end) in polygon.iter().zip(ends) {
        let (before, after) = (normal.dot(*start) - from, normal.dot(*end) - from);
        if before >= 0.0 {
            kept.push(*start);
        }
        if (before >= 0.0) != (after >= 0.0) {
            kept.push(start.lerp(*end, before / (before - after)));
        }
    }
    kept
}

/// Area of a polygon that is counter-clockwise about a normal.
fn polygon_area(polygon: &[DVec3], normal: DVec3) -> f64 {
    let Some(first) = polygon.first() else {
        return 0.0;
    };
    let pairs = polygon.iter().zip(polygon.iter().skip(1));
    let doubled: DVec3 = pairs.map(|(a, b)| (*a - *first).cross(*b - *first)).sum();
    0.5 * doubled.dot(normal)
}

/// Normals and distances of the planes of a solid's triangles, the largest triangles first; each plane once.
fn planes(solid: &Solid, size: f64) -> Vec<(DVec3, f64)> {
    let mesh = solid.mesh();
    let at = |vertex: u32| {
        mesh.positions
            .get(vertex as usize)
            .map_or(DVec3::ZERO, point)
    };
    let mut triangles: Vec<(f64, DVec3, f64)> = mesh
        .triangles
        .iter()
        .filter_map(|triangle| {
            let [a, b, c] = triangle.map(at);
            let doubled = (b - a).cross(c - a);
            let normal = doubled.try_normalize()?;
            Some((doubled.length(), normal, normal.dot(a)))
        })
        // What is thinner than this has no direction.
        .filter(|(area, ..)| *area > 1e-7 * size * size)
        .collect();
    triangles.sort_by(|a, b| b.0.total_cmp(&a.0).then(compare(a.1, b.1)));
    let mut planes: Vec<(DVec3, f64)> = Vec::new();
    for (_, normal, distance) in triangles {
        let is_same = |(other, from): &(DVec3, f64)| {
            normal.dot(*other) > SAME_FACE && (distance - from).abs() < CONVEX * size
        };
        if !planes.iter().any(is_same) {
            planes.push((normal, distance));
        }
    }
    planes
}

/// The convex outline of the corners that lie in a plane (monotone chain).
fn outline(normal: DVec3, distance: f64, within: f64, corners: &[DVec3]) -> Vec<DVec3> {
    let (u, v) = normal.any_orthonormal_pair();
    let mut flat: Vec<(DVec2, DVec3)> = corners
        .iter()
        .filter(|c| (normal.dot(**c) - distance).abs() <= within)
        .map(|c| (DVec2::new(u.dot(*c), v.dot(*c)), *c))
        .collect();
    flat.sort_by(|(a, _), (b, _)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    if flat.len() < 3 {
        return Vec::new();
    }
    let mut chain = half_outline(flat.iter());
    let back = half_outline(flat.iter().rev());
    chain.extend(back);
    let outline: Vec<DVec3> = chain.into_iter().map(|(_, corner)| corner).collect();
    if polygon_area(&outline, normal) < 0.0 {
        return outline.into_iter().rev().collect();
    }
    outline
}

/// One side of a convex outline, without its last corner.
fn half_outline<'a>(points: impl Iterator<Item = &'a (DVec2, DVec3)>) -> Vec<(DVec2, DVec3)> {
    let mut chain: Vec<(DVec2, DVec3)> = Vec::new();
    for next in points {
        while let [.., before, last] = chain.as_slice() {
            if (last.0 - before.0).perp_dot(next.0 - before.0) > 0.0 {
                break;
            }
            chain.pop();
        }
        chain.push(*next);
    }
    chain.pop();
    chain
}

/// Directions of the edges of some faces; parallel ones once.
fn edge_directions(faces: &[PartFace]) -> Vec<DVec3> {
    let mut directions: Vec<DVec3> = Vec::new();
    for face in faces {
        let ends = face.outline.iter().cycle().skip(1);
        for (start, end) in face.outline.iter().zip(ends) {
            let Some(direction) = (*end - *start).try_normalize() else {
                continue;
            };
            let is_known = |known: &DVec3| known.dot(direction).abs() > SAME_EDGE;
            if !directions.iter().any(is_known) {
                directions.push(direction);
            }
        }
    }
    directions
}

fn point(position: &[f32; 3]) -> DVec3 {
    DVec3::from(position.map(f64::from))
}

fn compare(a: DVec3, b: DVec3) -> std::cmp::Ordering {
    let pairs = a.to_array().into_iter().zip(b.to_array());
    let mut orders = pairs.map(|(a, b)| a.total_cmp(&b));
    orders
        .find(|order| order.is_ne())
        .unwrap_or(std::cmp::Ordering::Equal)
}
