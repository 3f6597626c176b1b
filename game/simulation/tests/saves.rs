//! Saves of bodies that came down by their weight, and saves of other versions.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::{
    hooks::PieceHooks,
    save::{
        Archive, ArchiveError, BreakLog, BreakRecord, LoggedCause, ReplayError, ARCHIVE_VERSION,
    },
    stress::BrokenBonds,
    Body, BodyId, Broken, Cause, Event, NewPiece, Simulation,
};
use std::collections::BTreeMap;
use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Arc,
};

use crate::collapses::{break_and_collapse, impact_with_radius, table};
use crate::hostile_bytes::mended;
use crate::setup::{breaks_among, corners, piece_hashes, quiet, step, waiting, written_and_read};
use crate::weight::{cantilever, of_strength, solved};

/// A table that has lost three legs and collapsed.
pub fn fallen() -> (Simulation, BodyId) {
    let (mut simulation, id, _) = solved(table());
    for at in [[-0.5, 0.35, -0.26], [0.5, 0.35, 0.34], [0.5, 0.35, -0.26]] {
        break_and_collapse(&mut simulation, impact_with_radius(id, at, 0.12));
    }
    (simulation, id)
}

/// Asserts that two bodies have equal saves, and that their pieces have the same meshes to the last bit.
fn assert_same(one: (&Simulation, BodyId), other: (&Simulation, BodyId)) {
    let meshes = |(simulation, root)| piece_hashes(simulation, root);
    assert_eq!(meshes(one), meshes(other));
    assert_eq!(meshes(one).len(), one.0.save_compact(one.1).pieces.len());
    assert!(
        one.0.save_compact(one.1) == other.0.save_compact(other.1),
        "another save"
    );
}

#[test]
fn a_collapse_is_restored_as_it_happened() {
    let (mut simulation, id) = fallen();
    let save = written_and_read(simulation.save_compact(id));
    let by_weight = |record: &&BreakRecord| matches!(record.cause, LoggedCause::Weight(_));
    assert_eq!(save.breaks.iter().filter(by_weight).count(), 1);

    let mut loaded = quiet();
    let restored = loaded.add(table()).unwrap();
    loaded.restore(restored, &save).unwrap();
    assert_same((&loaded, restored), (&simulation, id));
    // The table stays down, and nothing else comes down.
    for (simulation, id) in [(&mut simulation, id), (&mut loaded, restored)] {
        for _ in 0..30 {
            step(simulation);
        }
        let breaks = simulation.save_compact(id).breaks;
        assert_eq!(breaks.iter().filter(by_weight).count(), 1);
    }
}

#[test]
fn another_gravity_than_that_of_the_save_does_not_change_a_collapse() {
    let (simulation, id) = fallen();
    let mut loaded = waiting();
    loaded.set_gravity(Vec3::ZERO);
    let restored = loaded.add(table()).unwrap();
    loaded
        .restore(restored, &simulation.save_compact(id))
        .unwrap();
    assert_same((&loaded, restored), (&simulation, id));
}

#[test]
fn a_stronger_table_than_that_of_the_save_is_an_error() {
    let (simulation, id) = fallen();
    let mut loaded = waiting();
    let strong = loaded.add(of_strength(table(), 1e9)).unwrap();
    let result = loaded.restore(strong, &simulation.save_compact(id));
    assert!(
        matches!(result, Err(ReplayError::Different { .. })),
        "{result:?}"
    );
}

#[test]
fn broken_bonds_that_brought_nothing_down_are_saved() {
    let beam = || of_strength(cantilever(4.0, 0.3, 0.3), 1e9);
    let mut simulation = waiting();
    let id = simulation.add(beam()).unwrap();
    break_and_collapse(
        &mut simulation,
        impact_with_radius(id, [3.8, 0.0, 0.15], 0.2),
    );
    let mut save = simulation.save_compact(id);
    let cracks: BrokenBonds = vec![[3, 7], [7, 9]];
    let standing = save.pieces.iter_mut().find(|piece| !piece.asleep).unwrap();
    standing.broken_bonds = cracks.clone();
    let mut loaded = waiting();
    let restored = loaded.add(beam()).unwrap();
    loaded.restore(restored, &written_and_read(save)).unwrap();
    let pieces = loaded.save_compact(restored).pieces;
    assert!(pieces.iter().any(|piece| piece.broken_bonds == cracks));
}

