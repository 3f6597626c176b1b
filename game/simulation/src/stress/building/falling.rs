//! Nodes of a building that fall.

use super::{Building, BuildingNode};
use crate::stress::block::halves;

/// Share of a node's weight from which on it falls when soft springs carry it: of a node that tips over they carry as
/// much as its centre is out of the edge, in parts of its height.
const FALLING_SHARE: f64 = 3e-3;

/// The same of all nodes of a part, from which on it falls although its forces are not balanced yet. Each step of the
/// search lowers the energy, so that nothing was in the way of one that went so far.
const CLEARLY_FALLING_SHARE: f64 = 0.3;

impl Building<'_> {
    /// By node: whether nothing carries it, where all forces are balanced.
    pub(super) fn falls(&self) -> Vec<bool> {
        self.carried_by_soft_springs(FALLING_SHARE)
    }

    /// By node: whether it is clear already that nothing carries the part that it is in.
    pub(super) fn falling(&self) -> Vec<bool> {
        let mut is_far = self.carried_by_soft_springs(CLEARLY_FALLING_SHARE);
        is_far.push(false); // the ground
        let mut falls = vec![true; self.parts.len()];
        for (part, is_far) in self.parts.iter().zip(is_far) {
            if let Some(falls) = falls.get_mut(*part as usize) {
                *falls &= is_far;
            }
        }
        let of_part = |part: &u32| falls.get(*part as usize).copied().unwrap_or_default();
        let of_nodes = self.parts.iter().take(self.nodes.len());
        of_nodes.map(of_part).collect()
    }

    /// How many nodes fall for sure.
    pub(super) fn count_falling(&self) -> usize {
        self.falling().into_iter().filter(|falls| *falls).count()
    }

    fn carried_by_soft_springs(&self, share: f64) -> Vec<bool> {
        let nodes = self.nodes.iter().zip(&self.soft).zip(&self.displacements);
        let falls = |((node, soft), displacement): ((&BuildingNode, &f64), &[f64; 6])| {
            let [moved, _] = halves(displacement);
            !node.stays && (*soft * moved).length() > share * node.loaded()
        };
        nodes.map(falls).collect()
    }
}
