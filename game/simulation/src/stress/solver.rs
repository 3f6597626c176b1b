//! Equilibrium of rigid nodes on springs: conjugate gradients, preconditioned by an incomplete block
//! Cholesky factorisation.
//!
//! Method: Meijerink and van der Vorst 1977, with one block per node. The factor has the sparsity of the
//! matrix; a pivot that is not positive is replaced by the matrix's own, so that it always exists. Nodes
//! are eliminated from the free ends towards the anchors, which makes the factor exact for chains and
//! trees.

use glam::{DMat3, DVec3};

use super::block::{cross_matrix, dot, Block, Vector6};

/// Relative residual, in the norm of the preconditioner, at which a solution counts as found.
const TOLERANCE: f64 = 1e-5;

/// Iterations beyond the number of unknowns, which would be enough without rounding.
const EXTRA_ITERATIONS: usize = 60;

/// A spring between two nodes, or between a node and the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spring {
    /// Two nodes, or one node twice when the other end is the ground.
    pub nodes: [u32; 2],
    /// Whether the second end is the ground.
    pub grounded: bool,
    /// From the nodes' centres to the spring.
    pub arms: [DVec3; 2],
    /// Force per displacement.
    pub linear_stiffness: DMat3,
    /// Moment per rotation.
    pub angular_stiffness: DMat3,
}

impl Spring {
    /// The block that couples a displacement of one end with the force on another.
    fn block(&self, on: usize, of: usize) -> Block {
        let (a, b) = (cross_matrix(self.arms[on]), cross_matrix(self.arms[of]));
        let linear = self.linear_stiffness;
        Block::from_blocks([
            [linear, linear * b * -1.0],
            [a * linear, a * linear * b * -1.0 + self.angular_stiffness],
        ])
    }
}

/// The stiffness matrix of a network, and its incomplete factor. Rows are nodes.
#[derive(Default)]
pub(super) struct System {
    diagonal: Vec<Block>,
    /// By row: index of its first entry.
    starts: Vec<usize>,
    /// The column (before the row's own) of each entry.
    columns: Vec<u32>,
    entries: Vec<Block>,
    pivots: Vec<Block>,
    factor: Vec<Block>,
}

impl System {
    /// Assembles the springs between nodes `0..count`.
    pub fn new(count: usize, springs: &[Spring]) -> Self {
        let mut pairs: Vec<[u32; 2]> = springs
            .iter()
            .filter(|spring| !spring.grounded)
            .map(|spring| row_and_column(spring.nodes))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let starts = (0..=count as u32).map(|row| pairs.partition_point(|pair| pair[0] < row));
        let mut system = Self {
            diagonal: vec![Block::ZERO; count],
            starts: starts.collect(),
            columns: pairs.iter().map(|pair| pair[1]).collect(),
            entries: vec![Block::ZERO; pairs.len()],
            ..Self::default()
        };
        springs.iter().for_each(|spring| system.add(spring));
        system.factorize();
        system
    }

    fn add(&mut self, spring: &Spring) {
        let ends = if spring.grounded { 1 } else { 2 };
        for end in 0..ends {
            if let Some(own) = self.diagonal.get_mut(spring.nodes[end] as usize) {
                own.add(&spring.block(end, end));
            }
        }
        if spring.grounded {
            return;
        }
        let [row, column] = row_and_column(spring.nodes);
        let (on, of) = if row == spring.nodes[0] {
            (0, 1)
        } else {
            (1, 0)
        };
        let at = self.find(row, column);
        if let Some(entry) = at.and_then(|at| self.entries.get_mut(at)) {
            let mut block = spring.block(on, of);
            block
                .0
                .iter_mut()
                .flatten()
                .for_each(|value| *value = -*value);
            entry.add(&block);
        }
    }

    fn row(&self, row: usize) -> std::ops::Range<usize> {
        let at = |row: usize| self.starts.get(row).copied().unwrap_or_default();
        at(row)..at(row + 1)
    }

    fn find(&self, row: u32, column: u32) -> Option<usize> {
        let range = self.row(row as usize);
        let own = self.columns.get(range.clone())?;
        Some(range.start + own.binary_search(&column).ok()?)
    }

