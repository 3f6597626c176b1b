//! Necks: sections by which parts of a body hang that are smaller than its material lets them be.
//!
//! A part hangs by the least area of bonds that parts it from the ground: a minimal cut (Ford and Fulkerson 1956). Nodes
//! are looked at from the ground outwards. One that as much flows to as through a neck is firm, as the ground is: no
//! smaller cut can part the two. So each flow is found within a few bonds of its node.

use super::connectivity;
use super::network::{Network, NetworkBond};

/// Largest area of a neck in parts of a side of a cube of what hangs by it. What hangs by more is no thicker than its neck.
const MAX_SHARE: f64 = 0.4;

/// Share of a bond's area below which nothing more flows through it.
const ROUNDING: f64 = 1e-9;

/// Breaks all bonds of the sections smaller than a neck (m^2) by which parts of the body hang.
pub(super) fn snap_necks(network: &mut Network, neck: f64) {
    let mut sections = Sections::new(network);
    for node in from_the_ground(network) {
        let Some(part) = sections.hanging_at(node, neck) else {
            continue;
        };
        let side = libm::cbrt(part.iter().map(|node| sections.volumes[*node]).sum());
        let section = sections.around(&part);
        let area: f64 = section.iter().map(|bond| sections.ways[*bond].area).sum();
        if area > MAX_SHARE * side * side {
            sections.is_firm[node] = true;
            continue;
        }
        for bond in section {
            sections.ways[bond].area = 0.0;
            network.bonds[bond].broken = true;
        }
    }
}

/// The nodes that are held, and those connected with them, the nearest first.
fn from_the_ground(network: &Network) -> Vec<usize> {
    let unbroken = network.bonds.iter().filter(|bond| !bond.broken);
    let links: Vec<[u32; 2]> = unbroken.map(|bond| bond.nodes).collect();
    let count = network.volumes().count();
    let order = connectivity::breadth_first(count, &links, network.held_nodes());
    order.into_iter().map(|node| node as usize).collect()
}

/// The bonds of a network as ways from its ground to its nodes.
struct Sections {
    /// By bond.
    ways: Vec<Way>,
    /// By node: its bonds.
    bonds_of: Vec<Vec<usize>>,
    /// By node, m^3.
    volumes: Vec<f64>,
    /// By node: whether it is known to hang by no neck.
    is_firm: Vec<bool>,
}

/// A bond, through which as much may flow as it has area.
struct Way {
    nodes: [usize; 2],
    /// m^2; 0 where it is broken.
    area: f64,
    /// From its first node to the second, m^2.
    flow: f64,
}

impl Way {
    fn new(bond: &NetworkBond) -> Self {
        Self {
            nodes: bond.nodes.map(|node| node as usize),
            area: if bond.broken { 0.0 } else { bond.face().area },
            flow: 0.0,
        }
    }

    /// 1 where it leads to a node, -1 where it comes from there.
    fn direction(&self, node: usize) -> f64 {
        if self.nodes[1] == node {
            1.0
        } else {
            -1.0
        }
    }

    /// How much more may flow to one of its nodes, m^2.
    fn room_to(&self, node: usize) -> f64 {
        let room = self.area - self.flow * self.direction(node);
        if room > ROUNDING * self.area {
            room
        } else {
            0.0
        }
    }

    fn other(&self, node: usize) -> usize {
        let [a, b] = self.nodes;
        if a == node {
            b
        } else {
            a
        }
    }
}

impl Sections {
    fn new(network: &Network) -> Self {
        let ways: Vec<Way> = network.bonds.iter().map(Way::new).collect();
        let volumes: Vec<f64> = network.volumes().collect();
        let mut bonds_of = vec![Vec::new(); volumes.len()];
        for (bond, way) in ways.iter().enumerate() {
            way.nodes.iter().for_each(|node| bonds_of[*node].push(bond));
        }
        let mut is_firm = vec![false; volumes.len()];
        network
            .held_nodes()
            .for_each(|node| is_firm[node as usize] = true);
        Self {
            ways,
            bonds_of,
            volumes,
            is_firm,
        }
    }

