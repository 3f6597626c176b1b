//! Large free pieces that land: they tear where the blow bends them.

use fracture_simulation::geometry::glam::{DMat3, DVec3, Vec3};
use fracture_simulation::geometry::{MassProperties, Mesh};
use fracture_simulation::{
    Anchors, Body, BodyError, BodyId, BodyRef, Broken, Event, Impact, LandingContact,
    LandingContacts, LandingStep, Motion, Pose, Settings, Simulation,
};

use crate::buildings::{add_fixed, member};
use crate::setup::{with, written_and_read};

const SUPPORT: u64 = 1;
const EDGE: u64 = 2;

/// Time of a collision, seconds.
const COLLISION_TIME: f32 = 1.0 / 240.0;

const LENGTH: f32 = 2.0;
const HEIGHT: f32 = 0.4;
const DENSITY: f32 = 2400.0;

/// Width of the edge on which it falls, metres.
const WIDTH: f32 = 0.1;

/// A beam on a support, and its mass.
fn beam(settings: Settings, length: f32, strength: f32) -> (Simulation, BodyId) {
    let mut simulation = with(settings);
    let mesh = Mesh::cuboid([length, HEIGHT, HEIGHT]);
    let pose = Pose::from_translation(Vec3::new(0.0, 3.0, 0.0));
    add_fixed(&mut simulation, SUPPORT, [3.0, 0.2, 0.4], [0.0, 2.7, 0.0]);
    let body = simulation.add(member(mesh, pose, strength, 1.0)).unwrap();
    for _ in 0..20 {
        simulation.step(1.0 / 60.0);
    }
    (simulation, body)
}

/// Lets the beam fall flat from a height onto an edge below its middle.
fn let_fall(simulation: &mut Simulation, drop: f32) {
    add_fixed(simulation, EDGE, [WIDTH, 0.2, 1.0], [0.0, 2.7 - drop, 0.0]);
    simulation.remove_external_body(SUPPORT);
}

/// Takes steps of a rate in a second, and gives the breaks that make more than one piece.
fn run(simulation: &mut Simulation, rate: f32, seconds: f32) -> Vec<Broken> {
    let mut tears = Vec::new();
    for _ in 0..(rate * seconds) as usize {
        simulation.step(1.0 / rate);
        for event in simulation.drain_events() {
            match event {
                Event::Broken(broken) if broken.pieces.len() > 1 => tears.push(*broken),
                Event::BreakFailed { reason, .. } => panic!("{reason}"),
                _ => {}
            }
        }
    }
    tears
}

fn tears_of_a_fall(settings: Settings, length: f32, strength: f32, drop: f32) -> Vec<Broken> {
    let (mut simulation, _) = beam(settings, length, strength);
    let_fall(&mut simulation, drop);
    run(&mut simulation, 60.0, 1.5)
}

/// The shares of the mass that the pieces of a break have.
fn shares(broken: &Broken) -> impl Iterator<Item = f64> + '_ {
    let masses = || broken.pieces.iter().map(|piece| piece.kilograms);
    let mass: f64 = masses().sum();
    masses().map(move |own| own / mass)
}

/// The height from which a beam of a strength (Pa) breaks: stopped in the time of a collision, it bears its inertia on
/// the edge, `M = F (L - w) / 8` with `F = m v / t`, and breaks at `M = s b h^2 / 6`.
fn breaking_height(strength: f32) -> f32 {
    let speed =
        strength * 8.0 * HEIGHT * COLLISION_TIME / (6.0 * DENSITY * LENGTH * (LENGTH - WIDTH));
    speed * speed / (2.0 * 9.81)
}

#[test]
fn a_beam_breaks_in_its_middle_from_the_height_that_bending_says_at_any_frame_rate() {
    for strength in [6e6, 1.2e7] {
        for rate in [30.0, 60.0, 144.0] {
            let tears = |factor: f32| {
                let (mut simulation, _) = beam(Settings::default(), LENGTH, strength);
                let_fall(&mut simulation, factor * breaking_height(strength));
                run(&mut simulation, rate, 0.9)
            };
            for factor in [0.25, 0.75] {
                assert!(tears(factor).is_empty(), "{strength} {rate} {factor}");
            }
            let found = tears(1.25);
            let first = found.first().unwrap();
            let halves = shares(first).filter(|share| (0.4..0.6).contains(share));
            assert_eq!(halves.count(), 2, "{strength} {rate}");
        }
    }
}

