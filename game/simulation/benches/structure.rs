//! Cost of knowing what holds what, in buildings of 50 to 3,200 bodies: all steps together, with their work on the
//! worker, at the start and after a member has been taken out.
//!
//! Quote medians, and only as ratios to an earlier commit in the same run; how they grow with the building can be read
//! from one run.

use std::time::{Duration, Instant};

use criterion::{criterion_group, criterion_main, BatchSize, BenchmarkId, Criterion};
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::{
    external::ExternalBody, pattern::LazyPattern, Anchors, Body, BodyId, Motion, Pose, Settings,
    Shape, SharedShape, Simulation,
};

const DT: f32 = 1.0 / 60.0;

/// Bays of a storey along x. Each has a column and a slab.
const BAYS: usize = 10;

/// Storeys of a building.
const STOREYS: usize = 5;

fn at(x: f32, y: f32, z: f32) -> Motion {
    Motion::at(Pose::from_translation(Vec3::new(x, y, z)))
}

/// A building of about a number of bodies: bays of a column and a slab, in storeys, side by side.
fn building(count: usize, wait_for_results: bool) -> (Simulation, Vec<BodyId>) {
    let settings = Settings {
        wait_for_results,
        ..Settings::default()
    };
    let mut simulation = Simulation::new(settings).expect("a simulation");
    let ground = SharedShape::cuboid(500.0, 0.5, 500.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).expect("ground");
    let recipe = Recipe::Uniform { cells: 64 };
    let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 3));
    let column = Shape::new(Mesh::cuboid([0.4, 3.0, 0.4]));
    let slab = Shape::new(Mesh::cuboid([4.0, 0.2, 4.0]));
    let mut bodies = Vec::new();
    for bay in 0..count / 2 {
        let (x, storey, z) = (bay % BAYS, bay / BAYS % STOREYS, bay / BAYS / STOREYS);
        let place = Vec3::new(4.0 * x as f32, 3.2 * storey as f32, 4.0 * z as f32);
        for (shape, height) in [(&column, 1.5), (&slab, 3.1)] {
            let body = Body {
                anchors: Anchors::Touching {
                    gap: 0.005,
                    bond_strength: 1.0,
                },
                motion: at(place.x, place.y + height, place.z),
                ..Body::new(shape.clone(), pattern.clone())
            };
            bodies.push(simulation.add(body).expect("a body"));
        }
    }
    (simulation, bodies)
}

/// Takes steps until nothing is left to be done; the longest of them.
fn settle(simulation: &mut Simulation) -> Duration {
    let mut longest = Duration::ZERO;
    loop {
        let start = Instant::now();
        simulation.step(DT);
        longest = longest.max(start.elapsed());
        simulation.drain_events().for_each(drop);
        if simulation.is_idle() {
            return longest;
        }
    }
}

/// The longest step on the calling thread alone, while the worker searches a building and after a column is gone.
fn show_longest_steps(count: usize) {
    let (mut simulation, bodies) = building(count, false);
    let at_start = settle(&mut simulation);
    if let Some(column) = bodies.get(2) {
        simulation.remove(*column);
    }
    let after = settle(&mut simulation);
    println!("{count} bodies: longest step {at_start:.2?} at the start, {after:.2?} after a column is gone");
}

fn structure(c: &mut Criterion) {
    let mut group = c.benchmark_group("structure");
    for count in [50, 200, 800, 3200] {
        show_longest_steps(count);
        group.bench_function(BenchmarkId::new("at the start", count), |b| {
            let build = || building(count, true);
            b.iter_batched(
                build,
                |(mut own, _)| settle(&mut own),
                BatchSize::PerIteration,
            );
        });
        group.bench_function(BenchmarkId::new("after a column is gone", count), |b| {
            let settled = || {
                let (mut simulation, bodies) = building(count, true);
                settle(&mut simulation);
                (simulation, bodies)
            };
            b.iter_batched(
                settled,
                |(mut simulation, bodies)| {
                    bodies.get(2).map(|column| simulation.remove(*column));
                    settle(&mut simulation)
                },
                BatchSize::PerIteration,
            );
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(1));
    targets = structure
}
criterion_main!(benches);
