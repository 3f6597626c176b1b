//! Breaks a mesh that comes in flat buffers, as engines keep them (Bevy, glTF): one buffer for each vertex
//! attribute, and one of indices. The pieces come back in the same form, with mass and centre of mass.
//!
//! `cargo run --release -p fracture_geometry --example flat_buffers`

use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, CellSelection, FractureParams, Mesh, Pattern, Placement, Recipe, Solid, Workspace,
};
use glam::DVec3;
use std::error::Error;

/// A mesh in flat buffers.
struct Buffers {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl Buffers {
    fn into_mesh(self) -> Mesh {
        Mesh {
            positions: self.positions,
            normals: self.normals,
            uvs: self.uvs,
            triangles: self
                .indices
                .chunks_exact(3)
                .map(|t| [t[0], t[1], t[2]])
                .collect(),
            ..Mesh::default()
        }
    }

    fn from_mesh(mesh: Mesh) -> Self {
        Self {
            positions: mesh.positions,
            normals: mesh.normals,
            uvs: mesh.uvs,
            indices: mesh.triangles.into_iter().flatten().collect(),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let solid = Solid::new(Buffers::from_mesh(Mesh::torus(0.4, 0.15, 48, 24)).into_mesh())?;
    let recipe = Recipe::Clustered {
        cells: 64,
        falloff: 1.0,
    };
    let pattern = Pattern::from_recipe(&recipe, 7)?;
    // A hit from above on one side of the ring breaks off what is within 0.2 m.
    let (point, normal) = (DVec3::new(0.4, 0.15, 0.0), DVec3::Y);
    let params = FractureParams {
        placement: Placement::at_impact(point, normal, 0.0, 1.0),
        selection: CellSelection::Within { point, radius: 0.2 },
    };
    let broken = fracture(&solid, &pattern, &params, &mut Workspace::default())?;
    // Cut faces are on the surface of the rest: an engine may give them a material of their own.
    let cap = CapStyle {
        surface: 0,
        ..CapStyle::own_surface(solid.mesh())
    };
    for piece in &broken.pieces {
        let buffers = Buffers::from_mesh(piece.to_mesh(&solid, &cap));
        println!(
            "{:?}: {} vertices with {} normals and {} texture coordinates, {} triangles, {:.4} m3 around {:.2}",
            piece.kind,
            buffers.positions.len(),
            buffers.normals.len(),
            buffers.uvs.len(),
            buffers.indices.len() / 3,
            piece.mass.volume,
            piece.mass.center,
        );
    }
    Ok(())
}
