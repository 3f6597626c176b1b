//! Saves of bodies that came down by their weight, and saves of other versions.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::{
    Archive, ArchiveError, Body, BodyId, BreakLog, BreakRecord, Broken, BrokenBonds, Cause, Event,
    LoggedCause, NewPiece, PieceHooks, ReplayError, Simulation, ARCHIVE_VERSION,
};
use std::collections::BTreeMap;
use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Arc,
};
use xxhash_rust::xxh3::xxh3_64;

use crate::collapses::{blow, shoot, table};
use crate::setup::{corners, step, waiting};
use crate::weight::{cantilever, of_strength, weighed};

/// A table that has lost three legs.
fn fallen() -> (Simulation, BodyId) {
    let (mut simulation, id, _) = weighed(table());
    for at in [[-0.5, 0.35, -0.26], [0.5, 0.35, 0.34], [0.5, 0.35, -0.26]] {
        shoot(&mut simulation, blow(id, at, 0.12));
    }
    (simulation, id)
}

fn through_bytes(past: BreakLog) -> BreakLog {
    let archive = Archive {
        objects: vec![("Table".to_owned(), past)],
    };
    let mut read = Archive::from_bytes(archive.to_bytes()).unwrap();
    assert_eq!(read, archive);
    read.objects.remove(0).1
}

/// Whether two bodies have the same past, and their pieces the same meshes to the last bit.
fn assert_same(one: (&Simulation, BodyId), other: (&Simulation, BodyId)) {
    let meshes = |(simulation, root): (&Simulation, BodyId)| {
        let pieces = simulation.descendants(root).into_iter();
        let mut hashes: Vec<u64> = pieces
            .map(|piece| simulation.geometry_hash([("", piece)]))
            .collect();
        hashes.sort_unstable();
        hashes
    };
    assert_eq!(meshes(one), meshes(other));
    assert_eq!(meshes(one).len(), one.0.save_compact(one.1).pieces.len());
    assert!(
        one.0.save_compact(one.1) == other.0.save_compact(other.1),
        "another past"
    );
}

#[test]
fn what_fell_by_its_weight_is_brought_back_as_it_fell() {
    let (mut simulation, id) = fallen();
    let past = through_bytes(simulation.save_compact(id));
    let by_weight = |past: &&BreakRecord| matches!(past.cause, LoggedCause::Weight(_));
    assert_eq!(past.breaks.iter().filter(by_weight).count(), 1);

    let mut loaded = waiting();
    let again = loaded.add(table()).unwrap();
    loaded.restore(again, &past).unwrap();
    assert_same((&loaded, again), (&simulation, id));
    // It stays down, and nothing else comes down.
    for (simulation, id) in [(&mut simulation, id), (&mut loaded, again)] {
        for _ in 0..30 {
            step(simulation);
        }
        let breaks = simulation.save_compact(id).breaks;
        assert_eq!(breaks.iter().filter(by_weight).count(), 1);
    }
}

#[test]
fn another_gravity_than_that_of_the_save_changes_nothing_about_what_fell() {
    let (simulation, id) = fallen();
    let mut loaded = waiting();
    loaded.set_gravity(Vec3::ZERO);
    let again = loaded.add(table()).unwrap();
    loaded.restore(again, &simulation.save_compact(id)).unwrap();
    assert_same((&loaded, again), (&simulation, id));
}

#[test]
fn a_stronger_table_than_that_of_the_save_is_told_of() {
    let (simulation, id) = fallen();
    let mut loaded = waiting();
    let strong = loaded.add(of_strength(table(), 1e9)).unwrap();
    let replayed = loaded.restore(strong, &simulation.save_compact(id));
    assert!(
        matches!(replayed, Err(ReplayError::Different { .. })),
        "{replayed:?}"
    );
}

#[test]
fn cracks_that_brought_nothing_down_are_kept() {
    let beam = || of_strength(cantilever(4.0, 0.3, 0.3), 1e9);
    let mut simulation = waiting();
    let id = simulation.add(beam()).unwrap();
    shoot(&mut simulation, blow(id, [3.8, 0.0, 0.15], 0.2));
    let mut past = simulation.save_compact(id);
    let cracks: BrokenBonds = vec![[3, 7], [7, 9]];
    let standing = past.pieces.iter_mut().find(|piece| !piece.asleep).unwrap();
    standing.broken_bonds = cracks.clone();
    let mut loaded = waiting();
    let again = loaded.add(beam()).unwrap();
    loaded.restore(again, &through_bytes(past)).unwrap();
    let kept = loaded.save_compact(again).pieces;
    assert!(kept.iter().any(|piece| piece.broken_bonds == cracks));
}

