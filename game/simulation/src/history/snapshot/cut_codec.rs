//! Cut histories of pieces as bytes: a table with each cut once, and which pieces refer to which cuts.

use std::collections::BTreeMap;
use std::sync::Arc;

use fracture_geometry::glam::DVec3;
use fracture_geometry::hulls::RemovedCells;
use fracture_geometry::{Aabb, PieceKind, Placement};

use crate::history::laid_codec::{read_laid, write_laid};
use crate::pieces::{Cut, CutBy, CutHistory, PatternDetail};
use fracture_geometry::byte_io::{write_count, write_f64s, ByteReader, Malformed};

const FRAGMENT: u8 = 0;
const ISLAND: u8 = 1;

const BY_PATTERN: u8 = 0;
const BY_BLADE: u8 = 1;
const BY_KERF: u8 = 2;

/// Index of a cut in the table, and the kind of piece that it made of the piece or of an ancestor.
pub(crate) type SavedCutRef = (u32, PieceKind);

/// A cut without its pattern.
pub(crate) struct SavedCut {
    pub by: CutBy,
    pub detail: PatternDetail,
    pub placement: Placement,
    pub removed_cells: RemovedCells,
}

/// The cuts that pieces refer to, in the order of the first reference.
#[derive(Default)]
pub(super) struct CutTable {
    cuts: Vec<Arc<Cut>>,
    /// Index by address. It is looked up only and never iterated, so addresses do not influence the bytes.
    indices: BTreeMap<*const Cut, u32>,
}

impl CutTable {
    /// Writes the cut history of a piece, if it is known.
    pub fn write_history(&mut self, out: &mut Vec<u8>, history: Option<&CutHistory>) {
        out.push(u8::from(history.is_some()));
        let Some(history) = history else {
            return;
        };
        write_count(out, history.cuts.len());
        for (cut, kind) in &history.cuts {
            out.extend(self.index(cut).to_le_bytes());
            write_kind(out, *kind);
        }
    }

    fn index(&mut self, cut: &Arc<Cut>) -> u32 {
        let next = self.cuts.len() as u32;
        let index = *self.indices.entry(Arc::as_ptr(cut)).or_insert(next);
        if index == next {
            self.cuts.push(cut.clone());
        }
        index
    }

    /// Writes the cuts themselves.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_count(out, self.cuts.len());
        for cut in &self.cuts {
            let by = match cut.by {
                CutBy::Pattern => BY_PATTERN,
                CutBy::Blade => BY_BLADE,
                CutBy::Kerf => BY_KERF,
            };
            out.push(by);
            write_laid(out, cut.pattern.detail, &cut.placement);
            let bounds = cut.removed.bounds.corners().map(|corner| corner.to_array());
            write_f64s(out, bounds.as_flattened());
            write_count(out, cut.removed.cells.len());
            for cell in &cut.removed.cells {
                out.extend(cell.to_le_bytes());
            }
        }
    }
}

/// Reads the cut history of a piece.
pub(super) fn read_history(reader: &mut ByteReader) -> Result<Option<Vec<SavedCutRef>>, Malformed> {
    if reader.u8()? == 0 {
        return Ok(None);
    }
    let count = reader.u32()?;
    let cuts = (0..count).map(|_| Ok((reader.u32()?, read_kind(reader)?)));
    cuts.collect::<Result<_, _>>().map(Some)
}

/// Reads the table.
pub(super) fn read(reader: &mut ByteReader) -> Result<Vec<SavedCut>, Malformed> {
    (0..reader.u32()?).map(|_| read_cut(reader)).collect()
}

fn read_cut(reader: &mut ByteReader) -> Result<SavedCut, Malformed> {
    let by = match reader.u8()? {
        BY_PATTERN => CutBy::Pattern,
        BY_BLADE => CutBy::Blade,
        BY_KERF => CutBy::Kerf,
        _ => return Err(Malformed),
    };
    let (detail, placement) = read_laid(reader)?;
    let bounds = Aabb {
        min: DVec3::from_array(reader.f64s()?),
        max: DVec3::from_array(reader.f64s()?),
    };
    let count = reader.u32()?;
    let cells = (0..count).map(|_| reader.u32());
    let cells = cells.collect::<Result<Vec<_>, _>>()?;
    Ok(SavedCut {
        by,
        detail,
        placement,
        removed_cells: RemovedCells { cells, bounds },
    })
}

/// Writes the kind of a piece.
pub(super) fn write_kind(out: &mut Vec<u8>, kind: PieceKind) {
    let (mark, [cell, part]) = match kind {
        PieceKind::Fragment { cell, part } => (FRAGMENT, [cell, part]),
        PieceKind::Island { part } => (ISLAND, [0, part]),
    };
    out.push(mark);
    out.extend([cell, part].map(u32::to_le_bytes).as_flattened());
}

/// Reads the kind of a piece.
pub(super) fn read_kind(reader: &mut ByteReader) -> Result<PieceKind, Malformed> {
    let mark = reader.u8()?;
    let [cell, part] = [reader.u32()?, reader.u32()?];
    match mark {
        FRAGMENT => Ok(PieceKind::Fragment { cell, part }),
        ISLAND => Ok(PieceKind::Island { part }),
        _ => Err(Malformed),
    }
}
