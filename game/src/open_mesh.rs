//! What an artist wants done about a mesh that is not closed.

use fracture_geometry::SolidError;
use fracture_simulation::{BreakFailure, OpenMeshPolicy};
use fyrox::core::{reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*};
use strum_macros::{AsRefStr, EnumString, VariantNames};

/// What is done about a mesh that is not closed. A closed one breaks as it is in any case.
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
#[type_uuid(id = "b1f0a9d6-7a51-4c0d-8f1e-5f3f6f2c7e14")]
pub enum OpenMesh {
    /// It does not break; a fault says where it is open.
    #[default]
    Refuse,
    /// Holes up to a tenth of its size are closed, triangles that face the wrong way are turned,
    /// doubled ones dropped. What is still open then does not break.
    Repair,
    /// It breaks as a sheet, as of tin or cloth: along the same cells, but without cut faces.
    Shell,
}

impl OpenMesh {
    /// The same for the simulation; a shell is so thick, metres.
    pub(crate) fn opening(self, thickness: f32) -> OpenMeshPolicy {
        match self {
            Self::Refuse => OpenMeshPolicy::Refuse,
            Self::Repair => OpenMeshPolicy::Repair,
            Self::Shell => OpenMeshPolicy::Shell {
                thickness: f64::from(thickness),
            },
        }
    }

    /// What else can be done about a mesh that is not closed, in the words of the script's fields.
    pub(crate) fn remedy(self, reason: &BreakFailure) -> &'static str {
        match (reason, self) {
            (BreakFailure::Solid(SolidError::NotClosed { .. }), Self::Refuse) => {
                "; or set its Open Mesh to Repair, or to Shell when it is meant to be a sheet"
            }
            (BreakFailure::Solid(SolidError::NotClosed { .. }), Self::Repair) => {
                "; its holes are too large for Repair: set its Open Mesh to Shell when it is meant \
                 to be a sheet"
            }
            (BreakFailure::Solid(SolidError::NoVolume { .. }), _) => {
                "; or set its Open Mesh to Shell when it is meant to be a sheet"
            }
            (BreakFailure::Solid(SolidError::Thickness { .. }), _) => {
                "; set its Shell Thickness, in metres"
            }
            _ => "",
        }
    }
}
