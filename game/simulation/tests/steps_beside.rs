//! Debris steps beside the frames.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::{
    external::ExternalBody, BodyId, Event, Impact, Pose, Settings, SharedShape, Simulation,
};

use crate::setup::{at, cube, impact_at, DT};

/// Pieces of a cube that has just broken above a floor.
fn rubble(overlap: bool) -> (Simulation, Vec<BodyId>) {
    let settings = Settings {
        overlap,
        // Only one thread is exactly repeatable.
        physics_threads: 1,
        ..Settings::default()
    };
    let mut simulation = Simulation::new(settings).unwrap();
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -1.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    loop {
        // No time passes until the worker is done, however long it takes.
        simulation.step(0.0);
        let events: Vec<Event> = simulation.drain_events().collect();
        for event in events {
            if let Event::Broken(broken) = event {
                let pieces = broken.pieces.iter().map(|piece| piece.body).collect();
                while !simulation.is_idle() {
                    simulation.step(0.0);
                    simulation.drain_events().for_each(drop);
                    std::thread::yield_now();
                }
                return (simulation, pieces);
            }
        }
        std::thread::yield_now();
    }
}

fn poses(simulation: &Simulation, pieces: &[BodyId]) -> Vec<Pose> {
    let pose = |piece: &BodyId| simulation.motion(*piece).unwrap().pose;
    pieces.iter().map(pose).collect()
}

#[test]
fn steps_beside_the_frame_are_the_same_one_frame_late() {
    let (mut here, own) = rubble(false);
    let (mut beside, other) = rubble(true);
    assert_eq!(poses(&here, &own), poses(&beside, &other));
    for frame in 0..200 {
        let late = poses(&here, &own);
        here.step(DT);
        // The query waits for the step, so that no frame is skipped.
        beside.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
        beside.step(DT);
        assert_eq!(late, poses(&beside, &other), "frame {frame}");
    }
    // Moved pieces are reported once.
    here.step(DT);
    beside.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
    beside.step(0.0);
    beside.step(0.0);
    assert_eq!(beside.moving_pieces().count(), 0);
}

#[test]
fn queries_and_changes_wait_for_the_step() {
    let (mut simulation, pieces) = rubble(true);
    for frame in 0..60 {
        simulation.step(DT);
        let hit = simulation.cast_ray(Vec3::new(0.0, 5.0, 0.0), Vec3::NEG_Y, 10.0);
        assert!(hit.is_some(), "frame {frame}");
        if frame == 30 {
            assert!(simulation.remove_external_body(1));
        }
    }
    let lowest = poses(&simulation, &pieces).into_iter();
    let lowest = lowest.map(|pose| pose.translation.y).fold(0.0, f32::min);
    assert!(lowest < -0.5, "without the floor they fall: {lowest}");
}

#[test]
fn a_body_of_the_engine_among_debris_brings_the_step_back_into_the_frame() {
    let (mut simulation, _) = rubble(true);
    let ball = ExternalBody::dynamic(SharedShape::ball(0.3), at(0.0, 1.2, 0.0), 30.0);
    simulation.set_external_body(9, ball).unwrap();
    let mut motion = at(0.0, 1.2, 0.0);
    let mut touched = 0;
    for _ in 0..120 {
        motion.linear.y -= 9.81 * DT;
        motion.pose.translation += motion.linear * DT;
        simulation.set_external_motion(9, motion);
        simulation.step(DT);
        for (_, back) in simulation.corrected_motions() {
            motion = back;
            touched += 1;
        }
    }
    assert!(touched > 60, "{touched}");
    let height = motion.pose.translation.y;
    assert!(
        height > -0.75,
        "it lies on rubble, not on the floor: {height}"
    );
}

#[test]
fn closing_while_a_step_is_away_is_harmless() {
    for frames in 0..4 {
        let (mut simulation, pieces) = rubble(true);
        (0..frames).for_each(|_| simulation.step(DT));
        if frames == 2 {
            simulation.clear().unwrap();
            simulation.step(DT);
        }
        if frames == 3 {
            assert_eq!(simulation.remove(pieces[0]), 1);
            simulation.step(DT);
            assert!(simulation.motion(pieces[0]).is_none());
        }
    }
}

