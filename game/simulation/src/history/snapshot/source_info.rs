//! What pieces have to know of the body that they were.

use fracture_geometry::Solid;
use glam::{DVec3, Vec3};

use crate::history::byte_io::{write_f32s, write_f64s, ByteReader, Malformed};

/// A whole body, as far as its pieces need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SourceInfo {
    /// m^3
    pub volume: f64,
    /// Centre of mass, body space.
    pub center: DVec3,
    /// Body space.
    pub bounds: [Vec3; 2],
    /// The surface that cut faces have.
    pub cap_surface: u32,
    /// Metres, of a sheet.
    pub thickness: Option<f64>,
}

impl SourceInfo {
    pub fn of(solid: &Solid, cap_surface: u32) -> Self {
        let mass = solid.mass();
        Self {
            volume: mass.volume,
            center: mass.center,
            bounds: solid.bounds().map(|corner| corner.as_vec3()),
            cap_surface,
            thickness: solid.thickness(),
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        write_f64s(out, &[self.volume]);
        write_f64s(out, &self.center.to_array());
        write_f32s(
            out,
            self.bounds.map(|corner| corner.to_array()).as_flattened(),
        );
        out.extend(self.cap_surface.to_le_bytes());
        write_f64s(out, &[self.thickness.unwrap_or_default()]);
    }

    pub(super) fn read(bytes: &mut ByteReader) -> Result<Self, Malformed> {
        let facts = Self {
            volume: bytes.f64()?,
            center: DVec3::from_array(bytes.f64s()?),
            bounds: [bytes.place()?, bytes.place()?],
            cap_surface: bytes.u32()?,
            thickness: Some(bytes.f64()?).filter(|thickness| *thickness != 0.0),
        };
        let can_be = |thickness: f64| thickness > 0.0 && thickness.is_finite();
        let finite = facts.volume.is_finite() && facts.center.is_finite();
        let can_be = finite && facts.thickness.is_none_or(can_be);
        can_be.then_some(facts).ok_or(Malformed)
    }
}
