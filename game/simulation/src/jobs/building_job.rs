//! The job that finds what the bonds of a building carry.

use crate::debris::BodyRef;
use crate::stress::building::{solve, BondLoad, BuildingBond, BuildingNode, BuildingState};
use crate::types::BodyId;

/// A building to be weighed.
pub(crate) struct BuildingJob {
    /// By node.
    pub bodies: Vec<BodyId>,
    pub nodes: Vec<BuildingNode>,
    pub bonds: Vec<BuildingBond>,
    /// By bond: its bodies.
    pub ends: Vec<[BodyRef; 2]>,
}

/// Loads of the bonds of a building.
pub(crate) struct WeighedBuilding {
    pub bodies: Vec<BodyId>,
    /// Bonds with their loads, on the first body.
    pub loads: Vec<([BodyRef; 2], BondLoad)>,
    /// Bodies that nothing carries.
    pub falls: Vec<BodyId>,
}

impl BuildingJob {
    pub fn run(self) -> WeighedBuilding {
        // Where there is no equilibrium nothing is known, and all stays.
        let state = solve(&self.nodes, &self.bonds);
        let BuildingState { loads, falls } = state.unwrap_or_default();
        let falling = self.bodies.iter().zip(falls).filter(|(_, falls)| *falls);
        WeighedBuilding {
            loads: self.ends.into_iter().zip(loads).collect(),
            falls: falling.map(|(body, _)| *body).collect(),
            bodies: self.bodies,
        }
    }
}
