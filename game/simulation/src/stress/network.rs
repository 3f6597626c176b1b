//! The nodes of a support graph as rigid bodies on elastic bonds.
//!
//! A face of area A between sites at a distance h is a bed of springs of stiffness E/h: a force
//! `E A / h` per displacement and a moment `E / h` times the second moments of the face per rotation. On
//! Voronoi cells this carries any even strain exactly, whatever the shapes of the cells (Kawai 1978;
//! Bolander and Saito 1998), with a Poisson's ratio of zero. Stresses under a given load do not
//! depend on E, which is one.

use fracture_geometry::steps::pause;
use fracture_geometry::support::{AreaProperties, SupportGraph, SupportNode, SurfaceInRegion};
use glam::{DMat3, DVec3};

use super::block::{halves, vector6, Vector6};
use super::connectivity;
use super::elimination::{Elimination, MOST_COST};
use super::graph::{StressBond, StressGraph, StressNode};
use super::lattice::Lattice;
use super::load::StressLoad;
use super::relief::FreeBody;
use super::solver::{Spring, System};
use super::strength::{stress, Gap, Stress};
use crate::pieces::Anchor;
use crate::types::square;

/// Faces, and surface in an anchor, below this share of a cell's side squared carry nothing.
const MIN_FACE_AREA: f64 = 1e-3;

/// The region of a support graph in which a body only rests on what holds it. The one before it has the anchors, those
/// that follow have loads.
const LOOSE_SUPPORTS: u32 = 1;

/// Stiffness of a loose support along its face, in parts of that across.
const SLIDING: f64 = 1e-4;

/// Most equilibria until no loose support is pulled.
const LIFTING_ROUNDS: usize = 32;

/// Equilibria after which loose supports that are open stay open, so that the search ends.
const CLOSING_ROUNDS: usize = 16;

/// The nodes of a body, the bonds between them, and those to the ground.
pub(super) struct Network {
    nodes: Vec<Node>,
    pub bonds: Vec<NetworkBond>,
    anchor_bonds: Vec<AnchorBond>,
    /// By node: forces besides its own weight, and their moments about its centre.
    loads: Vec<Vector6>,
    /// By node: forces of inertia of a free body, and their moments about its centre.
    inertia: Vec<Vector6>,
    /// By node.
    displacements: Vec<Vector6>,
    matrix: Matrix,
}

/// The shape of the matrix of a network.
#[derive(Default)]
struct Matrix {
    /// By node: its row; `None` of one that did not move when the matrix was laid out.
    rows: Vec<Option<u32>>,
    elimination: Elimination,
}

struct Node {
    center: DVec3,
    volume: f64,
    /// Whether it lies in an anchor and cannot move.
    fixed: bool,
    /// Whether it is connected with the ground.
    carried: bool,
}

/// An elastic bond between two nodes.
pub(super) struct NetworkBond {
    pub nodes: [u32; 2],
    pub cells: [u32; 2],
    face: AreaProperties,
    /// Distance of the sites, metres.
    length: f64,
    pub broken: bool,
    stress: Stress,
}

/// An elastic bond between a node and the ground: its surface in an anchor.
struct AnchorBond {
    node: u32,
    face: AreaProperties,
    length: f64,
    /// Whether it can only press.
    is_loose: bool,
    /// Whether it is loose and would be pulled.
    is_open: bool,
}

impl Network {
    pub fn new(
        support: &SupportGraph,
        surface: &[SurfaceInRegion],
        lattice: &Lattice,
        anchors: &[Anchor],
    ) -> Self {
        let spacing = lattice.spacing;
        let min_area = MIN_FACE_AREA * spacing * spacing;
        let is_in_anchor = |center: DVec3| {
            let point = center.as_vec3();
            let contains =
                |[a, b]: &Anchor| point.cmpge(a.min(*b)).all() && point.cmple(a.max(*b)).all();
            anchors.iter().any(contains)
        };
        let nodes = support.nodes.iter().map(|node| Node {
            center: node.mass.center,
            volume: node.mass.volume,
            fixed: is_in_anchor(node.mass.center),
            carried: false,
        });
        let nodes: Vec<Node> = nodes.collect();
        let site = |cell: u32| lattice.pattern.site(cell);
        let bonds = support.bonds.iter().map(|bond| NetworkBond {
            nodes: bond.nodes,
            cells: bond.cells,
            face: bond.area,
            length: site(bond.cells[0]).distance(site(bond.cells[1])),
            broken: bond.area.area < min_area,
            stress: Stress::default(),
        });
        let anchored = surface.iter().filter(|own| own.region <= LOOSE_SUPPORTS);
        let anchored = anchored.filter(|anchored| anchored.area.area >= min_area);
        let anchor_bonds = anchored.map(|anchored| AnchorBond {
            node: anchored.node,
            face: anchored.area,
            length: 0.5 * spacing,
            is_loose: anchored.region == LOOSE_SUPPORTS,
            is_open: false,
        });
        Self {
            displacements: vec![[0.0; 6]; nodes.len()],
            loads: vec![[0.0; 6]; nodes.len()],
            inertia: vec![[0.0; 6]; nodes.len()],
            bonds: bonds.filter(|bond| bond.length > 0.0).collect(),
            anchor_bonds: anchor_bonds.collect(),
            matrix: Matrix::default(),
            nodes,
        }
    }

