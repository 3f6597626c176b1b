//! What goes through an object that it has broken is not stopped by the pieces: the break has taken
//! its share of the energy already.

use std::collections::BTreeMap;

use rapier3d::geometry::SolverFlags;
use rapier3d::pipeline::{PairFilterContext, PhysicsHooks};

use super::surrounding::Owner;

/// Bodies and pieces that do not touch, with the steps that this lasts.
#[derive(Default)]
pub(super) struct Passages(BTreeMap<(Owner, Owner), u32>);

impl Passages {
    pub fn open(&mut self, body: Owner, piece: Owner, steps: u32) {
        self.0.insert((body, piece), steps);
    }

    /// A step has passed.
    pub fn count_down(&mut self) {
        self.0.retain(|_, steps| {
            *steps = steps.saturating_sub(1);
            *steps > 0
        });
    }
}

impl PhysicsHooks for Passages {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let all = Some(SolverFlags::COMPUTE_IMPULSES);
        if self.0.is_empty() {
            return all;
        }
        let owner = |handle| context.bodies.get(handle?).and_then(Owner::of);
        let pair = owner(context.rigid_body1).zip(owner(context.rigid_body2));
        let open =
            pair.is_some_and(|(a, b)| self.0.contains_key(&(a, b)) || self.0.contains_key(&(b, a)));
        if open {
            None
        } else {
            all
        }
    }
}
