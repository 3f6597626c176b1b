//! Triangles that pass through each other, found with the tree of triangles, in bounded work.

use crate::mesh::bvh::Bvh;
use crate::mesh::EdgeTopology;
use glam::DVec3;
use robust::{orient3d, Coord3D};

/// Two triangles that pass through each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfIntersection {
    /// Indices in the mesh.
    pub triangles: [u32; 2],
    /// A point that both have, metres.
    pub at: [f32; 3],
}

/// Crossings of a mesh with itself. What only touches is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfIntersections {
    /// The first of them.
    pub list: Vec<SelfIntersection>,
    /// All that were found.
    pub count: usize,
    /// Whether the search came to its end before its limit.
    pub complete: bool,
}

/// Crossings that are listed with their places.
const LISTED: usize = 1000;
/// Pairs of boxes and of triangles that are looked at.
const MOST_PAIRS: usize = 30_000_000;

/// Looks for crossings.
pub fn find(welded: &EdgeTopology) -> SelfIntersections {
    let mut order: Vec<u32> = (0..welded.corners.len() as u32).collect();
    if order.is_empty() {
        return SelfIntersections {
            complete: true,
            ..SelfIntersections::default()
        };
    }
    let tree = Bvh::build(&mut order, |t| welded.place(t).map(|p| p.as_vec3()));
    let mut found = SelfIntersections::default();
    let mut looked = 0;
    let mut todo = vec![(0, 0)];
    while let Some((one, other)) = todo.pop() {
        looked += 1;
        if looked > MOST_PAIRS {
            return found;
        }
        let (a, b) = (tree.node(one), tree.node(other));
        if a.low.cmpgt(b.high).any() || b.low.cmpgt(a.high).any() {
            continue;
        }
        let [left, right] = [a, b].map(|n| n.first..n.first + n.count);
        match (a.right == 0, b.right == 0) {
            (true, true) => {
                let same = one == other;
                for (i, j) in left.flat_map(|i| right.clone().map(move |j| (i, j))) {
                    if !same || i < j {
                        looked += 1;
                        let pair = [order[i as usize], order[j as usize]];
                        look_at(welded, pair, &mut found);
                    }
                }
            }
            _ if one == other => {
                todo.extend([(one + 1, one + 1), (one + 1, a.right), (a.right, a.right)]);
            }
            (true, false) => todo.extend([(one, other + 1), (one, b.right)]),
            (false, true) => todo.extend([(one + 1, other), (a.right, other)]),
            (false, false) => {
                let (i, j) = (one + 1, a.right);
                let (k, l) = (other + 1, b.right);
                todo.extend([(i, k), (i, l), (j, k), (j, l)]);
            }
        }
    }
    found.complete = true;
    found.list.sort_by_key(|crossing| crossing.triangles);
    found
}

fn look_at(welded: &EdgeTopology, pair: [u32; 2], found: &mut SelfIntersections) {
    let Some(at) =
        crossing(welded, pair[0], pair[1]).or_else(|| crossing(welded, pair[1], pair[0]))
    else {
        return;
    };
    found.count += 1;
    if found.list.len() < LISTED {
        let [a, b] = pair.map(|t| welded.source[t as usize]);
        found.list.push(SelfIntersection {
            triangles: [a.min(b), a.max(b)],
            at: at.as_vec3().to_array(),
        });
    }
}

/// Where an edge of one triangle passes through the inside of another that it shares no point with.
fn crossing(welded: &EdgeTopology, one: u32, other: u32) -> Option<DVec3> {
    let face = welded.corners[other as usize];
    let place = welded.place(other);
    let edge = |k: u32| {
        let ends = welded.ends(3 * one + k);
        if ends.iter().any(|p| face.contains(p)) {
            return None;
        }
        through(ends.map(|p| welded.position(p)), place)
    };
    (0..3).find_map(edge)
}

/// Where a segment passes through the inside of a triangle; every decision is exact.
fn through([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let coord = |v: DVec3| Coord3D {
        x: v.x,
        y: v.y,
        z: v.z,
    };
    let side = |a, b, c, d| orient3d(coord(a), coord(b), coord(c), coord(d));
    let (from, to) = (side(a, b, c, p), side(a, b, c, q));
    if from * to >= 0.0 || from.is_nan() || to.is_nan() {
        // Products of tiny numbers may vanish; such triangles are smaller than anything seen.
        return None;
    }
    let around = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    let inside = around.iter().all(|s| *s > 0.0) || around.iter().all(|s| *s < 0.0);
    inside.then(|| p + (q - p) * (from / (from - to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// The tree finds what looking at all pairs finds.
    #[test]
    fn every_pair_is_looked_at() {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut mesh = Mesh::default();
        for triangle in 0..300 {
            let middle = [0; 3].map(|_| random.random_range(-1.0..1.0f32));
            for _ in 0..3 {
                mesh.positions
                    .push(middle.map(|x| x + random.random_range(-0.2..0.2f32)));
            }
            mesh.triangles
                .push([3 * triangle, 3 * triangle + 1, 3 * triangle + 2]);
        }
        let welded = EdgeTopology::new(&mesh);
        let mut all = SelfIntersections::default();
        for other in 0..300 {
            (0..other).for_each(|one| look_at(&welded, [one, other], &mut all));
        }
        all.list.sort_by_key(|crossing| crossing.triangles);
        let found = find(&welded);
        assert!(found.complete && found.count > 20, "{}", found.count);
        let pairs = |c: &SelfIntersections| c.list.iter().map(|c| c.triangles).collect::<Vec<_>>();
        assert_eq!(pairs(&found), pairs(&all));
    }

    #[test]
    fn a_needle_goes_through_and_a_neighbour_only_touches() {
        let face = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let at = DVec3::new(0.25, 0.25, 0.0);
        let hit = through([at - DVec3::Z, at + DVec3::Z], face);
        assert_eq!(hit, Some(at));
        assert_eq!(through([at, at + DVec3::Z], face), None);
        assert_eq!(
            through([DVec3::X - DVec3::Z, DVec3::X + DVec3::Z], face),
            None
        );
    }
}
