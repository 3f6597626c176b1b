//! Rough cut faces: pieces are closed, their mass is right, and colliders are those of flat faces.

use fracture_simulation::geometry::piece_mesh::{CapMapping, Roughness};
use fracture_simulation::{Body, Broken, InteriorFaces};

use crate::setup::{break_one, cube};

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
