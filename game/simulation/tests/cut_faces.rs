//! Rough cut faces: pieces are closed, their mass is right, and colliders are those of flat faces. Textures of cut faces.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::piece_mesh::{CapMapping, Roughness};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::pattern::{BodyAxis, PatternAxes};
use fracture_simulation::{Body, Broken, InteriorFaces};

use crate::setup::{body, break_one, cube};

fn broken(height: f32) -> Broken {
    let body = Body {
        interior_faces: InteriorFaces {
            mapping: CapMapping::Box,
            roughness: Roughness {
                height,
                grain: 0.1,
                seed: 4,
            },
            ..InteriorFaces::default()
        },
        ..cube()
    };
    break_one(body, [0.0, 0.5, 0.0]).1
}

fn triangles(broken: &Broken) -> usize {
    let count =
        |piece: &fracture_simulation::NewPiece| piece.shape.with_mesh(|mesh| mesh.triangles.len());
    broken.pieces.iter().map(count).sum()
}

#[test]
fn rough_pieces_are_closed_weigh_the_same_and_have_the_same_colliders() {
    let (flat, rough) = (broken(0.0), broken(0.02));
    assert_eq!(flat.pieces.len(), rough.pieces.len());
    assert!(triangles(&rough) > 2 * triangles(&flat));
    assert!(rough.volume_error < 1e-5, "{:e}", rough.volume_error);
    for piece in &rough.pieces {
        assert_eq!(piece.closed, Some(true));
    }
    for (a, b) in flat.pieces.iter().zip(&rough.pieces) {
        let moved = (a.mass.center - b.mass.center).length();
        assert!(moved < 0.02, "the centre is {moved} m away");
    }
}

/// The least and the largest share of the growth of the upright texture coordinate that is along a direction, of all cut
/// faces that are not across it.
fn growth_along(broken: &Broken, direction: Vec3) -> [f32; 2] {
    let mut shares = [f32::MAX, f32::MIN];
    for piece in &broken.pieces {
        piece.shape.with_mesh(|mesh| {
            let cut = mesh.triangles.iter().zip(&mesh.surfaces);
            for (triangle, _) in cut.filter(|(_, surface)| **surface == 1) {
                let [a, b, c] = triangle.map(|corner| Vec3::from(mesh.positions[corner as usize]));
                let [at, to, then] = triangle.map(|corner| mesh.uvs[corner as usize][1]);
                let normal = (b - a).cross(c - a);
                let growth = (to - at) * (c - a).cross(normal) + (then - at) * normal.cross(b - a);
                let along = direction.reject_from(normal.normalize_or_zero());
                if normal.length() > 1e-5 && along.length() > 0.5 {
                    let share = growth.dot(along) / (growth.length() * along.length());
                    shares = [shares[0].min(share), shares[1].max(share)];
                }
            }
        });
    }
    shares
}

#[test]
fn textures_of_cut_faces_are_upright_along_the_grain() {
    for (grain, axis) in [
        (Vec3::X, BodyAxis::Longest),
        (Vec3::Y, BodyAxis::Y),
        (Vec3::Z, BodyAxis::Z),
    ] {
        let beam = || {
            let mut beam = body(Mesh::cuboid([2.0, 0.5, 0.4]));
            beam.fit.axes = PatternAxes::Grain(axis);
            beam
        };
        let (_, broken) = break_one(beam(), [0.1, 0.25, 0.0]);
        assert!(broken.pieces.len() > 4);
        let [least, _] = growth_along(&broken, grain);
        assert!(least > 0.999, "{axis:?}: {least}");
        let mut turned = beam();
        turned.interior_faces.turn = std::f32::consts::FRAC_PI_2;
        let (_, broken) = break_one(turned, [0.1, 0.25, 0.0]);
        let [least, most] = growth_along(&broken, grain);
        assert!(
            least > -0.001 && most < 0.001,
            "{axis:?}: {least} to {most}"
        );
    }
}

#[test]
fn a_broken_look_is_refused() {
    let mut simulation = crate::setup::waiting();
    let look = |height, grain, turn, uv_scale| InteriorFaces {
        roughness: Roughness {
            height,
            grain,
            seed: 0,
        },
        turn,
        uv_scale,
        ..InteriorFaces::default()
    };
    for (faces, expected) in [
        (
            look(f32::NAN, 0.1, 0.0, None),
            "roughness of cut faces is NaN, it must be finite and not negative",
        ),
        (
            look(0.1, -2.0, 0.0, None),
            "grain of cut faces is -2, it must be finite and not negative",
        ),
        (
            look(0.1, 0.1, f32::INFINITY, None),
            "texture turn of cut faces is inf, it must be finite",
        ),
        (
            look(0.1, 0.1, 0.0, Some(-3.0)),
            "texture scale of cut faces is -3, it must be finite and above 0",
        ),
    ] {
        let mut body = cube();
        body.interior_faces = faces;
        let error = simulation.add(body).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
