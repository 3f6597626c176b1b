//! The structural certificate: how bodies are held, what they bear, and what comes down with each of them.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use fracture_simulation::certificate::{Certification, Hold, Removal, StructureMember};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{Anchors, Body, BodyId, BodyRef, Cause, Event, Shape, Simulation};

use crate::buildings::{add_fixed, add_ground, block, step_without_rubble, storeys};
use crate::setup::{body, quiet};

const DENSITY: f32 = 2400.0;
const GRAVITY: f32 = 9.81;

/// Looks at bodies, on ground with its surface at y = 0.
fn certify(bodies: Vec<Body>) -> (Certification, Vec<BodyId>) {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    let ids = bodies.into_iter().map(|body| simulation.add(body).unwrap());
    let ids = ids.collect();
    (Certification::new(simulation), ids)
}

fn member(certification: &Certification, body: BodyId) -> &StructureMember {
    let members = certification.members().iter();
    members
        .into_iter()
        .find(|member| member.body == body)
        .unwrap()
}

/// The members that come down in whole or in part.
fn falling(removal: &Removal) -> BTreeSet<BodyId> {
    removal.falls.iter().map(|fall| fall.body).collect()
}

/// Two columns with a beam on them, a block on it, and one that hangs in the air.
fn portal(lift: f32) -> Vec<Body> {
    vec![
        block([0.4, 3.0, 0.4], [-1.5, 1.5, 0.0], 3e6, 1.0),
        block([0.4, 3.0, 0.4], [1.5, 1.5, 0.0], 3e6, 1.0),
        block([3.4, 0.4, 0.4], [0.0, 3.2, 0.0], 3e6, 1.0),
        block([0.4; 3], [0.0, 3.6, 0.0], 3e6, 1.0),
        block([0.4; 3], [6.0, 0.2 + lift, 0.0], 3e6, 1.0),
    ]
}

#[test]
fn members_are_told_with_what_holds_them() {
    for lift in [0.012, 0.3] {
        let (certification, ids) = certify(portal(lift));
        assert_eq!(certification.members().len(), 5);
        let column = member(&certification, ids[0]);
        assert!(
            (column.mass - 0.48 * f64::from(DENSITY)).abs() < 0.1,
            "{column:?}"
        );
        assert_eq!((column.falls, &column.fault), (0.0, &None));
        let Hold::Bonds(bonds) = &column.hold else {
            panic!("{column:?}")
        };
        let with: Vec<BodyRef> = bonds.iter().map(|bond| bond.with).collect();
        assert_eq!(with, [BodyRef::Breakable(ids[2]), BodyRef::External(1)]);
        assert!(
            bonds.iter().all(|bond| (bond.area - 0.16).abs() < 1e-3),
            "{bonds:?}"
        );
        assert_eq!(
            bonds.iter().map(|bond| bond.supports).collect::<Vec<_>>(),
            [false, true]
        );
        let floating = member(&certification, ids[4]);
        let Hold::Nothing { nearest: Some(gap) } = floating.hold else {
            panic!("{floating:?}")
        };
        assert_eq!((gap.with, floating.falls), (BodyRef::External(1), 1.0));
        assert!((gap.distance - lift).abs() < 2e-4, "{gap:?}");
    }
}

#[test]
fn the_weakest_place_agrees_with_the_beam_formula() {
    // A shelf that sticks out of a wall: its root bears w l^2 / 2.
    let (length, height) = (1.5, 0.1);
    let stress = 3.0 * DENSITY * GRAVITY * length * length / height;
    for share in [0.5, 0.8] {
        let mut simulation = quiet();
        add_fixed(&mut simulation, 7, [1.0, 4.0, 4.0], [-0.5, 2.0, 0.0]);
        let shelf = block(
            [length, height, 0.4],
            [0.5 * length, 2.0, 0.0],
            stress / share,
            1.0,
        );
        let shelf = simulation.add(shelf).unwrap();
        let certification = Certification::new(simulation);
        let member = member(&certification, shelf);
        let weakest = member.weakest.unwrap();
        assert!(
            (weakest.utilisation / share - 1.0).abs() < 0.2,
            "{weakest:?}"
        );
        assert!(weakest.point.x.abs() < 0.15, "{weakest:?}");
        let weight = f64::from(DENSITY * GRAVITY * length * height * 0.4);
        assert!((weakest.load / weight - 1.0).abs() < 1e-3, "{weakest:?}");
        let reserve = weight * (1.0 / f64::from(weakest.utilisation) - 1.0);
        assert!((weakest.reserve().unwrap() / reserve - 1.0).abs() < 1e-3);
    }
}

#[test]
fn a_member_that_does_not_carry_its_weight_is_told() {
    let beam = |strength: f32| block([8.0, 0.2, 0.4], [0.0, 3.1, 0.0], strength, 1.0);
    for (strength, stands) in [(5e4, false), (30e6, true)] {
        let mut bodies = portal(0.0);
        bodies.truncate(2);
        bodies.push(beam(strength));
        let (certification, ids) = certify(bodies);
        let beam = member(&certification, ids[2]);
        assert_eq!(beam.falls == 0.0, stands, "{beam:?}");
        assert_eq!(beam.weakest.unwrap().utilisation < 1.0, stands, "{beam:?}");
        assert!(member(&certification, ids[0]).falls == 0.0);
    }
}

