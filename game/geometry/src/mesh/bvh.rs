//! A bounding-volume tree over triangles, whose leaves are runs of the triangle array.

use crate::math::Aabb;
use glam::{DVec3, Vec3, Vec3Swizzles};
use std::ops::Range;

/// Triangles of a leaf; the last one may have fewer.
const LEAF: usize = 4;
/// How much larger each of these is than the one before: leaves, blocks, blocks of blocks, and so on.
const FAN: usize = 8;

/// A box and the run of triangles in it. The left child of an inner node is the next node.
#[derive(Clone, Copy, Debug)]
pub struct BvhNode {
    pub low: Vec3,
    pub high: Vec3,
    pub first: u32,
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

/// Nodes in depth-first order; the first is the root.
#[derive(Clone, Debug)]
pub struct Bvh {
    nodes: Vec<BvhNode>,
}

impl Bvh {
    /// Builds the tree and puts `order` into the order of its leaves. Splits at the median centre
    /// along the longest side of the centres' box.
    pub fn build(order: &mut [u32], corners: impl Fn(u32) -> [Vec3; 3]) -> Self {
        let item = |&triangle: &u32| {
            let [low, high] = bounds(corners(triangle));
            Item {
                middle: low + high,
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

    pub fn root(&self) -> &BvhNode {
        self.node(0)
    }

    pub fn node(&self, index: u32) -> &BvhNode {
        &self.nodes[index as usize]
    }

    /// Calls back with every triangle whose leaf the line from a point along +x meets. `open` is
    /// scratch.
    pub fn query_ray_x(&self, point: DVec3, open: &mut Vec<u32>, mut visit: impl FnMut(u32)) {
        open.clear();
        open.push(0);
        while let Some(index) = open.pop() {
            let node = self.node(index);
            let (low, high) = (node.low.as_dvec3(), node.high.as_dvec3());
            let beside = point.yz().cmplt(low.yz()).any() || point.yz().cmpgt(high.yz()).any();
            if beside || point.x > high.x {
                continue;
            }
            match node.right {
                0 => (node.first..node.first + node.count).for_each(&mut visit),
                right => open.extend([index + 1, right]),
            }
        }
    }

    pub fn memory(&self) -> usize {
        self.nodes.len() * size_of::<BvhNode>()
    }
}

struct Item {
    /// Twice the middle of its box: only compared.
    middle: Vec3,
    triangle: u32,
}

fn bounds([a, b, c]: [Vec3; 3]) -> [Vec3; 2] {
    [a.min(b).min(c), a.max(b).max(c)]
}

/// The box around boxes.
fn around(boxes: impl Iterator<Item = [Vec3; 2]>) -> [Vec3; 2] {
    let far = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    boxes.fold(far, |[a, b], [low, high]| [a.min(low), b.max(high)])
}

/// Where to divide so many triangles: near the middle, and so that runs of leaves, of [`FAN`] leaves
/// and so on in the order of the triangles are the nodes of the tree.
fn half(count: usize) -> usize {
    let mut unit = LEAF;
    while count >= 2 * FAN * unit {
        unit *= FAN;
    }
    (count + unit) / (2 * unit) * unit
}

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
        [nodes[at].low, nodes[at].high] = around(boxes);
        return;
    }
    let [low, high] = around(items.iter().map(|item| [item.middle; 2]));
    let axis = (high - low).max_position();
    let half = half(items.len());
    items.select_nth_unstable_by(half, |a, b| {
        let (x, y) = (a.middle[axis], b.middle[axis]);
        x.total_cmp(&y).then(a.triangle.cmp(&b.triangle))
    });
    let (left, right) = items.split_at_mut(half);
    split(nodes, left, first, bounds);
    let other = nodes.len();
    split(nodes, right, first + half as u32, bounds);
    let children = [at + 1, other].map(|child| [nodes[child].low, nodes[child].high]);
    [nodes[at].low, nodes[at].high] = around(children.into_iter());
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
