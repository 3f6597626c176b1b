//! The frame in which a break becomes visible.

use std::sync::mpsc::channel;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use fracture_simulation::{
    hooks::PieceHooks, Body, BodyKind, Event, InteriorFaces, Settings, Simulation, Statistics,
};

use crate::setup::{cube, impact_at, step, waiting, DT};

#[test]
fn a_hit_of_frame_n_shows_in_frame_n_plus_1() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    assert!(step(&mut simulation).is_empty());
    assert_eq!(
        simulation.kind(id),
        Some(BodyKind::Intact),
        "still looks whole"
    );
    assert!(simulation.is_breaking(id));
    let events = step(&mut simulation);
    let [Event::Broken(broken)] = events.as_slice() else {
        panic!("{events:?}");
    };
    assert_eq!((broken.body, broken.frames), (id, 1));
    assert!(broken.pieces.len() > 3, "{} pieces", broken.pieces.len());
    assert!(broken.volume_error < 1e-5, "{}", broken.volume_error);
    assert!(broken.pieces.iter().all(|piece| piece.closed == Some(true)));
    assert_eq!(simulation.kind(id), None, "the broken body is retired");
    for piece in &broken.pieces {
        assert_eq!(simulation.kind(piece.body), Some(BodyKind::Debris));
        assert_eq!(simulation.generation(piece.body), Some(1));
    }
}

#[test]
fn without_waiting_the_body_looks_whole_until_the_worker_is_done() {
    let mut simulation = Simulation::new(Settings::default()).unwrap();
    // Dropped before the simulation, so that nothing waits for the gate when this fails.
    let (release, gate) = channel::<()>();
    let gate = Mutex::new(gate);
    let hooks = PieceHooks::new(move |_| {
        // The hook of the first piece waits; later the sender is gone and nothing blocks.
        let _ = gate.lock().unwrap().recv();
        Box::new(())
    });
    let id = simulation
        .add(Body {
            hooks: Some(hooks),
            ..cube()
        })
        .unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    for _ in 0..20 {
        let events = step(&mut simulation);
        assert!(!events.iter().any(|event| matches!(event, Event::Broken(_))));
        assert_eq!(simulation.kind(id), Some(BodyKind::Intact));
    }
    drop(release);
    let late = until_broken(&mut simulation);
    assert!(late >= 20, "shown after {late} frames");
}

/// Steps without waiting until the break is reported, and returns the number of frames that it took.
fn until_broken(simulation: &mut Simulation) -> u64 {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        for event in step(simulation) {
            if let Event::Broken(broken) = event {
                return broken.frames;
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("the break never came");
}

#[test]
fn a_payload_is_made_on_the_worker_and_comes_with_its_piece() {
    let main = std::thread::current().id();
    let hooks = PieceHooks::new(move |piece| {
        assert_ne!(std::thread::current().id(), main);
        assert!(piece.mesh.surfaces.contains(&piece.cap_surface));
        Box::new(piece.mesh.triangles.len())
    });
    let body = Body {
        hooks: Some(hooks),
        interior_faces: InteriorFaces {
            surface: Some(7),
            ..InteriorFaces::default()
        },
        ..cube()
    };
    let (_, broken) = crate::setup::break_one(body, [0.0, 0.5, 0.0]);
    for piece in broken.pieces {
        let count = piece.payload.unwrap().downcast::<usize>().unwrap();
        assert_eq!(*count, piece.shape.with_mesh(|mesh| mesh.triangles.len()));
    }
}

#[test]
fn events_come_once_and_counters_add_up() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    let broken = crate::setup::broken(&mut simulation);
    assert!(step(&mut simulation).is_empty());
    let Statistics {
        intact,
        debris,
        awake,
        breaks,
        ..
    } = simulation.statistics();
    assert_eq!((intact, breaks), (0, 1));
    assert_eq!((debris, awake), (broken.pieces.len(), broken.pieces.len()));
    assert_eq!(simulation.moving_pieces().count(), broken.pieces.len());
    assert!(simulation.is_idle());
}

#[test]
fn a_step_without_time_still_shows_results() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    simulation.step(0.0);
    simulation.step(f32::NAN);
    let events: Vec<Event> = simulation.drain_events().collect();
    assert!(matches!(events.as_slice(), [Event::Broken(_)]));
    simulation.step(DT);
    assert!(simulation.moving_pieces().count() > 0);
}

#[test]
fn a_simulation_can_move_to_another_thread() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    let moved = std::thread::spawn(move || {
        let broken = crate::setup::broken(&mut simulation);
        (simulation, broken)
    });
    let (simulation, broken) = moved.join().unwrap();
    assert_eq!(simulation.statistics().debris, broken.pieces.len());
}
