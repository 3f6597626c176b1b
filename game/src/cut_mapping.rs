//! How an artist wants textures on cut faces.

use fracture_simulation::geometry::CapMapping;
use fyrox::core::{reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*};
use strum_macros::{AsRefStr, EnumString, VariantNames};

/// How a texture is laid onto cut faces.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "8d6c1a57-52f1-4f0e-9d0e-31b6f7a2c940")]
pub enum CutMapping {
    /// In the plane of each face: nothing is stretched.
    #[default]
    Planar,
    /// From the sides of the object's box: the texture runs on from face to face.
    Box,
}

impl From<CutMapping> for CapMapping {
    fn from(mapping: CutMapping) -> Self {
        match mapping {
            CutMapping::Planar => Self::Planar,
            CutMapping::Box => Self::Box,
        }
    }
}
