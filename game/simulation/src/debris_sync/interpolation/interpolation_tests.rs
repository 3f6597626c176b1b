//! Tests of the clock and the poses of rendering. Lateness is given and not waited for, so that nothing
//! depends on the computer's clock.

use fracture_geometry::{Mesh, Pattern, Recipe};
use glam::Vec3;

use crate::debris::MAX_FRAME;
use crate::debris_sync::clock::{InterpolationClock, MAX_EXTRAPOLATION};
use crate::external::ExternalBody;
use crate::pattern::{LazyPattern, PatternFit};
use crate::{
    Body, BodyId, BodyRef, Event, Impact, Motion, Pose, Settings, Shape, SharedShape, Simulation,
};

/// A frame at 60 Hz, seconds.
const SIXTY: f32 = 1.0 / 60.0;

/// A frame, and whether it finds the step still running.
#[derive(Clone, Copy)]
struct Frame {
    dt: f32,
    is_late: bool,
}

/// Frames of equal length that are not late.
fn even_frames(count: usize) -> Vec<Frame> {
    let frame = Frame {
        dt: SIXTY,
        is_late: false,
    };
    vec![frame; count]
}

/// The time that is drawn in each frame; a substep takes `cost` seconds.
fn drawn_times(frames: &[Frame], cost: f32) -> Vec<f32> {
    let (mut clock, mut known, mut running) = (InterpolationClock::default(), 0.0, None);
    let mut times = Vec::new();
    for frame in frames {
        clock.begin_frame(frame.dt);
        if !frame.is_late {
            if let Some(step) = running.take() {
                known += step;
                clock.end_step(cost);
            }
            running = Some(clock.begin_step(frame.dt));
        }
        times.push(known + clock.render_time().offset);
    }
    times
}

/// Time by which the drawn time advances in each frame but the first, in parts of the frame.
fn paces(frames: &[Frame], cost: f32) -> Vec<f32> {
    let times = drawn_times(frames, cost);
    let pace = |(pair, frame): (&[f32], &Frame)| (pair[1] - pair[0]) / frame.dt;
    times.windows(2).zip(&frames[1..]).map(pace).collect()
}

fn assert_near(paces: &[f32], expected: f32, tolerance: f32) {
    let wrong = paces
        .iter()
        .position(|pace| (pace - expected).abs() > tolerance);
    assert_eq!(wrong, None, "{paces:?} instead of {expected}");
}

#[test]
fn even_frames_show_what_is_known_a_frame_late() {
    let frames = even_frames(50);
    let times = drawn_times(&frames, 0.002);
    assert!((times[49] - 49.0 * SIXTY).abs() < 1e-4, "{}", times[49]);
    assert_near(&paces(&frames, 0.002)[40..], 1.0, 1e-3);
}

#[test]
fn a_step_that_takes_long_once_is_not_seen() {
    let mut frames = even_frames(100);
    frames[60].is_late = true;
    assert_near(&paces(&frames, 0.002)[40..], 1.0, 1e-3);
    frames[61].is_late = true;
    assert_near(&paces(&frames, 0.002)[40..], 1.0, 1e-3);
}

#[test]
fn frames_that_are_shorter_than_steps_are_even() {
    let frame = |index: u32| Frame {
        dt: 1.0 / 144.0,
        is_late: index % 2 == 1,
    };
    let frames: Vec<_> = (0..200).map(frame).collect();
    assert_near(&paces(&frames, 0.0075)[60..], 1.0, 1e-2);
}

#[test]
fn steps_that_take_too_long_for_good_make_debris_slow_and_evenly_so() {
    let frame = |index: u32| Frame {
        dt: SIXTY,
        is_late: index % 2 == 1,
    };
    let frames: Vec<_> = (0..200).map(frame).collect();
    assert_near(&paces(&frames, 0.02)[60..], 0.5, 0.03);
}

#[test]
fn a_step_that_has_come_to_take_long_makes_up_for_no_lost_time() {
    let mut clock = InterpolationClock::default();
    let mut step = |cost: f32, late_frames: u32| {
        (0..=late_frames).for_each(|_| clock.begin_frame(SIXTY));
        let length = clock.begin_step(SIXTY);
        clock.end_step(cost);
        length / SIXTY
    };
    (0..20).for_each(|_| assert_eq!(step(1e-4, 0), 1.0));
    assert!(step(0.04, 3) > 3.9, "once may have been an interruption");
    step(0.04, 3);
    assert_near(&[step(0.04, 3), step(0.04, 3)], 1.0, 0.02);
}

