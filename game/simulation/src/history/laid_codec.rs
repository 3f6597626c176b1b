//! The bytes of patterns as they were laid on a body: how fine, and where.

use fracture_geometry::byte_io::{write_f64s, ByteReader, Malformed};
use fracture_geometry::Placement;
use glam::{DMat3, DVec3};

use crate::pieces::PatternDetail;

pub(super) fn write_laid(out: &mut Vec<u8>, detail: PatternDetail, placement: &Placement) {
    out.extend([detail.octaves, detail.halvings]);
    write_f64s(out, &placement.linear.to_cols_array());
    write_f64s(out, &placement.translation.to_array());
}

pub(super) fn read_laid(reader: &mut ByteReader) -> Result<(PatternDetail, Placement), Malformed> {
    let detail = PatternDetail {
        octaves: reader.u8()?,
        halvings: reader.u8()?,
    };
    let placement = Placement {
        linear: DMat3::from_cols_array(&reader.f64s()?),
        translation: DVec3::from_array(reader.f64s()?),
    };
    let is_finite = placement.linear.is_finite() && placement.translation.is_finite();
    is_finite.then_some((detail, placement)).ok_or(Malformed)
}
