//! Saves in the middle of a collapse that goes on for many frames.

use fracture_simulation::save::{Archive, BreakLog};
use fracture_simulation::{Body, BodyId, BodyKind, BodyRef, Event, Simulation};

use crate::buildings::{add_fixed, block};
use crate::setup::{quiet, step};

/// Keys of the slabs on which the first four cantilevers and the others lie.
const SLABS: [u64; 2] = [2, 3];

/// The numbers of blocks of the cantilevers: only the first bears its own weight.
const COUNTS: std::ops::RangeInclusive<usize> = 3..=10;

/// Cantilevers of blocks of 0.5 x 0.4 x 0.2 m, side by side.
fn cantilevers() -> Vec<Body> {
    let place = |row: usize, k: usize| [0.25 + 0.5 * k as f32, 5.0, 0.5 * row as f32];
    let cantilever = |(row, count): (usize, usize)| {
        (0..count).map(move |k| block([0.5, 0.4, 0.2], place(row, k), 6e5, 1.0))
    };
    COUNTS.enumerate().flat_map(cantilever).collect()
}

/// Cantilevers at a wall, which lie on slabs as well.
fn lying() -> (Simulation, Vec<BodyId>) {
    let mut simulation = quiet();
    add_fixed(&mut simulation, 1, [1.0, 4.0, 20.0], [-0.5, 5.0, 0.0]);
    for (key, z) in SLABS.into_iter().zip([0.75, 2.75]) {
        add_fixed(&mut simulation, key, [6.0, 0.2, 2.0], [3.0, 4.7, z]);
    }
    let add = |body| simulation.add(body).unwrap();
    let ids = cantilevers().into_iter().map(add).collect();
    (simulation, ids)
}

/// By cantilever: how many of its blocks stand.
fn standing(simulation: &Simulation, ids: &[BodyId]) -> Vec<usize> {
    let mut left = ids;
    let count = |count: usize| {
        let (own, others) = left.split_at(count);
        left = others;
        let stands = |body: &&BodyId| simulation.kind(**body) == Some(BodyKind::Intact);
        own.iter().filter(stands).count()
    };
    COUNTS.map(count).collect()
}

/// Takes the steps before a save, in which no time passes; how many those are.
fn finish_breaks(simulation: &mut Simulation) -> usize {
    simulation.set_structure_paused(true);
    let mut steps = 0;
    while !simulation.has_finished_breaks() {
        simulation.step(0.0);
        steps += 1;
        assert!(steps < 100);
    }
    simulation.set_structure_paused(false);
    steps
}

/// The cantilevers in the middle of their fall: half have fallen, and those after so many steps without the slab of the
/// others.
fn falling_since(steps: usize) -> (Simulation, Vec<BodyId>) {
    let (mut simulation, ids) = lying();
    for _ in 0..40 {
        step(&mut simulation);
    }
    let all: Vec<usize> = COUNTS.collect();
    assert_eq!(standing(&simulation, &ids), all);
    simulation.remove_external_body(SLABS[1]);
    for _ in 0..60 {
        step(&mut simulation);
    }
    simulation.remove_external_body(SLABS[0]);
    for _ in 0..steps {
        step(&mut simulation);
    }
    (simulation, ids)
}

/// The same, in the step before the first bond of the others is seen to break.
fn falling() -> (Simulation, Vec<BodyId>) {
    let (mut simulation, ids) = falling_since(0);
    // The longest of the others.
    let last: usize = COUNTS.take(3).sum();
    let is_loose = |simulation: &Simulation| {
        let bonds = simulation.bonds(ids[last]);
        bonds.iter().any(|bond| bond.is_loose)
    };
    let breaks = |_: &usize| {
        step(&mut simulation);
        is_loose(&simulation)
    };
    let before = (0..20).find(breaks).unwrap();
    falling_since(before)
}

