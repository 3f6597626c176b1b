//! Closed meshes from bytes, by several ways, and raw ones.

use crate::bytes::Bytes;
use crate::solids;
use fracture_geometry::Mesh;
use glam::{Mat3, Vec3};
use std::collections::BTreeMap;

/// A mesh that is closed by the way it is made, but may overlap itself, touch itself, be flat in
/// places, or be wound the wrong way round in parts.
pub fn closed(bytes: &mut Bytes) -> Mesh {
    let mesh = match bytes.below(8) {
        0 => voxels(bytes),
        1 => tetrahedra(bytes),
        2 => coned(bytes),
        3 => box_with_walls(bytes),
        4 => revolved(bytes),
        5 => crumpled(bytes),
        6 => {
            let (one, other) = (stock(bytes), stock(bytes));
            let away = lattice_point(bytes, 8);
            solids::joined(&[one, solids::mapped(&other, |p| p + away)])
        }
        _ => columns(bytes),
    };
    placed(bytes, mesh)
}

/// Positions and triangles without any promise.
pub fn raw(bytes: &mut Bytes) -> Mesh {
    let count = bytes.below(24);
    let mut mesh = Mesh::default();
    for _ in 0..count {
        let position = if bytes.below(8) == 0 {
            [0; 3].map(|_| bytes.wild() as f32)
        } else {
            lattice_point(bytes, 4).to_array()
        };
        mesh.positions.push(position);
    }
    while !bytes.is_empty() && mesh.triangles.len() < 60 {
        let limit = count + usize::from(bytes.below(50) == 49);
        mesh.triangles
            .push([0; 3].map(|_| bytes.below(limit) as u32));
    }
    mesh
}

/// A small solid of the tests, or a box.
pub fn stock(bytes: &mut Bytes) -> Mesh {
    match bytes.below(7) {
        0 => Mesh::cuboid([1.0; 3]),
        1 => Mesh::cuboid([0; 3].map(|_| (1 + bytes.below(8)) as f32 / 8.0)),
        2 => Mesh::sphere(0.5, 3 + bytes.below(8) as u32, 2 + bytes.below(6) as u32),
        3 => Mesh::torus(
            0.35,
            0.15,
            3 + bytes.below(8) as u32,
            3 + bytes.below(6) as u32,
        ),
        4 => solids::hollow_box(),
        5 => solids::linked_rings(),
        _ => solids::sponge(1),
    }
}

fn lattice_point(bytes: &mut Bytes, steps: usize) -> Vec3 {
    Vec3::new(
        bytes.lattice(steps),
        bytes.lattice(steps),
        bytes.lattice(steps),
    )
}

fn voxels(bytes: &mut Bytes) -> Mesh {
    let n = 2 + bytes.below(3);
    let keep: Vec<bool> = (0..n * n * n).map(|_| bytes.coin()).collect();
    solids::voxels(n as i32, |[x, y, z]| {
        keep[(z as usize * n + y as usize) * n + x as usize]
    })
}

fn tetrahedra(bytes: &mut Bytes) -> Mesh {
    let steps = 1 + bytes.below(8);
    let mut mesh = Mesh::default();
    for _ in 0..1 + bytes.below(12) {
        let first = mesh.positions.len() as u32;
        let corners = [0; 4].map(|_| lattice_point(bytes, steps));
        let [a, b, c, d] = corners;
        let inward = (b - a).cross(c - a).dot(d - a) > 0.0;
        // A few stay inside out.
        let turn = inward ^ (bytes.below(16) == 15);
        mesh.positions.extend(corners.map(|p| p.to_array()));
        for [x, y, z] in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]] {
            let face = if turn { [x, z, y] } else { [x, y, z] };
            mesh.triangles.push(face.map(|v| v + first));
        }
    }
    mesh
}

/// Any triangles, closed by a cone over their border.
fn coned(bytes: &mut Bytes) -> Mesh {
    let steps = 1 + bytes.below(6);
    let count = 4 + bytes.below(10);
    let mut mesh = Mesh::default();
    mesh.positions = (0..count)
        .map(|_| lattice_point(bytes, steps).to_array())
        .collect();
    let mut border: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    for _ in 0..1 + bytes.below(24) {
        let [a, b, c] = [0; 3].map(|_| bytes.below(count) as u32);
        if a == b || b == c || c == a {
            continue;
        }
        mesh.triangles.push([a, b, c]);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (low, high) = (from.min(to), from.max(to));
            *border.entry((low, high)).or_default() += if from == low { 1 } else { -1 };
        }
    }
    mesh.positions.push(lattice_point(bytes, steps).to_array());
    for ((low, high), times) in border {
        let (from, to) = if times > 0 { (high, low) } else { (low, high) };
        for _ in 0..times.unsigned_abs() {
            mesh.triangles.push([from, to, count as u32]);
        }
    }
    outward(mesh)
}

