//! Hulls of fragments of a body that was broken before: pieces inherit the history of cuts, also pieces that come
//! from a save.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    save::{Archive, BreakLog},
    Anchors, Body, BodyId, BodyKind, Broken, Impact, NewPiece, Shape, Simulation,
};

use crate::setup::{body, broken, collided, dented, impact_at, quiet};

/// A block that is anchored at its foot, convex until it breaks.
fn block() -> Body {
    Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.1, -0.6, -1.1),
            Vec3::new(1.1, -0.49, 1.1),
        ]]),
        ..body(Mesh::cuboid([2.2, 1.0, 2.2]))
    }
}

/// A ring that is anchored on one side.
fn ring() -> Body {
    Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.2, -0.4, -1.2),
            Vec3::new(-0.9, 0.4, 1.2),
        ]]),
        ..body(Mesh::torus(0.8, 0.3, 40, 30))
    }
}

/// Breaks the anchored piece of a body.
fn impact(simulation: &mut Simulation, root: BodyId, at: [f32; 3]) -> Broken {
    let is_held = |body: &BodyId| simulation.kind(*body) == Some(BodyKind::Remainder);
    let held = simulation.descendants(root).into_iter().find(is_held);
    let small = Impact {
        radius: Some(0.35),
        ..impact_at(held.unwrap_or(root), at)
    };
    simulation.impact(small).unwrap();
    broken(simulation)
}

/// The anchored piece of a body after three impacts at points next to each other.
fn worn(whole: Body, at: [[f32; 3]; 3]) -> (Simulation, BodyId) {
    let mut simulation = quiet();
    let root = simulation.add(whole).unwrap();
    for place in at {
        impact(&mut simulation, root, place);
    }
    (simulation, root)
}

const ON_BLOCK: [[f32; 3]; 4] = [
    [-0.4, 0.5, 0.2],
    [0.3, 0.5, 0.1],
    [0.0, 0.5, -0.5],
    [0.0, 0.5, 0.1],
];

const ON_RING: [[f32; 3]; 4] = [
    [0.8, 0.3, 0.2],
    [0.8, 0.3, -0.5],
    [0.3, 0.3, 0.8],
    [0.6, 0.3, 0.5],
];

#[test]
fn a_remainder_breaks_into_parts_of_the_intact_body() {
    let (mut all, mut clipped) = (0, 0);
    for (whole, [one, two, three, last]) in [(block(), ON_BLOCK), (ring(), ON_RING)] {
        let (mut simulation, root) = worn(whole, [one, two, three]);
        let broken = impact(&mut simulation, root, last);
        assert_eq!((broken.boxed_hulls, broken.loose_hulls), (0, 0));
        all += dented(&broken);
        clipped += broken.clipped_pieces;
    }
    assert!(all > 5, "{all} with several hulls");
    assert!(10 * clipped >= 8 * all, "{clipped} of {all}");
}

#[test]
fn a_fragment_breaks_into_parts_of_the_whole() {
    let (mut simulation, root) = worn(ring(), [ON_RING[0], ON_RING[1], ON_RING[2]]);
    let pieces = impact(&mut simulation, root, ON_RING[3]).pieces.into_iter();
    let dented = pieces.filter(|piece| {
        let shape = piece.colliders.first();
        !piece.anchored && shape.as_compound().is_some()
    });
    let larger = |a: &NewPiece, b: &NewPiece| a.mass.volume.total_cmp(&b.mass.volume);
    let piece = dented.max_by(larger).expect("a dented fragment");
    let at = simulation.motion(piece.body).unwrap().pose;
    let at = at.transform_point(piece.mass.center.as_vec3());
    let split = Impact {
        radius: Some(1.0),
        ..impact_at(piece.body, at.to_array())
    };
    simulation.impact(split).unwrap();
    let broken = broken(&mut simulation);
    assert_eq!(broken.loose_hulls, 0);
    let own = self::dented(&broken);
    assert!(own > 0 && broken.clipped_pieces == own, "{own}: {broken:?}");
}

