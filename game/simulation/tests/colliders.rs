//! Collision shapes of pieces.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::hulls::HULL_TOLERANCE;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::rapier3d::parry::shape::TypedShape;
use fracture_simulation::{external::ExternalBody, Event, Impact, NewPiece, SharedShape};

use crate::setup::{at, body, break_one, broken, impact_at, step, waiting};

#[test]
fn a_ring_keeps_its_hole() {
    let ring = body(Mesh::torus(0.6, 0.15, 48, 24));
    let mut simulation = waiting();
    let id = simulation.add(ring).unwrap();
    let small = Impact {
        radius: Some(0.2),
        ..impact_at(id, [0.6, 0.15, 0.0])
    };
    simulation.impact(small).unwrap();
    let broken = broken(&mut simulation);
    let larger = |a: &&NewPiece, b: &&NewPiece| a.mass.volume.total_cmp(&b.mass.volume);
    let rest = broken.pieces.iter().max_by(larger).unwrap();
    assert!(rest.colliders.first().as_compound().is_some());
    let parts = rest.colliders.first().as_compound().unwrap().shapes().len();
    assert!((4..=48).contains(&parts), "{parts} parts");
    step(&mut simulation);
    // A ray through the hole, along the axis of the ring where it is by now.
    let pose = simulation.motion(rest.body).unwrap().pose;
    let origin = pose.transform_point(Vec3::new(0.0, 3.0, 0.0));
    let axis = pose.transform_vector(Vec3::NEG_Y);
    assert_eq!(simulation.cast_ray(origin, axis, 10.0), None);
    let onto = pose.transform_point(Vec3::new(-0.6, 3.0, 0.0));
    let hit = simulation.cast_ray(onto, axis, 10.0).unwrap();
    assert_eq!(hit.body, Some(rest.body));
}

/// A box with walls of 15 cm.
fn hollow_box() -> Mesh {
    let (mut mesh, inner) = (Mesh::cuboid([2.2, 1.0, 2.2]), Mesh::cuboid([1.9, 0.7, 1.9]));
    let first = mesh.positions.len() as u32;
    let turned = |t: &[u32; 3]| [t[0], t[2], t[1]].map(|corner| corner + first);
    mesh.triangles.extend(inner.triangles.iter().map(turned));
    mesh.positions.extend(&inner.positions);
    Mesh::from_triangles(mesh.positions, mesh.triangles)
}

/// Breaks hollow boxes at some of their edges; the parts of the colliders, and the number of pieces with clipped
/// hulls.
fn hollow_boxes(threads: usize) -> (Vec<usize>, u64) {
    let mut simulation = crate::setup::with(fracture_simulation::Settings {
        threads,
        ..Default::default()
    });
    let mut parts = Vec::new();
    for angle in 0..6 {
        let id = simulation.add(body(hollow_box())).unwrap();
        let z = -0.9 + 0.36 * angle as f32;
        simulation.impact(impact_at(id, [1.1, 0.5, z])).unwrap();
        let broken = broken(&mut simulation);
        assert_eq!((broken.boxed_hulls, broken.loose_hulls), (0, 0));
        let free = broken.pieces.iter().map(|piece| piece.colliders.first());
        parts.extend(free.map(|c| c.as_compound().map_or(1, |c| c.shapes().len())));
    }
    (parts, simulation.statistics().clipped_pieces)
}

#[test]
fn fragments_of_a_hollow_box_have_parts_of_its_decomposition() {
    let (parts, clipped) = hollow_boxes(1);
    let several = parts.iter().filter(|parts| **parts > 1).count() as u64;
    // The six remainders count too: they reuse hulls of the intact body.
    assert!(several > 10, "{several}");
    assert!(clipped + 1 >= several, "{clipped} of {several}");
    assert_eq!(hollow_boxes(2), (parts, clipped));
}

#[test]
fn convex_pieces_get_one_hull() {
    let (_, broken) = break_one(crate::setup::cube(), [0.0, 0.5, 0.0]);
    let fragments = broken.pieces.iter().filter(|piece| piece.mass.volume < 0.1);
    for piece in fragments {
        let hull = piece.colliders.first().as_typed_shape();
        assert!(matches!(hull, TypedShape::ConvexPolyhedron(_)));
    }
    assert_eq!(broken.boxed_hulls, 0);
}

