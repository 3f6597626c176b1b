//! External bodies that joints connect: they are in the debris world together.

use std::collections::{BTreeMap, BTreeSet};

use crate::debris::BodyRef;

/// Joints by their keys, and by the external bodies at their ends.
#[derive(Default)]
pub(super) struct JointGraph {
    joints: BTreeMap<u64, [BodyRef; 2]>,
    joints_of_body: BTreeMap<u64, BTreeSet<u64>>,
}

impl JointGraph {
    pub fn add(&mut self, joint: u64, bodies: [BodyRef; 2]) {
        self.joints.insert(joint, bodies);
        for key in bodies.into_iter().filter_map(BodyRef::external) {
            self.joints_of_body.entry(key).or_default().insert(joint);
        }
    }

    /// Removes a joint, and returns the bodies that it connected.
    pub fn remove(&mut self, joint: u64) -> Option<[BodyRef; 2]> {
        let bodies = self.joints.remove(&joint)?;
        for key in bodies.into_iter().filter_map(BodyRef::external) {
            if let Some(joints) = self.joints_of_body.get_mut(&key) {
                joints.remove(&joint);
                if joints.is_empty() {
                    self.joints_of_body.remove(&key);
                }
            }
        }
        Some(bodies)
    }

    /// Whether any joint holds a body.
    pub fn has_joints(&self, key: u64) -> bool {
        self.joints_of_body.contains_key(&key)
    }

    /// A body, and all external bodies that joints connect it to.
    pub fn island_of(&self, key: u64) -> Vec<u64> {
        let (mut island, mut next) = (vec![key], 0);
        while let Some(key) = island.get(next).copied() {
            next += 1;
            let bodies = self.joints_at(key).flat_map(|(_, bodies)| *bodies);
            for other in bodies.filter_map(BodyRef::external) {
                if !island.contains(&other) {
                    island.push(other);
                }
            }
        }
        island
    }

    /// Whether a joint connects any of some bodies to a breakable one.
    pub fn is_any_joined_to_breakable(&self, keys: &[u64]) -> bool {
        let joints = keys.iter().flat_map(|key| self.joints_at(*key));
        let mut bodies = joints.flat_map(|(_, bodies)| bodies);
        bodies.any(|body| body.breakable().is_some())
    }

    fn joints_at(&self, key: u64) -> impl Iterator<Item = (&u64, &[BodyRef; 2])> {
        let joints = self.joints_of_body.get(&key).into_iter().flatten();
        joints.filter_map(|joint| self.joints.get_key_value(joint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_one_island_until_a_link_goes() {
        let mut graph = JointGraph::default();
        let link = |key: u64| [key, key + 1].map(BodyRef::External);
        (1..6).for_each(|key| graph.add(100 + key, link(key)));
        assert_eq!(graph.island_of(3).len(), 6);
        assert!(graph.has_joints(6) && !graph.has_joints(7));
        graph.remove(103);
        let mut islands = [graph.island_of(1), graph.island_of(6)];
        islands.iter_mut().for_each(|island| island.sort_unstable());
        assert_eq!(islands, [vec![1, 2, 3], vec![4, 5, 6]]);
        assert_eq!(graph.remove(103), None);
        assert_eq!(graph.island_of(9), [9]);
    }
}
