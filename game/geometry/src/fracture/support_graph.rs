//! A solid as the parts that a pattern's cells have of it, with the faces between them: what a
//! support graph is made of. The same cut as a break's, but nothing is written out.

use crate::error::FractureError;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::pieces::PieceSorter;
use crate::fracture::islands::triangles::for_each_triangle;
use crate::fracture::workspace::{Buffers, ParallelFor, Workspace};
use crate::fracture::Placement;
use crate::fracture::{cut_and_connect, grid::GridFrame, with_all_cells};
use crate::math::Aabb;
use crate::mesh::area::{clip_to_box, AreaAccumulator, AreaProperties};
use crate::mesh::mass::MassProperties;
use crate::pattern::Pattern;
use crate::solid::Solid;
use std::collections::BTreeMap;

/// A solid divided by all cells of a pattern.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SupportGraph {
    /// Connected parts of cells, by cell, the larger part of a cell first. Slivers belong to a
    /// neighbour.
    pub nodes: Vec<SupportNode>,
    /// Where parts meet: one face for two parts and two cells, ordered by parts.
    pub bonds: Vec<Bond>,
    /// What of the solid's surface lies in the boxes, by part; where boxes overlap it counts for each.
    pub anchored: Vec<AnchoredArea>,
}

/// A connected part of a cell inside the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportNode {
    /// The cell.
    pub cell: u32,
    /// Volume, centre and moments.
    pub mass: MassProperties,
}

/// The surface of a node that lies in the anchor boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchoredArea {
    /// Index into [`SupportGraph::nodes`].
    pub node: u32,
    /// Area, centre and moments.
    pub area: AreaProperties,
}

/// The common face of two parts, seen from the first: its normal points to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// Indices into [`SupportGraph::parts`], ascending.
    pub nodes: [u32; 2],
    /// The cells that meet: those of the parts, unless a sliver of another cell belongs to one.
    pub cells: [u32; 2],
    /// Area, centre and moments.
    pub area: AreaProperties,
}

impl SupportGraph {
    /// Divides a solid and measures what of its surface lies in boxes (lowest and highest corners,
    /// object space, metres).
    ///
    /// # Errors
    /// As [`fracture`](crate::fracture::fracture). A shell has no faces between its parts.
    pub fn build(
        solid: &Solid,
        pattern: &Pattern,
        placement: Placement,
        boxes: &[Aabb],
        workspace: &mut Workspace,
    ) -> Result<Self, FractureError> {
        with_all_cells(
            solid,
            pattern,
            placement,
            workspace,
            |frame, team, lists| divide(frame, boxes, team, lists),
        )
    }
}

fn divide(
    frame: &GridFrame,
    boxes: &[Aabb],
    team: &mut ParallelFor,
    lists: &mut Buffers,
) -> Result<SupportGraph, FractureError> {
    frame.affected(&mut lists.made.slots)?;
    let mut report = cut_and_connect(frame, team, lists)?;
    let Buffers {
        made,
        components,
        groups,
        ..
    } = lists;
    let parts = made.parts(frame.solid);
    groups.sort(&parts, components, &[], &mut report);
    Ok(SupportGraph {
        nodes: groups.pieces.iter().map(SupportNode::of).collect(),
        bonds: bonds(&parts, components, groups),
        anchored: anchored(&parts, groups, boxes),
    })
}

impl SupportNode {
    fn of(group: &crate::fracture::islands::pieces::PieceElements) -> Self {
        let cell = match group.kind {
            crate::fracture::PieceKind::Fragment { cell, .. } => cell,
            crate::fracture::PieceKind::Island { .. } => u32::MAX,
        };
        let mass = group.mass;
        Self { cell, mass }
    }
}

fn bonds(parts: &CutSolid, components: &Components, groups: &PieceSorter) -> Vec<Bond> {
    let origin = parts.solid.origin();
    let mut sums: BTreeMap<([u32; 2], [u32; 2]), AreaAccumulator> = BTreeMap::new();
    for index in 0..parts.caps.len() as u32 {
        let cap = parts.cap(index);
        for region in 0..cap.regions.count() {
            let side = |side: u8| {
                let component = components.of_cap(index, region, side);
                groups.piece_of(component)
            };
            let (Some(one), Some(other)) = (side(0), side(1)) else {
                continue;
            };
            if one == other {
                continue;
            }
            let turned = one > other;
            let key = match turned {
                false => ([one, other], cap.cells),
                true => ([other, one], [cap.cells[1], cap.cells[0]]),
            };
            let sum = sums.entry(key).or_default();
            let part = Element::Cap(index, region, u8::from(turned));
            for_each_triangle(parts, part, |corners| sum.add(corners.map(|p| p - origin)));
        }
    }
    let bond = |((nodes, cells), sum): (_, AreaAccumulator)| {
        let area = sum.finish(origin)?;
        Some(Bond { nodes, cells, area })
    };
    sums.into_iter().filter_map(bond).collect()
}

fn anchored(parts: &CutSolid, groups: &PieceSorter, boxes: &[Aabb]) -> Vec<AnchoredArea> {
    let origin = parts.solid.origin();
    let measure = |(piece, group): (usize, &crate::fracture::islands::pieces::PieceElements)| {
        let mut sum = AreaAccumulator::default();
        let surface = group
            .parts
            .iter()
            .filter(|p| !matches!(p, Element::Cap(..)));
        for part in surface {
            for_each_triangle(parts, *part, |triangle| {
                for bounds in boxes {
                    clip_to_box(triangle, bounds, |inside| {
                        sum.add(inside.map(|p| p - origin));
                    });
                }
            });
        }
        Some(AnchoredArea {
            node: piece as u32,
            area: sum.finish(origin)?,
        })
    };
    groups
        .pieces
        .iter()
        .enumerate()
        .filter_map(measure)
        .collect()
}
