//! How cut faces look.

use fracture_geometry::{CapMapping, CapStyle, Roughness, Solid};

use crate::error::BodyError;

/// Material slot, texture and bumps of the faces that breaks make.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InteriorFaces {
    /// Their surface (material slot); `None` is one of their own after the mesh's.
    pub surface: Option<u32>,
    /// Texture repeats per metre; `None` is as many as there are on the mesh.
    pub uv_scale: Option<f32>,
    /// How the texture is laid onto them.
    pub mapping: CapMapping,
    /// How far it is turned, counter-clockwise, radians.
    pub turn: f32,
    /// Their bumps.
    pub roughness: Roughness,
}

impl InteriorFaces {
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let Roughness { height, grain, .. } = self.roughness;
        let values = [
            ("texture scale of cut faces", self.uv_scale.unwrap_or(1.0)),
            ("texture turn of cut faces", self.turn),
            ("roughness of cut faces", height),
            ("grain of cut faces", grain),
        ];
        match values.into_iter().find(|(_, value)| !value.is_finite()) {
            Some((what, _)) => Err(BodyError::NotFinite { what }),
            None => Ok(()),
        }
    }

    /// The look on what is broken.
    pub(crate) fn style(&self, solid: &Solid) -> CapStyle {
        CapStyle {
            surface: self.surface.unwrap_or(solid.mesh().surface_count()),
            uv_scale: self.uv_scale.unwrap_or_else(|| solid.uv_density()),
            mapping: self.mapping,
            turn: self.turn,
        }
    }
}