    /// `L_ij = K_ij - sum L_ik D_k^-1 L_jk^T` and `D_i = K_ii - sum L_ik D_k^-1 L_ik^T`.
    fn factorize(&mut self) {
        self.factor = self.entries.clone();
        self.pivots.clear();
        for row in 0..self.diagonal.len() {
            for at in self.row(row) {
                let column = self.columns[at] as usize;
                let mut entry = self.factor[at];
                for (one, other) in self.common(row, column) {
                    let pivot = &self.pivots[self.columns[one] as usize];
                    let scaled = self.factor[one].times_symmetric(pivot);
                    entry.subtract_product(&scaled, &self.factor[other]);
                }
                self.factor[at] = entry;
            }
            let mut left = self.diagonal[row];
            for at in self.row(row) {
                let pivot = &self.pivots[self.columns[at] as usize];
                let scaled = self.factor[at].times_symmetric(pivot);
                left.subtract_product(&scaled, &self.factor[at]);
            }
            let inverse = left.inverse().or_else(|| self.diagonal[row].inverse());
            self.pivots.push(inverse.unwrap_or(Block::ZERO));
        }
    }

    /// The entries of two rows in the same column before the second row.
    fn common(&self, row: usize, other: usize) -> Vec<(usize, usize)> {
        let entries = |row: usize| self.row(row).map(|at| (self.columns[at], at));
        let mut others = entries(other).peekable();
        let mut pairs = Vec::new();
        for (column, at) in entries(row).take_while(|(column, _)| (*column as usize) < other) {
            while others.next_if(|(other, _)| *other < column).is_some() {}
            if let Some((_, other_at)) = others.next_if(|(other, _)| *other == column) {
                pairs.push((at, other_at));
            }
        }
        pairs
    }

    /// Finds the displacements under a load, starting from `x`; whether the iteration converged.
    pub fn solve(&self, load: &[Vector6], x: &mut [Vector6]) -> bool {
        let mut residual = load.to_vec();
        let mut image = vec![[0.0; 6]; load.len()];
        self.multiply(x, &mut image);
        add(&mut residual, -1.0, &image);
        let target = TOLERANCE * TOLERANCE * product(load, &self.precondition(load));
        let mut preconditioned = self.precondition(&residual);
        let mut size = product(&residual, &preconditioned);
        let mut direction = preconditioned;
        for _ in 0..EXTRA_ITERATIONS + 6 * load.len() {
            if size <= target || !size.is_finite() {
                return size.is_finite();
            }
            self.multiply(&direction, &mut image);
            let step = size / product(&direction, &image);
            add(x, step, &direction);
            add(&mut residual, -step, &image);
            preconditioned = self.precondition(&residual);
            let next = product(&residual, &preconditioned);
            let momentum = next / size;
            for (direction, guide) in direction.iter_mut().zip(&preconditioned) {
                let values = direction.iter_mut().zip(guide);
                values.for_each(|(d, p)| *d = p + momentum * *d);
            }
            size = next;
        }
        false
    }

    fn multiply(&self, x: &[Vector6], out: &mut [Vector6]) {
        for (out, (block, x)) in out.iter_mut().zip(self.diagonal.iter().zip(x)) {
            *out = [0.0; 6];
            block.add_product(x, out);
        }
        for row in 0..self.diagonal.len() {
            for at in self.row(row) {
                let column = self.columns[at] as usize;
                self.entries[at].add_product(&x[column], &mut out[row]);
                self.entries[at].add_transposed_product(&x[row], &mut out[column]);
            }
        }
    }

