//! Islands in chunks: what no cut comes near stays as it is, hit after hit.

use crate::check;
use fracture_geometry::check::check_closed;
use fracture_geometry::piece_mesh::{roughen, CapMapping, CapStyle, RenderPartition, Roughness};
use fracture_geometry::{
    fracture, CellSelection, Fracture, FractureParams, Mesh, Pattern, Placement, Recipe, Solid,
    Workspace,
};
use glam::{DVec3, Mat3};
use std::collections::BTreeSet;

/// A torus of 36,000 triangles, of two surfaces.
fn torus() -> Mesh {
    let mut mesh = Mesh::torus(0.6, 0.25, 180, 100);
    let count = mesh.triangles.len();
    mesh.surfaces = (0..count).map(|t| u32::from(3 * t > count)).collect();
    mesh
}

fn hit(solid: &Solid, point: DVec3) -> Fracture {
    let recipe = Recipe::Clustered {
        cells: 64,
        falloff: 0.6,
    };
    let pattern = Pattern::from_recipe(&recipe, 3).expect("a pattern");
    let cut = FractureParams {
        placement: Placement::at_impact(point, DVec3::Y, 0.0, 0.3),
        selection: CellSelection::Within { point, radius: 0.1 },
    };
    fracture(solid, &pattern, &cut, &mut Workspace::default()).expect("a break")
}

const CAP: CapStyle = CapStyle {
    surface: 7,
    uv_scale: 1.0,
    mapping: CapMapping::Planar,
    axes: Mat3::IDENTITY,
    turn: 0.0,
};

/// An island in chunks.
struct Island {
    mesh: Mesh,
    chunks: RenderPartition,
    kept: Vec<u32>,
}

/// Hits the body at a point: its largest island in chunks.
fn struck(solid: &Solid, chunks: &RenderPartition, point: DVec3, roughness: &Roughness) -> Island {
    let broken = hit(solid, point);
    let traced: Vec<_> = broken
        .pieces
        .iter()
        .map(|p| p.to_mesh_with_sources(solid, &CAP))
        .collect();
    let flat = traced.iter().map(|traced| &traced.mesh);
    let mut meshes = roughen(&broken.pieces, flat, solid, roughness);
    let at = broken.fragments().count();
    assert_eq!(traced[at].mesh, broken.pieces[at].to_mesh(solid, &CAP));
    let mesh = meshes.swap_remove(at);
    let (chunks, kept) = chunks.update(&chunks.sizes(solid), &traced[at], &mesh);
    Island { mesh, chunks, kept }
}

fn all(chunks: &RenderPartition, mesh: &Mesh) -> Vec<Mesh> {
    let all = chunks.meshes(mesh, |_| true);
    all.map(|(_, part)| part).collect()
}

/// The triangles of a mesh with all attributes of their corners, bit for bit, in no order.
fn content(mesh: &Mesh) -> BTreeSet<Vec<u32>> {
    let corner = |v: u32| {
        let v = v as usize;
        let mut bits: Vec<u32> = mesh.positions[v].map(f32::to_bits).to_vec();
        bits.extend(mesh.normals[v].map(f32::to_bits));
        bits.extend(mesh.uvs[v].map(f32::to_bits));
        bits
    };
    let triangle = |(index, triangle): (usize, &[u32; 3])| {
        let mut all: Vec<u32> = triangle.iter().flat_map(|v| corner(*v)).collect();
        all.push(mesh.surface(index));
        all
    };
    mesh.triangles.iter().enumerate().map(triangle).collect()
}

#[test]
fn chunks_of_a_mesh_are_the_mesh() {
    let mesh = torus();
    let chunks = RenderPartition::new(&check::solid(mesh.clone()));
    let parts: Vec<Mesh> = all(&chunks, &mesh);
    assert_eq!(parts.len(), chunks.count() as usize);
    for part in &parts {
        let count = part.triangles.len();
        assert!(
            4 * count <= 3 * RenderPartition::SIZE && 8 * count >= 3 * RenderPartition::SIZE,
            "{count}"
        );
        assert_eq!(part.normals.len(), part.positions.len());
    }
    let sum: usize = parts.iter().map(|part| part.triangles.len()).sum();
    assert_eq!(sum, mesh.triangles.len());
    let union: BTreeSet<_> = parts.iter().flat_map(content).collect();
    assert_eq!(union, content(&mesh));
    let cuboid = check::solid(Mesh::cuboid([1.0; 3]));
    assert_eq!(RenderPartition::new(&cuboid).count(), 1);
}

