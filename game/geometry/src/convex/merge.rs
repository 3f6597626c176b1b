//! Parts joined again where one hull fits both.

use super::body::Body;
use super::piece::Piece;
use super::polyhedron::Polyhedron;
use glam::DVec3;

/// Corners of each hull that are looked at before a joint one is made.
const FEW: usize = 12;

/// Joins what may be joined, what leaves least empty first; and then, when there are still more than `most`,
/// what may not, from near to far. `stuck` has what does not fit as it is. Also tells whether all fits.
pub fn merge(done: Vec<Piece>, stuck: Vec<Piece>, most: usize, body: &Body) -> (Vec<Piece>, bool) {
    let mut fit = stuck.is_empty();
    let mut merging = Merging {
        body,
        slots: done.into_iter().map(Some).collect(),
        pairs: Vec::new(),
        fitting: true,
    };
    merging.find_pairs(body.allowed);
    merging.join(body.allowed, |hull, _| body.room().holds(hull));
    merging.slots.extend(stuck.into_iter().map(Some));
    merging.fitting = false;
    // Of hundreds, all pairs would be too many.
    let mut near = body.allowed;
    while merging.count() > most && near < 2.0 * body.size {
        fit = false;
        merging.find_pairs(near);
        merging.join(near, |_, count| count > most);
        near *= 2.0;
    }
    (merging.slots.into_iter().flatten().collect(), fit)
}

struct Merging<'a> {
    body: &'a Body,
    slots: Vec<Option<Piece>>,
    pairs: Vec<Joint>,
    /// Whether joint hulls have to fit.
    fitting: bool,
}

/// Two that may be one.
struct Joint {
    /// What the hull leaves empty beside what theirs do.
    empty: f64,
    /// Whose it is, the lower number first.
    of: [usize; 2],
    hull: Polyhedron,
}

impl Merging<'_> {
    fn count(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// Pairs whose boxes are no farther apart than `near`.
    fn find_pairs(&mut self, near: f64) {
        self.pairs.clear();
        for a in 0..self.slots.len() {
            self.pair_up(a, a + 1, near);
        }
    }

    /// Pairs of one with those from another on.
    fn pair_up(&mut self, a: usize, from: usize, near: f64) {
        for b in from..self.slots.len() {
            let (Some(one), Some(other)) = (&self.slots[a], &self.slots[b]) else {
                continue;
            };
            let ([low, high], [l, h]) = (one.bounds(), other.bounds());
            let apart = (low - h).max(l - high).max_element();
            if a == b || apart > near || self.fitting && is_apart(one, other, self.body) {
                continue;
            }
            if let Some(hull) = one.hull_with(other, self.body) {
                let empty = hull.volume() - one.hull.volume() - other.hull.volume();
                let of = [a.min(b), a.max(b)];
                self.pairs.push(Joint { empty, of, hull });
            }
        }
    }

    /// Joins pairs while there are any that may be joined, given how many there are.
    fn join(&mut self, near: f64, may: impl Fn(&Polyhedron, usize) -> bool) {
        loop {
            let order = |a: &Joint, b: &Joint| b.empty.total_cmp(&a.empty).then(b.of.cmp(&a.of));
            self.pairs.sort_by(order);
            let Some(Joint {
                of: [a, b], hull, ..
            }) = self.pairs.pop()
            else {
                return;
            };
            let count = self.count();
            let (Some(one), Some(other)) = (&self.slots[a], &self.slots[b]) else {
                continue;
            };
            if !may(&hull, count) {
                continue;
            }
            let mut part = one.part.clone();
            part.append(&other.part);
            self.slots[a] = Some(Piece { part, hull });
            self.slots[b] = None;
            self.pairs
                .retain(|pair| !pair.of.iter().any(|x| [a, b].contains(x)));
            self.pair_up(a, 0, near);
        }
    }
}

/// Whether a point between two corners tells that no hull fits both.
fn is_apart(one: &Piece, other: &Piece, body: &Body) -> bool {
    let some = |piece: &Piece| {
        let points = &piece.hull.points;
        let step = points.len().div_ceil(FEW).max(1);
        points.iter().step_by(step).copied().collect::<Vec<_>>()
    };
    let (ones, others) = (some(one), some(other));
    let room = body.room();
    let is_off = |a: &DVec3| others.iter().any(|b| !room.has(0.5 * (*a + *b)));
    ones.iter().any(is_off)
}
