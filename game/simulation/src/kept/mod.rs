//! The living pieces of a broken body as bytes: all that the breaks have made of it.

mod meshes;
mod shapes;

use std::fmt;
use std::sync::Arc;

use fracture_geometry::glam::{DMat3, DVec3};
use fracture_geometry::{Mass, Mesh, MeshCell, PieceKind};
use rapier3d::parry::shape::SharedShape;

use crate::debris::{Built, HullCount};
use crate::numbers::{write_count, write_f64s, Reader, Unreadable};

const FRAGMENT: u8 = 0;
const ISLAND: u8 = 1;

/// What is left of a broken body, so that nothing needs to be broken again to have it: its pieces'
/// meshes and hulls, some 5 kB each. Where they are is in the [`Past`](crate::Past).
#[derive(Clone, PartialEq, Eq)]
pub struct Kept(Arc<Vec<u8>>);

/// A piece as it was made.
pub(crate) struct KeptPiece {
    /// What it is, and before that what those were that it was a part of.
    pub line: Arc<[PieceKind]>,
    pub anchored: bool,
    /// How often those were broken.
    pub depth: u32,
    /// Where the spin of its breaks comes from.
    pub seed: u64,
    pub mass: Mass,
    pub mesh: Mesh,
    /// In the debris world.
    pub collider: SharedShape,
    pub hulls: HullCount,
    /// In the embedding layer's world.
    pub cells: Vec<Arc<MeshCell>>,
}

/// Writes pieces one after the other.
pub(crate) struct Keeper {
    bytes: Vec<u8>,
    pieces: u32,
}

impl Keeper {
    /// For a body of which so much has become crumbs, m^3.
    pub fn new(crumbs: f64) -> Self {
        let mut bytes = Vec::new();
        write_f64s(&mut bytes, &[crumbs]);
        write_count(&mut bytes, 0);
        Self { bytes, pieces: 0 }
    }

    /// Adds a piece: its mesh, and the parts that it is collided with in the embedding layer's world.
    pub fn add<'a>(
        &mut self,
        piece: &LivingPiece,
        mesh: &Mesh,
        cells: impl Iterator<Item = &'a MeshCell>,
    ) {
        let start = self.bytes.len();
        write_count(&mut self.bytes, 0);
        piece.write(&mut self.bytes, mesh);
        for cell in cells {
            self.bytes.extend(cell.hash.to_le_bytes());
            meshes::write(&mut self.bytes, &cell.mesh);
        }
        let size = self.bytes.len() - start - 4;
        put(&mut self.bytes, start, size as u32);
        self.pieces += 1;
    }

    pub fn done(mut self) -> Kept {
        put(&mut self.bytes, 8, self.pieces);
        Kept(Arc::new(self.bytes))
    }
}

fn put(bytes: &mut [u8], at: usize, number: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

/// A piece as it is, but for its meshes.
pub(crate) struct LivingPiece<'a> {
    pub line: &'a [PieceKind],
    pub anchored: bool,
    pub depth: u32,
    pub seed: u64,
    pub mass: &'a Mass,
    pub collider: &'a SharedShape,
    pub hulls: HullCount,
}

impl LivingPiece<'_> {
    fn write(&self, out: &mut Vec<u8>, mesh: &Mesh) {
        write_count(out, self.line.len());
        for kind in self.line {
            let (mark, [cell, part]) = match *kind {
                PieceKind::Fragment { cell, part } => (FRAGMENT, [cell, part]),
                PieceKind::Island { part } => (ISLAND, [0, part]),
            };
            out.push(mark);
            out.extend([cell, part].map(u32::to_le_bytes).as_flattened());
        }
        out.push(u8::from(self.anchored));
        out.extend(self.depth.to_le_bytes());
        out.extend(self.seed.to_le_bytes());
        write_f64s(out, &[self.mass.volume]);
        write_f64s(out, &self.mass.center.to_array());
        write_f64s(out, &self.mass.moments.to_cols_array());
        meshes::write(out, mesh);
        shapes::write(out, self.collider, self.hulls, mesh);
    }
}

impl KeptPiece {
    fn read(bytes: &mut Reader) -> Result<Self, Unreadable> {
        let line = (0..bytes.u32()?).map(|_| read_kind(bytes));
        let line = line.collect::<Result<_, _>>()?;
        let anchored = bytes.u8()? != 0;
        let (depth, seed) = (bytes.u32()?, bytes.u64()?);
        let mass = read_mass(bytes)?;
        let mesh = meshes::read(bytes)?;
        let Built { shape, hulls } = shapes::read(bytes, &mesh)?;
        let mut cells = Vec::new();
        while !bytes.0.is_empty() {
            let (hash, mesh) = (bytes.u64()?, meshes::read(bytes)?);
            cells.push(Arc::new(MeshCell { mesh, hash }));
        }
        Ok(Self {
            line,
            anchored,
            depth,
            seed,
            mass,
            mesh,
            collider: shape,
            hulls,
            cells,
        })
    }
}

fn read_mass(bytes: &mut Reader) -> Result<Mass, Unreadable> {
    let mass = Mass {
        volume: bytes.f64()?,
        center: DVec3::from_array(bytes.f64s()?),
        moments: DMat3::from_cols_array(&bytes.f64s()?),
    };
    let finite = mass.volume.is_finite() && mass.center.is_finite() && mass.moments.is_finite();
    finite.then_some(mass).ok_or(Unreadable)
}

fn read_kind(bytes: &mut Reader) -> Result<PieceKind, Unreadable> {
    let mark = bytes.u8()?;
    let [cell, part] = [bytes.u32()?, bytes.u32()?];
    match mark {
        FRAGMENT => Ok(PieceKind::Fragment { cell, part }),
        ISLAND => Ok(PieceKind::Island { part }),
        _ => Err(Unreadable),
    }
}

impl Kept {
    /// What was written, as it was.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        Self(Arc::new(bytes.to_vec()))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// How much of the body has become crumbs, m^3, and its pieces, each of which can be read by itself.
    pub(crate) fn pieces(&self) -> Result<(f64, Vec<KeptBytes<'_>>), Unreadable> {
        let mut bytes = Reader(&self.0);
        let crumbs = bytes.f64()?;
        let mut pieces = Vec::new();
        for _ in 0..bytes.u32()? {
            let size = bytes.u32()? as usize;
            pieces.push(KeptBytes(bytes.take(size)?));
        }
        Ok((crumbs, pieces))
    }
}

/// A piece that has not been read yet.
pub(crate) struct KeptBytes<'a>(&'a [u8]);

impl KeptBytes<'_> {
    pub fn read(&self) -> Result<KeptPiece, Unreadable> {
        KeptPiece::read(&mut Reader(self.0))
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept({} bytes)", self.0.len())
    }
}
