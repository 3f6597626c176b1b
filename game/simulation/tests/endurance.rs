//! Endurance: hours of breaking and removing do not grow the memory, and many runs of the same calls end in
//! the same state.

use std::sync::{Arc, Weak};

use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    external::ExternalBody, Body, BodyId, Event, Settings, Shape, SharedShape, Simulation,
};

use crate::setup::{at, body, impact_at, step, with};

/// A world with a floor and a small debris budget.
fn world(settings: Settings) -> Simulation {
    let mut simulation = with(Settings {
        max_pieces: 60,
        check_pieces: false,
        freeze_after: 0.1,
        ..settings
    });
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    simulation
}

/// Adds a body, breaks it, lets its pieces fall on those of the last body, and removes these. Adds the meshes of
/// the pieces to `meshes`.
fn round(
    simulation: &mut Simulation,
    block: &Body,
    last: Option<BodyId>,
    meshes: &mut Vec<Weak<Shape>>,
) -> BodyId {
    let id = simulation.add(block.clone()).unwrap();
    step(simulation);
    simulation.impact(impact_at(id, [0.0, 1.0, 0.0])).unwrap();
    for event in (0..40).flat_map(|_| step(simulation)) {
        if let Event::Broken(broken) = event {
            meshes.extend(broken.pieces.iter().map(|p| Arc::downgrade(&p.shape)));
        }
    }
    if let Some(last) = last {
        simulation.remove(last);
    }
    meshes.retain(|mesh| mesh.strong_count() > 0);
    id
}

/// Measures the bytes that rounds leave allocated on the calling thread, after as many rounds that fill all
/// buffers. Meshes are allocated on the worker, so they are counted one by one.
fn left_behind(rounds: u32) -> i64 {
    let mut simulation = world(Settings::default());
    let block = Body {
        motion: at(0.0, 0.5, 0.0),
        ..body(Mesh::cuboid([1.0; 3]))
    };
    let (mut last, mut meshes) = (None, Vec::with_capacity(1000));
    for _ in 0..rounds {
        last = Some(round(&mut simulation, &block, last, &mut meshes));
    }
    let info = allocation_counter::measure(|| {
        for _ in 0..rounds {
            last = Some(round(&mut simulation, &block, last, &mut meshes));
            let living = simulation.statistics().debris;
            assert!(
                living <= 60 && meshes.len() <= living,
                "{} meshes of {living}",
                meshes.len()
            );
        }
    });
    assert!(simulation.statistics().breaks >= u64::from(2 * rounds));
    info.bytes_current
}

#[test]
fn breaking_and_removing_leaves_nothing_behind() {
    let left = left_behind(40);
    assert!(left < 200_000, "{left} bytes more after 40 rounds");
}

/// An hour of game time, which takes minutes.
#[test]
#[ignore = "takes minutes"]
fn an_hour_of_breaking_and_removing_leaves_nothing_behind() {
    let left = left_behind(5_000);
    assert!(left < 200_000, "{left} bytes more after 5,000 rounds");
}

/// Breaks two blocks one above the other; gives the state hash at the end.
fn state(settings: Settings) -> u64 {
    let mut simulation = world(settings);
    for height in [0.5, 1.6] {
        let block = Body {
            motion: at(0.0, height, 0.0),
            ..body(Mesh::cuboid([1.0; 3]))
        };
        let id = simulation.add(block).unwrap();
        simulation
            .impact(impact_at(id, [0.1, height + 0.5, 0.0]))
            .unwrap();
    }
    (0..40).for_each(|_| _ = step(&mut simulation));
    assert_eq!(simulation.statistics().breaks, 2);
    simulation.state_hash()
}

#[test]
fn a_hundred_runs_with_any_number_of_threads_end_in_the_same_state() {
    let expected = state(Settings::default());
    for run in 0..100 {
        let settings = Settings {
            threads: [1, 2, 8, 0][run % 4],
            physics_threads: [8, 1, 2][run / 4 % 3],
            ..Settings::default()
        };
        assert_eq!(state(settings), expected, "run {run}");
    }
}
