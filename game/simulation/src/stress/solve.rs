//! What a body's own weight does to it: over-stressed faces break, the rest bears more, until it
//! holds or falls.

use fracture_geometry::{Bond, GroupAssignment, SupportGraph};
use glam::DVec3;

use super::graph::StressGraph;
use super::lattice::Lattice;
use super::network::{Network, NetworkBond};
use crate::pieces::Anchor;

/// Of the faces that bear too much those break at once whose use is this near the worst. The others
/// may be relieved by it.
const TOGETHER: f64 = 0.9;

/// The same at the tip of a crack, where nothing relieves them.
const AT_THE_TIP: f64 = 0.5;

/// Equilibria looked for in one pass; a pass that does not end goes on as another.
const ROUNDS: usize = 48;

/// What is below this share of a cell's volume is a crumb: it does not fall alone.
const CRUMB: f64 = 0.1;

/// Pairs of cells whose faces are broken, ascending.
pub(crate) type BrokenFaces = Vec<[u32; 2]>;

/// A body under its own weight.
pub(crate) struct StressProblem<'a> {
    pub lattice: &'a Lattice,
    pub division: &'a SupportGraph,
    pub anchors: &'a [Anchor],
    pub damage: &'a BrokenFaces,
    /// Tensile strength, Pa, above 0.
    pub strength: f64,
    /// N/m^3, body space.
    pub weight: DVec3,
}

/// What comes of it.
pub(crate) struct StressSolution {
    pub support: StressGraph,
    pub damage: BrokenFaces,
    /// The parts beside a crack, by the component that they belong to; none when nothing separates.
    pub members: Vec<GroupAssignment>,
    /// The same, where what falls has teeth.
    pub teeth: CrackParts,
    /// By component: whether it is held.
    pub held: Vec<bool>,
    /// The middle of the faces that broke, body space.
    pub crack: Option<DVec3>,
}

/// The parts beside a crack once more, those of what falls each in a group of its own: they interlock with what
/// stays, and what is collided with must not reach over them.
#[derive(Default)]
pub(crate) struct CrackParts {
    pub members: Vec<GroupAssignment>,
    /// By group: the component.
    pub components: Vec<u32>,
}

