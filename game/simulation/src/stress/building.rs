//! Equilibrium of a building: bodies as rigid nodes on the bonds between them.
//!
//! A bond is a bed of springs over its area, as between the nodes of one body (Kawai 1978). A loose bond carries
//! pressure only: its bed is nine springs at the places and with the weights of Simpson's rule, which has the area and
//! the second moments of a rectangle, and those that would be pulled are left out. All nodes hang on springs to the
//! ground that are too soft to carry anything, so that there is always an equilibrium: a node that they carry falls.

use fracture_geometry::support::AreaProperties;
use glam::{DMat3, DVec3};

use super::block::{halves, vector6, Vector6};
use super::connectivity;
use super::network::bed;
use super::solver::{Spring, System};
use super::strength::{half_axes, stress, Gap, Stress};

/// Overloaded bonds break at once from this share of the worst utilisation on; the others may be relieved by it.
const BREAK_SHARE: f64 = 0.9;

/// Most equilibria found in one solve.
const MAX_ROUNDS: usize = 64;

/// Equilibria after which springs of loose bonds that are open stay open, so that the search ends.
const CLOSING_ROUNDS: usize = 24;

/// Stiffness of the soft springs, in parts of the stiffest bond.
const SOFTNESS: f64 = 1e-10;

/// Share of a node's weight from which on it falls when soft springs carry it: of a node that tips over they carry as
/// much as its centre is out of the edge, in parts of its height.
const FALLING_SHARE: f64 = 1e-3;

/// A body of a building, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BuildingNode {
    /// Centre of mass.
    pub center: DVec3,
    /// N
    pub weight: DVec3,
    /// Force of what rests and hangs on it, N.
    pub load: DVec3,
    /// Moment of that about the centre of mass, N m.
    pub moment: DVec3,
    /// Half the diagonal of its box, metres.
    pub size: f64,
}

/// A bond between two bodies, or between a body and the ground, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BuildingBond {
    /// Two nodes, or one node twice where the second is the ground.
    pub nodes: [u32; 2],
    pub is_grounded: bool,
    /// The normal points from the first to the second.
    pub face: AreaProperties,
    /// Pa: 0 of a loose bond, infinite of one that does not break.
    pub strength: f64,
}

/// Load of a bond.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BondLoad {
    /// On the first node, N.
    pub force: DVec3,
    /// On the first node about the centre of the face, N m.
    pub moment: DVec3,
    /// Stress as a share of the strength; 0 of a loose bond.
    pub utilisation: f64,
    /// Whether it is too much: the bond is loose from now on.
    pub is_broken: bool,
}

impl BondLoad {
    /// The load on the second node.
    pub fn reversed(&self) -> Self {
        Self {
            force: -self.force,
            moment: -self.moment,
            ..*self
        }
    }
}

/// The equilibrium of a building.
#[derive(Default)]
pub(crate) struct BuildingState {
    pub loads: Vec<BondLoad>,
    /// By node: whether nothing carries it.
    pub falls: Vec<bool>,
}

/// Places and weights of Simpson's rule on a line of half length one.
const SIMPSON: [(f64, f64); 3] = [(-1.0, 1.0 / 6.0), (0.0, 4.0 / 6.0), (1.0, 1.0 / 6.0)];

/// Springs of a loose bond.
const POINTS: usize = 9;

/// A building on the way to its equilibrium.
struct Building<'a> {
    nodes: &'a [BuildingNode],
    bonds: &'a [BuildingBond],
    /// By bond: the length of its springs, metres.
    lengths: Vec<f64>,
    /// By node.
    soft: Vec<f64>,
    broken: Vec<bool>,
    /// By bond: the springs that would be pulled. Only of loose bonds.
    open: Vec<[bool; POINTS]>,
    /// By node.
    displacements: Vec<Vector6>,
}

/// Finds the equilibrium of a building, and the bonds that do not bear it. `None` where there is none: nothing can be
/// said then.
pub(crate) fn solve(nodes: &[BuildingNode], bonds: &[BuildingBond]) -> Option<BuildingState> {
    let mut building = Building::new(nodes, bonds);
    for round in 0..MAX_ROUNDS {
        if !building.find_displacements() {
            return None;
        }
        if !building.update_open(round < CLOSING_ROUNDS) {
            break;
        }
    }
    building.mark_overloaded();
    Some(building.state())
}

