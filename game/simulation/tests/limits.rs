//! Thresholds, queues and budgets.

use fracture_simulation::geometry::glam::{Quat, Vec3};
use fracture_simulation::{
    Anchors, Body, BodyKind, DropReason, Event, Impact, Material, Motion, NewPiece, Pose, Push,
    RemoveReason, Settings,
};

use crate::setup::{breaks_among, broken, cube, front_blow, impact_at, step, waiting, wall, with};

#[test]
fn an_impact_below_the_damage_threshold_breaks_nothing() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    let weak = Impact {
        impulse: Vec3::new(0.0, -19.0, 0.0),
        ..impact_at(id, [0.0, 0.5, 0.0])
    };
    simulation.impact(weak).unwrap();
    let events = step(&mut simulation);
    let [Event::BelowThreshold(blow), Event::Damaged { .. }] = events[..] else {
        panic!("{events:?}");
    };
    assert_eq!((blow.body, blow.damage_threshold), (id, 20.0));
    assert_eq!((blow.impulse, blow.energy), (weak.impulse, weak.energy));
    assert_eq!((blow.point, blow.normal), (weak.point, Vec3::Y));
    assert_eq!(simulation.kind(id), Some(BodyKind::Intact));
}

#[test]
fn a_full_queue_drops_impacts_and_counts_them() {
    let mut simulation = with(Settings {
        queue_capacity: 3,
        ..Settings::default()
    });
    let ids: Vec<_> = (0..10).map(|_| simulation.add(cube()).unwrap()).collect();
    for id in &ids {
        simulation.impact(impact_at(*id, [0.0, 0.5, 0.0])).unwrap();
    }
    let events = step(&mut simulation);
    let full = |event: &Event| {
        matches!(
            event,
            Event::Dropped {
                reason: DropReason::QueueFull,
                ..
            }
        )
    };
    assert_eq!(events.len(), 7);
    assert!(events.iter().all(full), "{events:?}");
    assert_eq!(simulation.statistics().dropped, 7);
    let events = step(&mut simulation);
    let broken = events
        .iter()
        .filter(|event| matches!(event, Event::Broken(_)));
    assert_eq!(broken.count(), 3);
}

/// The pushes that come of the same blow on three bodies, with their points.
fn pushes(settings: Settings, body: impl Fn() -> Body, blow: Impact) -> Vec<(Vec3, Push)> {
    let mut simulation = with(settings);
    let ids: Vec<_> = (0..3).map(|_| simulation.add(body()).unwrap()).collect();
    for body in ids {
        simulation.impact(Impact { body, ..blow }).unwrap();
    }
    simulation.step(1.0 / 60.0);
    simulation.step(1.0 / 60.0);
    let events = simulation.drain_events();
    let push = |event: Event| match event {
        Event::Pushed { point, push, .. } => Some((point, push)),
        _ => None,
    };
    events.filter_map(push).collect()
}

#[test]
fn blows_that_break_nothing_push_bodies_that_are_free() {
    let settings = || Settings {
        queue_capacity: 3,
        max_push_speed: 7.0,
        ..Settings::default()
    };
    let of_material = |material: Material| move || Body { material, ..cube() };
    let unbreakable = of_material(Material {
        max_depth: 0,
        ..Material::default()
    });
    // Its size is found on the worker.
    let unknown = of_material(Material {
        damage_threshold: None,
        ..Material::default()
    });
    let held = || Body {
        anchors: Anchors::boxes(vec![[Vec3::splat(-9.0), Vec3::splat(9.0)]]),
        ..unbreakable()
    };
    let some_body = waiting().add(cube()).unwrap();
    let strong = impact_at(some_body, [0.2, 0.5, 0.0]);
    let weak = Impact {
        impulse: Vec3::NEG_Y * 0.5,
        energy: 0.4,
        ..strong
    };
    let applied = Impact {
        already_applied: true,
        ..strong
    };
    let expected = |blow: Impact| {
        let push = Push {
            impulse: blow.impulse,
            energy: blow.energy,
            max_speed: 7.0,
        };
        (blow.point, push)
    };
    let pushed = |blow, body: &dyn Fn() -> Body| pushes(settings(), body, blow);
    assert_eq!(pushed(strong, &unbreakable), [expected(strong); 3]);
    assert_eq!(pushed(weak, &cube), [expected(weak); 3]);
    assert_eq!(pushed(weak, &unknown), [expected(weak); 3]);
    assert_eq!(pushed(strong, &cube), []);
    assert_eq!(pushed(applied, &unbreakable), []);
    assert_eq!(pushed(strong, &held), []);
    let one_break = Settings {
        queue_capacity: 1,
        ..settings()
    };
    assert_eq!(pushes(one_break, cube, strong), [expected(strong); 2]);
}

