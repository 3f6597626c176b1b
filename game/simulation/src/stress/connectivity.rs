//! Connected components of a graph, and its nodes in breadth-first order.

use std::collections::VecDeque;

/// The component of each of `count` nodes, numbered in the order of their first nodes.
pub(crate) fn components(count: usize, links: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..count as u32).collect();
    for [a, b] in links {
        let (a, b) = (root(&parents, a), root(&parents, b));
        if let Some(parent) = parents.get_mut(a.max(b) as usize) {
            *parent = a.min(b);
        }
    }
    let mut numbers: Vec<u32> = Vec::with_capacity(count);
    let mut next = 0;
    for node in 0..count as u32 {
        let root = root(&parents, node);
        let number = numbers.get(root as usize).copied().unwrap_or_else(|| {
            next += 1;
            next - 1
        });
        numbers.push(number);
    }
    numbers
}

/// The smallest node of a component.
fn root(parents: &[u32], mut node: u32) -> u32 {
    while let Some(parent) = parents.get(node as usize).filter(|parent| **parent != node) {
        node = *parent;
    }
    node
}

/// All nodes connected with the starts, in breadth-first order.
pub(super) fn breadth_first(
    count: usize,
    links: &[[u32; 2]],
    starts: impl Iterator<Item = u32>,
) -> Vec<u32> {
    let mut neighbors = vec![Vec::new(); count];
    for &[a, b] in links {
        for (node, neighbor) in [(a, b), (b, a)] {
            if let Some(list) = neighbors.get_mut(node as usize) {
                list.push(neighbor);
            }
        }
    }
    let mut visited = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut queue: VecDeque<u32> = starts.collect();
    while let Some(node) = queue.pop_front() {
        let Some(visited) = visited.get_mut(node as usize).filter(|v| !**v) else {
            continue;
        };
        *visited = true;
        order.push(node);
        queue.extend(neighbors.get(node as usize).into_iter().flatten());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_make_components() {
        let links = [[3, 1], [4, 5], [1, 0]];
        assert_eq!(components(6, links.into_iter()), [0, 0, 1, 0, 2, 2]);
        assert!(components(0, [].into_iter()).is_empty());
    }

    #[test]
    fn the_order_begins_at_the_starts_and_leaves_out_what_is_not_connected() {
        let links = [[0, 1], [1, 2], [3, 4], [2, 5]];
        let order = breadth_first(6, &links, [1].into_iter());
        assert_eq!(order, [1, 0, 2, 5]);
    }
}
