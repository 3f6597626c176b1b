//! Equilibrium of a building: bodies as rigid nodes on the bonds between them.
//!
//! A bond is a bed of springs over its area, as between the nodes of one body (Kawai 1978). A loose bond carries
//! pressure only: its bed is nine springs at the places and with the weights of Simpson's rule, which has the area and
//! the second moments of a rectangle, and those that would be pulled are left out: which ones is found by block principal
//! pivoting (Judice and Pires 1994). All nodes hang on springs to the
//! ground that are too soft to carry anything, so that there is always an equilibrium: a node that they carry falls.
//!
//! Of a large building only the part around a change is solved: at its border are nodes that stay where they were.

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
const MAX_ROUNDS: usize = 200;

/// Equilibria in which all springs of loose bonds that are on the wrong side change it at once although they do not become
/// fewer; then one at a time does, until they are.
const PATIENCE: usize = 8;

/// Stiffness of the soft springs, in parts of the stiffest bond.
const SOFTNESS: f64 = 1e-10;

/// Share of a node's weight from which on it falls when soft springs carry it: of a node that tips over they carry as
/// much as its centre is out of the edge, in parts of its height.
const FALLING_SHARE: f64 = 1e-3;

/// Forces that may be out of balance at a node, in parts of its weight and load. What is left over at the whole building
/// would be no measure: a node that falls has a large share in it.
const TOLERANCE: f64 = 1e-4;

/// Iterations in which all nodes are to be balanced.
const MOST_ITERATIONS: usize = 400;

/// Weight and load that count for this at least, in parts of the mean of all nodes.
const LEAST_LOADED: f64 = 0.1;

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
    /// Where it was found before, from which the search begins; zero of one that is new.
    pub displacement: Displacement,
    /// Whether it stays there.
    pub stays: bool,
}

/// A displacement and a turn of a node, in springs of stiffness one per metre: a bond of area `A` and length `h` has the
/// stiffness `A / h`.
pub(crate) type Displacement = [f64; 6];

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
    /// By node.
    pub displacements: Vec<Displacement>,
}

/// Places and weights of Simpson's rule on a line of half length one.
const SIMPSON: [(f64, f64); 3] = [(-1.0, 1.0 / 6.0), (0.0, 4.0 / 6.0), (1.0, 1.0 / 6.0)];

/// Springs of a loose bond.
const POINTS: usize = 9;

