//! The order of bodies and bonds: by their places. Ids of bodies that are gone are given to new ones, so that by id another
//! order would follow, and with it other last bits and another end of a chain of failures, where other bodies have come
//! and gone before: after loading, and in a certificate.

use std::cmp::Ordering;

use glam::Vec3;
use hecs::World;

use crate::pieces::components::Breakable;
use crate::types::{BodyId, Motion};

/// The order of two places by their coordinates.
pub(super) fn compare_places(a: Vec3, b: Vec3) -> Ordering {
    let coordinates = a.to_array().into_iter().zip(b.to_array());
    let orders = coordinates.map(|(a, b)| a.total_cmp(&b));
    orders.fold(Ordering::Equal, Ordering::then)
}

/// Sorts bodies by their centres of mass; those that are not prepared by where they stand.
pub(crate) fn sort_by_place(world: &World, bodies: &mut Vec<BodyId>) {
    let place = |body: BodyId| {
        let entity = world.entity(body.0).ok()?;
        let pose = entity.get::<&Motion>()?.pose;
        let center = entity.get::<&Breakable>()?.center(pose);
        Some(center.unwrap_or(pose.translation))
    };
    let placed = bodies
        .iter()
        .map(|body| (place(*body).unwrap_or_default(), *body));
    let mut placed: Vec<(Vec3, BodyId)> = placed.collect();
    placed.sort_unstable_by(|a, b| compare_places(a.0, b.0).then(a.1.cmp(&b.1)));
    *bodies = placed.into_iter().map(|(_, body)| body).collect();
}
