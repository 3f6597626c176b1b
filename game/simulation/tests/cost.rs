//! Time, measured loosely: machines that run tests are busy.

use fracture_simulation::geometry::Mesh;
use fracture_simulation::{Anchors, Body, Fit, Impact};

use crate::setup::{body, hit, pattern, step, waiting};

/// Breaks a prepared model of 20,000 triangles partially; worker ms, and main-thread ms of the frame
/// that shows it.
fn partial_break(anchored: bool) -> (f32, f32, usize) {
    let mut simulation = waiting();
    let anchors = Anchors::from_bounds(|[low, high]| {
        let mut top = high;
        top.y = low.y + 0.02;
        vec![[low, top]]
    });
    let model = Body {
        pattern: pattern(64),
        fit: Fit::Impact,
        anchors: if anchored { anchors } else { Anchors::free() },
        ..body(Mesh::torus(0.6, 0.25, 125, 80))
    };
    let id = simulation.add(model).unwrap();
    for _ in 0..3 {
        step(&mut simulation);
    }
    simulation
        .impact(Impact {
            radius: Some(0.15),
            ..hit(id, [0.6, 0.25, 0.0])
        })
        .unwrap();
    step(&mut simulation);
    while !simulation.is_idle() {
        let broken = crate::setup::broken(&mut simulation);
        let statistics = simulation.statistics();
        // The wait for the worker is not the main thread's work.
        let main = statistics.step_ms - broken.worker_ms;
        return (broken.worker_ms, main, broken.pieces.len());
    }
    panic!("nothing was broken");
}

#[test]
fn a_partial_break_of_20000_triangles_is_ready_in_the_next_frame() {
    for anchored in [false, true] {
        let mut runs: Vec<_> = (0..7).map(|_| partial_break(anchored)).collect();
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (worker, main, pieces) = runs[0];
        println!("anchored {anchored}: {worker:.2} ms on the worker, about {main:.2} ms on the main thread, {pieces} pieces");
        assert!(worker < 100.0, "{worker} ms");
    }
}
