//! What it takes to load a save: `cargo bench -p fracture --bench loading`.
//!
//! Four rings of 1,000, 5,000 or 20,000 triangles stand on a floor. "start" is a scene from its first update to the
//! one in which all rings can break, which every start of a game pays; "restore" is the same with the
//! breaks of a save. The difference, over the number of breaks, is what a break costs.

use criterion::{criterion_group, criterion_main, BatchSize, BenchmarkId, Criterion};
use fracture::{conversion::write_surfaces, Destructible, Destruction, Impact, Settings};
use fracture_geometry::Mesh;
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        log::Log,
    },
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            surface::{SurfaceBuilder, SurfaceResource},
            MeshBuilder,
        },
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
        Scene,
    },
};

const RINGS: usize = 4;
const DT: f32 = 1.0 / 60.0;

/// Sections and sides.
const SIZES: [[u32; 2]; 3] = [[25, 20], [50, 50], [125, 80]];

fn surface([sections, sides]: [u32; 2]) -> Option<SurfaceResource> {
    let ring = Mesh::torus(0.8, 0.3, sections, sides);
    write_surfaces(&ring).into_values().next()
}

fn scene(surface: &SurfaceResource) -> Scene {
    let mut scene = Scene::new();
    let graph = &mut scene.graph;
    for ring in 0..RINGS {
        let mesh = MeshBuilder::new(BaseBuilder::new())
            .with_surfaces(vec![SurfaceBuilder::new(surface.clone()).build()])
            .build(graph);
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::cuboid(1.1, 0.3, 1.1))
            .build(graph);
        let at = Vector3::new(3.0 * ring as f32, 0.3, 0.0);
        let place = TransformBuilder::new().with_local_position(at).build();
        let script = Destructible {
            max_radius: 0.3.into(),
            ..Destructible::default()
        };
        let base = BaseBuilder::new()
            .with_name(format!("Ring {ring}"))
            .with_local_transform(place)
            .with_child(mesh)
            .with_child(collider)
            .with_script(script);
        RigidBodyBuilder::new(base)
            .with_body_type(RigidBodyType::Static)
            .build(graph);
    }
    scene
}

fn fresh() -> Destruction {
    Destruction::new(Settings::default())
}

/// Updates until all rings are prepared.
fn start(scene: &mut Scene, destruction: &mut Destruction) {
    destruction.update(scene, 0.0);
    while !destruction.is_idle() {
        destruction.update(scene, 0.0);
        std::thread::yield_now();
    }
}

/// A save with some blows on every ring, and how many breaks they made.
fn save(surface: &SurfaceResource, blows: usize) -> (Vec<u8>, u64) {
    let (mut scene, mut destruction) = (scene(surface), fresh());
    start(&mut scene, &mut destruction);
    for blow in 0..blows {
        let angle = blow as f32 * 2.4;
        for ring in 0..RINGS {
            let outwards = Vector3::new(angle.cos(), 0.0, angle.sin());
            let point = Vector3::new(3.0 * ring as f32, 0.4, 0.0) + outwards;
            let impact = Impact::new(point, outwards, 1000.0);
            // A blow may find nothing where another one has been.
            let _ = destruction.impact_by_name(&scene, &format!("Ring {ring}"), impact);
        }
        scene.update(Vector2::new(1.0, 1.0), DT, Default::default());
        destruction.update(&mut scene, DT);
        destruction.finish_breaks(&mut scene);
    }
    let bytes = destruction.save(&mut scene);
    (bytes, destruction.statistics().breaks)
}

fn loading(c: &mut Criterion) {
    // The engine tells of every collider it makes.
    Log::set_log_info(false);
    for size in SIZES {
        load(c, size);
    }
}

fn load(c: &mut Criterion, size: [u32; 2]) {
    let Some(surface) = surface(size) else {
        return;
    };
    let triangles = 2 * size[0] * size[1];
    let mut group = c.benchmark_group(format!("loading rings of {triangles} triangles"));
    let new = || (scene(&surface), fresh());
    group.bench_function("start", |b| {
        let run = |(mut scene, mut destruction): (Scene, Destruction)| {
            start(&mut scene, &mut destruction);
            (scene, destruction)
        };
        b.iter_batched(new, run, BatchSize::PerIteration);
    });
    for blows in [4, 16] {
        let (bytes, breaks) = save(&surface, blows);
        println!("a save of {breaks} breaks has {} bytes", bytes.len());
        group.bench_function(BenchmarkId::new("restore, breaks", breaks), |b| {
            let run = |(mut scene, mut destruction): (Scene, Destruction)| {
                start(&mut scene, &mut destruction);
                let restored = destruction.restore(&mut scene, &bytes);
                assert!(restored.is_ok(), "{restored:?}");
                (scene, destruction)
            };
            b.iter_batched(new, run, BatchSize::PerIteration);
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = loading
}
criterion_main!(benches);
