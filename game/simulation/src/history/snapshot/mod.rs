//! Snapshots: the living pieces of a broken body as bytes, with everything that the breaks have made of them.
//!
//! Layout: a mark, the number of pieces, the volume of dust, what pieces know of their source, the pieces, each
//! with its size in bytes before it, and the cuts that pieces refer to.

mod chunk_codec;
mod collider_codec;
mod cut_codec;
mod source_info;

pub(super) use collider_codec::{SavedCollider, SavedColliders};
pub(super) use cut_codec::{SavedCut, SavedCutRef};
pub(crate) use source_info::SourceInfo;

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use bytes::Bytes;
use fracture_geometry::glam::{DMat3, DVec3};
use fracture_geometry::piece_mesh::OctreeLeaf;
use fracture_geometry::{MassProperties, Mesh, PieceKind};

use crate::mesh_codec::{self, EncodedMesh};
use crate::pieces::{ChunkedMesh, ChunkedMeshParts, CutHistory};
use crate::pieces::{Colliders, HullCount};
use cut_codec::{read_kind, write_kind, CutTable};
use fracture_geometry::byte_io::{write_count, write_f64s, ByteReader, Malformed};

/// The first eight bytes of snapshots.
const MARK: u64 = u64::MAX - 1;

/// Position of the number of pieces, behind the mark.
const COUNT_AT: usize = 8;

/// Volumes of pieces, m^3: with any density they have a mass that physics can bear.
const VOLUMES: RangeInclusive<f64> = 1e-30..=1e18;

/// Most that the product of a rotation and its inverse differs from one.
const ROUNDING: f64 = 1e-6;

/// Snapshots of all living pieces of a broken body: their meshes, colliders and cut histories, about 5 kB a
/// piece. Their poses are in the [`BreakLog`](crate::save::BreakLog).
#[derive(Clone, PartialEq, Eq)]
pub struct PieceSnapshots(Bytes);

/// A piece that has been read from a snapshot.
pub(super) struct SavedPiece {
    /// Kinds of the pieces that it was a part of, oldest first, and its own kind last.
    pub kinds: Arc<[PieceKind]>,
    pub anchored: bool,
    /// Generation: how often its ancestors were broken.
    pub depth: u32,
    /// Seed of its breaks.
    pub seed: u64,
    pub mass: MassProperties,
    /// Long frame of the whole that it is a part of; `None` where that is the intact body.
    pub whole_frame: Option<DMat3>,
    pub mesh: Mesh,
    /// The same mesh as it was read.
    pub encoded_mesh: EncodedMesh,
    /// The chunked mesh of an island.
    pub chunked_mesh: Option<ChunkedMeshParts>,
    /// The cut history, if it is known.
    pub cuts: Option<Vec<SavedCutRef>>,
    /// Colliders in the debris world.
    pub colliders: SavedColliders,
    /// Parts of the mesh that the engine builds its colliders of.
    pub cells: Vec<Arc<OctreeLeaf>>,
}

/// A living piece that is to be written, without its meshes.
pub(super) struct PieceView<'a> {
    pub kinds: &'a [PieceKind],
    pub anchored: bool,
    pub depth: u32,
    pub seed: u64,
    pub mass: &'a MassProperties,
    /// Long frame of the whole that it is a part of.
    pub whole_frame: Option<DMat3>,
    pub chunked_mesh: Option<&'a ChunkedMesh>,
    pub cut_history: Option<&'a CutHistory>,
    /// `None` for provisional ones, which are not saved.
    pub colliders: Option<&'a Colliders>,
    pub hulls: HullCount,
}

/// Writes the pieces of a body, one after the other.
pub(super) struct SnapshotWriter {
    bytes: Vec<u8>,
    pieces: u32,
    cuts: CutTable,
    /// Of the intact body.
    long_frame: DMat3,
}

impl SnapshotWriter {
    /// `dust_volume` is the volume of the body that has become dust, m^3.
    pub fn new(dust_volume: f64, source: &SourceInfo) -> Self {
        let mut bytes = MARK.to_le_bytes().to_vec();
        write_count(&mut bytes, 0); // set by `finish`
        write_f64s(&mut bytes, &[dust_volume]);
        source.write(&mut bytes);
        Self {
            bytes,
            pieces: 0,
            cuts: CutTable::default(),
            long_frame: source.long_frame,
        }
    }

    /// Adds a piece with its mesh, and with the parts of which the engine builds its colliders.
    pub fn add<'a>(
        &mut self,
        piece: &PieceView,
        mesh: &Mesh,
        cells: impl Iterator<Item = &'a OctreeLeaf>,
    ) {
        let start = self.bytes.len();
        write_count(&mut self.bytes, 0); // the size, set below
        piece.write_properties(&mut self.bytes, self.long_frame);
        piece.write_meshes(&mut self.bytes, &mut self.cuts, mesh);
        for cell in cells {
            self.bytes.extend(cell.hash.to_le_bytes());
            mesh_codec::write(&mut self.bytes, &cell.mesh);
        }
        let size = self.bytes.len() - start - 4;
        overwrite(&mut self.bytes, start, size as u32);
        self.pieces += 1;
    }

    pub fn finish(mut self) -> PieceSnapshots {
        overwrite(&mut self.bytes, COUNT_AT, self.pieces);
        self.cuts.write(&mut self.bytes);
        PieceSnapshots(self.bytes.into())
    }
}

