//! The other sides of the bonds of bodies.

use hecs::World;

use super::body_bonds::{BodyBond, BodyBonds, Neighbor};
use crate::debris::BodyRef;
use crate::types::BodyId;

/// The other sides of the bonds of some bodies.
pub(super) struct Neighbors {
    all: Vec<Neighbor>,
    /// By body, where its own end among all.
    ends: Vec<usize>,
}

impl Neighbors {
    pub fn of(world: &World, bodies: &[BodyId]) -> Self {
        let view = world.view::<&BodyBonds>();
        let neighbor = |bond: &BodyBond| match bond.with {
            BodyRef::External(_) => Neighbor::Held(0),
            BodyRef::Breakable(other) => match view.get(other.0).map(|bonds| bonds.level) {
                None => Neighbor::Gone,
                Some(None) => Neighbor::Falling,
                Some(Some(level)) => Neighbor::Held(level),
            },
        };
        let mut all = Vec::new();
        let add = |body: &BodyId| {
            let bonds = view.get(body.0).into_iter();
            all.extend(bonds.flat_map(BodyBonds::list).map(neighbor));
            all.len()
        };
        let ends = bodies.iter().map(add).collect();
        Self { all, ends }
    }

    /// Those of each body, in the order of its bonds.
    pub fn by_body(&self) -> impl Iterator<Item = &[Neighbor]> {
        let mut begin = 0;
        self.ends.iter().map(move |end| {
            let own = self.all.get(begin..*end);
            begin = *end;
            own.unwrap_or_default()
        })
    }
}
