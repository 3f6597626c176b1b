//! Buildings of many bodies: bonds that carry, break or are loose.

use std::cmp::Ordering;

use fracture_simulation::external::ExternalBody;
use fracture_simulation::geometry::glam::{Quat, Vec3};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    Anchors, Body, BodyId, BodyKind, BodyRef, Event, Impact, Motion, NewPiece, Pose, SharedShape,
    Simulation, StrainedBond,
};

use crate::setup::{at, body, impact_at, quiet, step};
use crate::weight::of_strength;

const DENSITY: f32 = 2400.0;
const GRAVITY: f32 = 9.81;

/// A body at a pose that is held by touch, with bonds of a strength in parts of its own, Pa.
pub fn member(mesh: Mesh, pose: Pose, strength: f32, bond_strength: f32) -> Body {
    let member = Body {
        anchors: Anchors::Touching {
            gap: 0.005,
            bond_strength,
        },
        motion: Motion::at(pose),
        ..body(mesh)
    };
    of_strength(member, strength)
}

pub fn block(size: [f32; 3], place: [f32; 3], strength: f32, bond_strength: f32) -> Body {
    member(
        Mesh::cuboid(size),
        Pose::from_translation(place.into()),
        strength,
        bond_strength,
    )
}

pub fn add_fixed(simulation: &mut Simulation, key: u64, size: [f32; 3], place: [f32; 3]) {
    let [x, y, z] = size.map(|side| side / 2.0);
    let fixed = ExternalBody::fixed(
        SharedShape::cuboid(x, y, z),
        at(place[0], place[1], place[2]),
    );
    simulation.set_external_body(key, fixed).unwrap();
}

/// Adds bodies and takes steps until nothing is left to be done; what is told in that time.
fn settle(simulation: &mut Simulation, bodies: Vec<Body>) -> (Vec<BodyId>, Vec<Event>) {
    let ids = bodies
        .into_iter()
        .map(|body| simulation.add(body).unwrap())
        .collect();
    let events = (0..40).flat_map(|_| step(simulation)).collect();
    (ids, events)
}

fn stand(simulation: &Simulation, bodies: &[BodyId]) -> usize {
    let stands = |body: &&BodyId| simulation.kind(**body) == Some(BodyKind::Intact);
    bodies.iter().filter(stands).count()
}

/// A cantilever of blocks of 0.5 x 0.4 x 0.2 m that sticks out of a wall.
fn cantilever(
    count: usize,
    strength: f32,
    bond_strength: f32,
) -> (Simulation, Vec<BodyId>, Vec<Event>) {
    let mut simulation = quiet();
    add_fixed(&mut simulation, 1, [1.0, 4.0, 4.0], [-0.5, 5.0, 0.0]);
    let block = |k: usize| {
        block(
            [0.5, 0.4, 0.2],
            [0.25 + 0.5 * k as f32, 5.0, 0.0],
            strength,
            bond_strength,
        )
    };
    let (ids, events) = settle(&mut simulation, (0..count).map(block).collect());
    (simulation, ids, events)
}

#[test]
fn a_cantilever_of_blocks_breaks_where_the_beam_formula_says() {
    for count in [4, 8] {
        let length = 0.5 * count as f32;
        let edge_stress = 3.0 * DENSITY * GRAVITY * length * length / 0.4;
        let (simulation, ids, events) = cantilever(count, 1.15 * edge_stress, 1.0);
        assert_eq!(stand(&simulation, &ids), count, "{events:?}");
        let bonds = simulation.bonds(ids[0]);
        let bond = bonds.iter().find(|bond| bond.supports).unwrap();
        assert!((bond.utilisation * 1.15 - 1.0).abs() < 0.1, "{bond:?}");
        let (simulation, ids, _) = cantilever(count, 0.85 * edge_stress, 1.0);
        assert_eq!(stand(&simulation, &ids), 0, "{count} blocks");
        // The same stone with mortar of half its strength.
        let (simulation, ids, _) = cantilever(count, 1.7 * edge_stress, 0.5);
        assert_eq!(stand(&simulation, &ids), 0, "{count} blocks");
    }
}

#[test]
fn what_is_near_its_strength_is_told_before_it_breaks() {
    let edge_stress = 3.0 * DENSITY * GRAVITY * 2.0 * 2.0 / 0.4;
    let (simulation, ids, events) = cantilever(4, 1.05 * edge_stress, 1.0);
    assert_eq!(stand(&simulation, &ids), 4);
    let strained = events.iter().find_map(|event| match event {
        Event::Strained(strained) => Some(*strained),
        _ => None,
    });
    let StrainedBond {
        body,
        point,
        utilisation,
    } = strained.unwrap();
    assert_eq!(body, ids[0]);
    assert!(point.abs_diff_eq(Vec3::new(0.0, 5.0, 0.0), 0.02), "{point}");
    assert!((0.9..1.0).contains(&utilisation), "{utilisation}");
}