#[test]
fn both_sides_of_a_cut_break_into_parts_of_the_whole() {
    let mut simulation = quiet();
    let root = simulation.add(ring()).unwrap();
    let blade = Impact::blade(root, Vec3::new(0.3, 0.3, 0.0), Vec3::new(1.0, 0.0, 0.1));
    simulation.impact(blade).unwrap();
    broken(&mut simulation);
    let broken = impact(&mut simulation, root, [0.2, 0.3, 0.75]);
    let own = dented(&broken);
    assert!(
        own > 2 && broken.clipped_pieces + 1 >= own,
        "{own}: {broken:?}"
    );
}

/// The break by a further impact on a body with such a history.
fn afterwards(whole: Body, past: &BreakLog, last: [f32; 3]) -> (Vec<Vec<Vec3>>, u32, BreakLog) {
    let mut simulation = quiet();
    let root = simulation.add(whole).unwrap();
    simulation.restore(root, past).unwrap();
    simulation.drain_events().for_each(drop);
    let broken = impact(&mut simulation, root, last);
    let told = (collided(&broken), broken.clipped_pieces);
    (told.0, told.1, simulation.save(root))
}

#[test]
fn pieces_from_a_save_break_into_the_same_hulls() {
    for (whole, [one, two, three, last]) in [(block(), ON_BLOCK), (ring(), ON_RING)] {
        let (mut simulation, root) = worn(whole.clone(), [one, two, three]);
        let kept = simulation.save(root);
        let archive = Archive {
            objects: vec![("It".to_owned(), kept.clone())],
        };
        assert!(Archive::from_bytes(archive.to_bytes()) == Ok(archive));
        let now = impact(&mut simulation, root, last);
        let now = (collided(&now), now.clipped_pieces, simulation.save(root));
        assert!(now.1 > 1);
        let without = BreakLog {
            snapshots: None,
            ..kept.clone()
        };
        // A body with a shape of its own shares nothing with the body that was broken.
        let again = || Body {
            shape: Shape::new(whole.shape.with_mesh(Mesh::clone)),
            ..whole.clone()
        };
        for past in [&without, &kept] {
            let told = afterwards(again(), past, last);
            assert_eq!(told.1, now.1);
            assert!(told.0 == now.0, "other hulls");
            assert!(told.2.snapshots == now.2.snapshots, "another save");
        }
    }
}

#[test]
fn a_save_of_other_cells_costs_time_and_nothing_else() {
    let (simulation, root) = worn(block(), [ON_BLOCK[0], ON_BLOCK[1], ON_BLOCK[2]]);
    let kept = simulation.save(root);
    // With a pattern of few cells and another mesh the save names cells and parts that do not exist.
    let other = Body {
        pattern: crate::setup::pattern(5),
        ..ring()
    };
    let mut simulation = quiet();
    let root = simulation.add(other).unwrap();
    simulation.restore(root, &kept).unwrap();
    simulation.drain_events().for_each(drop);
    let broken = impact(&mut simulation, root, ON_BLOCK[3]);
    assert!(broken.pieces.len() > 2);
    assert_eq!((broken.boxed_hulls, broken.loose_hulls), (0, 0));
}

#[test]
fn pieces_break_though_the_intact_body_cannot_be_made_any_more() {
    let (simulation, root) = worn(block(), [ON_BLOCK[0], ON_BLOCK[1], ON_BLOCK[2]]);
    let kept = simulation.save(root);
    let gone = [
        Shape::lazy(|| Err("there is no such mesh".to_owned())),
        Shape::lazy(|| panic!("this panic is a part of a test")),
    ];
    for shape in gone {
        let body = Body { shape, ..block() };
        let (_, clipped, past) = afterwards(body, &kept, ON_BLOCK[3]);
        assert_eq!(clipped, 0);
        assert!(past.breaks.len() == 4 && past.pieces.len() > kept.pieces.len());
    }
}
