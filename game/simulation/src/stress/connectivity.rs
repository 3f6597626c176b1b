//! What hangs together, and in which order from the ground.

use std::collections::VecDeque;

/// The component of each of `count` nodes that links join, numbered from the first node on.
pub(super) fn of(count: usize, links: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
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

/// All nodes that links join to the starts, nearest first.
pub(super) fn outwards(
    count: usize,
    links: &[[u32; 2]],
    starts: impl Iterator<Item = u32>,
) -> Vec<u32> {
    let mut beside = vec![Vec::new(); count];
    for &[a, b] in links {
        for (own, other) in [(a, b), (b, a)] {
            if let Some(list) = beside.get_mut(own as usize) {
                list.push(other);
            }
        }
    }
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut open: VecDeque<u32> = starts.collect();
    while let Some(node) = open.pop_front() {
        let Some(seen) = seen.get_mut(node as usize).filter(|seen| !**seen) else {
            continue;
        };
        *seen = true;
        order.push(node);
        open.extend(beside.get(node as usize).into_iter().flatten());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_make_components() {
        let links = [[3, 1], [4, 5], [1, 0]];
        assert_eq!(of(6, links.into_iter()), [0, 0, 1, 0, 2, 2]);
        assert!(of(0, [].into_iter()).is_empty());
    }

    #[test]
    fn the_way_out_starts_at_the_ground_and_leaves_out_what_hangs_in_the_air() {
        let links = [[0, 1], [1, 2], [3, 4], [2, 5]];
        let order = outwards(6, &links, [1].into_iter());
        assert_eq!(order, [1, 0, 2, 5]);
    }
}
