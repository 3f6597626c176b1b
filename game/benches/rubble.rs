//! Time of destruction on the main thread: `cargo bench -p fyrox-fracture --bench rubble`.
//!
//! Cubes are broken above a floor, and the engine's scene is updated at 60 frames a second. The calls of
//! [`Destruction::update`] and [`Destruction::begin_next_step`] alone are timed, in two ways: by the clock, and
//! by the processor time of this thread, which other programs do not affect. The time of the engine's own
//! update, which builds the lists for drawing, is printed beside them. Criterion shows the mean by the clock;
//! the median, the 99th percentile and the memory of a piece at rest are printed.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use criterion::{criterion_group, criterion_main, Criterion};
use fracture::{
    conversion::write_surfaces, Destructible, Destruction, FracturePattern, Impact, PatternKind,
    Pieces, Settings,
};
use fracture_geometry::Mesh;
use fyrox::{
    asset::{untyped::ResourceKind, Resource},
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
        Uuid,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            surface::{SurfaceBuilder, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
        Scene,
    },
};

const DT: f32 = 1.0 / 60.0;
/// Cubes in a row, and the distance between their centres, metres.
const ROW: usize = 30;
const APART: f32 = 1.6;

/// The times of each frame.
#[derive(Default)]
struct Spent {
    module: Vec<Duration>,
    worked: Vec<Duration>,
    engine: Vec<Duration>,
}

/// Median and 99th percentile, ms.
fn middle_and_end(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort_unstable();
    [0.5, 0.99].map(|part| {
        let index = (part * (times.len().max(1) - 1) as f64) as usize;
        times.get(index).copied().unwrap_or_default().as_secs_f64() * 1e3
    })
}

/// Memory of the process, bytes; `None` where the system does not tell.
fn memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// A floor, and cubes of 1 m that break above it.
struct Yard {
    scene: Scene,
    destruction: Destruction,
    surface: SurfaceResource,
    pattern: Resource<FracturePattern>,
    cubes: usize,
    /// The last cubes, to be removed later.
    last: Vec<String>,
}

impl Yard {
    fn new() -> Option<Self> {
        Self::with(Settings::default())
    }

