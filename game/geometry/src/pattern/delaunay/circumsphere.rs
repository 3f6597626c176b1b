//! Where four cells meet, and which other sites are nearer to it.

use super::{difference, orientation};
use crate::math::predicates;

/// The middle of a tetrahedron's sphere.
#[derive(Clone, Copy, Debug)]
pub struct Center {
    /// In doubled grid units, as in [`super::super::cell`].
    pub at: [f64; 3],
    /// A site's value `s . y - |s|^2` there is that of the corners if it lies between these two, as
    /// far as rounding can tell.
    low: f64,
    high: f64,
}

impl Center {
    /// Nothing is known beyond the hull: exact arithmetic decides.
    const BEYOND: Self = Self {
        at: [0.0; 3],
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    /// Cramer's rule relative to the last corner: `2 (s - d) . z = |s - d|^2` for the other three.
    pub fn new(sites: &[[i32; 3]], corners: [u32; 4]) -> Self {
        if corners.contains(&super::INFINITE) {
            return Self::BEYOND;
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
        // How far off the volume is, as a part of it.
        let mut share = 2.0 * slack / volume;
        if !(share > 0.0 && share < 1e-9) {
            volume = orientation(sites, corners) as f64;
            share = 0.0;
        }
        let inverse = 1.0 / volume;
        let (mut at, mut off) = ([0.0; 3], 0.0f64);
        for axis in 0..3 {
            let terms = [
                squares[0] * bc[axis],
                squares[1] * ca[axis],
                squares[2] * ab[axis],
            ];
            let size = terms[0].abs() + terms[1].abs() + terms[2].abs();
            off = off.max(size * inverse * (6.0 * f64::EPSILON + share));
            at[axis] = (terms[0] + terms[1] + terms[2]) * inverse + 2.0 * origin[axis];
        }
        let far = at[0].abs().max(at[1].abs()).max(at[2].abs());
        // Of a coordinate; then of a value, whose factors are below 2^18 and whose sum is below
        // 2^20 times the farthest coordinate, or 2^38.
        let off = off + f64::EPSILON * far;
        let bound = off * f64::from(1 << 21)
            + 8.0 * f64::EPSILON * (far * f64::from(1 << 20) + (1u64 << 38) as f64);
        let level = value(at, origin);
        Self {
            at,
            low: level - bound,
            high: level + bound,
        }
    }

    /// Whether a site is nearer than the corners, if that is sure.
    #[inline]
    pub fn holds(&self, site: [f64; 3]) -> Option<bool> {
        let value = value(self.at, site);
        if value < self.low {
            Some(false)
        } else if value > self.high {
            Some(true)
        } else {
            None
        }
    }

    /// Whether the center surely lies in a box of this half side around the origin.
    pub fn is_within(&self, half: f64) -> bool {
        let off = self.high - self.low;
        self.at.into_iter().all(|x| x.abs() + off < half)
    }
}

/// Exact for integers below 2^20.
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let minor = |u: usize, v: usize| a[u] * b[v] - a[v] * b[u];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// Grows as a site comes nearer.
#[inline]
fn value(at: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    x * (at[0] - x) + y * (at[1] - y) + z * (at[2] - z)
}

/// Whether a site is nearer to the center than the corners are, and if it is as near, whether the
/// rule for ties prefers it.
///
/// With everything relative to corner `d` and `D = det(a, b, c)`, it is nearer when
/// `|a|^2 det(s, b, c) + |b|^2 det(a, s, c) + |c|^2 det(a, b, s) - |s|^2 D` is positive. Determinants
/// are below 2^60 and squares below 2^40.
pub fn holds_exactly(sites: &[[i32; 3]], corners: [u32; 4], site: u32) -> bool {
    let [a, b, c, d] = corners;
    let square = |of: u32| -> i128 {
        let [x, y, z] = difference(sites, of, d);
        i128::from(x * x + y * y + z * z)
    };
    let volume = |corners: [u32; 4]| i128::from(orientation(sites, corners));
    let whole = volume(corners);
    let parts = [
        (a, volume([site, b, c, d])),
        (b, volume([a, site, c, d])),
        (c, volume([a, b, site, d])),
    ];
    let sum: i128 = parts.iter().map(|(of, part)| square(*of) * part).sum();
    let mut sign = predicates::sign(sum - square(site) * whole);
    if sign == 0 {
        let [(_, x), (_, y), (_, z)] = parts;
        let mut terms = [
            (a, -x),
            (b, -y),
            (c, -z),
            (site, whole),
            (d, x + y + z - whole),
        ];
        sign = predicates::sos_sign(&mut terms);
    }
    sign > 0
}
