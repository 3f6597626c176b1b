//! Hulls of the remainder of a free body: most are those of the intact body.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, PieceKind};
use fracture_simulation::{
    save::BreakLog, Anchors, Body, BodyId, Broken, Impact, NewPiece, Settings, Shape, Simulation,
};

use crate::setup::{body, breaks_among, broken, collided, dented, impact_at, quiet, step, with};

const TOWARDS: [[f32; 3]; 3] = [[0.8, 0.3, 0.2], [-0.8, 0.3, -0.5], [-0.3, 0.3, 0.8]];

/// Free bodies that need many hulls: the first has a convex decomposition, the second has none.
fn wholes() -> [Body; 2] {
    [
        body(Mesh::torus(0.8, 0.3, 40, 30)),
        body(Mesh::bowl(1.1, 0.06, 64, 16)),
    ]
}

/// Breaks a body at a point in its own space.
fn impact_with_radius(simulation: &mut Simulation, body: BodyId, place: [f32; 3]) -> Broken {
    let pose = simulation.motion(body).unwrap().pose;
    let small = Impact {
        radius: Some(0.3),
        ..impact_at(body, pose.transform_point(place.into()).to_array())
    };
    simulation.impact(small).unwrap();
    broken(simulation)
}

/// The largest island that a break leaves.
fn rest(broken: &Broken) -> &NewPiece {
    let islands = broken.pieces.iter();
    largest(islands.filter(|piece| matches!(piece.kind, PieceKind::Island { .. })))
}

fn largest<'a>(pieces: impl Iterator<Item = &'a NewPiece>) -> &'a NewPiece {
    let larger = |a: &&NewPiece, b: &&NewPiece| a.mass.volume.total_cmp(&b.mass.volume);
    pieces.max_by(larger).expect("a piece")
}

/// The point of the surface that is farthest in a direction.
fn farthest(whole: &Body, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let reach = |p: &[f32; 3]| Vec3::from(*p).dot(Vec3::new(x, y, z));
    let farther = |a: &&[f32; 3], b: &&[f32; 3]| reach(a).total_cmp(&reach(b));
    let of = |mesh: &Mesh| mesh.positions.iter().max_by(farther).copied();
    whole.shape.with_mesh(of).expect("a vertex")
}

/// The points of three breaks.
fn places(whole: &Body) -> [[f32; 3]; 3] {
    TOWARDS.map(|towards| farthest(whole, towards))
}

fn parts(piece: &NewPiece) -> usize {
    let collider = piece.colliders.first();
    collider
        .as_compound()
        .map_or(1, |hulls| hulls.shapes().len())
}

#[test]
fn what_is_left_of_a_free_body_has_hulls_of_the_whole() {
    for (whole, has_parts) in wholes().into_iter().zip([true, false]) {
        let places = places(&whole);
        let mut simulation = quiet();
        let mut now = simulation.add(whole).unwrap();
        for place in places {
            let broken = impact_with_radius(&mut simulation, now, place);
            assert_eq!((broken.boxed_hulls, broken.loose_hulls), (0, 0));
            let several = if has_parts { dented(&broken) } else { 1 };
            let clipped = broken.clipped_pieces;
            assert!(
                clipped > 0 && clipped + 1 >= several,
                "{clipped} of {several}"
            );
            assert!(parts(rest(&broken)) > 10);
            now = rest(&broken).body;
        }
    }
}

#[test]
fn no_thread_shows_in_hulls_of_what_is_left() {
    let breaks = |threads: usize, frames: u32| {
        let mut simulation = with(Settings {
            threads,
            ..Settings::default()
        });
        let [_, bowl] = wholes();
        let [place, ..] = places(&bowl);
        let whole = simulation.add(bowl).unwrap();
        // The first break searches the hulls, unless they have been precomputed by then.
        (0..frames).for_each(|_| drop(step(&mut simulation)));
        collided(&impact_with_radius(&mut simulation, whole, place))
    };
    let alone = breaks(1, 0);
    assert!(alone == breaks(2, 0) && alone == breaks(1, 5) && alone == breaks(2, 5));
}

/// Hulls after the last impact on a body that is restored from a log.
fn afterwards(whole: Body, past: &BreakLog, last: [f32; 3]) -> Vec<Vec<Vec3>> {
    let mut simulation = quiet();
    let root = simulation.add(whole).unwrap();
    simulation.restore(root, past).unwrap();
    let recalled: Vec<Broken> = breaks_among(simulation.drain_events()).collect();
    let lasting = recalled.iter().flat_map(|broken| &broken.pieces);
    let lasting = lasting.filter(|piece| simulation.motion(piece.body).is_some());
    let rest = largest(lasting).body;
    collided(&impact_with_radius(&mut simulation, rest, last))
}

#[test]
fn what_is_left_of_a_free_body_breaks_alike_from_a_save() {
    for whole in wholes() {
        let [one, two, last] = places(&whole);
        let mut simulation = quiet();
        let root = simulation.add(whole.clone()).unwrap();
        let first = impact_with_radius(&mut simulation, root, one);
        let second = impact_with_radius(&mut simulation, rest(&first).body, two);
        let kept = simulation.save(root);
        let now = impact_with_radius(&mut simulation, rest(&second).body, last);
        assert!(now.clipped_pieces > 0);
        let now = collided(&now);
        // A shape of its own, which shares nothing with the broken body.
        let again = || Body {
            shape: Shape::new(whole.shape.with_mesh(Mesh::clone)),
            ..whole.clone()
        };
        let without = BreakLog {
            snapshots: None,
            ..kept.clone()
        };
        assert!(afterwards(again(), &kept, last) == now, "from pieces");
        assert!(afterwards(again(), &without, last) == now, "broken again");
    }
}

#[test]
fn what_falls_off_a_held_body_is_sought() {
    let [ring, _] = wholes();
    let held = Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.2, -0.4, -1.2),
            Vec3::new(-0.9, 0.4, 1.2),
        ]]),
        ..ring
    };
    let mut simulation = quiet();
    let root = simulation.add(held).unwrap();
    let blade = Impact::blade(root, Vec3::new(-0.5, 0.3, 0.0), Vec3::X);
    simulation.impact(blade).unwrap();
    let broken = broken(&mut simulation);
    let free = broken
        .pieces
        .iter()
        .find(|piece| !piece.anchored)
        .expect("a free side");
    assert!(parts(free) > 5 && broken.clipped_pieces == 0);
}
