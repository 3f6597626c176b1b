//! All bodies that have bonds, with what holds each.

use glam::Vec3;
use hecs::{Entity, World};

use super::body_bonds::{BodyBonds, HoldingBond};
use super::hold;
use crate::pieces::components::Breakable;
use crate::types::{BodyId, Motion};

/// A body with the bonds that hold it, or by which it holds others; see
/// [`Simulation::held_bodies`](crate::Simulation::held_bodies).
#[derive(Clone, Debug, PartialEq)]
pub struct HeldBody {
    /// The body.
    pub body: BodyId,
    /// Centre of mass, world space, metres.
    pub center: Vec3,
    /// By what is touched.
    pub bonds: Vec<HoldingBond>,
}

/// All bodies with bonds, by id.
pub(crate) fn held_bodies(world: &World) -> Vec<HeldBody> {
    let mut bodies: Vec<HeldBody> = world
        .query::<(Entity, &BodyBonds, &Breakable, &Motion)>()
        .iter()
        .filter_map(|(entity, _, breakable, motion)| {
            let body = BodyId(entity);
            let bonds = hold::bonds(world, body);
            let center = breakable.center(motion.pose)?;
            (!bonds.is_empty()).then_some(HeldBody {
                body,
                center,
                bonds,
            })
        })
        .collect();
    bodies.sort_unstable_by_key(|held| held.body);
    bodies
}
