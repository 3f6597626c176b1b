//! A solid cut into groups of cells: only the faces between two groups are cut, and leave a trace.

use super::join::Components;
use super::parts::Parts;
use super::placed::{Affected, Cut};
use super::slivers::root;
use super::slots::REST;
use super::workspace::{Serial, Workspace};
use super::{frame::Frame, pieces::Fracture, take_apart, with_lists, write};
use crate::error::FractureError;
use crate::mass::Tetrahedra;
use crate::pattern::Pattern;
use crate::placement::Placement;
use crate::solid::Solid;
use glam::DVec3;

/// The group of what is in no group: it is beside no cut.
const NONE: u32 = u32::MAX;

/// A part of a cell beside a cut, and the group that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The cell.
    pub cell: u32,
    /// The part's centre of mass, metres: it tells the parts of one cell from each other.
    pub center: DVec3,
    /// The group.
    pub group: u32,
}

/// A solid in groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Separation {
    /// The pieces, all of them islands, largest first, and the areas between them.
    pub fracture: Fracture,
    /// The group of each piece. A group that does not hang together has several pieces.
    pub groups: Vec<u32>,
}

impl Separation {
    /// Cuts a solid along the faces where two groups of a [`Division`](super::Division)'s parts meet.
    ///
    /// `members` are all parts of every cell that has such a face. Everything else joins what it
    /// hangs together with, without a seam.
    ///
    /// # Errors
    /// As [`fracture`](super::fracture).
    pub fn new(
        solid: &Solid,
        pattern: &Pattern,
        placement: Placement,
        members: &[Member],
        workspace: &mut Workspace,
    ) -> Result<Self, FractureError> {
        let cut = Cut {
            placement,
            affected: Affected::All,
        };
        let frame = Frame::new(solid, pattern, &cut)?;
        let mut members = members.to_vec();
        members.sort_by_key(|member| member.cell);
        members.retain(|member| (member.cell as usize) < pattern.cell_count());
        let workspaces = std::slice::from_mut(workspace);
        with_lists(&Serial, workspaces, |team, lists| {
            lists.made.slots.fill(members.iter().map(|m| m.cell));
            let report = take_apart(&frame, team, lists)?;
            let fracture = write(&frame, team, lists, &members, report)?;
            let groups = lists.groups.groups_of_pieces();
            Ok(Self { fracture, groups })
        })
    }
}

/// Gives components their groups and joins those of one group where they meet.
pub(super) struct Regroup<'a> {
    pub parts: &'a Parts<'a>,
    pub components: &'a Components,
    pub members: &'a [Member],
    pub sums: &'a [Tetrahedra],
}

impl Regroup<'_> {
    /// The group of each component; [`NONE`] for what lies in no affected cell.
    pub fn groups(&self, out: &mut Vec<u32>) {
        out.clear();
        out.extend((0..self.components.count()).map(|component| self.group(component)));
    }

    fn group(&self, component: u32) -> u32 {
        let slot = self.components.owner(self.parts, component);
        if slot == REST {
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
        let distance = |member: &&Member| member.center.distance_squared(center);
        let nearest = own.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(NONE, |member| member.group)
    }
}

/// Joins components across caps: those of one group, and what is in no group with what it touches.
/// What has joined others gets their group.
pub(super) fn join_groups(
    groups: &mut [u32],
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
    for component in 0..groups.len() {
        if groups[component] != NONE {
            groups[root(joined, component as u32) as usize] = groups[component];
        }
    }
}