    /// Adds the loads on the surface of the body, each in its region. A load is spread over the nodes there by their
    /// area; without any the nearest node bears it.
    pub fn add_loads(&mut self, surface: &[SurfaceInRegion], loads: &[StressLoad]) {
        for (load, region) in loads.iter().zip(LOOSE_SUPPORTS + 1..) {
            let places = || surface.iter().filter(|own| own.region == region);
            let total: f64 = places().map(|own| own.area.area).sum();
            if total <= 0.0 {
                self.add_to_nearest(load);
                continue;
            }
            let shares = || places().map(|own| (own, own.area.area / total));
            // Forces of equal direction at these places have a moment of their own.
            let spread = shares().map(|(own, share)| (own.area.center - load.center) * share);
            let rest = load.moment - spread.sum::<DVec3>().cross(load.force);
            for (own, share) in shares() {
                let node = own.node as usize;
                let (Some(sum), Some(node)) = (self.loads.get_mut(node), self.nodes.get(node))
                else {
                    continue;
                };
                let moment = (own.area.center - node.center).cross(load.force) + rest;
                let part = vector6(load.force * share, moment * share);
                sum.iter_mut()
                    .zip(part)
                    .for_each(|(sum, part)| *sum += part);
            }
        }
    }

    /// Adds a load to the node whose centre is nearest.
    fn add_to_nearest(&mut self, load: &StressLoad) {
        let distance = |node: &Node| node.center.distance_squared(load.center);
        let nodes = self.nodes.iter().zip(&mut self.loads);
        let nearest = nodes.min_by(|(a, _), (b, _)| distance(a).total_cmp(&distance(b)));
        if let Some((node, sum)) = nearest {
            let moment = load.moment + (load.center - node.center).cross(load.force);
            let part = vector6(load.force, moment);
            sum.iter_mut()
                .zip(part)
                .for_each(|(sum, part)| *sum += part);
        }
    }

    /// Puts the parts of a free body into equilibrium with their inertia.
    pub fn relieve(&mut self, nodes: &[SupportNode], free: &FreeBody) {
        let unbroken = self.bonds.iter().filter(|bond| !bond.broken);
        let unbroken = unbroken.map(|bond| bond.nodes);
        let parts = connectivity::components(self.nodes.len(), unbroken);
        let balance = free.balance(nodes, &parts, &self.loads);
        self.inertia = balance.inertia;
        for node in &mut self.nodes {
            node.fixed = false;
        }
        for fixed in balance.fixed {
            if let Some(node) = self.nodes.get_mut(fixed as usize) {
                node.fixed = true;
            }
        }
    }

    /// Whether a contact presses on a node.
    pub fn is_loaded(&self, node: u32) -> bool {
        let load = self.loads.get(node as usize);
        load.is_some_and(|load| *load != [0.0; 6])
    }

    /// Updates which nodes are carried. Returns the component of each node, by unbroken bonds, and by
    /// component whether it is held.
    pub fn update_carried(&mut self) -> (Vec<u32>, Vec<bool>) {
        let unbroken = self.bonds.iter().filter(|bond| !bond.broken);
        let unbroken = unbroken.map(|bond| bond.nodes);
        let components = connectivity::components(self.nodes.len(), unbroken);
        let count = components.iter().max().map_or(0, |last| *last as usize + 1);
        let mut held = vec![false; count];
        let held_components = self.held_nodes();
        for component in held_components.filter_map(|node| components.get(node as usize)) {
            if let Some(held) = held.get_mut(*component as usize) {
                *held = true;
            }
        }
        for (node, component) in self.nodes.iter_mut().zip(&components) {
            node.carried = held.get(*component as usize) == Some(&true);
        }
        (components, held)
    }

