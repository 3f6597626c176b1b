//! Debris breaks, and breaks what it falls on.

use fracture_simulation::geometry::glam::{DVec3, Quat, Vec3};
use fracture_simulation::geometry::{Mesh, Pattern};
use fracture_simulation::rapier3d::prelude::RigidBodyBuilder;
use fracture_simulation::{
    external::{BodyDesc, BodyType, ExternalBody},
    pattern::{LazyPattern, PatternFit},
    Body, BodyId, BodyRef, DebrisCollision, DropReason, Event, Impact, Material, Motion, Settings,
    SharedShape, Simulation,
};

use crate::engine::floor;
use crate::rubble_piles::{add_to_both, engine_with, simulation_with};
use crate::setup::{at, body, breaks_among, broken, impact_at, pattern, step, waiting, with};

/// Two halves of a cube of 0.6 m (some 260 kg each) that fall from a height.
fn chunks(simulation: &mut Simulation, height: f32, material: Material) -> Vec<BodyId> {
    let sites = [DVec3::new(-0.4, 0.0, 0.0), DVec3::new(0.4, 0.0, 0.0)];
    let block = Body {
        motion: at(0.0, height, 0.0),
        pattern: LazyPattern::new(move || Pattern::from_sites(&sites)),
        fit: PatternFit::BODY,
        material,
        ..body(Mesh::cuboid([0.6; 3]))
    };
    let id = simulation.add(block).unwrap();
    let cut = Impact {
        radius: Some(2.0),
        energy: 1e-3,
        impulse: Vec3::new(0.0, -25.0, 0.0),
        ..impact_at(id, [0.0, height, 0.0])
    };
    simulation.impact(cut).unwrap();
    let pieces = broken(simulation).pieces;
    assert_eq!(pieces.len(), 2);
    pieces.iter().map(|piece| piece.body).collect()
}

/// A slab of 3 x 0.4 x 3 m, top at height 0, that stands still.
fn slab(simulation: &mut Simulation, damage_threshold: f32) -> BodyId {
    let shape = SharedShape::cuboid(1.5, 0.2, 1.5);
    let base = [Vec3::new(-2.0, -0.3, -2.0), Vec3::new(2.0, -0.15, 2.0)];
    let slab = Body {
        motion: at(0.0, -0.2, 0.0),
        proxy: Some(BodyDesc::new(shape, BodyType::Fixed)),
        anchors: fracture_simulation::Anchors::boxes(vec![base]),
        material: tough(damage_threshold, 1),
        ..body(Mesh::cuboid([3.0, 0.4, 3.0]))
    };
    simulation.add(slab).unwrap()
}

/// A material whose pieces are as tough as the intact body.
fn tough(damage_threshold: f32, max_depth: u32) -> Material {
    Material {
        damage_threshold: Some(damage_threshold),
        max_depth,
        threshold_factor: 1.0,
        min_radius: 0.3,
        ..Material::default()
    }
}

/// Whether a slab and the pieces dropped onto it from a height break within two seconds.
fn fall(height: f32, of_slab: f32, of_chunks: f32) -> [bool; 2] {
    let mut simulation = waiting();
    let slab = slab(&mut simulation, of_slab);
    // The first break is by an impact of 25 N s.
    let chunks = chunks(&mut simulation, 0.3 + height, tough(20.0, 3));
    for chunk in &chunks {
        simulation
            .set_material(*chunk, tough(of_chunks, 3))
            .unwrap();
    }
    let mut broke = [false; 2];
    for _ in 0..120 {
        for event in step(&mut simulation) {
            if let Event::Broken(broken) = event {
                broke[0] |= broken.body == slab;
                broke[1] |= chunks.contains(&broken.body);
            }
        }
    }
    broke
}

#[test]
fn of_two_colliding_bodies_the_weaker_breaks_or_both() {
    // 260 kg from 1 m arrive at 4.4 m/s: some 1,150 N s.
    assert_eq!(fall(1.0, 300.0, 1e6), [true, false]);
    assert_eq!(fall(1.0, 1e6, 300.0), [false, true]);
    assert_eq!(fall(1.0, 300.0, 300.0), [true, true]);
    assert_eq!(fall(1.0, 5e3, 5e3), [false, false]);
}

