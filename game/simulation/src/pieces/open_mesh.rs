//! What is done about meshes that are not closed.

use fracture_geometry::{Mesh, RepairOptions, Solid, SolidError};

/// What is done about a mesh that is not closed. A closed one is broken as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum OpenMeshPolicy {
    /// Nothing: it cannot break.
    #[default]
    Refuse,
    /// Small holes are closed, triangles turned, doubled ones dropped: see [`Solid::repaired`]. What
    /// is still open cannot break.
    Repair,
    /// It breaks as a sheet without cut faces: see [`Solid::shell`].
    Shell {
        /// Metres.
        thickness: f64,
    },
}

impl OpenMeshPolicy {
    /// Prepares a mesh.
    pub(crate) fn solid(self, mesh: Mesh) -> Result<Solid, SolidError> {
        match self {
            Self::Refuse => Solid::new(mesh),
            Self::Repair => {
                let repair = RepairOptions {
                    shell_thickness: None,
                    ..RepairOptions::default()
                };
                Ok(Solid::repaired(mesh, &repair)?.0)
            }
            Self::Shell { thickness } => match Solid::new(mesh.clone()) {
                Err(SolidError::NotClosed { .. } | SolidError::NoVolume { .. }) => {
                    Solid::shell(mesh, thickness)
                }
                other => other,
            },
        }
    }
}