    /// By node, m^3.
    pub fn volumes(&self) -> impl Iterator<Item = f64> + '_ {
        self.nodes.iter().map(|node| node.volume)
    }

    /// Nodes in anchors, and those that rest on something.
    pub fn held_nodes(&self) -> impl Iterator<Item = u32> + '_ {
        let fixed = self.nodes.iter().enumerate().filter(|(_, node)| node.fixed);
        let fixed = fixed.map(|(index, _)| index as u32);
        let closed = self.anchor_bonds.iter().filter(|bond| !bond.is_open);
        fixed.chain(closed.map(|bond| bond.node))
    }

    /// Finds the equilibrium under a weight per volume (N/m^3, body space), and the stress in every bond;
    /// false if there is none, in steps. Loose supports that would be pulled are left out.
    pub async fn solve(&mut self, weight: DVec3, system: &mut System) -> bool {
        for bond in &mut self.anchor_bonds {
            bond.is_open = false;
        }
        for round in 0..LIFTING_ROUNDS {
            if !self.find_displacements(weight, system).await {
                return false;
            }
            if !self.update_open(round < CLOSING_ROUNDS) {
                break;
            }
        }
        self.update_stress();
        true
    }

    /// Opens the loose supports that would be pulled, and closes those that are pressed. Returns whether there were any.
    fn update_open(&mut self, may_close: bool) -> bool {
        let mut has_changed = false;
        for bond in self.anchor_bonds.iter_mut().filter(|bond| bond.is_loose) {
            let node = bond.node as usize;
            let (Some(displacement), Some(node)) =
                (self.displacements.get(node), self.nodes.get(node))
            else {
                continue;
            };
            let [moved, turned] = halves(displacement);
            let place = moved + turned.cross(bond.face.center - node.center);
            let is_lifted = place.dot(bond.face.normal) < 0.0;
            let is_open = is_lifted || (bond.is_open && !may_close);
            has_changed |= is_open != bond.is_open;
            bond.is_open = is_open;
        }
        has_changed
    }

    /// Finds the displacements under a weight per volume; false if there are none.
    async fn find_displacements(&mut self, weight: DVec3, system: &mut System) -> bool {
        self.update_carried();
        self.update_matrix().await;
        let rows = self.rows();
        let count = self.matrix.rows.iter().flatten().count();
        let springs = self.springs(&rows);
        system.assemble(&self.matrix.elimination, &springs).await;
        let mut load = vec![[0.0; 6]; count];
        let mut displacements = vec![[0.0; 6]; count];
        for (node, row) in rows.iter().enumerate() {
            let Some(row) = row.map(|row| row as usize) else {
                continue;
            };
            let own = vector6(weight * self.nodes[node].volume, DVec3::ZERO);
            load[row] =
                std::array::from_fn(|k| own[k] + self.loads[node][k] + self.inertia[node][k]);
            displacements[row] = self.displacements[node];
        }
        pause().await;
        let has_converged = system.solve(&load, &mut displacements).await;
        pause().await;
        for (own, row) in self.displacements.iter_mut().zip(&rows) {
            let row = row.and_then(|row| displacements.get(row as usize));
            *own = row.copied().unwrap_or([0.0; 6]);
        }
        has_converged
    }

    /// Lays the matrix out when nodes move that have no row. Bonds that break since only leave entries empty.
    async fn update_matrix(&mut self) {
        let has_row = |node: usize| self.matrix.rows.get(node).copied().flatten().is_some();
        let mut nodes = self.nodes.iter().enumerate();
        if nodes.all(|(index, node)| !node.moves() || has_row(index)) {
            return;
        }
        let unbroken = self.bonds.iter().filter(|bond| !bond.broken);
        let links: Vec<[u32; 2]> = unbroken.map(|bond| bond.nodes).collect();
        let order = connectivity::breadth_first(self.nodes.len(), &links, self.held_nodes());
        let moves = |node: &&u32| self.nodes.get(**node as usize).is_some_and(Node::moves);
        // The farthest from the ground first.
        let mut rows = vec![None; self.nodes.len()];
        for (row, node) in order.iter().rev().filter(moves).enumerate() {
            if let Some(own) = rows.get_mut(*node as usize) {
                *own = Some(row as u32);
            }
        }
        let row = |node: u32| rows.get(node as usize).copied().flatten();
        let links = links.iter().filter_map(|[a, b]| Some([row(*a)?, row(*b)?]));
        let count = rows.iter().flatten().count();
        let elimination = Elimination::new(count, links, MOST_COST).await;
        self.matrix = Matrix { rows, elimination };
    }

    /// By node: its row in the matrix, if it can move.
    fn rows(&self) -> Vec<Option<u32>> {
        let rows = self.nodes.iter().zip(&self.matrix.rows);
        rows.map(|(node, row)| row.filter(|_| node.moves()))
            .collect()
    }

    fn springs(&self, rows: &[Option<u32>]) -> Vec<Spring> {
        let row = |node: u32| rows.get(node as usize).copied().flatten();
        let center = |node: u32| {
            self.nodes
                .get(node as usize)
                .map_or(DVec3::ZERO, |n| n.center)
        };
        let between = |bond: &NetworkBond| {
            let [a, b] = bond.nodes;
            let arms = [a, b].map(|node| bond.face.center - center(node));
            let (ends, arms, grounded) = match (row(a), row(b)) {
                (Some(a), Some(b)) => ([a, b], arms, false),
                (Some(a), None) => ([a, a], arms, true),
                (None, Some(b)) => ([b, b], [arms[1], arms[0]], true),
                (None, None) => return None,
            };
            Some(bed(&bond.face, bond.length, ends, arms, grounded))
        };
        let to_ground = |bond: &AnchorBond| {
            let own = row(bond.node)?;
            let arm = bond.face.center - center(bond.node);
            let bed = bed(&bond.face, bond.length, [own; 2], [arm; 2], true);
            Some(if bond.is_loose {
                rest(bed, &bond.face)
            } else {
                bed
            })
        };
        let bonds = self.bonds.iter().filter(|bond| !bond.broken);
        let bonds = bonds.filter_map(between);
        let closed = self.anchor_bonds.iter().filter(|bond| !bond.is_open);
        bonds.chain(closed.filter_map(to_ground)).collect()
    }

    /// Updates the stress in every bond from the displacements.
    fn update_stress(&mut self) {
        let displacement = |node: u32| {
            let displacement = self.displacements.get(node as usize);
            halves(displacement.unwrap_or(&[0.0; 6]))
        };
        let nodes = &self.nodes;
        for bond in &mut self.bonds {
            let [a, b] = bond.nodes;
            let ([moved_a, turned_a], [moved_b, turned_b]) = (displacement(a), displacement(b));
            let (Some(node_a), Some(node_b)) = (nodes.get(a as usize), nodes.get(b as usize))
            else {
                continue;
            };
            let center = bond.face.center;
            let side_a = moved_a + turned_a.cross(center - node_a.center);
            let side_b = moved_b + turned_b.cross(center - node_b.center);
            let gap = Gap {
                open: (side_b - side_a) / bond.length,
                turn: (turned_b - turned_a) / bond.length,
            };
            bond.stress = if node_a.carried && node_b.carried && !bond.broken {
                stress(&bond.face, &gap)
            } else {
                Stress::default()
            };
        }
    }

    /// The graph for the host, for the tensile strengths of bonds in Pa.
    pub fn graph(&self, strength: impl Fn(&NetworkBond) -> f64) -> StressGraph {
        let held: Vec<u32> = self.held_nodes().collect();
        let node = |(index, node): (usize, &Node)| StressNode {
            center: node.center.as_vec3(),
            volume: node.volume,
            anchored: held.contains(&(index as u32)),
            carried: node.carried,
        };
        let bond = |bond: &NetworkBond| StressBond {
            nodes: bond.nodes,
            center: bond.face.center.as_vec3(),
            normal: bond.face.normal.as_vec3(),
            area: bond.face.area as f32,
            tension: bond.stress.tension as f32,
            shear: bond.stress.shear as f32,
            utilisation: bond.utilisation(strength(bond)) as f32,
            broken: bond.broken,
        };
        StressGraph {
            nodes: self.nodes.iter().enumerate().map(node).collect(),
            bonds: self.bonds.iter().map(bond).collect(),
            ..StressGraph::default()
        }
    }
}