#[test]
fn a_rod_that_falls_on_its_end_strikes_with_a_part_of_its_energy() {
    let mut simulation = with(Settings {
        report_contacts: 1.0,
        ..Settings::default()
    });
    slab(&mut simulation, 1e6);
    let sites = [DVec3::new(-0.4, 0.0, 0.0), DVec3::new(0.4, 0.0, 0.0)];
    let mut motion = at(0.0, 1.6, 0.0);
    motion.pose.rotation = Quat::from_rotation_z(0.35);
    let rod = Body {
        motion,
        pattern: LazyPattern::new(move || Pattern::from_sites(&sites)),
        fit: PatternFit::BODY,
        material: tough(20.0, 1),
        ..body(Mesh::cuboid([2.0, 0.08, 0.08]))
    };
    let id = simulation.add(rod).unwrap();
    let cut = Impact {
        radius: Some(2.0),
        energy: 1e-3,
        impulse: Vec3::new(0.0, -25.0, 0.0),
        ..impact_at(id, [0.0, 1.6, 0.0])
    };
    simulation.impact(cut).unwrap();
    let pieces = broken(&mut simulation).pieces;
    let mass = pieces[0].kilograms as f32;
    let collision = collisions(&mut simulation, 120)[0];
    // The end of a rod of 1 m resists as 0.27 of its mass at this angle.
    let whole = 0.5 * mass * collision.speed * collision.speed;
    let share = collision.energy / whole;
    assert!((0.24..0.31).contains(&share), "{share}");
    let most = 1.5 * share * mass * collision.speed;
    assert!(collision.impulse <= 1.001 * most, "{collision:?}");
}

#[test]
fn resting_debris_breaks_nothing() {
    // The weight of a piece is 42 N s in a step.
    assert_eq!(fall(0.002, 10.0, 10.0), [false, false]);
}

#[test]
fn a_break_takes_its_energy_from_the_motion() {
    let mut simulation = waiting();
    slab(&mut simulation, 1e6);
    let chunks = chunks(&mut simulation, 2.3, tough(20.0, 3));
    for chunk in &chunks {
        simulation.set_material(*chunk, tough(300.0, 2)).unwrap();
    }
    let energy = |simulation: &Simulation, pieces: &[(BodyId, f64)]| -> f64 {
        let kinetic = |(id, mass): &(BodyId, f64)| {
            let motion = simulation.motion(*id).unwrap();
            0.5 * mass * f64::from(motion.linear.length_squared())
        };
        pieces.iter().map(kinetic).sum()
    };
    let (mut fastest, mut after) = (0.0f64, None);
    let whole: Vec<_> = chunks.iter().map(|id| (*id, 2400.0 * 0.108)).collect();
    for _ in 0..120 {
        let events = step(&mut simulation);
        for event in events {
            if let Event::Broken(broken) = event {
                let pieces = broken.pieces.iter();
                let pieces: Vec<_> = pieces.map(|p| (p.body, p.kilograms)).collect();
                after = after.or(Some(energy(&simulation, &pieces)));
            }
        }
        if after.is_none() {
            fastest = fastest.max(energy(&simulation, &whole));
        }
    }
    let after = after.expect("a chunk broke");
    // Each piece of 260 kg from 2 m has 5,100 J.
    assert!(fastest > 9e3, "{fastest} J");
    assert!(
        after < 0.1 * fastest,
        "{after} J of {fastest} J are left in the pieces"
    );
}

/// The number of the ground among the engine's bodies.
const GROUND: u64 = 7;

/// A simulation with the ground at height 0.
fn on_ground(settings: Settings) -> Simulation {
    let mut simulation = with(settings);
    let (shape, motion) = floor(0.0);
    let ground = ExternalBody::fixed(shape, motion);
    simulation.set_external_body(GROUND, ground).unwrap();
    simulation
}

