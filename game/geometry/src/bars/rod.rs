//! Rods around lines, to be seen.

use crate::Mesh;
use glam::DVec3;
use std::f64::consts::TAU;

/// Sides of a rod.
const SIDES: u32 = 8;

/// Adds a closed rod around a line of at least two places, metres, to a mesh with normals and texture coordinates. The
/// texture repeats once around it, and as far along it.
pub fn add_rod(mesh: &mut Mesh, line: &[DVec3], radius: f64) {
    let ways: Vec<DVec3> = line
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).normalize_or_zero())
        .collect();
    let (Some(first), Some(last)) = (ways.first(), ways.last()) else {
        return;
    };
    let mut side = first.any_orthonormal_vector();
    let mut at = 0.0;
    let mut rings = Vec::with_capacity(line.len());
    for (k, place) in line.iter().enumerate() {
        let before = ways[k.saturating_sub(1)];
        let after = ways.get(k).copied().unwrap_or(before);
        let way = (before + after).normalize_or(after);
        side = (side - side.dot(way) * way).normalize_or(way.any_orthonormal_vector());
        if k > 0 {
            at += place.distance(line[k - 1]);
        }
        rings.push(add_ring(mesh, *place, way, side, radius, at));
    }
    for pair in rings.windows(2) {
        for k in 0..SIDES {
            let [a, b] = [pair[0] + k, pair[1] + k];
            mesh.triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
        }
    }
    if let [start, .., end] = line {
        add_cap(mesh, *start, -*first, radius);
        add_cap(mesh, *end, *last, radius);
    }
}

/// The directions from the middle of a rod to its corners, once around and the first again.
fn corners(way: DVec3, side: DVec3) -> impl Iterator<Item = DVec3> {
    let up = way.cross(side);
    (0..=SIDES).map(move |k| {
        let (sine, cosine) = libm::sincos(TAU * f64::from(k) / f64::from(SIDES));
        cosine * side + sine * up
    })
}

/// Adds the corners of a rod at a place; gives the number of the first.
fn add_ring(mesh: &mut Mesh, place: DVec3, way: DVec3, side: DVec3, radius: f64, at: f64) -> u32 {
    let first = mesh.positions.len() as u32;
    for (k, corner) in (0u32..).zip(corners(way, side)) {
        mesh.positions
            .push((place + radius * corner).as_vec3().to_array());
        mesh.normals.push(corner.as_vec3().to_array());
        let around = TAU * radius;
        mesh.uvs
            .push([k as f32 / SIDES as f32, (at / around) as f32]);
    }
    first
}

/// Adds the flat end of a rod.
fn add_cap(mesh: &mut Mesh, place: DVec3, outward: DVec3, radius: f64) {
    let first = add_ring(
        mesh,
        place,
        outward,
        outward.any_orthonormal_vector(),
        radius,
        0.0,
    );
    let normals = mesh.normals.iter_mut().skip(first as usize);
    normals.for_each(|normal| *normal = outward.as_vec3().to_array());
    let fan = (1..SIDES - 1).map(|k| [first, first + k, first + k + 1]);
    mesh.triangles.extend(fan);
}
