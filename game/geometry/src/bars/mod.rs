//! Bars in concrete: where they are laid into a solid, and which lengths of them a break leaves bare.
//!
//! Bars run along the axes of the solid's own frame. Those of an intact solid follow from it and the figures alone: it has
//! the same in every session. Which lengths a piece keeps depends on how it was broken.
//!
//! ```
//! use fracture_geometry::bars::{lay_in, BarFigures};
//! use fracture_geometry::{Mesh, Solid};
//!
//! let slab = Solid::new(Mesh::cuboid([3.0, 0.2, 2.0]))?;
//! let figures = BarFigures { spacing: 0.15, ..BarFigures::default() };
//! let bars = lay_in(&slab, figures);
//! assert!(bars.iter().all(|bar| bar.length() < 3.0));
//!
//! // Nothing is broken: no length of any bar is bare.
//! let bare = bars.iter().map(|bar| bar.bare_spans(&bar.parts_in(&slab), figures.least_grip()));
//! assert_eq!(bare.flatten().count(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bar;
mod bare_spans;
mod bend;
mod clear_parts;
mod keep;
mod lay_in;
mod rod;

pub use bar::Bar;
pub use bare_spans::BareSpan;
pub use bend::{BarBlow, Bending};
pub use keep::{EmbeddedLength, Parting};
pub use lay_in::{lay_in, BarFigures, MAX_BARS};
pub use rod::add_rod;