/// The collisions that some steps tell.
fn collisions(simulation: &mut Simulation, steps: u32) -> Vec<DebrisCollision> {
    let events = (0..steps).flat_map(|_| step(simulation));
    events.filter_map(|event| collision(&event)).collect()
}

fn collision(event: &Event) -> Option<DebrisCollision> {
    match event {
        Event::Collision(collision) => Some(*collision),
        _ => None,
    }
}

/// A cube of 1 m and of some thresholds that is broken into 64 pieces above the ground.
fn heap(damage_threshold: f32, max_depth: u32, chain_breaks: usize) -> (Simulation, BodyId) {
    let mut simulation = on_ground(Settings {
        chain_breaks,
        ..Settings::default()
    });
    let block = Body {
        motion: at(0.0, 3.0, 0.0),
        pattern: pattern(64),
        fit: PatternFit::BODY,
        material: tough(damage_threshold, max_depth),
        ..body(Mesh::cuboid([1.0; 3]))
    };
    let id = simulation.add(block).unwrap();
    let all = Impact {
        radius: Some(3.0),
        energy: 1e-3,
        impulse: Vec3::new(0.0, -1.1 * damage_threshold, 0.0),
        ..impact_at(id, [0.0, 3.0, 0.0])
    };
    simulation.impact(all).unwrap();
    (simulation, id)
}

#[test]
fn a_chain_reaction_keeps_to_its_budget_and_tells_of_dropped_impacts() {
    let (mut simulation, id) = heap(15.0, 3, 2);
    let mut most = 0;
    let mut dropped = Vec::new();
    for _ in 0..240 {
        let broken = |event: &Event| matches!(event, Event::Broken(broken) if broken.body != id);
        let events = step(&mut simulation);
        most = most.max(events.iter().filter(|e| broken(e)).count());
        dropped.extend(events.iter().filter_map(|event| match event {
            Event::Dropped { body, reason } => Some((*body, *reason)),
            _ => None,
        }));
    }
    let statistics = simulation.statistics();
    assert_eq!(most, 2, "{statistics:?}");
    assert!(statistics.chain_dropped > 5, "{statistics:?}");
    assert!(dropped.len() > 2, "{dropped:?}");
    assert!(
        dropped.len() <= statistics.chain_dropped as usize,
        "{dropped:?}"
    );
    let is_chain =
        |(body, reason): &(BodyId, DropReason)| *body != id && *reason == DropReason::TooManyBreaks;
    assert!(dropped.iter().all(is_chain), "{dropped:?}");
}

/// The blows that come to nothing, by the frame, the body, the impulse and the threshold.
fn weak_blows(simulation: &mut Simulation, frames: u32) -> Vec<(u32, BodyId, [f32; 2])> {
    let mut found = Vec::new();
    for frame in 0..frames {
        let weak = step(simulation)
            .into_iter()
            .filter_map(|event| match event {
                Event::BelowThreshold(blow) => Some((
                    frame,
                    blow.body,
                    [blow.impulse.length(), blow.damage_threshold],
                )),
                _ => None,
            });
        found.extend(weak);
    }
    found
}

#[test]
fn a_blow_of_debris_that_breaks_nothing_is_told_where_it_is_felt() {
    // Some 260 kg each from 1.4 m: 1,350 N s.
    let told = |of_slab: f32, of_chunks: f32| {
        let mut simulation = waiting();
        let slab = slab(&mut simulation, of_slab);
        let chunks = chunks(&mut simulation, 1.7, tough(20.0, 3));
        for chunk in &chunks {
            let material = tough(of_chunks, 3);
            simulation.set_material(*chunk, material).unwrap();
        }
        let told = weak_blows(&mut simulation, 300);
        let last = told.iter().map(|(frame, ..)| *frame).max();
        assert!(last.is_none_or(|frame| frame < 150), "{told:?}");
        let of = |bodies: &[BodyId]| {
            let mut blows = told.iter().filter(|(_, body, _)| bodies.contains(body));
            let [impulse, threshold] = blows.next()?.2;
            assert!((200.0..2e3).contains(&impulse), "{told:?}");
            assert!(blows.count() < 8, "{told:?}");
            Some(threshold)
        };
        [of(&[slab]), of(&chunks)]
    };
    assert_eq!(told(7e3, 6e3), [Some(7e3), Some(6e3)]);
    assert_eq!(told(1e6, 6e3), [None, Some(6e3)]);
    assert_eq!(told(7e3, 1e6), [Some(7e3), None]);
}

