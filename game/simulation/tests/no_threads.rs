//! Without threads steps do the work of the worker, in parts.

use fracture_simulation::geometry::Mesh;
use fracture_simulation::{Body, BodyId, BodyKind, Event, Settings, Simulation};

use crate::setup::{body, breaks_among, cube, impact_at, pattern};

/// A ring of ten thousand triangles.
fn ring() -> Body {
    Body {
        pattern: pattern(64),
        ..body(Mesh::torus(0.6, 0.2, 100, 50))
    }
}

/// A struck ring in which debris falls as long as it is stepped without time.
fn struck(settings: Settings) -> (Simulation, BodyId) {
    let mut simulation = Simulation::new(Settings {
        chain_breaks: 0,
        check_pieces: true,
        ..settings
    })
    .unwrap();
    let ring = simulation.add(ring()).unwrap();
    let mut hit = impact_at(ring, [0.7, 0.1, 0.0]);
    hit.radius = Some(0.3);
    simulation.impact(hit).unwrap();
    (simulation, ring)
}

/// Steps without time until all is done: the hash of all meshes, the number of refinements, and the steps until the break
/// and until the end.
fn finish(simulation: &mut Simulation, ring: BodyId) -> (u64, usize, [u32; 2]) {
    let (mut pieces, mut refined, mut broke_after) = (Vec::new(), 0, 0);
    for step in 1..1_000_000 {
        assert_eq!(
            simulation.kind(ring) == Some(BodyKind::Intact),
            pieces.is_empty()
        );
        simulation.step(0.0);
        for event in simulation.drain_events() {
            match event {
                Event::Broken(broken) => {
                    broke_after = step;
                    pieces.extend(broken.pieces.iter().map(|piece| piece.body));
                }
                Event::Refined(_) => refined += 1,
                _ => {}
            }
        }
        if simulation.is_idle() {
            let pieces = pieces.iter().map(|piece| ("", *piece));
            return (
                simulation.geometry_hash(pieces),
                refined,
                [broke_after, step],
            );
        }
    }
    panic!("it never ends");
}

#[test]
fn a_break_is_left_and_gone_on_with_and_comes_to_the_same() {
    let run = |settings: Settings| {
        let (mut simulation, ring) = struck(settings);
        finish(&mut simulation, ring)
    };
    let waiting = run(Settings {
        threads: 2,
        wait_for_results: true,
        ..Settings::default()
    });
    assert!(waiting.1 > 5, "{waiting:?}");
    let limited = |job_ms: f32| {
        run(Settings {
            threads: 0,
            job_ms,
            ..Settings::default()
        })
    };
    // One part of a job in each step, and all in one.
    let [hasty, patient] = [f32::MIN_POSITIVE, f32::INFINITY].map(limited);
    for (hash, refined, _) in [&hasty, &patient] {
        assert_eq!((*hash, *refined), (waiting.0, waiting.1));
    }
    let (_, _, [broke_after, ended_after]) = hasty;
    assert!(
        broke_after > 50 && ended_after > broke_after + 50,
        "{hasty:?}"
    );
    assert_eq!(patient.2, waiting.2, "as if it waited");
}

#[test]
fn a_preparation_that_has_begun_is_left_for_a_break() {
    let mut simulation = Simulation::new(Settings {
        threads: 0,
        job_ms: f32::MIN_POSITIVE,
        ..Settings::default()
    })
    .unwrap();
    let ring = simulation.add(ring()).unwrap();
    let cube = simulation.add(cube()).unwrap();
    // The ring's preparation is in some of its first steps.
    (0..3).for_each(|_| simulation.step(0.0));
    simulation.impact(impact_at(cube, [0.0, 0.5, 0.0])).unwrap();
    let (mut done, mut is_broken) = (Vec::new(), false);
    for _ in 0..1_000_000 {
        simulation.step(0.0);
        for event in simulation.drain_events() {
            match event {
                Event::Prepared { body } => done.push(body),
                Event::Broken(_) => is_broken = true,
                _ => {}
            }
        }
        if !done.is_empty() {
            break;
        }
    }
    assert!(is_broken, "the break is done before any preparation");
    assert!(!done.contains(&cube) && done.contains(&ring), "{done:?}");
}

#[test]
fn the_time_for_which_a_break_was_left_is_not_counted() {
    let (mut simulation, _) = struck(Settings {
        threads: 0,
        job_ms: f32::MIN_POSITIVE,
        ..Settings::default()
    });
    let start = std::time::Instant::now();
    let broken = (0..1_000_000).find_map(|_| {
        simulation.step(0.0);
        breaks_among(simulation.drain_events()).next()
    });
    let broken = broken.expect("a break");
    // A step has other work.
    let passed = start.elapsed().as_secs_f32() * 1e3;
    let times = &broken.times;
    assert!(broken.worker_ms > 0.0 && broken.worker_ms < passed);
    assert!(times.cut > 0.0 && times.prepare + times.cut <= broken.worker_ms);
    assert!(broken.frames > 50, "{}", broken.frames);
}

#[test]
fn the_solid_of_a_large_piece_is_prepared_when_nothing_else_is_left_to_do() {
    let mut simulation = Simulation::new(Settings {
        threads: 0,
        ..Settings::default()
    })
    .unwrap();
    let ring = Body {
        pattern: pattern(64),
        ..body(Mesh::torus(0.6, 0.2, 200, 100))
    };
    let ring = simulation.add(ring).unwrap();
    let mut hit = impact_at(ring, [0.7, 0.1, 0.0]);
    hit.radius = Some(0.1);
    simulation.impact(hit).unwrap();
    let mut largest = None;
    for _ in 0..100_000 {
        simulation.step(0.0);
        for event in simulation.drain_events() {
            if let Event::Broken(broken) = event {
                let pieces = broken.pieces.into_iter();
                largest = pieces.max_by_key(|piece| piece.triangles);
            }
        }
        let shape = largest.as_ref().map(|piece| format!("{:?}", piece.shape));
        if shape.is_some_and(|shape| shape.contains("prepared: Some(true)")) {
            return;
        }
    }
    panic!("it is never prepared");
}
