//! Components to groups of cells: what joins before there are pieces.

use crate::fracture::active_cells::UNAFFECTED;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::elements::CutSolid;
use crate::fracture::islands::slivers::root;
use crate::mesh::mass::MassAccumulator;
use glam::DVec3;

/// The group of what is in no group: it is beside no cut.
const NONE: u32 = u32::MAX;

/// A part of a cell beside a cut, and the group that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupAssignment {
    /// The cell.
    pub cell: u32,
    /// The part's centre of mass, metres: it tells the parts of one cell from each other.
    pub center: DVec3,
    /// The group.
    pub group: u32,
}

/// Gives components their groups and joins those of one group where they meet.
pub struct GroupAssigner<'a> {
    pub parts: &'a CutSolid<'a>,
    pub components: &'a Components,
    pub members: &'a [GroupAssignment],
    pub sums: &'a [MassAccumulator],
}

impl GroupAssigner<'_> {
    /// The group of each component; [`NONE`] for what lies in no affected cell.
    pub fn groups(&self, out: &mut Vec<u32>) {
        out.clear();
        out.extend((0..self.components.count()).map(|component| self.group(component)));
    }

    fn group(&self, component: u32) -> u32 {
        let slot = self.components.owner(self.parts, component);
        if slot == UNAFFECTED {
            return NONE;
        }
        let cell = self.parts.slots.cell(slot);
        let start = self.members.partition_point(|member| member.cell < cell);
        let own = self.members.iter().skip(start);
        let own = own.take_while(|member| member.cell == cell);
        let sum = self
            .sums
            .get(component as usize)
            .copied()
            .unwrap_or_default();
        let center = sum.mass(self.parts.solid.origin()).center;
        let distance = |member: &&GroupAssignment| member.center.distance_squared(center);
        let nearest = own.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(NONE, |member| member.group)
    }
}

/// Joins components across caps: those of one group, and what is in no group with what it touches.
/// What has joined others gets the group of the largest.
pub fn join_groups(
    groups: &mut [u32],
    sums: &[MassAccumulator],
    caps: &[(u32, u32, f64)],
    joined: &mut [u32],
    volumes: &mut [f64],
) {
    let group = |component: u32| groups.get(component as usize).copied().unwrap_or(NONE);
    for &(one, other, _) in caps {
        let (a, b) = (group(one), group(other));
        if a != b && a != NONE && b != NONE {
            continue;
        }
        let (one, other) = (root(joined, one), root(joined, other));
        let (into, from) = (one.min(other), one.max(other));
        if into != from {
            joined[from as usize] = into;
            volumes[into as usize] += volumes[from as usize];
        }
    }
    let mut largest = vec![(f64::NEG_INFINITY, NONE); groups.len()];
    for (component, (group, sum)) in groups.iter().zip(sums).enumerate() {
        let best = &mut largest[root(joined, component as u32) as usize];
        if *group != NONE && sum.volume() > best.0 {
            *best = (sum.volume(), *group);
        }
    }
    for (group, (_, largest)) in groups.iter_mut().zip(largest) {
        *group = largest;
    }
}