fn overwrite(bytes: &mut [u8], at: usize, number: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

impl PieceView<'_> {
    fn write_properties(&self, out: &mut Vec<u8>, long_frame: DMat3) {
        write_count(out, self.kinds.len());
        for kind in self.kinds {
            write_kind(out, *kind);
        }
        out.push(u8::from(self.anchored));
        out.extend(self.depth.to_le_bytes());
        out.extend(self.seed.to_le_bytes());
        write_f64s(out, &[self.mass.volume]);
        write_f64s(out, &self.mass.center.to_array());
        write_f64s(out, &self.mass.moments.to_cols_array());
        let other_frame = self.whole_frame.filter(|frame| *frame != long_frame);
        out.push(u8::from(other_frame.is_some()));
        if let Some(frame) = other_frame {
            write_f64s(out, &frame.to_cols_array());
        }
    }

    fn write_meshes(&self, out: &mut Vec<u8>, cuts: &mut CutTable, mesh: &Mesh) {
        mesh_codec::write(out, mesh);
        let chunks = self.chunked_mesh.map(ChunkedMesh::parts);
        chunk_codec::write(out, chunks.as_ref());
        cuts.write_history(out, self.cut_history);
        collider_codec::write(out, self.colliders, self.hulls, mesh, self.chunked_mesh);
    }
}

impl SavedPiece {
    /// Reads a piece from `reader`, which is a part of `all`. The mesh is read into the memory of `mesh`.
    fn read(all: &Bytes, reader: &mut ByteReader, mut mesh: Mesh) -> Result<Self, Malformed> {
        let kinds = (0..reader.u32()?).map(|_| read_kind(reader));
        let kinds = kinds.collect::<Result<_, _>>()?;
        let anchored = reader.u8()? != 0;
        let (depth, seed) = (reader.u32()?, reader.u64()?);
        let mass = read_mass(reader)?;
        let has_other_frame = reader.u8()? != 0;
        let whole_frame = has_other_frame.then(|| read_frame(reader)).transpose()?;
        let before_mesh = reader.0;
        mesh_codec::read_into(reader, &mut mesh)?;
        let encoded_mesh = EncodedMesh::between(all, before_mesh, reader);
        let chunked_mesh = chunk_codec::read(reader, mesh.triangles.len())?;
        let cuts = cut_codec::read_history(reader)?;
        let chunks = chunked_mesh.as_ref().map_or(0, |parts| parts.names.len());
        let colliders = collider_codec::read(reader, &mesh, chunks)?;
        let mut cells = Vec::new();
        while !reader.0.is_empty() {
            let (hash, mesh) = (reader.u64()?, mesh_codec::read(reader)?);
            cells.push(Arc::new(OctreeLeaf { mesh, hash }));
        }
        Ok(Self {
            kinds,
            anchored,
            depth,
            seed,
            mass,
            whole_frame,
            mesh,
            encoded_mesh,
            chunked_mesh,
            cuts,
            colliders,
            cells,
        })
    }
}

fn read_mass(reader: &mut ByteReader) -> Result<MassProperties, Malformed> {
    let mass = MassProperties {
        volume: reader.f64()?,
        center: DVec3::from_array(reader.f64s()?),
        moments: DMat3::from_cols_array(&reader.f64s()?),
    };
    let is_volume = VOLUMES.contains(&mass.volume);
    let is_mass = is_volume && mass.center.is_finite() && mass.moments.is_finite();
    is_mass.then_some(mass).ok_or(Malformed)
}

/// Reads the axes of a frame.
fn read_frame(reader: &mut ByteReader) -> Result<DMat3, Malformed> {
    let frame = DMat3::from_cols_array(&reader.f64s()?);
    let difference = frame * frame.transpose() - DMat3::IDENTITY;
    let is_rotation = difference.abs_diff_eq(DMat3::ZERO, ROUNDING) && frame.determinant() > 0.0;
    is_rotation.then_some(frame).ok_or(Malformed)
}

/// The content of snapshots, with the pieces not read yet.
pub(crate) struct SnapshotIndex {
    /// Volume of the body that has become dust, m^3.
    pub dust_volume: f64,
    pub info: SourceInfo,
    /// Positions of the pieces.
    pub pieces: Vec<Range<usize>>,
    /// The cuts that pieces refer to.
    pub cuts: Vec<SavedCut>,
}

impl PieceSnapshots {
    /// Takes over bytes of an earlier [`PieceSnapshots::bytes`]; they are checked when they are read.
    pub(super) fn from_bytes(bytes: Bytes) -> Self {
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads everything but the pieces.
    pub(super) fn index(&self) -> Result<SnapshotIndex, Malformed> {
        let mut reader = ByteReader(&self.0);
        if reader.u64()? != MARK {
            return Err(Malformed);
        }
        let (count, dust_volume) = (reader.u32()?, reader.f64()?);
        // Crumbs that are inside out count as less than nothing.
        if !(0.0..=*VOLUMES.end()).contains(&dust_volume.abs()) {
            return Err(Malformed);
        }
        let info = SourceInfo::read(&mut reader)?;
        // The count may be anything; there cannot be more pieces than the bytes have room for.
        let mut pieces = Vec::with_capacity((count as usize).min(reader.0.len() / 4));
        for _ in 0..count {
            let size = reader.u32()? as usize;
            let start = self.0.len() - reader.0.len();
            reader.take(size)?;
            pieces.push(start..start + size);
        }
        let cuts = cut_codec::read(&mut reader)?;
        Ok(SnapshotIndex {
            dust_volume,
            info,
            pieces,
            cuts,
        })
    }

    /// Reads a piece. Its mesh is read into the memory of `mesh`, whose content is lost.
    pub(super) fn piece(&self, range: Range<usize>, mesh: Mesh) -> Result<SavedPiece, Malformed> {
        let bytes = self.0.get(range).ok_or(Malformed)?;
        SavedPiece::read(&self.0, &mut ByteReader(bytes), mesh)
    }
}

impl fmt::Debug for PieceSnapshots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PieceSnapshots({} bytes)", self.0.len())
    }
}
