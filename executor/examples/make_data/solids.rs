//! Building parts: chamfered blocks, turned columns, rings.

use crate::shape::Shape;
use crate::vector::Vec3;
use std::collections::BTreeMap;
use std::f32::consts::TAU;
use std::ops::Range;

/// A block with chamfered edges, standing on y = 0 and centred in x and z.
pub fn block(size: Vec3, chamfer: f32, metres_per_tile: f32) -> Shape {
    let half = size.map(|side| side * 0.5);
    let mut shape = Shape::default();
    let mut ids = [[0u32; 3]; 8];
    for (corner, row) in ids.iter_mut().enumerate() {
        let sign = corner_sign(corner);
        for (axis, id) in row.iter_mut().enumerate() {
            // The corner's point on the face of `axis`: full out along it, set back on the others.
            let mut position = [0, 1, 2].map(|k| sign[k] * (half[k] - chamfer));
            position[axis] = sign[axis] * half[axis];
            position[1] += half[1];
            *id = shape.point(position);
        }
    }
    add_block_faces(&mut shape, &ids, metres_per_tile);
    shape
}

fn corner_sign(corner: usize) -> Vec3 {
    [0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 })
}

fn add_block_faces(shape: &mut Shape, ids: &[[u32; 3]; 8], metres_per_tile: f32) {
    for axis in 0..3 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let far = 1 << axis;
        let quad = |base: usize| [base, base | u, base | u | v, base | v].map(|c| ids[c][axis]);
        let [a, b, c, d] = quad(0);
        shape.projected_quad([a, d, c, b], metres_per_tile);
        shape.projected_quad(quad(far), metres_per_tile);
        // The chamfers along this axis join the two faces beside it.
        let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
        for base in [0, u, v, u | v] {
            let (near, end) = (base, base | far);
            let strip = [
                ids[near][first],
                ids[near][second],
                ids[end][second],
                ids[end][first],
            ];
            let outward = (base & u != 0) == (base & v != 0);
            add_outward(shape, strip, outward, metres_per_tile);
        }
    }
    for (corner, row) in ids.iter().enumerate() {
        let [a, b, c] = *row;
        let turned = corner.count_ones() % 2 == 0;
        let triangle = if turned { [a, c, b] } else { [a, b, c] };
        shape.projected_triangle(triangle, metres_per_tile);
    }
}

fn add_outward(shape: &mut Shape, strip: [u32; 4], forward: bool, metres_per_tile: f32) {
    let [a, b, c, d] = strip;
    let strip = if forward { [a, b, c, d] } else { [d, c, b, a] };
    shape.projected_quad(strip, metres_per_tile);
}

/// A ring of a profile turned about the y axis; the profile runs upwards and is closed by flat
/// discs at both ends. `radius(k, angle)` gives the radius of row k.
pub fn lathe(
    heights: &[f32],
    segments: u32,
    metres_per_tile: f32,
    radius: impl Fn(usize, f32) -> f32,
) -> Shape {
    let mut shape = Shape::default();
    let angle = |segment: u32| segment as f32 / segments as f32 * TAU;
    for (row, &height) in heights.iter().enumerate() {
        for segment in 0..segments {
            let (sin, cos) = angle(segment).sin_cos();
            let r = radius(row, angle(segment));
            shape.point([r * cos, height, -r * sin]);
        }
    }
    let id = |row: usize, segment: u32| row as u32 * segments + segment % segments;
    let around = radius(heights.len() / 2, 0.0) * TAU / metres_per_tile;
    let tiles = around.round().max(1.0); // a whole number of tiles, so that the seam does not show
    let uv = |row: usize, segment: u32| {
        let u = segment as f32 / segments as f32 * tiles;
        [u, -heights[row] / metres_per_tile]
    };
    for row in 0..heights.len() - 1 {
        for s in 0..segments {
            let corners = [
                id(row, s),
                id(row, s + 1),
                id(row + 1, s + 1),
                id(row + 1, s),
            ];
            let uvs = [
                uv(row, s),
                uv(row, s + 1),
                uv(row + 1, s + 1),
                uv(row + 1, s),
            ];
            shape.quad(corners, uvs);
        }
    }
    let last = heights.len() - 1;
    let bottom = shape.point([0.0, heights[0], 0.0]);
    let top = shape.point([0.0, heights[last], 0.0]);
    for s in 0..segments {
        shape.projected_triangle([bottom, id(0, s + 1), id(0, s)], metres_per_tile);
        shape.projected_triangle([top, id(last, s), id(last, s + 1)], metres_per_tile);
    }
    shape
}