    fn with(settings: Settings) -> Option<Self> {
        let settings = Settings {
            max_pieces: 1 << 20,
            max_triangles: u64::MAX,
            ..settings
        };
        let pattern = FracturePattern {
            kind: PatternKind::Uniform,
            cells: 100,
            ..FracturePattern::default()
        };
        let mut scene = Scene::new();
        let half = Vector3::new(200.0, 0.5, 200.0);
        let floor = ColliderShape::cuboid(half.x, half.y, half.z);
        body(&mut scene, [0.0, -0.5, 0.0], floor, RigidBodyType::Static);
        Some(Self {
            scene,
            destruction: Destruction::new(settings),
            surface: write_surfaces(&Mesh::cuboid([1.0; 3]))
                .into_values()
                .next()?,
            pattern: Resource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, pattern),
            cubes: 0,
            last: Vec::new(),
        })
    }

    /// The horizontal position of a cube's centre.
    fn place(cube: usize) -> [f32; 2] {
        let away = |index: usize| APART * index as f32 - 0.5 * APART * ROW as f32;
        [away(cube % ROW), away(cube / ROW)]
    }

    fn add_cube(&mut self, height: f32) {
        let [x, z] = Self::place(self.cubes);
        let name = format!("Cube {}", self.cubes);
        self.cubes += 1;
        let shape = ColliderShape::cuboid(0.5, 0.5, 0.5);
        let cube = body(
            &mut self.scene,
            [x, height, z],
            shape,
            RigidBodyType::Static,
        );
        let mesh = MeshBuilder::new(BaseBuilder::new())
            .with_surfaces(vec![SurfaceBuilder::new(self.surface.clone()).build()])
            .build(&mut self.scene.graph);
        self.scene.graph.link_nodes(mesh, cube);
        if let Ok(node) = self.scene.graph.try_get_node_mut(cube) {
            node.set_name(&name);
            node.add_script(Destructible {
                pattern: Some(self.pattern.clone()).into(),
                pieces: Pieces {
                    threshold_factor: 1e6.into(),
                    ..Pieces::default()
                },
                ..Destructible::default()
            });
        }
        self.last.push(name);
    }

    /// Breaks cubes until there are `pieces` pieces.
    fn fill(&mut self, pieces: usize, height: f32) {
        self.last.clear();
        while self.pieces() < pieces {
            self.add_cube(height);
            self.engine();
            self.rest();
            let [x, z] = Self::place(self.cubes - 1);
            let point = Vector3::new(x, height, z);
            let impact = Impact::new(point, Vector3::y(), 0.1)
                .with_impulse(Vector3::new(0.0, -25.0, 0.0))
                .with_radius(3.0);
            let name = self.last.last().cloned().unwrap_or_default();
            let struck = self.destruction.impact_by_name(&self.scene, &name, impact);
            assert!(struck.is_ok(), "{struck:?}");
            self.rest();
        }
    }

    /// Adds 10,000 colliders: blocks 4 m apart, every twentieth of them kinematic.
    fn surround(&mut self) {
        for index in 0..10_000 {
            let [x, z] = [index % 100, index / 100].map(|place| 4.0 * place as f32 - 198.0);
            if x.abs().max(z.abs()) < 30.0 {
                continue;
            }
            let shape = ColliderShape::cuboid(0.5, 1.0, 0.5);
            let kind = match index % 20 {
                0 => RigidBodyType::Dynamic,
                1 => RigidBodyType::KinematicPositionBased,
                _ => RigidBodyType::Static,
            };
            body(&mut self.scene, [x, 1.0, z], shape, kind);
        }
        for _ in 0..100 {
            self.engine();
            self.destruction.update(&mut self.scene, 0.0);
        }
    }

    /// Completes all work while no time passes.
    fn rest(&mut self) {
        self.destruction.update(&mut self.scene, 0.0);
        while !self.destruction.is_idle() {
            self.destruction.update(&mut self.scene, 0.0);
            std::thread::yield_now();
        }
    }

    fn pieces(&self) -> usize {
        let statistics = self.destruction.statistics();
        statistics.fragments + statistics.islands
    }

    /// Runs until the debris rests and is drawn in batches.
    fn settle(&mut self) {
        for _ in 0..3000 {
            self.destruction.update(&mut self.scene, DT);
            let statistics = self.destruction.statistics();
            let lies = statistics.settled == self.pieces();
            if lies && statistics.merged * 10 > 9 * statistics.settled {
                return;
            }
        }
    }

    fn engine(&mut self) {
        let size = Vector2::new(1.0, 1.0);
        self.scene.update(size, DT, Default::default());
    }

    /// Runs frames at 60 Hz in the plugin's order. Returns the times of destruction and of the engine, and the
    /// processor time of destruction. The rest of a frame, in which a game draws, is slept.
    fn frames(&mut self, count: u64) -> Spent {
        let mut spent = Spent::default();
        for _ in 0..count {
            let (start, worked) = (Instant::now(), ThreadTime::now());
            self.destruction.update(&mut self.scene, DT);
            let (updated, work) = (start.elapsed(), worked.elapsed());
            self.engine();
            let (middle, worked) = (Instant::now(), ThreadTime::now());
            self.destruction.begin_next_step(&self.scene, DT);
            spent.worked.push(work + worked.elapsed());
            spent.module.push(updated + middle.elapsed());
            spent.engine.push(middle - start - updated);
            let frame = Duration::from_secs_f32(DT);
            std::thread::sleep(frame.saturating_sub(start.elapsed()));
        }
        spent
    }

    fn show(&self, name: &str, spent: Spent) -> Duration {
        let own: Duration = spent.module.iter().sum();
        let [module, worked, engine] =
            [spent.module, spent.worked, spent.engine].map(middle_and_end);
        let statistics = self.destruction.statistics();
        println!(
            "{name}: median {:.3} ms, p99 {:.3} ms (of the processor {:.3}, {:.3}; engine {:.2}, {:.2}); \
             {} pieces, {} fixed, {} awake, {} in {} batches, their step {:.2} ms",
            module[0],
            module[1],
            worked[0],
            worked[1],
            engine[0],
            engine[1],
            self.pieces(),
            statistics.settled,
            statistics.awake,
            statistics.merged,
            statistics.batches,
            statistics.physics_ms,
        );
        own
    }
}

