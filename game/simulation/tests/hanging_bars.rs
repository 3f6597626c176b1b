//! Parts of reinforced concrete hang on their bars, until these are torn.

use fracture_simulation::geometry::bars::BarFigures;
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::network::Role;
use fracture_simulation::{Anchors, Body, BodyId, BodyKind, Broken, Event, Impact, Simulation};

use crate::setup::{body, front_blow, impact_at, quiet, step, strike, written_and_read};
use crate::weight::{collapse, cuboid, of_strength};

/// A slab of 2 m x 0.2 m x 1 m that is held by a quarter of its length and breaks off from that by its weight.
fn slab(has_bars: bool) -> Body {
    let mesh = cuboid([0.0, -0.1, -0.5], [2.0, 0.1, 0.5]);
    let mut slab = of_strength(body(mesh), 2e5);
    slab.anchors = Anchors::boxes(vec![[
        Vec3::new(-1.0, -1.0, -1.0),
        Vec3::new(0.5, 1.0, 1.0),
    ]]);
    slab.material.threshold_factor = 1.0;
    if has_bars {
        slab.material.bars = BarFigures {
            spacing: 0.15,
            ..BarFigures::default()
        };
    }
    slab
}

/// Has the slab break by its weight; gives it, what is held of it, and what is not.
fn broken_slab(simulation: &mut Simulation, has_bars: bool) -> [BodyId; 3] {
    broken(simulation, slab(has_bars))
}

fn broken(simulation: &mut Simulation, slab: Body) -> [BodyId; 3] {
    let slab = simulation.add(slab).unwrap();
    simulation.solve_stress(slab).unwrap();
    let broken = collapse(simulation).unwrap();
    let [held, free] = [true, false].map(|held| largest(&broken, held));
    [slab, held, free]
}

fn hangs(simulation: &Simulation, free: BodyId, held: BodyId) -> bool {
    simulation.joined(free).contains(&held)
}

fn largest(broken: &Broken, is_held: bool) -> BodyId {
    let pieces = broken.pieces.iter();
    let pieces = pieces.filter(|piece| piece.anchored == is_held);
    let largest = pieces.max_by(|a, b| a.kilograms.total_cmp(&b.kilograms));
    largest.unwrap().body
}

/// How far a piece moves in some steps, metres.
fn way(simulation: &mut Simulation, piece: BodyId, steps: usize) -> f32 {
    let place = |simulation: &Simulation| {
        let motion = simulation.motion(piece).unwrap();
        motion.pose.transform_point(Vec3::new(1.5, 0.0, 0.0))
    };
    let before = place(simulation);
    for _ in 0..steps {
        step(simulation);
    }
    place(simulation).distance(before)
}

#[test]
fn what_breaks_off_by_its_weight_hangs_on_its_bars_and_falls_without_them() {
    let mut simulation = quiet();
    let [_, held, free] = broken_slab(&mut simulation, true);
    assert!(hangs(&simulation, free, held));
    let moved = way(&mut simulation, free, 300);
    assert!(moved < 0.005, "{moved} m");
    assert!(simulation.is_idle(), "it rests there");
    let mut simulation = quiet();
    let [_, _, free] = broken_slab(&mut simulation, false);
    assert_eq!(simulation.joined(free), [free]);
    assert!(way(&mut simulation, free, 60) > 2.0, "it falls");
}

/// Whether a piece hangs on what is held of a slab, and how far it has turned, radians.
fn sagged(simulation: &Simulation, free: BodyId, held: BodyId) -> (bool, f32) {
    let turn = simulation.motion(free).unwrap().pose.rotation;
    (hangs(simulation, free, held), turn.to_axis_angle().1)
}

