//! A few of many ids, with dense indices.

use super::NONE;

/// A set of ids that indexes its members in the order in which they come (Briggs and Torczon 1993).
/// Clearing costs as much as the set has members, however large its ids are.
#[derive(Debug, Default)]
pub struct SparseSet {
    /// By index: the id.
    ids: Vec<u32>,
    /// By id: its index or [`NONE`].
    indices: Vec<u32>,
}

impl SparseSet {
    /// An empty set with room for ids below `ids`.
    pub fn with_id_capacity(ids: usize) -> Self {
        Self {
            ids: Vec::new(),
            indices: vec![NONE; ids],
        }
    }

    /// Removes all ids.
    pub fn clear(&mut self) {
        for id in self.ids.drain(..) {
            self.indices[id as usize] = NONE;
        }
    }

    /// The index of an id, which becomes a member if it is none.
    #[inline]
    pub fn insert(&mut self, id: u32) -> u32 {
        if self.indices.len() <= id as usize {
            self.indices.resize(id as usize + 1, NONE);
        }
        let index = &mut self.indices[id as usize];
        if *index == NONE {
            *index = self.ids.len() as u32;
            self.ids.push(id);
        }
        *index
    }

    /// Sorts the ids, and indexes them anew.
    pub fn sort(&mut self) {
        self.ids.sort_unstable();
        for (index, id) in self.ids.iter().enumerate() {
            self.indices[*id as usize] = index as u32;
        }
    }

    /// The index of an id or [`NONE`].
    pub fn index_of(&self, id: u32) -> u32 {
        self.indices.get(id as usize).copied().unwrap_or(NONE)
    }

    /// The ids by index.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        self.ids.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_indexed_as_they_come_and_forgotten_at_once() {
        let mut set = SparseSet::with_id_capacity(4);
        assert_eq!([7, 3, 7, 0].map(|id| set.insert(id)), [0, 1, 0, 2]);
        assert_eq!((set.ids(), set.len()), (&[7, 3, 0][..], 3));
        set.sort();
        assert_eq!([0, 3, 7, 99].map(|id| set.index_of(id)), [0, 1, 2, NONE]);
        set.clear();
        assert_eq!((set.len(), set.index_of(3)), (0, NONE));
    }
}