#[test]
fn a_break_that_comes_out_otherwise_leaves_everything_before_it_complete() {
    let (simulation, id) = fallen();
    let save = simulation.save_compact(id);
    let of = save.breaks.len();
    for wrong in 0..of {
        let mut other = save.clone();
        other.breaks[wrong].pieces += 1;
        let mut loaded = waiting();
        let restored = loaded.add(table()).unwrap();
        let number = wrong + 1;
        let result = loaded.restore(restored, &other);
        assert_eq!(result, Err(ReplayError::Different { number, of }));

        // The first break is accepted as it comes out.
        let expected = &save.breaks[..wrong.max(1)];
        assert_eq!(loaded.save_compact(restored).breaks, expected);
        let broken: Vec<Broken> = breaks_among(loaded.drain_events()).collect();
        assert_eq!(broken.len(), expected.len());
        let pieces = broken.iter().flat_map(|broken| &broken.pieces);
        assert!(pieces
            .clone()
            .all(|piece| piece.colliders.first().as_ball().is_none()));
        let living = loaded.descendants(restored);
        let living = pieces.filter(|piece| living.contains(&piece.body));
        let volume: f64 = living.map(|piece| piece.mass.volume).sum();
        let whole = broken[0].volume;
        assert!((volume / whole - 1.0).abs() < 1e-5, "{volume} of {whole}");
    }
}

#[test]
fn several_bodies_are_restored_at_once_and_each_has_its_result() {
    let (simulation, id) = fallen();
    let save = simulation.save_compact(id);
    let mut wrong = save.clone();
    wrong.breaks[1].pieces += 1;
    let mut loaded = waiting();
    let [one, other] = [0, 1].map(|_| loaded.add(table()).unwrap());
    let outcomes = loaded.restore_all(&[(one, &save), (other, &wrong), (one, &save)]);
    let different = ReplayError::Different {
        number: 2,
        of: save.breaks.len(),
    };
    let expected = [Ok(()), Err(different), Err(ReplayError::NotIntact)];
    assert_eq!(outcomes, expected);
    assert_same((&loaded, one), (&simulation, id));
}

#[test]
fn hooks_run_only_for_pieces_that_are_in_the_save() {
    let (simulation, id) = fallen();
    let save = simulation.save_compact(id);
    let runs = Arc::new(AtomicUsize::new(0));
    let count = runs.clone();
    let hooks = PieceHooks::new(move |_| Box::new(count.fetch_add(1, Ordering::Relaxed)));
    let body = Body {
        hooks: Some(hooks),
        ..table()
    };
    let mut loaded = waiting();
    let restored = loaded.add(body).unwrap();
    loaded.restore(restored, &save).unwrap();
    assert_eq!(runs.load(Ordering::Relaxed), save.pieces.len());
    let broken: u32 = save.breaks.iter().map(|record| record.pieces).sum();
    assert!(broken as usize > save.pieces.len());
}

/// The new pieces of all breaks that are still alive, by volume.
fn living_pieces(simulation: &mut Simulation, root: BodyId) -> Vec<NewPiece> {
    let living = simulation.descendants(root);
    let broken = breaks_among(simulation.drain_events());
    let mut pieces: Vec<_> = broken.flat_map(|broken| broken.pieces).collect();
    pieces.retain(|piece| living.contains(&piece.body));
    let volume = |piece: &NewPiece| piece.mass.volume;
    pieces.sort_by(|a, b| volume(a).total_cmp(&volume(b)));
    pieces
}

#[test]
fn snapshots_restore_the_pieces_that_were_saved_and_nothing_is_broken() {
    let (simulation, id) = fallen();
    let save = written_and_read(simulation.save(id));
    assert_eq!(simulation.save_compact(id), without_snapshots(&save));
    let mut broken = waiting();
    let replayed = broken.add(table()).unwrap();
    broken.restore(replayed, &without_snapshots(&save)).unwrap();
    let mut loaded = waiting();
    let restored = loaded.add(table()).unwrap();
    loaded.restore(restored, &save).unwrap();
    assert_same((&loaded, restored), (&simulation, id));
    assert_eq!(loaded.statistics().breaks, save.breaks.len() as u64);
    assert_eq!(loaded.save(restored), save);

    let [before, after] =
        [(&mut broken, replayed), (&mut loaded, restored)].map(|(s, id)| living_pieces(s, id));
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
    // Pieces that broke off the remainder of the table name it as an ancestor.
    assert!(after.iter().any(|piece| !piece.ancestors.is_empty()));
    assert!(before.iter().all(|piece| piece.ancestors.is_empty()));
}