impl StressProblem<'_> {
    /// Looks for the state that lasts.
    pub fn bear(&self) -> StressSolution {
        let mut network = Network::new(self.division, self.lattice, self.anchors);
        for bond in &mut network.bonds {
            bond.broken |= self.damage.binary_search(&sorted(bond.cells)).is_ok();
        }
        let before: Vec<bool> = network.bonds.iter().map(|bond| bond.broken).collect();
        let settled = self.settle(&mut network);
        let (components, held) = network.carry();
        let mut support = network.support(self.strength);
        let fresh = network.bonds.iter().zip(&before);
        let fresh = fresh.filter(|(bond, before)| bond.broken && !**before);
        let cracked: Vec<_> = fresh.map(|(bond, _)| bond).collect();
        support.broken = cracked.len();
        support.settled = settled;
        let mut damage = self.damage.clone();
        damage.extend(cracked.iter().map(|bond| sorted(bond.cells)));
        damage.sort_unstable();
        damage.dedup();
        let area: f64 = cracked.iter().map(|bond| bond.face().area).sum();
        let centers = cracked
            .iter()
            .map(|bond| bond.face().center * bond.face().area);
        let crack = centers.sum::<DVec3>() / area;
        let (members, teeth) = match self.is_worth_it(&components, &held) {
            true => (self.members(&components), self.teeth(&components, &held)),
            false => Default::default(),
        };
        StressSolution {
            support,
            damage,
            members,
            teeth,
            held,
            crack: crack.is_finite().then_some(crack),
        }
    }

    /// Breaks faces until the rest holds; whether it came to that.
    fn settle(&self, network: &mut Network) -> bool {
        let mut at_crack = vec![false; self.division.nodes.len()];
        for _ in 0..ROUNDS {
            if !network.load(self.weight) {
                return true; // nothing more can be told about it
            }
            let whole = network.bonds.iter().filter(|bond| !bond.broken);
            let uses = whole.map(|bond| bond.utilisation(self.strength));
            let worst = uses.fold(0.0, f64::max);
            if worst <= 1.0 {
                return true;
            }
            self.crack(network, worst, &mut at_crack);
        }
        false
    }

    /// Breaks the worst faces, and those beside what broke before in this pass.
    fn crack(&self, network: &mut Network, worst: f64, at_crack: &mut [bool]) {
        let is_tip = |nodes: [u32; 2]| {
            let at = |node: u32| at_crack.get(node as usize) == Some(&true);
            at(nodes[0]) || at(nodes[1])
        };
        let breaks = |bond: &&mut NetworkBond| {
            let share = if is_tip(bond.nodes) {
                AT_THE_TIP
            } else {
                TOGETHER
            };
            !bond.broken && bond.utilisation(self.strength) >= (share * worst).max(1.0)
        };
        let mut touched = Vec::new();
        for bond in network.bonds.iter_mut().filter(breaks) {
            bond.broken = true;
            touched.extend(bond.nodes);
        }
        for node in touched {
            if let Some(at_crack) = at_crack.get_mut(node as usize) {
                *at_crack = true;
            }
        }
    }

    /// Whether more comes apart than crumbs from what is held.
    fn is_worth_it(&self, components: &[u32], held: &[bool]) -> bool {
        let mut volumes = vec![0.0; held.len()];
        for (part, component) in self.division.nodes.iter().zip(components) {
            if let Some(volume) = volumes.get_mut(*component as usize) {
                *volume += part.mass.volume;
            }
        }
        let cell = self.lattice.spacing * self.lattice.spacing * self.lattice.spacing;
        let large = volumes
            .iter()
            .zip(held)
            .filter(|(volume, _)| **volume > CRUMB * cell);
        let large: Vec<bool> = large.map(|(_, held)| *held).collect();
        large.len() > 1 || large == [false]
    }

    fn teeth(&self, components: &[u32], held: &[bool]) -> CrackParts {
        let falls = |component: u32| held.get(component as usize) == Some(&false);
        let mut groups = components.to_vec();
        let mut of_groups: Vec<u32> = (0..held.len() as u32).collect();
        let sides = self.cracked(components).flat_map(|face| face.nodes);
        for part in sides {
            let Some(group) = groups.get_mut(part as usize) else {
                continue;
            };
            // Else it has a group already.
            let component = *group;
            if falls(component) {
                *group = of_groups.len() as u32;
                of_groups.push(component);
            }
        }
        CrackParts {
            members: self.members(&groups),
            components: of_groups,
        }
    }

    /// Faces between two groups of parts.
    fn cracked<'b>(&'b self, groups: &'b [u32]) -> impl Iterator<Item = &'b Bond> + Clone {
        let of = |part: u32| groups.get(part as usize);
        let faces = self.division.bonds.iter();
        faces.filter(move |face| of(face.nodes[0]) != of(face.nodes[1]))
    }

    /// All parts of cells that have a face between two groups.
    fn members(&self, groups: &[u32]) -> Vec<GroupAssignment> {
        let division = self.division;
        let of = |part: u32| groups.get(part as usize).copied();
        let cracked = self.cracked(groups);
        let sides = || {
            cracked.clone().flat_map(|face| {
                face.nodes
                    .into_iter()
                    .zip(face.cells)
                    .map(move |side| (face, side))
            })
        };
        let mut cells: Vec<u32> = sides().map(|(_, (_, cell))| cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let parts = division.nodes.iter().zip(groups);
        let beside = parts.filter(|(part, _)| cells.binary_search(&part.cell).is_ok());
        let own = beside.map(|(part, group)| GroupAssignment {
            cell: part.cell,
            center: part.mass.center,
            group: *group,
        });
        // A sliver belongs to a part of another cell.
        let slivers = sides().filter_map(|(face, (part, cell))| {
            let owner = division.nodes.get(part as usize)?;
            let member = GroupAssignment {
                cell,
                center: face.area.center,
                group: of(part)?,
            };
            (owner.cell != cell).then_some(member)
        });
        own.chain(slivers).collect()
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
