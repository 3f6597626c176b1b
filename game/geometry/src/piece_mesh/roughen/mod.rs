//! Rough cut faces: bumps that both sides of a face share, added to meshes after the cut.
//!
//! CapFaces are subdivided by a rule on edges, and their points are displaced by a smooth field that
//! depends on position alone. So all pieces that have a point displace it alike: closed pieces stay
//! closed, neighbours still fit, volumes still add up. The field changes less than the position does,
//! so that it folds nothing, and fades towards the outside, so that outlines stay and nothing comes
//! through the surface.

mod fold;
mod noise;
mod points;
mod subdivide;

use crate::fracture::Piece;
use crate::mesh::Mesh;
use crate::solid::Solid;
use crate::steps::{finish, pause};
use crate::tasks::Threads;
use glam::{DVec3, Vec3};
pub(super) use noise::Noise;
use points::Points;
use subdivide::CapFaces;

/// Approximate number of triangles of all cut faces of a break above which the grain is coarsened: more
/// would take longer to make and to draw than bumps are worth.
const MAX_TRIANGLES: f64 = 25_000.0;
/// How many times as many there may be before the grain is coarsened further.
const TOLERATED_EXCESS: f64 = 1.5;
/// How often it is coarsened at most. Where the triangles are thin once is not enough.
const MAX_TRIES: usize = 8;
/// Largest height of bumps as a fraction of the grain: steeper bumps would fold faces.
const MAX_HEIGHT: f32 = 0.3;

/// Size of the bumps on cut faces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Roughness {
    /// Height of the bumps, metres; 0 leaves faces flat. At most 0.3 of `grain` is used.
    pub height: f32,
    /// Distance between bumps, metres. Triangle edges get about half of it; a grain that would need more
    /// than some 25,000 triangles is enlarged.
    pub grain: f32,
    /// Seed of the bumps.
    pub seed: u64,
}

impl Roughness {
    /// Whether faces stay flat.
    pub fn is_flat(&self) -> bool {
        let is_used = |x: f32| x > 0.0 && x.is_finite();
        !(is_used(self.height) && is_used(self.grain))
    }
}

/// The meshes of a break's pieces with rough cut faces. `meshes` are those of `pieces` by [`Piece::to_mesh`], and `pieces`
/// are all pieces of one break of `solid`. Normals and tangents follow the bumps, texture coordinates stay. The pieces'
/// masses stay those of flat faces; for others see [`MassProperties::from_mesh`](crate::MassProperties::from_mesh).
///
/// The same input gives the same bytes. Shells have no cut faces and stay as they are.
pub fn roughen<'m>(
    pieces: &[Piece],
    meshes: impl IntoIterator<Item = &'m Mesh>,
    solid: &Solid,
    roughness: &Roughness,
) -> Vec<Mesh> {
    let (threads, meshes) = (Threads::default(), Vec::from_iter(meshes));
    finish(roughen_in_steps(
        &threads, pieces, &meshes, solid, roughness,
    ))
}

/// The meshes with rough cut faces by [`roughen`], made on some threads; with one, in [steps](crate::steps): a phase of a
/// piece, or some points.
pub async fn roughen_in_steps(
    threads: &Threads<'_>,
    pieces: &[Piece],
    meshes: &[&Mesh],
    solid: &Solid,
    roughness: &Roughness,
) -> Vec<Mesh> {
    if roughness.is_flat() || solid.is_shell() {
        return meshes.iter().copied().cloned().collect();
    }
    let mut points = Points::default();
    let mut faces: Vec<CapFaces> = Vec::with_capacity(pieces.len());
    for (piece, mesh) in pieces.iter().zip(meshes) {
        faces.push(CapFaces::new(piece, mesh, &mut points));
        pause().await;
    }
    for piece in &mut faces {
        piece.find_rims(&mut points);
        pause().await;
    }
    let grain = grain(threads, &mut faces, f64::from(roughness.grain)).await;
    let length = edge_length(grain);
    threads
        .for_each(&mut faces, |piece| piece.divide(length))
        .await;
    for piece in &mut faces {
        piece.tell_points(&mut points);
        pause().await;
    }
    let height = f64::from(roughness.height.min(MAX_HEIGHT * roughness.grain));
    let noise = Noise::new(roughness.seed, grain);
    let field = |point, scratch: &mut Vec<u32>| {
        let depth = solid.distance_within(point, 2.0 * height, scratch);
        noise.at(point) * (0.5 * depth)
    };
    let displaced = points.displaced(threads, field).await;
    let displaced = fold::without_folds(threads, &points, displaced, &faces).await;
    threads
        .for_each(&mut faces, |piece| displace(piece, &displaced))
        .await;
    faces.into_iter().map(|piece| piece.mesh).collect()
}

/// The longest edge of cut faces.
fn edge_length(grain: f64) -> f32 {
    (0.7 * grain) as f32
}

/// The wanted grain, enlarged to limit the number of triangles.
async fn grain(threads: &Threads<'_>, faces: &mut [CapFaces<'_>], wanted: f64) -> f64 {
    let area: f64 = faces.iter().map(area).sum();
    // Triangles with edges from 0.35 to 0.7 grains have about a twentieth of a grain squared each; thin ones have less.
    let mut grain = wanted.max((area / (0.05 * MAX_TRIANGLES)).sqrt());
    for _ in 0..MAX_TRIES {
        let length = edge_length(grain);
        threads
            .for_each(faces, |piece| piece.count_divided(length))
            .await;
        let all: usize = faces.iter().map(|piece| piece.divided_count).sum();
        let excess = all as f64 / MAX_TRIANGLES;
        if excess <= TOLERATED_EXCESS {
            break;
        }
        grain *= excess.sqrt();
    }
    grain
}

fn area(faces: &CapFaces) -> f64 {
    let position = |v: u32| Vec3::from(faces.flat.positions[v as usize]).as_dvec3();
    let double_area = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(position);
        (b - a).cross(c - a).length()
    };
    faces.caps.iter().map(double_area).sum::<f64>() * 0.5
}

/// Moves the vertices of cut faces to their displaced points, and recomputes normals and tangents.
fn displace(faces: &mut CapFaces, displaced: &[[f32; 3]]) {
    // Of the vertices of cut faces.
    let mut normals: Vec<Option<DVec3>> = vec![None; faces.mesh.positions.len()];
    let position = |v: u32| displaced[faces.points[v as usize] as usize];
    for triangle in &faces.caps {
        let [a, b, c] = triangle.map(|v| Vec3::from(position(v)).as_dvec3());
        let normal = (b - a).cross(c - a);
        for vertex in triangle {
            *normals[*vertex as usize].get_or_insert_default() += normal;
        }
    }
    let mesh = &mut faces.mesh;
    for (vertex, normal) in normals.into_iter().enumerate() {
        let Some(normal) = normal else {
            continue;
        };
        mesh.positions[vertex] = position(vertex as u32);
        let Some(normal) = normal.try_normalize().map(|n| n.as_vec3()) else {
            continue;
        };
        if let Some(own) = mesh.normals.get_mut(vertex) {
            *own = normal.to_array();
        }
        if let Some(own) = mesh.tangents.get_mut(vertex) {
            let [x, y, z, w] = *own;
            let along = Vec3::new(x, y, z);
            let along = (along - normal * along.dot(normal)).normalize_or(along);
            *own = along.extend(w).to_array();
        }
    }
    faces.write();
}