/// Momentum, and angular momentum about the origin.
fn momenta(mass: &MassProperties, motion: &Motion) -> [DVec3; 2] {
    let density = f64::from(DENSITY);
    let turn = DMat3::from_quat(motion.pose.rotation.as_dquat());
    let center = motion.pose.transform_point(mass.center.as_vec3());
    let momentum = motion.linear.as_dvec3() * mass.volume * density;
    let inertia = turn * mass.inertia(density) * turn.transpose();
    let spin = inertia * motion.angular.as_dvec3();
    [momentum, center.as_dvec3().cross(momentum) + spin]
}

#[test]
fn pieces_go_on_as_their_body_did_and_energy_does_not_grow() {
    let (mut simulation, _) = beam(Settings::default(), LENGTH, 6e6);
    // Off its middle, so that it turns.
    add_fixed(&mut simulation, EDGE, [WIDTH, 0.2, 1.0], [0.3, 1.7, 0.0]);
    simulation.remove_external_body(SUPPORT);
    let (mut piece, mut energy) = (None, f64::INFINITY);
    let mut is_torn = false;
    for _ in 0..90 {
        let before = piece
            .as_ref()
            .and_then(|(body, mass)| Some(momenta(mass, &simulation.motion(*body)?)));
        simulation.step(1.0 / 60.0);
        let now = simulation.mechanical_energy();
        assert!(now <= energy + 0.01 * now.abs(), "{energy} {now}");
        energy = now;
        let events: Vec<Event> = simulation.drain_events().collect();
        for event in events {
            let Event::Broken(broken) = event else {
                continue;
            };
            if let [whole] = &*broken.pieces {
                piece = Some((whole.body, whole.mass));
            } else if let (Some(before), false) = (before, is_torn) {
                is_torn = true;
                let pieces = broken.pieces.iter();
                let after = pieces.map(|piece| momenta(&piece.mass, &piece.motion));
                let after = after.fold([DVec3::ZERO; 2], |[p, l], [own, turning]| {
                    [p + own, l + turning]
                });
                for (before, after) in before.into_iter().zip(after) {
                    let scale = before.length().max(1.0);
                    assert!((after - before).length() < 1e-4 * scale, "{before} {after}");
                }
                assert_eq!(broken.energy_gain, 0.0);
            }
        }
    }
    assert!(is_torn);
}

#[test]
fn what_flies_and_spins_without_a_contact_is_never_solved() {
    let (mut simulation, _) = beam(Settings::default(), LENGTH, 1e4);
    simulation.remove_external_body(SUPPORT);
    let fallen = run_to_piece(&mut simulation);
    let blow = Impact::new(
        fallen,
        Vec3::new(0.9, 3.0, 0.0),
        Vec3::Y,
        Vec3::NEG_Y * 10.0,
        0.1,
    );
    simulation.impact(blow).unwrap();
    let solves = simulation.statistics().stress_solves;
    assert!(run(&mut simulation, 60.0, 5.0).is_empty());
    assert_eq!(simulation.statistics().stress_solves, solves);
}

/// Steps until the beam falls, and gives it.
fn run_to_piece(simulation: &mut Simulation) -> BodyId {
    for _ in 0..20 {
        simulation.step(1.0 / 60.0);
        let events: Vec<Event> = simulation.drain_events().collect();
        for event in events {
            if let Event::Broken(broken) = event {
                return broken.pieces[0].body;
            }
        }
    }
    panic!("it does not fall");
}

#[test]
fn what_lands_softly_and_lies_is_not_solved_again() {
    let (mut simulation, _) = beam(Settings::default(), LENGTH, 6e6);
    add_fixed(&mut simulation, EDGE, [9.0, 1.0, 9.0], [0.0, 2.2, 0.0]);
    simulation.remove_external_body(SUPPORT);
    assert!(run(&mut simulation, 60.0, 1.0).is_empty());
    let solves = simulation.statistics().stress_solves;
    assert!(run(&mut simulation, 60.0, 4.0).is_empty());
    assert_eq!(simulation.statistics().stress_solves, solves);
}

