//! What of a part hangs together, through its surface and through its cut faces.

use crate::hulls::shape::convex_hull::bounds;
use crate::hulls::shape::part::{CutFace, Part};
use crate::math::{ComponentLabels, UnionFind};
use glam::{DVec2, DVec3};

/// The parts that a part consists of, in the order of their first points. Shells that lie inside of one
/// of them belong to it.
pub fn pieces(part: Part) -> Vec<Part> {
    let sets = UnionFind::new(part.points.len());
    for &[a, b, c] in &part.triangles {
        sets.unite(a, b);
        sets.unite(b, c);
    }
    let caps: Vec<Vec<[u32; 2]>> = part.caps.iter().map(|cap| inside(&part, cap)).collect();
    for &[a, b] in part
        .caps
        .iter()
        .flat_map(|cap| &cap.edges)
        .chain(caps.iter().flatten())
    {
        sets.unite(a, b);
    }
    let groups = sets.labels();
    match groups.count {
        0 => Vec::new(),
        1 => vec![part],
        _ => with_shells(divided(&part, &groups)),
    }
}

fn divided(part: &Part, groups: &ComponentLabels) -> Vec<Part> {
    let mut out = vec![Part::default(); groups.count];
    for &triangle in &part.triangles {
        out[groups.of[triangle[0] as usize]]
            .triangles
            .push(triangle);
    }
    for cap in &part.caps {
        let mut edges = vec![Vec::new(); groups.count];
        for &edge in &cap.edges {
            edges[groups.of[edge[0] as usize]].push(edge);
        }
        for (piece, edges) in out.iter_mut().zip(edges) {
            if !edges.is_empty() {
                let normal = cap.normal;
                piece.caps.push(CutFace { normal, edges });
            }
        }
    }
    for piece in &mut out {
        piece.points.clone_from(&part.points);
    }
    out.into_iter().map(Part::compact).collect()
}

/// Puts shells that are inside out into the smallest piece whose box is around theirs.
fn with_shells(pieces: Vec<Part>) -> Vec<Part> {
    let (mut solids, mut shells) = (Vec::new(), Vec::new());
    for piece in pieces {
        let is_shell = piece.caps.is_empty() && piece.volume() < 0.0;
        if is_shell { &mut shells } else { &mut solids }.push(piece);
    }
    if solids.is_empty() {
        return shells;
    }
    let boxes: Vec<[DVec3; 2]> = solids.iter().map(|solid| bounds(&solid.points)).collect();
    for shell in &shells {
        let [low, high] = bounds(&shell.points);
        let around = |[l, h]: &[DVec3; 2]| l.cmple(low).all() && h.cmpge(high).all();
        let length = |[l, h]: &[DVec3; 2]| {
            if around(&[*l, *h]) {
                l.distance(*h)
            } else {
                f64::INFINITY
            }
        };
        let best =
            (0..solids.len()).min_by(|a, b| length(&boxes[*a]).total_cmp(&length(&boxes[*b])));
        if let Some(solid) = best.and_then(|index| solids.get_mut(index)) {
            solid.append(shell);
        }
    }
    solids
}

