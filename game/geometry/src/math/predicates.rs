//! Exact signs of small determinants over integers, and the rule that breaks ties.
//!
//! Every decision of the cutter is the sign of an expression in the values that affine functions
//! `h_i` take at mesh vertices. Those values are integers (see [`crate::fracture::grid`]), so 128-bit
//! arithmetic decides all of them without rounding.
//!
//! Ties are broken by simulation of simplicity (Edelsbrunner and Mücke 1990): `h_i` stands for
//! `h_i + e_i` with infinitesimals `e_0 >> e_1 >> ... > 0`. All expressions below are linear in the
//! infinitesimals, because products of them cancel; a zero is decided by the coefficient of the
//! smallest id whose coefficient is not zero.
//!
//! Bounds: a difference `h_i - h_j` at a vertex is below 2^52 in magnitude. A 2x2 minor is then
//! below 2^105 and a sum of three below 2^107, in `i128`. A 3x3 determinant is below 2^160 and is
//! summed in two halves, split at bit 54.

/// The sign of an exact value under the symbolic perturbation: never zero for a real crossing.
pub type Sign = i8;

/// Sign of a machine integer.
pub fn sign(value: i128) -> Sign {
    value.signum() as Sign
}

/// The sign of the first coefficient that is not zero, by ascending id; equal ids add up.
pub fn sos_sign(terms: &mut [(u32, i128)]) -> Sign {
    terms.sort_unstable_by_key(|term| term.0);
    let mut at = 0;
    while at < terms.len() {
        let id = terms[at].0;
        let mut sum = 0;
        while at < terms.len() && terms[at].0 == id {
            sum += terms[at].1;
            at += 1;
        }
        if sum != 0 {
            return sign(sum);
        }
    }
    0
}

/// Sign of `h_i - h_j` at a mesh vertex, where `p` is its value.
pub fn at_vertex(i: u32, j: u32, p: i64) -> Sign {
    if is_inside(i, j, p) {
        1
    } else {
        -1
    }
}

/// Whether `h_i - h_j` is positive at a mesh vertex, where `p` is its value.
pub fn is_inside(i: u32, j: u32, p: i64) -> bool {
    // A tie goes to the smaller id; one comparison, because most cells are far from most triangles.
    p >= i64::from(i >= j)
}

/// Sign of `p1 q2 - p2 q1` with `p = h_i - h_j`, `q = h_i - h_k` at two vertices.
///
/// Zero only if both vertices have the same values.
pub fn minor([i, j, k]: [u32; 3], p: [i64; 2], q: [i64; 2]) -> Sign {
    let (p1, p2) = (p[0] as i128, p[1] as i128);
    let (q1, q2) = (q[0] as i128, q[1] as i128);
    let value = p1 * q2 - p2 * q1;
    if value != 0 {
        return sign(value);
    }
    let (dp, dq) = (p1 - p2, q2 - q1);
    sos_sign(&mut [(i, dp + dq), (j, -dq), (k, -dp)])
}

/// Sign of `h_i - h_m` where the edge between two vertices crosses `h_i = h_j`.
///
/// `p = h_i - h_j` must have different (perturbed) signs at the two vertices.
pub fn on_edge([i, j, m]: [u32; 3], p: [i64; 2], q: [i64; 2]) -> Sign {
    let down = if p[0] > p[1] { 1 } else { -1 };
    minor([i, j, m], p, q) * down
}

/// Whether the crossing of `p = h_a - h_b` lies before that of `q = h_c - h_d` on the way from the
/// first vertex to the second.
pub fn edge_order(ab: [u32; 2], p: [i64; 2], cd: [u32; 2], q: [i64; 2]) -> std::cmp::Ordering {
    let (p1, p2) = (p[0] as i128, p[1] as i128);
    let (q1, q2) = (q[0] as i128, q[1] as i128);
    let value = q2 * p1 - q1 * p2; // of lambda_p - lambda_q = p1/(p1-p2) - q1/(q1-q2), negated
    let mut s = sign(-value);
    if s == 0 {
        let (dp, dq) = (q1 - q2, p2 - p1);
        s = sos_sign(&mut [(ab[0], dp), (ab[1], -dp), (cd[0], dq), (cd[1], -dq)]);
    }
    let below = if (p1 > p2) == (q1 > q2) { 1 } else { -1 };
    (s * below).cmp(&0)
}

/// The cross product of two rows over the three vertices of a triangle: up to a common factor the
/// barycentric weights of the point where both are zero.
pub fn cross(p: [i64; 3], q: [i64; 3]) -> [i128; 3] {
    let m = |a: usize, b: usize| p[a] as i128 * q[b] as i128 - p[b] as i128 * q[a] as i128;
    [m(1, 2), m(2, 0), m(0, 1)]
}

/// The weights of [`cross`] with a positive sum, each rounded once.
pub fn rounded_weights(p: [i64; 3], q: [i64; 3]) -> [f64; 3] {
    const SPLIT: u32 = 52;
    const MASK: i128 = (1 << SPLIT) - 1;
    let minors = cross(p, q);
    let unit = if sum(minors) < 0 { -1.0 } else { 1.0 };
    // Both parts are exact in 53 bits, so only their sum is rounded.
    minors.map(|minor| {
        let (high, low) = ((minor >> SPLIT) as i64, (minor & MASK) as i64);
        unit * (high as f64 * (1u64 << SPLIT) as f64 + low as f64)
    })
}