#[test]
fn the_collider_fits_the_piece() {
    let (_, broken) = break_one(crate::setup::cube(), [0.0, 0.5, 0.0]);
    for piece in &broken.pieces {
        let shape = piece.colliders.first().compute_local_aabb();
        piece.shape.with_mesh(|mesh| {
            let points = mesh.positions.iter().map(|&p| Vec3::from(p));
            let low = points.clone().fold(Vec3::MAX, Vec3::min);
            let high = points.fold(Vec3::MIN, Vec3::max);
            let (small, large) = (shape.mins, shape.maxs);
            assert!(small.cmpge(low - 1e-4).all() && large.cmple(high + 1e-4).all());
            let ratio = (large - small) / (high - low);
            assert!(ratio.min_element() > 0.9, "{ratio}");
        });
    }
}

#[test]
fn a_pane_of_thin_shards_neither_panics_nor_explodes() {
    let mut simulation = waiting();
    let ground = ExternalBody::fixed(SharedShape::cuboid(9.0, 0.5, 9.0), at(0.0, -1.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let pane = body(Mesh::cuboid([2.0, 1.5, 0.008]));
    let id = simulation.add(pane).unwrap();
    let shot = fracture_simulation::Impact {
        impulse: Vec3::new(0.0, 0.0, -25.0),
        normal: Vec3::Z,
        ..impact_at(id, [0.1, 0.1, 0.004])
    };
    simulation.impact(shot).unwrap();
    let broken = broken(&mut simulation);
    for _ in 0..300 {
        for event in step(&mut simulation) {
            assert!(!matches!(event, Event::Removed { .. }), "{event:?}");
        }
    }
    for piece in &broken.pieces {
        let motion = simulation.motion(piece.body).unwrap();
        assert!(motion.linear.length() < 3.0, "{} m/s", motion.linear);
    }
}

/// The deepest overlap of any two pieces, metres.
fn deepest_overlap(broken: &fracture_simulation::Broken) -> f32 {
    use fracture_simulation::rapier3d::parry::query::contact;
    let pose = fracture_simulation::Pose::IDENTITY;
    let mut deepest = 0.0_f32;
    for (index, a) in broken.pieces.iter().enumerate() {
        for b in broken.pieces.iter().skip(index + 1) {
            let (one, other) = (&*a.colliders.first().0, &*b.colliders.first().0);
            if let Ok(Some(found)) = contact(&pose, one, &pose, other, 0.0) {
                deepest = deepest.max(-found.dist);
            }
        }
    }
    deepest
}

#[test]
fn pieces_overlap_at_first_by_no_more_than_the_tolerance_of_hulls() {
    let (_, broken) = break_one(crate::setup::cube(), [0.0, 0.5, 0.0]);
    let deepest = deepest_overlap(&broken);
    // Each of two neighbours may reach out by that share of its size.
    let allowed = 2.0 * HULL_TOLERANCE as f32;
    assert!(deepest < allowed, "{deepest} m");
}

#[test]
fn the_rest_of_a_wall_is_solid_and_that_of_a_ring_is_its_mesh() {
    let (_, wall) = break_one(crate::setup::wall(), [0.0, 1.5, 0.1]);
    let rest = wall.pieces.iter().find(|piece| piece.anchored).unwrap();
    assert!(rest.colliders.first().as_compound().is_some());
    assert!(deepest_overlap(&wall) < 0.005);
    let mut ring = body(Mesh::torus(0.6, 0.15, 48, 24));
    ring.anchors = fracture_simulation::Anchors::from_bounds(|[low, _]| vec![[low, low + 0.8]]);
    let mut simulation = waiting();
    let id = simulation.add(ring).unwrap();
    let small = Impact {
        radius: Some(0.2),
        ..impact_at(id, [0.6, 0.15, 0.0])
    };
    simulation.impact(small).unwrap();
    let ring = broken(&mut simulation);
    let rest = ring.pieces.iter().find(|piece| piece.anchored).unwrap();
    assert!(rest.colliders.first().as_trimesh().is_some());
}
