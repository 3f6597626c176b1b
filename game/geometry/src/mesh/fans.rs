//! The triangles around each point, in one array.

/// Triangles around points. A row that outgrows its place moves to the end of the array.
pub struct Fans {
    /// By point.
    rows: Vec<FanRow>,
    triangles: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct FanRow {
    start: u32,
    len: u32,
    capacity: u32,
}

impl Fans {
    /// The fans of points below `points`, each with its triangles in their order.
    pub fn new(points: usize, corners: &[[u32; 3]]) -> Self {
        let mut rows = vec![FanRow::default(); points];
        for point in corners.as_flattened() {
            rows[*point as usize].capacity += 1;
        }
        let mut start = 0;
        for row in &mut rows {
            row.start = start;
            start += row.capacity;
        }
        let mut triangles = vec![0; start as usize];
        for (triangle, corners) in (0..).zip(corners) {
            for point in corners {
                let row = &mut rows[*point as usize];
                triangles[(row.start + row.len) as usize] = triangle;
                row.len += 1;
            }
        }
        Self { rows, triangles }
    }

    /// The triangles around a point.
    #[inline]
    pub fn around(&self, point: u32) -> &[u32] {
        let row = self.rows[point as usize];
        &self.triangles[row.start as usize..][..row.len as usize]
    }

    /// Removes a triangle from those around a point; the others keep their order.
    pub fn remove(&mut self, point: u32, triangle: u32) {
        let row = &mut self.rows[point as usize];
        let own = &mut self.triangles[row.start as usize..][..row.len as usize];
        if let Some(at) = own.iter().position(|other| *other == triangle) {
            own.copy_within(at + 1.., at);
            row.len -= 1;
        }
    }

    /// Adds a triangle after those around a point.
    pub fn push(&mut self, point: u32, triangle: u32) {
        let row = &mut self.rows[point as usize];
        if row.len == row.capacity {
            let own = row.start as usize..(row.start + row.len) as usize;
            row.start = self.triangles.len() as u32;
            row.capacity = 2 * row.len + 2;
            self.triangles.extend_from_within(own);
            self.triangles
                .resize((row.start + row.capacity) as usize, 0);
        }
        self.triangles[(row.start + row.len) as usize] = triangle;
        row.len += 1;
    }

    /// Removes all triangles around a point.
    pub fn clear(&mut self, point: u32) {
        self.rows[point as usize].len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_grow_and_shrink_by_themselves() {
        let mut fans = Fans::new(4, &[[0, 1, 2], [2, 1, 3]]);
        assert_eq!(fans.around(1), [0, 1]);
        (2..9).for_each(|triangle| fans.push(1, triangle));
        fans.remove(1, 1);
        fans.remove(1, 77);
        assert_eq!(fans.around(1), [0, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(fans.around(2), [0, 1]);
        fans.clear(2);
        assert!(fans.around(2).is_empty());
        fans.push(2, 5);
        assert_eq!(fans.around(2), [5]);
        assert_eq!((fans.around(0), fans.around(3)), (&[0][..], &[1][..]));
    }
}
