//! Cost of a break on the worker, and of frames on the main thread: `cargo bench -p fracture_simulation`.
//!
//! Quote medians, and only as ratios to another program or an earlier commit in the same run.

use std::time::Duration;

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::{
    pattern::LazyPattern, Anchors, Body, Broken, Event, Impact, Settings, Shape, Simulation,
};

const DT: f32 = 1.0 / 60.0;

fn waiting() -> Simulation {
    let settings = Settings {
        wait_for_results: true,
        ..Settings::default()
    };
    Simulation::new(settings).expect("a simulation")
}

/// A torus of 20,000 triangles with a pattern of 64 cells, free or held at its base.
fn torus(anchors: Anchors) -> Body {
    let recipe = Recipe::Clustered {
        cells: 64,
        falloff: 1.0,
    };
    let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 5));
    Body {
        anchors,
        ..Body::new(Shape::new(Mesh::torus(0.6, 0.25, 125, 80)), pattern)
    }
}

fn anchors(name: &str) -> Anchors {
    match name {
        "free" => Anchors::free(),
        _ => Anchors::from_bounds(|[low, high]: [Vec3; 2]| {
            vec![[low, low + (high - low) * Vec3::new(1.0, 0.02, 1.0)]]
        }),
    }
}

/// Breaks a prepared torus. Returns the break, and the milliseconds of the main thread in the frame that
/// shows it, without waiting.
fn partial_break(name: &str) -> (Broken, f32) {
    let mut simulation = Simulation::new(Settings::default()).expect("a simulation");
    let body = simulation.add(torus(anchors(name))).expect("a body");
    let rest = || std::thread::sleep(Duration::from_millis(2));
    while !simulation.is_idle() {
        simulation.step(DT);
        rest();
    }
    let push = Vec3::new(0.0, -50.0, 0.0);
    let mut hit = Impact::new(body, Vec3::new(0.6, 0.25, 0.0), Vec3::Y, push, 1000.0);
    hit.radius = Some(0.15);
    simulation.impact(hit).expect("a hit");
    loop {
        simulation.step(DT);
        let milliseconds = simulation.statistics().step_ms;
        for event in simulation.drain_events() {
            match event {
                Event::Broken(broken) => return (*broken, milliseconds),
                Event::BreakFailed { reason, .. } => panic!("{reason}"),
                _ => {}
            }
        }
        rest();
    }
}

fn breaks(c: &mut Criterion) {
    let mut group = c.benchmark_group("partial break of 20,000 triangles");
    for name in ["free", "held"] {
        let timed = |runs: u64, cost: &dyn Fn(&(Broken, f32)) -> f32| {
            let sum: f32 = (0..runs).map(|_| cost(&partial_break(name))).sum();
            Duration::from_secs_f32(sum / 1e3)
        };
        group.bench_function(BenchmarkId::new("worker", name), |b| {
            b.iter_custom(|runs| timed(runs, &|(broken, _)| broken.worker_ms));
        });
        group.bench_function(BenchmarkId::new("main thread", name), |b| {
            b.iter_custom(|runs| timed(runs, &|(_, milliseconds)| *milliseconds));
        });
    }
}

/// Measures frames with the rubble of a torus, from the moment of the break.
fn rubble(c: &mut Criterion) {
    c.bench_function("60 frames of falling rubble", |b| {
        b.iter_batched(
            || {
                let mut simulation = waiting();
                let body = simulation.add(torus(Anchors::free())).expect("a body");
                let push = Vec3::new(0.0, -50.0, 0.0);
                let hit = Impact::new(body, Vec3::new(0.6, 0.25, 0.0), Vec3::Y, push, 4000.0);
                simulation.impact(hit).expect("a hit");
                (0..3).for_each(|_| simulation.step(DT));
                simulation
            },
            |mut simulation| {
                (0..60).for_each(|_| simulation.step(DT));
                simulation
            },
            criterion::BatchSize::PerIteration,
        );
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(3));
    targets = breaks, rubble
}
criterion_main!(benches);
