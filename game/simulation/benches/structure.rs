//! Cost of knowing what holds what, in buildings of 50 to 3,200 bodies: at the start, and after a break.
//!
//! A table is printed with medians of several runs: the worker's time for bonds and weighing, and the time on the calling
//! thread of the longest step, of all steps together, and of a step when nothing is left to be done. How they grow with
//! the building can be read from one run; quote them only as ratios to an earlier commit in the same run. A number as an
//! argument takes only the building of that many bodies.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::{
    external::ExternalBody, pattern::LazyPattern, Anchors, Body, BodyId, Impact, Material, Motion,
    Pose, Settings, Shape, SharedShape, Simulation,
};

const DT: f32 = 1.0 / 60.0;

/// Runs of which the medians are printed.
const RUNS: usize = 5;

/// Bays of a storey along x. Each has a column and a slab.
const BAYS: usize = 10;

/// Storeys of a building.
const STOREYS: usize = 5;

/// The column that is struck: one in the middle of the front.
const STRUCK: usize = 10;

fn at(x: f32, y: f32, z: f32) -> Motion {
    Motion::at(Pose::from_translation(Vec3::new(x, y, z)))
}

/// A building of about a number of bodies: bays of a column and a slab, in storeys, side by side. Strong enough to stand
/// without a column.
fn building(count: usize) -> (Simulation, Vec<BodyId>) {
    let settings = Settings {
        threads: 1,
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
                material: Material {
                    tensile_strength: 4e7,
                    ..Material::default()
                },
                ..Body::new(shape.clone(), pattern.clone())
            };
            bodies.push(simulation.add(body).expect("a body"));
        }
    }
    (simulation, bodies)
}

/// Times of some steps, ms.
#[derive(Clone, Copy, Default)]
struct Times {
    worker: f32,
    longest: f32,
    all: f32,
    steps: f32,
}

/// Takes steps until nothing is left to be done.
fn settle(simulation: &mut Simulation) -> Times {
    let mut times = Times::default();
    let before = simulation.statistics().structure_worker_ms;
    loop {
        simulation.step(DT);
        simulation.drain_events().for_each(drop);
        let statistics = simulation.statistics();
        times.longest = times.longest.max(statistics.structure_ms);
        times.all += statistics.structure_ms;
        times.steps += 1.0;
        if simulation.is_idle() {
            times.worker = statistics.structure_worker_ms - before;
            return times;
        }
        // The worker has its time, as between frames.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Times at the start, after a break, and of a step with nothing to do.
fn run(count: usize) -> [Times; 3] {
    let (mut simulation, bodies) = building(count);
    let start = settle(&mut simulation);
    if let Some(column) = bodies.get(STRUCK) {
        let place = simulation.motion(*column).expect("a body").pose.translation;
        let blow = Impact::new(*column, place, Vec3::NEG_Z, Vec3::Z * 500.0, 20_000.0);
        simulation.impact(blow).expect("an impact");
    }
    let breaks = simulation.statistics().breaks;
    let after = settle(&mut simulation);
    let statistics = simulation.statistics();
    assert!(statistics.breaks > breaks, "the column has not broken");
    simulation.step(DT);
    let rest = Times {
        all: simulation.statistics().structure_ms,
        ..Times::default()
    };
    [start, after, rest]
}

/// The median of a figure of some runs.
fn median(runs: &[Times], figure: impl Fn(&Times) -> f32) -> f32 {
    let mut values: Vec<f32> = runs.iter().map(figure).collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn main() {
    let only: Option<usize> = std::env::args().find_map(|argument| argument.parse().ok());
    println!("bodies  phase   worker ms  longest step ms  all steps ms  steps");
    for count in [50, 200, 800, 3200] {
        if only.is_some_and(|only| only != count) {
            continue;
        }
        let runs: Vec<[Times; 3]> = (0..RUNS).map(|_| run(count)).collect();
        for (index, phase) in ["start", "break", "rest"].into_iter().enumerate() {
            let times: Vec<Times> = runs.iter().map(|run| run[index]).collect();
            let [worker, longest, all, steps] = [
                median(&times, |own| own.worker),
                median(&times, |own| own.longest),
                median(&times, |own| own.all),
                median(&times, |own| own.steps),
            ];
            println!("{count:6}  {phase:6} {worker:10.2} {longest:16.3} {all:13.3} {steps:6}");
        }
    }
}
