//! Several games of one world over a bad network: what has broken is the same in all of them, to the bit.

use fracture_simulation::external::ExternalBody;
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::network::{Message, MessageError, Role};
use fracture_simulation::{
    Body, BodyId, BodyKind, Impact, Material, Settings, SharedShape, Simulation,
};

use crate::collapses::table;
use crate::dice::Dice;
use crate::hostile_bytes::{mended, HEADER_SIZE};
use crate::setup::{at, cube, wall, DT};

/// Frames that a message takes at least, 100 ms, and at most.
const DELAY: [usize; 2] = [6, 10];

/// A network on the way to one game: it loses one message of twenty, and doubles as many.
#[derive(Default)]
pub struct Link {
    /// By the frame in which they come.
    under_way: Vec<(usize, Message)>,
    bytes: usize,
    largest: usize,
}

impl Link {
    pub fn send(&mut self, message: Message, frame: usize, dice: &mut Dice) {
        self.bytes += message.0.len();
        self.largest = self.largest.max(message.0.len());
        for _ in 0..1 + usize::from(dice.below(20) == 0) {
            if dice.below(20) > 0 {
                let delay = DELAY[0] + dice.below(DELAY[1] - DELAY[0]);
                self.under_way.push((frame + delay, message.clone()));
            }
        }
    }

    pub fn arrived(&mut self, frame: usize) -> Vec<Message> {
        let (now, later) = std::mem::take(&mut self.under_way)
            .into_iter()
            .partition(|(due, _)| *due <= frame);
        self.under_way = later;
        now.into_iter().map(|(_, message)| message).collect()
    }
}

/// One player's game.
pub struct Game {
    pub simulation: Simulation,
    pub objects: Vec<BodyId>,
}

impl Game {
    pub fn new(role: Role, settings: Settings, bodies: &[Body]) -> Self {
        let mut simulation = Simulation::new(settings).unwrap();
        let ground = ExternalBody::fixed(SharedShape::cuboid(80.0, 1.0, 80.0), at(0.0, -1.0, 0.0));
        simulation.set_external_body(0, ground).unwrap();
        simulation.set_role(role);
        let mut objects = Vec::new();
        for (index, body) in bodies.iter().enumerate() {
            let id = simulation.add(body.clone()).unwrap();
            simulation.share(100 + index as u32, id).unwrap();
            objects.push(id);
        }
        Self {
            simulation,
            objects,
        }
    }

    /// The hash of all that stands of each object, and with `all` of its debris as well.
    pub fn geometry(&self, all: bool) -> Vec<Vec<u64>> {
        let objects = self.objects.iter();
        let of = |object: &BodyId| {
            let mut pieces = self.simulation.descendants(*object);
            pieces.push(*object);
            let counts = |body: &BodyId| match self.simulation.kind(*body) {
                Some(BodyKind::Debris) => all,
                kind => kind.is_some(),
            };
            pieces.retain(counts);
            let hashes = pieces.iter();
            let mut hashes: Vec<u64> = hashes
                .map(|piece| self.simulation.geometry_hash([("", *piece)]))
                .collect();
            hashes.sort_unstable();
            hashes
        };
        objects.map(of).collect()
    }

    fn breaks(&self) -> usize {
        let logs = self.objects.iter();
        logs.map(|object| self.simulation.save_compact(*object).breaks.len())
            .sum()
    }

    pub fn step(&mut self) {
        self.simulation.step(DT);
        self.simulation.drain_events().for_each(drop);
    }
}

/// Ten objects: walls, tables that come down by their weight, and free cubes.
pub fn world() -> Vec<Body> {
    let mut bodies = Vec::new();
    for index in 0..10 {
        let body = match index % 5 {
            0 | 1 => wall(),
            2 => Body {
                material: Material {
                    cracks_stay: true,
                    ..wall().material
                },
                ..wall()
            },
            3 => table(),
            _ => cube(),
        };
        let (x, z) = (8.0 * (index % 5) as f32, 8.0 * (index / 5) as f32);
        bodies.push(Body {
            motion: at(x, if index % 5 == 4 { 0.6 } else { 0.0 }, z),
            seed: index as u64,
            ..body
        });
    }
    bodies
}