/// A triangle that uses a point twice is in no chunk, and keeps none from being the same after a break.
#[test]
fn a_triangle_that_uses_a_point_twice_is_in_no_chunk() {
    let mut mesh = torus();
    mesh.triangles.push([0, 0, 1]);
    mesh.surfaces.push(0);
    let solid = check::solid(mesh);
    let chunks = RenderPartition::new(&solid);
    let last = solid.mesh().triangles.len() - 1;
    assert_eq!(chunks.chunk_of(last as u32), u32::MAX);
    let sizes = chunks.sizes(&solid);
    assert_eq!(sizes.iter().sum::<u32>() as usize, last);
    let ids = chunks.chunk_ids().to_vec();
    assert_eq!(
        RenderPartition::from_chunk_ids(ids, chunks.count()),
        Some(chunks.clone())
    );
    let point = DVec3::new(0.6, 0.25, 0.0);
    let island = struck(&solid, &chunks, point, &Roughness::default());
    assert!(4 * island.kept.len() > sizes.len(), "{:?}", island.kept);
}

#[test]
fn far_chunks_outlive_hit_after_hit() {
    hit_after_hit(&Roughness::default());
}

#[test]
fn far_chunks_outlive_rough_cuts() {
    hit_after_hit(&Roughness {
        height: 0.01,
        grain: 0.03,
        seed: 5,
    });
}

fn hit_after_hit(roughness: &Roughness) {
    let mut solid = check::solid(torus());
    let mut chunks = RenderPartition::new(&solid);
    let mut contents: Vec<_> = all(&chunks, solid.mesh()).iter().map(content).collect();
    for turn in 0..6 {
        let angle = f64::from(turn) * 0.3;
        let point = DVec3::new(0.6 * libm::cos(angle), 0.25, 0.6 * libm::sin(angle));
        let island = struck(&solid, &chunks, point, roughness);
        let count = contents.len();
        assert!(
            4 * island.kept.len() > count,
            "hit {turn}: {:?}",
            island.kept
        );
        assert!(island.kept.len() < count, "hit {turn}");
        assert!(island.kept.is_sorted());
        let now: Vec<_> = all(&island.chunks, &island.mesh)
            .iter()
            .map(content)
            .collect();
        for (new, old) in island.kept.iter().enumerate() {
            assert!(
                now[new] == contents[*old as usize],
                "hit {turn}: chunk {old}"
            );
        }
        let sizes = now.iter().map(|chunk| chunk.len()).collect::<Vec<_>>();
        let new = &sizes[island.kept.len()..];
        assert!(
            new.iter().all(|size| *size <= RenderPartition::SIZE),
            "{sizes:?}"
        );
        assert!(check_closed(&island.mesh).is_closed(), "hit {turn}");
        contents = now;
        chunks = island.chunks;
        solid = check::solid(island.mesh);
    }
    assert!(
        contents.len() < 30,
        "chunks do not pile up: {}",
        contents.len()
    );
}

#[test]
fn fragments_and_small_meshes_are_one_new_chunk() {
    let solid = check::solid(Mesh::cuboid([1.0; 3]));
    let chunks = RenderPartition::new(&solid);
    let broken = hit(&solid, DVec3::new(0.0, 0.5, 0.0));
    for piece in &broken.pieces {
        let traced = piece.to_mesh_with_sources(&solid, &CAP);
        let (new, kept) = chunks.update(&chunks.sizes(&solid), &traced, &traced.mesh);
        assert!(kept.is_empty());
        assert_eq!(new.count(), 1);
        assert_eq!(content(&all(&new, &traced.mesh)[0]), content(&traced.mesh));
    }
}
