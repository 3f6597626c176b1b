//! A solid cut into groups of cells: only the faces between two groups are cut, and leave a trace.

use crate::error::FractureError;
use crate::fracture::islands::groups::GroupAssignment;
use crate::fracture::workspace::Workspace;
use crate::fracture::Placement;
use crate::fracture::{cut_and_connect, output::Fracture, with_all_cells, write, Piece};
use crate::pattern::Pattern;
use crate::solid::Solid;

/// A solid in groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupSplit {
    /// The pieces, all of them islands, largest first, and the areas between them.
    pub fracture: Fracture,
    /// The group of each piece. A group that does not hang together has several pieces.
    pub groups: Vec<u32>,
}

impl GroupSplit {
    /// A solid in one piece, in no group.
    pub fn uncut(solid: &Solid) -> Self {
        let patches = solid.patches();
        let piece = Piece {
            patches: patches.top().flat_map(|b| patches.of_block(b)).collect(),
            mass: *solid.mass(),
            open: solid.is_shell(),
            ..Piece::default()
        };
        let fracture = Fracture {
            pieces: vec![piece],
            ..Fracture::default()
        };
        Self {
            fracture,
            groups: vec![u32::MAX],
        }
    }

    /// Cuts a solid along the faces where two groups of a [`SupportGraph`](crate::fracture::SupportGraph)'s parts meet.
    ///
    /// `members` are all parts of every cell that has such a face. Everything else joins what it
    /// hangs together with, without a seam.
    ///
    /// # Errors
    /// As [`fracture`](crate::fracture::fracture).
    pub fn cut(
        solid: &Solid,
        pattern: &Pattern,
        placement: Placement,
        members: &[GroupAssignment],
        workspace: &mut Workspace,
    ) -> Result<Self, FractureError> {
        let mut members = members.to_vec();
        members.sort_by_key(|member| member.cell);
        members.retain(|member| (member.cell as usize) < pattern.cell_count());
        with_all_cells(
            solid,
            pattern,
            placement,
            workspace,
            |frame, team, lists| {
                lists.made.slots.fill(members.iter().map(|m| m.cell));
                let report = cut_and_connect(frame, team, lists)?;
                let fracture = write(frame, team, lists, &members, report)?;
                let groups = lists.groups.groups_of_pieces();
                Ok(Self { fracture, groups })
            },
        )
    }
}
