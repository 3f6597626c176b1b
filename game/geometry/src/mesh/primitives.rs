//! Primitive shapes as closed meshes with normals and texture coordinates.

use super::Mesh;
use glam::{DVec3, Vec3};
use std::f64::consts::TAU;

impl Mesh {
    /// A box of the given sides in metres, centred on the origin, with hard edges.
    pub fn cuboid(sides: [f32; 3]) -> Self {
        let half = Vec3::from(sides) * 0.5;
        let mut mesh = Self::default();
        for face in 0..6 {
            let (axis, sign) = (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 });
            let mut normal = Vec3::ZERO;
            normal[axis] = sign;
            let mut u = Vec3::ZERO;
            u[(axis + 1) % 3] = sign;
            let mut v = Vec3::ZERO;
            v[(axis + 2) % 3] = 1.0;
            let first = mesh.positions.len() as u32;
            for (s, t) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let at = (normal + u * s + v * t) * half;
                mesh.positions.push(at.to_array());
                mesh.normals.push(normal.to_array());
                mesh.uvs.push([0.5 + 0.5 * s, 0.5 + 0.5 * t]);
            }
            mesh.triangles.push([first, first + 1, first + 2]);
            mesh.triangles.push([first, first + 2, first + 3]);
        }
        mesh
    }

    /// A torus about the y axis: distance of the tube's middle from the axis, radius of the tube, and
    /// quads around the axis and around the tube (at least 3 each).
    pub fn torus(ring: f32, tube: f32, around: u32, across: u32) -> Self {
        let (around, across) = (around.max(3), across.max(3));
        let mut mesh = Self::default();
        // A seam of doubled vertices in both directions carries the texture coordinates; its
        // positions are those of the first row, bit for bit.
        for i in 0..=around {
            for j in 0..=across {
                let (sin, cos) = turn(i, around);
                let (rise, out) = turn(j, across);
                let radial = DVec3::new(cos, 0.0, -sin);
                let normal = radial * out + DVec3::Y * rise;
                let at = radial * f64::from(ring) + normal * f64::from(tube);
                mesh.positions.push(at.as_vec3().to_array());
                mesh.normals.push(normal.as_vec3().to_array());
                mesh.uvs
                    .push([i as f32 / around as f32, j as f32 / across as f32]);
            }
        }
        let row = across + 1;
        for i in 0..around {
            for j in 0..across {
                let [a, b] = [i * row + j, (i + 1) * row + j];
                mesh.triangles.push([a, b, b + 1]);
                mesh.triangles.push([a, b + 1, a + 1]);
            }
        }
        mesh
    }

    /// A sphere of rings from pole to pole (at least 3 around and 2 down).
    pub fn sphere(radius: f32, around: u32, down: u32) -> Self {
        let (around, down) = (around.max(3), down.max(2));
        let mut mesh = Self::default();
        for j in 0..=down {
            for i in 0..=around {
                let (sin, cos) = turn(i, around);
                let (height, width) = match j {
                    0 => (1.0, 0.0),
                    j if j == down => (-1.0, 0.0),
                    j => {
                        let (s, c) = libm::sincos(0.5 * TAU * f64::from(j) / f64::from(down));
                        (c, s)
                    }
                };
                let normal = DVec3::new(width * cos, height, -width * sin);
                mesh.positions
                    .push((normal * f64::from(radius)).as_vec3().to_array());
                mesh.normals.push(normal.as_vec3().to_array());
                mesh.uvs
                    .push([i as f32 / around as f32, j as f32 / down as f32]);
            }
        }
        let steps: Vec<u32> = (0..=down).map(|j| j % down).collect();
        // The rows go down here.
        let turned = |[a, b, c]: [u32; 3]| [a, c, b];
        let triangles = between_rows(0, around, &steps).into_iter().map(turned);
        mesh.triangles.extend(triangles);
        mesh
    }

    /// The lower half of a hollow ball: its radius, the thickness of its wall, and quads around it and from its
    /// middle to its rim (at least 3 and 1). The rim is level with the origin.
    pub fn bowl(radius: f32, wall: f32, around: u32, up: u32) -> Self {
        let (around, up) = (around.max(3), up.max(1));
        let mut mesh = Self::default();
        let outside = (0..=up).map(|step| (radius, step, Some(1.0)));
        let inside = (0..=up).rev().map(|step| (radius - wall, step, Some(-1.0)));
        let rim = [radius, radius - wall].map(|radius| (radius, up, None));
        for strip in [outside.collect(), rim.to_vec(), inside.collect::<Vec<_>>()] {
            let first = mesh.positions.len() as u32;
            for (radius, step, side) in &strip {
                let rise = f64::from(*step) / f64::from(up);
                let (width, depth) = if *step == up {
                    (1.0, 0.0)
                } else {
                    libm::sincos(0.25 * TAU * rise)
                };
                for i in 0..=around {
                    let (sin, cos) = turn(i, around);
                    let out = DVec3::new(width * cos, -depth, -width * sin);
                    let normal = side.map_or(DVec3::Y, |side| side * out);
                    let at = f64::from(*radius) * out;
                    mesh.positions.push(at.as_vec3().to_array());
                    mesh.normals.push(normal.as_vec3().to_array());
                    mesh.uvs.push([i as f32 / around as f32, rise as f32]);
                }
            }
            let steps: Vec<u32> = strip.iter().map(|(_, step, _)| *step).collect();
            mesh.triangles.extend(between_rows(first, around, &steps));
        }
        mesh
    }
}

/// The triangles between rows of points; rows of step 0 are one point all along.
fn between_rows(first: u32, around: u32, steps: &[u32]) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    let starts = (0..).map(|row| first + row * (around + 1));
    for (start, pair) in starts.zip(steps.windows(2)) {
        for a in start..start + around {
            let b = a + around + 1;
            if pair[0] > 0 {
                triangles.push([a, a + 1, b]);
            }
            if pair[1] > 0 {
                triangles.push([a + 1, b + 1, b]);
            }
        }
    }
    triangles
}

/// Sine and cosine of a step around; the last step is the first, bit for bit.
fn turn(step: u32, count: u32) -> (f64, f64) {
    libm::sincos(TAU * f64::from(step % count) / f64::from(count))
}
