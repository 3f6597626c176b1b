//! Hulls of what breaks have left of a whole body: where nothing was broken out those of the whole fit that, too. The
//! rest is cut as the whole was, and planes are sought only for those of its parts that no hull fits.

use crate::hulls::reuse::cached::{CachedHulls, MergedHull, MIN_REMAINDER_SIZE};
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::decompose::{all_joined, divided};
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::search::split_tree::{NodeSplit, SplitTree};
use crate::hulls::shape::connected::pieces;
use crate::hulls::shape::part::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Where this share of the body is in none of the parts of the whole, it is not what is left of that.
const ALL: f64 = 0.99;

/// Few hulls of what is left; `None` when those of the whole are of no use for it.
pub fn of_rest(body: &DecomposeContext, whole: &CachedHulls) -> Option<Vec<HullPart>> {
    if whole.is_empty() || body.size < MIN_REMAINDER_SIZE * whole.size {
        return None;
    }
    let mut rest = Remainder::of(body, &whole.cuts);
    if rest.volume() < ALL * body.whole.volume() {
        return None;
    }
    let (mut done, mut open) = (Vec::new(), Vec::new());
    for joint in &whole.hulls {
        match rest.fitting(joint) {
            Ok(piece) => done.push(piece),
            Err(parts) => open.extend(parts),
        }
    }
    let (more, stuck) = divided(open, body, &mut SplitTree::default());
    done.extend(more);
    all_joined(done, stuck, body)
}

/// What is left of the parts that the whole was cut into.
struct Remainder<'a> {
    body: &'a DecomposeContext<'a>,
    cuts: &'a SplitTree,
    /// By number, cut no more often than was needed so far.
    parts: BTreeMap<u32, Part>,
    /// In the end, those that are as they were.
    same: BTreeSet<u32>,
}

impl<'a> Remainder<'a> {
    /// Cuts a body until each part is as it was or cannot be cut as the whole was any more.
    fn of(body: &'a DecomposeContext<'a>, cuts: &'a SplitTree) -> Self {
        let mut rest = Self {
            body,
            cuts,
            parts: BTreeMap::new(),
            same: BTreeSet::new(),
        };
        let mut open = rest.sorted(body.whole.clone(), &cuts.first);
        while let Some((number, part)) = open.pop() {
            match cuts.cut(number) {
                _ if cuts.is_same(number, &part) => {
                    rest.same.extend(cuts.leaves(number));
                    rest.add(number, part);
                }
                Some(cut) => open.extend(rest.cut(&part, cut)),
                None => rest.add(number, part),
            }
        }
        rest
    }

    fn volume(&self) -> f64 {
        self.parts.values().map(Part::volume).sum()
    }

    fn add(&mut self, number: u32, part: Part) {
        self.parts.entry(number).or_default().append(&part);
    }

    /// Both sides of a cut.
    fn cut(&self, part: &Part, cut: &NodeSplit) -> Vec<(u32, Part)> {
        let sides = part.cut(&cut.plane).into_iter().zip(&cut.sides);
        let parts = sides.flat_map(|(side, numbers)| self.sorted(side, numbers));
        parts.collect()
    }

    /// What was cut off together, by the parts of the whole that it may be of.
    fn sorted(&self, part: Part, numbers: &Range<u32>) -> Vec<(u32, Part)> {
        let parts = match numbers.len() {
            1 => vec![part],
            _ => pieces(part),
        };
        let parts = parts.into_iter();
        let parts = parts.filter_map(|part| Some((self.cuts.around(numbers, &part)?, part)));
        parts.collect()
    }

    /// What is left of what a hull of the whole was around, with a hull that fits; else in parts, if anything is left.
    fn fitting(&mut self, joint: &MergedHull) -> Result<HullPart, Vec<HullPart>> {
        let body = self.body;
        let fits = |piece: &HullPart| body.room().holds(&piece.hull);
        let is_same = joint.parts.iter().all(|number| self.same.contains(number));
        let same = is_same.then(|| HullPart::around(joint.hull.clone()));
        if let Some(piece) = same.filter(fits) {
            return Ok(piece);
        }
        let parts = joint.parts.iter();
        let parts = parts.filter_map(|number| self.take(*number));
        let parts: Vec<Part> = parts.flat_map(pieces).collect();
        let mut all = Part::default();
        parts.iter().for_each(|part| all.append(part));
        let one = HullPart::new(all, body).filter(fits);
        one.ok_or_else(|| HullPart::without_specks(parts, body))
    }

    /// Takes what is left of a part, and makes the cuts that are missing for it.
    fn take(&mut self, number: u32) -> Option<Part> {
        if let Some(part) = self.parts.remove(&number) {
            return Some(part);
        }
        let from = self.cuts.from(number)?;
        let (part, cut) = (self.take(from)?, self.cuts.cut(from)?);
        for (number, part) in self.cut(&part, cut) {
            self.add(number, part);
        }
        self.parts.remove(&number)
    }
}