#[test]
fn rubble_that_comes_to_rest_tells_of_its_blows_and_not_of_each_frame() {
    let (mut simulation, _) = heap(600.0, 3, 32);
    let told = weak_blows(&mut simulation, 600);
    assert!(told.len() > 10, "{told:?}");
    for (index, (frame, body, [impulse, _])) in told.iter().enumerate() {
        let next = told[index + 1..].iter().find(|(_, other, _)| other == body);
        let is_new = |(at, _, [other, _]): &(u32, BodyId, [f32; 2])| {
            *at >= frame + 30 || *other >= 2.0 * impulse
        };
        assert!(next.is_none_or(is_new), "{body:?}: {told:?}");
    }
    // From four seconds on it lies.
    let late = told.iter().filter(|(frame, ..)| *frame > 240).count();
    assert_eq!(late, 0, "{told:?}");
}

#[test]
fn contacts_are_told_of_with_their_numbers() {
    let mut simulation = on_ground(Settings {
        report_contacts: 50.0,
        ..Settings::default()
    });
    let chunks = chunks(&mut simulation, 1.3, tough(20.0, 1));
    let contacts = collisions(&mut simulation, 180);
    let first = contacts.first().expect("they hit the ground");
    let owners = first.bodies;
    assert!(owners.contains(&BodyRef::External(GROUND)), "{first:?}");
    assert!(owners
        .iter()
        .any(|owner| owner.breakable().is_some_and(|b| chunks.contains(&b))));
    assert!((first.speed - 4.4).abs() < 0.3, "{first:?}");
    assert!(
        (first.normal.y.abs() - 1.0).abs() < 1e-3 && first.point.y.abs() < 0.05,
        "{first:?}"
    );
    assert!(first.impulse > 300.0 && first.energy > 1000.0, "{first:?}");
    // Pieces at rest cause no events.
    assert!(contacts.len() < 20, "{}", contacts.len());
}

/// A blow at a place that a fast body has left by the end of the step would miss what it strikes.
#[test]
fn a_blow_is_where_each_body_was_struck() {
    let mut simulation = with(Settings {
        report_contacts: 50.0,
        wait_for_results: true,
        ..Settings::default()
    });
    let block = Body {
        motion: Motion {
            linear: Vec3::new(20.0, -8.0, 0.0),
            angular: Vec3::new(0.0, 0.0, 6.0),
            ..at(-1.8, 1.2, 0.0)
        },
        pattern: pattern(2),
        fit: PatternFit::BODY,
        material: tough(20.0, 1),
        ..body(Mesh::cuboid([0.6; 3]))
    };
    let id = simulation.add(block).unwrap();
    let cut = Impact {
        radius: Some(2.0),
        ..impact_at(id, [-1.8, 1.2, 0.0])
    };
    simulation.impact(cut).unwrap();
    let pieces = broken(&mut simulation).pieces;
    // Here the point of the contact is that of the piece, which came first.
    let slab = slab(&mut simulation, 300.0);
    let mut before = Vec::new();
    let landed = (0..60).find_map(|_| {
        before.clear();
        before.extend(pieces.iter().map(|piece| {
            let motion = simulation.motion(piece.body);
            (piece.body, motion.expect("a piece").pose)
        }));
        let events = step(&mut simulation);
        let collision = events.iter().find_map(collision)?;
        Some((events, collision))
    });
    let (events, collision) = landed.expect("they land");
    let bodies = collision.bodies.map(BodyRef::breakable);
    let side = bodies.iter().position(|own| *own == Some(slab));
    let side = side.expect("they hit the slab first");
    let mut poses = before.iter();
    let (_, pose) = poses
        .find(|(body, _)| bodies[1 - side] == Some(*body))
        .unwrap();
    let on_piece = pose.transform_point(collision.places[1 - side]);
    let on_slab = Vec3::new(0.0, -0.2, 0.0) + collision.places[side];
    assert!(on_slab.y.abs() < 1e-3, "{on_slab}");
    let apart = (on_piece - on_slab) * Vec3::new(1.0, 0.0, 1.0);
    assert!(apart.length() < 0.03, "{on_piece}, {on_slab}");
    let later = (0..10).flat_map(|_| step(&mut simulation));
    let mut breaks = breaks_among(events.into_iter().chain(later));
    let of_slab = breaks.find(|broken| broken.body == slab);
    let point = of_slab.expect("it breaks").point;
    assert!(point.distance(on_slab) < 1e-3, "{point}, {on_slab}");
}

