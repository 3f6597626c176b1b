//! The living pieces of a broken body as bytes: all that the breaks have made of it.

mod collider_codec;
mod cut_codec;
pub(crate) mod mesh_codec;
mod source_info;
mod surface_codec;

pub(crate) use collider_codec::{SavedCollider, SavedColliders};
pub(crate) use cut_codec::{SavedCut, SavedCutRef};
pub(crate) use source_info::SourceInfo;

use cut_codec::CutTable;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use fracture_geometry::glam::{DMat3, DVec3};
use fracture_geometry::{MassProperties, Mesh, OctreeLeaf, PieceKind};

use crate::history::byte_io::{write_count, write_f64s, ByteReader, Malformed};
use crate::pieces::{ChunkedMesh, ChunkedMeshParts, CutHistory};
use crate::pieces::{Colliders, HullCount};
use mesh_codec::EncodedMesh;

const FRAGMENT: u8 = 0;
const ISLAND: u8 = 1;

/// The first eight bytes of snapshots.
const MARK: u64 = u64::MAX - 1;

/// What is left of a broken body, so that nothing needs to be broken again to have it: its pieces'
/// meshes and hulls, some 5 kB each. Where they are is in the [`BreakLog`](crate::BreakLog).
#[derive(Clone, PartialEq, Eq)]
pub struct PieceSnapshots(Bytes);

/// A piece as it was made.
pub(crate) struct SavedPiece {
    /// What it is, and before that what those were that it was a part of.
    pub line: Arc<[PieceKind]>,
    pub anchored: bool,
    /// How often those were broken.
    pub depth: u32,
    /// Where the spin of its breaks comes from.
    pub seed: u64,
    pub mass: MassProperties,
    pub mesh: Mesh,
    pub packed: EncodedMesh,
    /// An island's.
    pub surface: Option<ChunkedMeshParts>,
    /// What it was carved from, if that is known.
    pub breaks: Option<Vec<SavedCutRef>>,
    /// In the debris world.
    pub colliders: SavedColliders,
    /// In the embedding layer's world.
    pub cells: Vec<Arc<OctreeLeaf>>,
}

/// Writes pieces one after the other.
pub(crate) struct SnapshotWriter {
    bytes: Vec<u8>,
    pieces: u32,
    cuts: CutTable,
}

impl SnapshotWriter {
    /// For a body of which so much has become crumbs, m^3.
    pub fn new(crumbs: f64, facts: &SourceInfo) -> Self {
        let mut bytes = MARK.to_le_bytes().to_vec();
        write_count(&mut bytes, 0);
        write_f64s(&mut bytes, &[crumbs]);
        facts.write(&mut bytes);
        Self {
            bytes,
            pieces: 0,
            cuts: CutTable::default(),
        }
    }

    /// Adds a piece: its mesh, and the parts that it is collided with in the embedding layer's world.
    pub fn add<'a>(
        &mut self,
        piece: &PieceView,
        mesh: &Mesh,
        cells: impl Iterator<Item = &'a OctreeLeaf>,
    ) {
        let start = self.bytes.len();
        write_count(&mut self.bytes, 0);
        piece.write(&mut self.bytes, &mut self.cuts, mesh);
        for cell in cells {
            self.bytes.extend(cell.hash.to_le_bytes());
            mesh_codec::write(&mut self.bytes, &cell.mesh);
        }
        let size = self.bytes.len() - start - 4;
        put(&mut self.bytes, start, size as u32);
        self.pieces += 1;
    }

    pub fn done(mut self) -> PieceSnapshots {
        put(&mut self.bytes, 8, self.pieces);
        self.cuts.write(&mut self.bytes);
        PieceSnapshots(self.bytes.into())
    }
}

fn put(bytes: &mut [u8], at: usize, number: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

/// A piece as it is, but for its meshes.
pub(crate) struct PieceView<'a> {
    pub line: &'a [PieceKind],
    pub anchored: bool,
    pub depth: u32,
    pub seed: u64,
    pub mass: &'a MassProperties,
    pub surface: Option<&'a ChunkedMesh>,
    pub stock: Option<&'a CutHistory>,
    pub colliders: &'a Colliders,
    pub hulls: HullCount,
}

impl PieceView<'_> {
    fn write(&self, out: &mut Vec<u8>, cuts: &mut CutTable, mesh: &Mesh) {
        write_count(out, self.line.len());
        for kind in self.line {
            write_kind(out, *kind);
        }
        out.push(u8::from(self.anchored));
        out.extend(self.depth.to_le_bytes());
        out.extend(self.seed.to_le_bytes());
        write_f64s(out, &[self.mass.volume]);
        write_f64s(out, &self.mass.center.to_array());
        write_f64s(out, &self.mass.moments.to_cols_array());
        mesh_codec::write(out, mesh);
        let parts = self.surface.map(ChunkedMesh::parts);
        surface_codec::write(out, parts.as_ref());
        cuts.write_stock(out, self.stock);
        collider_codec::write(out, (self.colliders, self.hulls), mesh, self.surface);
    }
}

