//! The place at which two bodies have touched first.
//!
//! It is found by how deep the points of a contact are, and not by their impulses. Of the points of a face the solver
//! loads some or others, as it comes; and the faster a body, the more of its points are below the surface when the
//! engine finds the contact.

use crate::mirror::transforms::{engine_vector, vec3};
use fracture_simulation::Pose;
use fyrox::core::algebra::Vector3;

/// Slope between a face and the one that it falls onto above which it does not touch as a whole: two degrees.
pub(super) const MAX_FLAT_SLOPE: f32 = 0.035;

/// A point of a contact, or the mean of some.
#[derive(Clone, Copy)]
pub(crate) struct Touch {
    /// Metres.
    pub point: Vector3<f32>,
    /// Outward unit normal.
    pub normal: Vector3<f32>,
    /// How far the bodies are apart, metres; negative for depth.
    pub distance: f32,
    /// Number of points.
    pub count: f32,
}

impl Touch {
    /// The mean of those points that touched as early as the deepest one, as all of a face that fell flat; `None` for
    /// no points.
    pub fn first_of(points: impl Iterator<Item = Self> + Clone) -> Option<Self> {
        let deepest = points.clone();
        let deepest = deepest.reduce(|a, b| if b.distance < a.distance { b } else { a })?;
        let zero = Self {
            point: Vector3::zeros(),
            normal: Vector3::zeros(),
            count: 0.0,
            ..deepest
        };
        let sum = points.fold(zero, |sum, touch| {
            let weight = touch.count * touch.earliness(&deepest);
            Self {
                point: sum.point + touch.point * weight,
                normal: sum.normal + touch.normal * weight,
                count: sum.count + weight,
                ..sum
            }
        });
        Some(Self {
            point: sum.point / sum.count,
            normal: sum
                .normal
                .try_normalize(f32::MIN_POSITIVE)
                .unwrap_or(deepest.normal),
            ..sum
        })
    }

    /// The touch of both.
    pub fn merged(self, other: Self) -> Self {
        Self::first_of([self, other].into_iter()).unwrap_or(self)
    }

    /// The touch of a collider in world space, from that in its own.
    pub fn in_world(self, collider: &Pose) -> Self {
        Self {
            point: engine_vector(collider.transform_point(vec3(self.point))),
            normal: engine_vector(collider.rotation * vec3(self.normal)),
            ..self
        }
    }

    /// 1 for a point that touched together with the deepest one, 0 for one that the body had to turn for.
    fn earliness(&self, deepest: &Self) -> f32 {
        let flat = MAX_FLAT_SLOPE * (self.point - deepest.point).norm();
        let above = self.distance - deepest.distance;
        if above < flat {
            1.0 - above / flat
        } else if above <= 0.0 {
            1.0
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The touch of a square of 2 m, of which some corners are above the others, m.
    fn of_square(above: [f32; 4]) -> Vector3<f32> {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let points = corners.into_iter().zip(above).map(|([x, z], above)| Touch {
            point: Vector3::new(x, 0.0, z),
            normal: -Vector3::y(),
            distance: above - 0.2,
            count: 1.0,
        });
        Touch::first_of(points).unwrap().point
    }

    #[test]
    fn a_face_touches_in_its_middle_and_an_edge_in_its_own() {
        assert_eq!(of_square([0.0; 4]), Vector3::zeros());
        assert_eq!(
            of_square([0.0, 0.0, 0.1, 0.1]),
            Vector3::new(0.0, 0.0, -1.0)
        );
        assert_eq!(
            of_square([0.0, 0.1, 0.2, 0.1]),
            Vector3::new(-1.0, 0.0, -1.0)
        );
        let nearly = of_square([0.0, 0.0, 0.01, 0.01]);
        assert!(
            nearly.x.abs() < 0.05 && nearly.z > -0.2 && nearly.z < 0.0,
            "{nearly}"
        );
    }

    #[test]
    fn no_point_is_no_touch() {
        assert!(Touch::first_of(std::iter::empty()).is_none());
    }
}
