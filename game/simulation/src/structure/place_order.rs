//! The order of bodies and bonds: by their places. Ids of bodies that are gone are given to new ones, so that by id another
//! order would follow, and with it other last bits and another end of a chain of failures, where other bodies have come
//! and gone before: after loading, and in a certificate.

use glam::Vec3;
use hecs::World;

use crate::pieces::components::Breakable;
use crate::types::{BodyId, Motion};

/// Numbers in whose order places are: by height, then from side to side. Those of a coordinate ascend with it.
pub(crate) fn place_key(place: Vec3) -> [i32; 3] {
    [place.y, place.x, place.z].map(|coordinate| {
        let bits = coordinate.to_bits() as i32;
        // Of negative numbers greater bits are smaller ones.
        if bits < 0 {
            bits ^ i32::MAX
        } else {
            bits
        }
    })
}

/// Sorts bodies by their centres of mass; those that are not prepared by where they stand.
pub(super) fn sort_by_place(world: &World, bodies: &mut [BodyId]) {
    let view = world.view::<(&Breakable, &Motion)>();
    let place = |body: &BodyId| {
        let (breakable, motion) = view.get(body.0)?;
        let center = breakable.center(motion.pose);
        Some(center.unwrap_or(motion.pose.translation))
    };
    bodies.sort_by_cached_key(|body| (place_key(place(body).unwrap_or_default()), *body));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ascend_with_coordinates() {
        let ascending = [
            f32::NEG_INFINITY,
            -2.0,
            -1.0,
            -1e-30,
            -0.0,
            0.0,
            1e-30,
            1.0,
            2.0,
        ];
        for pair in ascending.windows(2) {
            let keys = [0, 1].map(|k| place_key(Vec3::new(-pair[k], pair[k], 9.0)));
            assert!(keys[0] < keys[1], "{pair:?}");
        }
    }
}
