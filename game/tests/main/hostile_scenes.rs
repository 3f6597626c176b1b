//! Scenes with an embedded save that somebody has changed, with the right hash, and with nodes that are not those of its
//! objects. Nothing panics, every piece has a place, and the scene goes on.
//!
//! A test takes some rounds. The one that is ignored goes on for `FRACTURE_FUZZ_SECONDS`, from the seed
//! `FRACTURE_FUZZ_SEED` on, and prints the seed of each finding, with which that round is the first.

use crate::{
    dice::Dice,
    embedded_saves::{bytes, Session},
    hostile_bytes::{changed_file, number_of},
    saves::battered,
    world::World,
};
use fracture::{AttachmentHome, BodyStart, EmbeddedSave};
use fyrox::{
    core::{
        algebra::{Quaternion, UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::node::Node,
};
use std::{
    panic::{catch_unwind, AssertUnwindSafe},
    time::{Duration, Instant},
};

/// Longest time for a scene of a hundred kilobytes, on a machine with other work.
const LIMIT: Duration = Duration::from_secs(10);

/// A number that is none too often.
fn number(dice: &mut Dice) -> f32 {
    [
        0.0,
        1.0,
        -3.0,
        1e-30,
        1e30,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ][dice.below(8)]
}

fn vector(dice: &mut Dice) -> Vector3<f32> {
    Vector3::from_fn(|_, _| number(dice))
}

fn rotation(dice: &mut Dice) -> UnitQuaternion<f32> {
    let [i, j, k, w] = [(); 4].map(|()| number(dice));
    UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k))
}

fn start(body: Handle<Node>, dice: &mut Dice) -> BodyStart {
    BodyStart {
        body,
        position: vector(dice),
        rotation: rotation(dice),
        linear_velocity: vector(dice),
        angular_velocity: vector(dice),
    }
}

/// Says of some nodes that they were elsewhere before: below each other, below themselves, nowhere.
fn home(nodes: &[Handle<Node>], dice: &mut Dice) -> AttachmentHome {
    let [node, parent, own_body, holder, body] = [(); 5].map(|()| nodes[dice.below(nodes.len())]);
    let mut home = AttachmentHome {
        node,
        parent,
        position: vector(dice),
        rotation: rotation(dice),
        scale: vector(dice),
        is_hidden: dice.below(2) == 0,
        is_disabled: dice.below(2) == 0,
        moves_itself: dice.below(3) == 0,
        is_second_end: dice.below(2) == 0,
        jointed: start(body, dice),
        ..AttachmentHome::default()
    };
    if dice.below(3) == 0 {
        home.own_body = own_body;
    }
    if dice.below(3) == 0 {
        home.holder = holder;
    }
    home
}

/// Changes the embedded save of a scene.
fn change(world: &mut World, dice: &mut Dice) {
    let nodes: Vec<_> = world.scene.graph.pair_iter().map(|pair| pair.0).collect();
    for node in world.scene.graph.linear_iter_mut() {
        let Some(embedded) = node.try_get_script_mut::<EmbeddedSave>() else {
            continue;
        };
        if dice.below(4) > 0 {
            embedded.save.0 = changed_file(&embedded.save.0, dice);
        }
        for _ in 0..dice.below(3) {
            match dice.below(4) {
                0 => embedded.hidden.push(nodes[dice.below(nodes.len())]),
                1 => embedded.disabled.push(nodes[dice.below(nodes.len())]),
                2 => {
                    let body = nodes[dice.below(nodes.len())];
                    embedded.starts.insert(0, start(body, dice));
                }
                _ => {
                    let mut changed = home(&nodes, dice);
                    let colliders = (0..dice.below(3)).map(|_| home(&nodes, dice));
                    changed.colliders = colliders.collect();
                    embedded.attachments.push(changed);
                }
            }
        }
    }
}

/// Loads a scene, changes what it has embedded by a seed, and goes on.
fn round(session: &Session, saved: &[u8], seed: u64) {
    let mut world = session.load(saved);
    change(&mut world, &mut Dice(seed));
    world.steps(3);
    for name in world.destruction.object_names() {
        for piece in world.destruction.pieces_of(&name) {
            let place = piece.position.iter().all(|x| x.is_finite());
            assert!(place && piece.volume >= 0.0, "{piece:?}");
        }
        if world.destruction.restore_intact(&name).is_ok() {
            world.steps(2);
        }
    }
}

/// The faults of a round, but for its time.
fn fault(session: &Session, saved: &[u8], seed: u64) -> Option<&'static str> {
    let done = catch_unwind(AssertUnwindSafe(|| round(session, saved, seed)));
    done.is_err().then_some("a panic")
}

fn saved() -> Vec<u8> {
    let mut world = battered();
    world.destruction.embed_save(&mut world.scene);
    bytes(&mut world.scene)
}

#[test]
fn hostile_embedded_saves_do_no_harm() {
    let (session, saved) = (Session::new(), saved());
    for seed in 0..40 {
        assert_eq!(fault(&session, &saved, seed), None, "seed {seed}");
    }
}

#[test]
#[ignore = "goes on for as long as it is told"]
fn hostile_scenes_by_the_hour() {
    let seconds = number_of("FRACTURE_FUZZ_SECONDS").unwrap_or(60);
    let first = number_of("FRACTURE_FUZZ_SEED").unwrap_or(1 << 32);
    let (session, saved) = (Session::new(), saved());
    let begin = Instant::now();
    let mut seed = first;
    let mut findings = 0;
    while begin.elapsed() < Duration::from_secs(seconds) {
        let start = Instant::now();
        let fault = fault(&session, &saved, seed);
        let time = start.elapsed();
        let fault = fault.or((time > LIMIT).then_some("it takes too long"));
        if let Some(fault) = fault {
            println!("FINDING seed {seed}: {fault}");
            findings += 1;
        }
        seed += 1;
    }
    println!("rounds from seed {first} to {seed}");
    assert_eq!(findings, 0);
}