/// Adds ground with its surface at y = 0.
pub fn add_ground(simulation: &mut Simulation) {
    add_fixed(simulation, 1, [100.0, 1.0, 100.0], [0.0, -0.5, 0.0]);
}

#[test]
fn loose_blocks_stand_as_far_as_their_weight_is_over_the_edge() {
    // Four blocks of 1 m; what is above the lowest has its centre two steps out.
    for (step, stands) in [(0.2, true), (0.24, true), (0.27, false), (0.4, false)] {
        let mut simulation = quiet();
        add_ground(&mut simulation);
        let block = |k: usize| block([1.0; 3], [step * k as f32, 0.5 + k as f32, 0.0], 0.0, 0.0);
        let (ids, _) = settle(&mut simulation, (0..4).map(block).collect());
        assert_eq!(
            stand(&simulation, &ids) == 4,
            stands,
            "{step}: {}",
            stand(&simulation, &ids)
        );
    }
}

#[test]
fn nothing_hangs_on_a_loose_bond() {
    for (bond_strength, stands) in [(0.0, 1), (1.0, 2)] {
        let mut simulation = quiet();
        add_ground(&mut simulation);
        add_fixed(&mut simulation, 2, [4.0, 1.0, 1.0], [0.0, 5.0, 0.0]);
        let bodies = vec![
            block([1.0; 3], [0.0, 6.0, 0.0], 0.0, 0.0),
            block([1.0; 3], [0.0, 4.0, 0.0], 0.0, bond_strength),
        ];
        let (ids, _) = settle(&mut simulation, bodies);
        assert_eq!(stand(&simulation, &ids), stands);
    }
}

/// A wedge of an arch about z between two angles, in its own space: it is moved to its place, and not turned.
fn voussoir(radius: f32, thickness: f32, width: f32, angles: [f32; 2]) -> (Mesh, Vec3) {
    let at = |angle: f32, radius: f32| Vec3::new(-angle.cos(), angle.sin(), 0.0) * radius;
    let middle = at(0.5 * (angles[0] + angles[1]), radius);
    let (inner, outer) = (radius - 0.5 * thickness, radius + 0.5 * thickness);
    let mut mesh = Mesh::cuboid([1.0; 3]);
    for position in &mut mesh.positions {
        let [x, y, z] = *position;
        let angle = if x < 0.0 { angles[0] } else { angles[1] };
        let place = at(angle, if y < 0.0 { inner } else { outer }) + Vec3::Z * z * width;
        *position = (place - middle).to_array();
    }
    (mesh, middle)
}

#[test]
fn an_arch_of_loose_voussoirs_stands_and_falls_without_its_keystone() {
    for turn in [0.0, 0.7] {
        let mut simulation = quiet();
        add_ground(&mut simulation);
        let count = 11;
        let turn = Quat::from_rotation_y(turn);
        let voussoir = |k: usize| {
            let angle = |k: usize| std::f32::consts::PI * k as f32 / count as f32;
            let (mesh, place) = voussoir(3.0, 0.6, 1.0, [angle(k), angle(k + 1)]);
            member(mesh, Pose::from_parts(turn * place, turn), 0.0, 0.0)
        };
        let (ids, events) = settle(&mut simulation, (0..count).map(voussoir).collect());
        assert_eq!(stand(&simulation, &ids), count, "{events:?}");
        simulation.remove(ids[count / 2]);
        settle(&mut simulation, Vec::new());
        let left = stand(&simulation, &ids);
        // The lowest of either side stand by themselves.
        assert!((2..=6).contains(&left), "{left}");
    }
}

/// A shelf of stone, glued into a wall on either side, with a block of a height on its middle.
fn loaded_shelf(strength: f32, height: f32) -> (Simulation, Vec<BodyId>) {
    let mut simulation = quiet();
    add_fixed(&mut simulation, 1, [1.0, 4.0, 4.0], [-2.5, 2.0, 0.0]);
    add_fixed(&mut simulation, 2, [1.0, 4.0, 4.0], [2.5, 2.0, 0.0]);
    let mut bodies = vec![block([4.0, 0.2, 0.5], [0.0, 2.0, 0.0], strength, 1.0)];
    if height > 0.0 {
        bodies.push(block(
            [0.4, height, 0.4],
            [0.0, 2.1 + 0.5 * height, 0.0],
            0.0,
            0.0,
        ));
    }
    let (ids, _) = settle(&mut simulation, bodies);
    (simulation, ids)
}