/// A box with leaves of no thickness in, on and outside of it.
fn box_with_walls(bytes: &mut Bytes) -> Mesh {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    for _ in 0..bytes.below(10) {
        let first = mesh.positions.len() as u32;
        mesh.positions
            .extend([0; 3].map(|_| (0.5 * lattice_point(bytes, 4)).to_array()));
        mesh.triangles.push([first, first + 1, first + 2]);
        mesh.triangles.push([first, first + 2, first + 1]);
    }
    Mesh::from_triangles(mesh.positions, mesh.triangles)
}

/// A closed profile turned about an axis, which it may touch and cross.
fn revolved(bytes: &mut Bytes) -> Mesh {
    let (around, across) = (3 + bytes.below(6) as u32, 3 + bytes.below(6) as u32);
    let profile: Vec<[f32; 2]> = (0..across)
        .map(|_| [0.5 + 0.5 * bytes.lattice(4), bytes.lattice(4)])
        .collect();
    let mut mesh = Mesh::default();
    for i in 0..around {
        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * i as f32 / around as f32);
        mesh.positions
            .extend(profile.iter().map(|[r, y]| [r * cos, *y, -r * sin]));
    }
    for i in 0..around {
        for j in 0..across {
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    outward(mesh)
}

/// A stock solid, every point of which is moved somewhere.
fn crumpled(bytes: &mut Bytes) -> Mesh {
    let mesh = stock(bytes);
    let (steps, size) = (1 + bytes.below(8), bytes.below(8) as f32 / 8.0);
    let fine = bytes.coin();
    let mut moves: BTreeMap<[u32; 3], Vec3> = BTreeMap::new();
    let mut positions = Vec::new();
    for position in &mesh.positions {
        let key = position.map(|x| (x + 0.0).to_bits());
        let by = *moves
            .entry(key)
            .or_insert_with(|| lattice_point(bytes, steps) * size);
        let by = if fine { by * 1e-6 } else { by };
        positions.push((Vec3::from(*position) + by).to_array());
    }
    outward(Mesh::from_triangles(positions, mesh.triangles))
}

/// Columns of several heights side by side: coplanar walls, edges that end in other edges.
fn columns(bytes: &mut Bytes) -> Mesh {
    let n = 1 + bytes.below(4);
    let mut parts = Vec::new();
    for at in 0..n * n {
        let height = bytes.below(5) as f32 / 4.0;
        if height > 0.0 {
            let middle = Vec3::new((at % n) as f32, 0.5 * height, (at / n) as f32) - 0.5;
            parts.push(solids::mapped(&Mesh::cuboid([1.0, height, 1.0]), |p| {
                p + middle
            }));
        }
    }
    solids::joined(&parts)
}

/// Turned right side out when the whole is inside out.
fn outward(mesh: Mesh) -> Mesh {
    let place = |v: u32| Vec3::from(mesh.positions[v as usize]).as_dvec3();
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(place);
        a.dot(b.cross(c))
    };
    if mesh.triangles.iter().map(six).sum::<f64>() < 0.0 {
        solids::flipped(&mesh)
    } else {
        mesh
    }
}

/// Turned, scaled and moved.
fn placed(bytes: &mut Bytes, mesh: Mesh) -> Mesh {
    let turn = match bytes.below(4) {
        0 | 1 => Mat3::IDENTITY,
        2 => Mat3::from_rotation_y(std::f32::consts::FRAC_PI_4 * bytes.below(8) as f32),
        _ => {
            Mat3::from_rotation_y(3.0 * bytes.unit() as f32)
                * Mat3::from_rotation_x(3.0 * bytes.unit() as f32)
        }
    };
    let scale = bytes.scale() as f32;
    let away = match bytes.below(8) {
        0..=4 => Vec3::ZERO,
        5 => lattice_point(bytes, 4),
        6 => lattice_point(bytes, 4) * 1e3,
        _ => lattice_point(bytes, 4) * 1e5,
    };
    solids::mapped(&mesh, |p| turn * p * scale + away * scale)
}
