//! Thresholds, queues and budgets.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::{
    Body, BodyKind, DropReason, Event, Impact, Material, NewPiece, RemoveReason, Settings,
};

use crate::setup::{broken, cube, impact_at, step, waiting, with};

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
    let [Event::BelowThreshold {
        body,
        impulse,
        damage_threshold,
    }, Event::Damaged { .. }] = events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!((body, impulse, damage_threshold), (id, 19.0, 20.0));
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
    let broken: Vec<_> = step(&mut simulation)
        .into_iter()
        .filter_map(|event| match event {
            Event::Broken(broken) => Some(broken.body),
            _ => None,
        })
        .collect();
    assert_eq!(broken, ids[..4]);
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
