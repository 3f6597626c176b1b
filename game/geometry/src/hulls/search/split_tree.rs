//! The splits that a search has made, so that a remainder of the solid can be split alike later.

use super::hull_part::HullPart;
use crate::byte_io::{write_count, write_f64s, ByteReader, Malformed};
use crate::hulls::params::SAME_PART;
use crate::hulls::shape::part::Part;
use crate::math::{Aabb, Plane, NONE};
use glam::DVec3;
use std::ops::Range;

/// Most nodes above a node of a tree that is read. The search halves parts, and comes to some dozens.
const MAX_DEPTH: u32 = 1000;

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

/// Bytes.
impl SplitTree {
    /// The number of nodes.
    pub fn node_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Appends the tree to bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_count(out, self.nodes.len());
        write_range(out, &self.roots);
        self.nodes.iter().for_each(|node| node.write(out));
    }

    /// Reads a tree, in which every node is below one parent at most, and no node below itself.
    pub fn read(reader: &mut ByteReader) -> Result<Self, Malformed> {
        let count = reader.u32()?;
        let mut tree = Self {
            nodes: Vec::new(),
            roots: read_range(reader)?,
        };
        for _ in 0..count {
            tree.nodes.push(SplitNode::read(reader)?);
        }
        tree.is_sound().then_some(tree).ok_or(Malformed)
    }

    fn is_sound(&self) -> bool {
        let mut depths: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for (number, node) in (0..).zip(&self.nodes) {
            let depth = match node.parent {
                None => Some(0),
                // Parents come before their children.
                Some(parent) => depths.get(parent as usize).map(|above| above + 1),
            };
            let Some(depth) = depth.filter(|depth| *depth <= MAX_DEPTH) else {
                return false;
            };
            depths.push(depth);
            let are_children = node.split.as_ref().is_none_or(|split| {
                let [below, above] = &split.sides;
                below.end == above.start && self.are_below(Some(number), &(below.start..above.end))
            });
            if !are_children {
                return false;
            }
        }
        self.are_below(None, &self.roots)
    }

    /// Whether a range of nodes exists, all with the given parent.
    fn are_below(&self, parent: Option<u32>, range: &Range<u32>) -> bool {
        let nodes = self.nodes.get(range.start as usize..range.end as usize);
        nodes.is_some_and(|nodes| nodes.iter().all(|node| node.parent == parent))
    }
}

fn write_range(out: &mut Vec<u8>, range: &Range<u32>) {
    out.extend(range.start.to_le_bytes());
    out.extend(range.end.to_le_bytes());
}

fn read_range(reader: &mut ByteReader) -> Result<Range<u32>, Malformed> {
    Ok(reader.u32()?..reader.u32()?)
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

    fn write(&self, out: &mut Vec<u8>) {
        write_count(out, self.triangles);
        for corner in self.bounds.corners() {
            write_f64s(out, &corner.to_array());
        }
        write_f64s(out, &[self.volume]);
        out.extend(self.parent.unwrap_or(NONE).to_le_bytes());
        out.push(u8::from(self.split.is_some()));
        if let Some(split) = &self.split {
            split.plane.write(out);
            split.sides.iter().for_each(|side| write_range(out, side));
        }
    }

    fn read(reader: &mut ByteReader) -> Result<Self, Malformed> {
        Ok(Self {
            triangles: reader.u32()? as usize,
            bounds: Aabb {
                min: DVec3::from_array(reader.f64s()?),
                max: DVec3::from_array(reader.f64s()?),
            },
            volume: reader.f64()?,
            parent: Some(reader.u32()?).filter(|parent| *parent != NONE),
            split: match reader.u8()? {
                0 => None,
                _ => Some(NodeSplit {
                    plane: Plane::read(reader)?,
                    sides: [read_range(reader)?, read_range(reader)?],
                }),
            },
        })
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
