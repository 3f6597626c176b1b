//! A bounding-volume hierarchy over triangles, whose leaves are runs of the triangle order.

use crate::math::{ordered_bits, sort_by_key, Aabb};
use crate::steps::{finish, pause};
use glam::{DVec3, Vec3, Vec3Swizzles};
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;

/// Triangles of a leaf; the last one may have fewer.
pub const LEAF: usize = 4;
/// Factor between sizes of nodes at which subtrees are aligned: leaves, clusters, clusters of clusters.
pub const FAN: usize = 8;
/// Triangles of a node below which all is split in one step.
const STEP: usize = 16_384;

/// A box and the run of triangles in it. The left child of an inner node is the next node. Boxes are in
/// single precision, which is exact for vertex positions, to keep nodes small.
#[derive(Clone, Copy, Debug)]
pub struct BvhNode {
    /// Least coordinates.
    pub low: Vec3,
    /// Largest coordinates.
    pub high: Vec3,
    /// The first triangle in the order of the leaves.
    pub first: u32,
    /// The number of triangles.
    pub count: u32,
    /// The right child, or 0 for a leaf.
    pub right: u32,
}

impl BvhNode {
    /// Whether the node has triangles and no children.
    pub fn is_leaf(&self) -> bool {
        self.right == 0
    }

    /// The triangles below the node, as places in the order of the leaves.
    pub fn triangles(&self) -> Range<u32> {
        self.first..self.first + self.count
    }

    /// The node's box.
    pub fn bounds(&self) -> Aabb {
        Aabb {
            min: self.low.as_dvec3(),
            max: self.high.as_dvec3(),
        }
    }
}

/// A hierarchy as nodes in depth-first order; the first is the root.
#[derive(Clone, Debug)]
pub struct Bvh {
    nodes: Vec<BvhNode>,
}

impl Bvh {
    /// Builds a hierarchy over so many triangles, and the order of its leaves. Nodes are split at the
    /// median centre along the longest side of the centres' box.
    pub fn build(triangles: usize, corners: impl Fn(u32) -> [Vec3; 3]) -> (Self, Vec<u32>) {
        finish(Self::in_steps(triangles, corners))
    }

    /// The same, in steps.
    pub async fn in_steps(
        triangles: usize,
        corners: impl Fn(u32) -> [Vec3; 3],
    ) -> (Self, Vec<u32>) {
        let boxes = (0..triangles as u32).map(|t| bounds(corners(t)));
        let mut builder = Builder::new(boxes.collect()).await;
        builder.split_in_steps(0..triangles, 0).await;
        let nodes = builder.nodes;
        (Self { nodes }, builder.order)
    }

    /// The root.
    pub fn root(&self) -> &BvhNode {
        self.node(0)
    }

    /// A node.
    pub fn node(&self, index: u32) -> &BvhNode {
        &self.nodes[index as usize]
    }

    /// Calls back with the triangles of each node that has at most so many, and whose parent has more, as places in the
    /// order of the leaves; in that order.
    pub fn visit_largest(&self, most: usize, mut visit: impl FnMut(Range<u32>)) {
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let node = self.node(index);
            if node.is_leaf() || node.count as usize <= most {
                visit(node.triangles());
            } else {
                stack.extend([node.right, index + 1]);
            }
        }
    }

    /// Calls back with every triangle of the leaves that a ray from a point along +x meets. `stack` is
    /// scratch.
    pub fn query_ray_x(&self, point: DVec3, stack: &mut Vec<u32>, mut visit: impl FnMut(u32)) {
        stack.clear();
        stack.push(0);
        while let Some(index) = stack.pop() {
            let node = self.node(index);
            let (low, high) = (node.low.as_dvec3(), node.high.as_dvec3());
            let is_beside = point.yz().cmplt(low.yz()).any() || point.yz().cmpgt(high.yz()).any();
            if is_beside || point.x > high.x {
                continue;
            }
            if node.is_leaf() {
                node.triangles().for_each(&mut visit);
            } else {
                stack.extend([index + 1, node.right]);
            }
        }
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.nodes.len() * size_of::<BvhNode>()
    }
}

