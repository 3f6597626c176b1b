//! Errors of inputs. Degenerate geometry is no error: reports have it.

use thiserror::Error;

/// A mesh cannot become a [`Solid`](crate::Solid).
#[non_exhaustive]
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolidError {
    /// The mesh has no triangles.
    #[error("the mesh has no triangles; give it some, or point at another mesh")]
    Empty,
    /// More triangles or vertices than the stated limit.
    #[error("the mesh has {found} {what}, more than the limit of {limit}; use a simpler mesh")]
    TooLarge {
        /// "triangles" or "vertices".
        what: &'static str,
        /// Number found.
        found: usize,
        /// Number allowed.
        limit: usize,
    },
    /// A vertex is NaN, infinite or beyond 1e15 m.
    #[error("vertex {vertex} is not a finite position below 1e15 m; repair or re-export the mesh")]
    NotFinite {
        /// Index of the first such vertex.
        vertex: usize,
    },
    /// An index is out of range, or an attribute has a different length than the positions.
    #[error("{what} does not match the {vertices} vertices; re-export the mesh")]
    Mismatched {
        /// The array at fault.
        what: &'static str,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle has the surface that marks caps in pieces.
    #[error("triangle {triangle} has surface {}, which is kept for cut faces; number the surfaces from 0", u32::MAX)]
    ReservedSurface {
        /// Index of the first such triangle.
        triangle: usize,
    },
    /// Some edge has more triangles in one direction than in the other.
    #[error(
        "the mesh is not closed: {edges} open edges, the first at ({:.4}, {:.4}, {:.4}); \
         close the holes (fill or bridge the borders) or weld the borders to identical positions",
        .at[0], .at[1], .at[2]
    )]
    NotClosed {
        /// Number of directed edges without an opposite.
        edges: usize,
        /// End of the first open edge, metres.
        at: [f32; 3],
    },
    /// A shell's thickness is not a positive finite length.
    #[error("the shell's thickness is {thickness} m; it must be finite and above 0")]
    Thickness {
        /// The given thickness, metres.
        thickness: f64,
    },
    /// All triangles are degenerate, or the signed volume is negative or zero up to rounding.
    #[error("the mesh encloses no volume (signed volume {volume:e} m^3); flip its triangles if they face inwards, or give it thickness")]
    NoVolume {
        /// The signed volume in cubic metres.
        volume: f64,
    },
}

/// Sites or bytes cannot become a [`Pattern`](crate::Pattern).
#[non_exhaustive]
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PatternError {
    /// One cell would be the whole object.
    #[error("a pattern needs at least 2 different sites, this one has {found}; raise {field}")]
    TooFewSites {
        /// Different sites after duplicates are dropped.
        found: usize,
        /// Name of the field that sets the number of sites, see [`PatternError::with_field`].
        field: &'static str,
    },
    /// More sites than a pattern may have.
    #[error("the pattern has {found} sites, more than the limit of {limit}; lower {field}")]
    TooManySites {
        /// Sites asked for.
        found: usize,
        /// Sites allowed.
        limit: usize,
        /// Name of the field that sets the number of sites, see [`PatternError::with_field`].
        field: &'static str,
    },
    /// Nearly every cell would meet every other, as for sites on two crossing lines.
    #[error("the pattern's cells have more than {limit} corners, because nearly all of them meet each other; spread the sites or lower their number")]
    TooManyCorners {
        /// Corners allowed for this number of sites.
        limit: usize,
    },
    /// A site is NaN, infinite or beyond 1e15 m.
    #[error("site {site} is not a finite position below 1e15; remove it from the pattern")]
    NotFinite {
        /// Index of the first such site.
        site: usize,
    },
    /// A recipe's parameter is outside its range.
    #[error("the pattern's {parameter} is {value}, it must be {range}")]
    Parameter {
        /// The parameter's name.
        parameter: &'static str,
        /// Given value.
        value: f64,
        /// Allowed range in words.
        range: &'static str,
    },
    /// The bytes are not a pattern of a version that can be read.
    #[error("the pattern file cannot be read: {reason}; bake the pattern again")]
    Corrupt {
        /// Fault of the bytes.
        reason: &'static str,
    },
    /// The file was written by a newer version.
    #[error("the pattern file has version {found}, this program reads up to {supported}; update the program or bake the pattern again")]
    Version {
        /// Version in the file.
        found: u32,
        /// Newest version that can be read.
        supported: u32,
    },
}

impl PatternError {
    /// Default name of the field that sets the number of sites.
    pub(crate) const CELLS: &'static str = "the number of cells";

    /// Names the field that sets the number of sites as the reader of the message knows it. The remedy is
    /// to raise or to lower that field.
    pub fn with_field(mut self, name: &'static str) -> Self {
        if let Self::TooFewSites { field, .. } | Self::TooManySites { field, .. } = &mut self {
            *field = name;
        }
        self
    }
}

/// A fracture cannot start. The solid is unchanged.
#[non_exhaustive]
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FractureError {
    /// The impact is NaN or infinite.
    #[error("the impact point is not finite; check the contact that started the break")]
    ImpactNotFinite,
    /// The radius is not a positive finite length.
    #[error("the impact radius is {radius} m; it must be finite and above 0")]
    Radius {
        /// The given radius, metres.
        radius: f64,
    },
    /// No cell within reach of the impact contains a part of the solid.
    #[error("the impact at ({:.4}, {:.4}, {:.4}) with radius {radius} m does not reach the mesh", .point[0], .point[1], .point[2])]
    OutOfReach {
        /// Impact point in object space, metres.
        point: [f64; 3],
        /// Radius, metres.
        radius: f64,
    },
    /// The placement is singular, mirrors the pattern, or is not finite.
    #[error("the pattern's placement is not invertible or mirrors it; check the scale of the object and of the pattern")]
    Placement,
    /// The solid reaches more than 2,048 half sides of the placed pattern from its middle.
    #[error("the mesh reaches more than {limit} half sides of the placed pattern from its middle; enlarge the pattern")]
    PatternTooSmall {
        /// Largest allowed ratio.
        limit: f64,
    },
    /// The break was cancelled; nothing has changed.
    #[error("the break was cancelled")]
    Cancelled,
}