#[test]
fn uneven_frames_move_things_by_their_own_length() {
    let frame = |index: usize| Frame {
        dt: SIXTY * [1.0, 1.3, 0.8, 1.1, 0.7][index % 5],
        is_late: false,
    };
    let frames: Vec<_> = (0..200).map(frame).collect();
    assert_near(&paces(&frames, 0.002)[60..], 1.0, 0.05);
}

#[test]
fn after_a_long_frame_all_is_as_before() {
    let mut frames = even_frames(160);
    frames[60].dt = MAX_FRAME;
    let all = paces(&frames, 0.002);
    assert_near(&all[120..], 1.0, 1e-3);
    // The drawn time never goes back.
    assert!(
        all.iter().all(|pace| (-1e-3..3.0).contains(pace)),
        "{all:?}"
    );
}

#[test]
fn nothing_is_shown_far_beyond_what_is_known() {
    let mut frames = even_frames(60);
    frames[1..]
        .iter_mut()
        .for_each(|frame| frame.is_late = true);
    let times = drawn_times(&frames, 0.002);
    assert!(times.iter().all(|time| *time <= MAX_EXTRAPOLATION));
}

/// A piece that flies and turns undisturbed, and its centre of mass.
fn flying(settings: Settings) -> (Simulation, BodyId, Vec3) {
    let mut simulation = Simulation::new(Settings {
        gravity: Vec3::ZERO,
        ..settings
    })
    .unwrap();
    let recipe = Recipe::Uniform { cells: 8 };
    let body = Body {
        fit: PatternFit::BODY,
        motion: Motion {
            pose: Pose::IDENTITY,
            linear: Vec3::new(6.0, 1.0, 0.0),
            angular: Vec3::new(0.0, 3.0, 1.0),
        },
        ..Body::new(
            Shape::new(Mesh::cuboid([1.0; 3])),
            LazyPattern::new(move || Pattern::from_recipe(&recipe, 5)),
        )
    };
    let id = simulation.add(body).unwrap();
    let cut = Impact::blade(id, Vec3::ZERO, Vec3::X);
    simulation.impact(cut).unwrap();
    loop {
        simulation.step(0.0);
        let events: Vec<Event> = simulation.drain_events().collect();
        for event in events {
            if let Event::Broken(broken) = event {
                assert_eq!(simulation.remove(broken.pieces[1].body), 1);
                simulation.step(SIXTY); // the results of the first step come in the next frame
                let piece = &broken.pieces[0];
                return (simulation, piece.body, piece.mass.center.as_vec3());
            }
        }
        std::thread::yield_now();
    }
}

/// Takes a frame, which finds the step still running or not. Returns the pose at which a piece is drawn.
fn frame(simulation: &mut Simulation, piece: BodyId, (dt, late): (f32, bool)) -> Pose {
    if late {
        simulation.debris.pretend_stepping(1);
    } else {
        // The query waits for the running step.
        simulation.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
    }
    simulation.step(dt);
    let mut shown = simulation
        .moving_pieces()
        .filter(|(body, _)| *body == piece);
    let pose = shown.next().expect("it moves").1;
    assert!(shown.next().is_none());
    pose
}

#[test]
fn a_piece_flies_evenly_through_late_and_uneven_frames() {
    let (mut simulation, piece, center) = flying(Settings::default());
    let center = |pose: Pose| pose.transform_point(center);
    for _ in 0..50 {
        frame(&mut simulation, piece, (SIXTY, false));
    }
    let mut last = frame(&mut simulation, piece, (SIXTY, false));
    for index in 0..100 {
        let late = [20, 50, 51, 70, 72, 74, 76, 78].contains(&index);
        let dt = SIXTY * [1.0, 1.05, 0.95][index % 3];
        let pose = frame(&mut simulation, piece, (dt, late));
        let velocity = simulation.motion(piece).unwrap().linear;
        let way = center(pose) - center(last);
        let off = (way - velocity * dt).length() / (velocity.length() * dt);
        assert!(off < 0.1, "frame {index}: {way}, {off}");
        let turn = last.rotation.angle_between(pose.rotation) / dt;
        let turning = simulation.motion(piece).unwrap().angular.length();
        assert!((turn / turning - 1.0).abs() < 0.15, "{turn} {turning}");
        last = pose;
    }
    assert!(simulation.statistics().skipped_frames > 5);
}

#[test]
fn frames_go_on_without_the_debris_however_long_its_step_takes() {
    let (mut simulation, piece, _) = flying(Settings::default());
    let before = simulation.statistics();
    simulation.debris.pretend_stepping(u32::MAX);
    (0..70).for_each(|_| simulation.step(SIXTY));
    let after = simulation.statistics();
    assert_eq!(after.skipped_frames - before.skipped_frames, 70);
    assert_eq!(after.physics_steps, before.physics_steps);
    simulation.debris.pretend_stepping(0);
    for _ in 0..10 {
        frame(&mut simulation, piece, (SIXTY, false));
    }
    assert!(simulation.statistics().physics_steps >= before.physics_steps + 10);
}