/// A random blow at an object, or a cut.
pub fn blow(game: &Game, dice: &mut Dice, place: usize) -> Impact {
    let mut figure = || dice.below(1 << 12) as f32 / (1 << 11) as f32 - 1.0;
    let origin = Vec3::new(8.0 * (place % 5) as f32, 0.0, 8.0 * (place / 5) as f32);
    let point = origin + Vec3::new(1.9 * figure(), 1.0 + figure(), 0.1 * figure());
    let normal = Vec3::new(figure(), figure(), 1.0);
    let impulse = Vec3::new(20.0 * figure(), 20.0 * figure(), -100.0);
    let energy = 1000.0 * (1.1 + figure());
    let body = game.objects[place];
    match dice.below(25) {
        0 => Impact::blade(body, point, normal),
        1 => Impact {
            radius: Some(0.25),
            ..Impact::new(body, point, normal, impulse, energy)
        },
        _ => Impact::new(body, point, normal, impulse, energy),
    }
}

/// An authority and clients, and what is under way between them.
struct Session {
    authority: Game,
    clients: Vec<(Game, Link, Link)>,
    frame: usize,
    dice: Dice,
}

impl Session {
    fn new(settings: &Settings, clients: usize, seed: u64) -> Self {
        let game = |role| Game::new(role, settings.clone(), &world());
        Self {
            authority: game(Role::Authority),
            clients: (0..clients)
                .map(|_| (game(Role::Client), Link::default(), Link::default()))
                .collect(),
            frame: 0,
            dice: Dice(seed),
        }
    }

    fn step(&mut self) {
        self.frame += 1;
        let (frame, dice) = (self.frame, &mut self.dice);
        self.authority.step();
        let told: Vec<Message> = self.authority.simulation.drain_messages().collect();
        for (client, down, up) in &mut self.clients {
            for message in up.arrived(frame) {
                let answers = self.authority.simulation.receive(&message.0).unwrap();
                answers
                    .into_iter()
                    .for_each(|answer| down.send(answer, frame, dice));
            }
            let news = told.iter().cloned();
            news.for_each(|message| down.send(message, frame, dice));
            for message in down.arrived(frame) {
                assert_eq!(client.simulation.receive(&message.0), Ok(Vec::new()));
            }
            client.step();
            let own = client.simulation.drain_messages();
            own.for_each(|message| up.send(message, frame, dice));
        }
    }

    fn strike(&mut self) {
        let place = self.dice.below(10);
        let blow = blow(&self.authority, &mut self.dice, place);
        // Of some objects nothing may be left.
        let _ = self.authority.simulation.impact(blow);
    }

