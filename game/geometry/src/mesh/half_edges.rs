//! Pairing of half-edges: twins bound the same wedge of material along an edge.

use crate::error::SolidError;
use crate::math::{Csr, NONE};
use glam::{DVec3, Vec3};

/// Twins for shells: every half-edge of an edge gets the first of them as its twin, and the first gets
/// the second; a single half-edge is its own twin.
pub fn link_shell(corners: &[[u32; 3]]) -> Vec<u32> {
    let half_edges = half_edges_by_edge(corners);
    let mut twins = vec![0; half_edges.len()];
    for group in half_edges.chunk_by(|a, b| a.0 == b.0) {
        let first = group[0].1;
        for (_, half_edge) in group {
            twins[*half_edge as usize] = first;
        }
        twins[first as usize] = group.get(1).map_or(first, |second| second.1);
    }
    twins
}

/// Half-edges with the key of their edge, sorted.
pub fn half_edges_by_edge(corners: &[[u32; 3]]) -> Vec<(u64, u32)> {
    // The first half-edges of all triangles, then the second, then the third: no array per triangle.
    let all = || (0..3).flat_map(|k| (k..3 * corners.len() as u32).step_by(3));
    sort_by_edge(corners, all)
}

/// Sorts half-edges: first by the lower point of the edge by counting, then the few at each point by
/// comparison. `half_edges` gives them twice.
fn sort_by_edge<I: Iterator<Item = u32>>(
    corners: &[[u32; 3]],
    half_edges: impl Fn() -> I,
) -> Vec<(u64, u32)> {
    let points = corners.iter().flatten().max();
    let points = points.map_or(0, |p| *p as usize + 1);
    let keyed = |half_edge: u32| {
        let [from, to] = ends(corners, half_edge);
        let (low, high) = (from.min(to), from.max(to));
        (low, (u64::from(low) << 32 | u64::from(high), half_edge))
    };
    let mut by_low_point = Csr::new(points, || half_edges().map(keyed));
    for point in 0..points as u32 {
        by_low_point.row_mut(point).sort_unstable();
    }
    by_low_point.into_values()
}

/// The points at which a half-edge starts and ends.
fn ends(corners: &[[u32; 3]], half_edge: u32) -> [u32; 2] {
    let (corners, k) = (corners[half_edge as usize / 3], half_edge as usize % 3);
    [corners[k], corners[(k + 1) % 3]]
}

/// Twins for closed meshes.
///
/// # Errors
/// [`SolidError::NotClosed`] if some edge has more half-edges in one direction than in the other.
pub fn pair_half_edges(corners: &[[u32; 3]], points: &[[f32; 3]]) -> Result<Vec<u32>, SolidError> {
    let from = |half_edge: u32| corners[half_edge as usize / 3][half_edge as usize % 3];
    let mut twins = pair_manifold_edges(corners, points.len());
    let unpaired = (0..).zip(&twins).filter(|(_, twin)| **twin == NONE);
    let unpaired: Vec<u32> = unpaired.map(|(half_edge, _)| half_edge).collect();
    if unpaired.is_empty() {
        return Ok(twins);
    }
    let unpaired = sort_by_edge(corners, || unpaired.iter().copied());
    let (mut open, mut first_open) = (0, None);
    let mut radial_sort = RadialSort::default();
    for group in unpaired.chunk_by(|a, b| a.0 == b.0) {
        let low = (group[0].0 >> 32) as u32;
        let forward = group.iter().filter(|(_, h)| from(*h) == low).count();
        let backward = group.len() - forward;
        if forward != backward {
            open += forward.abs_diff(backward);
            first_open.get_or_insert(points[low as usize]);
        } else {
            radial_sort.pair(group, corners, points, &mut twins);
        }
    }
    match first_open {
        Some(at) => Err(SolidError::NotClosed { edges: open, at }),
        None => Ok(twins),
    }
}

/// Whether every half-edge has one that runs against it, and only one.
pub fn is_closed_manifold(corners: &[[u32; 3]], points: usize) -> bool {
    !pair_manifold_edges(corners, points).contains(&NONE)
}

/// Half-edges that run upwards from one point at most, in a search among them one by one.
const MAX_SEARCHED: usize = 16;

