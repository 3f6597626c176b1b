//! Determinism: the same calls give the same bits.

use fracture_simulation::geometry::{FractureError, Mesh};
use fracture_simulation::{
    external::ExternalBody, Body, BreakFailure, Event, Settings, SharedShape, Simulation,
};

use crate::setup::{at, body, cube, impact_at, just_broken, pattern, step, wall, with};

/// Runs two seconds with several bodies, several impacts and ground; gives the state hash of every 30th step.
fn run(threads: usize, seed: u64) -> Vec<u64> {
    let mut simulation = with(Settings {
        threads,
        seed,
        ..Settings::default()
    });
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -1.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let torus = body(Mesh::torus(0.6, 0.2, 32, 16));
    let bodies: Vec<_> = [cube(), wall(), torus]
        .into_iter()
        .zip([at(0.0, 0.0, 0.0), at(0.0, -1.0, 3.0), at(2.5, 0.0, 0.0)])
        .map(|(body, motion)| simulation.add(Body { motion, ..body }).unwrap())
        .collect();
    let mut hashes = Vec::new();
    for frame in 0..120 {
        if frame % 15 == 0 && frame < 60 {
            for (id, point) in
                bodies
                    .iter()
                    .zip([[0.0, 0.5, 0.0], [0.5, 0.6, 3.1], [3.1, 0.2, 0.0]])
            {
                simulation.impact(impact_at(*id, point)).unwrap();
            }
        }
        for event in step(&mut simulation) {
            if let Event::BreakFailed { reason, .. } = event {
                // The body has moved away from under the hit.
                assert!(matches!(
                    reason,
                    BreakFailure::Fracture(FractureError::OutOfReach { .. })
                        | BreakFailure::OnePiece
                ));
            }
        }
        if frame % 30 == 29 {
            hashes.push(simulation.state_hash());
        }
    }
    assert!(
        simulation.statistics().breaks >= 6,
        "{:?}",
        simulation.statistics()
    );
    hashes
}

#[test]
fn any_number_of_workers_gives_the_same_states() {
    let one = run(1, 9);
    assert_eq!(one, run(2, 9));
    assert_eq!(one, run(4, 9));
    assert_eq!(one, run(0, 9));
    assert_eq!(one, run(1, 9), "a second run");
}

/// Breaks a large ring everywhere, and a piece of it again; gives the hashes of all meshes, and of the states in which
/// provisional and lasting colliders lead.
fn share(threads: usize) -> Vec<u64> {
    let mut simulation = with(Settings {
        threads,
        chain_breaks: 0,
        ..Settings::default()
    });
    let ring = Body {
        pattern: pattern(100),
        ..body(Mesh::torus(0.6, 0.2, 160, 80))
    };
    let mut struck = simulation.add(ring).unwrap();
    let mut hashes = Vec::new();
    for radius in [0.3, 1.0] {
        let mut hit = impact_at(struck, [-0.8, 0.0, 0.0]);
        hit.radius = Some(radius);
        simulation.impact(hit).unwrap();
        let broken = just_broken(&mut simulation);
        let pieces = broken.pieces.iter();
        struck = pieces.max_by_key(|piece| piece.triangles).unwrap().body;
        hashes.push(simulation.geometry_hash(broken.pieces.iter().map(|piece| ("", piece.body))));
        hashes.push(simulation.state_hash());
    }
    assert!(simulation.statistics().debris > 20);
    for _ in 0..10 {
        step(&mut simulation);
        hashes.push(simulation.state_hash());
    }
    hashes
}

#[test]
fn a_large_break_that_threads_share_is_the_same_for_any_number_of_them() {
    let one = share(1);
    assert_eq!(one, share(2));
    assert_eq!(one, share(8));
    assert_eq!(one, share(0));
}

#[test]
fn another_seed_breaks_differently() {
    assert_ne!(run(1, 9), run(1, 10));
}

#[test]
fn a_cleared_simulation_is_like_a_new_one() {
    let run = |simulation: &mut Simulation| {
        let id = simulation.add(cube()).unwrap();
        simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
        let mut state = |_| {
            step(simulation);
            simulation.state_hash()
        };
        (0..30).map(&mut state).collect::<Vec<u64>>()
    };
    let mut simulation = with(Settings::default());
    let fresh = run(&mut simulation);
    simulation.clear().unwrap();
    let new = with(Settings::default());
    assert_eq!(simulation.state_hash(), new.state_hash());
    assert_eq!(run(&mut simulation), fresh);
}