#[test]
fn what_comes_out_otherwise_leaves_everything_before_it_complete() {
    let (simulation, id) = fallen();
    let past = simulation.save_compact(id);
    let of = past.breaks.len();
    for wrong in 0..of {
        let mut other = past.clone();
        other.breaks[wrong].pieces += 1;
        let mut loaded = waiting();
        let again = loaded.add(table()).unwrap();
        let number = wrong + 1;
        let replayed = loaded.restore(again, &other);
        assert_eq!(replayed, Err(ReplayError::Different { number, of }));

        // The very first is kept as it comes out.
        let come = &past.breaks[..wrong.max(1)];
        assert_eq!(loaded.save_compact(again).breaks, come);
        let broken: Vec<Broken> = loaded
            .drain_events()
            .filter_map(|event| match event {
                Event::Broken(broken) => Some(*broken),
                _ => None,
            })
            .collect();
        assert_eq!(broken.len(), come.len());
        let pieces = broken.iter().flat_map(|broken| &broken.pieces);
        assert!(pieces
            .clone()
            .all(|piece| piece.colliders.first().as_ball().is_none()));
        let living = loaded.descendants(again);
        let living = pieces.filter(|piece| living.contains(&piece.body));
        let volume: f64 = living.map(|piece| piece.mass.volume).sum();
        let whole = broken[0].volume;
        assert!((volume / whole - 1.0).abs() < 1e-5, "{volume} of {whole}");
    }
}

#[test]
fn several_bodies_are_brought_back_at_once_and_each_is_told_of() {
    let (simulation, id) = fallen();
    let past = simulation.save_compact(id);
    let mut wrong = past.clone();
    wrong.breaks[1].pieces += 1;
    let mut loaded = waiting();
    let [one, other] = [0, 1].map(|_| loaded.add(table()).unwrap());
    let outcomes = loaded.restore_all(&[(one, &past), (other, &wrong), (one, &past)]);
    let different = ReplayError::Different {
        number: 2,
        of: past.breaks.len(),
    };
    let expected = [Ok(()), Err(different), Err(ReplayError::NotIntact)];
    assert_eq!(outcomes, expected);
    assert_same((&loaded, one), (&simulation, id));
}

#[test]
fn only_pieces_that_are_there_in_the_end_are_made_to_be_seen() {
    let (simulation, id) = fallen();
    let past = simulation.save_compact(id);
    let made = Arc::new(AtomicUsize::new(0));
    let count = made.clone();
    let finish = PieceHooks::new(move |_| Box::new(count.fetch_add(1, Ordering::Relaxed)));
    let body = Body {
        hooks: Some(finish),
        ..table()
    };
    let mut loaded = waiting();
    let again = loaded.add(body).unwrap();
    loaded.restore(again, &past).unwrap();
    assert_eq!(made.load(Ordering::Relaxed), past.pieces.len());
    let broken: u32 = past.breaks.iter().map(|past| past.pieces).sum();
    assert!(broken as usize > past.pieces.len());
}

/// All that is told of a body's living pieces, apart from where they are: what was made of them.
fn told(simulation: &mut Simulation, root: BodyId) -> Vec<NewPiece> {
    let living = simulation.descendants(root);
    let broken = simulation.drain_events().filter_map(|event| match event {
        Event::Broken(broken) => Some(broken.pieces),
        _ => None,
    });
    let mut pieces: Vec<_> = broken.flatten().collect();
    pieces.retain(|piece| living.contains(&piece.body));
    let volume = |piece: &NewPiece| piece.mass.volume;
    pieces.sort_by(|a, b| volume(a).total_cmp(&volume(b)));
    pieces
}

#[test]
fn kept_pieces_are_those_that_were_kept_and_nothing_is_broken() {
    let (simulation, id) = fallen();
    let past = through_bytes(simulation.save(id));
    assert_eq!(simulation.save_compact(id), without_pieces(&past));
    let mut broken = waiting();
    let of = broken.add(table()).unwrap();
    broken.restore(of, &without_pieces(&past)).unwrap();
    let mut loaded = waiting();
    let again = loaded.add(table()).unwrap();
    loaded.restore(again, &past).unwrap();
    assert_same((&loaded, again), (&simulation, id));
    assert_eq!(loaded.statistics().breaks, past.breaks.len() as u64);
    assert_eq!(loaded.save(again), past);

    let [before, after] = [(&mut broken, of), (&mut loaded, again)].map(|(s, id)| told(s, id));
    assert_eq!(before.len(), after.len());
    assert!(before.iter().any(|piece| piece.anchored) && before.len() > 10);
    for (one, other) in before.iter().zip(&after) {
        let made = |piece: &NewPiece| (piece.kind, piece.anchored, piece.mass, piece.kilograms);
        assert_eq!(made(one), made(other));
        assert_eq!(one.generation, other.generation);
        assert_eq!(one.triangles, other.triangles);
        assert_eq!(
            corners(one.colliders.first()),
            corners(other.colliders.first())
        );
    }
    // What was a part of the table's remainder is not a part of the table.
    assert!(after.iter().any(|piece| !piece.line.is_empty()));
    assert!(before.iter().all(|piece| piece.line.is_empty()));
}

