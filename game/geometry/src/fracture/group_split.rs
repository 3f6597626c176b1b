//! Split of a solid into groups of cells: cuts only the faces between two groups.

use crate::error::FractureError;
use crate::fracture::islands::groups::Groups;
use crate::fracture::output::{Fracture, Piece};
use crate::fracture::pipeline::{cut_and_connect, emit_pieces, with_all_cells};
use crate::fracture::placement::Placement;
use crate::fracture::workspace::Workspace;
use crate::math::NONE;
use crate::pattern::Pattern;
use crate::solid::Solid;
use crate::steps::finish;

/// Solid split into groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupSplit {
    /// Pieces, all of them islands, the largest first, and their contacts.
    pub fracture: Fracture,
    /// By piece: its group; `u32::MAX` without one. A group that is not connected has several pieces.
    pub groups: Vec<u32>,
}

impl GroupSplit {
    /// Whole solid as one piece without a group.
    pub fn uncut(solid: &Solid) -> Self {
        let clusters = solid.clusters();
        let patches = clusters.top();
        let piece = Piece {
            patches: patches
                .flat_map(|cluster| clusters.patches_of(cluster))
                .collect(),
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
            groups: vec![NONE],
        }
    }

    /// Cuts a solid along the bonds of a [`SupportGraph`](crate::support::SupportGraph) between two groups.
    ///
    /// All other parts merge with what they are connected to, without a seam.
    ///
    /// # Errors
    /// As [`fracture`](crate::fracture()).
    pub fn cut(
        solid: &Solid,
        pattern: &Pattern,
        placement: Placement,
        groups: &Groups,
        workspace: &mut Workspace,
    ) -> Result<Self, FractureError> {
        finish(Self::cut_in_steps(
            solid, pattern, placement, groups, workspace,
        ))
    }

    /// The same in [steps](crate::steps).
    ///
    /// # Errors
    /// As [`GroupSplit::cut`].
    pub async fn cut_in_steps(
        solid: &Solid,
        pattern: &Pattern,
        placement: Placement,
        groups: &Groups,
        workspace: &mut Workspace,
    ) -> Result<Self, FractureError> {
        let cell_count = pattern.cell_count();
        with_all_cells(
            solid,
            pattern,
            placement,
            workspace,
            async |frame, parallel, buffers| {
                let cells = groups.divided_cells();
                let cells = cells.filter(|cell| (*cell as usize) < cell_count);
                buffers.intermediates.affected.fill(cells);
                let report = cut_and_connect(frame, parallel, buffers).await?;
                let emit = emit_pieces(frame, parallel, buffers, Some(groups), report);
                let fracture = emit.await?;
                let groups = buffers.assembly.groups_of_pieces();
                Ok(Self { fracture, groups })
            },
        )
        .await
    }
}
