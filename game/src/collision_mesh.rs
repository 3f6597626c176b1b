//! A light stand-in for a remainder's mesh, from which the engine builds its collider.
//!
//! The engine builds triangle-mesh colliders on the main thread, 0.5 ms per 1,000 triangles, so a
//! large mesh is thinned first, on the worker: vertices in one cell of a grid become one. The
//! result needs not be closed; it only has to be near the surface.

use fracture_geometry::Mesh;
use std::collections::HashMap;

/// Meshes up to this size are taken as they are.
const TRIANGLE_LIMIT: usize = 2000;
/// Grid cells along the longest side at first; halved until the limit holds.
const FINEST: f32 = 64.0;

/// The positions and triangles to collide with, at most some thousand triangles.
pub(crate) fn collision_mesh(mesh: &Mesh) -> Mesh {
    let mut thin = Mesh::from_triangles(mesh.positions.clone(), mesh.triangles.clone());
    let mut cells = FINEST;
    while thin.triangles.len() > TRIANGLE_LIMIT && cells >= 4.0 {
        thin = cluster(mesh, cells);
        cells *= 0.5;
    }
    thin
}

/// Joins the vertices in each cell of a grid at their mean, and drops triangles that collapse.
fn cluster(mesh: &Mesh, cells: f32) -> Mesh {
    let Some((low, size)) = grid(mesh, cells) else {
        return Mesh::default();
    };
    // Only looked up, never iterated: the order of the map does not reach the result.
    let mut numbers: HashMap<[i32; 3], u32> = HashMap::new();
    let mut sums: Vec<([f64; 3], f64)> = Vec::new();
    let mut vertex_cell = Vec::with_capacity(mesh.positions.len());
    for position in &mesh.positions {
        let key = [0, 1, 2].map(|i| ((position[i] - low[i]) / size) as i32);
        let number = *numbers.entry(key).or_insert_with(|| {
            sums.push(([0.0; 3], 0.0));
            sums.len() as u32 - 1
        });
        if let Some((sum, count)) = sums.get_mut(number as usize) {
            (0..3).for_each(|i| sum[i] += f64::from(position[i]));
            *count += 1.0;
        }
        vertex_cell.push(number);
    }
    let positions = sums
        .iter()
        .map(|(sum, count)| sum.map(|v| (v / count) as f32))
        .collect();
    let joined = |v: u32| vertex_cell.get(v as usize).copied();
    let mut triangles: Vec<[u32; 3]> = mesh
        .triangles
        .iter()
        .filter_map(|t| Some([joined(t[0])?, joined(t[1])?, joined(t[2])?]))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .map(first_smallest)
        .collect();
    triangles.sort_unstable();
    triangles.dedup();
    Mesh::from_triangles(positions, triangles)
}

/// The low corner of the mesh and the side of a cell; nothing for an empty or infinite mesh.
fn grid(mesh: &Mesh, cells: f32) -> Option<([f32; 3], f32)> {
    let over = |axis: usize, start: f32, pick: fn(f32, f32) -> f32| {
        mesh.positions.iter().map(|p| p[axis]).fold(start, pick)
    };
    let low = [0, 1, 2].map(|axis| over(axis, f32::INFINITY, f32::min));
    let high = [0, 1, 2].map(|axis| over(axis, f32::NEG_INFINITY, f32::max));
    let longest = (0..3).map(|i| high[i] - low[i]).fold(0.0, f32::max);
    let size = longest / cells;
    (size.is_normal() && low.iter().all(|v| v.is_finite())).then_some((low, size))
}

/// The same triangle, starting at its smallest vertex, so that equal triangles compare equal.
fn first_smallest([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wavy sheet of 2 n^2 triangles.
    fn sheet(n: u32) -> Mesh {
        let row = n + 1;
        let point = |i: u32| {
            let (x, y) = ((i % row) as f32 / n as f32, (i / row) as f32 / n as f32);
            [x, y, 0.1 * (6.0 * x).sin()]
        };
        let corner = |i: u32| i / n * row + i % n;
        let square = |i: u32| {
            let a = corner(i);
            [[a, a + 1, a + row], [a + 1, a + row + 1, a + row]]
        };
        Mesh::from_triangles(
            (0..row * row).map(point).collect(),
            (0..n * n).flat_map(square).collect(),
        )
    }

    #[test]
    fn small_meshes_stay_as_they_are() {
        let mesh = sheet(10);
        assert_eq!(collision_mesh(&mesh), mesh);
    }

    #[test]
    fn large_meshes_become_light_and_stay_near() {
        let mesh = sheet(200);
        let thin = collision_mesh(&mesh);
        assert!(
            thin.triangles.len() <= TRIANGLE_LIMIT,
            "{}",
            thin.triangles.len()
        );
        assert!(thin.triangles.len() > 500, "{}", thin.triangles.len());
        for [x, _, z] in &thin.positions {
            assert!((z - 0.1 * (6.0 * x).sin()).abs() < 0.01);
        }
        assert!(thin
            .triangles
            .iter()
            .flatten()
            .all(|v| (*v as usize) < thin.positions.len()));
    }

    #[test]
    fn broken_input_is_harmless() {
        assert!(collision_mesh(&Mesh::default()).triangles.is_empty());
        let mut mesh = sheet(200);
        mesh.positions[0] = [f32::NAN, f32::INFINITY, 0.0];
        collision_mesh(&mesh);
    }
}