/// The springs and loads of the nodes that can move, by row.
struct Parts {
    springs: Vec<Spring>,
    loads: Vec<Vector6>,
}

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
    let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
    for _ in 0..MAX_ROUNDS {
        if !building.find_displacements() {
            return None;
        }
        let wrong = building.wrong_springs();
        let Some(last) = wrong.last() else {
            break;
        };
        if wrong.len() < fewest {
            (fewest, patience) = (wrong.len(), PATIENCE);
        } else {
            patience = patience.saturating_sub(1);
        }
        building.turn(if patience > 0 {
            &wrong
        } else {
            std::slice::from_ref(last)
        });
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
            displacements: nodes.iter().map(|node| node.displacement).collect(),
            nodes,
            bonds,
        }
    }

    /// Finds the displacements under weight and loads; whether there are any.
    fn find_displacements(&mut self) -> bool {
        let (rows, order) = self.rows();
        let of_row = |row: &u32| self.nodes.get(*row as usize);
        let load = |row| {
            of_row(row).map_or([0.0; 6], |node| {
                vector6(node.weight + node.load, node.moment)
            })
        };
        let mut parts = Parts {
            springs: self.soft_springs(&rows),
            loads: order.iter().map(load).collect(),
        };
        for index in 0..self.bonds.len() {
            self.add_springs(index, &rows, &mut parts);
        }
        let Parts { springs, loads } = parts;
        let system = System::new(order.len(), &springs);
        let start = |row: &u32| self.displacements.get(*row as usize).copied();
        let mut found: Vec<Vector6> = order.iter().filter_map(start).collect();
        let loaded = |node: &BuildingNode| node.weight.length() + node.load.length();
        let mean = self.nodes.iter().map(loaded).sum::<f64>() / self.nodes.len().max(1) as f64;
        let is_balanced = |(row, left): (&u32, &Vector6)| {
            let [force, moment] = halves(left);
            of_row(row).is_none_or(|node| {
                let allowed = TOLERANCE * loaded(node).max(LEAST_LOADED * mean);
                force.length() <= allowed && moment.length() <= allowed * node.size
            })
        };
        let has_converged = system.solve_until(&loads, &mut found, MOST_ITERATIONS, |left, _| {
            order.iter().zip(left).all(is_balanced)
        });
        // Of parts that fall far there may be more left over, by rounding.
        let has_converged = has_converged || system.solve(&loads, &mut found);
        for (node, displacement) in order.iter().zip(found) {
            if let Some(own) = self.displacements.get_mut(*node as usize) {
                *own = displacement;
            }
        }
        has_converged
    }

    /// The matrix row of each node that can move, and the node of each row: the farthest from the ground first.
    fn rows(&self) -> (Vec<Option<u32>>, Vec<u32>) {
        let can_move = |node: &u32| {
            let node = self.nodes.get(*node as usize);
            node.is_some_and(|node| !node.stays)
        };
        let links = self.bonds.iter().filter(|bond| !bond.is_grounded);
        let links: Vec<[u32; 2]> = links.map(|bond| bond.nodes).collect();
        let ground = self
            .bonds
            .iter()
            .filter(|bond| bond.is_grounded)
            .map(|bond| bond.nodes[0]);
        let all = 0..self.nodes.len() as u32;
        let mut order = connectivity::breadth_first(self.nodes.len(), &links, ground.chain(all));
        order.retain(can_move);
        order.reverse();
        let mut rows = vec![None; self.nodes.len()];
        for (row, node) in order.iter().enumerate() {
            if let Some(own) = rows.get_mut(*node as usize) {
                *own = Some(row as u32);
            }
        }
        (rows, order)
    }

    fn soft_springs(&self, rows: &[Option<u32>]) -> Vec<Spring> {
        let nodes = self.nodes.iter().zip(&self.soft).zip(rows);
        let spring = |((node, stiffness), row): ((&BuildingNode, &f64), &Option<u32>)| {
            Some(Spring {
                nodes: [(*row)?; 2],
                grounded: true,
                arms: [DVec3::ZERO; 2],
                linear_stiffness: DMat3::IDENTITY * *stiffness,
                angular_stiffness: DMat3::from_diagonal(DVec3::splat(
                    stiffness * node.size * node.size,
                )),
            })
        };
        nodes.filter_map(spring).collect()
    }

    fn add_springs(&self, index: usize, rows: &[Option<u32>], parts: &mut Parts) {
        let (bond, length) = (&self.bonds[index], self.lengths[index]);
        let arms = |place: DVec3| bond.nodes.map(|node| place - self.center(node));
        if !self.is_loose(index) {
            let arms = arms(bond.face.center);
            let bed = bed(&bond.face, length, bond.nodes, arms, bond.is_grounded);
            self.add_spring(bed, rows, parts);
            return;
        }
        for (point, is_open) in points(&bond.face).zip(&self.open[index]) {
            if !is_open {
                let spring = Spring {
                    nodes: bond.nodes,
                    grounded: bond.is_grounded,
                    arms: arms(bond.face.center + point.place),
                    linear_stiffness: DMat3::IDENTITY * (point.weight * bond.face.area / length),
                    angular_stiffness: DMat3::ZERO,
                };
                self.add_spring(spring, rows, parts);
            }
        }
    }

    /// Adds a spring between nodes. One with a node that stays pulls the other one to where that is.
    fn add_spring(&self, spring: Spring, rows: &[Option<u32>], parts: &mut Parts) {
        let row = |node: u32| rows.get(node as usize).copied().flatten();
        let (nodes, free) = match spring.nodes.map(row) {
            [Some(a), Some(b)] => ([a, b], None),
            [Some(a), None] => ([a; 2], Some((a, 0, 1))),
            [None, Some(b)] => ([b; 2], Some((b, 1, 0))),
            [None, None] => return,
        };
        let Some((row, free, staying)) = free else {
            parts.springs.push(Spring { nodes, ..spring });
            return;
        };
        let arm = spring.arms[free];
        let stays = self.displacements.get(spring.nodes[staying] as usize);
        let [moved, turned] = halves(stays.unwrap_or(&[0.0; 6]));
        let force = spring.linear_stiffness * (moved + turned.cross(spring.arms[staying]));
        let moment = arm.cross(force) + spring.angular_stiffness * turned;
        if let Some(load) = parts.loads.get_mut(row as usize) {
            let values = load.iter_mut().zip(vector6(force, moment));
            values.for_each(|(sum, part)| *sum += part);
        }
        parts.springs.push(Spring {
            nodes,
            grounded: true,
            arms: [arm; 2],
            ..spring
        });
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

    /// The springs of loose bonds that are closed and pulled, or open and pressed: by bond and point.
    fn wrong_springs(&self) -> Vec<(usize, usize)> {
        let mut wrong = Vec::new();
        for (index, bond) in self.bonds.iter().enumerate() {
            if !self.is_loose(index) {
                continue;
            }
            for (k, (point, is_open)) in points(&bond.face).zip(&self.open[index]).enumerate() {
                let opening = self.opening(bond, bond.face.center + point.place);
                if (opening.dot(bond.face.normal) > 0.0) != *is_open {
                    wrong.push((index, k));
                }
            }
        }
        wrong
    }

    /// Opens springs that are closed, and closes those that are open.
    fn turn(&mut self, springs: &[(usize, usize)]) {
        for (bond, point) in springs {
            let open = self.open.get_mut(*bond);
            if let Some(open) = open.and_then(|own| own.get_mut(*point)) {
                *open = !*open;
            }
        }
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
            !node.stays && (*soft * moved).length() > FALLING_SHARE * loaded
        };
        let nodes = self.nodes.iter().zip(&self.soft).zip(&self.displacements);
        BuildingState {
            loads: (0..self.bonds.len())
                .map(|index| self.load(index))
                .collect(),
            falls: nodes.map(falls).collect(),
            displacements: self.displacements.clone(),
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
