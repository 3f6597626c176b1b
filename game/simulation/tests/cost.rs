//! Time, measured loosely: machines that run tests are busy. Run it alone with `--nocapture` on a
//! quiet machine for figures worth quoting.

use std::time::Duration;

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{Anchors, Body, Broken, Event, Impact, Settings, Simulation};

use crate::setup::{body, hit, pattern, step};

/// Breaks a prepared model of 20,000 triangles partially; the break, and the main thread's time for
/// the frame that shows it.
fn partial_break(anchors: Anchors) -> (Broken, f32) {
    let mut simulation = Simulation::new(Settings::default()).unwrap();
    let model = Body {
        pattern: pattern(64),
        anchors,
        ..body(Mesh::torus(0.6, 0.25, 125, 80))
    };
    let id = simulation.add(model).unwrap();
    while !simulation.is_idle() {
        step(&mut simulation);
        std::thread::sleep(Duration::from_millis(5));
    }
    let small = Impact {
        radius: Some(0.15),
        ..hit(id, [0.6, 0.25, 0.0])
    };
    simulation.impact(small).unwrap();
    for _ in 0..200 {
        for event in step(&mut simulation) {
            if let Event::Broken(broken) = event {
                return (*broken, simulation.statistics().step_ms);
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("nothing was broken");
}

#[test]
fn a_partial_break_of_20000_triangles_takes_less_than_a_frame() {
    let base = |[low, high]: [Vec3; 2]| vec![[low, low + (high - low) * Vec3::new(1.0, 0.02, 1.0)]];
    for anchors in [Anchors::free(), Anchors::from_bounds(base)] {
        let held = !anchors.is_free();
        let runs: Vec<_> = (0..9).map(|_| partial_break(anchors.clone())).collect();
        let best = |values: &mut dyn Iterator<Item = f32>| values.fold(f32::MAX, f32::min);
        let worker = best(&mut runs.iter().map(|(broken, _)| broken.worker_ms));
        let main = best(&mut runs.iter().map(|(_, ms)| *ms));
        let pieces = runs[0].0.pieces.len();
        println!("held {held}: {pieces} pieces, worker {worker:.2} ms, main thread {main:.2} ms");
        assert!(worker < 100.0 && main < 20.0, "{worker} ms and {main} ms");
    }
}
