//! The order in which the nodes of a network are eliminated.
//!
//! Where the factor of a matrix has few more entries than the matrix, as of slender and flat bodies and of most buildings,
//! it is found whole. Nodes are eliminated then in the order of their degrees, least first, which keeps the factor sparse
//! (Tinney and Walker 1967). Else the factor has the sparsity of the matrix, and the nodes are eliminated in their own
//! order: from the free ends towards the anchors.

use std::collections::BTreeSet;

use fracture_geometry::steps::pause;

/// Iterations with an incomplete factor that a complete one may cost. Of buildings 150 to 200 are needed from rest, and
/// fewer from one equilibrium to the next one after few bonds have broken.
pub(super) const MOST_COST: usize = 30;

/// Products of a block with a vector that cost as much as a product of blocks.
const VECTORS_PER_PRODUCT: usize = 6;

/// Neighbours that are joined in a step of the search for an order: some milliseconds.
const NEIGHBORS_PER_STEP: usize = 65536;

/// The order in which nodes are eliminated, and the entries of the factor.
#[derive(Default)]
pub(super) struct Elimination {
    /// By row.
    pub nodes: Vec<u32>,
    /// Pairs of row and column, ascending.
    pub pairs: Vec<[u32; 2]>,
    /// Whether these are all entries of the factor.
    pub is_complete: bool,
}

impl Elimination {
    /// For nodes `0..count` with springs between pairs of them, in steps. The factor is complete where that costs no more
    /// than so many iterations.
    pub async fn new(
        count: usize,
        links: impl Iterator<Item = [u32; 2]>,
        most_cost: usize,
    ) -> Self {
        let mut pairs: Vec<[u32; 2]> = links.map(row_and_column).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let own_order = || Self {
            nodes: (0..count as u32).collect(),
            pairs: pairs.clone(),
            is_complete: false,
        };
        let complete = eliminate(count, &pairs, most_cost).await;
        complete.unwrap_or_else(own_order)
    }
}

/// Products of blocks that cost as much as an iteration with a matrix that has so many rows, and entries beside its
/// diagonal.
pub(super) fn products_of_iteration(rows: usize, entries: usize) -> usize {
    (4 * entries + 3 * rows) / VECTORS_PER_PRODUCT
}

/// The elimination of a matrix that has entries for these pairs, by least degree, with the complete factor, in steps;
/// `None` where that costs more than the iterations that it saves.
pub(super) async fn eliminate(
    count: usize,
    pairs: &[[u32; 2]],
    most_cost: usize,
) -> Option<Elimination> {
    let mut left = most_cost * products_of_iteration(count, pairs.len());
    let mut neighbors = vec![Vec::new(); count];
    for [a, b] in pairs {
        neighbors.get_mut(*a as usize)?.push(*b);
        neighbors.get_mut(*b as usize)?.push(*a);
    }
    let degrees = neighbors.iter().map(Vec::len).zip(0..);
    let mut by_degree: BTreeSet<(usize, u32)> = degrees.collect();
    let (mut nodes, mut filled) = (Vec::with_capacity(count), Vec::new());
    let mut joined = 0;
    while let Some((degree, node)) = by_degree.pop_first() {
        left = left.checked_sub(degree * (degree + 1) / 2)?;
        let around = std::mem::take(neighbors.get_mut(node as usize)?);
        joined += degree * degree + 1;
        if joined > NEIGHBORS_PER_STEP {
            joined = 0;
            pause().await;
        }
        for neighbor in &around {
            let own = neighbors.get_mut(*neighbor as usize)?;
            by_degree.remove(&(own.len(), *neighbor));
            own.extend(&around);
            own.retain(|other| *other != node && other != neighbor);
            own.sort_unstable();
            own.dedup();
            by_degree.insert((own.len(), *neighbor));
        }
        filled.extend(around.into_iter().map(|neighbor| [neighbor, node]));
        nodes.push(node);
    }
    let rows = inverse(&nodes);
    for node in filled.iter_mut().flatten() {
        *node = *rows.get(*node as usize)?;
    }
    filled.sort_unstable();
    Some(Elimination {
        nodes,
        pairs: filled,
        is_complete: true,
    })
}

/// By node: its place in an order of all nodes.
pub(super) fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, node) in order.iter().enumerate() {
        if let Some(own) = places.get_mut(*node as usize) {
            *own = place as u32;
        }
    }
    places
}

/// The later node is the row.
pub(super) fn row_and_column([a, b]: [u32; 2]) -> [u32; 2] {
    [a.max(b), a.min(b)]
}

#[cfg(test)]
mod tests {
    use fracture_geometry::steps::finish;

    use super::*;

    #[test]
    fn chains_and_trees_are_eliminated_without_further_entries() {
        // Each node hangs on one before it.
        for step in [1, 2, 5] {
            let mut pairs: Vec<[u32; 2]> = (1..40).map(|node| [node, (node - 1) / step]).collect();
            pairs.sort_unstable();
            let factor = finish(eliminate(40, &pairs, MOST_COST)).unwrap();
            assert_eq!(factor.pairs.len(), pairs.len(), "{step}");
        }
    }

    #[test]
    fn a_factor_with_too_many_entries_stays_incomplete() {
        // Each node with each: the factor is as large as the matrix, but costs more than iterations.
        let all = |count: u32| (0..count).flat_map(|row| (0..row).map(move |column| [row, column]));
        let pairs: Vec<[u32; 2]> = all(40).collect();
        let factor = finish(eliminate(40, &pairs, MOST_COST)).unwrap();
        assert_eq!((factor.pairs, factor.nodes.len()), (pairs, 40));
        let pairs: Vec<[u32; 2]> = all(600).collect();
        assert!(finish(eliminate(600, &pairs, MOST_COST)).is_none());
        assert!(finish(eliminate(3, &[], MOST_COST)).is_some_and(|factor| factor.pairs.is_empty()));
    }
}