impl<'a> Building<'a> {
    fn new(nodes: &'a [BuildingNode], bonds: &'a [BuildingBond]) -> Self {
        let center = |node: u32| nodes.get(node as usize).map(|node| node.center);
        let length = |bond: &BuildingBond| {
            let ends = if bond.is_grounded { 1 } else { 2 };
            let ends = bond
                .nodes
                .iter()
                .take(ends)
                .filter_map(|node| center(*node));
            let heights = ends.map(|end| (end - bond.face.center).dot(bond.face.normal).abs());
            heights.sum::<f64>().max(1e-3)
        };
        let lengths: Vec<f64> = bonds.iter().map(length).collect();
        let stiffness = bonds
            .iter()
            .zip(&lengths)
            .map(|(bond, length)| bond.face.area / length);
        let stiffest = stiffness.reduce(f64::max).unwrap_or(1.0);
        let heaviest = nodes
            .iter()
            .map(|node| node.weight.length())
            .fold(f64::MIN_POSITIVE, f64::max);
        let soft = |node: &BuildingNode| SOFTNESS * stiffest * node.weight.length() / heaviest;
        Self {
            lengths,
            soft: nodes.iter().map(soft).collect(),
            broken: vec![false; bonds.len()],
            open: vec![[false; POINTS]; bonds.len()],
            displacements: vec![[0.0; 6]; nodes.len()],
            nodes,
            bonds,
        }
    }

    /// Finds the displacements under weight and loads; whether there are any.
    fn find_displacements(&mut self) -> bool {
        let (rows, order) = self.rows();
        let mut springs = self.soft_springs(&rows);
        for index in 0..self.bonds.len() {
            self.add_springs(index, &rows, &mut springs);
        }
        let system = System::new(order.len(), &springs);
        let of_row = |row: &u32| self.nodes.get(*row as usize);
        let load = |row| {
            of_row(row).map_or([0.0; 6], |node| {
                vector6(node.weight + node.load, node.moment)
            })
        };
        let loads: Vec<Vector6> = order.iter().map(load).collect();
        let start = |row: &u32| self.displacements.get(*row as usize).copied();
        let mut found: Vec<Vector6> = order.iter().filter_map(start).collect();
        let has_converged = system.solve(&loads, &mut found);
        for (node, displacement) in order.iter().zip(found) {
            if let Some(own) = self.displacements.get_mut(*node as usize) {
                *own = displacement;
            }
        }
        has_converged
    }

    /// The matrix row of each node, and the node of each row: the farthest from the ground first.
    fn rows(&self) -> (Vec<u32>, Vec<u32>) {
        let links = self.bonds.iter().filter(|bond| !bond.is_grounded);
        let links: Vec<[u32; 2]> = links.map(|bond| bond.nodes).collect();
        let ground = self
            .bonds
            .iter()
            .filter(|bond| bond.is_grounded)
            .map(|bond| bond.nodes[0]);
        let all = 0..self.nodes.len() as u32;
        let mut order = connectivity::breadth_first(self.nodes.len(), &links, ground.chain(all));
        order.reverse();
        let mut rows = vec![0; self.nodes.len()];
        for (row, node) in order.iter().enumerate() {
            if let Some(own) = rows.get_mut(*node as usize) {
                *own = row as u32;
            }
        }
        (rows, order)
    }

    fn soft_springs(&self, rows: &[u32]) -> Vec<Spring> {
        let nodes = self.nodes.iter().zip(&self.soft).zip(rows);
        let spring = |((node, stiffness), row): ((&BuildingNode, &f64), &u32)| Spring {
            nodes: [*row; 2],
            grounded: true,
            arms: [DVec3::ZERO; 2],
            linear_stiffness: DMat3::IDENTITY * *stiffness,
            angular_stiffness: DMat3::from_diagonal(DVec3::splat(
                stiffness * node.size * node.size,
            )),
        };
        nodes.map(spring).collect()
    }

    fn add_springs(&self, index: usize, rows: &[u32], springs: &mut Vec<Spring>) {
        let (bond, length) = (&self.bonds[index], self.lengths[index]);
        let row = |node: u32| rows.get(node as usize).copied().unwrap_or_default();
        let ends = bond.nodes.map(row);
        let arms = |place: DVec3| bond.nodes.map(|node| place - self.center(node));
        if !self.is_loose(index) {
            springs.push(bed(
                &bond.face,
                length,
                ends,
                arms(bond.face.center),
                bond.is_grounded,
            ));
            return;
        }
        for (point, is_open) in points(&bond.face).zip(&self.open[index]) {
            if !is_open {
                springs.push(Spring {
                    nodes: ends,
                    grounded: bond.is_grounded,
                    arms: arms(bond.face.center + point.place),
                    linear_stiffness: DMat3::IDENTITY * (point.weight * bond.face.area / length),
                    angular_stiffness: DMat3::ZERO,
                });
            }
        }
    }

    fn center(&self, node: u32) -> DVec3 {
        self.nodes
            .get(node as usize)
            .map_or(DVec3::ZERO, |node| node.center)
    }

