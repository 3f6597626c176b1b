//! Colliders of what stays of plain bodies: their convex parts.

use fracture_simulation::geometry::hulls::Hull;
use fracture_simulation::rapier3d::parry::shape::TypedShape;
use fracture_simulation::{BodyId, BodyKind, NewPiece, SharedShape, Simulation};

use crate::setup::{broken, impact_at, waiting, wall};

const BLOWS: [[f32; 3]; 4] = [
    [-1.0, 1.3, 0.1],
    [0.9, 0.8, 0.1],
    [-0.2, 1.5, 0.1],
    [1.2, 1.4, 0.1],
];

/// Strikes what stays of a wall, and gives what then stays.
fn strike(simulation: &mut Simulation, body: BodyId, at: [f32; 3]) -> NewPiece {
    simulation.impact(impact_at(body, at)).unwrap();
    let mut pieces = broken(simulation).pieces.into_iter();
    let is_held = |piece: &NewPiece| simulation.kind(piece.body) == Some(BodyKind::Remainder);
    pieces.find(is_held).expect("a held piece")
}

/// The convex parts of a collider, with their volumes.
fn parts(shape: &SharedShape) -> Vec<Hull> {
    let compound = shape.as_compound().expect("several parts");
    let parts = compound.shapes().iter().map(|(_, part)| {
        let TypedShape::ConvexPolyhedron(hull) = part.as_typed_shape() else {
            panic!("{:?}", part.shape_type());
        };
        let (points, triangles) = hull.to_trimesh();
        Hull {
            volume: f64::from(part.mass_properties(1.0).mass()),
            points: points.iter().map(|point| point.to_array()).collect(),
            triangles,
        }
    });
    parts.collect()
}

#[test]
fn a_wall_that_is_struck_again_and_again_collides_as_its_parts() {
    let mut simulation = waiting();
    let mut body = simulation.add(wall()).unwrap();
    for at in BLOWS {
        let piece = strike(&mut simulation, body, at);
        let volumes = parts(piece.colliders.first())
            .into_iter()
            .map(|part| part.volume);
        let (found, volume) = (volumes.sum::<f64>(), piece.mass.volume);
        assert!(
            (found / volume - 1.0).abs() < 1e-3,
            "{at:?}: {found} of {volume}"
        );
        body = piece.body;
    }
}

#[test]
fn a_wall_that_was_loaded_breaks_into_the_same_parts() {
    let mut simulation = waiting();
    let root = simulation.add(wall()).unwrap();
    let mut body = root;
    for at in &BLOWS[..2] {
        body = strike(&mut simulation, body, *at).body;
    }
    let mut loaded = waiting();
    let restored = loaded.add(wall()).unwrap();
    loaded
        .restore(restored, &simulation.save_compact(root))
        .unwrap();
    loaded.drain_events().for_each(drop);
    let pieces = loaded.descendants(restored).into_iter();
    let mut kept = pieces.filter(|piece| loaded.kind(*piece) == Some(BodyKind::Remainder));
    let mut again = kept.next().expect("a held piece");
    for at in &BLOWS[2..] {
        let one = strike(&mut simulation, body, *at);
        let other = strike(&mut loaded, again, *at);
        assert_eq!(parts(one.colliders.first()), parts(other.colliders.first()));
        (body, again) = (one.body, other.body);
    }
}
