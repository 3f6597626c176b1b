//! Partial Voronoi fracture of closed triangle meshes, with exact decisions and without an engine.
//!
//! The words are explained in the [glossary].
//!
//! A [`Pattern`] is built once from sites: a Voronoi diagram with its topology. A [`Solid`] is prepared
//! once from a [`Mesh`]. A break places the pattern on the solid ([`Placement`]), and [`fracture`] cuts
//! the affected cells out: the surface is intersected with the cells (a restricted Voronoi diagram), and
//! then their volume. Everything else stays one piece, or comes apart where it is no longer connected.
//!
//! Every decision is the exact sign of an integer expression, ties are broken by a rule on ids, and
//! nothing is welded by distance. So a closed mesh gives closed pieces, and the same input gives the
//! same bytes on every platform.
//!
//! The root has what a break needs; modules have what comes before and after it:
//!
//! - [`check`] reports the faults of a mesh, and [`repair`] repairs them;
//! - [`piece_mesh`] makes render meshes of pieces, with textured, rough cut faces;
//! - [`hulls`] makes convex hulls of pieces, for physics;
//! - [`stencil`] makes sites of models, pictures and lists of points;
//! - [`bars`] lays bars into concrete, and finds which lengths of them are bare;
//! - [`support`] measures what holds a solid together: nodes, bonds and anchored areas.
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

pub mod bars;
#[doc(hidden)]
pub mod byte_io;
pub mod check;
mod error;
mod fracture;
pub mod hulls;
mod math;
mod mesh;
mod pattern;
pub mod piece_mesh;
mod polygon;
pub mod repair;
mod solid;
pub mod stencil;
pub mod steps;
pub mod support;
mod tasks;
mod weakness;

pub use error::{FractureError, PatternError, SolidError};
pub use fracture::{
    fracture, fracture_in_steps, fracture_on, BreakShape, CellSelection, CraterShape, FibreShape,
    Fracture, FractureParams, FractureReport, Piece, PieceContact, PieceKind, PieceVertex,
    Placement, VertexSource, Workspace, CAP_SURFACE,
};
pub use math::Aabb;
pub use mesh::mass::MassProperties;
pub use mesh::{Attribute, Mesh, MAX_TRIANGLES};
pub use pattern::{refine_near_origin, repeat_towards_origin, Pattern, Recipe, MAX_CELLS};
pub use solid::{PatchId, Solid};
pub use tasks::{SerialRunner, TaskRunner, Threads};
pub use weakness::{WeakPlace, Weakness, MAX_WEAKNESS};

pub use glam;