/// A fluted column of the given height on y = 0: base mouldings, shaft, capital.
pub fn column(height: f32, shaft: f32, segments: u32, flutes: u32, metres_per_tile: f32) -> Shape {
    let profile = column_profile(height, shaft);
    let heights: Vec<f32> = profile.iter().map(|row| row.height).collect();
    lathe(&heights, segments, metres_per_tile, |row, angle| {
        let row = &profile[row];
        // Scallops: the groove is deepest between two ridges.
        let groove = (angle * flutes as f32 * 0.5).sin().abs();
        row.radius - row.flute * (1.0 - groove) * shaft
    })
}

struct Row {
    height: f32,
    radius: f32,
    flute: f32,
}

fn column_profile(height: f32, shaft: f32) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = |height: f32, radius: f32, flute: f32| {
        rows.push(Row {
            height,
            radius: radius * shaft,
            flute,
        });
    };
    row(0.0, 1.45, 0.0);
    row(0.12, 1.45, 0.0);
    moulding(&mut row, 0.12, 0.30, 1.30, 0.11);
    row(0.34, 1.08, 0.0);
    let (from, to) = (0.40, height - 0.42);
    row(from, 1.0, 0.0);
    for step in 1..24 {
        let t = step as f32 / 24.0;
        let swelling = 1.0 - 0.14 * t * t; // entasis: the shaft narrows towards its top
        row(
            from + (to - from) * t,
            swelling,
            if step > 1 && step < 23 { 0.075 } else { 0.0 },
        );
    }
    row(to, 0.86, 0.0);
    moulding(&mut row, to + 0.03, to + 0.12, 0.92, 0.06);
    row(height - 0.24, 1.05, 0.0);
    row(height - 0.14, 1.38, 0.0);
    row(height - 0.13, 1.42, 0.0);
    row(height, 1.42, 0.0);
    rows
}

/// A half-round moulding between two heights.
fn moulding(row: &mut impl FnMut(f32, f32, f32), from: f32, to: f32, radius: f32, bulge: f32) {
    for step in 0..=6 {
        let t = step as f32 / 6.0;
        let (sin, cos) = (t * TAU * 0.5).sin_cos();
        row(
            from + (to - from) * (1.0 - cos) * 0.5,
            radius + bulge * sin,
            0.0,
        );
    }
}

/// A ring in the x y plane around the origin.
pub fn torus(ring: f32, tube: f32, around: u32, across: u32, metres_per_tile: f32) -> Shape {
    let mut shape = Shape::default();
    for i in 0..around {
        let (sin_i, cos_i) = (i as f32 / around as f32 * TAU).sin_cos();
        for j in 0..across {
            let (sin_j, cos_j) = (j as f32 / across as f32 * TAU).sin_cos();
            let r = ring + tube * cos_j;
            shape.point([r * cos_i, r * sin_i, tube * sin_j]);
        }
    }
    let id = |i: u32, j: u32| (i % around) * across + j % across;
    let (tiles_i, tiles_j) = (
        (ring * TAU / metres_per_tile).round().max(1.0),
        (tube * TAU / metres_per_tile).round().max(1.0),
    );
    let uv = |i: u32, j: u32| {
        [
            i as f32 / around as f32 * tiles_i,
            j as f32 / across as f32 * tiles_j,
        ]
    };
    for i in 0..around {
        for j in 0..across {
            shape.quad(
                [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)],
                [uv(i, j), uv(i + 1, j), uv(i + 1, j + 1), uv(i, j + 1)],
            );
        }
    }
    shape
}

/// The surface around filled boxes between planes along each axis.
pub fn boxes(
    planes: [&[f32]; 3],
    metres_per_tile: f32,
    filled: impl Fn([usize; 3]) -> bool,
) -> Shape {
    painted_boxes(planes, metres_per_tile, filled, |_, _| 0)
}

