//! Pieces come and go a few in an update: with a limit that every update exceeds, one object or piece at a time.

use crate::debris_view::{everything_is_shown, tough};
use crate::world::{broken, hard, World};
use fracture::{Destructible, Event, Held, Pieces, Settings};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::{node::Node, rigidbody::RigidBodyType},
};
use std::time::Duration;

/// Frames until all is done at the latest.
const MOST_FRAMES: usize = 3000;

fn exceeded() -> Settings {
    Settings {
        update_ms: 1e-6,
        settle_after: 0.2,
        merge_after: 0.2,
        ..Settings::default()
    }
}

/// Some cubes on a floor, apart from each other.
fn cubes(count: usize, script: impl Fn() -> Destructible) -> (World, Vec<Handle<Node>>) {
    let mut world = World::with(exceeded());
    world.floor();
    let cube = |index: usize| {
        let at = Vector3::new(3.0 * index as f32 - 9.0, 0.5, 0.0);
        world.cube(
            &format!("cube {index}"),
            RigidBodyType::Dynamic,
            at,
            script(),
        )
    };
    let cubes = (0..count).map(cube).collect();
    wait(&mut world);
    (world, cubes)
}

/// Runs until the worker has nothing to do.
fn wait(world: &mut World) {
    world.step();
    while !world.destruction.is_idle() {
        world.step();
        std::thread::yield_now();
    }
}

fn strike(world: &mut World, cubes: &[Handle<Node>]) {
    for cube in cubes {
        let top = world.node(*cube).global_position() + Vector3::y() * 0.5;
        let impact = hard(top).with_radius(3.0);
        world.destruction.impact(*cube, impact).unwrap();
    }
}

/// Whether the mesh of a cube is shown, which it is as long as there are no pieces and no longer.
fn is_whole(world: &World, index: usize) -> bool {
    let mesh = world.named(&format!("cube {index} mesh"))[0];
    let shown = world.node(mesh).global_visibility();
    let name = format!("cube {index}");
    let pieces = world.destruction.pieces_of(name.as_str());
    assert_eq!(
        shown,
        pieces.is_empty(),
        "{name}, of {} pieces",
        pieces.len()
    );
    everything_is_shown(world, &name);
    shown
}

#[test]
fn objects_break_one_in_an_update_and_each_is_whole_until_its_pieces_are_there() {
    let (mut world, cubes) = cubes(7, tough);
    strike(&mut world, &cubes);
    let mut count = 0;
    for _ in 0..MOST_FRAMES {
        let events = world.step();
        assert!(broken(&events).len() <= 1, "{events:?}");
        count += broken(&events).len();
        let whole = (0..7).filter(|index| is_whole(&world, *index)).count();
        assert_eq!(whole, 7 - count);
        if count == 7 {
            return;
        }
        std::thread::yield_now();
    }
    panic!("{count} have broken");
}

#[test]
fn objects_are_made_intact_one_in_an_update_in_order() {
    let (mut world, cubes) = cubes(5, tough);
    strike(&mut world, &cubes);
    wait(&mut world);
    for cube in &cubes {
        assert_eq!(world.destruction.restore_intact(*cube), Ok(1));
    }
    for expected in &cubes {
        let events = world.step();
        let restored = events.iter().filter_map(|event| match event {
            Event::Restored { node, .. } => Some(node),
            _ => None,
        });
        assert_eq!(restored.collect::<Vec<_>>(), [expected]);
        (0..5).for_each(|index| _ = is_whole(&world, index));
    }
    assert!((0..5).all(|index| is_whole(&world, index)));
    // What waits is made intact before a save is written.
    strike(&mut world, &cubes);
    wait(&mut world);
    for cube in &cubes {
        assert_eq!(world.destruction.restore_intact(*cube), Ok(1));
    }
    let save = world.destruction.save(&mut world.scene);
    assert!(!save.is_empty());
    assert!((0..5).all(|index| is_whole(&world, index)));
}

#[test]
fn pieces_are_batched_thawed_and_leave_though_every_update_exceeds_the_limit() {
    let script = || Destructible {
        held: Held::default(),
        pieces: Pieces {
            lifetime: 12.0.into(),
            fade_time: 0.2.into(),
            ..tough().pieces
        },
        ..tough()
    };
    let (mut world, cubes) = cubes(2, script);
    strike(&mut world, &cubes);
    let (mut most_merged, mut thawed, mut gone) = (0, false, 0);
    for frame in 0..MOST_FRAMES {
        world.finish_debris_step(); // or pieces would not have come to rest when they fade
        let events = world.step();
        let removed = |event: &&Event| matches!(event, Event::Removed { .. });
        let count = events.iter().filter(removed).count();
        assert!(count <= 1, "{count} were removed at once");
        gone += count;
        (0..2).for_each(|index| everything_is_shown(&world, &format!("cube {index}")));
        let statistics = world.destruction.statistics();
        if statistics.merged > 20 && !thawed {
            let from = Vector3::new(-9.0, 0.4, 3.0);
            world.ball(300.0, from, Vector3::new(0.0, 0.0, -8.0));
            thawed = true;
        }
        most_merged = most_merged.max(statistics.merged);
        if frame > 100 && statistics.fragments + statistics.islands == 0 {
            break;
        }
        if !world.destruction.is_idle() {
            std::thread::sleep(Duration::from_millis(1)); // frames of no length would leave the worker no time
        }
    }
    assert!(
        thawed && gone > 40,
        "{most_merged} were merged, {gone} have gone"
    );
}

#[test]
fn a_limit_that_is_no_time_is_a_fault_and_things_break_as_ever() {
    for (odd, is_refused) in [
        (0.0, true),
        (-3.0, true),
        (f32::NAN, true),
        (f32::INFINITY, false),
    ] {
        let mut world = World::with(Settings {
            update_ms: odd,
            wait_for_results: true,
            ..Settings::default()
        });
        world.struck_wall(Vector3::zeros());
        assert_eq!(broken(&world.steps(3)), ["wall"]);
        let faults = world.faults();
        assert_eq!(
            faults.contains("Settings::update_ms is"),
            is_refused,
            "{faults}"
        );
    }
}