/// Twins along edges of two half-edges. Those of other edges, and of points at which very many begin,
/// remain [`NONE`].
fn pair_manifold_edges(corners: &[[u32; 3]], points: usize) -> Vec<u32> {
    // By point: the half-edges that run upwards from it, with their other end. The last row has those
    // that run downwards: sorting them into a row is faster than to branch on the direction.
    let half_edges = || {
        (0..).zip(corners).flat_map(|(t, [a, b, c])| {
            let row = |from: u32, to: u32| if from < to { from } else { points as u32 };
            let half_edge = |k: u32, from: u32, to: u32| (row(from, to), (to, 3 * t + k));
            [
                half_edge(0, *a, *b),
                half_edge(1, *b, *c),
                half_edge(2, *c, *a),
            ]
        })
    };
    let upwards = Csr::new(points + 1, half_edges);
    let mut twins = vec![NONE; 3 * corners.len()];
    for (low, half_edge) in upwards.row(points as u32) {
        let row = upwards.row(*low);
        if row.len() > MAX_SEARCHED {
            continue;
        }
        let [high, _] = ends(corners, *half_edge);
        let (mut found, mut twin) = (0, NONE);
        for (end, other) in row {
            found += u32::from(*end == high);
            twin = if *end == high { *other } else { twin };
        }
        if found == 1 && twins[twin as usize] == NONE {
            twins[twin as usize] = *half_edge;
            twins[*half_edge as usize] = twin;
        }
    }
    twins
}

/// Pairs the half-edges of a non-manifold edge by angle around the edge.
#[derive(Default)]
struct RadialSort {
    /// Angle around the edge, whether material ends there, and the half-edge; sorted.
    by_angle: Vec<(f64, bool, u32)>,
    /// Half-edges at which material begins, without a twin so far.
    open: Vec<u32>,
}

impl RadialSort {
    /// Sets twins. Seen along the edge from its low to its high point, material begins at a triangle that
    /// runs against the edge and ends at one that runs with it.
    fn pair(
        &mut self,
        group: &[(u64, u32)],
        corners: &[[u32; 3]],
        points: &[[f32; 3]],
        twins: &mut [u32],
    ) {
        let position = |p: u32| Vec3::from(points[p as usize]).as_dvec3();
        let (low, high) = ((group[0].0 >> 32) as u32, group[0].0 as u32);
        let axis = (position(high) - position(low)).normalize_or(DVec3::X);
        let (u, v) = axis.any_orthonormal_pair();
        self.by_angle.clear();
        for &(_, half_edge) in group {
            let (triangle, k) = (half_edge as usize / 3, half_edge as usize % 3);
            let spoke = position(corners[triangle][(k + 2) % 3]) - position(low);
            let angle = libm::atan2(spoke.dot(v), spoke.dot(u));
            let ends = corners[triangle][k] == low;
            self.by_angle.push((angle, ends, half_edge));
        }
        self.by_angle
            .sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        self.open.clear();
        // Two turns: material that begins before the start of the circle ends in the second one.
        for &(_, ends, half_edge) in self.by_angle.iter().chain(&self.by_angle) {
            if twins[half_edge as usize] != u32::MAX {
                continue;
            }
            if !ends {
                if !self.open.contains(&half_edge) {
                    self.open.push(half_edge);
                }
            } else if let Some(begin) = self.open.pop() {
                twins[half_edge as usize] = begin;
                twins[begin as usize] = half_edge;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_edges_come_in_the_order_of_their_edges() {
        // A fan, an edge of four triangles, and points that nothing uses.
        let corners = [[9, 2, 3], [2, 9, 4], [9, 2, 5], [2, 9, 6], [30, 2, 9]];
        let found = half_edges_by_edge(&corners);
        assert_eq!(found.len(), 15);
        assert!(found.is_sorted());
        let of = |h: u32| {
            [
                corners[h as usize / 3][h as usize % 3],
                corners[h as usize / 3][(h as usize + 1) % 3],
            ]
        };
        for (key, half_edge) in found {
            let [a, b] = of(half_edge);
            assert_eq!(key, u64::from(a.min(b)) << 32 | u64::from(a.max(b)));
        }
        assert!(half_edges_by_edge(&[]).is_empty());
    }

    #[test]
    fn edges_of_two_half_edges_are_pairs_and_no_others() {
        // A tetrahedron, with a fin at one of its edges and a triangle that touches nothing else.
        let corners = [
            [0, 1, 2],
            [0, 3, 1],
            [1, 3, 2],
            [2, 3, 0],
            [0, 1, 4],
            [5, 6, 7],
        ];
        let twins = pair_manifold_edges(&corners, 8);
        for (half_edge, twin) in (0..).zip(&twins) {
            let [from, to] = ends(&corners, half_edge);
            let is_shared_by_three = [from, to] == [0, 1] || [from, to] == [1, 0];
            let is_of_two = half_edge < 12 && !is_shared_by_three;
            assert_eq!(*twin != NONE, is_of_two, "{from} to {to}");
            if *twin != NONE {
                assert_eq!(ends(&corners, *twin), [to, from]);
                assert_eq!(twins[*twin as usize], half_edge);
            }
        }
    }

    #[test]
    fn points_with_more_edges_than_are_searched_have_no_pairs_along_them() {
        let rim = MAX_SEARCHED as u32 + 4;
        let fan = (0..rim).map(|k| [0, 1 + k, 1 + (k + 1) % rim]);
        let corners: Vec<[u32; 3]> = fan.collect();
        let twins = pair_manifold_edges(&corners, rim as usize + 1);
        assert!(twins.iter().all(|twin| *twin == NONE));
    }
}
