//! The breaks that pieces know of as bytes, each once, and which pieces know which.

use std::collections::BTreeMap;
use std::sync::Arc;

use fracture_geometry::glam::{DMat3, DVec3};
use fracture_geometry::hulls::RemovedCells;
use fracture_geometry::{PieceKind, Placement};

use super::{read_kind, write_kind};
use crate::history::byte_io::{write_count, write_f64s, ByteReader, Malformed};
use crate::pieces::{Cut, CutHistory};

/// A break by its number, and what it made of a piece or of what that was a part of.
pub(crate) type SavedCutRef = (u32, PieceKind);

/// A break without its pattern.
pub(crate) struct SavedCut {
    /// Whether the pattern is a blade's and not the body's.
    pub blade: bool,
    pub placement: Placement,
    pub broken_out: RemovedCells,
}

/// The breaks that pieces know of, in the order in which they are first told.
#[derive(Default)]
pub(super) struct CutTable {
    all: Vec<Arc<Cut>>,
    /// Only looked up.
    numbers: BTreeMap<*const Cut, u32>,
}

impl CutTable {
    /// Writes what a piece was carved from, if that is known.
    pub fn write_stock(&mut self, out: &mut Vec<u8>, stock: Option<&CutHistory>) {
        out.push(u8::from(stock.is_some()));
        let Some(stock) = stock else {
            return;
        };
        write_count(out, stock.breaks.len());
        for (cut, kind) in &stock.breaks {
            out.extend(self.number(cut).to_le_bytes());
            write_kind(out, *kind);
        }
    }

    fn number(&mut self, cut: &Arc<Cut>) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(Arc::as_ptr(cut)).or_insert(next);
        if number == next {
            self.all.push(cut.clone());
        }
        number
    }

    /// Writes the breaks themselves.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_count(out, self.all.len());
        for cut in &self.all {
            out.push(u8::from(cut.blade));
            write_f64s(out, &cut.placement.linear.to_cols_array());
            write_f64s(out, &cut.placement.translation.to_array());
            let bounds = cut.broken_out.bounds.map(|corner| corner.to_array());
            write_f64s(out, bounds.as_flattened());
            write_count(out, cut.broken_out.cells.len());
            for cell in &cut.broken_out.cells {
                out.extend(cell.to_le_bytes());
            }
        }
    }
}

/// Reads what a piece was carved from.
pub(super) fn read_stock(bytes: &mut ByteReader) -> Result<Option<Vec<SavedCutRef>>, Malformed> {
    if bytes.u8()? == 0 {
        return Ok(None);
    }
    let count = bytes.u32()?;
    let breaks = (0..count).map(|_| Ok((bytes.u32()?, read_kind(bytes)?)));
    breaks.collect::<Result<_, _>>().map(Some)
}

/// Reads the breaks.
pub(super) fn read(bytes: &mut ByteReader) -> Result<Vec<SavedCut>, Malformed> {
    (0..bytes.u32()?).map(|_| read_cut(bytes)).collect()
}

fn read_cut(bytes: &mut ByteReader) -> Result<SavedCut, Malformed> {
    let blade = bytes.u8()? != 0;
    let placement = Placement {
        linear: DMat3::from_cols_array(&bytes.f64s()?),
        translation: DVec3::from_array(bytes.f64s()?),
    };
    let bounds = [
        DVec3::from_array(bytes.f64s()?),
        DVec3::from_array(bytes.f64s()?),
    ];
    let count = bytes.u32()?;
    let cells = (0..count).map(|_| bytes.u32());
    let cells = cells.collect::<Result<Vec<_>, _>>()?;
    let can_be = placement.linear.is_finite() && placement.translation.is_finite();
    can_be
        .then_some(SavedCut {
            blade,
            placement,
            broken_out: RemovedCells { cells, bounds },
        })
        .ok_or(Malformed)
}
