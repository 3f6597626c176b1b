//! Tests of buildings by formulas of statics.

use std::pin::pin;

use fracture_geometry::steps::{finish, step};

use super::*;
use crate::types::square;

const WEIGHT: f64 = 2400.0 * 9.81;

fn solved(nodes: &[BuildingNode], bonds: &[BuildingBond]) -> Option<BuildingState> {
    finish(solve(nodes, bonds))
}

/// A cuboid of stone.
fn cuboid(center: DVec3, size: DVec3) -> BuildingNode {
    BuildingNode {
        center,
        weight: DVec3::NEG_Y * WEIGHT * size.x * size.y * size.z,
        load: DVec3::ZERO,
        moment: DVec3::ZERO,
        size: 0.5 * size.length(),
        displacement: [0.0; 6],
        stays: false,
    }
}

/// A rectangle across a normal, with its sides along two other axes.
fn rectangle(center: DVec3, normal: DVec3, sides: [DVec3; 2]) -> AreaProperties {
    let [a, b] = sides.map(|side| side.length());
    AreaProperties {
        area: a * b,
        center,
        normal,
        moments: square(sides[0]) * (a * b / 12.0) + square(sides[1]) * (a * b / 12.0),
    }
}

fn bond(nodes: [u32; 2], face: AreaProperties, strength: f64) -> BuildingBond {
    BuildingBond {
        nodes,
        is_grounded: nodes[0] == nodes[1],
        face,
        strength,
        friction: 0.6,
    }
}

/// The state of a building after all that breaks has broken, and all that falls before an equilibrium is found has left it.
fn settled(nodes: &[BuildingNode], bonds: Vec<BuildingBond>) -> BuildingState {
    settled_in_turns(nodes, bonds).0
}

/// The same, and how many times it was weighed.
fn settled_in_turns(
    nodes: &[BuildingNode],
    mut bonds: Vec<BuildingBond>,
) -> (BuildingState, usize) {
    let mut nodes = nodes.to_vec();
    let mut fell = vec![false; nodes.len()];
    let mut turns = 0;
    loop {
        turns += 1;
        let mut state = solved(&nodes, &bonds).unwrap();
        let broken = bonds
            .iter_mut()
            .zip(&state.loads)
            .filter(|(_, load)| load.is_broken);
        let broken = broken.map(|(bond, _)| bond.strength = 0.0).count();
        let is_more = (0..nodes.len()).any(|node| state.falls[node] && !nodes[node].stays);
        if broken == 0 && !(state.loads.is_empty() && is_more) {
            let falls = state.falls.iter_mut().zip(&fell);
            falls.for_each(|(falls, fell)| *falls |= fell);
            return (state, turns);
        }
        for ((fell, node), falls) in fell.iter_mut().zip(&mut nodes).zip(&state.falls) {
            *fell |= falls;
            node.stays = *fell;
        }
        bonds.retain(|bond| bond.nodes.iter().all(|node| !fell[*node as usize]));
    }
}

/// A cantilever of blocks of 0.5 m, 0.4 m high and 0.2 m wide, that sticks out of the ground along x.
fn cantilever(count: usize, strength: f64) -> (Vec<BuildingNode>, Vec<BuildingBond>) {
    let size = DVec3::new(0.5, 0.4, 0.2);
    let node = |k: usize| cuboid(DVec3::X * (0.25 + 0.5 * k as f64), size);
    let face = |k: usize, normal| {
        rectangle(
            DVec3::X * 0.5 * k as f64,
            normal,
            [DVec3::Y * 0.4, DVec3::Z * 0.2],
        )
    };
    let mut bonds = vec![bond([0, 0], face(0, DVec3::NEG_X), strength)];
    bonds.extend((1..count).map(|k| bond([k as u32 - 1, k as u32], face(k, DVec3::X), strength)));
    ((0..count).map(node).collect(), bonds)
}

#[test]
fn a_cantilever_of_blocks_agrees_with_the_beam_formula() {
    for count in [4, 10, 25] {
        let length = 0.5 * count as f64;
        let load = WEIGHT * 0.4 * 0.2;
        let bending = load * length * length / 2.0 / (0.2 * 0.4 * 0.4 / 6.0);
        let (nodes, bonds) = cantilever(count, bending * 1.1);
        let state = solved(&nodes, &bonds).unwrap();
        let found = state.loads[0].utilisation * 1.1;
        assert!((found - 1.0).abs() < 0.05, "{count}: {found}");
        let carried = state.loads[0].force.y / (load * length);
        assert!((carried - 1.0).abs() < 0.01, "{count}: {carried}");
        assert!(!state.falls.contains(&true));
        let (nodes, bonds) = cantilever(count, bending * 0.9);
        let state = settled(&nodes, bonds);
        assert!(
            state.falls.iter().all(|falls| *falls),
            "{count}: {:?}",
            state.falls
        );
    }
}

