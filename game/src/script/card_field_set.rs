//! A set of the fields that cards have.

use fyrox::core::reflect::prelude::*;

/// A set of fields that cards have, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
pub struct CardFields(#[reflect(hidden)] pub(super) u32);

impl CardFields {
    pub(super) fn has(self, index: u32) -> bool {
        self.0 & (1 << index) != 0
    }
}
