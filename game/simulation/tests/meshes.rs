//! Solids that are not convex.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;

/// Points around a vase.
const AROUND: u32 = 32;

/// Stations along an arch.
const ALONG: u32 = 24;

/// A vase on the ground, open at the top: 1 m high, walls of 6 to 8 cm. Its origin is in its foot.
pub fn vase() -> Mesh {
    let outside = [
        [0.2, 0.0],
        [0.3, 0.2],
        [0.34, 0.4],
        [0.28, 0.65],
        [0.2, 0.8],
        [0.26, 1.0],
    ];
    let inside = [
        [0.18, 1.0],
        [0.13, 0.8],
        [0.21, 0.65],
        [0.27, 0.4],
        [0.23, 0.2],
        [0.13, 0.08],
    ];
    let rings: Vec<[f32; 2]> = outside.into_iter().chain(inside).collect();
    let mut positions = vec![[0.0, 0.0, 0.0], [0.0, 0.08, 0.0]];
    for [radius, height] in &rings {
        positions.extend((0..AROUND).map(|step| {
            let angle = std::f32::consts::TAU * step as f32 / AROUND as f32;
            [radius * angle.cos(), *height, -radius * angle.sin()]
        }));
    }
    let last = rings.len() as u32 - 1;
    let at = |ring: u32, step: u32| 2 + ring * AROUND + step % AROUND;
    let mut triangles = Vec::new();
    for step in 0..AROUND {
        triangles.push([0, at(0, step + 1), at(0, step)]);
        triangles.push([1, at(last, step), at(last, step + 1)]);
        for ring in 0..last {
            let [a, b] = [at(ring, step), at(ring, step + 1)];
            let [c, d] = [at(ring + 1, step), at(ring + 1, step + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    Mesh::from_triangles(positions, triangles)
}

/// Half a ring that stands on its two feet: 2 m wide, 1 m high, 0.4 m thick.
pub fn arch() -> Mesh {
    let mut positions = Vec::new();
    for station in 0..=ALONG {
        let angle = std::f32::consts::PI * station as f32 / ALONG as f32;
        // Not the sine of pi, which is not zero: both feet are level.
        let rise = if station == ALONG { 0.0 } else { angle.sin() };
        let outward = Vec3::new(angle.cos(), rise, 0.0);
        for (radius, depth) in [(0.6, -0.2), (1.0, -0.2), (1.0, 0.2), (0.6, 0.2)] {
            positions.push((radius * outward + depth * Vec3::Z).to_array());
        }
    }
    let mut triangles = Vec::new();
    for station in 0..ALONG {
        for side in 0..4 {
            let [a, b] = [4 * station + side, 4 * station + (side + 1) % 4];
            triangles.extend([[a, b + 4, b], [a, a + 4, b + 4]]);
        }
    }
    let end = 4 * ALONG;
    triangles.extend([
        [0, 1, 2],
        [0, 2, 3],
        [end, end + 2, end + 1],
        [end, end + 3, end + 2],
    ]);
    Mesh::from_triangles(positions, triangles)
}
