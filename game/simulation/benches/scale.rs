//! Cost of much debris on the calling thread, frame by frame at 60 Hz.
//!
//! Debris that no body of the engine touches is stepped on a thread of its own beside the frames; the
//! rest of a frame is therefore simulated by sleeping. Criterion shows the mean; the median and the 99th
//! percentile are printed.

use std::time::{Duration, Instant};

use criterion::{criterion_group, criterion_main, Criterion};
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::{
    external::ExternalBody,
    pattern::{LazyPattern, PatternFit},
    Body, BodyId, Impact, Material, Motion, Pose, Settings, Shape, SharedShape, Simulation,
};

const DT: f32 = 1.0 / 60.0;

fn at(x: f32, y: f32, z: f32) -> Motion {
    Motion::at(Pose::from_translation(Vec3::new(x, y, z)))
}

/// A floor, and cubes of 1 m above it that are broken into evenly spread pieces.
struct Yard {
    simulation: Simulation,
    cubes: u32,
    bodies: Vec<BodyId>,
    shape: std::sync::Arc<Shape>,
    pattern: std::sync::Arc<LazyPattern>,
}

impl Yard {
    fn new() -> Self {
        let settings = Settings {
            max_pieces: 1 << 20,
            max_triangles: u64::MAX,
            ..Settings::default()
        };
        let mut simulation = Simulation::new(settings).expect("a simulation");
        let ground = SharedShape::cuboid(200.0, 0.5, 200.0);
        let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
        simulation.set_external_body(1, ground).expect("a floor");
        let recipe = Recipe::Uniform { cells: 100 };
        Self {
            simulation,
            cubes: 0,
            bodies: Vec::new(),
            shape: Shape::new(Mesh::cuboid([1.0; 3])),
            pattern: LazyPattern::new(move || Pattern::from_recipe(&recipe, 3)),
        }
    }

    /// Breaks cubes until the yard has a number of pieces.
    fn fill(&mut self, pieces: usize, height: f32) {
        while self.count() < pieces {
            let (row, column) = (self.cubes / 30, self.cubes % 30);
            let place = at(1.6 * column as f32 - 24.0, height, 1.6 * row as f32 - 24.0);
            self.cubes += 1;
            let body = Body {
                fit: PatternFit::BODY,
                motion: place,
                material: Material {
                    threshold_factor: 1e6,
                    ..Material::default()
                },
                ..Body::new(self.shape.clone(), self.pattern.clone())
            };
            let id = self.simulation.add(body).expect("a cube");
            let point = place.pose.translation;
            let mut hit = Impact::new(id, point, Vec3::Y, Vec3::new(0.0, -25.0, 0.0), 0.1);
            hit.radius = Some(3.0);
            self.simulation.impact(hit).expect("a hit");
            self.bodies.push(id);
            while !self.simulation.is_idle() {
                self.simulation.step(0.0);
            }
            self.simulation.drain_events().for_each(drop);
        }
    }

    fn count(&self) -> usize {
        self.simulation.statistics().debris
    }

    fn settle(&mut self) {
        self.simulation.step(DT);
        for _ in 0..3000 {
            self.simulation.step(DT);
            let statistics = self.simulation.statistics();
            if statistics.frozen == statistics.debris {
                return;
            }
        }
    }
}

/// Takes frames at 60 Hz, and returns the time that the calling thread spent in each.
fn frames(yard: &mut Yard, count: u64, mut before: impl FnMut(&mut Simulation)) -> Vec<Duration> {
    let frame = Duration::from_secs_f32(DT);
    let one = |_| {
        let start = Instant::now();
        before(&mut yard.simulation);
        yard.simulation.step(DT);
        yard.simulation.drain_events().for_each(drop);
        let spent = start.elapsed();
        std::thread::sleep(frame.saturating_sub(spent));
        spent
    };
    (0..count).map(one).collect()
}