fn sum(of: [i128; 3]) -> i128 {
    of[0] + of[1] + of[2]
}

/// Sign of the triple product of `minors` (each below 2^105) and `row` (each below 2^52).
fn triple(minors: [i128; 3], row: [i64; 3]) -> Sign {
    const SPLIT: u32 = 54;
    const MASK: i128 = (1 << SPLIT) - 1;
    let (mut high, mut low) = (0i128, 0i128);
    for (minor, value) in minors.into_iter().zip(row) {
        high += (minor >> SPLIT) * value as i128;
        low += (minor & MASK) * value as i128;
    }
    high += low >> SPLIT;
    match sign(high) {
        0 => sign(low & MASK),
        s => s,
    }
}

/// Sign of `h_i - h_m` where a triangle crosses `h_i = h_j = h_k`.
///
/// `p`, `q`, `r` are `h_i - h_j`, `h_i - h_k`, `h_i - h_m` at the triangle's vertices. The triangle
/// must cross the line (in the perturbed sense), so that the sum of the minors is not zero.
pub fn in_triangle(ids: [u32; 4], p: [i64; 3], q: [i64; 3], r: [i64; 3]) -> Sign {
    let minors = cross(p, q);
    let area = sum(minors);
    let mut s = triple(minors, r);
    if s == 0 {
        let [i, j, k, m] = ids;
        let (a, b) = (sum(cross(q, r)), sum(cross(r, p)));
        s = sos_sign(&mut [(i, a + b + area), (j, -a), (k, -b), (m, -area)]);
    }
    s * sign(area)
}

/// 3x3 determinant of rows below 2^20 in magnitude.
pub fn det3(a: [i64; 3], b: [i64; 3], c: [i64; 3]) -> i64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    #[test]
    fn a_triple_product_beyond_128_bits_is_exact() {
        let big = (1i64 << 52) - 1;
        let minors = [(1i128 << 105) - 1, -((1i128 << 105) - 1), 1];
        assert_eq!(triple(minors, [big, big, 1]), 1);
        assert_eq!(triple(minors, [big, big, -1]), -1);
        assert_eq!(triple(minors, [big, big, 0]), 0);
        assert_eq!(triple(minors, [big, big - 1, 0]), 1);
    }

    #[test]
    fn rounded_weights_are_the_nearest_numbers_to_the_exact_ones() {
        let big = (1i64 << 52) - 1;
        let rows = [[big, -big, 7], [-3, big, -big], [1, 2, 3], [0, -1, 0]];
        for (p, q) in rows.iter().flat_map(|p| rows.map(|q| (*p, q))) {
            let exact = cross(p, q);
            let unit = if sum(exact) < 0 { -1 } else { 1 };
            let wanted = exact.map(|minor| (unit * minor) as f64);
            assert_eq!(rounded_weights(p, q), wanted, "{p:?} {q:?}");
        }
    }

    #[test]
    fn a_tie_at_a_vertex_goes_to_the_smaller_id_from_both_sides() {
        assert_eq!(at_vertex(1, 2, 0), 1);
        assert_eq!(at_vertex(2, 1, 0), -1);
    }

    #[test]
    fn both_cells_agree_on_an_edge_tie() {
        // h1 = h2 = h3 at the same point of the edge: seen from 1 and from 2 alike.
        let (h1, h2, h3) = ([0, 0], [-4, 4], [-2, 2]);
        let from = |i: [i64; 2], j: [i64; 2]| [i[0] - j[0], i[1] - j[1]];
        let one = on_edge([1, 2, 3], from(h1, h2), from(h1, h3));
        let two = on_edge([2, 1, 3], from(h2, h1), from(h2, h3));
        assert_eq!(one, two);
        assert_ne!(one, 0);
    }

    #[test]
    fn edge_order_agrees_with_the_parameter_and_reverses() {
        let (p, q) = ([1, -3], [3, -1]); // at 0.25 and at 0.75
        assert_eq!(edge_order([0, 1], p, [2, 3], q), Ordering::Less);
        assert_eq!(edge_order([2, 3], q, [0, 1], p), Ordering::Greater);
        let flip = |v: [i64; 2]| [v[1], v[0]];
        assert_eq!(
            edge_order([0, 1], flip(p), [2, 3], flip(q)),
            Ordering::Greater
        );
        let neg = |v: [i64; 2]| [-v[0], -v[1]];
        assert_eq!(edge_order([1, 0], neg(p), [2, 3], q), Ordering::Less);
    }

    #[test]
    fn an_edge_order_tie_is_never_equal_for_different_bisectors() {
        let p = [1, -1];
        let a = edge_order([0, 1], p, [0, 2], p);
        let b = edge_order([0, 2], p, [0, 1], p);
        assert_ne!(a, Ordering::Equal);
        assert_eq!(a, b.reverse());
    }
}
