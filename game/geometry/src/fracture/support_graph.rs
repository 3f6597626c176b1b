//! Support graph of a solid: its parts in all cells of a pattern, and the bonds between them. Cuts as a break
//! does, but writes no pieces.

use crate::error::FractureError;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::groups::{GroupAssignment, Groups};
use crate::fracture::islands::pieces::{PieceAssembly, PieceElements};
use crate::fracture::output::PieceKind;
use crate::fracture::pipeline::{cut_and_connect, with_all_cells};
use crate::fracture::placement::Placement;
use crate::fracture::workspace::Workspace;
use crate::math::Aabb;
use crate::mesh::area::{clip_to_box, AreaAccumulator, AreaProperties};
use crate::mesh::mass::MassProperties;
use crate::pattern::Pattern;
use crate::solid::Solid;
use crate::steps::{finish, pause};
use glam::DVec3;
use std::collections::BTreeMap;

/// Nodes and bonds of a solid that all cells of a pattern divide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SupportGraph {
    /// Connected parts of cells, by cell, of one cell the larger first. Slivers belong to a neighbour.
    pub nodes: Vec<SupportNode>,
    /// Common faces of two nodes, one for each pair of nodes and of cells, ordered by nodes.
    pub bonds: Vec<Bond>,
    exterior: Exterior,
    /// Volume below which a part of a cell is a sliver, m^3.
    min_volume: f64,
}

/// Surface of a solid on the parts of it that are nodes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Exterior {
    /// Of one node after the other.
    triangles: Vec<[DVec3; 3]>,
    /// By node.
    nodes: Vec<OwnSurface>,
    /// The point from which areas are measured, which keeps rounding small.
    origin: DVec3,
}

/// Surface of the solid on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OwnSurface {
    /// Where its triangles end.
    end: usize,
    bounds: Aabb,
}

/// Connected part of a cell inside the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportNode {
    /// Cell of the pattern.
    pub cell: u32,
    /// Volume, centre and moments.
    pub mass: MassProperties,
}

/// Surface of a node in a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceInRegion {
    /// Index of the region.
    pub region: u32,
    /// Index into [`SupportGraph::nodes`].
    pub node: u32,
    /// Area, centre and moments.
    pub area: AreaProperties,
}

/// Common face of two nodes, seen from the first: its normal points to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// Indices into [`SupportGraph::nodes`], ascending.
    pub nodes: [u32; 2],
    /// Cells on the two sides: those of the nodes, unless a sliver of another cell belongs to a node.
    pub cells: [u32; 2],
    /// Area, centre and moments.
    pub area: AreaProperties,
}

impl SupportGraph {
    /// Cuts a solid by all cells.
    ///
    /// # Errors
    /// As [`fracture`](crate::fracture()). A shell has no bonds.
    pub fn build(
        solid: &Solid,
        pattern: &Pattern,
        placement: Placement,
        workspace: &mut Workspace,
    ) -> Result<Self, FractureError> {
        finish(Self::in_steps(solid, pattern, placement, workspace))
    }

    /// The same in [steps](crate::steps).
    ///
    /// # Errors
    /// As [`SupportGraph::build`].
    pub async fn in_steps(
        solid: &Solid,
        pattern: &Pattern,
        placement: Placement,
        workspace: &mut Workspace,
    ) -> Result<Self, FractureError> {
        with_all_cells(
            solid,
            pattern,
            placement,
            workspace,
            async |frame, parallel, buffers| {
                frame.select_cells(&mut buffers.intermediates.affected)?;
                let mut report = cut_and_connect(frame, parallel, buffers).await?;
                pause().await;
                let cut = buffers.intermediates.cut_solid(solid);
                let (components, assembly) = (&buffers.components, &mut buffers.assembly);
                assembly.assemble(&cut, components, None, &mut report);
                pause().await;
                Ok(Self {
                    nodes: assembly.pieces.iter().map(node).collect(),
                    bonds: bonds(&cut, components, assembly),
                    exterior: Exterior::new(&cut, &assembly.pieces),
                    min_volume: assembly.min_volume,
                })
            },
        )
        .await
    }

    /// The surface of nodes in regions, each of them some boxes (object space, metres): where the solid is held, or bears a
    /// load. By region and node; where boxes of a region overlap, each counts.
    pub fn surface_in(&self, regions: &[&[Aabb]]) -> Vec<SurfaceInRegion> {
        let origin = self.exterior.origin;
        let mut found = Vec::new();
        for (boxes, region) in regions.iter().zip(0..) {
            let all = Aabb::around(boxes);
            let mut begin = 0;
            for (own, node) in self.exterior.nodes.iter().zip(0..) {
                let triangles = self.exterior.triangles.get(begin..own.end);
                begin = own.end;
                if !own.bounds.intersects(&all) {
                    continue;
                }
                let near = boxes.iter().filter(|bounds| own.bounds.intersects(bounds));
                let near: Vec<Aabb> = near.copied().collect();
                let area = area_in(triangles.unwrap_or_default(), &near, origin).finish(origin);
                found.extend(area.map(|area| SurfaceInRegion { region, node, area }));
            }
        }
        found
    }