/// A tower of loose blocks of 1 m, each set back by a distance from the one below.
fn tower(count: usize, step: f64) -> (Vec<BuildingNode>, Vec<BuildingBond>) {
    let at = |k: usize| DVec3::new(step * k as f64, 0.5 + k as f64, 0.0);
    let face = |k: usize, normal: DVec3| {
        let overlap = if k == 0 { 1.0 } else { 1.0 - step };
        let x = step * k as f64 - if k == 0 { 0.0 } else { 0.5 * step };
        rectangle(
            DVec3::new(x, k as f64, 0.0),
            normal,
            [DVec3::X * overlap, DVec3::Z],
        )
    };
    let mut bonds = vec![bond([0, 0], face(0, DVec3::NEG_Y), 0.0)];
    bonds.extend((1..count).map(|k| bond([k as u32 - 1, k as u32], face(k, DVec3::Y), 0.0)));
    (
        (0..count).map(|k| cuboid(at(k), DVec3::ONE)).collect(),
        bonds,
    )
}

#[test]
fn a_leaning_tower_of_loose_blocks_stands_until_its_weight_leaves_the_edge() {
    // The centre of what is above the lowest block is (n / 2) steps out: the edge is half a metre away.
    for (count, step, stands) in [
        (4, 0.0, true),
        (4, 0.2, true),
        (4, 0.28, false),
        (8, 0.1, true),
        (8, 0.14, false),
    ] {
        let (nodes, bonds) = tower(count, step);
        let state = solved(&nodes, &bonds).unwrap();
        assert_eq!(
            !state.falls.contains(&true),
            stands,
            "{count} {step}: {:?}",
            state.falls
        );
    }
}

#[test]
fn what_hangs_on_a_loose_bond_falls() {
    let (mut nodes, mut bonds) = cantilever(2, f64::INFINITY);
    nodes.push(cuboid(
        DVec3::new(0.75, -0.4, 0.0),
        DVec3::new(0.2, 0.4, 0.2),
    ));
    let below = rectangle(
        DVec3::new(0.75, -0.2, 0.0),
        DVec3::NEG_Y,
        [DVec3::X * 0.2, DVec3::Z * 0.2],
    );
    for (strength, falls) in [(0.0, true), (1e6, false)] {
        bonds.truncate(2);
        bonds.push(bond([1, 2], below, strength));
        let state = solved(&nodes, &bonds).unwrap();
        assert_eq!(state.falls, [false, false, falls]);
    }
}

/// A half circle of loose voussoirs between two grounds, without some of them.
fn arch(
    count: usize,
    thickness: f64,
    missing: Option<usize>,
) -> (Vec<BuildingNode>, Vec<BuildingBond>) {
    let radius = 3.0;
    let angle = |k: f64| std::f64::consts::PI * k / count as f64;
    let at = |a: f64| DVec3::new(-libm::cos(a), libm::sin(a), 0.0) * radius;
    let width = 1.0;
    let block = |k: usize| {
        let a = angle(k as f64 + 0.5);
        let length = radius * std::f64::consts::PI / count as f64;
        cuboid(at(a), DVec3::new(length, thickness, width))
    };
    let face = |k: usize| {
        let a = angle(k as f64);
        let out = at(a).normalize();
        let along = DVec3::new(libm::sin(a), libm::cos(a), 0.0);
        rectangle(at(a), along, [out * thickness, DVec3::Z * width])
    };
    let kept: Vec<usize> = (0..count).filter(|k| Some(*k) != missing).collect();
    let index = |k: usize| kept.iter().position(|own| *own == k).map(|own| own as u32);
    let mut bonds = Vec::new();
    for k in 0..=count {
        let before = k.checked_sub(1).and_then(index);
        let after = (k < count).then(|| index(k)).flatten();
        let mut face = face(k);
        let nodes = match (before, after) {
            (Some(a), Some(b)) => [a, b],
            (None, Some(b)) if k == 0 => {
                face.normal = -face.normal;
                [b, b]
            }
            (Some(a), None) if k == count => [a, a],
            _ => continue,
        };
        bonds.push(bond(nodes, face, 0.0));
    }
    (kept.into_iter().map(block).collect(), bonds)
}

#[test]
fn an_arch_of_loose_voussoirs_stands_on_its_thrust_and_falls_without_its_keystone() {
    // A half circle stands from a thickness of 10.7 % of its radius on (Milankovitch 1907).
    for (thickness, stands) in [(0.5, true), (0.42, true), (0.2, false)] {
        let (nodes, bonds) = arch(15, thickness, None);
        let state = solved(&nodes, &bonds).unwrap();
        assert_eq!(
            !state.falls.contains(&true),
            stands,
            "{thickness}: {:?}",
            state.falls
        );
    }
    let (nodes, bonds) = arch(15, 0.5, Some(7));
    let state = solved(&nodes, &bonds).unwrap();
    assert!(state.falls.contains(&true), "{:?}", state.falls);
}