#[test]
fn a_save_does_not_wait_for_the_end_of_a_chain_of_failures() {
    let (mut simulation, ids) = falling();
    let steps = finish_breaks(&mut simulation);
    assert!(steps <= 4, "{steps}");
    let then = standing(&simulation, &ids);
    assert_eq!(then, [3, 4, 5, 6, 0, 0, 0, 0]);
    assert!(!simulation.is_idle());

    let save = |id: &BodyId| (String::new(), simulation.save(*id));
    let archive = Archive {
        objects: ids.iter().map(save).collect(),
    };
    let read = Archive::from_bytes(archive.to_bytes()).unwrap();
    let (mut loaded, new) = lying();
    for slab in SLABS {
        loaded.remove_external_body(slab);
    }
    for (body, (_, log)) in new.iter().zip(&read.objects) {
        loaded.restore(*body, log).unwrap();
    }
    assert_eq!(standing(&loaded, &new), then);
    for simulation in [&mut simulation, &mut loaded] {
        for _ in 0..120 {
            step(simulation);
        }
    }
    let [own, other] = [standing(&simulation, &ids), standing(&loaded, &new)];
    assert_eq!(own, [3, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(own, other);
}

/// The ends of the broken bonds of blocks, by their places in a list; `None` of the wall.
fn broken_pairs(simulation: &Simulation, ids: &[BodyId]) -> Vec<(usize, Option<usize>)> {
    let place = |body: BodyRef| ids.iter().position(|id| BodyRef::Breakable(*id) == body);
    let pairs_of = |(one, id): (usize, &BodyId)| {
        let bonds = simulation.bonds(*id).into_iter();
        let broken = bonds.filter(|bond| bond.is_loose);
        let pairs: Vec<_> = broken.map(|bond| (one, place(bond.with))).collect();
        pairs
    };
    ids.iter().enumerate().flat_map(pairs_of).collect()
}

#[test]
fn bonds_that_have_broken_are_broken_after_loading_and_others_are_whole() {
    let (mut simulation, ids) = falling();
    finish_breaks(&mut simulation);
    let broken = broken_pairs(&simulation, &ids);
    assert!(!broken.is_empty());
    let saves: Vec<_> = ids.iter().map(|id| simulation.save_compact(*id)).collect();
    let (mut loaded, new) = lying();
    for slab in SLABS {
        loaded.remove_external_body(slab);
    }
    let restore = |simulation: &mut Simulation| {
        for (body, save) in new.iter().zip(&saves) {
            simulation.restore(*body, save).unwrap();
        }
    };
    restore(&mut loaded);
    // A save of what was loaded, before its bonds are found, has them, too.
    for (body, save) in new.iter().zip(&saves) {
        let again = loaded.save_compact(*body);
        let places = |save: &BreakLog| -> Vec<_> {
            let pieces = save.pieces.iter();
            pieces.map(|piece| piece.broken_at.clone()).collect()
        };
        assert_eq!(places(&again), places(save));
    }
    let is_found = |simulation: &Simulation| {
        let bonded = |(one, _): &(usize, _)| !simulation.bonds(new[*one]).is_empty();
        broken.iter().all(bonded)
    };
    for _ in 0..20 {
        if is_found(&loaded) {
            break;
        }
        step(&mut loaded);
    }
    assert_eq!(broken_pairs(&loaded, &new), broken);
}

#[test]
fn what_falls_after_a_save_was_restored_is_not_told_as_floating_from_the_start() {
    for is_restored in [false, true] {
        let (mut simulation, ids) = lying();
        // It stood on what the save does not have any more.
        let shelf = block([0.4; 3], [9.0, 5.0, 0.0], 6e5, 1.0);
        let shelf = simulation.add(shelf).unwrap();
        if is_restored {
            let save = simulation.save_compact(ids[0]);
            simulation.restore(ids[0], &save).unwrap();
        }
        let events: Vec<Event> = (0..20).flat_map(|_| step(&mut simulation)).collect();
        assert_ne!(simulation.kind(shelf), Some(BodyKind::Intact));
        let is_told = |event: &Event| matches!(event, Event::Unsupported { .. });
        assert_eq!(events.iter().any(is_told), !is_restored);
    }
}