    /// Goes on until all that has been told has happened everywhere.
    fn come_to_rest(&mut self) {
        for _ in 0..400 {
            (0..30).for_each(|_| self.step());
            if !self.authority.simulation.settings().wait_for_results {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            let breaks = self.authority.breaks();
            if self.authority.simulation.has_finished_breaks()
                && self
                    .clients
                    .iter()
                    .all(|(game, ..)| game.breaks() == breaks)
            {
                return;
            }
        }
        for (game, ..) in &self.clients {
            let lost: Vec<u32> = game.simulation.lost_objects().collect();
            let statistics = game.simulation.network_statistics();
            println!(
                "{} of {}: lost {lost:?}, {statistics:?}",
                game.breaks(),
                self.authority.breaks()
            );
        }
        panic!("a client has stopped");
    }
}

fn settings(wait_for_results: bool, max_pieces: usize) -> Settings {
    Settings {
        wait_for_results,
        max_pieces,
        keep_size: f32::INFINITY,
        overlap: false,
        ..Settings::default()
    }
}

#[test]
fn pieces_are_the_same_in_two_games_whatever_the_network_does() {
    for (seed, waits) in [(1, true), (2, false)] {
        let mut session = Session::new(&settings(waits, 1 << 20), 1, seed);
        for _ in 0..60 {
            session.strike();
            (0..3).for_each(|_| session.step());
            if !waits {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        }
        session.come_to_rest();
        let authority = &session.authority;
        let (client, down, _) = &session.clients[0];
        assert!(authority.breaks() > 30, "{}", authority.breaks());
        assert_eq!(authority.geometry(true), client.geometry(true));
        let statistics = client.simulation.network_statistics();
        println!(
            "{} breaks, {statistics:?}, {} bytes, largest {}",
            authority.breaks(),
            down.bytes,
            down.largest
        );
        assert_eq!(statistics.refused, 0);
        // When messages are told, and so which of them the network repeats, depends on time without waiting.
        assert!(statistics.repeated > 0 || !waits);
    }
}

#[test]
fn a_client_breaks_nothing_of_its_own() {
    let mut game = Game::new(Role::Client, settings(true, 1000), &world());
    let mut dice = Dice(3);
    for place in 0..10 {
        let blow = blow(&game, &mut dice, place);
        game.simulation.impact(blow).unwrap();
        game.simulation.solve_stress(game.objects[place]).unwrap();
    }
    (0..10).for_each(|_| game.step());
    assert_eq!(game.breaks(), 0);
}

#[test]
fn messages_that_nobody_has_written_are_refused_and_change_nothing() {
    let mut session = Session::new(&settings(true, 1000), 1, 4);
    for _ in 0..6 {
        session.strike();
        session.authority.step();
    }
    (0..5).for_each(|_| session.authority.step());
    let told: Vec<Message> = session.authority.simulation.drain_messages().collect();
    assert!(told.len() > 2);
    let client = &mut session.clients[0].0.simulation;
    let before = client.state_hash();
    for message in &told {
        for cut in 0..message.0.len() {
            assert!(client.receive(&message.0[..cut]).is_err());
        }
        let mut other = message.0.clone();
        other[0] ^= 0x30;
        assert!(matches!(
            client.receive(&other),
            Err(MessageError::Version { .. })
        ));
        for at in 1..message.0.len().min(60) {
            let mut changed = message.0.clone();
            changed[at] ^= 1 << session.dice.below(8);
            assert_eq!(client.receive(&changed), Err(MessageError::Damaged));
        }
        let authority = &mut session.authority.simulation;
        assert_eq!(authority.receive(&message.0), Err(MessageError::WrongSide));
    }
    let unknown = Message(vec![0x10; 1001]);
    assert_eq!(client.receive(&unknown.0), Err(MessageError::Damaged));
    assert_eq!(client.state_hash(), before);
    let mut alone = Simulation::new(Settings::default()).unwrap();
    alone.set_role(Role::Client);
    let stranger = alone.receive(&told[0].0);
    assert!(matches!(stranger, Err(MessageError::UnknownObject { .. })));
    let flood = (0..20_000).filter(|_| client.receive(&told[0].0) == Err(MessageError::TooMany));
    assert!(flood.count() > 10_000);
}

/// Makes an object anew and brings it to the state of a save.
fn make_anew(game: &mut Game, place: usize, save: &[u8]) {
    let simulation = &mut game.simulation;
    simulation.remove(game.objects[place]);
    let id = simulation.add(world()[place].clone()).unwrap();
    simulation.share(100 + place as u32, id).unwrap();
    game.objects[place] = id;
    assert_eq!(simulation.join(save), Ok(Vec::new()));
}

/// A fresh game that joins with the authority's save, and the time that this took, seconds.
fn joined(authority: &Game, settings: &Settings) -> (Game, usize, f64) {
    let mut game = Game::new(Role::Client, settings.clone(), &world());
    (0..20).for_each(|_| game.step());
    let save = authority.simulation.join_save();
    let start = std::time::Instant::now();
    assert_eq!(game.simulation.join(&save), Ok(Vec::new()));
    (game, save.len(), start.elapsed().as_secs_f64())
}

#[test]
fn a_thousand_blows_come_to_games_that_join_late_and_come_back() {
    let settings = settings(true, 100);
    let mut session = Session::new(&settings, 2, 5);
    for number in 0..1000 {
        session.strike();
        (0..2).for_each(|_| session.step());
        if number == 300 {
            session.clients.truncate(1);
        }
        if number == 500 || number == 600 {
            let (game, ..) = joined(&session.authority, &settings);
            session
                .clients
                .push((game, Link::default(), Link::default()));
        }
    }
    session.come_to_rest();
    let breaks = session.authority.breaks();
    let standing = session.authority.geometry(false);
    for (game, down, up) in &session.clients {
        assert_eq!(game.geometry(false), standing);
        println!(
            "{breaks} breaks, {:?}, {} bytes down, largest {}, {} up in {} s",
            game.simulation.network_statistics(),
            down.bytes,
            down.largest,
            up.bytes,
            session.frame / 60,
        );
    }
    let (last, size, seconds) = joined(&session.authority, &settings);
    assert_eq!(last.geometry(false), standing);
    assert!(size < 100_000, "{size}");
    println!("{size} bytes to join, {seconds} s");
}

/// Takes back what the authority has not taken, and says how many objects that were.
fn heal(client: &mut Game) -> u64 {
    let lost: Vec<u32> = client.simulation.lost_objects().collect();
    for object in &lost {
        let save = client.simulation.state_before_foretold(*object).unwrap();
        make_anew(client, (object - 100) as usize, &save);
    }
    lost.len() as u64
}

#[test]
fn a_blow_that_a_client_foretells_is_confirmed_or_taken_back() {
    let mut session = Session::new(&settings(true, 1 << 20), 2, 6);
    let (mut foretold, mut made_anew) = (0_u64, 0_u64);
    for number in 0..60 {
        let place = session.dice.below(10);
        if number % 4 == 0 {
            session.strike();
        }
        let (client, ..) = &mut session.clients[0];
        let own = blow(client, &mut session.dice, place);
        foretold += u64::from(client.simulation.foretell(own).unwrap_or(false));
        for _ in 0..6 {
            session.step();
            made_anew += heal(&mut session.clients[0].0);
        }
    }
    for _ in 0..150 {
        session.step();
        made_anew += heal(&mut session.clients[0].0);
    }
    session.come_to_rest();
    let statistics = session.clients[0].0.simulation.network_statistics();
    println!("{foretold} foretold, {statistics:?}");
    assert!(statistics.confirmed > 10 && foretold > 10);
    assert!(made_anew >= statistics.taken_back);
    for (game, ..) in &session.clients {
        assert_eq!(game.geometry(true), session.authority.geometry(true));
    }
}

/// The largest radius of a material is no number of 16 bits.
#[test]
fn a_foretold_blow_of_the_largest_radius_is_confirmed() {
    let mut session = Session::new(&settings(true, 1000), 1, 7);
    let (client, ..) = &mut session.clients[0];
    let impulse = Vec3::new(0.0, 0.0, -300.0);
    let point = Vec3::new(0.3, 1.2, 0.1);
    let own = Impact::new(client.objects[0], point, Vec3::Z, impulse, 1e6);
    assert_eq!(client.simulation.foretell(own), Ok(true));
    (0..60).for_each(|_| session.step());
    let statistics = session.clients[0].0.simulation.network_statistics();
    assert_eq!((statistics.confirmed, statistics.taken_back), (1, 0));
}

#[test]
fn a_blow_that_the_authority_refuses_is_taken_back_and_nothing_is_left_of_it() {
    let mut session = Session::new(&settings(true, 1000), 1, 7);
    session.authority.simulation.set_foretold_limit(10.0);
    let (client, ..) = &mut session.clients[0];
    let whole = client.geometry(true);
    let own = blow(client, &mut Dice(1), 0);
    assert_eq!(client.simulation.foretell(own), Ok(true));
    (0..5).for_each(|_| session.step());
    assert_ne!(session.clients[0].0.geometry(true), whole);
    (0..150).for_each(|_| session.step());
    let (client, ..) = &mut session.clients[0];
    assert_eq!(client.simulation.lost_objects().collect::<Vec<_>>(), [100]);
    let save = client.simulation.state_before_foretold(100).unwrap();
    make_anew(client, 0, &save);
    assert_eq!(client.geometry(true), whole);
    assert_eq!(session.authority.breaks(), 0);
}

#[test]
fn saves_for_those_who_join_are_refused_when_they_are_damaged() {
    let mut session = Session::new(&settings(true, 1000), 0, 8);
    for _ in 0..6 {
        session.strike();
        (0..3).for_each(|_| session.step());
    }
    let save = session.authority.simulation.join_save();
    let mut dice = Dice(9);
    let mut game = Game::new(Role::Client, settings(true, 1000), &world());
    for cut in (0..save.len()).step_by(7) {
        assert!(game.simulation.join(&save[..cut]).is_err());
    }
    for copy in 0..60 {
        let mut changed = save.clone();
        let at = HEADER_SIZE + dice.below(save.len() - HEADER_SIZE - 12);
        match copy % 3 {
            0 => changed[at] ^= 1 << dice.below(8),
            1 => changed[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes()),
            _ => changed[at..at + 4].fill(0xff),
        }
        let mut game = Game::new(Role::Client, settings(true, 1000), &world()[..5]);
        let _ = game.simulation.join(&mended(changed));
        (0..2).for_each(|_| game.step());
    }
    assert_eq!(game.simulation.join(&save), Ok(Vec::new()));
    assert_eq!(game.breaks(), session.authority.breaks());
}
