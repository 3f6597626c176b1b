//! Hostile bytes by the hour: messages, saves, saves for those who join, and cooked files that somebody has changed and
//! given the right hash again. Nothing panics, no number is one that physics could not bear, and nothing takes long.
//!
//! A test of each target takes some rounds. The one that is ignored goes on for `FRACTURE_FUZZ_SECONDS`, from the seed
//! `FRACTURE_FUZZ_SEED` on, and prints the target and the seed of each finding. With that seed and the target's name as
//! `FRACTURE_FUZZ_TARGET` it takes that round alone.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

use fracture_simulation::cooked::CookedBytes;
use fracture_simulation::network::{Message, Role, MAX_MESSAGE};
use fracture_simulation::{Body, Settings};
use xxhash_rust::xxh3::xxh3_64;

use crate::cooked_shapes::{cases, cook, from_source, outcome, source};
use crate::dice::Dice;
use crate::hostile_bytes::{change, changed_file, number_of};
use crate::hostile_saves::{is_finite, load, struck, written};
use crate::large_saves::{small_ring, struck_ring};
use crate::saves::fallen;
use crate::setup::wall;
use crate::two_games::{blow, world, Game};

/// Bytes that are kept for a round of a target.
type Round = Box<dyn Fn(&mut Dice)>;

/// Longest time for bytes of a hundred kilobytes, on a machine with other work.
const LIMIT: Duration = Duration::from_secs(10);

/// Hostile messages of a round.
const MESSAGES: usize = 60;

/// Changes a message, and mends its check.
fn changed_message(message: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut content = message[..message.len() - 2].to_vec();
    let head = content[0];
    change(&mut content, dice);
    if let Some(first) = content.first_mut() {
        *first = head & 0xf0 | *first & 0x0f; // of the right version
    }
    content.truncate(MAX_MESSAGE - 2);
    let check = (xxh3_64(&content) as u16).to_le_bytes();
    content.extend(check);
    content
}

fn settings() -> Settings {
    Settings {
        wait_for_results: true,
        max_pieces: 200,
        overlap: false,
        ..Settings::default()
    }
}

/// An authority and a client that have shared some blows, and all that they have told each other.
fn history(dice: &mut Dice) -> (Game, Game, Vec<Message>) {
    let [mut authority, mut client] =
        [Role::Authority, Role::Client].map(|role| Game::new(role, settings(), &world()));
    let mut told = Vec::new();
    for _ in 0..16 {
        let place = dice.below(10);
        let _ = authority.simulation.impact(blow(&authority, dice, place));
        let own = blow(&client, dice, place);
        let _ = client.simulation.foretell(own);
        for _ in 0..4 {
            authority.step();
            client.step();
        }
        let new: Vec<_> = authority.simulation.drain_messages().collect();
        for message in &new {
            let _ = client.simulation.receive(&message.0);
        }
        told.extend(new);
        let asked: Vec<_> = client.simulation.drain_messages().collect();
        for message in &asked {
            let answers = authority.simulation.receive(&message.0);
            told.extend(answers.unwrap_or_default());
        }
        told.extend(asked);
    }
    (authority, client, told)
}

fn assert_bearable(game: &Game) {
    assert!(!game.simulation.statistics().physics_failed);
    for object in &game.objects {
        for piece in game.simulation.descendants(*object) {
            let motion = game.simulation.motion(piece);
            assert!(motion.is_some_and(|motion| is_finite(&motion)));
        }
    }
}

fn messages() -> Round {
    Box::new(|dice| {
        let (mut authority, mut client, told) = history(dice);
        for index in 0..MESSAGES {
            let message = changed_message(&told[dice.below(told.len())].0, dice);
            for game in [&mut authority, &mut client] {
                let _ = game.simulation.receive(&message);
                if index % 6 == 0 {
                    game.step();
                }
            }
        }
        for game in [&mut authority, &mut client] {
            (0..4).for_each(|_| game.step());
            assert_bearable(game);
        }
    })
}

fn join_saves() -> Round {
    let (authority, ..) = history(&mut Dice(5));
    let save = authority.simulation.join_save();
    Box::new(move |dice| {
        let mut game = Game::new(Role::Client, settings(), &world());
        let _ = game.simulation.join(&changed_file(&save, dice));
        (0..4).for_each(|_| game.step());
        assert_bearable(&game);
    })
}