    /// Displacement of a place on the second side of a bond relative to the first.
    fn opening(&self, bond: &BuildingBond, place: DVec3) -> DVec3 {
        let side = |node: u32| {
            let displacement = self.displacements.get(node as usize);
            let [moved, turned] = halves(displacement.unwrap_or(&[0.0; 6]));
            moved + turned.cross(place - self.center(node))
        };
        let other = if bond.is_grounded {
            DVec3::ZERO
        } else {
            side(bond.nodes[1])
        };
        other - side(bond.nodes[0])
    }

    /// Opens the springs of loose bonds that are pulled, and closes those that are pressed. Returns whether any has
    /// changed.
    fn update_open(&mut self, may_close: bool) -> bool {
        let mut open = std::mem::take(&mut self.open);
        let mut is_changed = false;
        for (index, own) in open
            .iter_mut()
            .enumerate()
            .filter(|(index, _)| self.is_loose(*index))
        {
            let bond = &self.bonds[index];
            let gaps = points(&bond.face).map(|point| {
                self.opening(bond, bond.face.center + point.place)
                    .dot(bond.face.normal)
            });
            for (gap, is_open) in gaps.zip(own) {
                let wanted = gap > 0.0 || (*is_open && !may_close);
                is_changed |= wanted != *is_open;
                *is_open = wanted;
            }
        }
        self.open = open;
        is_changed
    }

    /// Breaks the most overloaded bonds.
    fn mark_overloaded(&mut self) {
        let utilisations = (0..self.bonds.len()).map(|index| self.utilisation(index));
        let utilisations: Vec<f64> = utilisations.collect();
        let worst = utilisations.iter().copied().fold(0.0, f64::max);
        for (broken, utilisation) in self.broken.iter_mut().zip(utilisations) {
            *broken = utilisation > 1.0 && utilisation >= BREAK_SHARE * worst;
        }
    }

    fn utilisation(&self, index: usize) -> f64 {
        let bond = &self.bonds[index];
        if self.is_loose(index) {
            return 0.0;
        }
        self.stress(index).unit_utilisation / bond.strength
    }

    fn stress(&self, index: usize) -> Stress {
        stress(&self.bonds[index].face, &self.gap(index))
    }

    fn is_loose(&self, index: usize) -> bool {
        self.bonds[index].strength <= 0.0
    }

    /// The gap of a bond that is not loose.
    fn gap(&self, index: usize) -> Gap {
        let (bond, length) = (&self.bonds[index], self.lengths[index]);
        let turned = |node: u32| {
            let displacement = self.displacements.get(node as usize);
            halves(displacement.unwrap_or(&[0.0; 6]))[1]
        };
        let other = if bond.is_grounded {
            DVec3::ZERO
        } else {
            turned(bond.nodes[1])
        };
        Gap {
            open: self.opening(bond, bond.face.center) / length,
            turn: (other - turned(bond.nodes[0])) / length,
        }
    }

    fn state(&self) -> BuildingState {
        let falls = |((node, soft), displacement): ((&BuildingNode, &f64), &Vector6)| {
            let [moved, _] = halves(displacement);
            let loaded = node.weight.length() + node.load.length();
            (*soft * moved).length() > FALLING_SHARE * loaded
        };
        let nodes = self.nodes.iter().zip(&self.soft).zip(&self.displacements);
        BuildingState {
            loads: (0..self.bonds.len())
                .map(|index| self.load(index))
                .collect(),
            falls: nodes.map(falls).collect(),
        }
    }

    fn load(&self, index: usize) -> BondLoad {
        let (bond, length) = (&self.bonds[index], self.lengths[index]);
        if !self.is_loose(index) {
            let (face, gap) = (&bond.face, self.gap(index));
            let bending = bed(face, 1.0, [0; 2], [DVec3::ZERO; 2], true).angular_stiffness;
            return BondLoad {
                force: gap.open * face.area,
                moment: bending * gap.turn,
                utilisation: self.utilisation(index),
                is_broken: self.broken[index],
            };
        }
        let mut load = BondLoad::default();
        for (point, is_open) in points(&bond.face).zip(&self.open[index]) {
            if !is_open {
                let stiffness = point.weight * bond.face.area / length;
                let force = stiffness * self.opening(bond, bond.face.center + point.place);
                load.force += force;
                load.moment += point.place.cross(force);
            }
        }
        load
    }
}

/// A spring of a loose bond.
struct BedPoint {
    /// From the centre of the face.
    place: DVec3,
    /// Share of the area.
    weight: f64,
}

fn points(face: &AreaProperties) -> impl Iterator<Item = BedPoint> {
    let [u, v] = half_axes(face);
    SIMPSON.into_iter().flat_map(move |(a, weight)| {
        SIMPSON.into_iter().map(move |(b, other)| BedPoint {
            place: a * u + b * v,
            weight: weight * other,
        })
    })
}

#[cfg(test)]
mod building_tests;