#[test]
fn small_pieces_those_without_strength_and_those_of_a_calm_world_stay_whole() {
    let tears = |settings, length, strength| tears_of_a_fall(settings, length, strength, 2.0);
    assert!(!tears(Settings::default(), LENGTH, 3e6).is_empty());
    assert!(tears(Settings::default(), 1.9, 3e5).is_empty());
    assert!(tears(Settings::default(), LENGTH, 0.0).is_empty());
    let calm = Settings {
        chain_breaks: 0,
        ..Settings::default()
    };
    assert!(tears(calm, LENGTH, 3e6).is_empty());
}

#[test]
fn a_fall_comes_out_the_same_without_threads_and_with_several() {
    let hashes = [0, 1, 3].map(|threads| {
        let settings = Settings {
            threads,
            ..Settings::default()
        };
        let (mut simulation, _) = beam(settings, LENGTH, 6e6);
        let_fall(&mut simulation, 1.0);
        assert!(!run(&mut simulation, 60.0, 1.5).is_empty());
        simulation.state_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

#[test]
fn a_fall_goes_on_where_it_was_saved_before_and_after_it_tears() {
    for (drop, seconds, pieces) in [(1.5, 0.3, 1), (1.0, 1.2, 2)] {
        let (mut simulation, body) = beam(Settings::default(), LENGTH, 6e6);
        let_fall(&mut simulation, drop);
        run(&mut simulation, 60.0, seconds);
        let saved = simulation.save(body);
        assert!(saved.pieces.len() >= pieces, "{}", saved.pieces.len());
        let read = written_and_read(saved);
        let (mut loaded, new) = beam(Settings::default(), LENGTH, 6e6);
        let_fall(&mut loaded, drop);
        loaded.restore(new, &read).unwrap();
        let count = |simulation: &mut Simulation, body| {
            run(simulation, 60.0, 1.5);
            simulation.save(body).pieces.len()
        };
        let own = count(&mut simulation, body);
        assert!(own > 1);
        assert_eq!(count(&mut loaded, new), own);
    }
}

/// A free beam of concrete that the host moves, ready to break.
fn host_beam(strength: f32) -> (Simulation, BodyId) {
    prepared_beam(Anchors::free(), LENGTH, strength)
}

fn prepared_beam(anchors: Anchors, length: f32, strength: f32) -> (Simulation, BodyId) {
    let mut simulation = with(Settings::default());
    let height = HEIGHT.min(length);
    let mesh = Mesh::cuboid([length, height, height]);
    let body = Body {
        anchors,
        ..member(mesh, Pose::IDENTITY, strength, 1.0)
    };
    let body = simulation.add(body).unwrap();
    run(&mut simulation, 60.0, 0.1);
    (simulation, body)
}

/// A step in which an edge below the middle of the beam has stopped it from a speed.
fn stopped(body: BodyId, speed: f32) -> LandingStep {
    LandingStep {
        body,
        linear: [Vec3::NEG_Y * speed, Vec3::ZERO],
        spin: Vec3::ZERO,
        pose: Pose::IDENTITY,
        mass: DENSITY * LENGTH * HEIGHT * HEIGHT,
        gravity: Vec3::ZERO,
        dt: 1.0 / 60.0,
    }
}

/// The contacts with an edge below the beam, which have stopped it from a speed.
fn contacts_with_edge(speed: f32) -> LandingContacts {
    let impulse = DENSITY * LENGTH * HEIGHT * HEIGHT * speed;
    let contacts = contacts_across(0.0, 1.0, impulse);
    LandingContacts {
        contacts: vec![(BodyRef::External(EDGE), contacts)],
        iterations: 4,
    }
}

/// The contacts by which an impulse (N s) pushes the beam up or down, over some width at a place along it.
fn contacts_across(x: f32, up: f32, impulse: f32) -> Vec<LandingContact> {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let at =
        |[u, v]: [f32; 2]| Vec3::new(x + 0.5 * u * WIDTH, -0.5 * up * HEIGHT, 0.5 * v * HEIGHT);
    let contacts = corners.map(|corner| LandingContact {
        face: 0,
        place: at(corner).as_dvec3(),
        normal: DVec3::Y * f64::from(up),
        impulse: f64::from(0.25 * impulse),
    });
    contacts.into()
}

#[test]
fn an_intact_body_that_the_host_moves_breaks_as_a_piece_does() {
    let strength = 6e6;
    let breaking = (2.0 * 9.81 * breaking_height(strength)).sqrt();
    for (factor, breaks) in [(0.5, false), (0.85, false), (1.15, true), (2.0, true)] {
        let (mut simulation, body) = host_beam(strength);
        assert!(simulation.feels_landings(body));
        let speed = factor * breaking;
        let contacts = || contacts_with_edge(speed);
        simulation
            .add_landing_step(stopped(body, speed), contacts)
            .unwrap();
        let tears = run(&mut simulation, 60.0, 0.2);
        assert_eq!(!tears.is_empty(), breaks, "{factor}");
        if let Some(first) = tears.first() {
            let halves = shares(first).filter(|share| (0.4..0.6).contains(share));
            assert_eq!(halves.count(), 2, "{factor}");
            assert!(!simulation.feels_landings(body));
        }
    }
}

#[test]
fn the_largest_piece_tears_when_a_blow_breaks_the_body_in_the_same_landing() {
    let (mut simulation, body) = host_beam(6e6);
    let corner = Vec3::new(1.0, -0.2, 0.2);
    let blow = Impact {
        radius: Some(0.2),
        ..Impact::new(body, corner, Vec3::NEG_Y, Vec3::Y * 1e4, 1e4)
    };
    simulation.impact(blow).unwrap();
    let contacts = || contacts_with_edge(4.0);
    let landing = stopped(body, 4.0);
    simulation.add_landing_step(landing, contacts).unwrap();
    let breaks = run(&mut simulation, 60.0, 0.3);
    assert_eq!(breaks.len(), 2, "{breaks:?}");
    let sizes = |broken: &Broken| {
        let mut sizes: Vec<f64> = broken.pieces.iter().map(|own| own.kilograms).collect();
        sizes.sort_by(|a, b| b.total_cmp(a));
        sizes
    };
    // First a corner comes off, then the rest breaks in its middle.
    assert!(sizes(&breaks[0])[1] < 50.0);
    assert!(sizes(&breaks[1])[1] > 250.0);
}

#[test]
fn steps_of_a_landing_are_added_up_and_contacts_that_stop_nothing_are_not_asked_for() {
    let (mut simulation, body) = host_beam(6e6);
    let fall = LandingStep {
        linear: [Vec3::ZERO, Vec3::NEG_Y * 9.81 / 60.0],
        gravity: Vec3::NEG_Y * 9.81,
        ..stopped(body, 0.0)
    };
    let never = || -> LandingContacts { panic!("nothing has touched it") };
    simulation.add_landing_step(fall, never).unwrap();
    assert!(run(&mut simulation, 60.0, 0.2).is_empty());

    let breaking = (2.0 * 9.81 * breaking_height(6e6)).sqrt();
    let mut tears = Vec::new();
    for half in [1.0, 0.5] {
        let step = LandingStep {
            linear: [
                Vec3::NEG_Y * 1.2 * breaking * half,
                Vec3::NEG_Y * 1.2 * breaking * (half - 0.5),
            ],
            ..stopped(body, 0.0)
        };
        let contacts = || contacts_with_edge(0.6 * breaking);
        simulation.add_landing_step(step, contacts).unwrap();
        tears.extend(run(&mut simulation, 60.0, 1.5 / 60.0));
    }
    assert!(tears.is_empty());
    assert_eq!(run(&mut simulation, 60.0, 0.2).len(), 1);
}

#[test]
fn a_landing_that_is_none_is_refused_and_what_is_held_or_small_does_not_feel_any() {
    let (mut simulation, body) = host_beam(6e6);
    let bad = LandingStep {
        spin: Vec3::NAN,
        ..stopped(body, 5.0)
    };
    let contacts = || contacts_with_edge(5.0);
    let refused = simulation.add_landing_step(bad, contacts);
    assert_eq!(refused, Err(BodyError::NotFinite { what: "landing" }));
    let mut odd = contacts_with_edge(5.0);
    for contact in &mut odd.contacts[0].1 {
        contact.impulse = f64::NAN;
    }
    let landing = stopped(body, 5.0);
    simulation.add_landing_step(landing, || odd).unwrap();
    assert!(run(&mut simulation, 60.0, 0.2).is_empty());

    for (anchors, length, strength) in [
        (Anchors::free(), 0.28, 6e6),
        (Anchors::free(), LENGTH, 0.0),
        (
            Anchors::boxes(vec![[Vec3::NEG_ONE, Vec3::ONE]]),
            LENGTH,
            6e6,
        ),
    ] {
        let (simulation, body) = prepared_beam(anchors, length, strength);
        assert!(!simulation.feels_landings(body), "{length} {strength}");
    }
}

/// A step in which the beam lies on two supports at its ends, which a load (N) on its middle presses onto them.
fn loaded(body: BodyId, load: f32) -> (LandingStep, LandingContacts) {
    let dt = 1.0 / 60.0;
    let mass = DENSITY * LENGTH * HEIGHT * HEIGHT;
    let step = LandingStep {
        linear: [Vec3::ZERO; 2],
        gravity: Vec3::NEG_Y * 9.81,
        ..stopped(body, 0.0)
    };
    let weight = mass * 9.81;
    let end = 0.5 * (LENGTH - WIDTH);
    let held = 0.5 * (weight + load);
    let contacts = [
        (3, -end, 1.0, held),
        (4, end, 1.0, held),
        (5, 0.0, -1.0, load),
    ];
    let contacts = contacts.map(|(key, x, up, force)| {
        // Rapier reports the impulse that the solver began with besides those of its four iterations.
        let contacts = contacts_across(x, up, 1.25 * force * dt);
        (BodyRef::External(key), contacts)
    });
    let contacts = LandingContacts {
        contacts: contacts.into(),
        iterations: 4,
    };
    (step, contacts)
}

#[test]
fn a_beam_that_lies_on_its_ends_breaks_under_what_bending_says_and_is_solved_when_its_loads_change()
{
    let strength = 6e6;
    // `M = F l / 4 + G l / 8` and `M = s b h^2 / 6`, with the length between the middles of its supports.
    let length = LENGTH - WIDTH;
    let moment = strength * HEIGHT * HEIGHT * HEIGHT / 6.0;
    let own = DENSITY * HEIGHT * HEIGHT * length * 9.81 * length / 8.0;
    let breaking = 4.0 * (moment - own) / length;
    for (factor, breaks) in [(0.0, false), (0.75, false), (1.25, true)] {
        let (mut simulation, body) = host_beam(strength);
        let mut tears = Vec::new();
        for _ in 0..60 {
            let (step, contacts) = loaded(body, factor * breaking);
            if tears.is_empty() {
                simulation.add_landing_step(step, || contacts).unwrap();
            }
            tears.extend(run(&mut simulation, 60.0, 1.5 / 60.0));
        }
        assert_eq!(!tears.is_empty(), breaks, "{factor}");
        // Once, and not in each look.
        let solves = u64::from(factor > 0.0);
        assert_eq!(simulation.statistics().stress_solves, solves, "{factor}");
        if let Some(first) = tears.first() {
            assert_eq!(shares(first).filter(|share| *share > 0.4).count(), 2);
        }
    }
}

#[test]
fn a_load_that_moves_along_a_beam_is_solved_anew() {
    let (mut simulation, body) = host_beam(6e6);
    let mut solves = Vec::new();
    for x in [0.9, 0.9, 0.45, 0.0] {
        for _ in 0..60 {
            let (step, mut contacts) = loaded(body, 8e4);
            for contact in &mut contacts.contacts[2].1 {
                contact.place.x += x;
            }
            simulation.add_landing_step(step, || contacts).unwrap();
            assert!(run(&mut simulation, 60.0, 1.5 / 60.0).is_empty());
        }
        solves.push(simulation.statistics().stress_solves);
    }
    assert_eq!(solves, [1, 1, 2, 3]);
}