impl SavedPiece {
    fn read(all: &Bytes, bytes: &mut ByteReader, mut mesh: Mesh) -> Result<Self, Malformed> {
        let line = (0..bytes.u32()?).map(|_| read_kind(bytes));
        let line = line.collect::<Result<_, _>>()?;
        let anchored = bytes.u8()? != 0;
        let (depth, seed) = (bytes.u32()?, bytes.u64()?);
        let mass = read_mass(bytes)?;
        let unread = bytes.0;
        mesh_codec::read_into(bytes, &mut mesh)?;
        let packed = EncodedMesh::read_from(all, unread, bytes);
        let surface = surface_codec::read(bytes, mesh.triangles.len())?;
        let breaks = cut_codec::read_stock(bytes)?;
        let chunks = surface.as_ref().map_or(0, |parts| parts.names.len());
        let colliders = collider_codec::read(bytes, &mesh, chunks)?;
        let mut cells = Vec::new();
        while !bytes.0.is_empty() {
            let (hash, mesh) = (bytes.u64()?, mesh_codec::read(bytes)?);
            cells.push(Arc::new(OctreeLeaf { mesh, hash }));
        }
        Ok(Self {
            line,
            anchored,
            depth,
            seed,
            mass,
            mesh,
            packed,
            surface,
            breaks,
            colliders,
            cells,
        })
    }
}

fn read_mass(bytes: &mut ByteReader) -> Result<MassProperties, Malformed> {
    let mass = MassProperties {
        volume: bytes.f64()?,
        center: DVec3::from_array(bytes.f64s()?),
        moments: DMat3::from_cols_array(&bytes.f64s()?),
    };
    let finite = mass.volume.is_finite() && mass.center.is_finite() && mass.moments.is_finite();
    finite.then_some(mass).ok_or(Malformed)
}

fn write_kind(out: &mut Vec<u8>, kind: PieceKind) {
    let (mark, [cell, part]) = match kind {
        PieceKind::Fragment { cell, part } => (FRAGMENT, [cell, part]),
        PieceKind::Island { part } => (ISLAND, [0, part]),
    };
    out.push(mark);
    out.extend([cell, part].map(u32::to_le_bytes).as_flattened());
}

fn read_kind(bytes: &mut ByteReader) -> Result<PieceKind, Malformed> {
    let mark = bytes.u8()?;
    let [cell, part] = [bytes.u32()?, bytes.u32()?];
    match mark {
        FRAGMENT => Ok(PieceKind::Fragment { cell, part }),
        ISLAND => Ok(PieceKind::Island { part }),
        _ => Err(Malformed),
    }
}

impl PieceSnapshots {
    /// What was written, as it was.
    pub(crate) fn from_bytes(bytes: Bytes) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// What is in it, without the pieces.
    pub(crate) fn contents(&self) -> Result<SnapshotIndex, Malformed> {
        let mut bytes = ByteReader(&self.0);
        if bytes.u64()? != MARK {
            return Err(Malformed);
        }
        let (count, crumbs) = (bytes.u32()?, bytes.f64()?);
        let facts = SourceInfo::read(&mut bytes)?;
        // No more than there can be, whatever the number says.
        let mut pieces = Vec::with_capacity((count as usize).min(bytes.0.len() / 4));
        for _ in 0..count {
            let size = bytes.u32()? as usize;
            let start = self.0.len() - bytes.0.len();
            bytes.take(size)?;
            pieces.push(start..start + size);
        }
        let cuts = cut_codec::read(&mut bytes)?;
        Ok(SnapshotIndex {
            crumbs,
            facts,
            pieces,
            cuts,
        })
    }

    /// One of its pieces, with a mesh in the place of what is in `scratch`.
    pub(crate) fn piece(
        &self,
        place: Range<usize>,
        scratch: Mesh,
    ) -> Result<SavedPiece, Malformed> {
        let bytes = self.0.get(place).ok_or(Malformed)?;
        SavedPiece::read(&self.0, &mut ByteReader(bytes), scratch)
    }
}

/// What is kept of a body.
pub(crate) struct SnapshotIndex {
    /// How much of the body has become crumbs, m^3.
    pub crumbs: f64,
    pub facts: SourceInfo,
    /// Where each piece is.
    pub pieces: Vec<Range<usize>>,
    /// The breaks that pieces know of.
    pub cuts: Vec<SavedCut>,
}

impl fmt::Debug for PieceSnapshots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept({} bytes)", self.0.len())
    }
}
