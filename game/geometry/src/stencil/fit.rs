//! Sites whose cells have given borders: least squares, solved by conjugate gradients.

use crate::stencil::borders::Border;
use glam::DVec3;

/// How much sites are drawn to where they start, in mean weights of a border: it decides where borders do not.
const PULL: f64 = 1e-9;
/// Squared residual, of that at the start, at which the solution is good.
const GOOD: f64 = 1e-26;
/// Most iterations for each site, and besides.
const ITERATIONS: [usize; 2] = [4, 400];

/// Finds sites that are mirror images of each other in the borders between them, as near as can be; `start` has a point of
/// each part.
pub(super) fn fit_sites(start: &[DVec3], borders: &[Border]) -> Vec<DVec3> {
    let total: f64 = borders.iter().map(|border| border.weight).sum();
    if total <= 0.0 {
        return start.to_vec();
    }
    let pull = PULL * total / borders.len() as f64;
    // What is searched is how far the sites lie from their starts.
    let mut offsets = vec![DVec3::ZERO; start.len()];
    let mut residual = vec![DVec3::ZERO; start.len()];
    for border in borders {
        let target = 2.0 * border.distance * border.normal - mirrored_difference(border, start);
        add_transposed(border, target, &mut residual);
    }
    let mut direction = residual.clone();
    let first = squared(&residual);
    let mut length = first;
    let [each, besides] = ITERATIONS;
    for _ in 0..each * start.len() + besides {
        if length <= GOOD * first || length == 0.0 {
            break;
        }
        let product = normal_product(borders, pull, &direction);
        let curvature: f64 = direction.iter().zip(&product).map(|(d, p)| d.dot(*p)).sum();
        if curvature <= 0.0 {
            break;
        }
        let step = length / curvature;
        for (offset, d) in offsets.iter_mut().zip(&direction) {
            *offset += step * *d;
        }
        for (r, p) in residual.iter_mut().zip(&product) {
            *r -= step * *p;
        }
        let next = squared(&residual);
        for (d, r) in direction.iter_mut().zip(&residual) {
            *d = *r + (next / length) * *d;
        }
        length = next;
    }
    let sites = start.iter().zip(offsets);
    sites.map(|(start, offset)| *start + offset).collect()
}

/// The second site less the mirror image of the first, but for the border's distance.
fn mirrored_difference(border: &Border, sites: &[DVec3]) -> DVec3 {
    let [one, other] = border
        .parts
        .map(|at| sites.get(at).copied().unwrap_or_default());
    other - mirrored(border, one)
}

fn mirrored(border: &Border, vector: DVec3) -> DVec3 {
    vector - 2.0 * border.normal.dot(vector) * border.normal
}

/// Adds the gradient of a border's difference with both of its sites.
fn add_transposed(border: &Border, difference: DVec3, sums: &mut [DVec3]) {
    let difference = border.weight * difference;
    let [one, other] = border.parts;
    if let Some(sum) = sums.get_mut(one) {
        *sum -= mirrored(border, difference);
    }
    if let Some(sum) = sums.get_mut(other) {
        *sum += difference;
    }
}

fn normal_product(borders: &[Border], pull: f64, vector: &[DVec3]) -> Vec<DVec3> {
    let mut sums: Vec<DVec3> = vector.iter().map(|v| pull * *v).collect();
    for border in borders {
        add_transposed(border, mirrored_difference(border, vector), &mut sums);
    }
    sums
}

fn squared(vector: &[DVec3]) -> f64 {
    vector.iter().map(|v| v.length_squared()).sum()
}
