//! What joints tie together.

use std::collections::{BTreeMap, BTreeSet};

use crate::debris::BodyRef;

/// Joints by their keys, and by what they tie.
#[derive(Default)]
pub(super) struct JointGraph {
    joints: BTreeMap<u64, [BodyRef; 2]>,
    of: BTreeMap<u64, BTreeSet<u64>>,
}

impl JointGraph {
    pub fn add(&mut self, joint: u64, ends: [BodyRef; 2]) {
        self.joints.insert(joint, ends);
        for key in ends.into_iter().filter_map(BodyRef::external) {
            self.of.entry(key).or_default().insert(joint);
        }
    }

    /// Forgets a joint; gives what it tied together.
    pub fn remove(&mut self, joint: u64) -> Option<[BodyRef; 2]> {
        let ends = self.joints.remove(&joint)?;
        for key in ends.into_iter().filter_map(BodyRef::external) {
            if let Some(joints) = self.of.get_mut(&key) {
                joints.remove(&joint);
                if joints.is_empty() {
                    self.of.remove(&key);
                }
            }
        }
        Some(ends)
    }

    pub fn is_tied(&self, key: u64) -> bool {
        self.of.contains_key(&key)
    }

    /// Everything that joints tie something to, itself first.
    pub fn tied_to(&self, key: u64) -> Vec<u64> {
        let (mut tied, mut next) = (vec![key], 0);
        while let Some(key) = tied.get(next).copied() {
            next += 1;
            let ends = self.joints_of(key).flat_map(|(_, ends)| *ends);
            for other in ends.filter_map(BodyRef::external) {
                if !tied.contains(&other) {
                    tied.push(other);
                }
            }
        }
        tied
    }

    /// Whether joints tie any of some to a body of the simulation.
    pub fn is_tied_to_body(&self, keys: &[u64]) -> bool {
        let mut ends = keys
            .iter()
            .flat_map(|key| self.joints_of(*key).flat_map(|(_, ends)| ends));
        ends.any(|end| end.breakable().is_some())
    }

    fn joints_of(&self, key: u64) -> impl Iterator<Item = (&u64, &[BodyRef; 2])> {
        let joints = self.of.get(&key).into_iter().flatten();
        joints.filter_map(|joint| self.joints.get_key_value(joint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_tied_together_until_a_link_goes() {
        let mut pins = JointGraph::default();
        let link = |key: u64| [key, key + 1].map(BodyRef::External);
        (1..6).for_each(|key| pins.add(100 + key, link(key)));
        assert_eq!(pins.tied_to(3).len(), 6);
        assert!(pins.is_tied(6) && !pins.is_tied(7));
        pins.remove(103);
        let mut ends = [pins.tied_to(1), pins.tied_to(6)];
        ends.iter_mut().for_each(|end| end.sort_unstable());
        assert_eq!(ends, [vec![1, 2, 3], vec![4, 5, 6]]);
        assert_eq!(pins.remove(103), None);
        assert_eq!(pins.tied_to(9), [9]);
    }
}
