//! Bodies that come down together: they are one as long as their bonds hold.

use std::collections::BTreeSet;
use std::time::Duration;

use fracture_simulation::geometry::Mesh;
use fracture_simulation::save::Archive;
use fracture_simulation::{
    hooks::PieceHooks, Body, BodyId, BreakFailure, Event, Pose, Settings, Simulation,
};

use crate::buildings::{add_fixed, member};
use crate::setup::{quiet, step};

const SUPPORT: u64 = 1;
const FLOOR: u64 = 2;

/// The centres of the blocks in their bodies, whose origins are elsewhere.
const CENTER: [f32; 3] = [0.0, -1.0, 2.0];

/// A wall of six by five blocks whose lowest ones stand on a support.
fn wall(height: f32, strength: f32, bond_strength: f32) -> Vec<Body> {
    let place = |index: usize| {
        let (column, row) = (index % 6, index / 6);
        let x = 0.5 * column as f32 - 1.25;
        [x, height + 0.2 + 0.4 * row as f32, 0.0]
    };
    let block = |index| {
        let mut mesh = Mesh::cuboid([0.5, 0.4, 0.3]);
        let mut place = place(index);
        for axis in 0..3 {
            let positions = mesh.positions.iter_mut();
            positions.for_each(|position| position[axis] += CENTER[axis]);
            place[axis] -= CENTER[axis];
        }
        let pose = Pose::from_translation(place.into());
        member(mesh, pose, strength, bond_strength)
    };
    (0..30).map(block).collect()
}

/// A wall on a support at a height above the floor, and its blocks.
fn held_wall(height: f32, strength: f32, bond_strength: f32) -> (Simulation, Vec<BodyId>) {
    let mut simulation = quiet();
    let blocks = add_held_wall(&mut simulation, height, strength, bond_strength);
    for _ in 0..20 {
        step(&mut simulation);
    }
    assert!(blocks
        .iter()
        .all(|block| simulation.motion(*block).is_some()));
    (simulation, blocks)
}

fn add_held_wall(
    simulation: &mut Simulation,
    height: f32,
    strength: f32,
    bond_strength: f32,
) -> Vec<BodyId> {
    add_fixed(
        simulation,
        SUPPORT,
        [4.0, 0.2, 1.0],
        [0.0, height - 0.1, 0.0],
    );
    add_fixed(simulation, FLOOR, [40.0, 1.0, 40.0], [0.0, -0.5, 0.0]);
    let bodies = wall(height, strength, bond_strength).into_iter();
    bodies.map(|body| simulation.add(body).unwrap()).collect()
}

/// Takes the support away and gives the pieces that come down, once they do.
fn let_fall(simulation: &mut Simulation) -> Vec<BodyId> {
    simulation.remove_external_body(SUPPORT);
    let mut pieces = Vec::new();
    for _ in 0..12 {
        pieces.extend(step(simulation).into_iter().flat_map(free_pieces));
    }
    pieces
}

fn free_pieces(event: Event) -> Vec<BodyId> {
    match event {
        Event::Broken(broken) => broken.pieces.iter().map(|piece| piece.body).collect(),
        _ => Vec::new(),
    }
}

/// The sets of pieces that move as one, and the largest of them.
fn lumps(simulation: &Simulation, pieces: &[BodyId]) -> (usize, usize) {
    let lumps: BTreeSet<Vec<BodyId>> = pieces.iter().map(|p| simulation.joined(*p)).collect();
    let largest = lumps.iter().map(Vec::len).max().unwrap_or(0);
    (lumps.len(), largest)
}

/// The greatest change of the distances between the pieces and the first of them, metres.
fn deformation(simulation: &Simulation, pieces: &[BodyId], before: &[f32]) -> f32 {
    let now = distances(simulation, pieces);
    let changes = now
        .iter()
        .zip(before)
        .map(|(now, before)| (now - before).abs());
    changes.fold(0.0, f32::max)
}

fn distances(simulation: &Simulation, pieces: &[BodyId]) -> Vec<f32> {
    let place = |piece: &BodyId| {
        let motion = simulation.motion(*piece).unwrap();
        motion.pose.transform_point(CENTER.into())
    };
    let first = place(&pieces[0]);
    pieces
        .iter()
        .map(|piece| place(piece).distance(first))
        .collect()
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        step(simulation);
    }
}

#[test]
fn a_wall_of_thirty_blocks_falls_as_one_and_comes_apart_on_the_floor() {
    let (mut simulation, _) = held_wall(4.0, 0.3e6, 1.0);
    let pieces = let_fall(&mut simulation);
    assert_eq!(pieces.len(), 30);
    assert_eq!(lumps(&simulation, &pieces), (1, 30));
    let before = distances(&simulation, &pieces);
    run(&mut simulation, 30);
    assert_eq!(lumps(&simulation, &pieces), (1, 30), "it is in the air");
    assert!(deformation(&simulation, &pieces, &before) < 0.005);
    run(&mut simulation, 600);
    let (count, largest) = lumps(&simulation, &pieces);
    assert!(count >= 8 && largest <= 15, "{count} {largest}");
    assert!(simulation.is_idle(), "all rests");
}

