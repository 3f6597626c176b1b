//! Disjoint sets by union and find (Galler and Fischer 1964, with path halving).

use std::sync::atomic::{AtomicU32, Ordering};

/// Disjoint sets of indices. A set's root is its smallest member, whatever the order of unions, unless
/// [`UnionFind::attach`] chooses another.
///
/// Threads may unite at once as long as no two touch the same set; parents are atomic for that, and
/// cost no more than plain integers.
#[derive(Debug, Default)]
pub struct UnionFind {
    parents: Vec<AtomicU32>,
}

/// The set of each index; sets are numbered in the order of their smallest members.
pub struct ComponentLabels {
    /// The number of sets.
    pub count: usize,
    /// By index: its set.
    pub of: Vec<usize>,
}

impl UnionFind {
    /// `count` sets of one index each.
    pub fn new(count: usize) -> Self {
        let mut sets = Self::default();
        sets.reset(count);
        sets
    }

    /// Starts over with `count` sets of one index each, in the same memory.
    pub fn reset(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend((0..count as u32).map(AtomicU32::new));
    }

    /// Unites the sets of two indices.
    pub fn unite(&self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.set_parent(a.max(b), a.min(b));
        }
    }

    /// Puts the set of one root below another root, which stays the root whatever the order of indices.
    pub fn attach(&self, root: u32, parent: u32) {
        self.set_parent(root, parent);
    }

    /// The root of the set of an index.
    pub fn find(&self, mut index: u32) -> u32 {
        loop {
            let parent = self.parent(index);
            let grandparent = self.parent(parent);
            if grandparent == parent {
                return parent;
            }
            self.set_parent(index, grandparent);
            index = grandparent;
        }
    }

    /// Numbers the sets.
    pub fn labels(&self) -> ComponentLabels {
        let mut of = vec![0; self.parents.len()];
        let mut count = 0;
        for index in 0..self.parents.len() as u32 {
            let root = self.find(index);
            if root == index {
                of[index as usize] = count;
                count += 1;
            } else {
                of[index as usize] = of[root as usize];
            }
        }
        ComponentLabels { count, of }
    }

    // Each set is touched by one thread at a time: no ordering between threads is needed.

    fn parent(&self, index: u32) -> u32 {
        self.parents[index as usize].load(Ordering::Relaxed)
    }

    fn set_parent(&self, index: u32, parent: u32) {
        self.parents[index as usize].store(parent, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_by_their_smallest_members() {
        let mut sets = UnionFind::new(6);
        sets.unite(5, 1);
        sets.unite(3, 5);
        sets.unite(4, 2);
        assert_eq!((sets.find(3), sets.find(4), sets.find(0)), (1, 2, 0));
        let labels = sets.labels();
        assert_eq!((labels.count, labels.of), (3, vec![0, 1, 2, 1, 2, 1]));
        sets.reset(2);
        assert_eq!(sets.labels().count, 2);
    }
}