#[test]
fn impacts_wait_for_a_job_up_to_a_limit() {
    let mut simulation = with(Settings {
        waiting_impacts: 2,
        ..Settings::default()
    });
    let id = simulation.add(cube()).unwrap();
    for _ in 0..4 {
        simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    }
    let events = step(&mut simulation);
    assert!(matches!(
        events[..],
        [Event::Dropped {
            reason: DropReason::TooManyWaiting,
            ..
        }]
    ));
    assert_eq!(simulation.statistics().waiting_impacts, 2);
}

#[test]
fn an_impact_that_waits_for_a_job_moves_on_with_its_body() {
    let mut simulation = waiting();
    let id = simulation.add(wall()).unwrap();
    let place = [1.2, 1.0, 0.1];
    for point in [[-1.2, 1.0, 0.1], place] {
        simulation.impact(front_blow(id, point, 500.0)).unwrap();
    }
    step(&mut simulation);
    assert_eq!(simulation.statistics().waiting_impacts, 1);
    let turned = Quat::from_rotation_y(1.0);
    let moved = Pose::from_parts(Vec3::new(5.0, 0.3, 0.0), turned);
    simulation.set_motion(id, Motion::at(moved)).unwrap();
    let events = [step(&mut simulation), step(&mut simulation)];
    let broken: Vec<_> = breaks_among(events.into_iter().flatten()).collect();
    let [_, second] = &broken[..] else {
        panic!("{broken:?}");
    };
    let struck = moved.transform_point(place.into());
    assert!(second.point.distance(struck) < 0.01, "{}", second.point);
    assert!(second.normal.distance(turned * Vec3::Z) < 1e-3);
    assert!(second.impulse.dot(turned * Vec3::NEG_Z) > 49.0);
}

#[test]
fn the_smallest_pieces_make_room() {
    let mut simulation = with(Settings {
        max_pieces: 5,
        ..Settings::default()
    });
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    step(&mut simulation);
    let events = step(&mut simulation);
    let Some(Event::Broken(broken)) = events.first() else {
        panic!("{events:?}");
    };
    let removed: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Removed { body, reason, .. } => Some((*body, *reason)),
            _ => None,
        })
        .collect();
    assert_eq!(removed.len(), broken.pieces.len() - 5);
    assert!(removed
        .iter()
        .all(|(_, reason)| *reason == RemoveReason::Budget));
    assert_eq!(simulation.statistics().debris, 5);
    let size = |gone: bool| {
        let is_gone = |id| removed.iter().any(|(body, _)| *body == id);
        let pieces = broken
            .pieces
            .iter()
            .filter(move |p| is_gone(p.body) == gone);
        let side = |piece: &NewPiece| piece.colliders.bounds().extents().max_element();
        pieces.map(side).collect::<Vec<_>>()
    };
    let largest_gone = size(true).into_iter().fold(0.0, f32::max);
    let smallest_kept = size(false).into_iter().fold(f32::MAX, f32::min);
    assert!(largest_gone <= smallest_kept);
    assert!(simulation.moving_pieces().count() <= 5);
}

