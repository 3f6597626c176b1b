//! Conversion of meshes to the engine's buffers and back: `cargo bench -p fyrox-fracture`.
//!
//! Quote medians, and only as ratios to another program or an earlier commit in the same run.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use fracture::conversion::{read_surfaces, write_surfaces, SourceSurface};
use fracture_geometry::glam::DMat3;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture as break_apart, CellSelection, FractureParams, Mesh, Pattern, Placement, Recipe,
    Solid, Workspace,
};
use fyrox::core::algebra::Matrix4;

/// A torus of 20,000 triangles with all attributes.
fn torus() -> Mesh {
    Mesh::torus(0.35, 0.15, 125, 80)
}

/// Its pieces in a pattern of 100 cells.
fn pieces(mesh: &Mesh) -> Vec<Mesh> {
    let recipe = Recipe::Uniform { cells: 100 };
    let (Ok(solid), Ok(pattern)) = (Solid::new(mesh.clone()), Pattern::from_recipe(&recipe, 3))
    else {
        return Vec::new();
    };
    let [low, high] = solid.bounds().corners();
    let cut = FractureParams {
        placement: Placement {
            linear: DMat3::from_diagonal((high - low) * 0.5),
            translation: (low + high) * 0.5,
        },
        selection: CellSelection::All,
    };
    let broken = break_apart(&solid, &pattern, &cut, &mut Workspace::default());
    let style = CapStyle::own_surface(mesh);
    let pieces = broken.unwrap_or_default().pieces;
    pieces
        .iter()
        .map(|piece| piece.to_mesh(&solid, &style))
        .collect()
}

fn conversion(c: &mut Criterion) {
    let whole = torus();
    let pieces = pieces(&whole);
    let triangles: usize = pieces.iter().map(|mesh| mesh.triangles.len()).sum();
    println!("{} pieces of {triangles} triangles", pieces.len());
    let mut group = c.benchmark_group("engine buffers");
    group.throughput(Throughput::Elements(triangles as u64));
    group.bench_function(BenchmarkId::new("write", "pieces of 100 cells"), |b| {
        b.iter(|| pieces.iter().map(write_surfaces).collect::<Vec<_>>());
    });
    group.throughput(Throughput::Elements(whole.triangles.len() as u64));
    group.bench_function(BenchmarkId::new("write", "torus"), |b| {
        b.iter(|| write_surfaces(&whole));
    });
    let sources: Vec<SourceSurface> = write_surfaces(&whole)
        .into_iter()
        .map(|(surface, data)| SourceSurface {
            node: "Torus".into(),
            data,
            transform: Matrix4::identity(),
            surface,
            skin: None,
        })
        .collect();
    group.bench_function(BenchmarkId::new("read", "torus"), |b| {
        b.iter(|| read_surfaces(&sources));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = conversion
}
criterion_main!(benches);
