//! A bounding-volume hierarchy over triangles, whose leaves are runs of the triangle order.

use crate::math::Aabb;
use glam::{DVec3, Vec3, Vec3Swizzles};
use std::ops::Range;

/// Triangles of a leaf; the last one may have fewer.
const LEAF: usize = 4;
/// Factor between sizes of nodes at which subtrees are aligned: leaves, clusters, clusters of clusters.
const FAN: usize = 8;

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
    /// Builds a hierarchy and sorts `order` into the order of its leaves. Nodes are split at the median
    /// centre along the longest side of the centres' box.
    pub fn build(order: &mut [u32], corners: impl Fn(u32) -> [Vec3; 3]) -> Self {
        let item = |&triangle: &u32| {
            let [low, high] = bounds(corners(triangle));
            Item {
                center: low + high,
                triangle,
            }
        };
        let mut items: Vec<Item> = order.iter().map(item).collect();
        let mut nodes = Vec::with_capacity(items.len() / 2 + 1);
        split(&mut nodes, &mut items, 0, &|triangle| {
            bounds(corners(triangle))
        });
        for (slot, item) in order.iter_mut().zip(&items) {
            *slot = item.triangle;
        }
        Self { nodes }
    }

    /// The root.
    pub fn root(&self) -> &BvhNode {
        self.node(0)
    }

    /// A node.
    pub fn node(&self, index: u32) -> &BvhNode {
        &self.nodes[index as usize]
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

/// A triangle while the hierarchy is built.
struct Item {
    /// Twice the centre of the triangle's box, which serves for comparisons.
    center: Vec3,
    triangle: u32,
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

/// Adds the nodes over some triangles, and sorts these into leaves.
fn split(
    nodes: &mut Vec<BvhNode>,
    items: &mut [Item],
    first: u32,
    bounds: &impl Fn(u32) -> [Vec3; 2],
) {
    let at = nodes.len();
    nodes.push(BvhNode {
        low: Vec3::ZERO,
        high: Vec3::ZERO,
        first,
        count: items.len() as u32,
        right: 0,
    });
    if items.len() <= LEAF {
        items.sort_unstable_by_key(|item| item.triangle);
        let boxes = items.iter().map(|item| bounds(item.triangle));
        [nodes[at].low, nodes[at].high] = union(boxes);
        return;
    }
    let [low, high] = union(items.iter().map(|item| [item.center; 2]));
    let axis = (high - low).max_position();
    let half = aligned_half(items.len());
    items.select_nth_unstable_by(half, |a, b| {
        let (x, y) = (a.center[axis], b.center[axis]);
        x.total_cmp(&y).then(a.triangle.cmp(&b.triangle))
    });
    let (left, right) = items.split_at_mut(half);
    split(nodes, left, first, bounds);
    let other = nodes.len();
    split(nodes, right, first + half as u32, bounds);
    let children = [at + 1, other].map(|child| [nodes[child].low, nodes[child].high]);
    [nodes[at].low, nodes[at].high] = union(children.into_iter());
    nodes[at].right = other as u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small triangle in each cell of a grid.
    fn grid(n: u32) -> Bvh {
        let mut order: Vec<u32> = (0..n * n * n).collect();
        Bvh::build(&mut order, |at| {
            let at = Vec3::new((at % n) as f32, (at / n % n) as f32, (at / n / n) as f32);
            [at, at + 0.1 * Vec3::Y, at + 0.1 * Vec3::Z]
        })
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
        let tree = Bvh::build(&mut [], |_| [Vec3::ZERO; 3]);
        tree.query_ray_x(DVec3::ZERO, &mut Vec::new(), |_| panic!("a triangle"));
    }
}
