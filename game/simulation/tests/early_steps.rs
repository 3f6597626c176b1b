//! Debris steps ahead of their frames, while the engine draws, with bodies of the engine among the debris.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::rapier3d::prelude::*;
use fracture_simulation::{external::ExternalBody, Broken, Motion, Simulation};

use crate::engine::Engine;
use crate::rubble_piles::{add_to_both, heap, pavement, pile};
use crate::setup::{at, step, DT};

const FIRST: u64 = 10;

type Keys = Vec<(u64, RigidBodyHandle)>;
type World = (Simulation, Engine, Broken, Keys);

/// A scene that does not wait for results, with one thread for each step.
fn scene((mut simulation, mut engine, broken): (Simulation, Engine, Broken), name: &str) -> World {
    let ball = SharedShape::ball(0.3);
    let crate_ = SharedShape::cuboid(0.25, 0.25, 0.25);
    let placed = |x: f32, y: f32| RigidBodyBuilder::dynamic().translation(Vec3::new(x, y, 0.0));
    let bodies = match name {
        "a ball" => vec![(placed(0.0, 1.6), ball, 20.0)],
        "a stack" => (0..3u8)
            .map(|n| {
                (
                    placed(0.02, 0.56 + 0.51 * f32::from(n)),
                    crate_.clone(),
                    20.0,
                )
            })
            .collect(),
        _ => vec![(
            placed(-2.0, 0.26).linvel(Vec3::new(7.0, 0.0, 0.0)),
            crate_,
            300.0,
        )],
    };
    let mut keys = Vec::new();
    for (key, (body, shape, mass)) in (FIRST..).zip(bodies) {
        let handle = add_to_both(&mut simulation, &mut engine, key, body, shape, mass);
        keys.push((key, handle));
    }
    simulation.set_wait_for_results(false);
    (simulation, engine, broken, keys)
}

fn report((simulation, engine, _, keys): &mut World) {
    engine.step();
    for (key, handle) in keys.iter() {
        assert!(simulation.set_external_motion(*key, engine.motion(*handle)));
    }
}

/// Waits for a running step, so that no frame is skipped.
fn wait(simulation: &mut Simulation) {
    while simulation.is_stepping() {
        std::thread::yield_now();
    }
}

fn finish((simulation, engine, _, keys): &mut World) {
    wait(simulation);
    step(simulation);
    engine.take_back(simulation, keys);
}

fn motions((simulation, engine, broken, keys): &World) -> Vec<Motion> {
    let pieces = broken.pieces.iter();
    let pieces = pieces.filter_map(|piece| simulation.motion(piece.body));
    let bodies = keys.iter().map(|(_, handle)| engine.motion(*handle));
    pieces.chain(bodies).collect()
}

#[test]
fn steps_ahead_of_the_frame_are_those_in_the_frame() {
    for (name, make) in [
        ("a ball", pile as fn() -> _),
        ("a stack", pavement),
        ("a plough", heap),
    ] {
        let (mut here, mut ahead) = (scene(make(), name), scene(make(), name));
        let mut count = 0;
        for frame in 0..240 {
            report(&mut here);
            report(&mut ahead);
            let begun = ahead.0.begin_next_step(DT);
            count += u32::from(begun);
            // Asked in vain, like the other one, it takes no step in the frame in which a body comes near.
            assert!(begun || !here.0.can_begin_next_step(DT) || frame > 0);
            finish(&mut here);
            // A second call begins no other step.
            assert!(!ahead.0.is_next_step_running() || !ahead.0.begin_next_step(DT));
            finish(&mut ahead);
            assert!(!ahead.0.is_next_step_running());
            assert_eq!(motions(&here), motions(&ahead), "{name}, frame {frame}");
        }
        assert!(count > 100, "{name}: {count} steps were taken ahead");
    }
}

#[test]
fn nothing_goes_ahead_where_it_must_not() {
    let (mut simulation, mut engine, _, keys) = scene(pile(), "a ball");
    assert!(!simulation.begin_next_step(DT), "before the first step");
    for frame in 0..60 {
        engine.frame(&mut simulation, &keys);
        assert!(!simulation.begin_next_step(f32::NAN) && !simulation.begin_next_step(0.0));
        simulation.set_wait_for_results(true);
        assert!(!simulation.begin_next_step(DT), "results are waited for");
        simulation.set_wait_for_results(false);
        assert!(simulation.can_begin_next_step(DT) || frame < 30);
    }
    assert!(simulation.remove_external_body(FIRST));
    assert!(
        !simulation.begin_next_step(DT),
        "nobody is among the debris"
    );
}

#[test]
fn a_step_ahead_is_taken_in_though_no_time_passes_and_the_next_frame_has_none() {
    let mut world = scene(pile(), "a ball");
    for _ in 0..60 {
        report(&mut world);
        finish(&mut world);
    }
    report(&mut world);
    let steps = world.0.statistics().physics_steps;
    assert!(world.0.begin_next_step(DT));
    wait(&mut world.0);
    world.0.step(0.0);
    world.1.take_back(&world.0, &world.3);
    assert_eq!(world.0.corrected_motions().count(), 1);
    world.0.step(0.0);
    assert_eq!(world.0.corrected_motions().count(), 0);
    assert_eq!(world.0.statistics().physics_steps, steps + 1);
    world.0.step(DT);
    assert_eq!(world.0.statistics().physics_steps, steps + 1);
    report(&mut world);
    finish(&mut world);
    assert_eq!(world.0.statistics().physics_steps, steps + 2);
}

#[test]
fn a_world_may_change_and_end_while_a_step_is_ahead() {
    for change in 0..5 {
        let mut world = scene(pile(), "a ball");
        for _ in 0..60 {
            report(&mut world);
            finish(&mut world);
        }
        report(&mut world);
        assert!(world.0.begin_next_step(DT));
        let piece = world.2.pieces[0].body;
        match change {
            0 => assert!(world.0.remove_external_body(FIRST)),
            1 => assert_eq!(world.0.remove(piece), 1),
            2 => world.0.clear().unwrap(),
            3 => {
                let wall = ExternalBody::fixed(SharedShape::ball(1.0), at(0.0, 0.0, 0.0));
                world.0.set_external_body(FIRST, wall).unwrap();
            }
            _ => continue, // the world ends during the step
        }
        wait(&mut world.0);
        step(&mut world.0);
        assert_eq!(world.0.motion(piece).is_some(), [0, 3].contains(&change));
        assert!(!world.0.is_next_step_running());
        (0..30).for_each(|_| _ = step(&mut world.0));
    }
}

#[test]
fn a_frame_whose_step_is_taken_ahead_allocates_nothing_on_the_calling_thread() {
    let mut world = scene(pile(), "a ball");
    let frame = |world: &mut World| {
        let ahead = world.0.begin_next_step(DT);
        wait(&mut world.0);
        world.0.step(DT);
        assert!(world.0.drain_events().next().is_none());
        ahead
    };
    for _ in 0..90 {
        report(&mut world);
        frame(&mut world);
        world.1.take_back(&world.0, &world.3);
    }
    for index in 0..30 {
        report(&mut world);
        let mut ahead = false;
        let counted = allocation_counter::measure(|| ahead = frame(&mut world));
        assert!(ahead && world.0.corrected_motions().count() == 1);
        assert_eq!(counted.count_total, 0, "frame {index}: {counted:?}");
        world.1.take_back(&world.0, &world.3);
    }
}