fn saves() -> Round {
    let ((struck, of_struck), (fallen, of_fallen)) = (struck(), fallen());
    let (ring, of_ring) = struck_ring();
    let saves: Vec<(Vec<u8>, Body)> = vec![
        (written(struck.save(of_struck)), wall()),
        (written(struck.save_compact(of_struck)), wall()),
        (written(fallen.save(of_fallen)), crate::collapses::table()),
        (
            written(fallen.save_compact(of_fallen)),
            crate::collapses::table(),
        ),
        (written(ring.save(of_ring)), small_ring()),
    ];
    Box::new(move |dice| {
        let (bytes, body) = &saves[dice.below(saves.len())];
        load(changed_file(bytes, dice), body.clone());
    })
}

fn cooked_files() -> Round {
    let files: Vec<_> = cases()
        .into_iter()
        .map(|(body, point, _)| (cook(&body).to_bytes(), body, point))
        .collect();
    Box::new(move |dice| {
        let (bytes, body, point) = &files[dice.below(files.len())];
        let (source, _) = source(CookedBytes::Read(changed_file(bytes, dice)));
        outcome(from_source(body, &source), *point);
    })
}

/// A target: its name, and how its rounds are made.
type Target = (&'static str, fn() -> Round);

const TARGETS: [Target; 4] = [
    ("messages", messages),
    ("join saves", join_saves),
    ("saves", saves),
    ("cooked files", cooked_files),
];

/// A round by its seed; what was wrong with it, but for its time.
fn fault(round: &Round, seed: u64) -> Option<String> {
    let done = catch_unwind(AssertUnwindSafe(|| round(&mut Dice(seed))));
    done.is_err().then(|| "a panic".to_owned())
}

/// The same, and whether it took too long, which depends on the machine.
fn fault_in_time(round: &Round, seed: u64) -> Option<String> {
    let start = Instant::now();
    let fault = fault(round, seed);
    let time = start.elapsed();
    fault.or_else(|| (time > LIMIT).then(|| format!("{} s", time.as_secs_f32())))
}

fn rounds(target: Target, count: u64) {
    let round = target.1();
    for seed in 0..count {
        assert_eq!(fault(&round, seed), None, "{}, seed {seed}", target.0);
    }
}

#[test]
fn hostile_messages_do_no_harm() {
    rounds(TARGETS[0], 3);
}

#[test]
fn hostile_join_saves_do_no_harm() {
    rounds(TARGETS[1], 20);
}

#[test]
fn hostile_saves_of_any_length_do_no_harm() {
    rounds(TARGETS[2], 100);
}

#[test]
fn hostile_cooked_files_do_no_harm() {
    rounds(TARGETS[3], 10);
}

#[test]
#[ignore = "goes on for as long as it is told"]
fn hostile_bytes_by_the_hour() {
    let seconds = number_of("FRACTURE_FUZZ_SECONDS").unwrap_or(60);
    let first = number_of("FRACTURE_FUZZ_SEED").unwrap_or(1 << 32);
    if let Ok(target) = std::env::var("FRACTURE_FUZZ_TARGET") {
        let found = TARGETS.iter().find(|(name, _)| *name == target);
        let (_, round) = found.expect("the name of a target");
        assert_eq!(fault_in_time(&round(), first), None);
        return;
    }
    let start = Instant::now();
    let mut findings = Vec::new();
    let all = TARGETS.map(|(name, round)| (name, round()));
    let mut counts = [0_u64; TARGETS.len()];
    let mut seed = first;
    while start.elapsed() < Duration::from_secs(seconds) {
        // Each target has about as much time as the others.
        for ((name, round), count) in all.iter().zip(&mut counts) {
            let turn = Instant::now();
            while turn.elapsed() < Duration::from_secs(2) {
                seed += 1;
                *count += 1;
                if let Some(fault) = fault_in_time(round, seed) {
                    println!("FINDING {name}, seed {seed}: {fault}");
                    findings.push((*name, seed, fault));
                }
            }
        }
    }
    println!("rounds {counts:?} from seed {first} to {seed}");
    assert!(findings.is_empty(), "{findings:?}");
}
