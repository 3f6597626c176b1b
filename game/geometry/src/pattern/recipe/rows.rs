//! Sites in rows: bricks, slabs, and the two sites of a straight cut.

use glam::DVec3;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// Height of a brick in lengths, in the space of the sites.
///
/// Courses that are shifted against each other have no common mirror plane, so Voronoi cells cannot
/// have flat bed joints; but for sites `w` apart in courses one unit apart the joint strays from
/// flat by no more than `w^2 / 4`. With `w = 1 / 4` that is a 64th of a course.
const SLIMNESS: f64 = 4.0;
/// Largest jitter as a fraction of half a brick or course; more would let bricks swap places.
const JITTER_REACH: f64 = 0.6;

/// The number of bricks along x, y and z: a cube filled with courses, with as many bricks on both sides
/// of the middle.
pub fn brick_counts(rows: u32, [length, depth]: [f64; 2]) -> [u32; 3] {
    // Saturates; NaN becomes 0, and is refused elsewhere.
    let across = |side: f64| {
        ((0.5 * f64::from(rows) / side).ceil() as u32)
            .max(1)
            .saturating_mul(2)
    };
    [across(length), rows, across(depth)]
}

/// The stretch that undoes the slimness.
pub fn brick_stretch([length, _]: [f64; 2]) -> DVec3 {
    DVec3::new(length * SLIMNESS, 1.0, 1.0)
}

/// The period of the bricks: one brick along x and z, two courses along y.
pub fn brick_period([_, depth]: [f64; 2]) -> DVec3 {
    DVec3::new(1.0 / SLIMNESS, 2.0, depth)
}

/// Courses of bricks around the origin. Jitter moves bricks along their course and courses as a
/// whole, never bricks of a course against each other, so that joints stay upright.
pub fn bricks(
    rows: u32,
    size: [f64; 2],
    offset: f64,
    jitter: f64,
    random: &mut Pcg64Mcg,
) -> Vec<DVec3> {
    let [columns, _, layers] = brick_counts(rows, size);
    let pitch = DVec3::new(1.0 / SLIMNESS, 1.0, size[1]);
    let mut stray = || (random.random::<f64>() - 0.5) * jitter * JITTER_REACH;
    // Whole courses and periods from the middle, so that joints lie on whole numbers.
    let first = |count: u32| 0.5 - f64::from(count / 2);
    let mut sites = Vec::new();
    for row in 0..rows {
        // Counted from the middle, an even number away from course 0 of the body.
        let course = row as i64 - i64::from(rows / 2);
        let shift = if course.rem_euclid(2) == 1 {
            offset
        } else {
            0.0
        };
        let y = f64::from(row) + first(rows) + 0.5 * stray();
        for layer in 0..layers {
            for column in 0..columns {
                let x = f64::from(column) + first(columns) + shift + stray();
                sites.push(DVec3::new(x, y, f64::from(layer) + first(layers)) * pitch);
            }
        }
    }
    sites
}

/// Slabs across y; a slab is tilted by moving its site sideways.
pub fn slabs(slabs: u32, jitter: f64, tilt: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let pitch = 2.0 / f64::from(slabs);
    let mut stray = || random.random::<f64>() - 0.5;
    let lean = libm::tan(tilt) * pitch;
    let place = |slab: u32| {
        let y = (f64::from(slab) + 0.5 + JITTER_REACH * jitter * stray()) * pitch - 1.0;
        DVec3::new(lean * stray(), y, lean * stray())
    };
    (0..slabs).map(place).collect()
}

/// Two sites, mirror images in the plane of the cut.
pub fn blade(tilt: f64) -> Vec<DVec3> {
    let (sin, cos) = libm::sincos(tilt);
    let normal = DVec3::new(sin, cos, 0.0);
    vec![normal, -normal]
}
