//! Welds seams of meshes whose vertices differ only by rounding.
//!
//! Generators of spheres and cylinders, the engine's own among them, compute the first and the
//! last column of vertices by different sines. The geometry joins vertices at identical positions
//! only, so such positions are made identical when an artist's mesh is read.

use crate::object::conversion::{read_surfaces, SourceSurface};
use fracture_geometry::{check::check_closed, Mesh};
use std::collections::HashMap;

/// Distance at which two positions count as one, relative to the mesh's longest side: some units in the
/// last place of coordinates of that size, far below any modelled detail.
const TOLERANCE: f32 = 2e-6;

/// Reads the surfaces. A mesh that is open only because of rounding is welded.
pub(super) fn read_mesh(sources: &[SourceSurface]) -> Result<Mesh, String> {
    let mut mesh = read_surfaces(sources).map_err(|error| error.to_string())?;
    if !check_closed(&mesh).is_closed() {
        weld_seams(&mut mesh);
    }
    Ok(mesh)
}

/// Moves each vertex to the first vertex within the tolerance.
pub(crate) fn weld_seams(mesh: &mut Mesh) {
    let reach = longest_side(mesh) * TOLERANCE;
    if !reach.is_normal() {
        return;
    }
    // Only looked up, never iterated: the order of the map does not reach the result.
    let mut seen: HashMap<[i64; 3], Vec<[f32; 3]>> = HashMap::with_capacity(mesh.positions.len());
    for position in &mut mesh.positions {
        let cell = position.map(|v| (v / reach / 2.0).floor() as i64);
        let twin = neighborhood(*position, cell, reach)
            .filter_map(|cell| seen.get(&cell))
            .flatten()
            .find(|p| (0..3).all(|i| (p[i] - position[i]).abs() <= reach));
        match twin {
            Some(twin) => *position = *twin,
            None => seen.entry(cell).or_default().push(*position),
        }
    }
}

/// The grid cells, `2 * reach` wide, in which a position within reach can lie: at most eight.
fn neighborhood(position: [f32; 3], cell: [i64; 3], reach: f32) -> impl Iterator<Item = [i64; 3]> {
    let side = |i: usize| {
        let inside = position[i] / reach / 2.0 - cell[i] as f32;
        if inside < 0.5 {
            -1
        } else {
            1
        }
    };
    let sides = [side(0), side(1), side(2)];
    (0..8_usize).map(move |corner| {
        let step = |i: usize| cell[i] + if corner >> i & 1 == 1 { sides[i] } else { 0 };
        [step(0), step(1), step(2)]
    })
}

fn longest_side(mesh: &Mesh) -> f32 {
    let side = |axis: usize| {
        let values = mesh.positions.iter().map(|p| p[axis]);
        let low = values.clone().fold(f32::INFINITY, f32::min);
        values.fold(f32::NEG_INFINITY, f32::max) - low
    };
    side(0).max(side(1)).max(side(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::{read_surfaces, SourceSurface};
    use fracture_geometry::check::check_closed;
    use fracture_geometry::Solid;
    use fyrox::{
        core::algebra::Matrix4,
        scene::mesh::surface::{SurfaceData, SurfaceResource},
    };

    fn mesh_of(data: SurfaceData) -> Mesh {
        let surface = SourceSurface {
            node: "shape".into(),
            data: SurfaceResource::new_embedded(data),
            transform: Matrix4::identity(),
            surface: 0,
            skin: None,
        };
        read_surfaces(&[surface]).unwrap()
    }

    #[test]
    fn the_engines_own_shapes_become_solids() {
        let identity = Matrix4::identity();
        for (name, data, volume) in [
            (
                "sphere",
                SurfaceData::make_sphere(32, 32, 1.0, &identity),
                4.0 / 3.0 * std::f64::consts::PI,
            ),
            (
                "cylinder",
                SurfaceData::make_cylinder(32, 1.0, 1.0, true, &identity),
                std::f64::consts::PI,
            ),
            (
                "torus",
                SurfaceData::make_torus(1.0, 0.25, 32, 32, &identity),
                1.2337,
            ),
            (
                "cone",
                SurfaceData::make_cone(32, 1.0, 1.0, &identity),
                std::f64::consts::PI / 3.0,
            ),
        ] {
            let mut mesh = mesh_of(data);
            weld_seams(&mut mesh);
            let solid = Solid::new(mesh).unwrap_or_else(|error| panic!("{name}: {error}"));
            let error = (solid.mass().volume / volume - 1.0).abs();
            assert!(
                error < 0.05,
                "{name}: {} instead of {volume}",
                solid.mass().volume
            );
        }
    }

    #[test]
    fn a_hole_stays_a_hole() {
        let mut data = SurfaceData::make_cube(Matrix4::identity());
        let triangles = data.geometry_buffer.triangles_ref()[1..].to_vec();
        data.geometry_buffer.set_triangles(triangles);
        let mut mesh = mesh_of(data);
        let before = mesh.clone();
        weld_seams(&mut mesh);
        assert_eq!(mesh, before);
        assert!(!check_closed(&mesh).is_closed());
    }
}
