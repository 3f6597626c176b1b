//! Blows that are too weak to break a body weaken the place that they hit.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::save::Archive;
use fracture_simulation::{Body, BodyId, Event, Impact, Material, Simulation};

use crate::setup::{body, broken, cube, impact_at, step, waiting, wall};

/// Bodies break from this impulse on, N s.
const THRESHOLD: f32 = 20.0;

/// A blow on the top of the cube, in parts of its damage threshold.
fn blow(body: BodyId, x: f32, severity: f32) -> Impact {
    Impact {
        impulse: Vec3::NEG_Y * (THRESHOLD * severity),
        energy: 100.0,
        ..impact_at(body, [x, 0.5, 0.0])
    }
}

fn cube_with(weakening: f32) -> Body {
    let cube = cube();
    Body {
        material: Material {
            weakening,
            ..cube.material
        },
        ..cube
    }
}

/// Strikes once; the damage that is told, or `None` when the body breaks.
fn strike(simulation: &mut Simulation, impact: Impact) -> Option<f32> {
    simulation.impact(impact).unwrap();
    let mut damage = 0.0;
    for event in step(simulation).into_iter().chain(step(simulation)) {
        match event {
            Event::Broken(_) => return None,
            Event::Damaged {
                body,
                damage: told,
                point,
            } => {
                assert_eq!((body, point), (impact.body, impact.point));
                damage = told;
            }
            Event::BelowThreshold(_) | Event::Prepared { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    Some(damage)
}

/// The number of equal blows at a place that break it, at most 50.
fn blows_until_broken(weakening: f32, severity: f32) -> Option<usize> {
    let mut simulation = waiting();
    let id = simulation.add(cube_with(weakening)).unwrap();
    (1..=50).find(|_| strike(&mut simulation, blow(id, 0.1, severity)).is_none())
}

#[test]
fn energies_of_blows_at_a_place_add_up() {
    // With the whole of each: the last one needs what the others have left.
    for (severity, count) in [(0.99, 2), (0.75, 2), (0.7, 3), (0.55, 4)] {
        assert_eq!(blows_until_broken(1.0, severity), Some(count), "{severity}");
    }
    // With half of each.
    for (severity, count) in [(0.99, 2), (0.75, 3), (0.6, 5)] {
        assert_eq!(blows_until_broken(0.5, severity), Some(count), "{severity}");
    }
}

#[test]
fn nothing_adds_up_without_weakening_or_far_below_the_threshold() {
    assert_eq!(blows_until_broken(0.0, 0.99), None);
    assert_eq!(blows_until_broken(1.0, 0.5), None);
    let mut simulation = waiting();
    let id = simulation.add(cube_with(0.0)).unwrap();
    assert_eq!(strike(&mut simulation, blow(id, 0.1, 0.99)), Some(0.0));
    assert_eq!(simulation.damage(id), Some(0.0));
    assert!(simulation.damaged_spots(id).is_empty());
}

#[test]
fn more_weakening_and_harder_blows_never_take_more_of_them() {
    let count = |weakening, severity| blows_until_broken(weakening, severity).unwrap_or(usize::MAX);
    let figures = [0.0, 0.25, 0.5, 0.75, 1.0];
    for severity in [0.56, 0.7, 0.85, 0.95] {
        for pair in figures.windows(2) {
            assert!(count(pair[1], severity) <= count(pair[0], severity));
        }
        for weakening in figures {
            assert!(count(weakening, severity + 0.04) <= count(weakening, severity));
        }
    }
}

#[test]
fn damage_is_at_its_place_and_less_around_it() {
    let mut simulation = waiting();
    let id = simulation.add(cube_with(1.0)).unwrap();
    let told = strike(&mut simulation, blow(id, -0.3, 0.9)).unwrap();
    assert!((told - 0.81).abs() < 1e-5, "{told}");
    assert_eq!(simulation.damage(id), Some(told));
    let spot = simulation.damaged_spots(id)[0];
    assert_eq!(
        (spot.point, spot.normal),
        (Vec3::new(-0.3, 0.5, 0.0), Vec3::Y)
    );
    let threshold = |x| simulation.damage_threshold(&blow(id, x, 0.1)).unwrap();
    let thresholds = [-0.3, -0.1, 0.1, 0.29, 0.31].map(threshold);
    assert!(thresholds.is_sorted(), "{thresholds:?}");
    assert!((thresholds[0] - THRESHOLD * (1.0 - told).sqrt()).abs() < 1e-4);
    // Where the damage ends: twice the radius of the break.
    let end = -0.3 + spot.radius + 1e-3;
    assert_eq!(spot.radius, 0.6);
    assert_eq!(threshold(end), THRESHOLD);
    // Far away the same blow breaks nothing, near it does.
    assert!(strike(&mut simulation, blow(id, 0.35, 0.9)).is_some());
    assert!(strike(&mut simulation, blow(id, -0.25, 0.5)).is_none());
}

#[test]
fn what_is_weakened_still_bears_a_third_of_the_impulse() {
    let mut simulation = waiting();
    let id = simulation.add(cube_with(1.0)).unwrap();
    strike(&mut simulation, blow(id, 0.0, 0.97)).unwrap();
    assert_eq!(simulation.damage(id), Some(0.9));
    for _ in 0..20 {
        assert_eq!(strike(&mut simulation, blow(id, 0.0, 0.3)), Some(0.0));
    }
    assert!(strike(&mut simulation, blow(id, 0.0, 0.32)).is_none());
}

#[test]
fn a_moved_body_takes_its_damage_with_it() {
    let mut simulation = waiting();
    let id = simulation.add(cube_with(1.0)).unwrap();
    strike(&mut simulation, blow(id, 0.2, 0.9)).unwrap();
    let moved = crate::setup::at(5.0, 1.0, 0.0);
    simulation.set_motion(id, moved).unwrap();
    let threshold = |x: f32, y: f32| {
        let impact = Impact {
            point: Vec3::new(x, y, 0.0),
            ..blow(id, 0.0, 0.1)
        };
        simulation.damage_threshold(&impact).unwrap()
    };
    assert!(threshold(5.2, 1.5) < 0.5 * THRESHOLD);
    assert_eq!(threshold(0.2, 0.5), THRESHOLD);
}

#[test]
fn the_number_of_spots_is_bounded_and_the_worst_stay() {
    let mesh = Mesh::cuboid([60.0, 1.0, 1.0]);
    let long = body(mesh);
    let material = Material {
        weakening: 1.0,
        min_radius: 0.1,
        max_radius: 0.1,
        ..long.material
    };
    let mut simulation = waiting();
    let id = simulation.add(Body { material, ..long }).unwrap();
    strike(&mut simulation, blow(id, 29.0, 0.95)).unwrap();
    for place in 0..80 {
        let x = -28.0 + 0.7 * place as f32;
        strike(&mut simulation, blow(id, x, 0.6)).unwrap();
    }
    let spots = simulation.damaged_spots(id);
    assert_eq!(spots.len(), 32);
    assert!((spots[0].damage - 0.9).abs() < 1e-3, "{:?}", spots[0]);
}

#[test]
fn what_stands_keeps_the_damage_that_did_not_break_out() {
    let mut simulation = waiting();
    let base = wall();
    let material = Material {
        weakening: 1.0,
        max_radius: 0.4,
        ..base.material
    };
    let id = simulation.add(Body { material, ..base }).unwrap();
    let at = |body, x: f32, y: f32, severity: f32| Impact {
        point: Vec3::new(x, y, 0.1),
        normal: Vec3::Z,
        impulse: Vec3::NEG_Z * (THRESHOLD * severity),
        ..blow(body, 0.0, 0.0)
    };
    strike(&mut simulation, at(id, -1.5, 1.0, 0.9)).unwrap();
    strike(&mut simulation, at(id, 1.5, 1.0, 0.9)).unwrap();
    simulation.impact(at(id, 1.5, 1.05, 1.5)).unwrap();
    let broken = broken(&mut simulation);
    let held = broken.pieces.iter().find(|piece| piece.anchored).unwrap();
    let spots = simulation.damaged_spots(held.body);
    assert_eq!(spots.len(), 1);
    assert_eq!(spots[0].point, Vec3::new(-1.5, 1.0, 0.1));
    let free = broken.pieces.iter().filter(|piece| !piece.anchored);
    for piece in free {
        assert_eq!(simulation.damage(piece.body), Some(0.0));
    }
    // The body breaks there now by less than anywhere else.
    assert!(strike(&mut simulation, at(held.body, -1.5, 1.0, 0.6)).is_none());
}

/// A simulation with a wall, damaged at two places, the second after a break.
fn damaged() -> (Simulation, BodyId, BodyId) {
    let mut simulation = waiting();
    let id = simulation.add(wall()).unwrap();
    let at = |body, x: f32, severity: f32| Impact {
        point: Vec3::new(x, 1.0, 0.1),
        normal: Vec3::Z,
        impulse: Vec3::NEG_Z * (THRESHOLD * severity),
        ..blow(body, 0.0, 0.0)
    };
    strike(&mut simulation, at(id, -1.5, 0.9)).unwrap();
    simulation.impact(at(id, 1.5, 1.5)).unwrap();
    let broken = broken(&mut simulation);
    let held = broken.pieces.iter().find(|piece| piece.anchored).unwrap();
    strike(&mut simulation, at(held.body, 0.2, 0.8)).unwrap();
    (simulation, id, held.body)
}

#[test]
fn saves_and_replays_keep_damage() {
    let (simulation, id, held) = damaged();
    let spots = simulation.damaged_spots(held);
    assert_eq!(spots.len(), 2);
    for save in [simulation.save(id), simulation.save_compact(id)] {
        let archive = Archive {
            objects: vec![("wall".into(), save)],
        };
        let archive = Archive::from_bytes(archive.to_bytes()).unwrap();
        let mut restored = waiting();
        let id = restored.add(wall()).unwrap();
        restored.restore(id, &archive.objects[0].1).unwrap();
        step(&mut restored);
        let damaged: Vec<_> = restored
            .descendants(id)
            .into_iter()
            .filter(|body| restored.damage(*body) > Some(0.0))
            .collect();
        assert_eq!(damaged.len(), 1);
        assert_eq!(restored.damaged_spots(damaged[0]), spots);
    }
}

#[test]
fn an_intact_body_is_saved_with_its_damage() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    strike(&mut simulation, blow(id, 0.2, 0.9)).unwrap();
    let mut restored = waiting();
    let other = restored.add(cube()).unwrap();
    restored.restore(other, &simulation.save(id)).unwrap();
    assert_eq!(restored.damaged_spots(other), simulation.damaged_spots(id));
    assert_eq!(restored.state_hash(), simulation.state_hash());
}

#[test]
fn a_save_with_impossible_damage_is_refused() {
    let (simulation, id, _) = damaged();
    let mut log = simulation.save_compact(id);
    let state = log.pieces.iter_mut().find(|piece| !piece.damage.is_empty());
    state.unwrap().damage[0].radius = f32::NAN;
    let archive = Archive {
        objects: vec![("wall".into(), log)],
    };
    assert!(Archive::from_bytes(archive.to_bytes()).is_err());
}

#[test]
fn weakening_outside_its_range_is_refused() {
    for weakening in [f32::NAN, f32::INFINITY, -0.1, 1.1] {
        let error = waiting().add(cube_with(weakening)).unwrap_err().to_string();
        assert!(
            error.contains("weakening") && error.contains("0 to 1"),
            "{error}"
        );
    }
}
