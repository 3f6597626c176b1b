//! Rough cut faces: pieces are closed, their mass is right, and colliders are those of flat faces. Textures of cut faces.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::piece_mesh::{CapMapping, Roughness};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::pattern::{BodyAxis, PatternAxes};
use fracture_simulation::{
    Body, BodyId, Broken, Impact, InteriorFaces, NewPiece, Settings, Simulation,
};

use crate::collapses::blocks;
use crate::setup::{
    body, break_one, broken as broken_in, cube, impact_at, piece_hashes, with, written_and_read,
};

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

/// Cuts through a body at a place.
fn cut(simulation: &mut Simulation, body: BodyId, at: Vec3, normal: Vec3) -> Broken {
    simulation.impact(Impact::blade(body, at, normal)).unwrap();
    broken_in(simulation)
}

/// The piece whose mesh is nearest to a place.
fn piece_at(broken: &Broken, place: Vec3) -> BodyId {
    let distance = |piece: &&NewPiece| {
        piece.shape.with_mesh(|mesh| {
            let corners = mesh
                .positions
                .iter()
                .map(|p| Vec3::from(*p).distance(place));
            corners.fold(f32::MAX, f32::min)
        })
    };
    let pieces = broken.pieces.iter();
    let nearest = pieces.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.unwrap().body
}

#[test]
fn stumps_have_the_grain_of_what_they_are_cut_off_also_once_loaded() {
    // A plank along x with a leg below one end.
    let planes: [&[f32]; 3] = [
        &[-0.8, -0.72, 0.8],
        &[-0.9, 0.0, 0.1],
        &[-0.15, -0.07, 0.15],
    ];
    let furniture = || {
        let is_leg = |[x, _, z]: [usize; 3]| x == 0 && z == 0;
        let mut mesh = blocks(planes, |at| at[1] == 1 || is_leg(at));
        mesh.uvs = vec![[0.0; 2]; mesh.positions.len()];
        let mut furniture = body(mesh);
        furniture.fit.axes = PatternAxes::Grain(BodyAxis::Longest);
        furniture.material.min_volume = 0.0;
        furniture.material.max_depth = 9;
        furniture
    };
    let weightless = || {
        with(Settings {
            gravity: Vec3::ZERO,
            ..Settings::default()
        })
    };
    let mut simulation = weightless();
    let root = simulation.add(furniture()).unwrap();
    let end = Vec3::new(0.8, 0.05, 0.15);
    let by_end = cut(&mut simulation, root, end - Vec3::X * 0.12, Vec3::X);
    let foot = planes.map(|planes| planes[0]).into();
    let rest = piece_at(&by_end, foot);
    let by_leg = cut(&mut simulation, rest, foot + Vec3::Y * 0.87, Vec3::Y);
    let leg = piece_at(&by_leg, foot);
    let by_foot = cut(&mut simulation, leg, foot + Vec3::Y * 0.1, Vec3::Y);
    let stumps = [
        (piece_at(&by_end, end), Vec3::new(0.75, 0.1, 0.0), Vec3::X),
        (
            piece_at(&by_foot, foot),
            Vec3::new(-0.76, -0.8, -0.11),
            Vec3::Y,
        ),
    ];

    let mut loaded = weightless();
    let restored = loaded.add(furniture()).unwrap();
    let save = written_and_read(simulation.save_compact(root));
    loaded.restore(restored, &save).unwrap();
    for (stump, place, grain) in stumps {
        let hash = simulation.geometry_hash([("", stump)]);
        let mut same = loaded.descendants(restored).into_iter();
        let same = same.find(|piece| loaded.geometry_hash([("", *piece)]) == hash);
        for (simulation, stump) in [(&mut simulation, stump), (&mut loaded, same.unwrap())] {
            let place = simulation.motion(stump).unwrap().pose * place;
            simulation
                .impact(impact_at(stump, place.to_array()))
                .unwrap();
            let broken = broken_in(simulation);
            let [least, most] = growth_along(&broken, grain);
            // The leg turns the longest direction of the whole a little; which end is up is all one.
            let is_along = least > 0.95 || most < -0.95;
            assert!(is_along, "{grain}: {least} to {most}");
        }
    }
    let [one, other] = [(&simulation, root), (&loaded, restored)];
    assert_eq!(piece_hashes(one.0, one.1), piece_hashes(other.0, other.1));
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
