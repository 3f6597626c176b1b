//! Circumspheres of tetrahedra and the filtered in-sphere test.

use crate::math::predicates;

/// The corner of tetrahedra outside of the hull.
pub(super) const INFINITE: u32 = u32::MAX;

/// A tetrahedron's circumsphere in floating point, with bounds of the rounding error.
#[derive(Clone, Copy, Debug)]
pub struct Circumsphere {
    /// Centre in doubled grid units.
    pub position: [f64; 3],
    /// A site on the sphere has a value `s . y - |s|^2` between these two; rounding cannot tell more.
    low: f64,
    high: f64,
}

impl Circumsphere {
    /// Outside of the hull nothing is known: exact arithmetic decides.
    const UNKNOWN: Self = Self {
        position: [0.0; 3],
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    /// Solves by Cramer's rule relative to the last corner: `2 (s - d) . z = |s - d|^2` for the other three.
    pub fn new(sites: &[[i32; 3]], corners: [u32; 4]) -> Self {
        if corners.contains(&INFINITE) {
            return Self::UNKNOWN;
        }
        let [a, b, c, d] = corners.map(|site| &sites[site as usize]);
        let row = |site: &[i32; 3]| {
            let along = |axis: usize| f64::from(site[axis]) - f64::from(d[axis]);
            [along(0), along(1), along(2)]
        };
        let (a, b, c) = (row(a), row(b), row(c));
        let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
        let squares = [a, b, c].map(|x| x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        let origin = d.map(f64::from);
        let volumes = [a[0] * bc[0], a[1] * bc[1], a[2] * bc[2]];
        let mut volume = volumes[0] + volumes[1] + volumes[2];
        let slack = f64::EPSILON * (volumes[0].abs() + volumes[1].abs() + volumes[2].abs());
        // Error of the volume as a fraction of it.
        let mut relative_error = 2.0 * slack / volume;
        if !(relative_error > 0.0 && relative_error < 1e-9) {
            volume = orientation(sites, corners) as f64;
            relative_error = 0.0;
        }
        let inverse = 1.0 / volume;
        let (mut position, mut error) = ([0.0; 3], 0.0f64);
        for axis in 0..3 {
            let terms = [
                squares[0] * bc[axis],
                squares[1] * ca[axis],
                squares[2] * ab[axis],
            ];
            let size = terms[0].abs() + terms[1].abs() + terms[2].abs();
            error = error.max(size * inverse * (6.0 * f64::EPSILON + relative_error));
            position[axis] = (terms[0] + terms[1] + terms[2]) * inverse + 2.0 * origin[axis];
        }
        let farthest = position[0]
            .abs()
            .max(position[1].abs())
            .max(position[2].abs());
        // Error of a coordinate; then of a value, whose factors are below 2^18 and whose sum is below
        // 2^20 times the farthest coordinate, or 2^38.
        let coordinate_error = error + f64::EPSILON * farthest;
        let bound = coordinate_error * f64::from(1 << 21)
            + 8.0 * f64::EPSILON * (farthest * f64::from(1 << 20) + (1u64 << 38) as f64);
        let level = value(position, origin);
        Self {
            position,
            low: level - bound,
            high: level + bound,
        }
    }

    /// Whether the sphere contains a site; `None` if rounding cannot tell.
    #[inline]
    pub fn contains(&self, site: [f64; 3]) -> Option<bool> {
        let value = value(self.position, site);
        if value < self.low {
            Some(false)
        } else if value > self.high {
            Some(true)
        } else {
            None
        }
    }

    /// Whether the centre certainly lies in a box of a half side around the origin.
    pub fn is_within(&self, half: f64) -> bool {
        let error = self.high - self.low;
        let mut coordinates = self.position.into_iter();
        coordinates.all(|x| x.abs() + error < half)
    }
}

/// The cross product, exact for integers below 2^20.
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let minor = |u: usize, v: usize| a[u] * b[v] - a[v] * b[u];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// `s . y - |s|^2` of a site `s` for a centre `y`, which grows as the site comes nearer.
#[inline]
fn value(center: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    x * (center[0] - x) + y * (center[1] - y) + z * (center[2] - z)
}

/// Whether a site is nearer to the centre than the corners are; if it is as near, whether the rule for
/// ties prefers it.
///
/// With everything relative to corner `d` and `D = det(a, b, c)`, it is nearer when
/// `|a|^2 det(s, b, c) + |b|^2 det(a, s, c) + |c|^2 det(a, b, s) - |s|^2 D` is positive. Determinants
/// are below 2^60 and squares below 2^40.
pub fn contains_exactly(sites: &[[i32; 3]], corners: [u32; 4], site: u32) -> bool {
    let [a, b, c, d] = corners;
    let square = |of: u32| -> i128 {
        let [x, y, z] = difference(sites, of, d);
        i128::from(x * x + y * y + z * z)
    };
    let volume = |corners: [u32; 4]| i128::from(orientation(sites, corners));
    let total = volume(corners);
    let parts = [
        (a, volume([site, b, c, d])),
        (b, volume([a, site, c, d])),
        (c, volume([a, b, site, d])),
    ];
    let sum: i128 = parts.iter().map(|(of, part)| square(*of) * part).sum();
    let mut sign = predicates::sign(sum - square(site) * total);
    if sign == 0 {
        let [(_, x), (_, y), (_, z)] = parts;
        let mut terms = [
            (a, -x),
            (b, -y),
            (c, -z),
            (site, total),
            (d, x + y + z - total),
        ];
        sign = predicates::sos_sign(&mut terms);
    }
    sign > 0
}

/// Six times the signed volume of a tetrahedron.
pub(super) fn orientation(sites: &[[i32; 3]], [a, b, c, d]: [u32; 4]) -> i64 {
    let from = |site: u32| difference(sites, site, d);
    predicates::det3(from(a), from(b), from(c))
}

/// The way from one site to another.
pub(super) fn difference(sites: &[[i32; 3]], to: u32, from: u32) -> [i64; 3] {
    let (to, from) = (sites[to as usize], sites[from as usize]);
    let along = |axis: usize| i64::from(to[axis]) - i64::from(from[axis]);
    [along(0), along(1), along(2)]
}