fn show(name: &str, yard: &Yard, mut spent: Vec<Duration>) -> Duration {
    spent.sort_unstable();
    let part = |p: f64| {
        let index = (p * (spent.len().max(1) - 1) as f64) as usize;
        spent.get(index).copied().unwrap_or_default().as_secs_f64() * 1e3
    };
    let statistics = yard.simulation.statistics();
    println!(
        "{name}: median {:.3} ms, p99 {:.3} ms; {} pieces, {} frozen, {} awake, their step {:.2} ms",
        part(0.5),
        part(0.99),
        statistics.debris,
        statistics.frozen,
        statistics.awake,
        statistics.physics_ms,
    );
    spent.iter().sum()
}

/// Measures frames of a yard: `begin` prepares it for each sample, `before` runs before each frame.
fn measure(
    c: &mut Criterion,
    name: &str,
    mut yard: impl FnMut() -> Yard,
    mut begin: impl FnMut(&mut Yard),
    before: impl Fn(&mut Simulation),
) {
    let mut made = None;
    c.bench_function(name, |b| {
        b.iter_custom(|count| {
            let yard = made.get_or_insert_with(&mut yard);
            begin(yard);
            let length = count.max(120);
            let spent = frames(yard, length, &before);
            let all = show(name, yard, spent);
            all.mul_f64(count as f64 / length as f64)
        });
    });
}

/// A yard with a number of frozen pieces.
fn settled(pieces: usize) -> Yard {
    let mut yard = Yard::new();
    let mut memory = Memory::default();
    while yard.count() < pieces {
        yard.fill((yard.count() + 1000).min(pieces), 0.6);
        yard.settle();
        memory.note(yard.count());
    }
    memory.show();
    yard
}

/// Memory of the process by number of pieces, from which that of one piece is estimated: the growth after
/// the first quarter of them.
#[derive(Default)]
struct Memory(Vec<(usize, usize)>);

impl Memory {
    fn note(&mut self, pieces: usize) {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        let kilobytes: Option<usize> = number.and_then(|number| number.parse().ok());
        self.0
            .extend(kilobytes.map(|kilobytes| (pieces, kilobytes * 1024)));
    }

    fn show(&self) {
        let first = self.0.get(self.0.len() / 4);
        if let Some((first, last)) = first.zip(self.0.last()) {
            let pieces = last.0.saturating_sub(first.0).max(1);
            let bytes = last.1.saturating_sub(first.1) / pieces;
            println!("{} pieces: {bytes} bytes for each, mesh and all", last.0);
        }
    }
}

fn scale(c: &mut Criterion) {
    let refill = |pieces: usize| {
        move |yard: &mut Yard| {
            *yard = Yard::new();
            yard.fill(pieces, 2.0);
        }
    };
    measure(c, "1,000 awake", Yard::new, refill(1000), |_| {});
    let coupled = |yard: &mut Yard| {
        refill(200)(yard);
        for key in 10..15 {
            let place = at(1.6 * (key as f32 - 10.0) - 24.0, 1.0, -24.0);
            let ball = ExternalBody::dynamic(SharedShape::ball(0.3), place, 50.0);
            yard.simulation
                .set_external_body(key, ball)
                .expect("a ball");
        }
    };
    measure(
        c,
        "200 awake, 5 bodies of the engine among them",
        Yard::new,
        coupled,
        |simulation| {
            for key in 10..15 {
                let place = at(1.6 * (key as f32 - 10.0) - 24.0, 0.6, -24.0);
                simulation.set_external_motion(key, place);
            }
        },
    );
    measure(c, "10,000 settled", || settled(10_000), |_| {}, |_| {});
    // The pieces of the last sample are removed, so that every sample begins alike.
    let dropped = std::cell::RefCell::new(Vec::new());
    measure(
        c,
        "20,000 settled, 500 awake",
        || settled(20_000),
        |yard| {
            for cube in dropped.borrow_mut().drain(..) {
                yard.simulation.remove(cube);
            }
            yard.settle();
            let first = yard.bodies.len();
            yard.fill(yard.count() + 500, 2.0);
            dropped.borrow_mut().extend(yard.bodies.drain(first..));
        },
        |_| {},
    );
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(1));
    targets = scale
}
criterion_main!(benches);
