//! Equilibrium of a building: bodies as rigid nodes on the bonds between them.
//!
//! A bond is a bed of springs over its area, as between the nodes of one body (Kawai 1978). A loose bond carries pressure,
//! and friction as far as that allows: its bed is nine springs at the places and with the weights of Simpson's rule, which
//! has the area and the second moments of a rectangle. All nodes hang on springs to the ground that are too soft to carry
//! anything, so that there is always an equilibrium: a node that they carry falls.
//!
//! Of a large building only the part around a change is solved: at its border are nodes that stay where they were.

use fracture_geometry::steps::pause;
use fracture_geometry::support::AreaProperties;
use glam::{DMat3, DVec3};

use self::contact::{Contact, Slope};
use super::block::{cross_matrix, halves, Vector6};
use super::connectivity;
use super::elimination::{Elimination, MOST_COST};
use super::network::{bed, bending};
use super::solver::{Spring, System};
use super::strength::{stress, Gap};

/// Overloaded bonds break at once from this share of the worst utilisation at their nodes on.
const BREAK_SHARE: f64 = 0.9;

/// Stiffness of the soft springs of the heaviest node, in parts of the stiffest bond.
const SOFTNESS: f64 = 1e-9;

/// Iterations with an incomplete factor that a complete one may cost where a bond is loose: the matrix is solved again and
/// again then, and nodes that fall need several hundreds each time.
const LOOSE_COST: usize = 300;

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

impl BuildingNode {
    /// Weight and load, N.
    fn loaded(&self) -> f64 {
        self.weight.length() + self.load.length()
    }

    fn was_displaced(&self) -> bool {
        self.displacement != Displacement::default()
    }
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
    /// Coefficient of Coulomb friction of a loose bond.
    pub friction: f64,
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
    /// By bond; none where nodes fall before there is an equilibrium.
    pub loads: Vec<BondLoad>,
    /// By node: whether nothing carries it.
    pub falls: Vec<bool>,
    /// By node; none where nodes fall before there is an equilibrium.
    pub displacements: Vec<Displacement>,
}

/// A building on the way to its equilibrium.
struct Building<'a> {
    nodes: &'a [BuildingNode],
    bonds: &'a [BuildingBond],
    /// By bond: the length of its springs, metres.
    lengths: Vec<f64>,
    /// By bond: its springs; none of one that is not loose.
    contacts: Vec<Vec<Contact>>,
    /// By node, and last of the ground: the part of the building that it is in, which bonds join that are not loose.
    parts: Vec<u32>,
    /// By node: stiffness of its soft spring.
    soft: Vec<f64>,
    /// By node: its row in the matrix, if it can move.
    rows: Vec<Option<u32>>,
    /// By row: its node.
    order: Vec<u32>,
    elimination: Elimination,
    system: System,
    /// By node.
    displacements: Vec<Vector6>,
}

/// Displacement of the second side of a bond relative to the first.
struct Opening {
    /// At the centre of its face.
    moved: DVec3,
    turned: DVec3,
}

impl Opening {
    /// At a place from the centre of the face.
    fn at(&self, place: DVec3) -> DVec3 {
        self.moved + self.turned.cross(place)
    }
}

/// The end of a search.
enum Found {
    /// Displacements under which all forces are balanced.
    Balance,
    /// Nodes that fall, before the others are balanced.
    Falling,
    Nothing,
}

/// Finds the equilibrium of a building, and the bonds that do not bear it, in steps. `None` where there is none: nothing
/// can be said then.
pub(crate) async fn solve(nodes: &[BuildingNode], bonds: &[BuildingBond]) -> Option<BuildingState> {
    let mut building = Building::new(nodes, bonds).await;
    pause().await;
    match building.find_equilibrium().await {
        Found::Balance => Some(building.state()),
        Found::Falling => Some(BuildingState {
            falls: building.falling(),
            ..BuildingState::default()
        }),
        Found::Nothing => None,
    }
}

impl<'a> Building<'a> {
    async fn new(nodes: &'a [BuildingNode], bonds: &'a [BuildingBond]) -> Self {
        let lengths: Vec<f64> = bonds.iter().map(|bond| length(nodes, bond)).collect();
        let stiffness = bonds.iter().zip(&lengths);
        let stiffness = stiffness.map(|(bond, length)| bond.face.area / length);
        let stiffest = stiffness.reduce(f64::max).unwrap_or(1.0);
        let weights = nodes.iter().map(|node| node.weight.length());
        let heaviest = weights.fold(f64::MIN_POSITIVE, f64::max);
        let soft = |node: &BuildingNode| SOFTNESS * stiffest * node.weight.length() / heaviest;
        let all = total_load(nodes);
        let contacts = |(bond, length): (&BuildingBond, &f64)| {
            if bond.strength > 0.0 {
                return Vec::new();
            }
            Contact::of_face(&bond.face, bond.face.area / length, bond.friction * all)
        };
        let (rows, order) = Self::rows(nodes, bonds);
        let row = |node: u32| rows.get(node as usize).copied().flatten();
        let links = bonds.iter().filter(|bond| !bond.is_grounded);
        let links = links.filter_map(|bond| Some([row(bond.nodes[0])?, row(bond.nodes[1])?]));
        let is_loose = bonds.iter().any(|bond| bond.strength <= 0.0);
        let most_cost = if is_loose { LOOSE_COST } else { MOST_COST };
        pause().await;
        let elimination = Elimination::new(order.len(), links, most_cost).await;
        Self {
            contacts: bonds.iter().zip(&lengths).map(contacts).collect(),
            soft: nodes.iter().map(soft).collect(),
            parts: Self::parts(nodes.len(), bonds),
            elimination,
            system: System::default(),
            displacements: Self::displacements_before(nodes),
            rows,
            order,
            lengths,
            nodes,
            bonds,
        }
    }

