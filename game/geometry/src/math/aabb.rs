//! Axis-aligned bounding boxes.

use glam::{DAffine3, DVec3, Vec3};

/// An axis-aligned bounding box, in metres or in the unit of the points that it was made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least coordinates.
    pub min: DVec3,
    /// Largest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// The box around nothing: its least coordinates are above its largest.
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// The box around everything.
    pub(crate) const ALL: Self = Self {
        min: DVec3::NEG_INFINITY,
        max: DVec3::INFINITY,
    };

    /// The box around points; [`Aabb::EMPTY`] without any.
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |bounds, point| Self {
            min: bounds.min.min(point),
            max: bounds.max.max(point),
        })
    }

    /// The box around boxes; [`Aabb::EMPTY`] without any.
    pub fn around(boxes: &[Self]) -> Self {
        Self::from_points(boxes.iter().flat_map(Self::corners))
    }

    /// Least and largest coordinates.
    pub fn corners(&self) -> [DVec3; 2] {
        [self.min, self.max]
    }

    /// The middle.
    pub fn center(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// The lengths of the sides.
    pub fn extents(&self) -> DVec3 {
        self.max - self.min
    }

    /// The length of the diagonal; 0 of an empty box.
    pub fn diagonal(&self) -> f64 {
        self.extents().max(DVec3::ZERO).length()
    }

    /// The corners in single precision, each coordinate rounded to the nearest.
    pub fn as_vec3(&self) -> [Vec3; 2] {
        [self.min.as_vec3(), self.max.as_vec3()]
    }

    /// The box around the box moved by a transform.
    pub fn transformed(&self, transform: &DAffine3) -> Self {
        let corners = self.corners();
        let corner = |index: usize| {
            let side = |axis: usize| corners[index >> axis & 1][axis];
            transform.transform_point3(DVec3::new(side(0), side(1), side(2)))
        };
        Self::from_points((0..8).map(corner))
    }

    /// Whether the boxes share a point.
    pub fn intersects(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The volume of what the boxes have in common; `None` where they are apart.
    pub(crate) fn common_volume(&self, other: &Self) -> Option<f64> {
        let sides = self.max.min(other.max) - self.min.max(other.min);
        sides
            .cmpge(DVec3::ZERO)
            .all()
            .then(|| sides.element_product())
    }

    /// Whether another box lies inside, up to the surface.
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// The distance of another box along the axis along which it is greatest; negative where they overlap.
    pub fn axis_distance(&self, other: &Self) -> f64 {
        (self.min - other.max)
            .max(other.min - self.max)
            .max_element()
    }

    /// The squared distance of a point from the box; 0 inside.
    pub fn distance_squared(&self, point: DVec3) -> f64 {
        (point - point.clamp(self.min, self.max)).length_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_points_have_middles_and_meet() {
        let unit = Aabb::from_points([DVec3::ONE, DVec3::ZERO]);
        let far = Aabb::from_points([DVec3::splat(2.0), DVec3::splat(3.0)]);
        assert_eq!(unit.center(), DVec3::splat(0.5));
        assert_eq!(far.extents(), DVec3::ONE);
        assert!(unit.intersects(&unit) && !unit.intersects(&far));
        assert!(!unit.intersects(&Aabb::EMPTY));
        assert_eq!(unit.distance_squared(DVec3::X * 3.0), 4.0);
        assert_eq!(unit.distance_squared(DVec3::X * 0.5), 0.0);
        assert_eq!(Aabb::from_points([]).diagonal(), 0.0);
        assert_eq!(unit.axis_distance(&far), 1.0);
        let half = Aabb::from_points([DVec3::splat(0.5), DVec3::new(0.75, 2.0, 2.0)]);
        assert_eq!(unit.common_volume(&half), Some(0.0625));
        assert_eq!(unit.common_volume(&far), None);
        assert!(unit.contains(&unit) && !unit.contains(&far));
        let turn = DAffine3::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let turned = unit.transformed(&turn);
        assert!((turned.min + DVec3::X).length() < 1e-12 && (turned.max.y - 1.0).abs() < 1e-12);
    }
}
