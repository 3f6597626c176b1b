//! A game of two players who have other processors: an authority, whose messages a client follows.

use std::fmt::Write;

use fracture_simulation::geometry::Mesh;
use fracture_simulation::network::{Message, Role};
use fracture_simulation::{Anchors, Body, Settings};
use glam::Vec3;
use xxhash_rust::xxh3::Xxh3;

use crate::worlds::{at, body, turned, World};

/// Frames in which the authority strikes, and after which nothing breaks any more.
const FRAMES: [usize; 2] = [300, 600];

/// Messages that come to the client in a frame.
const MESSAGES_A_FRAME: usize = 8;

/// Plays the game of an authority, and gives its messages and what has become of its bodies.
pub fn host() -> (Vec<Message>, String) {
    let mut world = world(Role::Authority);
    let mut told = Vec::new();
    for frame in 1..=FRAMES[1] {
        if frame < FRAMES[0] && frame % 5 == 0 {
            strike(&mut world, frame / 5);
        }
        world.step(&mut Xxh3::new());
        told.extend(world.simulation.drain_messages());
    }
    (told, outcome(&world))
}

/// Plays the game of a client that gets these messages, and gives what has become of its bodies.
pub fn join(told: &[Message]) -> String {
    let mut world = world(Role::Client);
    for messages in told.chunks(MESSAGES_A_FRAME) {
        for message in messages {
            let answers = world.simulation.receive(&message.0);
            answers.expect("a message of the authority");
        }
        world.step(&mut Xxh3::new());
    }
    for _ in 0..FRAMES[1] {
        world.step(&mut Xxh3::new());
    }
    outcome(&world)
}

/// Walls, a cantilever that comes down by its weight, and free bodies, which break again where they land.
fn world(role: Role) -> World {
    let settings = Settings {
        threads: 2,
        wait_for_results: true,
        keep_size: f32::INFINITY,
        overlap: false,
        ..Settings::default()
    };
    let mut world = World::with_settings(settings, FRAMES[1], |_, _| ());
    world.simulation.set_role(role);
    world.add_ground();
    for index in 0..8u16 {
        let x = 5.0 * f32::from(index);
        let body = match index % 4 {
            0 => held([4.0, 2.0, 0.2], x, Vec3::new(0.0, -1.0, 0.0)),
            1 => held([3.0, 0.3, 0.3], x, Vec3::new(-1.5, 0.0, 0.0)),
            2 => body(Mesh::cuboid([1.0; 3]), turned([x, 1.0, 0.0])),
            _ => body(Mesh::torus(0.6, 0.2, 32, 16), turned([x, 3.0, 0.0])),
        };
        let body = world.add(Body {
            seed: u64::from(index),
            ..body
        });
        let shared = world.simulation.share(u32::from(index), body);
        shared.expect("a body that is shared");
    }
    world
}

/// A body that is held where it is near a point of its own.
fn held(size: [f32; 3], x: f32, anchor: Vec3) -> Body {
    let margin = Vec3::from(size).map(|size| if size > 1.5 { 0.1 } else { size });
    let anchor = [anchor - margin, anchor + margin];
    let mut body = body(Mesh::cuboid(size), at([x, 0.5 * size[1] + 1.0, 0.0]));
    body.anchors = Anchors::boxes(vec![anchor]);
    body.material.tensile_strength = 1e6;
    body
}

/// Strikes one body after the other, each time elsewhere.
fn strike(world: &mut World, number: usize) {
    let index = number % world.bodies.len();
    let share = |prime: usize| (number * prime % 16) as f32 / 16.0 - 0.5;
    let point = [5.0 * index as f32 + 2.0 * share(5), 1.5 + share(3), 0.1];
    world.hit(world.bodies[index], point, 0.4);
}

/// The number of bodies that there are, whole or broken, and their hash.
fn outcome(world: &World) -> String {
    let mut hasher = Xxh3::new();
    let mut count = 0;
    for body in &world.bodies {
        let mut pieces = world.simulation.descendants(*body);
        pieces.push(*body);
        pieces.retain(|piece| world.simulation.kind(*piece).is_some());
        count += pieces.len();
        let hash_of = |piece| world.simulation.geometry_hash([("", piece)]);
        let mut hashes: Vec<u64> = pieces.into_iter().map(hash_of).collect();
        hashes.sort_unstable();
        hashes
            .iter()
            .for_each(|hash| hasher.update(&hash.to_le_bytes()));
    }
    format!("{count} bodies {:016x}", hasher.digest())
}

/// Messages as lines of text.
pub fn write(told: &[Message]) -> String {
    let mut text = String::new();
    for message in told {
        for byte in &message.0 {
            let _ = write!(text, "{byte:02x}");
        }
        text += "\n";
    }
    text
}

/// Reads messages from lines of text.
pub fn read(text: &str) -> Option<Vec<Message>> {
    let read_line = |line: &str| {
        let at = (0..line.len()).step_by(2);
        let bytes = at.map(|at| u8::from_str_radix(line.get(at..at + 2)?, 16).ok());
        bytes.collect::<Option<Vec<u8>>>().map(Message)
    };
    text.lines().map(read_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_the_pieces_of_the_authority() {
        let (told, outcome) = host();
        assert!(told.len() > 30, "{} messages", told.len());
        assert_eq!(join(&read(&write(&told)).unwrap()), outcome);
        assert_ne!(join(&told[1..]), outcome);
    }
}
