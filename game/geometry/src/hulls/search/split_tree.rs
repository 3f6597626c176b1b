//! The cuts that a search for hulls has led to, so that what is left of a body later can be cut alike.

use crate::hulls::search::hull_part::HullPart;
use crate::hulls::shape::convex_hull::{bounds, Plane};
use crate::hulls::shape::part::Part;
use glam::DVec3;
use std::ops::Range;

/// Parts whose boxes and volumes differ by less than this (of the size) are the same.
const SAME: f64 = 1e-9;

/// All parts that a body was cut into one after the other: a tree in a flat array.
#[derive(Clone, Debug, Default)]
pub struct SplitTree {
    parts: Vec<SplitNode>,
    /// The parts that were there at first.
    pub first: Range<u32>,
}

/// A part as it was when it was cut, or at last.
#[derive(Clone, Debug)]
struct SplitNode {
    triangles: usize,
    bounds: [DVec3; 2],
    volume: f64,
    /// What it was cut from.
    from: Option<u32>,
    cut: Option<NodeSplit>,
}

/// A cut of a part.
#[derive(Clone, Debug)]
pub struct NodeSplit {
    pub plane: Plane,
    /// The parts below it, and above.
    pub sides: [Range<u32>; 2],
}

impl SplitTree {
    /// Notes the parts that a body consists of, and gives them their numbers.
    pub fn begin(&mut self, pieces: &mut [HullPart]) {
        self.first = self.add(pieces, None);
    }

    /// Notes what became of a part by a plane.
    pub fn note(&mut self, part: &HullPart, plane: &Plane, sides: &mut [Vec<HullPart>; 2]) {
        let from = part.leaves.first().copied();
        let cut = NodeSplit {
            plane: *plane,
            sides: sides.each_mut().map(|side| self.add(side, from)),
        };
        let known = from.and_then(|number| self.parts.get_mut(number as usize));
        if let Some(known) = known {
            known.cut = Some(cut);
        }
    }

    fn add(&mut self, pieces: &mut [HullPart], from: Option<u32>) -> Range<u32> {
        let start = self.parts.len() as u32;
        for (piece, number) in pieces.iter_mut().zip(start..) {
            piece.leaves = vec![number];
            self.parts.push(SplitNode::of(&piece.part, from));
        }
        start..self.parts.len() as u32
    }

    /// What a part was cut from.
    pub fn from(&self, number: u32) -> Option<u32> {
        self.parts.get(number as usize)?.from
    }

    /// How a part was cut.
    pub fn cut(&self, number: u32) -> Option<&NodeSplit> {
        self.parts.get(number as usize)?.cut.as_ref()
    }

    /// Whether a part is the same as the known one.
    pub fn is_same(&self, number: u32, part: &Part) -> bool {
        let known = self.parts.get(number as usize);
        known.is_some_and(|known| known.is_same(part))
    }

    /// Of some of the parts that which another is most likely a part of: whose box is around it, the smallest of those.
    pub fn around(&self, numbers: &Range<u32>, part: &Part) -> Option<u32> {
        let own = bounds(&part.points);
        let out = |number: &u32| {
            let known = self.parts.get(*number as usize);
            known.map_or([f64::INFINITY; 2], |known| known.out(&own))
        };
        numbers.clone().min_by(|a, b| {
            let ([one, size], [other, larger]) = (out(a), out(b));
            one.total_cmp(&other).then(size.total_cmp(&larger))
        })
    }

    /// What a part came to be in the end: itself, or all that it was cut into.
    pub fn leaves(&self, number: u32) -> Vec<u32> {
        let (mut open, mut leaves) = (vec![number], Vec::new());
        while let Some(number) = open.pop() {
            match self.cut(number) {
                None => leaves.push(number),
                Some(cut) => open.extend(cut.sides.iter().cloned().flatten()),
            }
        }
        leaves
    }
}

impl SplitNode {
    fn of(part: &Part, from: Option<u32>) -> Self {
        Self {
            triangles: part.triangles.len(),
            bounds: bounds(&part.points),
            volume: part.volume(),
            from,
            cut: None,
        }
    }

    fn is_same(&self, part: &Part) -> bool {
        let [low, high] = self.bounds;
        let size = low.distance(high);
        let is_near = |[l, h]: [DVec3; 2]| low.distance(l).max(high.distance(h)) <= SAME * size;
        part.triangles.len() == self.triangles
            && is_near(bounds(&part.points))
            && (part.volume() - self.volume).abs() <= SAME * size.powi(3)
    }

    /// How far something reaches out of its box, if not by next to nothing, and how large that is.
    fn out(&self, [low, high]: &[DVec3; 2]) -> [f64; 2] {
        let [l, h] = self.bounds;
        let size = l.distance(h);
        let out = (l - *low).max(*high - h).max_element();
        [if out > SAME * size { out } else { 0.0 }, size]
    }
}
