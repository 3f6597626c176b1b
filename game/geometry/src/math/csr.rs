//! Rows of values in one flat array ("compressed sparse rows").

use std::ops::Range;

/// Values in rows, one row after the other; refilled without new allocations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csr<T> {
    /// By row: where its values start; one more at the end.
    starts: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy + Default> Csr<T> {
    /// Sorts values into rows, in the order in which they come (counting sort).
    pub fn new<I: Iterator<Item = (u32, T)>>(rows: usize, values: impl Fn() -> I) -> Self {
        let mut csr = Self::default();
        csr.fill(rows, values);
        csr
    }

    /// Replaces all rows: `values` gives the row of each value, twice the same; rows are below `rows`.
    pub fn fill<I: Iterator<Item = (u32, T)>>(&mut self, rows: usize, values: impl Fn() -> I) {
        // Counts stand two places further, and starts one: placing the values of a row moves its
        // start to its end, which is the start of the next row.
        let starts = &mut self.starts;
        starts.clear();
        starts.resize(rows + 2, 0);
        values().for_each(|(row, _)| starts[row as usize + 2] += 1);
        for row in 2..rows + 2 {
            starts[row] += starts[row - 1];
        }
        self.values.clear();
        self.values.resize(starts[rows + 1] as usize, T::default());
        values().for_each(|(row, value)| {
            let next = &mut starts[row as usize + 1];
            self.values[*next as usize] = value;
            *next += 1;
        });
        starts.truncate(rows + 1);
    }

    /// Appends the rows of another, with values mapped.
    pub fn append<U: Copy>(&mut self, other: &Csr<U>, map: impl Fn(U) -> T) {
        let before = self.values.len() as u32;
        // The first start of what follows is the last end of what is there.
        let starts = other.starts.iter().skip(self.starts.len().min(1));
        self.starts.extend(starts.map(|start| before + start));
        self.values.extend(other.values.iter().copied().map(map));
    }

    /// Where the values of a row stand among all.
    pub fn range(&self, row: u32) -> Range<u32> {
        self.starts[row as usize]..self.starts[row as usize + 1]
    }

    /// The values of a row.
    pub fn row(&self, row: u32) -> &[T] {
        let range = self.range(row);
        &self.values[range.start as usize..range.end as usize]
    }

    /// The values of a row, to be changed or sorted.
    pub fn row_mut(&mut self, row: u32) -> &mut [T] {
        let range = self.range(row);
        &mut self.values[range.start as usize..range.end as usize]
    }

    /// Sorts the values of each row, and leaves one of those that are equal.
    pub fn sort_and_dedup_rows(&mut self)
    where
        T: Ord,
    {
        let (mut kept, mut start) = (0, 0);
        for row in 1..self.starts.len() {
            let end = self.starts[row] as usize;
            self.values[start..end].sort_unstable();
            let first_kept = kept;
            for at in start..end {
                if kept == first_kept || self.values[at] != self.values[kept - 1] {
                    self.values[kept] = self.values[at];
                    kept += 1;
                }
            }
            start = end;
            self.starts[row] = kept as u32;
        }
        self.values.truncate(kept);
        self.values.shrink_to_fit();
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        size_of::<u32>() * self.starts.len() + size_of::<T>() * self.values.len()
    }

    /// All values, row by row.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_order_in_each_row() {
        let items = [(2, 'a'), (0, 'b'), (2, 'c'), (4, 'd')];
        let mut csr = Csr::new(6, || items.into_iter());
        assert_eq!(csr.row(2), ['a', 'c']);
        assert_eq!((csr.row(1), csr.row(5)), (&[][..], &[][..]));
        csr.fill(1, || [(0, 'x')].into_iter());
        assert_eq!(csr.row(0), ['x']);
        csr.append(&Csr::new(2, || [(1, 'b')].into_iter()), |c| {
            c.to_ascii_uppercase()
        });
        assert_eq!([0, 1, 2].map(|row| csr.row(row).len()), [1, 0, 1]);
        assert_eq!(csr.row(2), ['B']);
        let mut copy = Csr::default();
        copy.append(&csr, |c| c);
        assert_eq!(copy, csr);
        csr.fill(0, || [].into_iter());
        assert!(csr.into_values().is_empty());
    }
}
