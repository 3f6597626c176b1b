//! The splits that a search has made, so that a remainder of the solid can be split alike later.

use super::hull_part::HullPart;
use crate::hulls::params::SAME_PART;
use crate::hulls::shape::part::Part;
use crate::math::{Aabb, Plane};
use std::ops::Range;

/// A binary space partition of a solid: all parts that it was split into, in a flat array.
#[derive(Clone, Debug, Default)]
pub struct SplitTree {
    nodes: Vec<SplitNode>,
    /// The nodes of the connected components that the solid began as.
    pub roots: Range<u32>,
}

/// A part as it was before it was split, or as it was left.
#[derive(Clone, Debug)]
struct SplitNode {
    triangles: usize,
    bounds: Aabb,
    volume: f64,
    parent: Option<u32>,
    split: Option<NodeSplit>,
}

/// The split of a node.
#[derive(Clone, Debug)]
pub struct NodeSplit {
    pub plane: Plane,
    /// The nodes below and above the plane.
    pub sides: [Range<u32>; 2],
}

impl SplitTree {
    /// Adds the components that a solid begins as.
    pub fn add_roots(&mut self, parts: &mut [HullPart]) {
        self.roots = self.add(parts, None);
    }

    /// Records the split of a part.
    pub fn record(&mut self, part: &HullPart, plane: &Plane, sides: &mut [Vec<HullPart>; 2]) {
        let parent = part.leaves.first().copied();
        let split = NodeSplit {
            plane: *plane,
            sides: sides.each_mut().map(|side| self.add(side, parent)),
        };
        let node = parent.and_then(|number| self.nodes.get_mut(number as usize));
        if let Some(node) = node {
            node.split = Some(split);
        }
    }

    /// Adds nodes and sets them as their parts' leaves.
    fn add(&mut self, parts: &mut [HullPart], parent: Option<u32>) -> Range<u32> {
        let start = self.nodes.len() as u32;
        for (part, number) in parts.iter_mut().zip(start..) {
            part.leaves = vec![number];
            self.nodes.push(SplitNode::new(&part.part, parent));
        }
        start..self.nodes.len() as u32
    }

    fn node(&self, number: u32) -> Option<&SplitNode> {
        self.nodes.get(number as usize)
    }

    pub fn parent(&self, number: u32) -> Option<u32> {
        self.node(number)?.parent
    }

    pub fn split(&self, number: u32) -> Option<&NodeSplit> {
        self.node(number)?.split.as_ref()
    }

    /// Whether a part is the same as that of a node.
    pub fn is_same(&self, number: u32, part: &Part) -> bool {
        self.node(number).is_some_and(|node| node.is_same(part))
    }

    /// The node among `numbers` whose box contains `part`'s box: the smallest if several, the one least
    /// exceeded if none.
    pub fn node_around(&self, numbers: &Range<u32>, part: &Part) -> Option<u32> {
        let own = part.bounds();
        let excess_and_size = |number: &u32| {
            let node = self.node(*number);
            node.map_or([f64::INFINITY; 2], |node| [node.excess(&own), node.size()])
        };
        numbers.clone().min_by(|a, b| {
            let ([excess, size], [other_excess, other_size]) =
                (excess_and_size(a), excess_and_size(b));
            let by_excess = excess.total_cmp(&other_excess);
            by_excess.then(size.total_cmp(&other_size))
        })
    }

    /// The leaves below a node; the node itself if it was not split.
    pub fn leaves(&self, number: u32) -> Vec<u32> {
        let (mut open, mut leaves) = (vec![number], Vec::new());
        while let Some(number) = open.pop() {
            match self.split(number) {
                None => leaves.push(number),
                Some(split) => open.extend(split.sides.iter().cloned().flatten()),
            }
        }
        leaves
    }
}

impl SplitNode {
    fn new(part: &Part, parent: Option<u32>) -> Self {
        Self {
            triangles: part.triangles.len(),
            bounds: part.bounds(),
            volume: part.volume(),
            parent,
            split: None,
        }
    }

    fn size(&self) -> f64 {
        self.bounds.diagonal()
    }

    fn is_same(&self, part: &Part) -> bool {
        let (own, other, size) = (self.bounds, part.bounds(), self.size());
        let difference = own.min.distance(other.min).max(own.max.distance(other.max));
        part.triangles.len() == self.triangles
            && difference <= SAME_PART * size
            && (part.volume() - self.volume).abs() <= SAME_PART * size.powi(3)
    }

    /// Distance by which a box exceeds the node's box, 0 if only by rounding.
    fn excess(&self, other: &Aabb) -> f64 {
        let own = &self.bounds;
        let excess = (own.min - other.min).max(other.max - own.max).max_element();
        if excess > SAME_PART * self.size() {
            excess
        } else {
            0.0
        }
    }
}