impl Node {
    /// Whether it can move and is carried.
    fn moves(&self) -> bool {
        self.carried && !self.fixed
    }
}

impl NetworkBond {
    /// Stress as a share of a tensile strength in Pa.
    pub fn utilisation(&self, strength: f64) -> f64 {
        self.stress.unit_utilisation / strength
    }

    /// Share of a tensile strength (Pa) that the pull across the bond is; below zero all of it is pressed.
    pub fn pull(&self, strength: f64) -> f64 {
        self.stress.tension / strength
    }

    /// Area and centre.
    pub fn face(&self) -> &AreaProperties {
        &self.face
    }
}

/// The bed of springs of a face.
pub(super) fn bed(
    face: &AreaProperties,
    length: f64,
    nodes: [u32; 2],
    arms: [DVec3; 2],
    grounded: bool,
) -> Spring {
    Spring {
        nodes,
        grounded,
        arms,
        coupling: DMat3::ZERO,
        linear_stiffness: DMat3::IDENTITY * (face.area / length),
        angular_stiffness: bending(face) * (1.0 / length),
    }
}

/// Moment of the bed of springs of a face per rotation, for springs of length one.
pub(super) fn bending(face: &AreaProperties) -> DMat3 {
    let m = face.moments;
    let trace = m.x_axis.x + m.y_axis.y + m.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - m
}

/// The spring of a support that only presses: it turns, and hardly holds along the face, so that a beam on two of them
/// spreads as it bends.
fn rest(bed: Spring, face: &AreaProperties) -> Spring {
    let n = face.normal;
    let across = square(n);
    let along = DMat3::IDENTITY - across;
    Spring {
        linear_stiffness: (across + along * SLIDING) * bed.linear_stiffness,
        angular_stiffness: DMat3::ZERO,
        ..bed
    }
}