    /// The nodes that a neck parts from the ground, with a node and its neighbours: these are looked at together, because
    /// the bonds of a single node may be less than a neck. `None` where the node is firm, or found to be.
    fn hanging_at(&mut self, node: usize, neck: f64) -> Option<Vec<usize>> {
        if self.is_firm[node] {
            return None;
        }
        let own = self.bonds_of[node].iter().map(|bond| &self.ways[*bond]);
        let neighbors = own.filter(|way| way.area > 0.0).map(|way| way.other(node));
        let mut ends = vec![node];
        ends.extend(neighbors.filter(|end| !self.is_firm[*end]));
        ends.sort_unstable();
        ends.dedup();
        if self.area_from_firm(&ends) >= neck {
            self.is_firm[node] = true;
            return None;
        }
        self.ways.iter_mut().for_each(|way| way.flow = 0.0);
        let mut flow = 0.0;
        while flow < neck {
            match self.path_to(&ends) {
                Ok(path) => flow += self.send(&path),
                Err(part) => return Some(part),
            }
        }
        self.is_firm[node] = true;
        None
    }

    /// Area of the bonds of some nodes with firm ones, m^2: so much flows at least. Mostly that tells.
    fn area_from_firm(&self, ends: &[usize]) -> f64 {
        let ways = |end: &usize| {
            let own = self.bonds_of[*end].iter().map(|bond| &self.ways[*bond]);
            own.filter(|way| self.is_firm[way.other(*end)])
                .map(|way| way.area)
                .sum::<f64>()
        };
        ends.iter().map(ways).sum()
    }

    /// A path from a firm node to one of the ends along which more may flow: its bonds, each with the node to which it leads.
    /// Where there is none, the nodes from which more may flow to the ends.
    fn path_to(&self, ends: &[usize]) -> Result<Vec<(usize, usize)>, Vec<usize>> {
        // By node: the next bond on the way to an end, and the node to which that leads.
        let mut next = vec![None; self.volumes.len()];
        let mut found = ends.to_vec();
        let mut is_found = vec![false; self.volumes.len()];
        ends.iter().for_each(|end| is_found[*end] = true);
        let mut at = 0;
        while let Some(&node) = found.get(at) {
            at += 1;
            for &bond in &self.bonds_of[node] {
                let from = self.ways[bond].other(node);
                if is_found[from] || self.ways[bond].room_to(node) == 0.0 {
                    continue;
                }
                is_found[from] = true;
                next[from] = Some((bond, node));
                if self.is_firm[from] {
                    let path = std::iter::successors(next[from], |(_, node)| next[*node]);
                    return Ok(path.collect());
                }
                found.push(from);
            }
        }
        Err(found)
    }

    /// Lets as much flow along a path as may, and returns how much, m^2.
    fn send(&mut self, path: &[(usize, usize)]) -> f64 {
        let rooms = path.iter().map(|(bond, to)| self.ways[*bond].room_to(*to));
        let room = rooms.fold(f64::INFINITY, f64::min);
        for (bond, to) in path {
            let way = &mut self.ways[*bond];
            way.flow += room * way.direction(*to);
        }
        room
    }

    /// The unbroken bonds between some nodes and all others.
    fn around(&self, part: &[usize]) -> Vec<usize> {
        let mut is_part = vec![false; self.volumes.len()];
        part.iter().for_each(|node| is_part[*node] = true);
        let parts = |way: &Way| way.area > 0.0 && is_part[way.nodes[0]] != is_part[way.nodes[1]];
        let bonds = self.ways.iter().enumerate();
        bonds
            .filter(|(_, way)| parts(way))
            .map(|(bond, _)| bond)
            .collect()
    }
}