#[test]
fn what_comes_down_with_a_member_is_told() {
    let (certification, ids) = certify(portal(0.0));
    // The lintel cannot stand on one column: it would tip over.
    let without_column = certification.without(ids[0]).unwrap();
    assert!(without_column.falls.is_empty() || falling(&without_column).contains(&ids[2]));
    let without_beam = certification.without(ids[2]).unwrap();
    assert_eq!(falling(&without_beam), BTreeSet::from([ids[3]]));
    let mass = |body: BodyId| member(&certification, body).mass;
    let others: f64 = [0, 1, 3, 4].iter().map(|k| mass(ids[*k])).sum();
    assert!((without_beam.share - mass(ids[3]) / others).abs() < 1e-6);
    for alone in [ids[3], ids[4]] {
        let removal = certification.without(alone).unwrap();
        assert!(removal.falls.is_empty() && removal.share == 0.0);
    }
}

#[test]
fn a_scene_without_ground_has_nothing_that_holds_and_nothing_that_falls() {
    let mut simulation = quiet();
    let bodies = portal(0.0)
        .into_iter()
        .map(|body| simulation.add(body).unwrap());
    assert_eq!(bodies.count(), 5);
    let certification = Certification::new(simulation);
    for member in certification.members() {
        assert_eq!(
            (&member.hold, member.falls),
            (&Hold::Nothing { nearest: None }, 0.0)
        );
    }
}

#[test]
fn a_faulty_member_is_told_with_its_fault() {
    let mut open = Mesh::cuboid([1.0; 3]);
    open.triangles.pop();
    let open = Body {
        shape: Shape::new(open),
        anchors: Anchors::Touching {
            gap: 0.005,
            bond_strength: 1.0,
        },
        ..body(Mesh::cuboid([1.0; 3]))
    };
    let (certification, ids) = certify(vec![open, block([0.4; 3], [3.0, 0.2, 0.0], 3e6, 1.0)]);
    assert!(member(&certification, ids[0]).fault.is_some());
    assert_eq!(member(&certification, ids[1]).fault, None);
}

#[test]
fn an_unknown_member_brings_nothing_down() {
    let (certification, ids) = certify(portal(0.0));
    let mut other = quiet();
    let mut last = ids[0];
    for _ in 0..9 {
        last = other.add(body(Mesh::cuboid([1.0; 3]))).unwrap();
    }
    assert!(certification.without(last).unwrap().falls.is_empty());
}

#[test]
fn a_certificate_that_is_cancelled_ends_at_once() {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    for body in portal(0.0) {
        simulation.add(body).unwrap();
    }
    let asked = Cell::new(0);
    Certification::unless_cancelled(simulation, &|| {
        asked.set(asked.get() + 1);
        true
    });
    assert_eq!(asked.get(), 1);
}

/// Towers of blocks of random sizes beside each other, with slabs across; loose or with mortar.
fn towers(seed: u64) -> Vec<Body> {
    let mut state = seed;
    let mut random = move |range: std::ops::Range<f32>| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        range.start + (range.end - range.start) * ((state >> 40) as f32 / (1u64 << 24) as f32)
    };
    let mut bodies = Vec::new();
    let bond_strength = if random(0.0..1.0) < 0.5 { 0.0 } else { 0.3 };
    for tower in 0..3 {
        let x = 1.3 * tower as f32;
        for storey in 0..3 {
            let width = random(0.5..0.9);
            let place = [x + random(-0.1..0.1), 0.4 + 1.0 * storey as f32, 0.0];
            bodies.push(block([width, 0.8, 0.6], place, 2e6, bond_strength));
            let reach = random(1.2..2.6);
            if tower < 2 || random(0.0..1.0) < 0.5 {
                let place = [x + random(0.0..0.6), 0.9 + 1.0 * storey as f32, 0.0];
                bodies.push(block([reach, 0.2, 0.6], place, 2e6, bond_strength));
            }
        }
    }
    bodies
}

/// The bodies of which the weight brings anything down in a simulation as a game has it, until the structure is at rest.
fn fallen_in_game(bodies: &[Body], removed: usize) -> BTreeSet<usize> {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    let ids = bodies
        .iter()
        .map(|body| simulation.add(body.clone()).unwrap());
    let ids: Vec<BodyId> = ids.collect();
    let mut owners = ids.iter().copied().zip(0..).collect();
    fall(&mut simulation, &mut owners);
    simulation.remove(ids[removed]);
    fall(&mut simulation, &mut owners)
}

/// Takes steps, and gives the bodies of which anything comes down; `owners` has them and their held pieces. What comes
/// down is removed: the certificate does not tell what falling parts bring down.
fn fall(simulation: &mut Simulation, owners: &mut BTreeMap<BodyId, usize>) -> BTreeSet<usize> {
    let mut fallen = BTreeSet::new();
    for _ in 0..100 {
        for event in step_without_rubble(simulation) {
            let Event::Broken(broken) = event else {
                continue;
            };
            let owner = owners.get(&broken.body).copied();
            let Some(owner) = owner.filter(|_| broken.cause == Cause::Weight) else {
                continue;
            };
            for piece in &broken.pieces {
                if piece.anchored {
                    owners.insert(piece.body, owner);
                } else {
                    fallen.insert(owner);
                }
            }
        }
    }
    fallen
}

#[test]
fn the_game_does_as_the_certificate_foretells() {
    let buildings = [1, 2].map(towers).into_iter().chain([storeys(2)]);
    for (index, bodies) in buildings.enumerate() {
        let (certification, ids) = certify(bodies.clone());
        let standing = certification.members().iter().enumerate();
        let standing: Vec<usize> = standing
            .filter(|(_, member)| member.falls == 0.0)
            .map(|(k, _)| k)
            .collect();
        for removed in standing.into_iter().step_by(4) {
            let foretold = falling(&certification.without(ids[removed]).unwrap());
            let foretold: BTreeSet<usize> = (0..ids.len())
                .filter(|k| foretold.contains(&ids[*k]))
                .collect();
            assert_eq!(
                foretold,
                fallen_in_game(&bodies, removed),
                "building {index} without {removed}"
            );
        }
    }
}
