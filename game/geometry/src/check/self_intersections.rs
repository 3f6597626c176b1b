//! Pairs of triangles that pass through each other, found with a BVH in bounded work.

use crate::mesh::bvh::Bvh;
use crate::mesh::EdgeTopology;
use glam::DVec3;
use robust::{orient3d, Coord3D};

/// Two triangles that pass through each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfIntersection {
    /// Indices of the triangles in the mesh, ascending.
    pub triangles: [u32; 2],
    /// A common point, metres.
    pub point: [f32; 3],
}

/// Self-intersections of a mesh. Triangles that only touch do not count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfIntersections {
    /// The first thousand.
    pub list: Vec<SelfIntersection>,
    /// Number of those found, listed or not.
    pub count: usize,
    /// Whether the search ended before its limit of work.
    pub is_complete: bool,
}

/// Self-intersections that are listed: more are no help, and would take memory.
const MAX_LISTED: usize = 1000;
/// Pairs of boxes and of triangles that are tested: about a second.
const MAX_TESTS: usize = 30_000_000;

/// Searches for self-intersections.
pub fn find(topology: &EdgeTopology) -> SelfIntersections {
    if topology.corners.is_empty() {
        return SelfIntersections {
            is_complete: true,
            ..SelfIntersections::default()
        };
    }
    let (bvh, order) = Bvh::build(topology.corners.len(), |t| {
        topology.positions_of(t).map(|p| p.as_vec3())
    });
    let mut found = SelfIntersections::default();
    let mut tests = 0;
    let mut stack = vec![(0, 0)];
    while let Some((one, other)) = stack.pop() {
        tests += 1;
        if tests > MAX_TESTS {
            return found;
        }
        let (a, b) = (bvh.node(one), bvh.node(other));
        if a.low.cmpgt(b.high).any() || b.low.cmpgt(a.high).any() {
            continue;
        }
        match (a.is_leaf(), b.is_leaf()) {
            (true, true) => {
                let pairs = a
                    .triangles()
                    .flat_map(|i| b.triangles().map(move |j| (i, j)));
                for (i, j) in pairs.filter(|(i, j)| one != other || i < j) {
                    tests += 1;
                    record(topology, [order[i as usize], order[j as usize]], &mut found);
                }
            }
            _ if one == other => {
                stack.extend([(one + 1, one + 1), (one + 1, a.right), (a.right, a.right)]);
            }
            (true, false) => stack.extend([(one, other + 1), (one, b.right)]),
            (false, true) => stack.extend([(one + 1, other), (a.right, other)]),
            (false, false) => {
                let (i, j) = (one + 1, a.right);
                let (k, l) = (other + 1, b.right);
                stack.extend([(i, k), (i, l), (j, k), (j, l)]);
            }
        }
    }
    found.is_complete = true;
    found.list.sort_by_key(|pair| pair.triangles);
    found
}

/// Adds a pair of triangles if they intersect.
fn record(topology: &EdgeTopology, [one, other]: [u32; 2], found: &mut SelfIntersections) {
    let hit = edge_hit(topology, one, other).or_else(|| edge_hit(topology, other, one));
    let Some(point) = hit else {
        return;
    };
    found.count += 1;
    if found.list.len() < MAX_LISTED {
        let [a, b] = [one, other].map(|t| topology.source[t as usize]);
        found.list.push(SelfIntersection {
            triangles: [a.min(b), a.max(b)],
            point: point.as_vec3().to_array(),
        });
    }
}

/// The point where an edge of one triangle passes through the inside of another, if they share no
/// corner.
fn edge_hit(topology: &EdgeTopology, one: u32, other: u32) -> Option<DVec3> {
    let corners = topology.corners[other as usize];
    let positions = topology.positions_of(other);
    (0..3).find_map(|k| {
        let ends = topology.ends(3 * one + k);
        if ends.iter().any(|p| corners.contains(p)) {
            return None;
        }
        segment_hit(ends.map(|p| topology.position(p)), positions)
    })
}

/// The point where a segment passes through the inside of a triangle, decided exactly.
fn segment_hit([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let coord = |v: DVec3| Coord3D {
        x: v.x,
        y: v.y,
        z: v.z,
    };
    let side = |a, b, c, d| orient3d(coord(a), coord(b), coord(c), coord(d));
    let (from, to) = (side(a, b, c, p), side(a, b, c, q));
    if from * to >= 0.0 || from.is_nan() || to.is_nan() {
        // Products of tiny numbers may vanish; such triangles are too small to be seen.
        return None;
    }
    let sides = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    let is_inside = sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0);
    is_inside.then(|| p + (q - p) * (from / (from - to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// The tree finds the same pairs as a search through all pairs.
    #[test]
    fn no_pair_is_missed() {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut mesh = Mesh::default();
        for triangle in 0..300 {
            let center = [0; 3].map(|_| random.random_range(-1.0..1.0f32));
            for _ in 0..3 {
                mesh.positions
                    .push(center.map(|x| x + random.random_range(-0.2..0.2f32)));
            }
            mesh.triangles
                .push([3 * triangle, 3 * triangle + 1, 3 * triangle + 2]);
        }
        let topology = EdgeTopology::new(&mesh);
        let mut all = SelfIntersections::default();
        for other in 0..300 {
            (0..other).for_each(|one| record(&topology, [one, other], &mut all));
        }
        all.list.sort_by_key(|pair| pair.triangles);
        let found = find(&topology);
        assert!(found.is_complete && found.count > 20, "{}", found.count);
        let pairs = |c: &SelfIntersections| c.list.iter().map(|c| c.triangles).collect::<Vec<_>>();
        assert_eq!(pairs(&found), pairs(&all));
    }

    #[test]
    fn a_needle_goes_through_and_a_neighbour_only_touches() {
        let face = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let at = DVec3::new(0.25, 0.25, 0.0);
        let hit = segment_hit([at - DVec3::Z, at + DVec3::Z], face);
        assert_eq!(hit, Some(at));
        assert_eq!(segment_hit([at, at + DVec3::Z], face), None);
        assert_eq!(
            segment_hit([DVec3::X - DVec3::Z, DVec3::X + DVec3::Z], face),
            None
        );
    }
}