#[test]
fn an_arch_stands_however_many_and_however_light_its_voussoirs_and_neighbors_are() {
    for (count, pebbles) in [(15, 0), (61, 0), (15, 400), (15, 4000)] {
        let (mut nodes, mut bonds) = arch(count, 0.5, None);
        for k in 0..pebbles {
            let place = DVec3::new(f64::from(k), 0.0, 50.0);
            bonds.push(bond(
                [nodes.len() as u32; 2],
                rectangle(place, DVec3::NEG_Y, [0.02 * DVec3::X, 0.02 * DVec3::Z]),
                0.0,
            ));
            nodes.push(cuboid(place + 0.01 * DVec3::Y, DVec3::splat(0.02)));
        }
        let state = solved(&nodes, &bonds).unwrap();
        let fallen = state.falls.iter().filter(|falls| **falls).count();
        assert_eq!(fallen, 0, "{count} {pebbles}");
        assert!(!state.loads.is_empty());
    }
}

/// Solves a building; in how many steps.
fn solved_in_steps(nodes: &[BuildingNode], bonds: &[BuildingBond]) -> (BuildingState, usize) {
    let mut work = pin!(solve(nodes, bonds));
    let mut steps = 1;
    loop {
        if let Some(state) = step(work.as_mut()) {
            return (state.unwrap(), steps);
        }
        steps += 1;
    }
}

#[test]
fn an_equilibrium_is_found_in_steps() {
    let (nodes, bonds) = arch(15, 0.5, None);
    let (state, steps) = solved_in_steps(&nodes, &bonds);
    assert!(steps > 5, "{steps}");
    let at_once = solved(&nodes, &bonds).unwrap();
    assert_eq!(state.displacements, at_once.displacements);
}

#[test]
fn an_arch_that_is_loaded_bears_the_same_from_where_it_was_as_from_rest_and_in_fewer_steps() {
    for (loaded, friction) in [(3, 0.42), (7, 0.4), (7, 0.38), (11, 0.36), (5, 0.34)] {
        let (mut nodes, mut bonds) = arch(31, 0.5, None);
        bonds.iter_mut().for_each(|bond| bond.friction = friction);
        let before = solved(&nodes, &bonds).unwrap();
        nodes[loaded].load = 0.1 * nodes[loaded].weight;
        let (from_rest, steps) = solved_in_steps(&nodes, &bonds);
        for (node, displacement) in nodes.iter_mut().zip(before.displacements) {
            node.displacement = displacement;
        }
        let (again, fewer) = solved_in_steps(&nodes, &bonds);
        assert!(!again.falls.contains(&true), "{loaded} {friction}");
        let both = again.loads.iter().zip(&from_rest.loads);
        let off = both.map(|(one, other)| one.force.distance(other.force));
        let off = off.fold(0.0, f64::max) / total_load(&nodes);
        assert!(off < 1e-5, "{loaded} {friction}: {off}");
        assert!(fewer < steps, "{loaded} {friction}: {fewer} of {steps}");
    }
}

#[test]
fn an_arch_without_enough_friction_slides_apart() {
    // A half circle needs a coefficient of 0.31 to 0.4, by its thickness (Sinopoli, Corradi and Foce 1997).
    for (friction, stands) in [(0.25, false), (0.45, true), (1.0, true)] {
        let (nodes, mut bonds) = arch(15, 0.5, None);
        bonds.iter_mut().for_each(|bond| bond.friction = friction);
        let state = solved(&nodes, &bonds).unwrap();
        let found = !state.falls.contains(&true);
        assert_eq!(found, stands, "{friction}: {:?}", state.falls);
    }
}

#[test]
fn a_block_slides_down_a_slope_that_is_steeper_than_its_friction() {
    for degrees in [5.0_f64, 20.0, 30.0, 40.0] {
        let (sin, cos) = libm::sincos(degrees.to_radians());
        let (down, along) = (DVec3::new(sin, -cos, 0.0), DVec3::new(cos, sin, 0.0));
        let nodes = [cuboid(-0.1 * down, DVec3::new(1.0, 0.2, 1.0))];
        let face = rectangle(DVec3::ZERO, down, [along, DVec3::Z]);
        for (share, falls) in [(0.95, true), (1.05, false)] {
            let mut bond = bond([0, 0], face, 0.0);
            bond.friction = share * sin / cos;
            let state = solved(&nodes, &[bond]).unwrap();
            assert_eq!(state.falls, [falls], "{degrees} {share}");
            let borne = state.loads[0].force;
            let expected = WEIGHT * 0.2 * DVec3::Y;
            assert!(
                falls || borne.distance(expected) < 1e-3 * expected.y,
                "{borne}"
            );
        }
    }
}

