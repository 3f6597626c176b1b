//! Debris whose place an authority tells within a budget: large pieces lie where they lie there, and the budget is kept.

use std::collections::BTreeMap;

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::network::{Message, MessageError, Role};
use fracture_simulation::{BodyId, BodyKind, Event, Impact, Settings};

use crate::dice::Dice;
use crate::setup::DT;
use crate::two_games::{world, Game, Link};

/// Volume of the smallest piece that counts as large, m^3.
const LARGE: f64 = 0.004;
/// Frames after the last blow, 3 s.
const FRAMES: usize = 180;
const SECOND: usize = 60;

/// The outcome of blows that two games share.
struct Outcome {
    /// Mean distance between the places of large pieces in the two games, metres.
    apart: f32,
    large: usize,
    /// Most bytes of poses in any second.
    most: usize,
    geometry: [Vec<Vec<u64>>; 2],
}

/// Whether a message tells where debris is: by the lower half of its first byte.
fn is_of_debris(message: &Message) -> bool {
    message.0.first().is_some_and(|head| head & 15 == 15)
}

/// The free pieces of a game by their meshes, with their places.
fn free_pieces(game: &Game) -> BTreeMap<u64, (BodyId, Vec3)> {
    let mut pieces = BTreeMap::new();
    for object in &game.objects {
        for piece in game.simulation.descendants(*object) {
            if game.simulation.kind(piece) == Some(BodyKind::Debris) {
                let motion = game.simulation.motion(piece).unwrap();
                let hash = game.simulation.geometry_hash([("", piece)]);
                pieces.insert(hash, (piece, motion.pose.translation));
            }
        }
    }
    pieces
}

fn run(budget: usize, seed: u64) -> Outcome {
    let settings = Settings {
        wait_for_results: true,
        keep_size: f32::INFINITY,
        overlap: false,
        ..Settings::default()
    };
    let [mut authority, mut client] =
        [Role::Authority, Role::Client].map(|role| Game::new(role, settings.clone(), &world()));
    let players = [Vec3::new(8.0, 1.7, 6.0), Vec3::NAN];
    authority.simulation.set_debris_budget(budget, players);
    let (mut down, mut up, mut dice) = (Link::default(), Link::default(), Dice(seed));
    let (mut bytes, mut volumes) = (Vec::new(), BTreeMap::new());
    for frame in 0..120 + FRAMES {
        if frame < 120 && frame % 20 == 0 {
            let place = [0, 1, 5, 6, 4, 9][frame / 20];
            let origin = Vec3::new(8.0 * (place % 5) as f32, 0.0, 8.0 * (place / 5) as f32);
            let (body, point) = (authority.objects[place], origin + Vec3::new(0.2, 1.2, 0.1));
            let impulse = Vec3::new(30.0, 0.0, -200.0);
            let blow = Impact::new(body, point, Vec3::Z, impulse, 3000.0);
            authority.simulation.impact(blow).unwrap();
        }
        authority.simulation.step(DT);
        for event in authority.simulation.drain_events() {
            if let Event::Broken(broken) = event {
                let pieces = broken.pieces.iter();
                volumes.extend(pieces.map(|piece| (piece.body, piece.mass.volume)));
            }
        }
        let told: Vec<Message> = authority.simulation.drain_messages().collect();
        let of_debris = told.iter().filter(|message| is_of_debris(message));
        bytes.push(of_debris.map(|message| message.0.len()).sum::<usize>());
        told.into_iter()
            .for_each(|message| down.send(message, frame, &mut dice));
        for message in down.arrived(frame) {
            client.simulation.receive(&message.0).unwrap();
        }
        client.step();
        let known: Vec<Message> = client.simulation.drain_messages().collect();
        known
            .into_iter()
            .for_each(|message| up.send(message, frame, &mut dice));
        for message in up.arrived(frame) {
            for answer in authority.simulation.receive(&message.0).unwrap() {
                down.send(answer, frame, &mut dice);
            }
        }
    }
    let own = free_pieces(&client);
    let all = free_pieces(&authority).into_iter();
    let large = all.filter(|(_, (body, _))| volumes.get(body).is_some_and(|v| *v > LARGE));
    let apart = large.filter_map(|(hash, (_, place))| Some(own.get(&hash)?.1.distance(place)));
    let apart: Vec<f32> = apart.collect();
    Outcome {
        apart: apart.iter().sum::<f32>() / apart.len() as f32,
        large: apart.len(),
        most: bytes
            .windows(SECOND)
            .map(|second| second.iter().sum())
            .max()
            .unwrap(),
        geometry: [authority.geometry(true), client.geometry(true)],
    }
}

/// How far debris comes to lie apart is chance, so that several seeds count together.
#[test]
fn large_pieces_lie_where_the_authority_has_them_within_a_budget() {
    let (mut apart, mut apart_alone) = (0.0, 0.0);
    for (seed, budget) in [(3, 4_000), (4, 16_000), (5, 4_000)] {
        let (alone, told) = (run(0, seed), run(budget, seed));
        println!(
            "{budget} bytes a second: {} large pieces {:.4} m apart, alone {:.4}; {} bytes",
            told.large, told.apart, alone.apart, told.most
        );
        assert_eq!(alone.most, 0);
        assert!(told.large > 10);
        assert!(told.most <= budget && told.most > budget / 4);
        assert!(told.apart < 0.03);
        assert_eq!(told.geometry[0], told.geometry[1]);
        assert_eq!(told.geometry[0], alone.geometry[0]);
        apart += told.apart;
        apart_alone += alone.apart;
    }
    assert!(apart < 0.7 * apart_alone);
}

#[test]
fn an_authority_takes_no_poses_and_a_client_none_of_strangers() {
    let settings = Settings {
        wait_for_results: true,
        ..Settings::default()
    };
    let mut authority = Game::new(Role::Authority, settings.clone(), &world());
    authority.simulation.set_debris_budget(20_000, []);
    let blow = Impact::new(
        authority.objects[0],
        Vec3::new(0.0, 1.0, 0.1),
        Vec3::Z,
        Vec3::new(0.0, 0.0, -200.0),
        3000.0,
    );
    authority.simulation.impact(blow).unwrap();
    (0..20).for_each(|_| authority.step());
    let told: Vec<Message> = authority.simulation.drain_messages().collect();
    let poses: Vec<&Message> = told
        .iter()
        .filter(|message| is_of_debris(message))
        .collect();
    assert!(!poses.is_empty());
    let mut client = Game::new(Role::Client, settings.clone(), &world());
    let mut stranger = Game::new(Role::Client, settings, &[]);
    for message in poses {
        let refused = authority.simulation.receive(&message.0);
        assert_eq!(refused, Err(MessageError::WrongSide));
        // Of pieces that are not there yet.
        assert_eq!(client.simulation.receive(&message.0), Ok(Vec::new()));
        let unknown = stranger.simulation.receive(&message.0);
        assert!(matches!(unknown, Err(MessageError::UnknownObject { .. })));
        for cut in (0..message.0.len()).step_by(41) {
            assert!(client.simulation.receive(&message.0[..cut]).is_err());
        }
    }
    (0..20).for_each(|_| client.step());
}
