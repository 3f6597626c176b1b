//! A force on a body.

use glam::{DVec3, Vec3};
use rapier3d::math::Pose;

use crate::debris::ContactForce;

/// A force on a body with its moment about the body's origin, in the space of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BodyForce {
    /// N, or N s of a sum.
    pub force: DVec3,
    /// N m
    pub moment: DVec3,
    /// Corners of a box around the places where it acts, metres.
    pub places: Option<[Vec3; 2]>,
}

impl BodyForce {
    /// A contact force on a body at a pose.
    pub fn new(contact: &ContactForce, pose: Pose) -> Self {
        let force = (pose.rotation.inverse() * contact.force).as_dvec3();
        let point = pose.inverse_transform_point(contact.point).as_dvec3();
        let [a, b] = contact.places;
        let corners = (0..8).map(|k| {
            let corner = [a.to_array(), b.to_array()];
            let pick = |axis: usize| corner[(k >> axis) & 1][axis];
            pose.inverse_transform_point(Vec3::new(pick(0), pick(1), pick(2)))
        });
        let [low, high] = corners.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[low, high], p| {
            [low.min(p), high.max(p)]
        });
        Self {
            force,
            moment: point.cross(force),
            places: Some([low, high]),
        }
    }

    /// Adds a force that has acted for a time, seconds.
    pub fn add(&mut self, other: &Self, time: f64) {
        self.force += other.force * time;
        self.moment += other.moment * time;
        self.places = match (self.places, other.places) {
            (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
            (own, other) => own.or(other),
        };
    }

    /// The mean force of a sum over a time, seconds.
    pub fn mean(&self, time: f32) -> Self {
        let share = 1.0 / f64::from(time);
        Self {
            force: self.force * share,
            moment: self.moment * share,
            places: self.places,
        }
    }
}