    /// Solves with the incomplete factor.
    fn precondition(&self, right: &[Vector6]) -> Vec<Vector6> {
        let mut y = right.to_vec();
        // `D^-1 y` of the rows before.
        let mut scaled = vec![[0.0; 6]; right.len()];
        for row in 0..self.diagonal.len() {
            let mut known = [0.0; 6];
            for at in self.row(row) {
                self.factor[at].add_product(&scaled[self.columns[at] as usize], &mut known);
            }
            y[row].iter_mut().zip(known).for_each(|(y, k)| *y -= k);
            self.pivots[row].add_product(&y[row], &mut scaled[row]);
        }
        let mut known = vec![[0.0; 6]; right.len()];
        for row in (0..self.diagonal.len()).rev() {
            let mut less = [0.0; 6];
            self.pivots[row].add_product(&known[row], &mut less);
            scaled[row].iter_mut().zip(less).for_each(|(z, l)| *z -= l);
            for at in self.row(row) {
                let column = self.columns[at] as usize;
                self.factor[at].add_transposed_product(&scaled[row], &mut known[column]);
            }
        }
        scaled
    }
}

/// The later node is the row.
fn row_and_column([a, b]: [u32; 2]) -> [u32; 2] {
    [a.max(b), a.min(b)]
}

fn product(a: &[Vector6], b: &[Vector6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| dot(a, b)).sum()
}

fn add(x: &mut [Vector6], factor: f64, y: &[Vector6]) {
    let values = x.iter_mut().flatten().zip(y.iter().flatten());
    values.for_each(|(x, y)| *x += factor * y);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::block::{halves, vector6};

    fn spring(nodes: [u32; 2], grounded: bool, arms: [DVec3; 2]) -> Spring {
        Spring {
            nodes,
            grounded,
            arms,
            linear_stiffness: DMat3::IDENTITY * 3.0,
            angular_stiffness: DMat3::from_diagonal(DVec3::new(0.5, 0.4, 0.3)),
        }
    }

    /// A grid of nodes on the ground, with springs along its lines.
    fn grid(n: u32) -> (usize, Vec<Spring>) {
        let at = |x: u32, y: u32| y * n + x;
        let mut springs = Vec::new();
        for (x, y) in (0..n * n).map(|k| (k % n, k / n)) {
            let half = [DVec3::X * 0.5, DVec3::X * -0.5];
            if x + 1 < n {
                springs.push(spring([at(x, y), at(x + 1, y)], false, half));
            }
            let half = [DVec3::Y * 0.5, DVec3::Y * -0.5];
            if y + 1 < n {
                springs.push(spring([at(x, y), at(x, y + 1)], false, half));
            } else {
                springs.push(spring([at(x, y); 2], true, half));
            }
        }
        ((n * n) as usize, springs)
    }

    #[test]
    fn forces_balance_the_load() {
        let (count, springs) = grid(7);
        let system = System::new(count, &springs);
        let load = vec![vector6(DVec3::NEG_Y, DVec3::ZERO); count];
        let mut x = vec![[0.0; 6]; count];
        assert!(system.solve(&load, &mut x));
        let mut image = vec![[0.0; 6]; count];
        system.multiply(&x, &mut image);
        for (image, load) in image.iter().zip(&load) {
            let off = image.iter().zip(load).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f64::max) < 1e-4);
        }
    }

    #[test]
    fn a_column_shortens_by_what_is_above() {
        // Nodes 0, 1, 2 from the top down to the ground.
        let arms = [DVec3::NEG_Y * 0.5, DVec3::Y * 0.5];
        let springs = [
            spring([0, 1], false, arms),
            spring([1, 2], false, arms),
            spring([2, 2], true, arms),
        ];
        let system = System::new(3, &springs);
        let load = [vector6(DVec3::NEG_Y * 6.0, DVec3::ZERO); 3];
        let mut x = [[0.0; 6]; 3];
        assert!(system.solve(&load, &mut x));
        let down: Vec<f64> = x.iter().map(|x| halves(x)[0].y).collect();
        for (found, wanted) in down.iter().zip([-12.0, -10.0, -6.0]) {
            assert!((found - wanted).abs() < 1e-5, "{down:?}");
        }
    }

    #[test]
    fn a_singular_system_ends() {
        let system = System::new(2, &[spring([0, 1], false, [DVec3::ZERO; 2])]);
        let mut x = [[0.0; 6]; 2];
        let load = [vector6(DVec3::NEG_Y, DVec3::ZERO); 2];
        assert!(!system.solve(&load, &mut x));
    }
}
