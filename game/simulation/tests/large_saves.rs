//! Saves with pieces: large ones, whose surfaces are divided into chunks.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    hooks::{PieceHooks, SharedPayload},
    save::Archive,
    Body, BodyId, Broken, Cause, Event, NewPiece, Simulation,
};
use std::sync::Arc;

use crate::chunks::{same, torus};
use crate::setup::{body, impact_at, just_broken, quiet, refine, step};

/// An anchored ring, whose hook for chunks gives their meshes.
fn ring() -> Body {
    let clone = |mesh: &Mesh| -> SharedPayload { Arc::new(mesh.clone()) };
    torus(PieceHooks::new(|_| Box::new(())).with_chunk_hooks(clone, clone))
}

/// A ring of 6,400 triangles that was struck, with what debris touches of it simplified.
pub fn struck_ring() -> (Simulation, BodyId) {
    let mut simulation = quiet();
    let id = simulation.add(small_ring()).unwrap();
    break_at(&mut simulation, id, [0.6, 0.25, 0.0]);
    (simulation, id)
}

/// A ring with the fewest triangles of which the surface is divided into chunks.
pub fn small_ring() -> Body {
    Body {
        shape: body(Mesh::torus(0.6, 0.25, 80, 40)).shape,
        ..ring()
    }
}

fn break_at(simulation: &mut Simulation, body: BodyId, at: [f32; 3]) -> NewPiece {
    let mut hit = impact_at(body, at);
    hit.radius = Some(0.1);
    simulation.impact(hit).unwrap();
    // Pieces that fall on another remainder may wear it down meanwhile.
    let mut events = (0..4).flat_map(|_| step(simulation));
    let mut broken = events
        .find_map(|event| match event {
            Event::Broken(broken) if broken.body == body => Some(*broken),
            _ => None,
        })
        .expect("a break");
    drop(events);
    refine(simulation, &mut broken);
    let pieces = broken.pieces.into_iter();
    pieces.filter(|piece| piece.anchored).last().unwrap()
}

/// The anchored piece of the body that was restored.
fn restored_remainder(simulation: &mut Simulation) -> NewPiece {
    let mut events = simulation.drain_events();
    let restored = events.find_map(|event| match event {
        Event::Broken(broken) if broken.cause == Cause::Restore => Some(*broken),
        _ => None,
    });
    let pieces = restored.expect("a restored body").pieces.into_iter();
    pieces.filter(|piece| piece.anchored).last().unwrap()
}

fn parts(piece: &NewPiece) -> Vec<(Vec<Vec3>, Vec<[u32; 3]>)> {
    let meshes = piece.colliders.shapes().map(|shape| shape.as_trimesh());
    let parts = meshes.map(|mesh| mesh.unwrap());
    let corners = parts.map(|mesh| (mesh.vertices().to_vec(), mesh.indices().to_vec()));
    corners.collect()
}

#[test]
fn a_large_piece_has_the_chunks_that_it_had_and_shares_those_of_the_intact_body() {
    let mut simulation = quiet();
    let whole = ring();
    let id = simulation.add(whole.clone()).unwrap();
    let first = break_at(&mut simulation, id, [0.6, 0.25, 0.0]);
    let before = break_at(&mut simulation, first.body, [-0.6, 0.25, 0.0]);
    let save = simulation.save(id);
    let archive = Archive {
        objects: vec![("Ring".to_owned(), save.clone())],
    };
    assert!(Archive::from_bytes(archive.to_bytes()) == Ok(archive));

    // Two are restored, and the third is broken as usual.
    let mut loaded = quiet();
    let [one, two, three] = [0; 3].map(|_| loaded.add(whole.clone()).unwrap());
    let results = loaded.restore_all(&[(one, &save), (two, &save)]);
    assert_eq!(results, [Ok(()), Ok(())]);
    assert!(loaded.save(two) == save, "another save");
    let after = restored_remainder(&mut loaded);
    assert_eq!(parts(&after), parts(&before));
    // The order of the triangles in a chunk may differ: it cannot be seen.
    let drawn = |piece: &NewPiece| -> Vec<usize> {
        let chunks = piece.render_chunks.iter();
        let meshes = chunks.map(|chunk| chunk.downcast_ref::<Mesh>().unwrap());
        meshes.map(|mesh| mesh.triangles.len()).collect()
    };
    assert_eq!(drawn(&after), drawn(&before));
    assert!(parts(&after).len() > 8);
    let other = break_at(&mut loaded, three, [0.0, 0.25, 0.6]);
    let shared = same(&other.render_chunks, &after.render_chunks);
    assert!(shared > 4, "{shared} of {}", other.render_chunks.len());

    // The next break is the same.
    let next = [(simulation, before), (loaded, after)].map(|(mut simulation, piece)| {
        let held = break_at(&mut simulation, piece.body, [0.0, 0.25, -0.6]);
        (parts(&held), simulation.geometry_hash([("", held.body)]))
    });
    assert!(next[0] == next[1], "another break");
}

#[test]
fn another_mesh_than_that_of_the_save_lends_no_chunks() {
    let mut simulation = quiet();
    let id = simulation.add(ring()).unwrap();
    let before = break_at(&mut simulation, id, [0.6, 0.25, 0.0]);
    let save = simulation.save(id);
    let mut loaded = quiet();
    let mut other = ring();
    other.shape = body(Mesh::torus(0.6, 0.2, 200, 100)).shape;
    let [again, third] = [0; 2].map(|_| loaded.add(other.clone()).unwrap());
    loaded.restore(again, &save).unwrap();
    let after = restored_remainder(&mut loaded);
    assert_eq!(parts(&after), parts(&before));
    let broken = break_at(&mut loaded, third, [0.0, 0.2, 0.6]);
    assert_eq!(same(&broken.render_chunks, &after.render_chunks), 0);
}

#[test]
fn a_piece_that_is_saved_with_its_coarse_collision_mesh_comes_back_with_its_lasting_one() {
    let mut simulation = quiet();
    let id = simulation.add(ring()).unwrap();
    let mut hit = impact_at(id, [0.6, 0.25, 0.0]);
    hit.radius = Some(0.15);
    simulation.impact(hit).unwrap();
    let mut broken = just_broken(&mut simulation);
    let save = simulation.save(id);
    let held = |broken: &Broken| {
        broken
            .pieces
            .iter()
            .position(|piece| piece.anchored)
            .unwrap()
    };
    let collision = |piece: &NewPiece| -> Vec<Mesh> {
        let parts = piece.collision_chunks.iter();
        parts
            .map(|part| part.downcast_ref::<Mesh>().unwrap().clone())
            .collect()
    };
    let colliders = parts(&broken.pieces[held(&broken)]);
    let entered = collision(&broken.pieces[held(&broken)]);
    refine(&mut simulation, &mut broken);
    let lasting = collision(&broken.pieces[held(&broken)]);
    assert!(entered != lasting);

    let mut loaded = quiet();
    let again = loaded.add(ring()).unwrap();
    loaded.restore(again, &save).unwrap();
    let after = restored_remainder(&mut loaded);
    assert!(collision(&after) == lasting);
    assert_eq!(parts(&after), colliders);
}
