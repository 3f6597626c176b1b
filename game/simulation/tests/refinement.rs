//! Refinement: pieces enter with provisional colliders, and lasting ones take their place.

use std::sync::mpsc::channel;

use fracture_simulation::external::ExternalBody;
use fracture_simulation::geometry::hulls::{Hulls, HULL_TOLERANCE};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    Body, Broken, Event, Impact, Material, Settings, SharedShape, Simulation, TaskOutput,
};

use fracture_simulation::geometry::glam::{DVec3, Vec3};

use crate::craters::fit;
use crate::gentle_breaks::{centers, energy};
use crate::meshes::vase;
use crate::setup::{at, body, breaks_among, impact_at, just_broken, quiet, refine, step, with, DT};

/// Curved bodies that stand on y = 0 or near it, and where they are struck.
fn curved() -> [(&'static str, Mesh, [f32; 3]); 5] {
    let lifted = |mut mesh: Mesh, by: f32| {
        mesh.positions.iter_mut().for_each(|p| p[1] += by);
        mesh
    };
    [
        (
            "ring",
            lifted(Mesh::torus(0.6, 0.25, 60, 40), 0.25),
            [0.6, 0.5, 0.0],
        ),
        (
            "ball",
            lifted(Mesh::sphere(0.5, 40, 20), 0.5),
            [0.0, 1.0, 0.0],
        ),
        (
            "bowl",
            lifted(Mesh::bowl(0.5, 0.05, 40, 20), 0.5),
            [0.45, 0.4, 0.0],
        ),
        ("vase", vase(), [0.2, 0.5, 0.0]),
        // Of so many vertices that its pieces enter with the hulls of some of them.
        (
            "dense ring",
            lifted(Mesh::torus(0.6, 0.25, 200, 120), 0.25),
            [0.6, 0.5, 0.0],
        ),
    ]
}

fn floor(simulation: &mut Simulation) {
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
}

fn struck(simulation: &mut Simulation, mesh: Mesh, point: [f32; 3]) {
    floor(simulation);
    let id = simulation.add(body(mesh)).unwrap();
    simulation.impact(impact_at(id, point)).unwrap();
}

/// A body that a whisper breaks.
fn brittle(mesh: Mesh) -> Body {
    let body = body(mesh);
    Body {
        material: Material {
            damage_threshold: Some(0.0),
            ..body.material
        },
        ..body
    }
}

fn refined(events: &[Event]) -> usize {
    let is_refined = |event: &&Event| matches!(event, Event::Refined(_));
    events.iter().filter(is_refined).count()
}

#[test]
fn pieces_come_before_their_lasting_colliders_which_come_a_step_later() {
    let mut all = 0;
    for (name, mesh, point) in curved() {
        let mut hashes = Vec::new();
        for threads in [1, 2, 8, 0] {
            let mut simulation = with(Settings {
                threads,
                ..Settings::default()
            });
            struck(&mut simulation, mesh.clone(), point);
            let broken = just_broken(&mut simulation);
            assert_eq!(broken.frames, 1, "{name}");
            let waiting = simulation.statistics().refinements;
            assert!(waiting <= broken.pieces.len() && !simulation.is_idle());
            assert_eq!(refined(&step(&mut simulation)), waiting, "{name}");
            assert_eq!(simulation.statistics().refinements, 0);
            (0..90).for_each(|_| drop(step(&mut simulation)));
            all += waiting;
            hashes.push(simulation.state_hash());
        }
        assert!(
            hashes.iter().all(|hash| *hash == hashes[0]),
            "{name}: {hashes:?}"
        );
    }
    assert!(all > 30, "{all}");
}

#[test]
fn lasting_colliders_are_those_that_a_search_finds() {
    for (name, mesh, point) in curved() {
        let mut simulation = quiet();
        struck(&mut simulation, mesh, point);
        let mut broken = just_broken(&mut simulation);
        let before = broken.hulls;
        refine(&mut simulation, &mut broken);
        assert!(broken.hulls > before, "{name}");
        assert_eq!((broken.boxed_hulls, broken.loose_hulls), (0, 0), "{name}");
        let fits: Vec<_> = broken.pieces.iter().map(fit).collect();
        let worst = fits.iter().map(|fit| fit.protrusion).fold(0.0, f64::max);
        assert!(worst <= HULL_TOLERANCE, "{name}: {worst}");
    }
}

#[test]
fn what_lies_in_a_hollow_is_not_driven_out_by_provisional_colliders() {
    for (name, mesh, _) in curved() {
        let mut simulation = with(Settings {
            gravity: Vec3::ZERO,
            ..Settings::default()
        });
        // In the hole of the ring, in the bowl, in the vase: inside of provisional hulls, not of the mesh.
        let place = at(0.0, if name == "bowl" { 0.3 } else { 0.5 }, 0.0);
        let inside = ExternalBody::fixed(SharedShape::ball(0.04), place);
        if name != "ball" {
            simulation.set_external_body(2, inside).unwrap();
        }
        let id = simulation.add(brittle(mesh)).unwrap();
        let mut whisper = Impact::new(id, Vec3::Y, Vec3::Y, Vec3::ZERO, 1e-3);
        whisper.radius = Some(3.0);
        simulation.impact(whisper).unwrap();
        let broken = just_broken(&mut simulation);
        let start = centers(&broken);
        for frame in 0..6 {
            let ways = broken.pieces.iter().zip(&start).map(|(piece, start)| {
                let center = crate::gentle_breaks::center(&simulation, piece);
                center.distance(*start)
            });
            let worst = ways.fold(0.0, f64::max);
            assert!(worst < 1e-3, "{name}: {worst} m in frame {frame}");
            step(&mut simulation);
        }
    }
}

/// Strikes a body and keeps the worker busy as soon as it is broken. Returns what lets the worker go.
fn held_back(mesh: Mesh, point: [f32; 3]) -> (Simulation, Broken, std::sync::mpsc::Sender<()>) {
    let mut simulation = Simulation::new(Settings {
        // The task that keeps the worker busy must find no other thread free.
        threads: 1,
        chain_breaks: 0,
        overlap: false,
        // More find contacts in another order each time.
        physics_threads: 1,
        ..Settings::default()
    })
    .unwrap();
    floor(&mut simulation);
    let id = simulation.add(brittle(mesh)).unwrap();
    while !simulation.is_idle() {
        simulation.step(0.0);
        std::thread::yield_now();
    }
    let mut whisper = Impact::new(id, point.into(), Vec3::Y, Vec3::ZERO, 1e-3);
    whisper.radius = Some(3.0);
    simulation.impact(whisper).unwrap();
    simulation.step(0.0);
    // Queued behind the break, and so before any refinement of its pieces. Only who waits for results may
    // queue more jobs than there are workers.
    let (release, gate) = channel::<()>();
    let task = async move {
        let _ = gate.recv();
        Box::new(()) as TaskOutput
    };
    simulation.set_wait_for_results(true);
    assert!(simulation.spawn_task(task).is_some());
    simulation.set_wait_for_results(false);
    let broken = loop {
        simulation.step(0.0);
        let broken = breaks_among(simulation.drain_events()).next();
        if let Some(broken) = broken {
            break broken;
        }
        std::thread::yield_now();
    };
    (simulation, broken, release)
}

#[test]
fn lasting_colliders_that_come_late_move_nothing_that_lies() {
    for (name, mesh, point) in curved() {
        for frames in [5, 30, 120] {
            let (mut simulation, broken, release) = held_back(mesh.clone(), point);
            let place = |simulation: &Simulation| -> Vec<_> {
                let pieces = broken.pieces.iter();
                let center = |piece| crate::gentle_breaks::center(simulation, piece);
                pieces.map(center).collect()
            };
            (0..frames).for_each(|_| drop(step(&mut simulation)));
            let earlier = place(&simulation);
            (0..10).for_each(|_| drop(step(&mut simulation)));
            drop(release);
            while !simulation.is_idle() {
                simulation.step(0.0);
                simulation.drain_events().for_each(drop);
                std::thread::yield_now();
            }
            let weight: f64 = broken.pieces.iter().map(|p| p.kilograms * 9.81).sum();
            let (start, before) = (place(&simulation), energy(&simulation, &broken));
            for _ in 0..3 {
                step(&mut simulation);
                let risen = (energy(&simulation, &broken) - before) / weight;
                assert!(
                    risen < 1e-3,
                    "{name} after {frames}: energy rose by {risen}"
                );
            }
            // The pieces that have not moved in the last frames.
            let lies = |(from, to): (&DVec3, &DVec3)| from.distance(*to) < 2e-4;
            let lie: Vec<bool> = earlier.iter().zip(&start).map(lies).collect();
            let ways = start.iter().zip(place(&simulation)).zip(&lie);
            let ways = ways.filter(|(_, lies)| **lies);
            let worst = ways.map(|((a, b), _)| a.distance(b)).fold(0.0, f64::max);
            assert!(worst < 1e-3, "{name} after {frames}: {worst} m");
        }
    }
}

#[test]
fn a_save_of_provisional_colliders_has_lasting_ones_when_it_is_loaded() {
    for (name, mesh, point) in curved() {
        let whole = || body(mesh.clone());
        let mut simulation = quiet();
        let root = simulation.add(whole()).unwrap();
        simulation.impact(impact_at(root, point)).unwrap();
        just_broken(&mut simulation);
        assert!(simulation.statistics().refinements > 0);
        let saved = simulation.save(root);
        let mut simulation = quiet();
        let root = simulation.add(whole()).unwrap();
        simulation.restore(root, &saved).unwrap();
        let broken = breaks_among(simulation.drain_events()).next();
        let broken = broken.expect("loaded pieces");
        assert_eq!(broken.loose_hulls, 0, "{name}");
        assert!(broken.hulls as usize >= broken.pieces.len(), "{name}");
        assert_eq!(simulation.statistics().refinements, 0);
    }
}

#[test]
fn a_piece_that_breaks_again_before_it_is_refined_breaks_all_the_same() {
    for (name, mesh, point) in curved() {
        let mut simulation = quiet();
        struck(&mut simulation, mesh, point);
        let first = just_broken(&mut simulation);
        let largest = first
            .pieces
            .iter()
            .max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
        let largest = largest.expect("a piece");
        let mut again = impact_at(largest.body, largest.center().to_array());
        again.radius = Some(2.0);
        // The hit is in the same frame as the refinement's result.
        simulation.impact(again).unwrap();
        let second = just_broken(&mut simulation);
        assert_eq!(second.body, largest.body, "{name}");
        (0..30).for_each(|_| simulation.step(DT));
        assert_eq!(simulation.statistics().failures, 0);
    }
}

#[test]
fn convex_pieces_have_their_lasting_collider_at_once() {
    let mut simulation = quiet();
    struck(&mut simulation, Mesh::cuboid([1.0; 3]), [0.0, 0.5, 0.0]);
    let broken = just_broken(&mut simulation);
    let single = broken.pieces.iter().filter(|piece| {
        let found = piece.shape.with_mesh(Hulls::from_mesh);
        found.hulls.len() == 1
    });
    let refined = simulation.statistics().refinements;
    assert!(
        refined + single.count() <= broken.pieces.len() + 1,
        "{refined}"
    );
}
