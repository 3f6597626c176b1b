//! Rough cut faces: bumps that both sides of a face share, made after the cut and only when asked for.
//!
//! Faces are divided into small triangles, by edges alone, and their points are moved by a smooth
//! field of displacements that depends on nothing but the place. So all pieces that have a point move
//! it alike: closed pieces stay closed, neighbours still fit, volumes still add up. A field that
//! changes less than the place does folds nothing; towards the outside it fades, so that the outlines
//! stay and nothing comes through the surface.

mod fold;
mod noise;
mod points;
mod subdivide;

use crate::fracture::Piece;
use crate::mesh::Mesh;
use crate::solid::Solid;
use glam::{DVec3, Vec3};
use noise::Noise;
use points::Points;
use subdivide::Faces;

/// Triangles of the cut faces of a break, roughly; a finer grain is made coarser.
const MOST: f64 = 60_000.0;
/// The highest bumps for their distance.
const STEEPEST: f32 = 0.3;

/// Bumps on cut faces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Roughness {
    /// Height of the bumps, metres; 0 leaves faces flat. Counts up to 0.3 of `grain`.
    pub height: f32,
    /// Distance between bumps, metres. Half of it is the length of the triangles' edges; where that
    /// would be more than some 60,000 triangles, it is made larger.
    pub grain: f32,
    /// Another seed gives other bumps.
    pub seed: u64,
}

impl Roughness {
    /// Whether there is nothing to be done.
    pub fn is_flat(&self) -> bool {
        let counts = |x: f32| x > 0.0 && x.is_finite();
        !(counts(self.height) && counts(self.grain))
    }
}

/// Makes the cut faces of a break rough. `meshes` are what [`Piece::to_mesh`] has made of `pieces`, all
/// pieces of one break of `solid`; normals and tangents follow the bumps, texture coordinates stay.
/// The pieces' masses are still those of flat faces: see [`MassProperties::from_mesh`](crate::MassProperties::from_mesh).
///
/// The same input gives the same bytes. Shells have no cut faces and stay as they are.
pub fn roughen(pieces: &[Piece], meshes: &mut [Mesh], solid: &Solid, roughness: &Roughness) {
    if roughness.is_flat() || solid.is_shell() {
        return;
    }
    let mut points = Points::default();
    let mut faces: Vec<Faces> = pieces
        .iter()
        .zip(meshes)
        .map(|(piece, mesh)| Faces::new(piece, mesh, &mut points))
        .collect();
    for piece in &mut faces {
        piece.find_rims(&mut points);
    }
    let grain = grain(&faces, f64::from(roughness.grain));
    for piece in &mut faces {
        piece.divide(&mut points, (0.7 * grain) as f32);
    }
    let height = f64::from(roughness.height.min(STEEPEST * roughness.grain));
    let noise = Noise::new(roughness.seed, grain);
    let mut open = Vec::new();
    let moved = points.moved(|at| {
        let depth = solid.distance_within(at, 2.0 * height, &mut open);
        noise.at(at) * (0.5 * depth)
    });
    let moved = fold::unfolded(&points, moved, &faces);
    for piece in faces {
        dress(piece, &moved);
    }
}

/// The grain that keeps the number of triangles in bounds.
fn grain(faces: &[Faces], wanted: f64) -> f64 {
    let area: f64 = faces.iter().map(area).sum();
    // Triangles with edges from 0.35 to 0.7 grains: about a tenth of a grain squared each.
    wanted.max((area / (0.1 * MOST)).sqrt())
}

fn area(faces: &Faces) -> f64 {
    let place = |v: u32| Vec3::from(faces.mesh.positions[v as usize]).as_dvec3();
    let twice = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(place);
        (b - a).cross(c - a).length()
    };
    faces.caps.iter().map(twice).sum::<f64>() * 0.5
}

/// Moves the vertices of cut faces, and turns normals and tangents with them.
fn dress(faces: Faces, moved: &[[f32; 3]]) {
    let mut normals = vec![DVec3::ZERO; faces.mesh.positions.len()];
    let place = |v: u32| moved[faces.points[v as usize] as usize];
    for triangle in &faces.caps {
        let [a, b, c] = triangle.map(|v| Vec3::from(place(v)).as_dvec3());
        let normal = (b - a).cross(c - a);
        for vertex in triangle {
            normals[*vertex as usize] += normal;
        }
    }
    let mesh = &mut *faces.mesh;
    for vertex in faces.caps.iter().flatten() {
        let at = *vertex as usize;
        mesh.positions[at] = place(*vertex);
        let Some(normal) = normals[at].try_normalize().map(|n| n.as_vec3()) else {
            continue;
        };
        if let Some(own) = mesh.normals.get_mut(at) {
            *own = normal.to_array();
        }
        if let Some(own) = mesh.tangents.get_mut(at) {
            let [x, y, z, w] = *own;
            let along = Vec3::new(x, y, z);
            let along = (along - normal * along.dot(normal)).normalize_or(along);
            *own = along.extend(w).to_array();
        }
    }
    faces.write();
}
