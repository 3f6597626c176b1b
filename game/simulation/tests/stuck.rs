//! Free blocks that are struck: what comes out of them does not stay in their holes, in the air.

use fracture_simulation::{
    external::ExternalBody,
    geometry::{glam::Vec3, Mesh},
    rapier3d::parry::{
        query::{Ray, RayCast},
        shape::TriMesh,
    },
    Body, BodyId, Event, Impact, Material, NewPiece, Settings, Shape, SharedShape, Simulation,
};

use crate::setup::{at, pattern, step, with};

/// Distance at which one thing lies on another, metres: hulls are not the pieces.
const GAP: f32 = 0.03;

/// The surface of a piece where it is, world space.
fn surface(simulation: &Simulation, piece: &NewPiece) -> Option<TriMesh> {
    let pose = simulation.motion(piece.body)?.pose;
    piece.shape.with_mesh(|mesh| {
        let points = mesh.positions.iter();
        let points = points.map(|point| pose.transform_point(Vec3::from(*point)));
        TriMesh::new(points.collect(), mesh.triangles.clone()).ok()
    })
}

/// Whether a surface has a point that faces down and is above another surface, or above the ground at height 0.
fn lies_on(surface: &TriMesh, other: Option<&TriMesh>) -> bool {
    let down = Vec3::NEG_Y;
    surface.triangles().any(|triangle| {
        let faces_down = triangle
            .normal()
            .is_some_and(|normal| normal.dot(down) > 0.1);
        let steps = (0..=6).flat_map(|u| (0..=6 - u).map(move |v| [u, v]));
        faces_down
            && steps.into_iter().any(|steps| {
                let [u, v] = steps.map(|step| step as f32 / 6.0);
                let along = (triangle.b - triangle.a) * u + (triangle.c - triangle.a) * v;
                let point = triangle.a + along;
                let ray = Ray::new(point - down * GAP, down);
                match other {
                    Some(other) => other.cast_local_ray(&ray, 2.0 * GAP, true).is_some(),
                    None => point.y < GAP,
                }
            })
    })
}

/// Strikes a block of a size that stands on the ground, at a point of its surface; how many pieces on which nothing lies
/// hang after ten seconds.
fn hanging_of(size: [f32; 3], point: Vec3, energy: f32, seed: u64) -> usize {
    let mut simulation = with(Settings {
        chain_breaks: 0,
        ..Settings::default()
    });
    let ground = SharedShape::cuboid(50.0, 0.5, 50.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let block = Body {
        motion: at(0.0, 0.5 * size[1], 0.0),
        seed,
        material: Material::default(),
        ..Body::new(Shape::new(Mesh::cuboid(size)), pattern(64))
    };
    let id = simulation.add(block).unwrap();
    let center = Vec3::Y * 0.5 * size[1];
    let normal = (point - center).normalize();
    let impulse = normal * -(2.0 * energy).sqrt();
    simulation
        .impact(Impact::new(id, point, normal, impulse, energy))
        .unwrap();
    let mut pieces: Vec<NewPiece> = Vec::new();
    for _ in 0..600 {
        for event in step(&mut simulation) {
            if let Event::Broken(broken) = event {
                pieces.extend(broken.pieces);
            }
        }
    }
    let surfaces: Vec<(BodyId, TriMesh)> = pieces
        .iter()
        .filter_map(|piece| Some((piece.body, surface(&simulation, piece)?)))
        .collect();
    let mut carried: Vec<bool> = surfaces.iter().map(|(_, s)| lies_on(s, None)).collect();
    loop {
        let is_new = |index: &usize| {
            let mut bases = (0..surfaces.len()).filter(|base| carried[*base] && base != index);
            !carried[*index]
                && bases.any(|base| lies_on(&surfaces[*index].1, Some(&surfaces[base].1)))
        };
        let new: Vec<usize> = (0..surfaces.len()).filter(is_new).collect();
        if new.is_empty() {
            break;
        }
        new.into_iter().for_each(|index| carried[index] = true);
    }
    // What others lie on may be a strut that their weight jams.
    let is_strut = |index: usize| {
        let own = &surfaces[index].1;
        let others = (0..surfaces.len()).filter(|other| *other != index);
        others
            .into_iter()
            .any(|other| lies_on(&surfaces[other].1, Some(own)))
    };
    let hanging = (0..surfaces.len()).filter(|index| !carried[*index] && !is_strut(*index));
    hanging.count()
}

#[test]
fn what_comes_out_of_a_free_block_does_not_hang_in_its_hole() {
    for (index, (size, point)) in [
        ([0.3, 2.0, 0.4], Vec3::new(0.02, 1.1, 0.2)),
        ([0.35, 1.7, 0.45], Vec3::new(0.175, 1.2, 0.05)),
        ([0.6, 1.3, 0.25], Vec3::new(0.1, 0.85, 0.125)),
        ([0.9, 1.1, 1.0], Vec3::new(0.45, 0.7, 0.15)),
        ([0.25, 0.35, 2.2], Vec3::new(0.125, 0.15, 0.1)),
    ]
    .into_iter()
    .enumerate()
    {
        for energy in [150.0, 400.0, 1500.0] {
            for seed in [20, 21] {
                let hanging = hanging_of(size, point, energy, seed + 7 * index as u64);
                assert_eq!(hanging, 0, "{size:?}, {energy} J, seed {seed}");
            }
        }
    }
}