/// The box of a triangle.
fn bounds([a, b, c]: [Vec3; 3]) -> [Vec3; 2] {
    [a.min(b).min(c), a.max(b).max(c)]
}

/// The box around boxes.
fn union(boxes: impl Iterator<Item = [Vec3; 2]>) -> [Vec3; 2] {
    let far = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    boxes.fold(far, |[a, b], [low, high]| [a.min(low), b.max(high)])
}

/// The place at which to split so many triangles: near the middle, and such that every cluster of
/// [`CLUSTER_SIZE`](crate::solid::CLUSTER_SIZE) triangles, every cluster of clusters and so on is a node.
fn aligned_half(count: usize) -> usize {
    let mut unit = LEAF;
    while count >= 2 * FAN * unit {
        unit *= FAN;
    }
    (count + unit) / (2 * unit) * unit
}

/// A hierarchy under construction. Triangles are sorted along each axis once; a split then divides the
/// sorted lists, and finds the median and the box of the centres without a search.
struct Builder {
    nodes: Vec<BvhNode>,
    /// Triangles in the order of the leaves, so far.
    order: Vec<u32>,
    /// By triangle: its box.
    boxes: Vec<[Vec3; 2]>,
    /// By axis: triangles sorted by the centres of their boxes and by number, node by node.
    sorted: [Vec<u32>; 3],
    /// By triangle: whether it is in the right child of the node that is split.
    is_right: Vec<bool>,
    scratch: Vec<u32>,
}

impl Builder {
    async fn new(boxes: Vec<[Vec3; 2]>) -> Self {
        let mut sorted = [const { Vec::new() }; 3];
        for (axis, sorted) in sorted.iter_mut().enumerate() {
            let keys = boxes.iter().map(|own| ordered_bits(center(own)[axis]));
            let keyed = sort_by_key(keys.zip(0..));
            sorted.extend(keyed.iter().map(|pair| *pair as u32));
            pause().await;
        }
        Self {
            nodes: Vec::with_capacity(boxes.len() / 2 + 1),
            order: Vec::with_capacity(boxes.len()),
            sorted,
            is_right: vec![false; boxes.len()],
            scratch: vec![0; boxes.len()],
            boxes,
        }
    }

    /// Adds the nodes over a range of the sorted lists. The list of `axis` has the triangles of a leaf;
    /// only above leaves do all lists have them.
    fn split(&mut self, range: Range<usize>, axis: usize) {
        let at = self.add_node(&range);
        if range.len() <= LEAF {
            let [low, high] = self.add_leaf(&range, axis);
            [self.nodes[at].low, self.nodes[at].high] = [low, high];
            return;
        }
        let (middle, axis) = self.halve(&range);
        self.split(range.start..middle, axis);
        self.nodes[at].right = self.nodes.len() as u32;
        self.split(middle..range.end, axis);
        self.set_bounds(at);
    }

