//! What goes through an object that it has broken is not stopped by the pieces: the break has taken
//! its share of the energy already.

use std::collections::BTreeMap;

use super::external::BodyRef;

/// Bodies and pieces that do not touch, with the steps that this lasts.
#[derive(Default)]
pub(super) struct IgnoredPairs(BTreeMap<(BodyRef, BodyRef), u32>);

impl IgnoredPairs {
    pub fn open(&mut self, body: BodyRef, piece: BodyRef, steps: u32) {
        self.0.insert((body, piece), steps);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn is_open(&self, a: BodyRef, b: BodyRef) -> bool {
        self.0.contains_key(&(a, b)) || self.0.contains_key(&(b, a))
    }

    /// A step has passed.
    pub fn count_down(&mut self) {
        self.0.retain(|_, steps| {
            *steps = steps.saturating_sub(1);
            *steps > 0
        });
    }
}