/// As [`boxes`], with a material for the faces of each box across an axis.
pub fn painted_boxes(
    planes: [&[f32]; 3],
    metres_per_tile: f32,
    filled: impl Fn([usize; 3]) -> bool,
    material: impl Fn([usize; 3], usize) -> u8,
) -> Shape {
    let mut shape = Shape::default();
    let mut ids: BTreeMap<[usize; 3], u32> = BTreeMap::new();
    let counts = planes.map(|planes| planes.len() - 1);
    let is_filled = |at: [usize; 3]| (0..3).all(|k| at[k] < counts[k]) && filled(at);
    let all = (0..counts[0]).flat_map(|x| (0..counts[1]).map(move |y| [x, y]));
    for at in all.flat_map(|[x, y]| (0..counts[2]).map(move |z| [x, y, z])) {
        for (axis, far) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
            let mut beside = at;
            // Below zero it becomes a number that is in no box.
            beside[axis] = beside[axis].wrapping_add(far).wrapping_sub(1 - far);
            if !is_filled(at) || is_filled(beside) {
                continue;
            }
            let mut corner = |u: usize, v: usize| {
                let mut corner = at;
                corner[axis] += far;
                corner[(axis + 1) % 3] += u;
                corner[(axis + 2) % 3] += v;
                let point = [0, 1, 2].map(|k| planes[k][corner[k]]);
                *ids.entry(corner).or_insert_with(|| shape.point(point))
            };
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let quad = if far == 1 { [a, b, c, d] } else { [a, d, c, b] };
            let from = shape.triangles.len();
            shape.projected_quad(quad, metres_per_tile);
            shape.paint(from, material(at, axis));
        }
    }
    shape
}

/// A block without its top: not closed, for the cases that must be refused.
pub fn open_block(size: Vec3, metres_per_tile: f32) -> Shape {
    without(block(size, 0.01, metres_per_tile), |corner| {
        corner[1] >= size[1]
    })
}

/// A box that lacks the bevel of its upper right front corner: not a solid, but nearly.
pub fn holed_block(size: Vec3, metres_per_tile: f32) -> Shape {
    let bevel = 0.03;
    without(block(size, bevel, metres_per_tile), |[x, y, z]| {
        let near = |at: f32, end: f32| at >= end - 1.01 * bevel;
        near(x, 0.5 * size[0]) && near(y, size[1]) && near(z, 0.5 * size[2])
    })
}

/// A sheet of corrugated tin in the x y plane, standing on y = 0; it has no thickness.
pub fn corrugated(width: f32, height: f32, metres_per_tile: f32) -> Shape {
    let (columns, rows, waves, depth) = (96, 8, 12.0, 0.025);
    let mut shape = Shape::default();
    for row in 0..=rows {
        for column in 0..=columns {
            let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
            let wave = depth * (u * waves * std::f32::consts::TAU).sin();
            shape.point([(u - 0.5) * width, v * height, wave]);
        }
    }
    let uv = |at: u32| {
        let (column, row) = (at % (columns + 1), at / (columns + 1));
        let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
        [u * width / metres_per_tile, v * height / metres_per_tile]
    };
    for row in 0..rows {
        for column in 0..columns {
            let low = row * (columns + 1) + column;
            let high = low + columns + 1;
            let corners = [low, low + 1, high + 1, high];
            shape.quad(corners, corners.map(uv));
        }
    }
    shape
}

/// A shape without the triangles all of whose corners are chosen.
fn without(mut shape: Shape, chosen: impl Fn(Vec3) -> bool) -> Shape {
    let chosen = |corner: &u32| chosen(shape.points[*corner as usize]);
    let triangles = shape.triangles.iter();
    let keep: Vec<bool> = triangles.map(|t| !t.iter().all(chosen)).collect();
    let mut kept = keep.iter().copied();
    shape.triangles.retain(|_| kept.next().unwrap_or(true));
    let mut kept = keep.iter().copied();
    shape.uvs.retain(|_| kept.next().unwrap_or(true));
    shape
}

/// A prism about z over a polygon that is seen from its first corner as a whole, counter-clockwise.
pub fn prism(corners: &[[f32; 2]], half_width: f32) -> Shape {
    let mut shape = Shape::default();
    let ring = |shape: &mut Shape, z: f32| -> Range<u32> {
        let ids: Vec<u32> = corners
            .iter()
            .map(|[x, y]| shape.point([*x, *y, z]))
            .collect();
        ids[0]..ids[0] + corners.len() as u32
    };
    let (back, front) = (ring(&mut shape, -half_width), ring(&mut shape, half_width));
    let count = corners.len() as u32;
    for k in 1..count - 1 {
        let fan = |ring: &Range<u32>| [ring.start, ring.start + k, ring.start + k + 1];
        shape.projected_triangle(fan(&front), 1.0);
        let [a, b, c] = fan(&back);
        shape.projected_triangle([a, c, b], 1.0);
    }
    for k in 0..count {
        let next = (k + 1) % count;
        let quad = [
            front.start + k,
            back.start + k,
            back.start + next,
            front.start + next,
        ];
        shape.projected_quad(quad, 1.0);
    }
    shape
}
