//! Progressive failure: the most overloaded bonds break, the others bear more, until the body holds or
//! parts of it fall.

use fracture_geometry::steps::pause;
use fracture_geometry::support::{Groups, SupportGraph, SurfaceInRegion};
use fracture_geometry::Weakness;
use glam::DVec3;

use super::graph::{StressGraph, StressPeak};
use super::lattice::Lattice;
use super::load::StressLoad;
use super::necks::snap_necks;
use super::network::{Network, NetworkBond};
use super::relief::FreeBody;
use super::solver::System;
use crate::pieces::{Anchor, LooseCrack};

/// Overloaded bonds break at once from this share of the worst utilisation on; the others may be relieved
/// by it.
const BREAK_SHARE: f64 = 0.9;

/// The same share at the tip of a crack, where nothing relieves bonds.
const BREAK_SHARE_AT_TIP: f64 = 0.5;

/// Most equilibria found in one solve; a solve that does not end continues as another job.
const MAX_ROUNDS: usize = 48;

/// Share of a cell's volume below which a component does not fall alone.
const MIN_FALLING_VOLUME: f64 = 0.1;

/// Volume in those of a cell below which a part of a free body is not torn further: a landing makes some seven large
/// parts at most, and small rubble stays as it is.
const LEAST_TORN_CELLS: f64 = 30.0;

/// Broken bonds of a stress lattice, as pairs of cells, ascending.
pub type BrokenBonds = Vec<[u32; 2]>;

/// A body under its own weight, or a free one under what stops it.
pub(crate) struct StressProblem<'a> {
    pub lattice: &'a Lattice,
    pub support: &'a SupportGraph,
    /// Of the anchors, of the loose supports, and then of each load.
    pub surface: &'a [SurfaceInRegion],
    pub anchors: &'a [Anchor],
    pub broken_bonds: &'a BrokenBonds,
    /// Tensile strength, Pa, above 0.
    pub strength: f64,
    /// Where it has less of it.
    pub weakness: Option<&'a Weakness>,
    /// Section by less than which parts do not hang, m^2.
    pub neck: f64,
    /// N/m^3, body space.
    pub weight: DVec3,
    pub loads: &'a [StressLoad],
    /// kg/m^3
    pub density: f64,
    /// Angular velocity of a body that nothing holds, rad/s, body space; `None` of a held one.
    pub spin: Option<DVec3>,
}

/// The state in which the body holds, and the components that separate.
pub(crate) struct StressSolution {
    pub graph: StressGraph,
    pub broken_bonds: BrokenBonds,
    /// The components, of which the largest stays undivided; empty when nothing separates.
    pub components: Groups,
    pub crack_parts: CrackParts,
    /// By component.
    held: Vec<bool>,
    /// By component: the crack of a part that falls and that stands on nothing.
    loose_cracks: Vec<Option<LooseCrack>>,
    /// The middle of the bonds that broke, body space.
    pub crack_center: Option<DVec3>,
    /// Whether nothing holds the body, and it is in equilibrium with its inertia.
    pub is_free: bool,
}

/// The parts beside a crack, grouped a second time: each falling part gets a group of its own, so that its
/// collider is built alone. The two sides interlock, and one hull over all falling parts would overlap
/// the side that stays: the pieces would jam instead of falling apart.
#[derive(Default)]
pub(crate) struct CrackParts {
    pub groups: Groups,
    /// By group: the component.
    pub components: Vec<u32>,
}

impl StressSolution {
    /// The state of a body that nothing holds: it falls as it is.
    pub fn unheld(broken_bonds: BrokenBonds) -> Self {
        Self {
            graph: StressGraph {
                settled: true,
                ..StressGraph::default()
            },
            broken_bonds,
            components: Groups::default(),
            crack_parts: CrackParts::default(),
            held: Vec::new(),
            loose_cracks: Vec::new(),
            crack_center: None,
            is_free: false,
        }
    }

    /// The state of a body whose parts beside the crack belong to components, of which some are held.
    #[cfg(test)]
    pub fn of_groups(groups: Groups, held: Vec<bool>) -> Self {
        let crack_parts = CrackParts {
            groups: groups.clone(),
            components: (0..held.len() as u32).collect(),
        };
        Self {
            components: groups,
            crack_parts,
            held,
            ..Self::unheld(BrokenBonds::new())
        }
    }

    /// Whether a cut along the crack separates components.
    pub fn separates(&self) -> bool {
        !self.components.is_empty()
    }