fn without_snapshots(save: &BreakLog) -> BreakLog {
    BreakLog {
        snapshots: None,
        ..save.clone()
    }
}

#[test]
fn pieces_of_snapshots_break_again_like_replayed_pieces() {
    let (simulation, id) = fallen();
    let full = simulation.save(id);
    let [mut broken, mut restored] = [waiting(), waiting()];
    let saves = [without_snapshots(&full), full.clone()];
    let mut roots = Vec::new();
    for (loaded, save) in [&mut broken, &mut restored].into_iter().zip(&saves) {
        let root = loaded.add(table()).unwrap();
        loaded.restore(root, save).unwrap();
        roots.push(root);
        // A blow into the middle of each piece, in the order of their names.
        let bodies: BTreeMap<_, _> = centers(loaded, root).into_iter().collect();
        for (body, middle) in bodies.into_values() {
            loaded
                .impact(impact_with_radius(body, middle.to_array(), 0.3))
                .unwrap();
        }
        step(loaded);
        step(loaded);
    }
    let breaks = broken.save_compact(roots[0]).breaks;
    assert!(breaks.len() > full.breaks.len() + 5, "{}", breaks.len());
    let causes = |simulation: &Simulation, root| simulation.save_compact(root).breaks;
    assert_eq!(causes(&broken, roots[0]), causes(&restored, roots[1]));
    assert_same((&broken, roots[0]), (&restored, roots[1]));
}

/// All living pieces and their centres of mass, by a hash of their meshes.
fn centers(simulation: &Simulation, root: BodyId) -> Vec<(u64, (BodyId, Vec3))> {
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
fn snapshots_need_neither_the_mesh_nor_the_strength_of_then() {
    let (simulation, id) = fallen();
    let save = simulation.save(id);
    for other in [of_strength(table(), 1e9), cantilever(4.0, 0.3, 0.3)] {
        let mut loaded = waiting();
        let restored = loaded.add(other).unwrap();
        assert!(loaded.restore(restored, &save).is_ok());
        assert_same((&loaded, restored), (&simulation, id));
    }
}

#[test]
fn snapshots_that_cannot_be_read_are_replaced_by_replay() {
    let (simulation, id) = fallen();
    let save = simulation.save(id);
    let mut archive = Archive {
        objects: vec![("Table".to_owned(), save.clone())],
    };
    let bytes = archive.to_bytes();
    // Damaged numbers in meshes, with the right hash behind them. Positions that are not finite and vertices that
    // do not exist are noticed; other wrong numbers cannot be.
    let (mut replayed, mut loaded_snapshots) = (0, 0);
    for part in 1..40 {
        let mut damaged = bytes.clone();
        let at = bytes.len() / 3 + part * bytes.len() / 70;
        match part % 2 {
            0 => damaged[at..at + 9].fill(0xff),
            _ => damaged[at] ^= 1,
        }
        archive = Archive::from_bytes(mended(damaged)).unwrap();
        let mut loaded = waiting();
        let restored = loaded.add(table()).unwrap();
        loaded.restore(restored, &archive.objects[0].1).unwrap();
        let pieces = loaded.save_compact(restored).pieces.len();
        assert_eq!(pieces, save.pieces.len());
        let events: Vec<_> = loaded.drain_events().collect();
        let is_restored =
            |event: &Event| matches!(event, Event::Broken(b) if b.cause == Cause::Restore);
        if events.iter().any(is_restored) {
            loaded_snapshots += 1;
        } else {
            replayed += 1;
        }
        step(&mut loaded);
    }
    assert!(
        replayed > 0 && loaded_snapshots > 0,
        "{replayed} and {loaded_snapshots}"
    );
}

#[test]
fn pieces_that_have_fallen_out_of_the_world_are_saved() {
    let (simulation, id) = fallen();
    let mut save = simulation.save(id);
    for (piece, depth) in save.pieces.iter_mut().zip([2e6, 1e9]) {
        piece.motion.pose.translation.y = -depth;
        piece.motion.linear.y = -depth.sqrt();
    }
    assert!(written_and_read(save.clone()) == save);
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
