//! Equilibrium of rigid nodes on springs: conjugate gradients, preconditioned by a block Cholesky factorisation.
//!
//! Method: Meijerink and van der Vorst 1977, with one block per node. With a complete factor one iteration is enough. A
//! pivot that is not positive is replaced by the matrix's own, so that it always exists.

use fracture_geometry::steps::pause;
use glam::{DMat3, DVec3};

use super::block::{cross_matrix, dot, Block, Vector6};
use super::elimination::{inverse, products_of_iteration, row_and_column, Elimination};

/// Relative residual, in the norm of the preconditioner, at which a solution counts as found.
const TOLERANCE: f64 = 1e-5;

/// Products of blocks in a step of the factorisation or of a solution: some milliseconds.
const PRODUCTS_PER_STEP: usize = 4096;

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
    /// Force per rotation; transposed, moment per displacement.
    pub coupling: DMat3,
    /// Moment per rotation.
    pub angular_stiffness: DMat3,
}

impl Spring {
    /// The block that couples a displacement of one end with the force on another.
    fn block(&self, on: usize, of: usize) -> Block {
        let (a, b) = (cross_matrix(self.arms[on]), cross_matrix(self.arms[of]));
        let (linear, coupling) = (self.linear_stiffness, self.coupling);
        let moment = a * linear + coupling.transpose();
        Block::from_blocks([
            [linear, coupling - linear * b],
            [moment, a * coupling - moment * b + self.angular_stiffness],
        ])
    }
}

/// The stiffness matrix of a network, and its factor. Rows are nodes in the order in which they are eliminated. Its memory
/// is used again for the next matrix: these are megabytes, and to get new pages for each took a seventh of the time.
#[derive(Default)]
pub(crate) struct System {
    /// By row.
    nodes: Vec<u32>,
    diagonal: Vec<Block>,
    /// By row: index of its first entry.
    starts: Vec<usize>,
    /// The column (before the row's own) of each entry.
    columns: Vec<u32>,
    entries: Vec<Block>,
    pivots: Vec<Block>,
    factor: Vec<Block>,
    /// Whether the factor is the whole one.
    is_complete: bool,
    /// The factor's entries, each transposed, while it is found: each is a part of many products.
    transposed: Vec<Block>,
}