#[test]
fn collisions_of_a_landing_take_the_momentum_of_the_fall_and_no_more_than_its_energy() {
    // The solver stops what falls within a step or within two, as the steps happen to meet the ground.
    for k in 0..24 {
        let height = 1.0 + 0.025 * k as f32;
        let mut simulation = on_ground(Settings {
            report_contacts: 50.0,
            ..Settings::default()
        });
        chunks(&mut simulation, 0.3 + height, tough(20.0, 1));
        let told = collisions(&mut simulation, 60);
        let energy: f32 = told.iter().map(|own| own.energy).sum();
        let impulse: f32 = told.iter().map(|own| own.impulse).sum();
        let mass = 2.0 * 0.108 * 2400.0;
        let [of_fall, of_stop] = [mass * 9.81 * height, mass * (2.0 * 9.81 * height).sqrt()];
        let [energy, impulse] = [energy / of_fall, impulse / of_stop];
        assert!((0.93..1.1).contains(&impulse), "{height} m: {impulse}");
        // Half of it where an edge lands first, and the piece turns down.
        assert!((0.5..1.0).contains(&energy), "{height} m: {energy}");
    }
}

/// Whether a ball of some radius (m), mass (kg) and speed (m/s) breaks the piece of 0.3 x 0.6 x 0.6 m on which it falls
/// in the frame in which it appears.
fn breaks_piece(radius: f32, mass: f32, speed: f32) -> bool {
    let statics = [floor(0.0)];
    let mut simulation = simulation_with(&statics);
    let mut engine = engine_with(&statics);
    let pieces = chunks(&mut simulation, 0.3, tough(20.0, 3));
    for piece in &pieces {
        let material = Material {
            damage_threshold: None,
            threshold_factor: 1.0,
            max_depth: 3,
            ..Material::default()
        };
        simulation.set_material(*piece, material).unwrap();
    }
    for _ in 0..120 {
        step(&mut simulation);
    }
    let ball = RigidBodyBuilder::dynamic()
        .translation(Vec3::new(-0.15, 0.61 + radius, 0.0))
        .linvel(Vec3::NEG_Y * speed);
    let shape = SharedShape::ball(radius);
    let ball = add_to_both(&mut simulation, &mut engine, 9, ball, shape, mass);
    for _ in 0..20 {
        engine.step();
        assert!(simulation.set_external_motion(9, engine.motion(ball)));
        for event in step(&mut simulation) {
            match event {
                Event::Broken(_) => return true,
                Event::BelowThreshold(blow) if pieces.contains(&blow.body) => return false,
                _ => {}
            }
        }
        engine.take_back(&simulation, &[(9, ball)]);
    }
    panic!("{radius} m, {mass} kg: nothing is told");
}

#[test]
fn a_small_and_dense_striker_breaks_a_piece_that_a_large_and_light_one_does_not() {
    for (mass, speed, small, large) in [(17.0, 8.0, 0.08, 0.4), (30.0, 6.0, 0.1, 0.7)] {
        assert!(breaks_piece(small, mass, speed), "{small} m");
        assert!(!breaks_piece(large, mass, speed), "{large} m");
    }
}
