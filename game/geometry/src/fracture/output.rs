//! What a fracture gives: pieces as corner arrays with their sources, and a report.

use crate::mesh::mass::MassProperties;
pub use crate::mesh::CAP_SURFACE;

/// Where a corner of a piece comes from, and so where its attributes come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VertexSource {
    /// A vertex of the source mesh, untouched: attributes are copied bit for bit.
    Vertex(u32),
    /// A point on a triangle of the source mesh, with the weights of that triangle's corners.
    Triangle {
        /// Triangle index in the source mesh.
        triangle: u32,
        /// Barycentric weights, summing to one.
        weights: [f32; 3],
    },
    /// A point on a cap; `normal` is the piece's outward unit normal there.
    Cap {
        /// Outward unit normal in object space.
        normal: [f32; 3],
    },
}

/// A corner of a piece: a render vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceVertex {
    /// Position in object space, metres. Equal points have equal bits in all pieces.
    pub position: [f32; 3],
    /// Where it comes from.
    pub source: VertexSource,
}

/// What a piece is to the break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PieceKind {
    /// A connected part of an affected cell.
    Fragment {
        /// The cell.
        cell: u32,
        /// Counts the parts of one cell from 0.
        part: u32,
    },
    /// A connected part of what was not affected, largest first.
    Island {
        /// Counts from 0.
        part: u32,
    },
}

/// One piece: a closed mesh, its patches included (or a part of a shell).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// Fragment or island.
    pub kind: PieceKind,
    /// Render vertices, without those of the patches.
    pub vertices: Vec<PieceVertex>,
    /// Corner indices, grouped by surface in ascending order, caps last.
    pub triangles: Vec<[u32; 3]>,
    /// The source surface of each triangle, or [`CAP_SURFACE`].
    pub surfaces: Vec<u32>,
    /// The parts of the solid's surface that an island has unchanged, as numbers for
    /// [`Solid::patch`](crate::Solid::patch), ascending: far from the break nothing is copied. A
    /// fragment has all its triangles above. [`Piece::expanded`](crate::Piece::expanded) gives them
    /// all.
    pub patches: Vec<u32>,
    /// Volume, centre, moments for density one; those of a sheet when the solid is a shell.
    pub mass: MassProperties,
    /// Whether it is a part of a shell: without cut faces, and not closed.
    pub open: bool,
}

impl Default for PieceKind {
    fn default() -> Self {
        Self::Island { part: 0 }
    }
}

/// The pieces of a break and what happened on the way.
///
/// The sum of the pieces' volumes plus `report.dust_volume` is the solid's volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fracture {
    /// Fragments by cell and part, then islands, largest first.
    pub pieces: Vec<Piece>,
    /// Pairs of pieces that a cut separates, each pair once, ordered by pieces.
    pub contacts: Vec<PieceContact>,
    /// What happened.
    pub report: FractureReport,
}

/// The common cut of two pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PieceContact {
    /// Indices into [`Fracture::pieces`], ascending.
    pub pieces: [u32; 2],
    /// Area of the common caps, m^2. For a shell: length of the common seams, metres.
    pub area: f32,
}

impl Fracture {
    /// The pieces of affected cells.
    pub fn fragments(&self) -> impl Iterator<Item = &Piece> {
        let is = |p: &&Piece| matches!(p.kind, PieceKind::Fragment { .. });
        self.pieces.iter().filter(is)
    }

    /// The pieces of what was not affected.
    pub fn islands(&self) -> impl Iterator<Item = &Piece> {
        let is = |p: &&Piece| matches!(p.kind, PieceKind::Island { .. });
        self.pieces.iter().filter(is)
    }
}

/// What happened in a break, as counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FractureReport {
    /// Cells that were affected.
    pub affected: u32,
    /// Slivers that were joined to a neighbour.
    pub slivers: u32,
    /// Parts too small to be pieces, with no neighbour to join.
    pub dust: u32,
    /// Volume of those, cubic metres.
    pub dust_volume: f64,
    /// Triangles dropped because two corners rounded to one position.
    pub collapsed: u32,
    /// Output triangles of no area.
    pub flat: u32,
    /// Caps whose outline crossed itself after rounding and that were filled loop by loop.
    pub rough_caps: u32,
}