#[test]
fn a_shelf_bears_what_its_strength_allows() {
    // Clamped at both ends: w l^2 / 12 and p l / 8 there.
    let (length, height) = (4.0, 2.0);
    let own = DENSITY * GRAVITY * 0.2 * 0.5 * length * length / 12.0;
    let load = DENSITY * GRAVITY * 0.4 * 0.4 * height * length / 8.0;
    let section = 0.5 * 0.2 * 0.2 / 6.0;
    let edge_stress = (own + load) / section;
    for (share, stands) in [(1.3, true), (0.75, false)] {
        let (mut simulation, ids) = loaded_shelf(edge_stress * share, height);
        // It is taken to stand as it does at the start, until the host asks.
        simulation.solve_stress(ids[0]).unwrap();
        settle(&mut simulation, Vec::new());
        assert_eq!(stand(&simulation, &ids[..1]) == 1, stands, "{share}");
        // Without the block it stands all the same.
        let (mut simulation, ids) = loaded_shelf(edge_stress * share, 0.0);
        simulation.solve_stress(ids[0]).unwrap();
        settle(&mut simulation, Vec::new());
        assert_eq!(stand(&simulation, &ids), 1);
    }
}

#[test]
fn a_shelf_breaks_when_the_load_on_it_grows() {
    let (mut simulation, ids) = loaded_shelf(0.5e6, 0.0);
    assert_eq!(stand(&simulation, &ids), 1);
    let mut added = Vec::new();
    for k in 0..12 {
        let load = block([0.4; 3], [0.0, 2.3 + 0.4 * k as f32, 0.0], 0.0, 0.0);
        let (id, _) = settle(&mut simulation, vec![load]);
        added.extend(id);
        if stand(&simulation, &ids) == 0 {
            break;
        }
    }
    // 26 kPa of its own, and 377 kPa for each block.
    assert_eq!(stand(&simulation, &ids), 0);
    assert!((1..4).contains(&added.len()), "{}", added.len());
}

/// A plank that lies loose on two blocks, 3.6 m apart, with a block of a height on its middle.
fn loaded_plank(strength: f32, height: f32) -> (Simulation, Vec<BodyId>) {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    let mut bodies = vec![
        block([4.0, 0.1, 0.5], [0.0, 1.05, 0.0], strength, 0.0),
        block([0.2, 1.0, 0.5], [-1.9, 0.5, 0.0], 0.0, 0.0),
        block([0.2, 1.0, 0.5], [1.9, 0.5, 0.0], 0.0, 0.0),
    ];
    if height > 0.0 {
        bodies.push(block(
            [0.2, height, 0.2],
            [0.0, 1.1 + 0.5 * height, 0.0],
            0.0,
            0.0,
        ));
    }
    let (ids, _) = settle(&mut simulation, bodies);
    simulation.solve_stress(ids[0]).unwrap();
    settle(&mut simulation, Vec::new());
    (simulation, ids)
}

#[test]
fn a_loose_plank_breaks_where_the_formula_of_a_beam_on_two_supports_says() {
    let section = 0.5 * 0.1 * 0.1 / 6.0;
    let own = |span: f32| DENSITY * GRAVITY * 0.1 * 0.5 * span * span / 8.0;
    let load = |height: f32, span: f32| DENSITY * GRAVITY * 0.2 * 0.2 * height * span / 4.0;
    for height in [0.0, 1.5] {
        // Its ends lift off, so that it rests on the inner edges of the blocks.
        let edge_stress = (own(3.6) + load(height, 3.6)) / section;
        for (share, stands) in [(1.2, true), (0.8, false)] {
            let (simulation, ids) = loaded_plank(edge_stress * share, height);
            let found = stand(&simulation, &ids[..1]) == 1;
            assert_eq!(found, stands, "{height} m of load, {share} of the strength");
        }
    }
}