#[test]
fn what_is_shown_has_no_part_in_what_happens() {
    let run = |wait_for_results: bool, lengths: [f32; 3]| {
        let settings = Settings {
            wait_for_results,
            ..Settings::default()
        };
        let (mut simulation, piece, _) = flying(settings);
        for index in 0..60 {
            let pose = frame(&mut simulation, piece, (lengths[index % 3], false));
            if wait_for_results {
                assert_eq!(pose, simulation.motion(piece).unwrap().pose);
            }
        }
        simulation.cast_ray(Vec3::ZERO, Vec3::Y, 1.0);
        simulation.step(0.0);
        let shown = simulation.moving_pieces().next();
        let motion = simulation.motion(piece).unwrap();
        let expected = (!wait_for_results).then_some((piece, motion.pose));
        assert_eq!(shown, expected, "in a pause");
        simulation.state_hash()
    };
    for lengths in [[SIXTY; 3], [0.01, 0.014, 0.012]] {
        assert_eq!(run(true, lengths), run(false, lengths));
    }
}

/// A flying piece with a ball of the engine beside it.
fn ball_near_a_piece() -> (Simulation, BodyId, BodyRef) {
    let (mut simulation, piece, center) = flying(Settings::default());
    while simulation.is_stepping() {
        std::thread::yield_now();
    }
    let pose = simulation.motion(piece).unwrap().pose;
    let beside = pose.transform_point(center) + Vec3::Z;
    let motion = Motion::at(Pose::from_translation(beside));
    let ball = ExternalBody::dynamic(SharedShape::ball(0.2), motion, 5.0);
    simulation.set_external_body(7, ball).unwrap();
    (simulation, piece, BodyRef::External(7))
}

#[test]
fn a_frame_in_which_a_body_comes_near_takes_no_step_where_the_host_begins_steps() {
    let (mut simulation, _, ball) = ball_near_a_piece();
    assert!(
        !simulation.begin_next_step(SIXTY),
        "the step beside is not fetched"
    );
    simulation.step(SIXTY);
    let steps = simulation.statistics().physics_steps;
    assert!(!simulation.is_stepping());
    assert!(simulation.begin_next_step(SIXTY));
    while simulation.is_stepping() {
        std::thread::yield_now();
    }
    simulation.step(SIXTY);
    assert_eq!(simulation.statistics().physics_steps, steps + 1);
    assert!(simulation.waiting_bodies().is_empty());
    // It was asked for, but did not come: the second frame in a row takes its step.
    assert!(simulation.can_begin_next_step(SIXTY));
    simulation.step(SIXTY);
    assert_eq!(simulation.statistics().physics_steps, steps + 1);
    assert!(simulation.can_begin_next_step(SIXTY));
    simulation.step(SIXTY);
    assert_eq!(simulation.statistics().physics_steps, steps + 2);
    assert!(simulation.set_external_motion(7, Motion::default()) && ball.external() == Some(7));
}

#[test]
fn bodies_among_debris_wait_for_a_late_step_and_pieces_do_not_move_meanwhile() {
    for late in 0..9 {
        let (mut simulation, piece, ball) = ball_near_a_piece();
        simulation.can_begin_next_step(SIXTY);
        simulation.step(SIXTY);
        let drawn = |simulation: &Simulation| {
            let mut pieces = simulation.moving_pieces();
            pieces
                .find(|(body, _)| *body == piece)
                .map(|(_, pose)| pose)
        };
        let motion = simulation.motion(piece).unwrap();
        assert!(simulation.begin_next_step(SIXTY));
        simulation.debris.pretend_stepping(late);
        for frame in 0..late {
            simulation.step(SIXTY);
            assert_eq!(simulation.waiting_bodies(), [ball], "{frame} of {late}");
            assert!(drawn(&simulation).is_none_or(|pose| pose == motion.pose));
            assert_eq!(simulation.motion(piece), Some(motion));
        }
        simulation.debris.pretend_stepping(0);
        while simulation.is_stepping() {
            std::thread::yield_now();
        }
        simulation.step(SIXTY);
        assert!(simulation.waiting_bodies().is_empty());
        let way = drawn(&simulation).unwrap().translation - motion.pose.translation;
        // Once around the centre of mass, which is not the origin.
        assert!(
            (way.length() / (motion.linear.length() * SIXTY) - 1.0).abs() < 0.5,
            "{way}"
        );
    }
}
