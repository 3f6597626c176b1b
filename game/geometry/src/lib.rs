//! Partial Voronoi fracture of closed triangle meshes by cached plane sets.
//!
//! The words are explained in the [glossary].
//!
//! A [`Pattern`] is made once from sites: a cached set of Voronoi cells. A [`Solid`] is prepared once
//! from a [`Mesh`]. A break lays the pattern onto the solid ([`Placement`]), and [`fracture`] cuts the
//! affected cells out; everything else stays merged and comes apart only where it is no longer
//! connected.
//!
//! Every decision is the exact sign of an integer expression, ties are broken by a rule on ids, and
//! nothing is welded by distance. So a closed mesh gives closed pieces, always, and the same input
//! gives the same bytes on every platform.
//!
//! Units are metres; frames are right-handed with y up.
//!
//! ```
//! use fracture_geometry::{fracture, CellSelection, FractureParams, Mesh, Pattern, Placement, Recipe, Solid, Workspace};
//! use glam::DVec3;
//!
//! let solid = Solid::new(Mesh::cuboid([1.0, 1.0, 1.0]))?;
//! let pattern = Pattern::from_recipe(&Recipe::Clustered { cells: 32, falloff: 1.0 }, 7)?;
//! let impact = DVec3::new(0.0, 0.5, 0.0);
//! let cut = FractureParams {
//!     placement: Placement::at_impact(impact, DVec3::Y, 0.0, 1.0),
//!     selection: CellSelection::Within { point: impact, radius: 0.3 },
//! };
//! let broken = fracture(&solid, &pattern, &cut, &mut Workspace::default())?;
//! let volume: f64 = broken.pieces.iter().map(|piece| piece.mass.volume).sum();
//! assert!((volume - 1.0).abs() < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[doc = include_str!("../GLOSSARY.md")]
pub mod glossary {}

#[doc(hidden)]
pub mod byte_io;
mod check;
mod error;
mod fracture;
pub mod hulls;
mod math;
mod mesh;
mod pattern;
mod piece_mesh;
mod polygon;
mod repair;
mod solid;

pub use check::{
    BoundaryLoop, EdgePositions, MeshComponent, MeshReport, SelfIntersection, SelfIntersections,
};
pub use error::{FractureError, PatternError, SolidError};
pub use fracture::{
    fracture, fracture_on, AnchoredArea, Bond, CellSelection, Fracture, FractureParams,
    FractureReport, GroupAssignment, GroupSplit, Piece, PieceContact, PieceKind, PieceVertex,
    Placement, SerialRunner, SupportGraph, SupportNode, TaskRunner, VertexSource, Workspace,
    CAP_SURFACE,
};
pub use math::Aabb;
pub use mesh::area::AreaProperties;
pub use mesh::mass::MassProperties;
pub use mesh::{check_closed, Closedness, Mesh, MAX_TRIANGLES};
pub use pattern::{refine_near_origin, Pattern, Recipe, MAX_CELLS};
pub use piece_mesh::{
    roughen, CapMapping, CapStyle, MeshWithSources, OctreeLeaf, RenderPartition, Roughness,
};
pub use repair::{RepairOptions, RepairReport};
pub use solid::Solid;

pub use glam;
