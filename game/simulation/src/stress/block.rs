//! Vectors and matrices of a rigid node: three displacements and three rotations.

use glam::{DMat3, DVec3};

/// A displacement and a rotation, or a force and a moment.
pub(super) type Vector6 = [f64; 6];

/// Coupling of the six degrees of freedom of two nodes, by rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block(pub [Vector6; 6]);

impl Block {
    pub const ZERO: Self = Self([[0.0; 6]; 6]);

    /// From four blocks of three by three.
    pub fn from_blocks(parts: [[DMat3; 2]; 2]) -> Self {
        let mut out = Self::ZERO;
        for (row, values) in out.0.iter_mut().enumerate() {
            for (column, value) in values.iter_mut().enumerate() {
                *value = parts[row / 3][column / 3].col(column % 3)[row % 3];
            }
        }
        out
    }

    pub fn add(&mut self, other: &Self) {
        let values = self.0.iter_mut().flatten();
        values
            .zip(other.0.iter().flatten())
            .for_each(|(a, b)| *a += b);
    }

    pub fn transposed(&self) -> Self {
        let mut out = Self::ZERO;
        for (column, values) in self.0.iter().enumerate() {
            for (row, value) in out.0.iter_mut().zip(values) {
                row[column] = *value;
            }
        }
        out
    }

    /// `self b`
    pub fn times(&self, b: &Self) -> Self {
        let mut out = Self::ZERO;
        for (own, row) in out.0.iter_mut().zip(&self.0) {
            *own = b.times_row(row);
        }
        out
    }

    /// `self -= a b`
    pub fn subtract_product(&mut self, a: &Self, b: &Self) {
        for (own, row) in self.0.iter_mut().zip(&a.0) {
            let product = b.times_row(row);
            own.iter_mut()
                .zip(product)
                .for_each(|(own, other)| *own -= other);
        }
    }

    /// `row self`. The values are summed side by side, which vector instructions can do.
    #[inline(always)]
    fn times_row(&self, row: &Vector6) -> Vector6 {
        let mut sums = [0.0; 6];
        for (factor, own) in row.iter().zip(&self.0) {
            for (sum, value) in sums.iter_mut().zip(own) {
                *sum += factor * value;
            }
        }
        sums
    }

    /// `out += self x`
    pub fn add_product(&self, x: &Vector6, out: &mut Vector6) {
        for (value, row) in out.iter_mut().zip(&self.0) {
            *value += dot(row, x);
        }
    }

    /// `out += self^T x`
    pub fn add_transposed_product(&self, x: &Vector6, out: &mut Vector6) {
        for (row, x) in self.0.iter().zip(x) {
            for (value, a) in out.iter_mut().zip(row) {
                *value += a * x;
            }
        }
    }

    /// The inverse of a symmetric matrix, by its Cholesky factor; `None` when it is not positive definite
    /// up to rounding.
    pub fn inverse(&self) -> Option<Self> {
        let factor = self.cholesky()?;
        let mut out = Self::ZERO;
        for column in 0..6 {
            let mut x = [0.0; 6];
            x[column] = 1.0;
            for row in 0..6 {
                let known: f64 = (0..row).map(|k| factor[row][k] * x[k]).sum();
                x[row] = (x[row] - known) / factor[row][row];
            }
            for row in (0..6).rev() {
                let known: f64 = (row + 1..6).map(|k| factor[k][row] * x[k]).sum();
                x[row] = (x[row] - known) / factor[row][row];
            }
            for (row, value) in out.0.iter_mut().zip(x) {
                row[column] = value;
            }
        }
        Some(out)
    }

    fn cholesky(&self) -> Option<[Vector6; 6]> {
        let mut factor = [[0.0; 6]; 6];
        for row in 0..6 {
            for column in 0..=row {
                let known: f64 = (0..column)
                    .map(|k| factor[row][k] * factor[column][k])
                    .sum();
                let left = self.0[row][column] - known;
                factor[row][column] = if row > column {
                    left / factor[column][column]
                } else if left > 1e-12 * self.0[row][row] {
                    left.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(factor)
    }
}

pub(super) fn dot(a: &Vector6, b: &Vector6) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn vector6(first: DVec3, second: DVec3) -> Vector6 {
    [first.x, first.y, first.z, second.x, second.y, second.z]
}

pub(super) fn halves(v: &Vector6) -> [DVec3; 2] {
    [DVec3::new(v[0], v[1], v[2]), DVec3::new(v[3], v[4], v[5])]
}

/// The matrix of `v x`.
pub(super) fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_a_spring_matrix() {
        let arm = cross_matrix(DVec3::new(0.2, -0.4, 0.7));
        let spring = Block::from_blocks([
            [DMat3::IDENTITY, -arm],
            [arm, DMat3::IDENTITY * 0.1 - arm * arm],
        ]);
        let inverse = spring.inverse().unwrap();
        let one = spring.times(&inverse);
        for (row, values) in one.0.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let wanted = f64::from(u8::from(row == column));
                assert!((value - wanted).abs() < 1e-9, "{row} {column}: {value}");
            }
        }
    }

    #[test]
    fn a_hinge_has_no_inverse() {
        let turn = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
        let hinge = Block::from_blocks([[DMat3::IDENTITY, DMat3::ZERO], [DMat3::ZERO, turn]]);
        assert_eq!(hinge.inverse(), None);
    }
}