fn body(
    scene: &mut Scene,
    [x, y, z]: [f32; 3],
    shape: ColliderShape,
    kind: RigidBodyType,
) -> Handle<Node> {
    let graph = &mut scene.graph;
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(shape)
        .build(graph);
    let place = TransformBuilder::new().with_local_position(Vector3::new(x, y, z));
    let base = BaseBuilder::new()
        .with_local_transform(place.build())
        .with_child(collider);
    let body = RigidBodyBuilder::new(base)
        .with_body_type(kind)
        .with_mass(50.0)
        .build(graph);
    body.to_base()
}

/// Measures frames of a yard, which is built once and reset for each sample.
fn measure(
    c: &mut Criterion,
    name: &str,
    mut make: impl FnMut() -> Option<Yard>,
    mut begin: impl FnMut(&mut Yard),
) {
    let mut made = None;
    c.bench_function(name, |b| {
        b.iter_custom(|count| {
            if made.is_none() {
                made = make();
            }
            let Some(yard) = made.as_mut() else {
                return Duration::ZERO;
            };
            begin(yard);
            let frames = count.max(120);
            let spent = yard.frames(frames);
            let all = yard.show(name, spent);
            all.mul_f64(count as f64 / frames as f64)
        });
    });
}

/// A yard with `pieces` pieces at rest.
fn settled(pieces: usize) -> Option<Yard> {
    // Earlier than in a game, to save waiting time.
    let mut yard = Yard::with(Settings {
        settle_after: 0.2,
        merge_after: 0.2,
        ..Settings::default()
    })?;
    let start = Instant::now();
    let mut first = None;
    while yard.pieces() < pieces {
        yard.fill((yard.pieces() + 1000).min(pieces), 0.6);
        yard.settle();
        // All buffers are allocated by then.
        if first.is_none() && yard.pieces() * 4 > pieces {
            first = memory().map(|bytes| (yard.pieces(), bytes));
        }
    }
    yard.last.clear();
    if let Some(((few, before), after)) = first.zip(memory()) {
        let bytes = after.saturating_sub(before) / (yard.pieces() - few).max(1);
        let took = start.elapsed().as_secs_f32();
        let steps = yard.destruction.statistics().physics_steps;
        println!(
            "{pieces} pieces lie after {took:.0} s and {steps} steps: {bytes} bytes for each, nodes \
             and all"
        );
    }
    Some(yard)
}

fn rubble(c: &mut Criterion) {
    let refill = |pieces: usize| {
        move |yard: &mut Yard| {
            if let Some(fresh) = Yard::new() {
                *yard = fresh;
            }
            yard.fill(pieces, 2.0);
        }
    };
    measure(c, "1,000 awake", Yard::new, refill(1000));
    let among = |yard: &mut Yard| {
        refill(200)(yard);
        for index in 0..5 {
            let [x, z] = Yard::place(index / 3);
            let at = [x + 0.3 * (index % 3) as f32 - 0.3, 3.0, z];
            body(
                &mut yard.scene,
                at,
                ColliderShape::ball(0.3),
                RigidBodyType::Dynamic,
            );
        }
    };
    let name = "200 awake, 5 bodies of the engine among them";
    measure(c, name, Yard::new, among);
    let level = |yard: &mut Yard| {
        among(yard);
        yard.surround();
    };
    let name = "the same in a level of 10,000 colliders";
    measure(c, name, Yard::new, level);
    measure(c, "10,000 settled", || settled(10_000), |_| {});
    let busy = |yard: &mut Yard| {
        let gone = std::mem::take(&mut yard.last);
        for name in gone {
            let pieces = yard.destruction.pieces_of(&name);
            for node in pieces.iter().map(|piece| piece.node) {
                if yard.scene.graph.is_valid_handle(node) {
                    yard.scene.graph.remove_node(node);
                }
            }
        }
        yard.engine();
        yard.settle();
        yard.fill(yard.pieces() + 500, 2.0);
    };
    measure(c, "20,000 settled, 500 awake", || settled(20_000), busy);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(1));
    targets = rubble
}
criterion_main!(benches);