    /// Whether any part of the body is held.
    pub fn is_held_at_all(&self) -> bool {
        self.held.contains(&true)
    }

    /// The crack of a component that falls and that stands on nothing.
    pub fn loose_crack(&self, component: u32) -> Option<LooseCrack> {
        self.loose_cracks.get(component as usize)?.clone()
    }

    /// Whether a component is held. Without a cut there are no components, and the body falls.
    pub fn is_held(&self, component: u32) -> Option<bool> {
        if self.separates() {
            self.held.get(component as usize).copied()
        } else {
            Some(false)
        }
    }
}

impl StressProblem<'_> {
    /// Finds the state that lasts, in steps.
    pub async fn solve(&self, system: &mut System) -> StressSolution {
        let mut network = Network::new(self.support, self.surface, self.lattice, self.anchors);
        network.add_loads(self.surface, self.loads);
        for bond in &mut network.bonds {
            bond.broken |= self.broken_bonds.binary_search(&sorted(bond.cells)).is_ok();
        }
        let broken_before: Vec<bool> = network.bonds.iter().map(|bond| bond.broken).collect();
        if self.neck > 0.0 {
            snap_necks(&mut network, self.neck);
        }
        let mut peak = None;
        let settled = self.settle(&mut network, &mut peak, system).await;
        let (components, mut held) = network.update_carried();
        if self.spin.is_some() {
            held.fill(false);
        }
        let bonds = network.bonds.iter().zip(&broken_before);
        let newly_broken = bonds.filter(|(bond, before)| bond.broken && !**before);
        let newly_broken: Vec<&NetworkBond> = newly_broken.map(|(bond, _)| bond).collect();
        let graph = StressGraph {
            broken: newly_broken.len(),
            settled,
            peak,
            ..network.graph(|bond| self.strength_of(bond))
        };
        let mut broken_bonds = self.broken_bonds.clone();
        broken_bonds.extend(newly_broken.iter().map(|bond| sorted(bond.cells)));
        broken_bonds.sort_unstable();
        broken_bonds.dedup();
        let loose_cracks = self.loose_cracks(&components, &held);
        let (components, crack_parts) = self.parted(&components, &held);
        StressSolution {
            graph,
            broken_bonds,
            components,
            crack_parts,
            loose_cracks,
            held,
            crack_center: center(&newly_broken),
            is_free: self.spin.is_some(),
        }
    }

    /// Breaks bonds until the rest holds; whether it came to that. Gives the most used bond before any broke.
    async fn settle(
        &self,
        network: &mut Network,
        peak: &mut Option<StressPeak>,
        system: &mut System,
    ) -> bool {
        let mut at_crack = vec![false; self.support.nodes.len()];
        let least_volume = LEAST_TORN_CELLS * self.cell_volume();
        let free = self.spin.map(|spin| FreeBody {
            density: self.density,
            spin,
            least_volume,
        });
        for _ in 0..MAX_ROUNDS {
            if let Some(free) = &free {
                network.relieve(&self.support.nodes, free);
            }
            if !network.solve(self.weight, system).await {
                return true; // no equilibrium: no statement about the stress is possible
            }
            let worst = self.most_used(network);
            let utilisation = worst.map_or(0.0, |(_, utilisation)| utilisation);
            *peak = peak.or(worst.map(|(bond, utilisation)| StressPeak {
                center: bond.face().center.as_vec3(),
                utilisation: utilisation as f32,
            }));
            if utilisation <= 1.0 {
                return true;
            }
            self.break_bonds(network, utilisation, &mut at_crack);
            pause().await;
        }
        false
    }

    /// The most used of the unbroken bonds.
    fn most_used<'n>(&self, network: &'n Network) -> Option<(&'n NetworkBond, f64)> {
        let unbroken = network.bonds.iter().filter(|bond| !bond.broken);
        let used = unbroken.map(|bond| (bond, self.utilisation(network, bond)));
        used.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The tensile strength of a bond, Pa. That of a brittle material grows with the root of the energy of a crack (Griffith
    /// 1921).
    fn strength_of(&self, bond: &NetworkBond) -> f64 {
        let weakness = self
            .weakness
            .map_or(0.0, |weakness| weakness.at(bond.face().center));
        self.strength * (1.0 - weakness).sqrt()
    }

    /// How much of its strength a bond bears. What lands is crushed where it lands, which takes little off it: there only a
    /// pull counts.
    fn utilisation(&self, network: &Network, bond: &NetworkBond) -> f64 {
        let strength = self.strength_of(bond);
        let own = bond.utilisation(strength);
        let is_loaded = |node: u32| network.is_loaded(node);
        if self.spin.is_some() && bond.nodes.into_iter().any(is_loaded) {
            own.min(bond.pull(strength)).max(0.0)
        } else {
            own
        }
    }

    /// Breaks the worst bonds, and overloaded ones beside bonds that broke before in this solve.
    fn break_bonds(&self, network: &mut Network, worst: f64, at_crack: &mut [bool]) {
        let is_at_tip = |nodes: [u32; 2]| {
            let is_at_crack = |node: u32| at_crack.get(node as usize) == Some(&true);
            is_at_crack(nodes[0]) || is_at_crack(nodes[1])
        };
        let breaks = |bond: &NetworkBond, utilisation: f64| {
            let share = if is_at_tip(bond.nodes) {
                BREAK_SHARE_AT_TIP
            } else {
                BREAK_SHARE
            };
            !bond.broken && utilisation >= (share * worst).max(1.0)
        };
        let used = network.bonds.iter().map(|bond| {
            let utilisation = self.utilisation(network, bond);
            breaks(bond, utilisation)
        });
        let breaking: Vec<bool> = used.collect();
        let mut touched = Vec::new();
        let bonds = network.bonds.iter_mut().zip(breaking);
        for (bond, _) in bonds.filter(|(_, breaks)| *breaks) {
            bond.broken = true;
            touched.extend(bond.nodes);
        }
        for node in touched {
            if let Some(at_crack) = at_crack.get_mut(node as usize) {
                *at_crack = true;
            }
        }
    }

    /// The volumes of so many components, m^3.
    fn volumes(&self, components: &[u32], count: usize) -> Vec<f64> {
        let mut volumes = vec![0.0; count];
        for (node, component) in self.support.nodes.iter().zip(components) {
            if let Some(volume) = volumes.get_mut(*component as usize) {
                *volume += node.mass.volume;
            }
        }
        volumes
    }

    /// The components that separate, and their parts beside the crack; both empty if it is not worth it.
    fn parted(&self, components: &[u32], held: &[bool]) -> (Groups, CrackParts) {
        let volumes = self.volumes(components, held.len());
        if !self.is_worth_separating(&volumes, held) {
            return Default::default();
        }
        let largest = (0..).zip(&volumes).max_by(|(_, a), (_, b)| a.total_cmp(b));
        let largest = largest.map(|(component, _)| component);
        let groups = self.support.groups(components, largest);
        (groups, self.crack_parts(components, held))
    }

    /// Whether more than small crumbs separate from the held components.
    fn is_worth_separating(&self, volumes: &[f64], held: &[bool]) -> bool {
        let cell = self.cell_volume();
        let large = volumes
            .iter()
            .zip(held)
            .filter(|(volume, _)| **volume > MIN_FALLING_VOLUME * cell);
        let large_is_held: Vec<bool> = large.map(|(_, held)| *held).collect();
        large_is_held.len() > 1 || (large_is_held == [false] && self.spin.is_none())
    }

    /// Mean volume of a cell of the lattice, m^3.
    fn cell_volume(&self) -> f64 {
        self.lattice.spacing * self.lattice.spacing * self.lattice.spacing
    }

    fn crack_parts(&self, components: &[u32], held: &[bool]) -> CrackParts {
        let falls = |component: u32| held.get(component as usize) == Some(&false);
        let mut groups = components.to_vec();
        let mut component_of: Vec<u32> = (0..held.len() as u32).collect();
        let sides = self
            .support
            .bonds_between(components)
            .flat_map(|bond| bond.nodes);
        for node in sides {
            let Some(group) = groups.get_mut(node as usize) else {
                continue;
            };
            // The component, unless the node has a group of its own already; those count as held.
            let component = *group;
            if falls(component) {
                *group = component_of.len() as u32;
                component_of.push(component);
            }
        }
        CrackParts {
            groups: self.support.groups(&groups, None),
            components: component_of,
        }
    }
}

/// The centre of the area of bonds; `None` without area.
fn center(bonds: &[&NetworkBond]) -> Option<DVec3> {
    let faces = || bonds.iter().map(|bond| bond.face());
    let area: f64 = faces().map(|face| face.area).sum();
    let moment: DVec3 = faces().map(|face| face.center * face.area).sum();
    let center = moment / area;
    center.is_finite().then_some(center)
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