    /// The same, in steps.
    fn split_in_steps(
        &mut self,
        range: Range<usize>,
        axis: usize,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            if range.len() < STEP {
                self.split(range, axis);
                return pause().await;
            }
            let at = self.add_node(&range);
            let (middle, axis) = self.halve(&range);
            pause().await;
            self.split_in_steps(range.start..middle, axis).await;
            self.nodes[at].right = self.nodes.len() as u32;
            self.split_in_steps(middle..range.end, axis).await;
            self.set_bounds(at);
        })
    }

    fn add_node(&mut self, range: &Range<usize>) -> usize {
        self.nodes.push(BvhNode {
            low: Vec3::ZERO,
            high: Vec3::ZERO,
            first: range.start as u32,
            count: range.len() as u32,
            right: 0,
        });
        self.nodes.len() - 1
    }

    /// Divides the sorted lists of a node with children: where, and along which axis.
    fn halve(&mut self, range: &Range<usize>) -> (usize, usize) {
        let axis = self.longest_axis(range);
        let middle = range.start + aligned_half(range.len());
        if range.len() > 2 * LEAF {
            self.divide(range, middle, axis);
        }
        (middle, axis)
    }

    /// Gives a node the box around its children.
    fn set_bounds(&mut self, at: usize) {
        let children = [at + 1, self.nodes[at].right as usize];
        let boxes = children.map(|child| [self.nodes[child].low, self.nodes[child].high]);
        [self.nodes[at].low, self.nodes[at].high] = union(boxes.into_iter());
    }

    /// Adds the triangles of a leaf to the order. Returns their box.
    fn add_leaf(&mut self, range: &Range<usize>, axis: usize) -> [Vec3; 2] {
        let first = self.order.len();
        self.order.extend(&self.sorted[axis][range.clone()]);
        let own = &mut self.order[first..];
        own.sort_unstable();
        union(own.iter().map(|t| self.boxes[*t as usize]))
    }

    /// The axis along which the centres of a range are farthest apart.
    fn longest_axis(&self, range: &Range<usize>) -> usize {
        let lengths = [0, 1, 2].map(|axis| {
            let ends = [range.start, range.end - 1].map(|end| self.sorted[axis][end] as usize);
            let [low, high] = ends.map(|triangle| center(&self.boxes[triangle])[axis]);
            high - low
        });
        Vec3::from(lengths).max_position()
    }

    /// Moves the triangles that stand behind `middle` in the list of `axis` behind it in the others.
    fn divide(&mut self, range: &Range<usize>, middle: usize, axis: usize) {
        let (left, right) = self.sorted[axis][range.clone()].split_at(middle - range.start);
        left.iter().for_each(|t| self.is_right[*t as usize] = false);
        right.iter().for_each(|t| self.is_right[*t as usize] = true);
        for other in [(axis + 1) % 3, (axis + 2) % 3] {
            let list = &mut self.sorted[other][range.clone()];
            let (mut lefts, mut rights) = (0, 0);
            for place in 0..list.len() {
                let triangle = list[place];
                let is_right = self.is_right[triangle as usize];
                list[lefts] = triangle;
                self.scratch[rights] = triangle;
                lefts += usize::from(!is_right);
                rights += usize::from(is_right);
            }
            list[lefts..].copy_from_slice(&self.scratch[..rights]);
        }
    }
}

/// Twice the centre of a box, which serves for comparisons.
fn center([low, high]: &[Vec3; 2]) -> Vec3 {
    *low + *high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small triangle in each cell of a grid.
    fn grid(n: u32) -> Bvh {
        let (bvh, _) = Bvh::build((n * n * n) as usize, |at| {
            let at = Vec3::new((at % n) as f32, (at / n % n) as f32, (at / n / n) as f32);
            [at, at + 0.1 * Vec3::Y, at + 0.1 * Vec3::Z]
        });
        bvh
    }

    #[test]
    fn a_line_meets_its_row_and_not_the_whole() {
        let met = |n: u32| {
            let mut met = 0;
            let point = DVec3::new(-1.0, f64::from(n / 2), f64::from(n / 2));
            grid(n).query_ray_x(point, &mut Vec::new(), |_| met += 1);
            met
        };
        let (few, many) = (met(8), met(32));
        assert!((8..=4 * 8).contains(&few), "{few} of 512");
        assert!((32..=4 * 32).contains(&many), "{many} of 32,768");
    }

    #[test]
    fn nothing_is_met_in_an_empty_tree() {
        let (tree, order) = Bvh::build(0, |_| [Vec3::ZERO; 3]);
        assert!(order.is_empty());
        tree.query_ray_x(DVec3::ZERO, &mut Vec::new(), |_| panic!("a triangle"));
    }
}
