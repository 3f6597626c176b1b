//! Which sites are nearer to a cell's vertex than the cell's own site.
//!
//! Outer cells have vertices so far out that no shell of near sites settles them. A tree of boxes
//! does: over a box, the most that `|v - s_i|^2 - |v - s|^2` can be is reached where `s` is `v` clamped
//! to the box, and most boxes stay below zero.

/// Sites in a tree of boxes. The left child of an inner node is the next node.
pub struct SiteTree<'a> {
    sites: &'a [[i32; 3]],
    order: Vec<u32>,
    nodes: Vec<Node>,
}

struct Node {
    low: [f64; 3],
    high: [f64; 3],
    first: u32,
    count: u32,
    /// The right child, or 0 for a leaf.
    right: u32,
}

const LEAF: usize = 8;

impl<'a> SiteTree<'a> {
    pub fn new(sites: &'a [[i32; 3]]) -> Self {
        let mut order: Vec<u32> = (0..sites.len() as u32).collect();
        let mut nodes = Vec::with_capacity(sites.len() / 2 + 1);
        split(sites, &mut nodes, &mut order, 0);
        Self {
            sites,
            order,
            nodes,
        }
    }

    /// The sites to try against a vertex `at` (in grid units) of the cell of `own`: the one nearest
    /// to it, if it is surely nearer than `own`; else all that rounding cannot tell from `own`.
    /// Each coordinate of `at` may be off by `off`.
    pub fn nearer(&self, own: u32, at: [f64; 3], off: f64, out: &mut Vec<u32>) {
        let reach = value(at, self.sites[own as usize].map(f64::from));
        // The terms are products of grid units: rounding is far below this.
        let far = at.iter().map(|x| x.abs()).fold(1.0, f64::max);
        let slack = (1e-12 * far + 16.0 * off) * super::GRID_HALF as f64 + 1e-3;
        let mut search = Search {
            tree: self,
            at,
            own,
            least: reach - slack,
            sure: reach + slack,
            out,
        };
        search.visit(0, self.most(0, at));
    }

    /// The most that any point of a node's box can be worth.
    fn most(&self, index: u32, at: [f64; 3]) -> f64 {
        let node = &self.nodes[index as usize];
        let clamped = |axis: usize| at[axis].max(node.low[axis]).min(node.high[axis]);
        value(at, [clamped(0), clamped(1), clamped(2)])
    }
}

/// One descent: keeps what ties with the cell's own site until something surely nearer is found,
/// then only the nearest.
struct Search<'a, 'b> {
    tree: &'a SiteTree<'a>,
    at: [f64; 3],
    own: u32,
    /// Boxes and sites below this are passed over.
    least: f64,
    sure: f64,
    out: &'b mut Vec<u32>,
}

impl Search<'_, '_> {
    fn visit(&mut self, index: u32, most: f64) {
        if most < self.least {
            return;
        }
        let node = &self.tree.nodes[index as usize];
        if node.right == 0 {
            let range = node.first as usize..(node.first + node.count) as usize;
            for &id in &self.tree.order[range] {
                self.look(id);
            }
            return;
        }
        let left = (index + 1, self.tree.most(index + 1, self.at));
        let right = (node.right, self.tree.most(node.right, self.at));
        // The more promising one first: what it finds may spare the other.
        let order = if left.1 >= right.1 {
            [left, right]
        } else {
            [right, left]
        };
        for (child, most) in order {
            self.visit(child, most);
        }
    }

    fn look(&mut self, id: u32) {
        let [x, y, z] = self.tree.sites[id as usize];
        let found = value(self.at, [f64::from(x), f64::from(y), f64::from(z)]);
        if found < self.least || id == self.own {
            return;
        }
        if found > self.sure {
            self.out.clear();
            self.sure = found;
            self.least = found;
        }
        self.out.push(id);
    }
}

/// `|at|^2 - |at - site|^2`: larger for nearer sites.
fn value(at: [f64; 3], site: [f64; 3]) -> f64 {
    let term = |axis: usize| site[axis] * (2.0 * at[axis] - site[axis]);
    term(0) + term(1) + term(2)
}

fn split(sites: &[[i32; 3]], nodes: &mut Vec<Node>, order: &mut [u32], first: u32) {
    let at = nodes.len();
    let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
    for &id in order.iter() {
        for axis in 0..3 {
            let x = f64::from(sites[id as usize][axis]);
            low[axis] = low[axis].min(x);
            high[axis] = high[axis].max(x);
        }
    }
    nodes.push(Node {
        low,
        high,
        first,
        count: order.len() as u32,
        right: 0,
    });
    if order.len() <= LEAF {
        return;
    }
    let side = |axis: &usize| high[*axis] - low[*axis];
    let axis = (0..3)
        .max_by(|a, b| side(a).total_cmp(&side(b)))
        .unwrap_or(0);
    let half = order.len() / 2;
    order.select_nth_unstable_by_key(half, |&id| (sites[id as usize][axis], id));
    let (left, right) = order.split_at_mut(half);
    split(sites, nodes, left, first);
    nodes[at].right = nodes.len() as u32;
    split(sites, nodes, right, first + half as u32);
}
