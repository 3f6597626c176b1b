//! Stencils: patterns of one's own, as sites whose cells are what somebody has drawn, modelled or listed.
//!
//! A pattern has the Voronoi cells of its sites. So convex parts of a model and regions between lines become sites by
//! asking where they must lie, for the borders to be half-way between them: [`sites_of_parts`] refuses parts that are not
//! cells of any sites, and [`Picture::sites_of_lines`] says how much of the lines it follows.

mod borders;
mod fit;
mod line_regions;
mod listed_points;
mod model_part;
mod parts;
mod picture;
mod picture_sites;
mod stencil_error;

pub use listed_points::sites_of_points;
pub use model_part::StencilPart;
pub use parts::{sites_of_parts, MAX_PARTS};
pub use picture::Picture;
pub use picture_sites::LineSites;
pub use stencil_error::StencilError;
