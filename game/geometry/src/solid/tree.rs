//! A bounding-volume tree over triangles, whose leaves are runs of the triangle array.

use glam::Vec3;

const LEAF: usize = 4;

/// A box and the run of triangles in it. The left child of an inner node is the next node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub low: Vec3,
    pub high: Vec3,
    pub first: u32,
    pub count: u32,
    /// The right child, or 0 for a leaf.
    pub right: u32,
}

/// Nodes in depth-first order; the first is the root.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Builds the tree and puts `order` into the order of its leaves. Splits at the median centre
    /// along the longest side of the centres' box.
    pub fn build(order: &mut [u32], corners: impl Fn(u32) -> [Vec3; 3]) -> Self {
        let mut items: Vec<Item> = order
            .iter()
            .map(|&triangle| {
                let [a, b, c] = corners(triangle);
                let (low, high) = (a.min(b).min(c), a.max(b).max(c));
                Item {
                    triangle,
                    low,
                    high,
                }
            })
            .collect();
        let mut nodes = Vec::with_capacity(items.len() / 2 + 1);
        split(&mut nodes, &mut items, 0);
        for (slot, item) in order.iter_mut().zip(&items) {
            *slot = item.triangle;
        }
        Self { nodes }
    }

    pub fn root(&self) -> &Node {
        self.node(0)
    }

    pub fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    pub fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }
}

struct Item {
    triangle: u32,
    low: Vec3,
    high: Vec3,
}

impl Item {
    fn middle(&self) -> Vec3 {
        self.low + self.high // twice the middle: only compared
    }
}

fn split(nodes: &mut Vec<Node>, items: &mut [Item], first: u32) {
    let at = nodes.len();
    let far = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = items
        .iter()
        .fold(far, |(low, high), i| (low.min(i.low), high.max(i.high)));
    nodes.push(Node {
        low,
        high,
        first,
        count: items.len() as u32,
        right: 0,
    });
    if items.len() <= LEAF {
        items.sort_unstable_by_key(|item| item.triangle);
        return;
    }
    let (low, high) = items.iter().fold(far, |(low, high), i| {
        let middle = i.middle();
        (low.min(middle), high.max(middle))
    });
    let axis = (high - low).max_position();
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |a, b| {
        let (x, y) = (a.middle()[axis], b.middle()[axis]);
        x.total_cmp(&y).then(a.triangle.cmp(&b.triangle))
    });
    let (left, right) = items.split_at_mut(half);
    split(nodes, left, first);
    nodes[at].right = nodes.len() as u32;
    split(nodes, right, first + half as u32);
}