/// Pairs of points, of which each is of another loop of a cut face and which the face itself joins: from
/// the point of each loop that is farthest in one direction to the edge that comes next, when the face
/// lies between them.
fn inside(part: &Part, cap: &CutFace) -> Vec<[u32; 2]> {
    let mut ids: Vec<u32> = cap.edges.iter().flatten().copied().collect();
    ids.sort_unstable();
    ids.dedup();
    let id = |point: u32| ids.partition_point(|other| *other < point) as u32;
    let loops = UnionFind::new(ids.len());
    for &[a, b] in &cap.edges {
        loops.unite(id(a), id(b));
    }
    let loops = loops.labels();
    if loops.count < 2 {
        return Vec::new();
    }
    let u = cap.normal.any_orthonormal_vector();
    let v = cap.normal.cross(u);
    let flat = |point: u32| {
        let at = part.points[point as usize];
        DVec2::new(at.dot(u), at.dot(v))
    };
    let of = |point: u32| loops.of[id(point) as usize];
    let mut farthest = vec![(f64::NEG_INFINITY, 0); loops.count];
    for &point in &ids {
        let slot = &mut farthest[of(point)];
        if flat(point).x > slot.0 {
            *slot = (flat(point).x, point);
        }
    }
    let mut joined = Vec::new();
    for (own, &(_, from)) in farthest.iter().enumerate() {
        let start = flat(from);
        let mut next = (f64::INFINITY, None);
        for &[a, b] in cap.edges.iter().filter(|edge| of(edge[0]) != own) {
            let (p, q) = (flat(a), flat(b));
            if (p.y > start.y) == (q.y > start.y) {
                continue;
            }
            let x = p.x + (q.x - p.x) * (start.y - p.y) / (q.y - p.y);
            if x >= start.x && x < next.0 {
                // The inside is to the left of an edge that goes up.
                next = (x, (q.y > p.y).then_some(a));
            }
        }
        joined.extend(next.1.map(|to| [from, to]));
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hulls::shape::convex_hull::Plane;
    use crate::Mesh;
    use glam::Vec3;

    fn cut(part: Part, normal: DVec3, offset: f64) -> Vec<Part> {
        let parts = part.cut(&Plane { normal, offset });
        parts.into_iter().flat_map(pieces).collect()
    }

    fn shell() -> Mesh {
        let mut mesh = Mesh::sphere(0.5, 32, 16);
        let mut inner = Mesh::sphere(0.45, 32, 16);
        inner.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(&inner.positions);
        mesh.triangles
            .extend(inner.triangles.iter().map(|t| t.map(|v| v + first)));
        mesh
    }

    #[test]
    fn a_cut_ring_is_two_arcs_and_a_ring_sliced_flat_is_two_rings() {
        let ring = || Part::of(&Mesh::torus(0.35, 0.15, 32, 16));
        assert_eq!(pieces(ring()).len(), 1);
        // Both halves of an upright cut are one arc each; a cut beside the hole takes a cap off.
        assert_eq!(cut(ring(), DVec3::X, 0.01).len(), 2);
        assert_eq!(cut(ring(), DVec3::Y, 0.01).len(), 2);
        assert_eq!(cut(ring(), DVec3::X, 0.3).len(), 2);
        let arcs = cut(ring(), DVec3::X, 0.01);
        let quarters: usize = arcs
            .into_iter()
            .map(|arc| cut(arc, DVec3::X, -0.1).len())
            .sum();
        assert_eq!(quarters, 4, "the lower arc becomes a bow and two stumps");
    }

    #[test]
    fn both_sides_of_a_shell_belong_together() {
        let whole = pieces(Part::of(&shell()));
        assert_eq!(whole.len(), 1);
        let mut parts = whole;
        for (normal, offset) in [(DVec3::X, 0.01), (DVec3::Y, 0.02), (DVec3::Z, 0.03)] {
            parts = parts
                .into_iter()
                .flat_map(|part| cut(part, normal, offset))
                .collect();
        }
        assert_eq!(parts.len(), 8);
        let narrow = cut(
            parts.remove(0),
            DVec3::new(1.0, 0.0, -1.0).normalize(),
            0.02,
        );
        assert_eq!(narrow.len(), 2);
    }

    #[test]
    fn what_does_not_touch_is_apart() {
        let mut two = Mesh::cuboid([1.0; 3]);
        let far = two
            .positions
            .iter()
            .map(|p| (Vec3::from(*p) + 3.0 * Vec3::X).to_array());
        let far: Vec<[f32; 3]> = far.collect();
        two.positions.extend(far);
        let again: Vec<[u32; 3]> = two.triangles.iter().map(|t| t.map(|v| v + 24)).collect();
        two.triangles.extend(again);
        assert_eq!(cut(Part::of(&two), DVec3::Y, 0.0).len(), 4);
    }
}
