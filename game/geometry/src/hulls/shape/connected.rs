//! Connected components of a part, through its surface and through its cut faces.

use super::part::{CutFace, Part};
use crate::math::{Aabb, ComponentLabels, UnionFind};
use glam::DVec2;

/// The connected components of a part, in the order of their first points. Shells inside of a
/// component, which bound its cavities, belong to it.
pub fn connected_parts(part: Part) -> Vec<Part> {
    let sets = UnionFind::new(part.points.len());
    for &[a, b, c] in &part.triangles {
        sets.unite(a, b);
        sets.unite(b, c);
    }
    for face in &part.cut_faces {
        for [a, b] in face.edges.iter().copied().chain(hole_bridges(&part, face)) {
            sets.unite(a, b);
        }
    }
    let components = sets.labels();
    match components.count {
        0 => Vec::new(),
        1 => vec![part],
        _ => with_shells(separated(&part, &components)),
    }
}

/// Each component as a part of its own.
fn separated(part: &Part, components: &ComponentLabels) -> Vec<Part> {
    let component = |point: u32| components.of[point as usize];
    let mut parts = vec![Part::default(); components.count];
    for &triangle in &part.triangles {
        parts[component(triangle[0])].triangles.push(triangle);
    }
    for face in &part.cut_faces {
        let mut edges = vec![Vec::new(); components.count];
        for &edge in &face.edges {
            edges[component(edge[0])].push(edge);
        }
        for (part, edges) in parts.iter_mut().zip(edges) {
            if !edges.is_empty() {
                let normal = face.normal;
                part.cut_faces.push(CutFace { normal, edges });
            }
        }
    }
    let compacted = |own: Part| Part::compacted(&part.points, own.triangles, own.cut_faces);
    parts.into_iter().map(compacted).collect()
}

/// Appends each shell that is inside out to the part with the smallest box around the shell's.
fn with_shells(parts: Vec<Part>) -> Vec<Part> {
    let is_shell = |part: &Part| part.cut_faces.is_empty() && part.volume() < 0.0;
    let (shells, mut solids): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(is_shell);
    if solids.is_empty() {
        return shells;
    }
    let boxes: Vec<Aabb> = solids.iter().map(Part::bounds).collect();
    for shell in &shells {
        let own = shell.bounds();
        let size_around = |bounds: &Aabb| {
            if bounds.contains(&own) {
                bounds.diagonal()
            } else {
                f64::INFINITY
            }
        };
        let smaller = |a: &usize, b: &usize| {
            let [a, b] = [a, b].map(|solid| size_around(&boxes[*solid]));
            a.total_cmp(&b)
        };
        let smallest = (0..solids.len()).min_by(smaller);
        if let Some(solid) = smallest.and_then(|index| solids.get_mut(index)) {
            solid.append(shell);
        }
    }
    solids
}

/// Bridges between the loops of a cut face: pairs of points of two loops that the inside of the face
/// connects.
///
/// From the rightmost point of each loop a ray to the right looks for the first edge of another loop.
/// When the face lies to the left of that edge, the ray runs inside of the face.
fn hole_bridges(part: &Part, face: &CutFace) -> Vec<[u32; 2]> {
    let mut points: Vec<u32> = face.edges.iter().flatten().copied().collect();
    points.sort_unstable();
    points.dedup();
    let index = |point: u32| points.partition_point(|other| *other < point) as u32;
    let sets = UnionFind::new(points.len());
    for &[a, b] in &face.edges {
        sets.unite(index(a), index(b));
    }
    let loops = sets.labels();
    if loops.count < 2 {
        return Vec::new();
    }
    let loop_of = |point: u32| loops.of[index(point) as usize];
    let u = face.normal.any_orthonormal_vector();
    let v = face.normal.cross(u);
    let in_plane = |point: u32| {
        let position = part.points[point as usize];
        DVec2::new(position.dot(u), position.dot(v))
    };
    let mut rightmost = vec![(f64::NEG_INFINITY, 0); loops.count];
    for &point in &points {
        let best = &mut rightmost[loop_of(point)];
        let x = in_plane(point).x;
        if x > best.0 {
            *best = (x, point);
        }
    }
    let bridges = rightmost
        .iter()
        .enumerate()
        .filter_map(|(own, &(_, from))| {
            let others = face.edges.iter().filter(|edge| loop_of(edge[0]) != own);
            let edges = others.map(|&[a, b]| (a, [in_plane(a), in_plane(b)]));
            Some([from, ray_hit(in_plane(from), edges)?])
        });
    bridges.collect()
}

/// The start of the first edge that a ray to the right hits, if the inside of the face lies before that
/// edge: the edge goes up then.
fn ray_hit(from: DVec2, edges: impl Iterator<Item = (u32, [DVec2; 2])>) -> Option<u32> {
    let mut nearest = (f64::INFINITY, None);
    for (start, [p, q]) in edges {
        if (p.y > from.y) == (q.y > from.y) {
            continue;
        }
        let x = p.x + (q.x - p.x) * (from.y - p.y) / (q.y - p.y);
        if x >= from.x && x < nearest.0 {
            nearest = (x, (q.y > p.y).then_some(start));
        }
    }
    nearest.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Plane;
    use crate::Mesh;
    use glam::{DVec3, Vec3};

    fn cut(part: Part, normal: DVec3, offset: f64) -> Vec<Part> {
        let parts = part.split(&Plane { normal, offset });
        parts.into_iter().flat_map(connected_parts).collect()
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
        let ring = || Part::from_mesh(&Mesh::torus(0.35, 0.15, 32, 16));
        assert_eq!(connected_parts(ring()).len(), 1);
        // Both halves of an upright cut are one arc each; a cut outside of the hole takes a cap off.
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
        let whole = connected_parts(Part::from_mesh(&shell()));
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
        assert_eq!(cut(Part::from_mesh(&two), DVec3::Y, 0.0).len(), 4);
    }
}