#[test]
fn pieces_that_fall_out_of_the_world_are_taken_away() {
    let mut simulation = waiting();
    let motion = crate::setup::at(0.0, -9_995.0, 0.0);
    let id = simulation.add(Body { motion, ..cube() }).unwrap();
    simulation
        .impact(impact_at(id, [0.0, -9_994.5, 0.0]))
        .unwrap();
    let pieces = broken(&mut simulation).pieces.len();
    let events: Vec<Event> = (0..180).flat_map(|_| step(&mut simulation)).collect();
    let left = |event: &&Event| {
        matches!(
            event,
            Event::Removed {
                reason: RemoveReason::LeftWorld,
                ..
            }
        )
    };
    assert_eq!(events.iter().filter(left).count(), pieces);
    assert_eq!(simulation.statistics().debris, 0);
}

#[test]
fn pieces_do_not_break_below_their_limits() {
    let material = Material {
        max_depth: 1,
        ..cube().material
    };
    let mut simulation = waiting();
    let id = simulation.add(Body { material, ..cube() }).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    let pieces = broken(&mut simulation).pieces;
    let higher = |a: &&NewPiece, b: &&NewPiece| a.center().y.total_cmp(&b.center().y);
    let piece = pieces.iter().max_by(higher).unwrap();
    let before = simulation.motion(piece.body).unwrap().linear;
    let up = Impact {
        impulse: Vec3::new(0.0, 50.0, 0.0),
        ..impact_at(piece.body, piece.center().to_array())
    };
    simulation.impact(up).unwrap();
    let events = step(&mut simulation);
    assert!(matches!(events[..], [Event::Unbreakable { body }] if body == piece.body));
    let after = simulation.motion(piece.body).unwrap().linear;
    let change = f64::from(after.y - before.y);
    assert!(change > 0.2, "it is pushed all the same: {change} m/s");
}

#[test]
fn ten_thousand_impacts_in_one_frame_are_bounded_and_the_strongest_break() {
    let mut simulation = with(Settings {
        queue_capacity: 4,
        ..Settings::default()
    });
    let ids: Vec<_> = (0..20).map(|_| simulation.add(cube()).unwrap()).collect();
    step(&mut simulation);
    let mut refused = 0;
    for number in 0..10_000u32 {
        let id = ids[number as usize % ids.len()];
        // The impacts on the first bodies have the highest energies.
        let energy = 1000.0 - (number % 20) as f32 * 10.0;
        let impact = Impact {
            energy,
            ..impact_at(id, [0.0, 0.5, 0.0])
        };
        refused += u64::from(simulation.impact(impact).is_err());
    }
    let events = step(&mut simulation);
    let dropped = |event: &&Event| matches!(event, Event::Dropped { .. });
    let told = events.iter().filter(dropped).count() as u64;
    let statistics = simulation.statistics();
    // Four jobs, and the impacts that may wait for them.
    let taken = 4 + statistics.waiting_impacts as u64;
    assert_eq!(statistics.dropped + taken, 10_000);
    assert!(told <= 4096 && refused + told <= statistics.dropped);
    let broken = breaks_among(step(&mut simulation)).map(|broken| broken.body);
    assert_eq!(broken.collect::<Vec<_>>(), ids[..4]);
}

#[test]
fn where_the_queue_has_no_room_the_strongest_impacts_go_first() {
    let mut simulation = with(Settings {
        queue_capacity: 2,
        ..Settings::default()
    });
    let ids: Vec<_> = (0..4).map(|_| simulation.add(cube()).unwrap()).collect();
    step(&mut simulation);
    for (id, energy) in ids.iter().zip([300.0, 900.0, 500.0, 700.0]) {
        let impact = Impact {
            energy,
            ..impact_at(*id, [0.0, 0.5, 0.0])
        };
        simulation.impact(impact).unwrap();
    }
    step(&mut simulation);
    assert!(simulation.is_breaking(ids[1]) && simulation.is_breaking(ids[3]));
    assert_eq!(simulation.statistics().dropped, 2);
}
