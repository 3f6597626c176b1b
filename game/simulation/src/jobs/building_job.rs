//! The job that finds what the bonds of a building carry.

use std::collections::BTreeSet;

use crate::debris::BodyRef;
use crate::stress::building::{
    solve, BondLoad, BuildingBond, BuildingNode, BuildingState, Displacement,
};
use crate::structure::place_key;
use crate::types::BodyId;

/// A part of a building to be weighed, in any order.
pub(crate) struct BuildingJob {
    /// The bodies in it that have changed.
    pub changed: Vec<BodyId>,
    pub nodes: Vec<(BodyId, BuildingNode)>,
    /// With their bodies.
    pub bonds: Vec<([BodyRef; 2], BuildingBond)>,
}

/// Loads of the bonds of a part of a building.
pub(crate) struct WeighedBuilding {
    /// The bodies in it that have changed.
    pub changed: Vec<BodyId>,
    /// Bodies beside it, which were taken to stay as they were.
    pub border: BTreeSet<BodyId>,
    /// Of its bodies.
    pub displacements: Vec<(BodyId, Displacement)>,
    /// Bonds with their loads, on the first body.
    pub loads: Vec<([BodyRef; 2], BondLoad)>,
    /// Bodies that nothing carries.
    pub falls: Vec<BodyId>,
}

impl BuildingJob {
    /// Weighs the building, in steps.
    pub async fn run(mut self) -> WeighedBuilding {
        self.sort_by_place();
        let (bodies, nodes): (Vec<BodyId>, Vec<BuildingNode>) = self.nodes.into_iter().unzip();
        let (ends, bonds): (Vec<[BodyRef; 2]>, Vec<BuildingBond>) = self.bonds.into_iter().unzip();
        // Where there is no equilibrium nothing is known, and all stays.
        let BuildingState {
            loads,
            falls,
            displacements,
        } = solve(&nodes, &bonds).await.unwrap_or_default();
        let bodies = || bodies.iter().copied();
        let stays = nodes.iter().map(|node| node.stays);
        let border = bodies().zip(stays).filter(|(_, stays)| *stays);
        let border: BTreeSet<BodyId> = border.map(|(body, _)| body).collect();
        let falling = bodies().zip(falls).filter(|(_, falls)| *falls);
        let moved = bodies().zip(displacements);
        WeighedBuilding {
            changed: self.changed,
            falls: falling.map(|(body, _)| body).collect(),
            displacements: moved.filter(|(body, _)| !border.contains(body)).collect(),
            loads: ends.into_iter().zip(loads).collect(),
            border,
        }
    }

    /// Puts nodes and bonds in the order of their places, and of each bond the first node first, unless it is beside the part
    /// that is weighed.
    fn sort_by_place(&mut self) {
        let mut nodes: Vec<(usize, (BodyId, BuildingNode))> =
            self.nodes.drain(..).enumerate().collect();
        nodes.sort_by_cached_key(|(_, (body, node))| (place_key(node.center.as_vec3()), *body));
        let mut new = vec![(0, false); nodes.len()];
        for ((old, (_, node)), index) in nodes.iter().zip(0..) {
            if let Some(new) = new.get_mut(*old) {
                *new = (index, node.stays);
            }
        }
        self.nodes = nodes.into_iter().map(|(_, node)| node).collect();
        let new = |old: u32| new.get(old as usize).copied().unwrap_or_default();
        for (ends, bond) in &mut self.bonds {
            let [(one, _), (other, stays)] = bond.nodes.map(new);
            bond.nodes = [one, other];
            if other < one && !stays {
                bond.nodes.reverse();
                bond.face.normal = -bond.face.normal;
                ends.reverse();
            }
        }
        let place = |bond: &BuildingBond| place_key(bond.face.center.as_vec3());
        self.bonds
            .sort_by_cached_key(|(_, bond)| (bond.nodes[0], place(bond), bond.nodes[1]));
    }
}

#[cfg(test)]
mod tests {
    use fracture_geometry::support::AreaProperties;
    use glam::{DMat3, DVec3};
    use hecs::World;
    use rand::seq::SliceRandom;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    fn point(random: &mut Pcg64Mcg) -> DVec3 {
        // Of few heights, so that the other coordinates count as well.
        DVec3::from_array([1000, 4, 1000].map(|most| f64::from(random.random_range(0..most))))
    }

    fn bond(nodes: [u32; 2], random: &mut Pcg64Mcg) -> BuildingBond {
        BuildingBond {
            nodes,
            is_grounded: nodes[0] == nodes[1],
            face: AreaProperties {
                area: 1.0,
                center: point(random),
                normal: point(random).normalize_or_zero(),
                moments: DMat3::IDENTITY,
            },
            strength: 1.0,
            friction: 0.5,
        }
    }

    /// Nodes in a row, of which the last two stay, with bonds between neighbours and to the ground.
    fn building(random: &mut Pcg64Mcg) -> BuildingJob {
        let mut world = World::new();
        let count = 12;
        let node = |index: u32| {
            let node = BuildingNode {
                center: point(random),
                weight: DVec3::NEG_Y,
                load: DVec3::ZERO,
                moment: DVec3::ZERO,
                size: 1.0,
                displacement: [f64::from(index); 6],
                stays: index + 2 >= count,
            };
            (BodyId(world.spawn(())), node)
        };
        let nodes: Vec<_> = (0..count).map(node).collect();
        let inside = 0..count - 2;
        let pairs = inside.flat_map(|index| [[index, index], [index, index + 1]]);
        let body = |node: u32| BodyRef::Breakable(nodes[node as usize].0);
        let bonds = pairs.map(|pair| (pair.map(body), bond(pair, random)));
        BuildingJob {
            changed: Vec::new(),
            bonds: bonds.collect(),
            nodes,
        }
    }

    #[test]
    fn the_order_in_which_a_building_was_gathered_does_not_show() {
        for seed in 0..20 {
            let random = &mut Pcg64Mcg::seed_from_u64(seed);
            let mut job = building(random);
            let mut order: Vec<u32> = (0..job.nodes.len() as u32).collect();
            order.shuffle(random);
            let place = |node: u32| order.iter().position(|own| *own == node).unwrap() as u32;
            let mut other = BuildingJob {
                changed: Vec::new(),
                nodes: order.iter().map(|node| job.nodes[*node as usize]).collect(),
                bonds: job.bonds.clone(),
            };
            for (ends, bond) in &mut other.bonds {
                let stays = job.nodes[bond.nodes[1] as usize].1.stays;
                bond.nodes = bond.nodes.map(place);
                if !(stays || bond.is_grounded) && random.random_bool(0.5) {
                    bond.nodes.reverse();
                    bond.face.normal = -bond.face.normal;
                    ends.reverse();
                }
            }
            other.bonds.shuffle(random);
            job.sort_by_place();
            other.sort_by_place();
            assert_eq!(job.nodes, other.nodes, "seed {seed}");
            assert!(job.bonds == other.bonds, "seed {seed}");
            let heights = job.nodes.iter().map(|(_, node)| node.center.y);
            assert!(heights.is_sorted(), "seed {seed}");
        }
    }
}
