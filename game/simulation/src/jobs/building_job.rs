//! The job that finds what the bonds of a building carry.

use std::collections::BTreeSet;

use crate::debris::BodyRef;
use crate::stress::building::{
    solve, BondLoad, BuildingBond, BuildingNode, BuildingState, Displacement,
};
use crate::types::BodyId;

/// A part of a building to be weighed.
pub(crate) struct BuildingJob {
    /// The bodies in it that have changed.
    pub changed: Vec<BodyId>,
    /// By node.
    pub bodies: Vec<BodyId>,
    pub nodes: Vec<BuildingNode>,
    pub bonds: Vec<BuildingBond>,
    /// By bond: its bodies.
    pub ends: Vec<[BodyRef; 2]>,
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
    pub async fn run(self) -> WeighedBuilding {
        // Where there is no equilibrium nothing is known, and all stays.
        let BuildingState {
            loads,
            falls,
            displacements,
        } = solve(&self.nodes, &self.bonds).await.unwrap_or_default();
        let bodies = || self.bodies.iter().copied();
        let stays = self.nodes.iter().map(|node| node.stays);
        let border = bodies().zip(stays).filter(|(_, stays)| *stays);
        let border: BTreeSet<BodyId> = border.map(|(body, _)| body).collect();
        let falling = bodies().zip(falls).filter(|(_, falls)| *falls);
        let moved = bodies().zip(displacements);
        WeighedBuilding {
            changed: self.changed,
            falls: falling.map(|(body, _)| body).collect(),
            displacements: moved.filter(|(body, _)| !border.contains(body)).collect(),
            loads: self.ends.into_iter().zip(loads).collect(),
            border,
        }
    }
}
