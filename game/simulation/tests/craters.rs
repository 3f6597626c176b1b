//! The remainder of a free body, and the fragments that lie in its crater.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::hulls::{Hull, HULL_TOLERANCE};
use fracture_simulation::geometry::{self, Mesh, Solid};
use fracture_simulation::rapier3d::math::Pose;
use fracture_simulation::rapier3d::parry::shape::TypedShape;
use fracture_simulation::{
    external::ExternalBody, Broken, Impact, NewPiece, SharedShape, Simulation,
};

use crate::gentle_breaks::{center, centers, fallen, off_in_the_air};
use crate::meshes::{arch, vase};
use crate::setup::{at, body, broken, step, waiting};

/// Largest distance that hulls may stay inside a piece, as a share of its size. Less than half of that is from the
/// search; the rest is from the physics library, which dents round hulls when it builds their faces.
const LEFT_OUT: f64 = 0.015;

/// Bodies that stand on y = 0, with the points of impacts on them.
fn bodies() -> Vec<(&'static str, Mesh, Vec<Vec3>)> {
    let raised = |mut mesh: Mesh, by: f32| {
        for position in &mut mesh.positions {
            position[1] += by;
        }
        mesh
    };
    let spots = |spots: &[[f32; 3]]| spots.iter().map(|spot| Vec3::from(*spot)).collect();
    let block = raised(Mesh::cuboid([1.0; 3]), 0.5);
    let slab = raised(Mesh::cuboid([1.5, 0.2, 1.5]), 0.1);
    let ring = raised(Mesh::torus(0.6, 0.15, 48, 24), 0.15);
    let ball = raised(Mesh::sphere(0.5, 32, 16), 0.5);
    vec![
        (
            "block",
            block,
            spots(&[[0.0, 1.0, 0.0], [0.5, 1.0, 0.5], [0.5, 0.4, 0.1]]),
        ),
        (
            "slab",
            slab,
            spots(&[[-0.7, 0.2, 0.7], [0.1, 0.2, 0.0], [0.75, 0.1, 0.1]]),
        ),
        (
            "vase",
            vase(),
            spots(&[[0.26, 1.0, 0.0], [0.34, 0.4, 0.0], [0.2, 0.0, 0.0]]),
        ),
        (
            "arch",
            arch(),
            spots(&[[0.0, 1.0, 0.0], [0.7, 0.7, 0.2], [1.0, 0.1, 0.0]]),
        ),
        ("ring", ring, spots(&[[0.6, 0.3, 0.0], [0.0, 0.15, 0.75]])),
        ("ball", ball, spots(&[[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])),
    ]
}

/// Breaks a part out of a body that stands on a floor or hangs over it; the impact has no impulse.
fn break_out(mesh: Mesh, height: f32, spot: Vec3) -> (Simulation, Broken) {
    let mut simulation = waiting();
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let mut body = body(mesh);
    body.motion = at(0.0, height, 0.0);
    body.material.damage_threshold = Some(0.0);
    let id = simulation.add(body).unwrap();
    let point = spot + height * Vec3::Y;
    let normal = (spot - 0.5 * Vec3::Y).normalize_or(Vec3::Y);
    let mut whisper = Impact::new(id, point, normal, Vec3::ZERO, 0.0);
    whisper.radius = Some(0.25);
    simulation.impact(whisper).unwrap();
    let broken = broken(&mut simulation);
    (simulation, broken)
}

/// The hulls of a collision shape.
fn hulls(shape: &SharedShape) -> Vec<Hull> {
    let hull = |pose: &Pose, shape: &SharedShape| {
        let (points, triangles) = match shape.as_typed_shape() {
            TypedShape::ConvexPolyhedron(hull) => hull.to_trimesh(),
            TypedShape::Cuboid(cuboid) => cuboid.to_trimesh(),
            _ => panic!("neither hull nor box"),
        };
        let points = points
            .into_iter()
            .map(|p| pose.transform_point(p).to_array());
        Hull {
            points: points.collect(),
            triangles,
            volume: 1.0,
        }
    };
    match shape.as_compound() {
        Some(compound) => compound
            .shapes()
            .iter()
            .map(|(pose, shape)| hull(pose, shape))
            .collect(),
        None => vec![hull(&Pose::IDENTITY, shape)],
    }
}

pub fn fit(piece: &NewPiece) -> geometry::hulls::HullError {
    let solid = piece
        .shape
        .with_mesh(|mesh| Solid::new(mesh.clone()).unwrap());
    geometry::hulls::HullError::measure(&hulls(piece.colliders.first()), &solid)
}

#[test]
fn the_remainder_of_a_free_body_fits_its_hulls() {
    for (name, mesh, spots) in bodies() {
        for spot in spots {
            let (_, broken) = break_out(mesh.clone(), 0.0, spot);
            let found: Vec<_> = broken.pieces.iter().map(fit).collect();
            assert_eq!(broken.loose_hulls, 0, "{name} {spot}");
            let fits = |fit: &geometry::hulls::HullError| {
                fit.protrusion <= HULL_TOLERANCE && fit.uncovered <= LEFT_OUT
            };
            assert!(found.iter().all(fits), "{name} {spot}: {found:?}");
        }
    }
}

#[test]
fn fragments_lie_in_the_crater_they_left() {
    for (name, mesh, spots) in bodies() {
        for (spot, height) in spots.iter().flat_map(|spot| [(*spot, 0.0), (*spot, 2.0)]) {
            let (mut simulation, broken) = break_out(mesh.clone(), height, spot);
            let start = centers(&broken);
            for frame in 1..=3u32 {
                let fall = fallen(frame);
                for (piece, start) in broken.pieces.iter().zip(&start) {
                    let way = center(&simulation, piece) - *start;
                    let off = if height > 0.0 {
                        off_in_the_air(way, fall)
                    } else {
                        // The floor, or the remainder that it lies in, stops it.
                        (way.length() - fall).max(way.y)
                    };
                    let what = (name, spot, height, frame, piece.kind);
                    assert!(off < 1e-3, "{what:?}: {off} m off");
                }
                step(&mut simulation);
            }
        }
    }
}