#[test]
fn a_quiet_frame_allocates_nothing_on_the_calling_thread() {
    let (mut simulation, _) = rubble(true);
    let ball = ExternalBody::dynamic(SharedShape::ball(0.3), at(15.0, 1.2, 0.0), 30.0);
    simulation.set_external_body(9, ball).unwrap();
    for _ in 0..30 {
        simulation.set_external_motion(9, at(15.0, 1.0, 0.0));
        simulation.step(DT);
    }
    assert!(
        simulation.statistics().awake > 0,
        "{:?}",
        simulation.statistics()
    );
    for frame in 0..20u16 {
        // The query waits for the running step, as a sixtieth of a second would be enough for it.
        assert!(simulation.cast_ray(Vec3::Y * 50.0, Vec3::Y, 1.0).is_none());
        let counted = allocation_counter::measure(|| {
            simulation.set_external_motion(9, at(15.0, 1.2 + 0.01 * f32::from(frame), 0.0));
            simulation.step(DT);
            assert!(simulation.drain_events().next().is_none());
        });
        assert_eq!(counted.count_total, 0, "frame {frame}: {counted:?}");
    }
}

#[test]
fn a_world_at_rest_is_not_stepped_and_a_frame_of_it_allocates_nothing() {
    let (mut simulation, pieces) = rubble(true);
    let all_lie = |simulation: &Simulation| simulation.statistics().frozen == pieces.len();
    for _ in 0..1200 {
        simulation.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
        simulation.step(DT);
        simulation.drain_events().for_each(drop);
        if all_lie(&simulation) {
            break;
        }
    }
    assert!(all_lie(&simulation), "{:?}", simulation.statistics());
    for _ in 0..5 {
        simulation.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
        simulation.step(DT);
    }
    let before = simulation.statistics();
    let counted = allocation_counter::measure(|| {
        for _ in 0..100 {
            simulation.step(DT);
            assert!(!simulation.is_stepping());
            assert_eq!(simulation.moving_pieces().count(), 0);
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    let after = simulation.statistics();
    assert_eq!(after.physics_steps, before.physics_steps);
    assert_eq!(after.skipped_frames, before.skipped_frames);
    let hit = Impact::new(pieces[0], Vec3::ZERO, Vec3::Y, Vec3::Y * 15.0, 0.1);
    simulation.impact(hit).unwrap();
    for _ in 0..3 {
        simulation.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
        simulation.step(DT);
    }
    let awake = simulation.statistics();
    assert!(awake.physics_steps > after.physics_steps && awake.awake > 0);
}

#[test]
fn impacts_beyond_what_a_frame_takes_are_counted_and_the_rest_is_taken() {
    let (mut simulation, pieces) = rubble(true);
    let far = |n: u32| Impact {
        radius: Some(0.1),
        ..impact_at(pieces[n as usize % pieces.len()], [0.0, 0.0, 0.0])
    };
    let taken = (0..10_000)
        .filter(|n| simulation.impact(far(*n)).is_ok())
        .count();
    // Some impacts are refused at once, because they are weaker than the kept ones; others are dropped in
    // the step.
    assert!((4096..10_000).contains(&taken), "{taken}");
    simulation.step(DT);
    let statistics = simulation.statistics();
    assert!(statistics.dropped >= 10_000 - 4096, "{statistics:?}");
}

#[test]
fn a_frame_does_not_wait_for_a_long_step_and_loses_no_motion_that_was_reported() {
    let (mut simulation, pieces) = rubble(true);
    let door = ExternalBody::kinematic(SharedShape::ball(0.2), at(9.0, 0.0, 0.0));
    simulation.set_external_body(5, door).unwrap();
    for frame in 0..600u16 {
        let x = 9.0 + f32::from(frame) * 0.01;
        assert!(simulation.set_external_motion(5, at(x, 0.0, 0.0)));
        crate::setup::step(&mut simulation);
    }
    // The loop runs so fast that frames are skipped, but it waits for steps when it is a tenth of a second ahead.
    let statistics = simulation.statistics();
    assert!(statistics.physics_steps > 10, "{statistics:?}");
    simulation.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
    simulation.step(DT);
    simulation.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
    simulation.step(DT);
    let hit = simulation
        .cast_ray(Vec3::new(20.0, 0.0, 0.0), Vec3::NEG_X, 10.0)
        .unwrap();
    assert_eq!(hit.external, Some(5));
    assert!((hit.point.x - 15.19).abs() < 0.02, "{hit:?}");
    assert!(poses(&simulation, &pieces)
        .iter()
        .all(|pose| pose.translation.y > -1.6));
}