fn without_pieces(past: &BreakLog) -> BreakLog {
    let past = past.clone();
    BreakLog {
        snapshots: None,
        ..past
    }
}

#[test]
fn kept_pieces_break_again_as_those_that_were_broken_again() {
    let (simulation, id) = fallen();
    let kept = simulation.save(id);
    let [mut broken, mut recalled] = [waiting(), waiting()];
    let pasts = [without_pieces(&kept), kept.clone()];
    let mut roots = Vec::new();
    for (loaded, past) in [&mut broken, &mut recalled].into_iter().zip(&pasts) {
        let root = loaded.add(table()).unwrap();
        loaded.restore(root, past).unwrap();
        roots.push(root);
        // A blow into the middle of each piece, in the order of their names.
        let bodies: BTreeMap<_, _> = hits(loaded, root).into_iter().collect();
        for (body, middle) in bodies.into_values() {
            loaded.impact(blow(body, middle.to_array(), 0.3)).unwrap();
        }
        step(loaded);
        step(loaded);
    }
    let breaks = broken.save_compact(roots[0]).breaks;
    assert!(breaks.len() > kept.breaks.len() + 5, "{}", breaks.len());
    let causes = |simulation: &Simulation, root| simulation.save_compact(root).breaks;
    assert_eq!(causes(&broken, roots[0]), causes(&recalled, roots[1]));
    assert_same((&broken, roots[0]), (&recalled, roots[1]));
}

/// All living pieces by a hash of their meshes, and where their middles are.
fn hits(simulation: &Simulation, root: BodyId) -> Vec<(u64, (BodyId, Vec3))> {
    let pieces = simulation.descendants(root).into_iter();
    let middle = |piece| {
        let shape = simulation.shape(piece).unwrap();
        let middle = shape.solid().unwrap().mass().center.as_vec3();
        simulation
            .motion(piece)
            .unwrap()
            .pose
            .transform_point(middle)
    };
    pieces
        .map(|piece| {
            (
                simulation.geometry_hash([("", piece)]),
                (piece, middle(piece)),
            )
        })
        .collect()
}

#[test]
fn kept_pieces_need_neither_the_mesh_nor_the_strength_of_then() {
    let (simulation, id) = fallen();
    let past = simulation.save(id);
    for other in [of_strength(table(), 1e9), cantilever(4.0, 0.3, 0.3)] {
        let mut loaded = waiting();
        let again = loaded.add(other).unwrap();
        assert!(loaded.restore(again, &past).is_ok());
        assert_same((&loaded, again), (&simulation, id));
    }
}

#[test]
fn pieces_that_cannot_be_read_are_made_by_breaking() {
    let (simulation, id) = fallen();
    let past = simulation.save(id);
    let mut archive = Archive {
        objects: vec![("Table".to_owned(), past.clone())],
    };
    let bytes = archive.to_bytes();
    // Numbers in the middle of a mesh, with the right hash behind them: some are places, some corners. Of
    // other numbers nobody knows that they are wrong; those that cannot be are told.
    let (mut lost, mut taken) = (0, 0);
    for part in 1..40 {
        let mut damaged = bytes.clone();
        let at = bytes.len() / 3 + part * bytes.len() / 70;
        match part % 2 {
            0 => damaged[at..at + 9].fill(0xff),
            _ => damaged[at] ^= 1,
        }
        let body = 20..damaged.len() - 8;
        let hash = xxh3_64(&damaged[body.clone()]).to_le_bytes();
        damaged[body.end..].copy_from_slice(&hash);
        archive = Archive::from_bytes(damaged).unwrap();
        let mut loaded = waiting();
        let again = loaded.add(table()).unwrap();
        loaded.restore(again, &archive.objects[0].1).unwrap();
        let pieces = loaded.save_compact(again).pieces.len();
        assert_eq!(pieces, past.pieces.len());
        let causes: Vec<_> = loaded.drain_events().collect();
        let recalled =
            |event: &Event| matches!(event, Event::Broken(b) if b.cause == Cause::Restore);
        match causes.iter().any(recalled) {
            true => taken += 1,
            false => lost += 1,
        }
        step(&mut loaded);
    }
    assert!(lost > 0 && taken > 0, "{lost} and {taken}");
}

#[test]
fn saves_of_other_versions_are_refused_by_number() {
    let (simulation, id) = fallen();
    let archive = Archive {
        objects: vec![("Table".to_owned(), simulation.save_compact(id))],
    };
    for found in [ARCHIVE_VERSION - 1, ARCHIVE_VERSION + 1] {
        let mut bytes = archive.to_bytes();
        bytes[8..12].copy_from_slice(&found.to_le_bytes());
        let refused = Archive::from_bytes(bytes).unwrap_err();
        assert_eq!(refused, ArchiveError::Version { found });
        let message = refused.to_string();
        assert!(message.contains(&format!("version {found}")), "{message}");
    }
}