#[test]
fn a_wall_of_thirty_blocks_comes_down_in_one_step_of_a_game_that_waits_for_nothing() {
    for threads in [0, 1, 2] {
        let mut simulation = Simulation::new(Settings {
            threads,
            ..Settings::default()
        })
        .unwrap();
        add_held_wall(&mut simulation, 4.0, 0.3e6, 1.0);
        let step_later = |simulation: &mut Simulation| {
            std::thread::sleep(Duration::from_millis(1));
            step(simulation).into_iter().flat_map(free_pieces).count()
        };
        let is_idle = (0..10_000).any(|_| {
            step_later(&mut simulation);
            simulation.is_idle()
        });
        assert!(is_idle);
        simulation.remove_external_body(SUPPORT);
        let mut fallen = (0..10_000).map(|_| step_later(&mut simulation));
        assert_eq!(fallen.find(|count| *count > 0), Some(30));
    }
}

#[test]
fn a_block_that_cannot_fall_fails_alone() {
    let mut simulation = quiet();
    add_fixed(&mut simulation, SUPPORT, [4.0, 0.2, 1.0], [0.0, 3.9, 0.0]);
    let mut bodies = wall(4.0, 0.3e6, 1.0);
    bodies[20].hooks = Some(PieceHooks::new(|_| panic!("no paint left")));
    for body in bodies {
        simulation.add(body).unwrap();
    }
    run(&mut simulation, 20);
    simulation.remove_external_body(SUPPORT);
    let events: Vec<Event> = (0..12).flat_map(|_| step(&mut simulation)).collect();
    let failed = events.iter().filter(|event| match event {
        Event::BreakFailed { reason, .. } => matches!(reason, BreakFailure::Panicked { .. }),
        _ => false,
    });
    assert_eq!(failed.count(), 1);
    assert_eq!(events.into_iter().flat_map(free_pieces).count(), 29);
}

#[test]
fn what_falls_softly_stays_whole() {
    let (mut simulation, _) = held_wall(0.05, 0.3e6, 1.0);
    let pieces = let_fall(&mut simulation);
    let before = distances(&simulation, &pieces);
    run(&mut simulation, 600);
    assert_eq!(lumps(&simulation, &pieces), (1, 30));
    assert!(deformation(&simulation, &pieces, &before) < 0.01);
}

#[test]
fn loose_blocks_fall_each_by_itself() {
    let (mut simulation, _) = held_wall(4.0, 0.3e6, 0.0);
    let pieces = let_fall(&mut simulation);
    assert_eq!(pieces.len(), 30);
    assert_eq!(lumps(&simulation, &pieces), (30, 1));
}

#[test]
fn blocks_that_no_load_breaks_are_not_joined() {
    let (mut simulation, _) = held_wall(4.0, 0.0, 1.0);
    let pieces = let_fall(&mut simulation);
    assert_eq!(lumps(&simulation, &pieces), (30, 1));
}

#[test]
fn a_wall_that_is_saved_in_the_air_lands_as_one() {
    let (mut simulation, blocks) = held_wall(0.05, 0.3e6, 1.0);
    let pieces = let_fall(&mut simulation);
    for compact in [false, true] {
        let save = |block: &BodyId| match compact {
            false => simulation.save(*block),
            true => simulation.save_compact(*block),
        };
        let objects = blocks.iter().map(|block| (String::new(), save(block)));
        let bytes = Archive {
            objects: objects.collect(),
        }
        .to_bytes();
        let (mut loaded, fresh) = held_wall(0.05, 0.3e6, 1.0);
        loaded.remove_external_body(SUPPORT);
        let mut new = Vec::new();
        for (block, (_, log)) in fresh
            .iter()
            .zip(Archive::from_bytes(bytes).unwrap().objects)
        {
            loaded.restore(*block, &log).unwrap();
        }
        for _ in 0..8 {
            new.extend(step(&mut loaded).into_iter().flat_map(free_pieces));
        }
        new.retain(|piece| loaded.motion(*piece).is_some());
        assert_eq!(
            (new.len(), lumps(&loaded, &new)),
            (30, (1, 30)),
            "{compact}"
        );
        let before = distances(&simulation, &pieces);
        run(&mut loaded, 300);
        assert_eq!(lumps(&loaded, &new), (1, 30), "{compact}");
        assert!(deformation(&loaded, &new, &before) < 0.01, "{compact}");
    }
}
