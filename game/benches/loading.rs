//! Time to load a save: `cargo bench -p fyrox-fracture --bench loading`.
//!
//! Four blocks, or rings of 1,000, 5,000 or 20,000 triangles, stand in a row. "start" runs a scene from its
//! first update until all objects can break, as every start of a game does. "restore" does the same with a save
//! of some breaks, with or without the pieces: the difference, divided by the number of breaks, is the time of
//! a break. Objects after many impacts are damaged: their pieces have the dents of earlier breaks. "save" is
//! the time of saving.

use criterion::{criterion_group, criterion_main, BatchSize, BenchmarkId, Criterion};
use fracture::{conversion::write_surfaces, Breaking, Destructible, Destruction, Impact, Settings};
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

const OBJECTS: usize = 4;
const DT: f32 = 1.0 / 60.0;

/// The meshes of the objects, all of the same size.
fn objects() -> [(&'static str, Mesh); 4] {
    let ring = |sections, sides| Mesh::torus(0.8, 0.3, sections, sides);
    [
        ("blocks", Mesh::cuboid([2.2, 0.6, 2.2])),
        ("rings of 1,000 triangles", ring(25, 20)),
        ("rings of 5,000 triangles", ring(50, 50)),
        ("rings of 20,000 triangles", ring(125, 80)),
    ]
}

fn scene(surface: &SurfaceResource) -> Scene {
    let mut scene = Scene::new();
    let graph = &mut scene.graph;
    for object in 0..OBJECTS {
        let mesh = MeshBuilder::new(BaseBuilder::new())
            .with_surfaces(vec![SurfaceBuilder::new(surface.clone()).build()])
            .build(graph);
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::cuboid(1.1, 0.3, 1.1))
            .build(graph);
        let at = Vector3::new(3.0 * object as f32, 0.3, 0.0);
        let place = TransformBuilder::new().with_local_position(at).build();
        let script = Destructible {
            breaking: Breaking {
                max_radius: 0.3.into(),
                ..Breaking::default()
            },
            ..Destructible::default()
        };
        let base = BaseBuilder::new()
            .with_name(format!("Object {object}"))
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

/// Updates until all objects are prepared.
fn start(scene: &mut Scene, destruction: &mut Destruction) {
    destruction.update(scene, 0.0);
    while !destruction.is_idle() {
        destruction.update(scene, 0.0);
        std::thread::yield_now();
    }
}

/// A way of saving a scene.
type Save = fn(&mut Destruction, &mut Scene) -> Vec<u8>;

const WAYS: [(&str, Save); 2] = [
    ("breaks", Destruction::save_compact),
    ("pieces", Destruction::save),
];

/// A scene after some impacts on every object.
fn battered(surface: &SurfaceResource, impacts: usize) -> (Scene, Destruction) {
    let (mut scene, mut destruction) = (scene(surface), fresh());
    start(&mut scene, &mut destruction);
    for impact in 0..impacts {
        let angle = impact as f32 * 2.4;
        for object in 0..OBJECTS {
            let outwards = Vector3::new(angle.cos(), 0.0, angle.sin());
            let point = Vector3::new(3.0 * object as f32, 0.4, 0.0) + outwards;
            let impact = Impact::new(point, outwards, 1000.0);
            // An impact may find nothing where another one has been.
            let _ = destruction.impact_by_name(&scene, &format!("Object {object}"), impact);
        }
        scene.update(Vector2::new(1.0, 1.0), DT, Default::default());
        destruction.update(&mut scene, DT);
        destruction.finish_breaks(&mut scene);
    }
    (scene, destruction)
}

fn loading(c: &mut Criterion) {
    // The engine logs every collider that it creates.
    Log::set_log_info(false);
    for (name, mesh) in objects() {
        if let Some(surface) = write_surfaces(&mesh).into_values().next() {
            load(c, name, &surface);
        }
    }
}

fn load(c: &mut Criterion, name: &str, surface: &SurfaceResource) {
    let mut group = c.benchmark_group(format!("loading {name}"));
    let new = || (scene(surface), fresh());
    group.bench_function("start", |b| {
        let run = |(mut scene, mut destruction): (Scene, Destruction)| {
            start(&mut scene, &mut destruction);
            (scene, destruction)
        };
        b.iter_batched(new, run, BatchSize::PerIteration);
    });
    for impacts in [4, 16] {
        let (mut broken, mut destruction) = battered(surface, impacts);
        let breaks = destruction.statistics().breaks;
        for (of, save) in WAYS {
            let bytes = save(&mut destruction, &mut broken);
            println!("{breaks} breaks, saved as {of}: {} bytes", bytes.len());
            let id = BenchmarkId::new(format!("save {of}"), breaks);
            group.bench_function(id, |b| b.iter(|| save(&mut destruction, &mut broken)));
            let id = BenchmarkId::new(format!("restore {of}"), breaks);
            group.bench_function(id, |b| {
                let run =
                    |((mut scene, mut destruction), save): ((Scene, Destruction), Vec<u8>)| {
                        let restored = destruction.restore(&mut scene, save);
                        assert!(restored.is_ok(), "{restored:?}");
                        start(&mut scene, &mut destruction);
                        (scene, destruction)
                    };
                b.iter_batched(|| (new(), bytes.clone()), run, BatchSize::PerIteration);
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = loading
}
criterion_main!(benches);