#[test]
fn a_pillar_that_has_been_struck_gives_way_under_its_roof() {
    // 8 MPa, of the 10 that the stone bears.
    for (roof, stands) in [(0.0, true), (10.5, false)] {
        let mut simulation = quiet();
        add_ground(&mut simulation);
        let mut bodies = vec![block([0.4, 3.0, 0.4], [0.0, 1.5, 0.0], 1e6, 1.0)];
        if roof > 0.0 {
            bodies.push(block([roof, 0.5, roof], [0.0, 3.25, 0.0], 0.0, 0.0));
        }
        let (ids, _) = settle(&mut simulation, bodies);
        assert_eq!(stand(&simulation, &ids), ids.len());
        let blow = Impact {
            radius: Some(0.17),
            ..impact_at(ids[0], [0.2, 1.5, 0.2])
        };
        simulation.impact(blow).unwrap();
        let (_, events) = settle(&mut simulation, Vec::new());
        let pieces = events.iter().flat_map(|event| match event {
            Event::Broken(broken) => broken.pieces.as_slice(),
            _ => &[],
        });
        let stays = |piece: &&NewPiece| simulation.kind(piece.body) == Some(BodyKind::Remainder);
        let tops = pieces
            .filter(stays)
            .map(|piece| 1.5 + piece.colliders.bounds().maxs.y);
        let top = tops.fold(0.0, f32::max);
        assert_eq!(top > 2.9, stands, "a roof of {roof} m: {top}");
    }
}

#[test]
fn a_wall_as_one_mesh_and_as_thirty_blocks_are_used_to_the_same_degree() {
    // A wall of 3 x 1 x 0.2 m that sticks out of a cliff.
    let strength = 1e6;
    let wall = |sizes: [f32; 2]| {
        let mut simulation = quiet();
        add_fixed(&mut simulation, 1, [1.0, 9.0, 9.0], [-0.5, 5.0, 0.0]);
        let [columns, rows] = [3.0 / sizes[0], 1.0 / sizes[1]].map(|count| count.round() as usize);
        let block = |k: usize| {
            let (column, row) = (k % columns, k / columns);
            let x = (column as f32 + 0.5) * sizes[0];
            let y = 5.0 + (row as f32 + 0.5) * sizes[1];
            block([sizes[0], sizes[1], 0.2], [x, y, 0.0], strength, 1.0)
        };
        let (ids, _) = settle(&mut simulation, (0..columns * rows).map(block).collect());
        simulation.solve_stress(ids[0]).unwrap();
        settle(&mut simulation, Vec::new());
        (simulation, ids)
    };
    let (simulation, ids) = wall([3.0, 1.0]);
    let graph = simulation.stress_graph(ids[0]).unwrap();
    let one = graph.bonds.iter().map(|bond| bond.utilisation);
    let one = one.fold(0.0, f32::max);
    let (simulation, ids) = wall([0.3, 1.0 / 3.0]);
    assert_eq!(ids.len(), 30);
    let bonds = ids.iter().flat_map(|id| simulation.bonds(*id));
    let many = bonds.map(|bond| bond.utilisation).fold(0.0, f32::max);
    assert!((many / one - 1.0).abs() < 0.2, "{one} and {many}");
}

/// A house of storeys of four walls of concrete and a floor with steel in it, 6 x 6 m: walls of a storey, then its floor.
pub fn storeys(count: usize) -> Vec<Body> {
    let (concrete, reinforced) = (3e6, 3e7);
    let storey = |k: usize| {
        let base = 3.2 * k as f32;
        let wall = |size: [f32; 2], x: f32, z: f32| {
            block([size[0], 3.0, size[1]], [x, base + 1.5, z], concrete, 1.0)
        };
        [
            wall([0.25, 6.0], -2.875, 0.0),
            wall([0.25, 6.0], 2.875, 0.0),
            wall([5.5, 0.25], 0.0, -2.875),
            wall([5.5, 0.25], 0.0, 2.875),
            block([6.0, 0.2, 6.0], [0.0, base + 3.1, 0.0], reinforced, 1.0),
        ]
    };
    (0..count).flat_map(storey).collect()
}

#[test]
fn a_house_of_three_storeys_stands_without_one_wall_and_comes_down_without_its_ground_floor() {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    let (ids, events) = settle(&mut simulation, storeys(3));
    assert_eq!(stand(&simulation, &ids), 15, "{events:?}");
    for id in &ids {
        simulation.solve_stress(*id).unwrap();
    }
    settle(&mut simulation, Vec::new());
    assert_eq!(stand(&simulation, &ids), 15, "it carries itself");
    simulation.remove(ids[2]);
    settle(&mut simulation, Vec::new());
    assert_eq!(stand(&simulation, &ids), 14, "three walls carry it");
    for wall in [0, 1, 3] {
        simulation.remove(ids[wall]);
    }
    settle(&mut simulation, Vec::new());
    assert_eq!(stand(&simulation, &ids), 0);
}