impl System {
    /// Assembles springs between nodes into a matrix in place of the one before, in steps. A node without springs stays
    /// where it is.
    pub(super) async fn assemble(&mut self, elimination: &Elimination, springs: &[Spring]) {
        let Elimination {
            nodes,
            pairs,
            is_complete,
        } = elimination;
        let count = nodes.len();
        let starts = (0..=count as u32).map(|row| pairs.partition_point(|pair| pair[0] < row));
        reset(&mut self.diagonal, count);
        reset(&mut self.entries, pairs.len());
        self.starts.clear();
        self.starts.extend(starts);
        self.columns.clear();
        self.columns.extend(pairs.iter().map(|pair| pair[1]));
        self.nodes.clone_from(nodes);
        self.is_complete = *is_complete;
        let rows = inverse(&self.nodes);
        let row = |node: u32| rows.get(node as usize).copied().unwrap_or(node);
        for spring in springs {
            self.add(&Spring {
                nodes: spring.nodes.map(row),
                ..*spring
            });
        }
        self.factorize().await;
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
    async fn factorize(&mut self) {
        let mut products = 0;
        self.factor.clone_from(&self.entries);
        self.pivots.clear();
        reset(&mut self.transposed, self.entries.len());
        // `L_ik D_k^-1` of the row.
        let mut scaled: Vec<Block> = Vec::new();
        // By column: its place among these.
        let mut places = vec![None; self.diagonal.len()];
        for row in 0..self.diagonal.len() {
            if products > PRODUCTS_PER_STEP {
                products = 0;
                pause().await;
            }
            scaled.clear();
            let mut left = self.diagonal[row];
            for at in self.row(row) {
                let column = self.columns[at] as usize;
                let mut entry = self.factor[at];
                for other in self.row(column) {
                    if let Some(place) = places[self.columns[other] as usize] {
                        products += 1;
                        entry.subtract_product(&scaled[place], &self.transposed[other]);
                    }
                }
                let own = entry.times(&self.pivots[column]);
                self.transposed[at] = entry.transposed();
                left.subtract_product(&own, &self.transposed[at]);
                places[column] = Some(scaled.len());
                scaled.push(own);
                self.factor[at] = entry;
            }
            for at in self.row(row) {
                places[self.columns[at] as usize] = None;
            }
            let inverse = left.inverse().or_else(|| self.diagonal[row].inverse());
            self.pivots.push(inverse.unwrap_or(Block::ZERO));
        }
    }

    /// Finds the displacements under a load, starting from `x`, in steps; whether the iteration converged.
    pub async fn solve(&self, load: &[Vector6], x: &mut [Vector6]) -> bool {
        let by_row = self.by_row(load);
        let target = TOLERANCE * TOLERANCE * product(&by_row, &self.precondition(&by_row));
        // With the whole factor one is enough, or there is no solution.
        let unknowns = if self.is_complete { 0 } else { 6 * load.len() };
        let most = EXTRA_ITERATIONS + unknowns;
        self.solve_until(load, x, most, |_, size| size <= target)
            .await
    }

    /// As [`Self::solve`], with so many iterations at most, until a condition holds for the forces that are out of balance,
    /// and their size in the norm of the preconditioner.
    pub async fn solve_until(
        &self,
        load: &[Vector6],
        x: &mut [Vector6],
        most: usize,
        is_found: impl Fn(&[Vector6], f64) -> bool,
    ) -> bool {
        let mut found = self.by_row(x);
        let mut residual = self.by_row(load);
        let mut image = vec![[0.0; 6]; load.len()];
        self.multiply(&found, &mut image);
        add(&mut residual, -1.0, &image);
        let mut preconditioned = self.precondition(&residual);
        let mut size = product(&residual, &preconditioned);
        let mut direction = preconditioned;
        let mut left = residual.clone();
        let of_iteration = products_of_iteration(self.diagonal.len(), self.entries.len());
        let mut products = 0;
        for _ in 0..most {
            if products > PRODUCTS_PER_STEP {
                products = 0;
                pause().await;
            }
            products += of_iteration;
            self.to_nodes(&residual, &mut left);
            if is_found(&left, size) || !size.is_finite() {
                self.to_nodes(&found, x);
                return size.is_finite();
            }
            self.multiply(&direction, &mut image);
            let step = size / product(&direction, &image);
            add(&mut found, step, &direction);
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
        self.to_nodes(&found, x);
        false
    }

    /// Vectors by node, in the order of the rows.
    fn by_row(&self, of_nodes: &[Vector6]) -> Vec<Vector6> {
        let of_node = |node: &u32| of_nodes.get(*node as usize).copied();
        let vectors = self.nodes.iter().map(of_node);
        vectors.map(Option::unwrap_or_default).collect()
    }

    /// Puts vectors by row to their nodes.
    fn to_nodes(&self, of_rows: &[Vector6], of_nodes: &mut [Vector6]) {
        for (node, vector) in self.nodes.iter().zip(of_rows) {
            if let Some(own) = of_nodes.get_mut(*node as usize) {
                *own = *vector;
            }
        }
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

    /// Solves with the factor.
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

fn reset(blocks: &mut Vec<Block>, count: usize) {
    blocks.clear();
    blocks.resize(count, Block::ZERO);
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
    use std::collections::BTreeSet;
    use std::future::Future;
    use std::pin::pin;

    use fracture_geometry::steps::{finish, step};

    use super::*;
    use crate::stress::block::{halves, vector6};
    use crate::stress::elimination::{eliminate, MOST_COST};

    fn spring(nodes: [u32; 2], grounded: bool, arms: [DVec3; 2]) -> Spring {
        Spring {
            nodes,
            grounded,
            arms,
            linear_stiffness: DMat3::IDENTITY * 3.0,
            coupling: DMat3::ZERO,
            angular_stiffness: DMat3::from_diagonal(DVec3::new(0.5, 0.4, 0.3)),
        }
    }

    fn system_of(elimination: &Elimination, springs: &[Spring]) -> System {
        let mut system = System::default();
        finish(system.assemble(elimination, springs));
        system
    }

    fn assembled(count: usize, springs: &[Spring]) -> System {
        let links = springs.iter().filter(|spring| !spring.grounded);
        let links = links.map(|spring| spring.nodes);
        let elimination = finish(Elimination::new(count, links, MOST_COST));
        system_of(&elimination, springs)
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
        let system = assembled(count, &springs);
        let load = vec![vector6(DVec3::NEG_Y, DVec3::ZERO); count];
        let mut x = vec![[0.0; 6]; count];
        assert!(finish(system.solve(&load, &mut x)));
        let mut by_row = vec![[0.0; 6]; count];
        system.multiply(&system.by_row(&x), &mut by_row);
        let mut image = load.clone();
        system.to_nodes(&by_row, &mut image);
        for (image, load) in image.iter().zip(&load) {
            let off = image.iter().zip(load).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f64::max) < 1e-4);
        }
    }

    #[test]
    fn a_complete_factor_finds_the_same_at_once() {
        let (count, springs) = grid(9);
        let of_matrix: BTreeSet<[u32; 2]> = springs
            .iter()
            .filter(|spring| !spring.grounded)
            .map(|spring| row_and_column(spring.nodes))
            .collect();
        let incomplete = Elimination {
            nodes: (0..count as u32).collect(),
            pairs: of_matrix.into_iter().collect(),
            is_complete: false,
        };
        let complete = finish(eliminate(count, &incomplete.pairs, MOST_COST)).unwrap();
        assert!(complete.pairs.is_sorted() && complete.pairs.len() > 2 * incomplete.pairs.len());
        let load = vec![vector6(DVec3::new(0.3, -1.0, 0.1), DVec3::X); count];
        let [exact, found] = [complete, incomplete].map(|elimination| {
            let system = system_of(&elimination, &springs);
            let mut x = vec![[0.0; 6]; count];
            assert!(finish(system.solve(&load, &mut x)));
            (system, x)
        });
        let mut at_once = load.clone();
        let by_row = exact.0.precondition(&exact.0.by_row(&load));
        exact.0.to_nodes(&by_row, &mut at_once);
        let size = product(&exact.1, &exact.1);
        for (x, allowed) in [(&at_once, 1e-18), (&found.1, 1e-6)] {
            let mut off = exact.1.clone();
            add(&mut off, -1.0, x);
            assert!(product(&off, &off) < allowed * size);
        }
    }

    /// The steps of some work, and its output.
    fn counted<T>(work: impl Future<Output = T>) -> (usize, T) {
        let mut work = pin!(work);
        let mut steps = 1;
        loop {
            if let Some(output) = step(work.as_mut()) {
                return (steps, output);
            }
            steps += 1;
        }
    }

    #[test]
    fn the_work_on_a_large_matrix_is_done_in_steps() {
        let (count, springs) = grid(45);
        let links = || {
            let between = springs.iter().filter(|spring| !spring.grounded);
            between.map(|spring| spring.nodes)
        };
        let load = vec![vector6(DVec3::NEG_Y, DVec3::ZERO); count];
        // With a complete factor, and with that of the matrix itself.
        for (most_cost, least_steps) in [(10_000, [4, 10, 1]), (0, [1, 1, 10])] {
            let (order, elimination) = counted(Elimination::new(count, links(), most_cost));
            let (factor, system) = counted(async {
                let mut system = System::default();
                system.assemble(&elimination, &springs).await;
                system
            });
            let mut x = vec![[0.0; 6]; count];
            let (solution, has_converged) = counted(system.solve(&load, &mut x));
            assert!(has_converged);
            let steps = [order, factor, solution];
            let are_many = steps.iter().zip(least_steps).all(|(s, least)| *s >= least);
            assert!(are_many, "{steps:?}");
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
        let system = assembled(3, &springs);
        let load = [vector6(DVec3::NEG_Y * 6.0, DVec3::ZERO); 3];
        let mut x = [[0.0; 6]; 3];
        assert!(finish(system.solve(&load, &mut x)));
        let down: Vec<f64> = x.iter().map(|x| halves(x)[0].y).collect();
        for (found, wanted) in down.iter().zip([-12.0, -10.0, -6.0]) {
            assert!((found - wanted).abs() < 1e-5, "{down:?}");
        }
    }

    #[test]
    fn a_singular_system_ends() {
        let system = assembled(2, &[spring([0, 1], false, [DVec3::ZERO; 2])]);
        let mut x = [[0.0; 6]; 2];
        let load = [vector6(DVec3::NEG_Y, DVec3::ZERO); 2];
        assert!(!finish(system.solve(&load, &mut x)));
    }
}