#[test]
fn what_is_too_heavy_for_its_bars_sags_until_they_bear_it_also_once_loaded() {
    // Where the moment that bends bars is a share of that of the weight, the angle at which both have done as much work.
    for (diameter, expected) in [(0.0027_f64, 0.85), (0.0026, 1.06)] {
        let weak = || {
            let mut slab = slab(true);
            slab.material.bars.diameter = diameter;
            slab
        };
        let mut simulation = quiet();
        let [slab, held, free] = broken(&mut simulation, weak());
        way(&mut simulation, free, 25);
        let (_, begun) = sagged(&simulation, free, held);
        assert!(begun > 0.05 && begun < expected, "{begun} rad");

        let save = written_and_read(simulation.save_compact(slab));
        let mut loaded = quiet();
        let restored = loaded.add(weak()).unwrap();
        loaded.restore(restored, &save).unwrap();
        let pieces = loaded.descendants(restored).into_iter();
        let is_free = |piece: &BodyId| loaded.motion(*piece) == simulation.motion(free);
        let again = pieces.clone().find(is_free).unwrap();
        let other = loaded
            .joined(again)
            .into_iter()
            .find(|piece| *piece != again);
        for (simulation, free, held) in [
            (&mut simulation, free, held),
            (&mut loaded, again, other.unwrap()),
        ] {
            way(simulation, free, 300);
            let (hangs, angle) = sagged(simulation, free, held);
            assert!(hangs && (angle - expected).abs() < 0.1, "{angle} rad");
            assert!(simulation.is_idle());
            assert!(way(simulation, free, 60) < 1e-4, "it rests");
        }
    }
}

#[test]
fn rods_go_through_the_crack_at_which_it_hangs() {
    let mut simulation = quiet();
    let [_, held, free] = broken_slab(&mut simulation, true);
    let mut across = 0;
    for _ in 0..10 {
        for event in step(&mut simulation) {
            let Event::BarsBared(bare) = event else {
                continue;
            };
            if [held, free].contains(&bare.body) {
                let places = bare.rods.positions.iter().map(|place| place[0]);
                let reach = places.map(|x| (x - 0.5).abs()).filter(|off| *off < 0.3);
                across += reach.count();
            }
        }
    }
    // Two layers of seven bars, each a rod with two rings of corners at least.
    assert!(across >= 14 * 2 * 9, "{across}");
}

#[test]
fn it_falls_when_what_holds_it_goes() {
    for rested in [1, 300] {
        let mut simulation = quiet();
        let [_, held, free] = broken_slab(&mut simulation, true);
        way(&mut simulation, free, rested);
        simulation.remove(held);
        let moved = way(&mut simulation, free, 60);
        assert!(moved > 2.0, "{moved} m after {rested} steps");
    }
}

#[test]
fn it_goes_on_hanging_where_what_holds_it_breaks_elsewhere() {
    let mut simulation = quiet();
    let [_, held, free] = broken_slab(&mut simulation, true);
    let corner = Impact {
        radius: Some(0.1),
        ..impact_at(held, [0.0, 0.1, 0.5])
    };
    let (broken, _) = strike(&mut simulation, corner);
    let held = largest(&broken.unwrap(), true);
    assert!(hangs(&simulation, free, held));
    assert!(way(&mut simulation, free, 120) < 0.005);
}

#[test]
fn its_own_parts_hang_on_as_long_as_they_have_the_bars() {
    let mut simulation = quiet();
    let [_, held, free] = broken_slab(&mut simulation, true);
    let end = Impact {
        radius: Some(0.3),
        ..impact_at(free, [2.0, 0.1, 0.0])
    };
    let (broken, _) = strike(&mut simulation, end);
    let broken = broken.unwrap();
    let rest = largest(&broken, false);
    assert!(hangs(&simulation, rest, held));
    assert!(way(&mut simulation, rest, 120) < 0.01);
}

#[test]
fn what_lands_on_it_tears_the_bars_if_it_is_hard_enough() {
    for (height, tears) in [(0.3, false), (12.0, true)] {
        let mut simulation = quiet();
        let [_, held, free] = broken_slab(&mut simulation, true);
        let side = if tears { 0.5 } else { 0.1 };
        let (low, high) = (0.2 + height, 0.2 + height + 2.0 * side);
        let mut block = body(cuboid([1.5 - side, low, -side], [1.5 + side, high, side]));
        block.anchors = Anchors::free();
        let block = simulation.add(block).unwrap();
        let chip = Impact {
            radius: Some(0.2 * side),
            ..impact_at(block, [1.5 + side, high, side])
        };
        let (broken, _) = strike(&mut simulation, chip);
        assert!(broken.is_some());
        way(&mut simulation, free, 150);
        assert_eq!(hangs(&simulation, free, held), !tears, "from {height} m");
        let moved = way(&mut simulation, free, 60);
        assert_eq!(moved > 1.0, tears, "{moved} m");
    }
}

