//! Collision meshes of sheets: plates of some thickness around an open mesh.

use std::collections::HashMap;

use fracture_geometry::Mesh;
use glam::Vec3;

use super::mesh_bounds;

/// Least thickness of a plate, in longest sides of the sheet: thinner plates come to no rest.
const MIN_THICKNESS: f32 = 0.005;

/// Both sides of a sheet of some thickness (metres) around the mesh, and its rim.
pub(crate) fn thickened(mesh: &Mesh, thickness: f64) -> Mesh {
    let normals = vertex_normals(mesh);
    let [low, high] = mesh_bounds(mesh);
    let min_thickness = MIN_THICKNESS * (high - low).max_element();
    let half = 0.5 * (thickness as f32).max(min_thickness);
    let side = |sign: f32| {
        let vertices = mesh.positions.iter().zip(&normals);
        vertices.map(move |(at, normal)| (Vec3::from(*at) + sign * half * *normal).to_array())
    };
    let count = mesh.positions.len() as u32;
    let front = mesh.triangles.iter().copied();
    let back = mesh.triangles.iter();
    let back = back.map(|[a, b, c]| [*a, *c, *b].map(|v| v.saturating_add(count)));
    Mesh::from_triangles(
        side(1.0).chain(side(-1.0)).collect(),
        front.chain(back).chain(rim(mesh)).collect(),
    )
}

/// Two triangles between the sides for each boundary edge.
fn rim(mesh: &Mesh) -> Vec<[u32; 3]> {
    let count = mesh.positions.len() as u32;
    let key = |v: u32| position_bits(mesh, v);
    let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let edges = || mesh.triangles.iter().flat_map(sides);
    let mut keys: Vec<_> = edges().map(|[a, b]| (key(a), key(b))).collect();
    keys.sort_unstable();
    let is_boundary = |[a, b]: &[u32; 2]| keys.binary_search(&(key(*b), key(*a))).is_err();
    let wall = |[a, b]: [u32; 2]| {
        let (back_a, back_b) = (a.saturating_add(count), b.saturating_add(count));
        [[b, a, back_a], [b, back_a, back_b]]
    };
    edges().filter(is_boundary).flat_map(wall).collect()
}

/// By vertex: the mean normal of the triangles at its position.
fn vertex_normals(mesh: &Mesh) -> Vec<Vec3> {
    let point = |v: u32| mesh.positions.get(v as usize).map(|p| Vec3::from(*p));
    // Only looked up, never iterated: the order of the map does not reach the result.
    let mut sums: HashMap<[u32; 3], Vec3> = HashMap::with_capacity(mesh.positions.len());
    for &[a, b, c] in &mesh.triangles {
        let (Some(p), Some(q), Some(r)) = (point(a), point(b), point(c)) else {
            continue;
        };
        let normal = (q - p).cross(r - p);
        for key in [a, b, c].into_iter().filter_map(|v| position_bits(mesh, v)) {
            *sums.entry(key).or_default() += normal;
        }
    }
    let sum = |position: &[f32; 3]| sums.get(&position.map(f32::to_bits)).copied();
    let unit = |position| sum(position).unwrap_or_default().normalize_or(Vec3::Y);
    mesh.positions.iter().map(unit).collect()
}

/// Vertices with equal bits of position are one corner.
fn position_bits(mesh: &Mesh, vertex: u32) -> Option<[u32; 3]> {
    let position = mesh.positions.get(vertex as usize)?;
    Some(position.map(f32::to_bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_sheet_becomes_a_plate() {
        let corners = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        let sheet = Mesh::from_triangles(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]);
        for (thickness, half) in [(0.1, 0.05), (1e-6, 0.0025)] {
            let plate = thickened(&sheet, thickness);
            assert_eq!((plate.positions.len(), plate.triangles.len()), (8, 12));
            assert!(fracture_geometry::check::check_closed(&plate).is_closed());
            assert!(
                plate.positions[..4].iter().all(|p| p[2] == half),
                "{plate:?}"
            );
            assert!(
                plate.positions[4..].iter().all(|p| p[2] == -half),
                "{plate:?}"
            );
        }
        assert!(thickened(&Mesh::default(), 0.1).positions.is_empty());
    }
}
