//! Result of a break: pieces as vertex arrays with the sources of their attributes, and a report.

use crate::mesh::mass::MassProperties;
pub use crate::mesh::CAP_SURFACE;
use crate::solid::PatchId;
use glam::{DVec3, Vec3};

/// Source of a vertex of a piece, and so of its attributes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VertexSource {
    /// Vertex of the source mesh; attributes are copied bit for bit.
    Vertex(u32),
    /// Point on a triangle of the source mesh; attributes are interpolated.
    Triangle {
        /// Triangle index in the source mesh.
        triangle: u32,
        /// Barycentric weights, summing to one.
        weights: [f32; 3],
    },
    /// Point on a cap.
    Cap {
        /// Unit normal of the cap in object space, outward from the piece.
        normal: [f32; 3],
    },
}

/// Render vertex of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceVertex {
    /// Position in object space, metres. Equal points have equal bits in all pieces.
    pub position: [f32; 3],
    /// Source of its attributes.
    pub source: VertexSource,
}

/// Kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PieceKind {
    /// Connected part of an affected cell.
    Fragment {
        /// The cell.
        cell: u32,
        /// Rank by volume among the parts of the cell, from 0, the largest first.
        part: u32,
    },
    /// Connected part of the unaffected remainder.
    Island {
        /// Rank by volume among the islands, from 0, the largest first.
        part: u32,
    },
}

/// One piece: together with its patches a closed mesh, or an open part of a shell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// Kind: fragment or island.
    pub kind: PieceKind,
    /// Render vertices, but for those of the patches.
    pub vertices: Vec<PieceVertex>,
    /// Vertex indices, counter-clockwise, in ascending order of surfaces, caps last.
    pub triangles: Vec<[u32; 3]>,
    /// The source surface of each triangle, or [`CAP_SURFACE`].
    pub surfaces: Vec<u32>,
    /// Parts of the solid's surface that an island keeps unchanged, as ascending ids for
    /// [`Solid::patch`](crate::Solid::patch): nothing is copied far from the break. Empty for a
    /// fragment. [`Piece::expanded`] copies them in.
    pub patches: Vec<PatchId>,
    /// Mass properties for density one; those of a sheet when the solid is a shell.
    pub mass: MassProperties,
    /// Whether the piece is part of a shell: not closed, and without caps.
    pub open: bool,
}

impl Default for PieceKind {
    fn default() -> Self {
        Self::Island { part: 0 }
    }
}

/// Pieces of a break, their contacts and a report.
///
/// The sum of the pieces' volumes plus `report.dust_volume` is the solid's volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fracture {
    /// Fragments by cell and part, then islands by volume, the largest first.
    pub pieces: Vec<Piece>,
    /// Pairs of pieces that a cut separates, each pair once, in ascending order.
    pub contacts: Vec<PieceContact>,
    /// Counts of special cases.
    pub report: FractureReport,
}

/// Common cut of two pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PieceContact {
    /// Indices into [`Fracture::pieces`], ascending.
    pub pieces: [u32; 2],
    /// Area of the common caps, m^2. For a shell: length of the common seams, metres.
    pub area: f32,
}

impl Fracture {
    /// Pieces of affected cells.
    pub fn fragments(&self) -> impl Iterator<Item = &Piece> {
        self.pieces
            .iter()
            .filter(|piece| matches!(piece.kind, PieceKind::Fragment { .. }))
    }

    /// Area of all contacts, m^2: of one side of the cracks. For a shell: length of the seams, metres.
    pub fn contact_area(&self) -> f64 {
        let areas = self.contacts.iter().map(|contact| f64::from(contact.area));
        areas.sum()
    }

    /// Pieces of the unaffected remainder.
    pub fn islands(&self) -> impl Iterator<Item = &Piece> {
        self.pieces
            .iter()
            .filter(|piece| matches!(piece.kind, PieceKind::Island { .. }))
    }
}

/// Counts of a break.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FractureReport {
    /// Affected cells.
    pub affected_cells: u32,
    /// Slivers that were merged into a neighbour.
    pub slivers: u32,
    /// Components too small to be pieces, with no neighbour to merge into.
    pub dust: u32,
    /// Volume of the dust, cubic metres.
    pub dust_volume: f64,
    /// Triangles dropped because two vertices were rounded to one position.
    pub collapsed: u32,
    /// Output triangles of zero area.
    pub flat: u32,
    /// Caps whose outline crossed itself after rounding and that were filled loop by loop.
    pub rough_caps: u32,
}

/// Rounds a position to the precision of the output; zero has one sign.
pub fn round_position(position: DVec3) -> [f32; 3] {
    (position.as_vec3() + Vec3::ZERO).to_array()
}