    /// By node: where it was found before.
    fn displacements_before(nodes: &[BuildingNode]) -> Vec<Vector6> {
        nodes.iter().map(|node| node.displacement).collect()
    }

    /// By node, and last of the ground: the part of a building that it is in, which bonds join that are not loose.
    fn parts(count: usize, bonds: &[BuildingBond]) -> Vec<u32> {
        let joints = bonds.iter().filter(|bond| bond.strength > 0.0);
        let ends = |bond: &BuildingBond| match bond.is_grounded {
            true => [bond.nodes[0], count as u32],
            false => bond.nodes,
        };
        connectivity::components(count + 1, joints.map(ends))
    }

    /// The matrix row of each node that can move, and the node of each row: the farthest from the ground first.
    fn rows(nodes: &[BuildingNode], bonds: &[BuildingBond]) -> (Vec<Option<u32>>, Vec<u32>) {
        let can_move = |node: &u32| nodes.get(*node as usize).is_some_and(|node| !node.stays);
        let links = bonds.iter().filter(|bond| !bond.is_grounded);
        let links: Vec<[u32; 2]> = links.map(|bond| bond.nodes).collect();
        let ground = bonds
            .iter()
            .filter(|bond| bond.is_grounded)
            .map(|bond| bond.nodes[0]);
        let all = 0..nodes.len() as u32;
        let mut order = connectivity::breadth_first(nodes.len(), &links, ground.chain(all));
        order.retain(can_move);
        order.reverse();
        let mut rows = vec![None; nodes.len()];
        for (row, node) in order.iter().enumerate() {
            if let Some(own) = rows.get_mut(*node as usize) {
                *own = Some(row as u32);
            }
        }
        (rows, order)
    }

    /// The springs of all nodes and bonds between the rows of a matrix, as stiff as they are now.
    fn springs(&self, slope: Slope) -> Vec<Spring> {
        let nodes = self.nodes.iter().zip(&self.soft).zip(&self.rows);
        let soft = |((node, stiffness), row): ((&BuildingNode, &f64), &Option<u32>)| {
            Some(Spring {
                nodes: [(*row)?; 2],
                grounded: true,
                arms: [DVec3::ZERO; 2],
                linear_stiffness: DMat3::IDENTITY * *stiffness,
                coupling: DMat3::ZERO,
                angular_stiffness: DMat3::IDENTITY * (stiffness * node.size * node.size),
            })
        };
        let soft = nodes.filter_map(soft);
        let bonds = (0..self.bonds.len()).map(|index| self.bond_spring(index, slope));
        soft.chain(bonds.filter_map(|spring| self.of_rows(spring)))
            .collect()
    }

    /// The springs of a bond as one.
    fn bond_spring(&self, index: usize, slope: Slope) -> Spring {
        let (bond, length) = (&self.bonds[index], self.lengths[index]);
        let arms = bond.nodes.map(|node| bond.face.center - self.center(node));
        let bed = bed(&bond.face, length, bond.nodes, arms, bond.is_grounded);
        if !self.is_loose(index) {
            return bed;
        }
        let opening = self.opening(bond);
        let nothing = Spring {
            linear_stiffness: DMat3::ZERO,
            coupling: DMat3::ZERO,
            angular_stiffness: DMat3::ZERO,
            ..bed
        };
        self.contacts[index]
            .iter()
            .fold(nothing, |mut sum, contact| {
                let stiffness = contact.stiffness_at(opening.at(contact.place), slope);
                let arm = cross_matrix(contact.place);
                sum.linear_stiffness += stiffness;
                sum.coupling -= stiffness * arm;
                sum.angular_stiffness -= arm * stiffness * arm;
                sum
            })
    }

    /// A spring between nodes as one between rows. A node that stays is ground.
    fn of_rows(&self, spring: Spring) -> Option<Spring> {
        let row = |node: u32| self.rows.get(node as usize).copied().flatten();
        let grounded = |row, arm| Spring {
            nodes: [row; 2],
            grounded: true,
            arms: [arm; 2],
            ..spring
        };
        match spring.nodes.map(row) {
            [Some(a), Some(b)] => Some(Spring {
                nodes: [a, b],
                ..spring
            }),
            [Some(a), None] => Some(grounded(a, spring.arms[0])),
            [None, Some(b)] => Some(grounded(b, spring.arms[1])),
            [None, None] => None,
        }
    }

