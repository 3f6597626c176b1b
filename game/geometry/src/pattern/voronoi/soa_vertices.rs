//! Where the vertices of a cell are.

use crate::math::predicates;

/// Places of vertices are kept coordinate by coordinate in groups of this many, for the machine to
/// look at a group at once.
const GROUP: usize = 4;

/// Rounded positions of vertices in doubled grid units.
#[derive(Default)]
pub struct Places {
    /// x, y, z; what `n . y` may be off by for `n` of size 1.
    groups: Vec<[[f64; GROUP]; 4]>,
    count: usize,
}

impl Places {
    pub fn clear(&mut self) {
        self.groups.clear();
        self.count = 0;
    }

    pub fn push(&mut self, place: [f64; 4]) {
        if self.count.is_multiple_of(GROUP) {
            self.groups.push([[0.0; GROUP]; 4]);
        }
        self.count += 1;
        self.set(self.count - 1, place);
    }

    #[inline]
    pub fn get(&self, index: usize) -> [f64; 4] {
        let (group, lane) = (&self.groups[index / GROUP], index % GROUP);
        let at = |row: usize| group[row][lane];
        [at(0), at(1), at(2), at(3)]
    }

    /// Lanes of the last group without a vertex repeat the last one.
    #[inline]
    fn set(&mut self, index: usize, place: [f64; 4]) {
        let (group, lane) = (&mut self.groups[index / GROUP], index % GROUP);
        let lanes = if index + 1 == self.count {
            lane..GROUP
        } else {
            lane..lane + 1
        };
        for (row, value) in group.iter_mut().zip(place) {
            for slot in &mut row[lanes.clone()] {
                *slot = value;
            }
        }
    }

    /// Copies a place to a lower one.
    #[inline]
    pub fn copy(&mut self, from: usize, to: usize) {
        let place = self.get(from);
        let (group, lane) = (&mut self.groups[to / GROUP], to % GROUP);
        for (row, value) in group.iter_mut().zip(place) {
            row[lane] = value;
        }
    }

    pub fn truncate(&mut self, count: usize) {
        self.groups.truncate(count.div_ceil(GROUP));
        self.count = count;
        if let Some(last) = count.checked_sub(1) {
            self.set(last, self.get(last));
        }
    }

    /// The least value of a plane at any vertex, less what it may be off by there.
    pub fn least(&self, [x, y, z, offset]: [f64; 4], size: f64) -> f64 {
        let mut least = [f64::MAX; GROUP];
        for [xs, ys, zs, bounds] in &self.groups {
            for lane in 0..GROUP {
                let value = x * xs[lane] + y * ys[lane] + z * zs[lane] + offset;
                let value = value - size * bounds[lane];
                // Written so that it is one instruction.
                least[lane] = if value < least[lane] {
                    value
                } else {
                    least[lane]
                };
            }
        }
        least.into_iter().fold(f64::MAX, f64::min)
    }

    /// On which side of a plane each vertex is; 0 where rounding cannot tell.
    pub fn signs(
        &self,
        [x, y, z, offset]: [f64; 4],
        size: f64,
        slack: f64,
        out: &mut Vec<predicates::Sign>,
    ) {
        out.clear();
        for [xs, ys, zs, bounds] in &self.groups {
            let mut signs = [0; GROUP];
            for lane in 0..GROUP {
                let value = x * xs[lane] + y * ys[lane] + z * zs[lane] + offset;
                let bound = size * bounds[lane] + slack;
                signs[lane] =
                    predicates::Sign::from(value > bound) - predicates::Sign::from(value < -bound);
            }
            out.extend_from_slice(&signs);
        }
        out.truncate(self.count);
    }
}