#[test]
fn saves_have_what_hangs_hanging_and_what_has_been_torn_torn() {
    for is_removed in [false, true] {
        let mut simulation = quiet();
        let [slab_id, held, free] = broken_slab(&mut simulation, true);
        way(&mut simulation, free, 30);
        if is_removed {
            simulation.remove(held);
        }
        let saves = [simulation.save(slab_id), simulation.save_compact(slab_id)];
        for save in saves.map(written_and_read) {
            let mut loaded = quiet();
            let id = loaded.add(slab(true)).unwrap();
            loaded.restore(id, &save).unwrap();
            let mut pieces = Vec::new();
            for _ in 0..5 {
                for event in step(&mut loaded) {
                    if let Event::Broken(broken) = event {
                        pieces.extend(broken.pieces.into_iter().filter(|piece| !piece.anchored));
                    }
                }
            }
            let free = pieces
                .iter()
                .max_by(|a, b| a.kilograms.total_cmp(&b.kilograms));
            let free = free.unwrap().body;
            let moved = way(&mut loaded, free, 90);
            assert_eq!(moved > 2.0, is_removed, "{moved} m");
        }
    }
}

#[test]
fn two_parts_of_a_free_slab_move_as_one() {
    let mut simulation = quiet();
    let mut free = slab(true);
    free.anchors = Anchors::free();
    free.material.tensile_strength = 0.0;
    let id = simulation.add(free).unwrap();
    let cut = Impact {
        radius: Some(0.3),
        ..front_blow(id, [1.0, 0.0, 0.5], 20.0)
    };
    let (broken, _) = strike(&mut simulation, cut);
    let broken = broken.unwrap();
    let barred: Vec<BodyId> = broken
        .pieces
        .iter()
        .filter(|piece| piece.has_bars)
        .map(|piece| piece.body)
        .collect();
    assert!(!barred.is_empty());
    let joined = simulation.joined(barred[0]);
    assert_eq!(joined.len(), barred.len());
}

/// A game of a role with the slab.
fn game(role: Role) -> Simulation {
    let mut simulation = quiet();
    simulation.set_role(role);
    let id = simulation.add(slab(true)).unwrap();
    simulation.share(7, id).unwrap();
    simulation
}

/// Whether free pieces of the slab hang on what is held of it, and have not moved down after a while.
fn hanging(simulation: &mut Simulation, slab: BodyId) -> bool {
    for _ in 0..60 {
        step(simulation);
    }
    let pieces = simulation.descendants(slab);
    let is_held = |piece: &BodyId| simulation.kind(*piece) == Some(BodyKind::Remainder);
    let held = pieces.iter().copied().find(is_held).unwrap();
    let free = pieces
        .iter()
        .filter(|piece| simulation.kind(**piece) == Some(BodyKind::Debris));
    let of_bars: Vec<&BodyId> = free
        .filter(|piece| hangs(simulation, **piece, held))
        .collect();
    let heights = of_bars
        .iter()
        .map(|piece| simulation.motion(**piece).unwrap().pose.translation.y);
    heights.fold(f32::INFINITY, f32::min) > -0.01 && !of_bars.is_empty()
}

#[test]
fn it_hangs_in_every_game_also_in_one_that_joins_later() {
    let mut authority = game(Role::Authority);
    let mut client = game(Role::Client);
    let slab = authority.shared_body(7).unwrap();
    authority.solve_stress(slab).unwrap();
    for _ in 0..30 {
        step(&mut authority);
        let told: Vec<_> = authority.drain_messages().collect();
        for message in told {
            client.receive(&message.0).unwrap();
        }
        step(&mut client);
        let asked: Vec<_> = client.drain_messages().collect();
        for message in asked {
            for answer in authority.receive(&message.0).unwrap() {
                client.receive(&answer.0).unwrap();
            }
        }
    }
    let mut late = game(Role::Client);
    assert_eq!(late.join(&authority.join_save()), Ok(Vec::new()));
    for simulation in [&mut authority, &mut client, &mut late] {
        let slab = simulation.shared_body(7).unwrap();
        assert!(hanging(simulation, slab));
    }
}
