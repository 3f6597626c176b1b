//! Mass and bounds of the source body, which its pieces need.

use fracture_geometry::Solid;
use glam::{DMat3, DVec3, Vec3};

use fracture_geometry::byte_io::{write_f32s, write_f64s, ByteReader, Malformed};

use super::{read_frame, VOLUMES};
use crate::types::MAX_FIGURE;

/// The properties of an intact body that its pieces need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SourceInfo {
    /// Volume, m^3.
    pub volume: f64,
    /// Centre of mass, body space.
    pub center: DVec3,
    /// Lowest and highest corner, body space.
    pub bounds: [Vec3; 2],
    /// Surface index of interior faces.
    pub cap_surface: u32,
    /// Thickness of a sheet, metres; `None` for a closed body.
    pub thickness: Option<f64>,
    /// Number of triangles.
    pub triangles: u32,
    /// [`Solid::long_frame`].
    pub long_frame: DMat3,
}

impl SourceInfo {
    pub fn new(solid: &Solid, cap_surface: u32) -> Self {
        let mass = solid.mass();
        Self {
            volume: mass.volume,
            center: mass.center,
            bounds: solid.bounds().as_vec3(),
            cap_surface,
            thickness: solid.thickness(),
            triangles: solid.triangle_count() as u32,
            long_frame: solid.long_frame(),
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        write_f64s(out, &[self.volume]);
        write_f64s(out, &self.center.to_array());
        let bounds = self.bounds.map(|corner| corner.to_array());
        write_f32s(out, bounds.as_flattened());
        out.extend(self.cap_surface.to_le_bytes());
        write_f64s(out, &[self.thickness.unwrap_or_default()]);
        out.extend(self.triangles.to_le_bytes());
        write_f64s(out, &self.long_frame.to_cols_array());
    }

    pub(super) fn read(reader: &mut ByteReader) -> Result<Self, Malformed> {
        let info = Self {
            volume: reader.f64()?,
            center: DVec3::from_array(reader.f64s()?),
            bounds: [reader.point()?, reader.point()?],
            cap_surface: reader.u32()?,
            thickness: Some(reader.f64()?).filter(|thickness| *thickness != 0.0),
            triangles: reader.u32()?,
            long_frame: read_frame(reader)?,
        };
        let [low, high] = info.bounds;
        let is_near = info.center.abs().max_element() <= f64::from(MAX_FIGURE);
        let is_thickness = |thickness: f64| thickness > 0.0 && thickness.is_finite();
        let is_valid = VOLUMES.contains(&info.volume)
            && info.center.is_finite()
            && is_near
            && low.cmple(high).all()
            && info.thickness.is_none_or(is_thickness);
        is_valid.then_some(info).ok_or(Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> SourceInfo {
        SourceInfo {
            volume: 2.0,
            center: DVec3::new(0.1, 0.2, 0.3),
            bounds: [Vec3::NEG_ONE, Vec3::ONE],
            cap_surface: 1,
            thickness: Some(0.01),
            triangles: 12,
            long_frame: DMat3::IDENTITY,
        }
    }

    fn read_again(info: SourceInfo) -> Result<SourceInfo, Malformed> {
        let mut bytes = Vec::new();
        info.write(&mut bytes);
        SourceInfo::read(&mut ByteReader(&bytes))
    }

    #[test]
    fn figures_that_no_body_has_are_refused() {
        assert!(read_again(info()).is_ok_and(|read| read == info()));
        let changes: [fn(&mut SourceInfo); 9] = [
            |info| info.volume = f64::NAN,
            |info| info.volume = -2.0,
            |info| info.volume = 1e300,
            |info| info.center.y = 1e300,
            |info| info.bounds.swap(0, 1),
            |info| info.bounds[1].x = f32::INFINITY,
            |info| info.thickness = Some(-0.01),
            |info| info.long_frame.x_axis.y = f64::NAN,
            |info| info.long_frame.x_axis *= -1.0,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = info();
            change(&mut changed);
            assert!(read_again(changed).is_err(), "change {number}");
        }
    }
}