    /// The bonds between nodes of different groups, given by node.
    pub fn bonds_between<'b>(
        &'b self,
        groups: &'b [u32],
    ) -> impl Iterator<Item = &'b Bond> + Clone {
        let group = |node: u32| groups.get(node as usize);
        let bonds = self.bonds.iter();
        bonds.filter(move |bond| group(bond.nodes[0]) != group(bond.nodes[1]))
    }

    /// Groups for a [split](crate::support::GroupSplit), given by node: any numbers, `u32::MAX` for nodes that belong
    /// to what they touch. The cells of the `undivided` group are not cut out: its pieces get the faces of the others as
    /// caps, and no more triangles than those. Those of any other group keep the seams of its cells beside other groups.
    pub fn groups(&self, of_nodes: &[u32], undivided: Option<u32>) -> Groups {
        let group_of = |node: u32| of_nodes.get(node as usize).copied();
        let bonds = self.bonds_between(of_nodes);
        let sides = || {
            bonds.clone().flat_map(|bond| {
                let sides = bond.nodes.into_iter().zip(bond.cells);
                sides.map(move |side| (bond, side))
            })
        };
        let mut cells: Vec<u32> = sides().map(|(_, (_, cell))| cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let nodes = self.nodes.iter().zip(of_nodes);
        let at_faces = nodes.filter(|(node, _)| cells.binary_search(&node.cell).is_ok());
        let parts = at_faces.map(|(node, group)| GroupAssignment {
            cell: node.cell,
            center: node.mass.center,
            group: *group,
        });
        // A sliver belongs to a node of another cell.
        let slivers = sides().filter_map(|(bond, (node, cell))| {
            let owner = self.nodes.get(node as usize)?;
            let assignment = GroupAssignment {
                cell,
                center: bond.area.center,
                group: group_of(node)?,
            };
            (owner.cell != cell).then_some(assignment)
        });
        let mut assignments: Vec<GroupAssignment> = parts.chain(slivers).collect();
        assignments.sort_by_key(|own| own.cell);
        Groups {
            assignments,
            undivided,
            min_volume: self.min_volume,
        }
    }

    /// Memory that it takes, bytes.
    pub fn size(&self) -> usize {
        size_of_val(&*self.nodes)
            + size_of_val(&*self.bonds)
            + size_of_val(&*self.exterior.triangles)
            + size_of_val(&*self.exterior.nodes)
    }
}

fn node(piece: &PieceElements) -> SupportNode {
    let cell = match piece.kind {
        PieceKind::Fragment { cell, .. } => cell,
        PieceKind::Island { .. } => u32::MAX,
    };
    let mass = piece.mass;
    SupportNode { cell, mass }
}

fn bonds(cut: &CutSolid, components: &Components, assembly: &PieceAssembly) -> Vec<Bond> {
    let origin = cut.solid.origin();
    let mut sums: BTreeMap<([u32; 2], [u32; 2]), AreaAccumulator> = BTreeMap::new();
    for id in cut.cap_ids() {
        let cap = cut.cap(id);
        for region in 0..cap.regions.count() {
            let node = |side| assembly.piece_of(components.of_cap(id, region, side));
            let (Some(one), Some(other)) = (node(0), node(1)) else {
                continue;
            };
            if one == other {
                continue;
            }
            // Seen from the side of the smaller node.
            let (side, key) = if one < other {
                (0, ([one, other], cap.cells))
            } else {
                (1, ([other, one], [cap.cells[1], cap.cells[0]]))
            };
            let sum = sums.entry(key).or_default();
            let element = Element::Cap {
                cap: id,
                region,
                side,
            };
            cut.for_each_triangle(element, |triangle| {
                sum.add(triangle.map(|corner| corner - origin));
            });
        }
    }
    let bond = |((nodes, cells), sum): (_, AreaAccumulator)| {
        let area = sum.finish(origin)?;
        Some(Bond { nodes, cells, area })
    };
    sums.into_iter().filter_map(bond).collect()
}

impl Exterior {
    fn new(cut: &CutSolid, pieces: &[PieceElements]) -> Self {
        let mut triangles: Vec<[DVec3; 3]> = Vec::new();
        let mut add = |piece: &PieceElements| {
            let begin = triangles.len();
            let elements = piece.elements.iter();
            for element in elements.filter(|element| !matches!(element, Element::Cap { .. })) {
                cut.for_each_triangle(*element, |triangle| triangles.push(triangle));
            }
            let own = triangles.iter().skip(begin).flatten();
            OwnSurface {
                end: triangles.len(),
                bounds: Aabb::from_points(own.copied()),
            }
        };
        Self {
            nodes: pieces.iter().map(&mut add).collect(),
            triangles,
            origin: cut.solid.origin(),
        }
    }
}

fn area_in(triangles: &[[DVec3; 3]], boxes: &[Aabb], origin: DVec3) -> AreaAccumulator {
    let mut sum = AreaAccumulator::default();
    for triangle in triangles {
        for bounds in boxes {
            clip_to_box(*triangle, bounds, |inside| {
                sum.add(inside.map(|corner| corner - origin));
            });
        }
    }
    sum
}
