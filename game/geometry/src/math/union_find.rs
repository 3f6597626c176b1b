//! Disjoint sets of numbers, by union and find.

/// Disjoint sets of numbers from 0 on.
pub struct UnionFind(Vec<u32>);

/// UnionFind by number, in the order of their first members.
pub struct ComponentLabels {
    pub count: usize,
    pub of: Vec<usize>,
}

impl UnionFind {
    pub fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let up = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = up;
            at = up;
        }
        at
    }

    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    pub fn groups(mut self) -> ComponentLabels {
        let mut of = vec![0; self.0.len()];
        let mut count = 0;
        for point in 0..self.0.len() as u32 {
            let root = self.root(point);
            if root == point {
                of[point as usize] = count;
                count += 1;
            } else {
                of[point as usize] = of[root as usize];
            }
        }
        ComponentLabels { count, of }
    }
}
