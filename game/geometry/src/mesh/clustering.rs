//! Vertex clustering, the fastest way to fewer triangles (Rossignac and Borrel 1993).

use super::Mesh;
use crate::math::triangle::are_distinct;
use crate::math::NONE;
use glam::Vec3;

/// Most cells of the grid along an axis.
const MAX_CELLS: u8 = 64;

/// See [`Mesh::clustered`].
pub(super) fn clustered(mesh: &Mesh, cells: u8) -> Mesh {
    let cells = cells.clamp(1, MAX_CELLS);
    let points = mesh.positions.iter().map(|point| Vec3::from(*point));
    let bounds = points.clone().filter(|point| point.is_finite());
    let [low, high] = bounds.fold(
        [Vec3::INFINITY, Vec3::NEG_INFINITY],
        |[low, high], point| [low.min(point), high.max(point)],
    );
    let (middle, scale) = (
        (low + high) / 2.0,
        f32::from(cells) / (high - low).max_element(),
    );
    // With the last ones, into which what is at the end may be rounded.
    let side = usize::from(cells) + 1;
    // By cell of the grid, which is small: the number of the vertex that stands for all, or `NONE`.
    let mut index = vec![NONE; side * side * side];
    let cell = |point: Vec3| {
        let place = ((point - low) * scale).as_ivec3();
        let [x, y, z] = place
            .to_array()
            .map(|at| at.clamp(0, i32::from(cells)) as usize);
        (x * side + y) * side + z
    };
    let mut chosen: Vec<Vec3> = Vec::new();
    let ids: Vec<u32> = points
        .map(|point| {
            let id = &mut index[cell(point)];
            if *id == NONE {
                *id = chosen.len() as u32;
                chosen.push(point);
            }
            let farthest = &mut chosen[*id as usize];
            if point.distance_squared(middle) > farthest.distance_squared(middle) {
                *farthest = point;
            }
            *id
        })
        .collect();
    let corner = |id: u32| ids.get(id as usize).copied();
    let triangles = mesh.triangles.iter().filter_map(|&[a, b, c]| {
        let triangle = [corner(a)?, corner(b)?, corner(c)?];
        are_distinct(&triangle).then_some(triangle)
    });
    let positions = chosen.iter().map(Vec3::to_array).collect();
    Mesh::from_triangles(positions, triangles.collect())
}
