//! Cells compared with cells that are clipped by all bisectors.

use super::convex_cell::ConvexCell;
use super::*;
use crate::pattern::sorted;
use std::collections::BTreeSet;

/// The vertices of a cell that is clipped by the bisectors to all other sites.
fn clipped_by_all(sites: &[[i32; 3]], id: u32) -> BTreeSet<[u32; 4]> {
    let at = |site: usize| sites[site].map(i64::from);
    let mut cell = ConvexCell::default();
    cell.reset(id, at(id as usize), sites.len() as u32);
    for other in (0..sites.len()).filter(|other| *other != id as usize) {
        cell.clip(other as u32, at(other));
    }
    let ids = |planes: &[u16; 3]| planes.map(|plane| cell.planes[usize::from(plane)].id);
    let corner = |[a, b, c]: [u32; 3]| sorted([id, a, b, c]);
    cell.vertices.iter().map(ids).map(corner).collect()
}

fn check(name: &str, sites: &[[i32; 3]]) {
    let points: Vec<DVec3> = sites
        .iter()
        .map(|s| DVec3::from(s.map(f64::from)))
        .collect();
    let pattern = Pattern::from_sites(&points).expect(name);
    for id in 0..pattern.cell_count() as u32 {
        let mut vertices = BTreeSet::new();
        for face in pattern.faces(id) {
            let other = pattern.neighbor_of_face(face);
            let edges = pattern.face_edges(face);
            for (face_edge, next) in edges.iter().zip(edges.iter().cycle().skip(1)) {
                let edge = pattern.edge(face_edge.edge);
                let cells = [id, other, face_edge.third];
                assert_eq!(edge.cells, sorted(cells), "{name}");
                let even = crate::pattern::parity(cells) > 0;
                let ends = if even {
                    edge.ends
                } else {
                    [edge.ends[1], edge.ends[0]]
                };
                assert_eq!(ends, [face_edge.vertex, next.vertex], "{name}");
                vertices.insert(pattern.vertex(face_edge.vertex).cells);
            }
        }
        let mut expected = clipped_by_all(&pattern.sites, id);
        // Corners of the clip box are on the face of no site.
        expected.retain(|cells| cells[1] < pattern.cell_count() as u32);
        assert_eq!(vertices, expected, "{name}, cell {id}");
    }
}

fn drawn(seed: u64, count: usize, most: [i32; 3]) -> Vec<[i32; 3]> {
    let mut state = seed;
    let mut draw = |most: i32| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as i32 % (2 * most + 1) - most
    };
    (0..count).map(|_| most.map(&mut draw)).collect()
}

#[test]
fn cells_are_those_that_all_bisectors_cut() {
    for seed in 0..40 {
        check("drawn", &drawn(seed, 60, [1 << 18, 1 << 18, 1 << 18]));
        check("close together", &drawn(seed, 40, [4, 4, 4]));
        check("on a coarse grid", &drawn(seed, 60, [2, 2, 2]));
        check("in a plane", &drawn(seed, 40, [50, 50, 0]));
        check("in a plane, on a coarse grid", &drawn(seed, 40, [3, 0, 3]));
        check("in a thin sheet", &drawn(seed, 50, [100_000, 1, 100_000]));
        check("on a line", &drawn(seed, 10, [0, 900, 0]));
        let slanted = drawn(seed, 20, [60, 60, 0]).into_iter();
        let slanted: Vec<[i32; 3]> = slanted.map(|[x, y, _]| [x, y, x - 2 * y]).collect();
        check("in a slanted plane", &slanted);
    }
}

#[test]
fn cells_of_arranged_sites_are_those_that_all_bisectors_cut() {
    let ball: Vec<[i32; 3]> = drawn(1, 4000, [9, 9, 9]).into_iter().collect();
    let square = |s: &[i32; 3]| s.iter().map(|x| x * x).sum::<i32>();
    check(
        "on a sphere",
        &ball
            .iter()
            .copied()
            .filter(|s| square(s) == 81)
            .collect::<Vec<_>>(),
    );
    let around: Vec<[i32; 3]> = ball
        .into_iter()
        .filter(|s| square(s) == 81 || square(s) == 0)
        .collect();
    check("on a sphere, with its center", &around);
    check("two", &[[0, 0, 0], [5, 7, 9]]);
    check("three", &[[0, 0, 0], [5, 7, 9], [1, 0, 0]]);
    check(
        "four in a square",
        &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]],
    );
    let lines = (0..12).flat_map(|k| [[k * k, 0, 0], [0, 3 * k + 1, 40]]);
    check("on two lines", &lines.collect::<Vec<_>>());
    let curve = (-15..15).map(|t: i32| [t, t * t, t * t * t]);
    check(
        "on a curve whose sites all are neighbours",
        &curve.collect::<Vec<_>>(),
    );
}
