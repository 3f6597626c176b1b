//! Procedural solids, a name each.

use crate::check::random;
use fracture_geometry::{Mesh, Pattern};
use glam::{DVec3, Mat3, Vec3};
use rand::Rng;
use std::ops::Range;

/// All solids.
pub fn all() -> Vec<(&'static str, Mesh)> {
    vec![
        ("cube", Mesh::cuboid([1.0; 3])),
        ("sphere", Mesh::sphere(0.5, 24, 16)),
        ("cone", cone(32)),
        ("torus", Mesh::torus(0.35, 0.15, 32, 16)),
        ("hollow box", hollow_box()),
        ("box in a cavity", box_in_a_cavity()),
        ("linked rings", linked_rings()),
        ("sponge", sponge(2)),
        ("checkers", checkers(3)),
        ("gear", gear(12)),
        ("needle star", needle_star(12, 200.0)),
        ("thin shell", thin_shell()),
        ("letter H", letter_h()),
        ("letters A B O", letters()),
        ("overlapping cubes", overlapping_cubes()),
        ("flat plate", Mesh::cuboid([1.0, 1.0, 0.001])),
    ]
}

/// Sites of a lattice of three in a row, whose planes go along edges and through vertices of
/// [`on_the_lattice`].
pub fn lattice() -> Pattern {
    let at = |k: i32| f64::from(k) / 3.0 - 1.0 / 3.0;
    let sites = (0..27).map(|k| DVec3::new(at(k % 3), at(k / 3 % 3), at(k / 9)));
    Pattern::from_sites(&sites.collect::<Vec<_>>()).expect("a pattern")
}

/// Solids whose vertices, edges and faces fall together with planes of [`lattice`].
pub fn on_the_lattice() -> [(&'static str, Mesh); 3] {
    [
        ("voxels", voxels(3, |_| true)),
        ("sponge", sponge(2)),
        ("cube", Mesh::cuboid([1.0; 3])),
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
pub fn checkers(rows: i32) -> Mesh {
    voxels(rows, |[x, y, z]| (x + y + z) % 2 == 0)
}

pub fn letter_h() -> Mesh {
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
            [radius * libm::cosf(angle), radius * libm::sinf(angle)]
        })
        .collect();
    prism(&outline, 0.2)
}

/// A cone over a fan of triangles.
fn cone(sides: u32) -> Mesh {
    let mut mesh = prism(&circle([0.0; 2], 0.5, 0..sides, sides), 1.0);
    let (middle, top) = (sides as usize + 1, mesh.positions.len() - 1);
    for position in &mut mesh.positions[middle..top] {
        *position = [0.0, 0.5, 0.0];
    }
    mesh
}

/// Some points of a circle, counter-clockwise.
fn circle(at: [f32; 2], radius: f32, steps: Range<u32>, around: u32) -> Vec<[f32; 2]> {
    let angle = |k: u32| std::f32::consts::TAU * (k % around) as f32 / around as f32;
    let point = |angle: f32| {
        let (sin, cos) = libm::sincosf(angle);
        [at[0] + radius * cos, at[1] + radius * sin]
    };
    steps.map(|k| point(angle(k))).collect()
}

/// Flat triangles, drawn out along z; walls stand on every edge that has no opposite.
fn extruded(points: &[[f32; 2]], triangles: &[[u32; 3]], depth: f32) -> Mesh {
    let count = points.len() as u32;
    let mut mesh = Mesh::default();
    for z in [0.5 * depth, -0.5 * depth] {
        mesh.positions
            .extend(points.iter().map(|[x, y]| [*x, *y, z]));
    }
    let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let edges: Vec<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    mesh.triangles.extend(triangles);
    let back = triangles
        .iter()
        .map(|[a, b, c]| [a + count, c + count, b + count]);
    mesh.triangles.extend(back);
    for &[a, b] in edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a])) {
        let (c, d) = (b + count, a + count);
        mesh.triangles.extend([[b, a, d], [b, d, c]]);
    }
    mesh
}

/// Triangles between two rows of as many points, the first to the right of the second.
fn strip(right: &[u32], left: &[u32]) -> Vec<[u32; 3]> {
    let quads = right.windows(2).zip(left.windows(2));
    let halves = |(r, l): (&[u32], &[u32])| [[r[0], r[1], l[1]], [r[0], l[1], l[0]]];
    quads.flat_map(halves).collect()
}

fn letter_o() -> Mesh {
    let mut points = circle([0.0; 2], 0.5, 0..24, 24);
    points.extend(circle([0.0; 2], 0.3, 0..24, 24));
    let ring = |first: u32| (0..=24).map(|k| first + k % 24).collect::<Vec<u32>>();
    extruded(&points, &strip(&ring(0), &ring(24)), 0.2)
}

fn letter_a() -> Mesh {
    let points = [
        [-0.5, -0.5],
        [-0.3, -0.5],
        [-0.2, -0.25],
        [0.2, -0.25],
        [0.3, -0.5],
        [0.5, -0.5],
        [0.1, 0.5],
        [-0.1, 0.5],
        [-0.14, -0.1],
        [0.14, -0.1],
        [0.0, 0.25],
    ];
    let legs = [
        [0, 1, 2],
        [0, 2, 8],
        [0, 8, 7],
        [9, 5, 6],
        [9, 3, 5],
        [3, 4, 5],
    ];
    let rest = [[8, 10, 7], [7, 10, 6], [10, 9, 6], [2, 3, 9], [2, 9, 8]];
    extruded(&points, &[&legs[..], &rest[..]].concat(), 0.2)
}

/// A stem and two half rings, whose outer circles meet in a point of the stem.
fn letter_b() -> Mesh {
    let mut points = vec![[-0.4, -0.5], [-0.4, 0.5]];
    let heights = [-0.5, -0.375, -0.125, 0.0, 0.125, 0.375, 0.5];
    points.extend(heights.map(|y| [-0.2, y]));
    let mut triangles: Vec<[u32; 3]> = (2..8).map(|k| [0, k, k + 1]).collect();
    triangles.push([0, 8, 1]);
    for (middle, ends) in [(-0.25, [2, 5, 3, 4]), (0.25, [5, 8, 6, 7])] {
        let mut row = |radius: f32, first: u32, last: u32| {
            let start = points.len() as u32;
            points.extend(circle([-0.2, middle], radius, 19..30, 24));
            let inner = start..points.len() as u32;
            [vec![first], inner.collect(), vec![last]].concat()
        };
        let outer = row(0.25, ends[0], ends[1]);
        let inner = row(0.125, ends[2], ends[3]);
        triangles.extend(strip(&outer, &inner));
    }
    extruded(&points, &triangles, 0.2)
}

/// Three letters beside each other, with four holes among them.
pub fn letters() -> Mesh {
    let put = |mesh: Mesh, x: f32| mapped(&mesh, |p| (p + Vec3::X * x) * 0.4);
    joined(&[
        put(letter_a(), -1.1),
        put(letter_b(), 0.1),
        put(letter_o(), 1.1),
    ])
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