    fn center(&self, node: u32) -> DVec3 {
        let node = self.nodes.get(node as usize);
        node.map_or(DVec3::ZERO, |node| node.center)
    }

    fn opening(&self, bond: &BuildingBond) -> Opening {
        let side = |node: u32| {
            let [moved, turned] = self.displacement(node);
            let arm = bond.face.center - self.center(node);
            [moved + turned.cross(arm), turned]
        };
        let [moved, turned] = side(bond.nodes[0]);
        let [other_moved, other_turned] = if bond.is_grounded {
            [DVec3::ZERO; 2]
        } else {
            side(bond.nodes[1])
        };
        Opening {
            moved: other_moved - moved,
            turned: other_turned - turned,
        }
    }

    fn displacement(&self, node: u32) -> [DVec3; 2] {
        let displacement = self.displacements.get(node as usize);
        halves(displacement.unwrap_or(&[0.0; 6]))
    }

    fn is_loose(&self, index: usize) -> bool {
        self.bonds[index].strength <= 0.0
    }

    /// The gap of a bond that is not loose.
    fn gap(&self, index: usize) -> Gap {
        let opening = self.opening(&self.bonds[index]);
        let length = self.lengths[index];
        Gap {
            open: opening.moved / length,
            turn: opening.turned / length,
        }
    }

    /// Force and moment about the centre of its face with which a bond acts on its first node.
    fn force(&self, index: usize) -> [DVec3; 2] {
        let bond = &self.bonds[index];
        if !self.is_loose(index) {
            let (face, gap) = (&bond.face, self.gap(index));
            return [gap.open * face.area, bending(face) * gap.turn];
        }
        let opening = self.opening(bond);
        let (mut force, mut moment) = (DVec3::ZERO, DVec3::ZERO);
        for contact in &self.contacts[index] {
            let own = contact.force(opening.at(contact.place));
            force += own;
            moment += contact.place.cross(own);
        }
        [force, moment]
    }

    fn state(&self) -> BuildingState {
        BuildingState {
            loads: self.loads(),
            falls: self.falls(),
            displacements: self.displacements.clone(),
        }
    }

    /// The loads of the bonds. Of the overloaded ones those break that are about the worst of their nodes: the others may be
    /// relieved by it.
    fn loads(&self) -> Vec<BondLoad> {
        let all = 0..self.bonds.len();
        let utilisations: Vec<f64> = all.clone().map(|index| self.utilisation(index)).collect();
        let mut worst = vec![0.0_f64; self.nodes.len()];
        for (bond, utilisation) in self.bonds.iter().zip(&utilisations) {
            for node in bond.nodes {
                if let Some(worst) = worst.get_mut(node as usize) {
                    *worst = worst.max(*utilisation);
                }
            }
        }
        let load = |(index, utilisation): (usize, f64)| {
            let [force, moment] = self.force(index);
            let ends = self.bonds[index].nodes.into_iter();
            let worst = ends.filter_map(|node| worst.get(node as usize).copied());
            let least = BREAK_SHARE * worst.fold(0.0, f64::max);
            BondLoad {
                force,
                moment,
                utilisation,
                is_broken: utilisation > 1.0 && utilisation >= least,
            }
        };
        all.zip(utilisations).map(load).collect()
    }

    fn worst_utilisation(&self) -> f64 {
        let all = 0..self.bonds.len();
        all.map(|index| self.utilisation(index)).fold(0.0, f64::max)
    }

    fn utilisation(&self, index: usize) -> f64 {
        let bond = &self.bonds[index];
        if self.is_loose(index) {
            return 0.0;
        }
        stress(&bond.face, &self.gap(index)).unit_utilisation / bond.strength
    }
}

/// Length of the springs of a bond: as far as the centres of its nodes are from it.
fn length(nodes: &[BuildingNode], bond: &BuildingBond) -> f64 {
    let ends = if bond.is_grounded { 1 } else { 2 };
    let ends = bond.nodes.iter().take(ends);
    let ends = ends.filter_map(|node| nodes.get(*node as usize));
    let heights = ends.map(|node| (node.center - bond.face.center).dot(bond.face.normal).abs());
    heights.sum::<f64>().max(1e-3)
}

/// Sum of the weights and loads of nodes, N.
fn total_load(nodes: &[BuildingNode]) -> f64 {
    nodes.iter().map(BuildingNode::loaded).sum()
}

/// Mean of the weights and loads of nodes, N.
fn mean_load(nodes: &[BuildingNode]) -> f64 {
    total_load(nodes) / nodes.len().max(1) as f64
}

#[cfg(test)]
mod building_tests;
mod contact;
mod equilibrium;
mod falling;
