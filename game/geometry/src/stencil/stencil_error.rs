//! Faults of a model, a picture or a list of points that is to become a stencil.

use crate::error::SolidError;
use thiserror::Error;

/// A source cannot become a stencil. Nothing has changed.
#[non_exhaustive]
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StencilError {
    /// Fewer than two parts, or too many.
    #[error("the model has {found} closed parts, a stencil needs 2 to {limit}; divide it, as Blender's Cell Fracture does")]
    PartCount {
        /// Parts found.
        found: usize,
        /// Most parts.
        limit: usize,
    },
    /// A part is open, empty or inside out.
    #[error("part \"{part}\": {error}")]
    Part {
        /// Name of the part.
        part: String,
        /// Fault of its mesh.
        error: SolidError,
    },
    /// A part is not convex.
    #[error(
        "part \"{part}\" is not convex, by {depth:.4} m; divide it into convex parts, and make loose parts objects of their \
         own (Separate, By Loose Parts)"
    )]
    NotConvex {
        /// Name of the part.
        part: String,
        /// Farthest corner outside of one of its planes, metres.
        depth: f64,
    },
    /// Two parts overlap.
    #[error("parts \"{first}\" and \"{second}\" overlap by {depth:.4} m; move them apart or cut one at the other")]
    Overlap {
        /// Name of one part.
        first: String,
        /// Name of the other.
        second: String,
        /// Depth of the overlap, metres.
        depth: f64,
    },
    /// The parts are convex, but no cells of points.
    #[error(
        "the parts are not cells of points: the border of \"{part}\" would be {distance:.4} m off; make them by Cell Fracture \
         with Noise 0 and Recursion 0, each of the whole object"
    )]
    NoCells {
        /// Part with the corner that is farthest off.
        part: String,
        /// Distance of that corner from the cell, metres.
        distance: f64,
    },
    /// A picture without pixels, or with others than its size says.
    #[error("the picture has {width} by {height} pixels; it must have 8 by 8 at least")]
    PictureSize {
        /// Pixels in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A picture of one colour.
    #[error("the picture has one colour only; draw dark lines, or paint dark where pieces shall be small")]
    OneColour,
    /// The lines of a picture do not enclose regions.
    #[error(
        "the picture's lines part it into {found} regions, they must make 2 to {limit}; close the lines, or choose that dark \
         is dense"
    )]
    Regions {
        /// Regions found.
        found: usize,
        /// Most regions.
        limit: usize,
    },
    /// A width that is not a positive length.
    #[error("the picture is to be {width} m wide; it must be finite and above 0")]
    PictureWidth {
        /// Given width, metres.
        width: f64,
    },
    /// A line that is no point.
    #[error("line {line} is \"{text}\"; write three numbers, x y z in metres, with spaces or commas between")]
    Point {
        /// Number of the line, from 1.
        line: usize,
        /// The line, cut short.
        text: String,
    },
    /// Too few points, or too many.
    #[error("there are {found} points, a stencil needs 2 to {limit}; write one in each line, x y z in metres")]
    PointCount {
        /// Points found.
        found: usize,
        /// Most points.
        limit: usize,
    },
}
