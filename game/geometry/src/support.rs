//! Support of a solid: its parts in the cells of a pattern as nodes, the faces between them as bonds.
//!
//! A [`SupportGraph`] is what a stress solver needs: masses of nodes, areas and moments of bonds, and the
//! areas of nodes in [regions](SupportGraph::surface_in), where the solid is held or bears a load. When bonds
//! fail, [`GroupSplit`] cuts the solid between [`Groups`] of cells, without making a piece of every cell.
//!
//! ```
//! use fracture_geometry::support::SupportGraph;
//! use fracture_geometry::{Mesh, Pattern, Placement, Recipe, Solid, Workspace};
//!
//! let beam = Solid::new(Mesh::cuboid([4.0, 0.5, 0.5]))?;
//! let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 20 }, 1)?;
//! let placement = Placement::IDENTITY;
//! let graph = SupportGraph::build(&beam, &pattern, placement, &mut Workspace::default())?;
//! let volume: f64 = graph.nodes.iter().map(|node| node.mass.volume).sum();
//! assert!((volume - 1.0).abs() < 1e-6 && !graph.bonds.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::fracture::{Bond, GroupSplit, Groups, SupportGraph, SupportNode, SurfaceInRegion};
pub use crate::mesh::area::AreaProperties;
pub use crate::solid::{SolidBeside, SurfaceInBox, SurfaceSample, TouchingSurface};