#[test]
fn what_touches_with_upright_faces_only_falls_however_rough_they_are() {
    let nodes = [cuboid(DVec3::ZERO, DVec3::ONE)];
    let side = |x: f64| {
        let face = rectangle(DVec3::X * x, DVec3::X * x.signum(), [DVec3::Y, DVec3::Z]);
        bond([0, 0], face, 0.0)
    };
    let mut bonds = [side(-0.5), side(0.5)];
    bonds.iter_mut().for_each(|bond| bond.friction = 5.0);
    assert_eq!(solved(&nodes, &bonds).unwrap().falls, [true]);
}

#[test]
fn what_is_joined_to_nothing_falls() {
    let nodes = [cuboid(DVec3::ZERO, DVec3::ONE)];
    assert_eq!(solved(&nodes, &[]).unwrap().falls, [true]);
    assert!(solved(&[], &[]).unwrap().falls.is_empty());
}

/// A block of cubes of 1 m on the ground, so many along each side, joined by their faces.
fn cubes(side: usize) -> (Vec<BuildingNode>, Vec<BuildingBond>) {
    let all = (0..side.pow(3)).map(|k| [k % side, k / side % side, k / side / side]);
    let place = |[x, y, z]: [usize; 3]| DVec3::new(x as f64, y as f64 + 0.5, z as f64);
    let index = |[x, y, z]: [usize; 3]| (x + side * (y + side * z)) as u32;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let face = |center: DVec3, axis: usize, normal: DVec3| {
        let sides = [axes[(axis + 1) % 3], axes[(axis + 2) % 3]];
        rectangle(center + 0.5 * normal, normal, sides)
    };
    let mut bonds = Vec::new();
    for at in all.clone() {
        let own = index(at);
        if at[1] == 0 {
            bonds.push(bond([own; 2], face(place(at), 1, DVec3::NEG_Y), 1e9));
        }
        for axis in 0..3 {
            let mut next = at;
            next[axis] += 1;
            if next[axis] < side {
                bonds.push(bond(
                    [own, index(next)],
                    face(place(at), axis, axes[axis]),
                    1e9,
                ));
            }
        }
    }
    (all.map(|at| cuboid(place(at), DVec3::ONE)).collect(), bonds)
}

#[test]
fn what_falls_changes_nothing_of_what_the_others_bear() {
    let (mut nodes, mut bonds) = cubes(9);
    let alone = solved(&nodes, &bonds).unwrap();
    // A cube that lies on the border, with its centre beyond it.
    let center = DVec3::new(8.6, 9.5, 4.0);
    let below = DVec3::new(8.3, 9.0, 4.0);
    let top = (8 + 9 * (8 + 9 * 4)) as u32;
    let face = rectangle(below, DVec3::Y, [DVec3::X * 0.4, DVec3::Z]);
    bonds.push(bond([top, nodes.len() as u32], face, 0.0));
    nodes.push(cuboid(center, DVec3::ONE));
    let state = solved(&nodes, &bonds).unwrap();
    assert_eq!(state.falls.iter().filter(|falls| **falls).count(), 1);
    for (found, expected) in state.loads.iter().zip(&alone.loads) {
        let off = found.force.distance(expected.force);
        // As much as the cube weighs may go through a bond in the moment.
        assert!(off < 1.01 * WEIGHT, "{found:?} {expected:?}");
    }
    let total = |state: &BuildingState| -> f64 {
        let grounded = bonds.iter().zip(&state.loads);
        let grounded = grounded.filter(|(bond, _)| bond.is_grounded);
        grounded.map(|(_, load)| load.force.y).sum()
    };
    let carried = total(&alone) / (WEIGHT * 729.0);
    assert!((carried - 1.0).abs() < 1e-3, "{carried}");
    assert!(total(&state) > 0.999 * total(&alone));
}

#[test]
fn cubes_that_have_lost_their_ground_but_for_a_corner_come_down_in_few_turns() {
    for strength in [3e4, 1e5, 3e5] {
        let (nodes, mut bonds) = cubes(5);
        let joints = bonds.iter_mut().filter(|bond| !bond.is_grounded);
        joints.for_each(|bond| bond.strength = strength);
        let state = settled(&nodes, bonds.clone());
        assert!(!state.falls.contains(&true), "{strength}");
        let is_corner = |center: DVec3| center.x + center.z < 1.5;
        bonds.retain(|bond| !bond.is_grounded || is_corner(bond.face.center));
        let (state, turns) = settled_in_turns(&nodes, bonds);
        let fallen = state.falls.iter().filter(|falls| **falls).count();
        assert_eq!(fallen, nodes.len() - 3, "{strength}");
        assert!(turns < 8, "{strength}: {turns}");
    }
}
