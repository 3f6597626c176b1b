//! Procedural solids, a name each.

use crate::check::random;
use fracture_geometry::Mesh;
use glam::{Mat3, Vec3};
use rand::Rng;

/// All solids.
pub fn all() -> Vec<(&'static str, Mesh)> {
    vec![
        ("cube", Mesh::cuboid([1.0; 3])),
        ("sphere", Mesh::sphere(0.5, 24, 16)),
        ("torus", Mesh::torus(0.35, 0.15, 32, 16)),
        ("hollow box", hollow_box()),
        ("box in a cavity", box_in_a_cavity()),
        ("linked rings", linked_rings()),
        ("sponge", sponge(2)),
        ("checkers", checkers()),
        ("gear", gear(12)),
        ("needle star", needle_star(12, 200.0)),
        ("thin shell", thin_shell()),
        ("letter H", letter_h()),
        ("overlapping cubes", overlapping_cubes()),
        ("flat plate", Mesh::cuboid([1.0, 1.0, 0.001])),
    ]
}

/// Maps all positions.
pub fn mapped(mesh: &Mesh, map: impl Fn(Vec3) -> Vec3) -> Mesh {
    let mut mesh = mesh.clone();
    for position in &mut mesh.positions {
        *position = map(Vec3::from(*position)).to_array();
    }
    mesh
}

/// Turned inside out.
pub fn flipped(mesh: &Mesh) -> Mesh {
    let mut mesh = mesh.clone();
    for triangle in &mut mesh.triangles {
        triangle.swap(1, 2);
    }
    mesh
}

/// Several meshes as one.
pub fn joined(meshes: &[Mesh]) -> Mesh {
    let mut out = Mesh::default();
    for mesh in meshes {
        let first = out.positions.len() as u32;
        out.positions.extend(&mesh.positions);
        out.triangles
            .extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    out
}

pub fn hollow_box() -> Mesh {
    joined(&[Mesh::cuboid([1.0; 3]), flipped(&Mesh::cuboid([0.7; 3]))])
}

fn box_in_a_cavity() -> Mesh {
    joined(&[hollow_box(), Mesh::sphere(0.25, 12, 8)])
}

pub fn linked_rings() -> Mesh {
    let ring = Mesh::torus(0.3, 0.08, 24, 12);
    let upright = mapped(&ring, |p| Vec3::new(p.x + 0.3, p.z, -p.y));
    joined(&[ring, upright])
}

/// A unit cube of `n^3` cells, of which those are kept that `keep` says. Cells that touch along an
/// edge or in a corner make edges with four faces.
pub fn voxels(n: i32, keep: impl Fn([i32; 3]) -> bool) -> Mesh {
    let mut mesh = Mesh::default();
    let filled = |c: [i32; 3]| c.iter().all(|x| (0..n).contains(x)) && keep(c);
    let cells = (0..n).flat_map(|z| (0..n).flat_map(move |y| (0..n).map(move |x| [x, y, z])));
    for cell in cells.filter(|c| filled(*c)) {
        for face in 0..6usize {
            let (axis, up) = (face / 2, face % 2 == 0);
            let mut beside = cell;
            beside[axis] += if up { 1 } else { -1 };
            if filled(beside) {
                continue;
            }
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut ring: [[i32; 3]; 4] = [cell; 4];
            for (corner, (s, t)) in ring.iter_mut().zip([(0, 0), (1, 0), (1, 1), (0, 1)]) {
                corner[axis] += i32::from(up);
                corner[u] += s;
                corner[v] += t;
            }
            if !up {
                ring.reverse();
            }
            let first = mesh.positions.len() as u32;
            let place = |x: i32| x as f32 / n as f32 - 0.5;
            mesh.positions.extend(ring.map(|c| c.map(place)));
            mesh.triangles.push([first, first + 1, first + 2]);
            mesh.triangles.push([first, first + 2, first + 3]);
        }
    }
    mesh
}

/// A Menger sponge.
pub fn sponge(level: u32) -> Mesh {
    let n = 3i32.pow(level);
    voxels(n, |cell| {
        (0..level).all(|l| {
            let middle = cell.map(|x| x / 3i32.pow(l) % 3 == 1);
            middle.iter().filter(|m| **m).count() < 2
        })
    })
}

/// Cubes that touch along edges only.
fn checkers() -> Mesh {
    voxels(3, |[x, y, z]| (x + y + z) % 2 == 0)
}

fn letter_h() -> Mesh {
    voxels(5, |[x, y, z]| {
        (1..3).contains(&z) && (x == 0 || x == 4 || y == 2)
    })
}

/// A prism over a closed outline (counter-clockwise around y, star-shaped about the axis).
fn prism(outline: &[[f32; 2]], height: f32) -> Mesh {
    let count = outline.len() as u32;
    let mut mesh = Mesh::default();
    for y in [-0.5 * height, 0.5 * height] {
        mesh.positions
            .extend(outline.iter().map(|[x, z]| [*x, y, -*z]));
        mesh.positions.push([0.0, y, 0.0]);
    }
    for k in 0..count {
        let next = (k + 1) % count;
        let up = count + 1;
        mesh.triangles.push([count, next, k]);
        mesh.triangles.push([up + count, up + k, up + next]);
        mesh.triangles.push([k, next, up + next]);
        mesh.triangles.push([k, up + next, up + k]);
    }
    mesh
}

fn gear(teeth: u32) -> Mesh {
    let outline: Vec<[f32; 2]> = (0..4 * teeth)
        .map(|k| {
            let radius = if k % 4 < 2 { 0.5 } else { 0.4 };
            let angle = std::f32::consts::TAU * k as f32 / (4 * teeth) as f32;
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    prism(&outline, 0.2)
}

/// A small octahedron whose faces are drawn out into needles.
fn needle_star(needles: u32, ratio: f32) -> Mesh {
    let mut random = random(5);
    let ball = Mesh::sphere(0.5 / ratio, 8, 6);
    let mut star = Mesh {
        positions: ball.positions.clone(),
        ..Mesh::default()
    };
    let chosen: Vec<usize> = (0..needles)
        .map(|_| random.random_range(0..ball.triangles.len()))
        .collect();
    for (index, triangle) in ball.triangles.iter().enumerate() {
        if !chosen.contains(&index) {
            star.triangles.push(*triangle);
            continue;
        }
        let sum: Vec3 = triangle
            .iter()
            .map(|v| Vec3::from(ball.positions[*v as usize]))
            .sum();
        let tip = star.positions.len() as u32;
        star.positions.push((sum.normalize() * 0.5).to_array());
        let [a, b, c] = *triangle;
        star.triangles
            .extend([[a, b, tip], [b, c, tip], [c, a, tip]]);
    }
    star
}

fn thin_shell() -> Mesh {
    joined(&[
        Mesh::sphere(0.5, 24, 16),
        flipped(&Mesh::sphere(0.499, 24, 16)),
    ])
}

/// Two cubes that lie partly in each other: the solid winds twice around their common part.
pub fn overlapping_cubes() -> Mesh {
    let one = Mesh::cuboid([0.6; 3]);
    let turn = Mat3::from_rotation_y(0.5) * Mat3::from_rotation_x(0.3);
    joined(&[
        one.clone(),
        mapped(&one, |p| turn * p + Vec3::new(0.2, 0.15, 0.1)),
    ])
}
