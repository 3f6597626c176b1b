//! Area, centre and second moments of surfaces, as sums over triangles.

use crate::math::Aabb;
use glam::{DMat3, DVec3};

/// Area, centre, mean normal and second moments of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AreaProperties {
    /// Area, m^2.
    pub area: f64,
    /// Centre of the area, metres.
    pub center: DVec3,
    /// Mean normal, of unit length; zero if normals cancel.
    pub normal: DVec3,
    /// Second moments about the centre, the integral of `r r^T` over the surface, m^4.
    pub moments: DMat3,
}

/// A sum over triangles about an origin that the caller chooses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AreaAccumulator {
    area: f64,
    first_moments: DVec3,
    second_moments: DMat3,
    normal: DVec3,
}

impl Default for AreaAccumulator {
    fn default() -> Self {
        Self {
            area: 0.0,
            first_moments: DVec3::ZERO,
            second_moments: DMat3::ZERO,
            normal: DVec3::ZERO,
        }
    }
}

impl AreaAccumulator {
    /// Adds a triangle, whose corners are relative to the origin.
    pub fn add(&mut self, [a, b, c]: [DVec3; 3]) {
        let normal = 0.5 * (b - a).cross(c - a);
        let area = normal.length();
        let sum = a + b + c;
        self.area += area;
        self.normal += normal;
        self.first_moments += area / 3.0 * sum;
        // The integral of a product of two linear functions over a triangle.
        self.second_moments += (square(sum) + square(a) + square(b) + square(c)) * (area / 12.0);
    }

    /// The properties of everything added; `None` without any area.
    pub fn finish(&self, origin: DVec3) -> Option<AreaProperties> {
        let center = self.first_moments / self.area;
        let moments = self.second_moments - square(center) * self.area;
        (self.area > 0.0 && center.is_finite()).then(|| AreaProperties {
            area: self.area,
            center: center + origin,
            normal: self.normal.normalize_or_zero(),
            moments,
        })
    }
}

/// `v v^T`
fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Clips a triangle to a box; calls back with the triangles of what remains.
pub(crate) fn clip_to_box(triangle: [DVec3; 3], bounds: &Aabb, f: impl FnMut([DVec3; 3])) {
    let [low, high] = bounds.corners();
    let [a, b, c] = triangle;
    let is_outside = a.max(b).max(c).cmplt(low).any() || a.min(b).min(c).cmpgt(high).any();
    if is_outside {
        return;
    }
    let mut polygon = triangle.to_vec();
    for axis in 0..3 {
        clip(&mut polygon, |p| p[axis] - low[axis]);
        clip(&mut polygon, |p| high[axis] - p[axis]);
    }
    fan(&polygon, f);
}

/// Clips a convex polygon to where a linear function is not negative (Sutherland and Hodgman 1974).
pub(crate) fn clip(polygon: &mut Vec<DVec3>, height: impl Fn(DVec3) -> f64) {
    if polygon.iter().all(|point| height(*point) >= 0.0) {
        return;
    }
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    let next = polygon.iter().cycle().skip(1);
    for (from, to) in polygon.iter().zip(next) {
        let (a, b) = (height(*from), height(*to));
        if a >= 0.0 {
            kept.push(*from);
        }
        if (a < 0.0) != (b < 0.0) {
            kept.push(from.lerp(*to, a / (a - b)));
        }
    }
    *polygon = kept;
}

/// Calls back with a fan of triangles.
pub(crate) fn fan(polygon: &[DVec3], mut f: impl FnMut([DVec3; 3])) {
    let Some((first, rest)) = polygon.split_first() else {
        return;
    };
    for (b, c) in rest.iter().zip(rest.iter().skip(1)) {
        f([*first, *b, *c]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_has_the_moments_of_a_rectangle() {
        let at = |x: f64, y: f64| DVec3::new(x, 5.0, y);
        let (a, b, c, d) = (at(0.0, 0.0), at(0.0, 4.0), at(2.0, 4.0), at(2.0, 0.0));
        let mut sum = AreaAccumulator::default();
        sum.add([a, b, c]);
        sum.add([a, c, d]);
        let found = sum.finish(DVec3::X).unwrap();
        assert!((found.area - 8.0).abs() < 1e-12);
        assert!((found.center - DVec3::new(2.0, 5.0, 2.0)).length() < 1e-12);
        assert_eq!(found.normal, DVec3::Y);
        // b h^3 / 12
        let wanted = DMat3::from_diagonal(DVec3::new(8.0 / 3.0, 0.0, 32.0 / 3.0));
        let off = found.moments - wanted;
        assert!(off.to_cols_array().iter().all(|x| x.abs() < 1e-9), "{off}");
    }

    #[test]
    fn nothing_has_no_measures() {
        assert_eq!(AreaAccumulator::default().finish(DVec3::ZERO), None);
    }

    #[test]
    fn the_parts_of_a_triangle_in_two_halves_of_space_add_up() {
        let triangle = [
            DVec3::new(-1.0, -1.0, 0.0),
            DVec3::new(2.0, -0.5, 0.5),
            DVec3::new(0.3, 1.5, 0.1),
        ];
        let area = |x: [f64; 2]| {
            let mut sum = AreaAccumulator::default();
            let corner = |x: f64, rest: f64| DVec3::new(x, rest, rest);
            let bounds = Aabb::from_points([corner(x[0], -9.0), corner(x[1], 9.0)]);
            clip_to_box(triangle, &bounds, |part| sum.add(part));
            sum.finish(DVec3::ZERO).map_or(0.0, |found| found.area)
        };
        let whole = area([-9.0, 9.0]);
        let halves = area([-9.0, 0.25]) + area([0.25, 9.0]);
        assert!((whole - halves).abs() < 1e-12 && area([-9.0, 0.25]) > 0.1);
        assert_eq!(area([5.0, 6.0]), 0.0);
    }
}