#[test]
fn what_holds_each_body_is_listed_at_once() {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    let bodies = vec![
        block([1.0; 3], [0.0, 0.5, 0.0], 1e6, 1.0),
        block([1.0; 3], [0.0, 1.5, 0.0], 1e6, 1.0),
        block([1.0; 3], [0.0, 9.0, 0.0], 1e6, 1.0),
    ];
    let (ids, _) = settle(&mut simulation, bodies);
    let held = simulation.held_bodies();
    // The third has fallen.
    let listed: Vec<BodyId> = held.iter().map(|held| held.body).collect();
    assert_eq!(listed, ids[..2]);
    for held in &held {
        assert_eq!(held.bonds, simulation.bonds(held.body));
    }
    assert_eq!(held[0].bonds.len(), 2);
    assert!(held[1].center.abs_diff_eq(Vec3::new(0.0, 1.5, 0.0), 1e-4));
}

#[test]
fn a_body_is_held_up_by_what_lifts_it_however_far_that_is_from_the_ground() {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    // A bracket at the top of a tower, on whose end a loose plate lies that a pillar carries: by that the way to the ground
    // is shorter.
    let tower = (0..4).map(|k| block([0.5; 3], [0.0, 0.25 + 0.5 * k as f32, 0.0], 3e6, 1.0));
    let mut bodies: Vec<Body> = tower.collect();
    bodies.push(block([0.6, 0.3, 0.3], [0.55, 1.75, 0.0], 3e6, 1.0));
    bodies.push(block([0.4, 1.9, 0.4], [1.25, 0.95, 0.0], 3e6, 1.0));
    bodies.push(block([0.6, 0.1, 0.4], [1.1, 1.95, 0.0], 3e6, 0.0));
    let (ids, _) = settle(&mut simulation, bodies);
    let bracket = ids[4];
    let bonds = simulation.bonds(bracket);
    let supports: Vec<_> = bonds.iter().filter(|bond| bond.supports).collect();
    assert_eq!((bonds.len(), supports.len()), (2, 1), "{bonds:?}");
    assert_eq!(supports[0].with, BodyRef::Breakable(ids[3]));
    simulation.solve_stress(bracket).unwrap();
    for _ in 0..20 {
        step(&mut simulation);
    }
    assert_eq!(stand(&simulation, &ids), ids.len());
}

/// Takes a step and removes what has come free, so that it strikes nothing; gives the events.
pub fn step_without_rubble(simulation: &mut Simulation) -> Vec<Event> {
    let events = step(simulation);
    for event in &events {
        let Event::Broken(broken) = event else {
            continue;
        };
        for piece in broken.pieces.iter().filter(|piece| !piece.anchored) {
            simulation.remove(piece.body);
        }
    }
    events
}

/// Adds bodies in an order, takes some out that are told by their place among all, and gives all that stands then: centres,
/// with what each bond bears in parts of its strength, by place.
fn standing_without(
    bodies: &[Body],
    order: &[usize],
    removed: &[usize],
) -> Vec<([f32; 3], Vec<f32>)> {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    let mut ids = vec![None; bodies.len()];
    for index in order {
        ids[*index] = Some(simulation.add(bodies[*index].clone()).unwrap());
    }
    let run =
        |simulation: &mut Simulation| (0..60).for_each(|_| drop(step_without_rubble(simulation)));
    run(&mut simulation);
    for index in removed {
        simulation.remove(ids[*index].unwrap());
    }
    run(&mut simulation);
    let held = simulation.held_bodies().into_iter().map(|mut held| {
        held.bonds.sort_by(|a, b| compare(a.center, b.center));
        let utilisations = held.bonds.iter().map(|bond| bond.utilisation);
        (held.center.to_array(), utilisations.collect())
    });
    let mut standing: Vec<([f32; 3], Vec<f32>)> = held.collect();
    standing.sort_by(|a, b| compare(a.0.into(), b.0.into()));
    standing
}

fn compare(a: Vec3, b: Vec3) -> Ordering {
    a.to_array().partial_cmp(&b.to_array()).unwrap()
}

#[test]
fn the_order_in_which_bodies_come_is_not_seen_in_what_breaks() {
    let bodies = storeys(3);
    let all: Vec<usize> = (0..bodies.len()).collect();
    let reversed: Vec<usize> = all.iter().copied().rev().collect();
    let mixed: Vec<usize> = all.iter().map(|k| (7 * k + 3) % bodies.len()).collect();
    for removed in [&[2][..], &[1, 3], &[0, 2, 4]] {
        let standing = standing_without(&bodies, &all, removed);
        for order in [&reversed, &mixed] {
            let found = standing_without(&bodies, order, removed);
            assert_eq!(found, standing, "without {removed:?}, added as {order:?}");
        }
    }
}
