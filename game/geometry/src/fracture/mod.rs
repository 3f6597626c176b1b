//! Breaks: from a solid and a placed pattern to finished pieces.
//!
//! A break clips a restricted Voronoi diagram: first the surface to the affected cells, then their volume.
//! [`pipeline`] runs the phases, each in a module of its name:
//!
//! 1. [`surface`]: clips the surface to the affected cells;
//! 2. [`caps`]: finds the spans of Voronoi edges inside the solid, and triangulates each cell face once;
//! 3. [`residual`]: triangulates what remains of clipped triangles;
//! 4. [`islands`]: connects elements to components, and assembles pieces from these;
//! 5. [`emit`]: writes vertices and triangles.

mod affected_cells;
mod break_shape;
mod caps;
mod emit;
mod grid;
mod group_split;
mod ids;
mod islands;
mod output;
mod pipeline;
mod placement;
mod residual;
mod support_graph;
mod surface;
mod workspace;

pub use break_shape::{BreakShape, CraterShape, FibreShape};
pub use group_split::GroupSplit;
pub use islands::groups::Groups;
pub(crate) use islands::pieces::SLIVER_FRACTION;
pub use output::{
    Fracture, FractureReport, Piece, PieceContact, PieceKind, PieceVertex, VertexSource,
    CAP_SURFACE,
};
pub use pipeline::{fracture, fracture_in_steps, fracture_on};
pub use placement::{CellSelection, FractureParams, Placement};
pub use support_graph::{Bond, SupportGraph, SupportNode, SurfaceInRegion};
pub use workspace::Workspace;
