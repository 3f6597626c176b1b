//! The part of a building that is weighed: what has changed, and what is around it.

use hecs::{Entity, ViewBorrow, World};

use crate::structure::{sort_by_place, BodyBonds, RegionNode};
use crate::types::BodyId;

/// Bonds from what has changed up to which a building is weighed at first; then twice as many, until what is beyond
/// bears what it did.
const FIRST_DEPTH: u32 = 4;

/// Most doublings: then it is all of any building.
const MOST_DOUBLINGS: u32 = 16;

/// A part of a building that is weighed. Its bodies are marked as nodes of it.
pub(super) struct Region {
    /// Those that have changed.
    pub changed: Vec<BodyId>,
    /// All that are weighed.
    pub inside: Vec<BodyId>,
    /// Those and the bodies beside them, which stay as they were, by place.
    pub bodies: Vec<BodyId>,
}

impl Region {
    /// The part of a building that is around what has changed, doubled so many times.
    pub fn new(world: &World, doublings: u32) -> Self {
        let mut changed = Vec::new();
        for (entity, bonds) in world.query::<(Entity, &mut BodyBonds)>().iter() {
            let is_changed = bonds.is_carried() && !bonds.is_weighed;
            bonds.node = is_changed.then_some(RegionNode::INSIDE);
            changed.extend(is_changed.then_some(BodyId(entity)));
        }
        let mut view = world.view::<&mut BodyBonds>();
        let mut inside = changed.clone();
        let mut last = changed.clone();
        for _ in 0..FIRST_DEPTH << doublings.min(MOST_DOUBLINGS) {
            let next = beside(&mut view, &last, RegionNode::INSIDE);
            if next.is_empty() {
                break;
            }
            inside.extend(&next);
            last = next;
        }
        let mut bodies = inside.clone();
        bodies.extend(beside(&mut view, &last, RegionNode::BESIDE));
        sort_by_place(world, &mut bodies);
        Self {
            changed,
            inside,
            bodies,
        }
    }
}

/// The carried bodies that are bonded to some and not marked yet; they are marked.
fn beside(view: &mut ViewBorrow<&mut BodyBonds>, of: &[BodyId], mark: RegionNode) -> Vec<BodyId> {
    let mut found = Vec::new();
    for body in of {
        if let Some(bonds) = view.get_mut(body.0) {
            found.extend(bonds.neighbors());
        }
    }
    found.retain(|body: &BodyId| {
        let bonds = view.get_mut(body.0);
        let new = bonds.filter(|bonds| bonds.node.is_none() && bonds.is_carried());
        new.map(|bonds| bonds.node = Some(mark)).is_some()
    });
    found
}
