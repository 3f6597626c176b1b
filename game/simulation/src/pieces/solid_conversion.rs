//! How a mesh becomes a solid, in steps that can be left: closed ones as they are, open ones by a policy.

use std::sync::Arc;

use fracture_geometry::check::check_closed;
use fracture_geometry::repair::RepairOptions;
use fracture_geometry::steps::pause;
use fracture_geometry::{Mesh, Solid, SolidError};
use glam::DMat3;

/// Mends a mesh that is open because of rounding.
pub type MendMesh = fn(&mut Mesh);

/// A mesh that had to be mended, as it is then.
pub(super) type MendedMesh = Option<Arc<Mesh>>;

/// How the mesh becomes a solid.
#[derive(Clone, Copy, Default)]
pub(super) struct SolidConversion {
    pub open_mesh: OpenMeshPolicy,
    /// Thickness of the sheet that this is a piece of.
    pub sheet_thickness: Option<f64>,
    /// Long frame of the whole that this is a part of.
    pub whole_frame: Option<DMat3>,
    /// For meshes that are open because of rounding.
    pub mend: Option<MendMesh>,
}

impl SolidConversion {
    /// Makes the solid of a mesh, in steps.
    pub async fn solid(self, mesh: Arc<Mesh>) -> (Result<Solid, SolidError>, MendedMesh) {
        let (solid, mended) = self.solid_of_no_whole(mesh).await;
        let solid = solid.map(|solid| match self.whole_frame {
            Some(frame) => solid.as_part_of(frame),
            None => solid,
        });
        (solid, mended)
    }

    async fn solid_of_no_whole(self, mesh: Arc<Mesh>) -> (Result<Solid, SolidError>, MendedMesh) {
        if let Some(thickness) = self.sheet_thickness {
            let solid = Solid::in_steps(Mesh::clone(&mesh), Some(thickness));
            return (solid.await, None);
        }
        let Some(mend) = self.mend else {
            return (self.open_mesh.solid(Mesh::clone(&mesh)).await, None);
        };
        let is_open = if self.open_mesh == OpenMeshPolicy::Refuse {
            // Nearly all are closed, which the solid tells when it is made.
            let solid = Solid::in_steps(Mesh::clone(&mesh), None).await;
            let Err(SolidError::NotClosed { .. }) = solid else {
                return (solid, None);
            };
            true
        } else {
            !check_closed(&mesh).is_closed()
        };
        pause().await;
        let mended = is_open.then(|| {
            let mut mesh = Mesh::clone(&mesh);
            mend(&mut mesh);
            Arc::new(mesh)
        });
        pause().await;
        let mesh = Mesh::clone(mended.as_ref().unwrap_or(&mesh));
        (self.open_mesh.solid(mesh).await, mended)
    }
}

/// Treatment of a mesh that is not closed. A closed mesh is broken as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum OpenMeshPolicy {
    /// No treatment: an open mesh cannot break.
    #[default]
    Refuse,
    /// Small holes are closed, triangles turned, doubled ones dropped: see [`Solid::repaired`]. A mesh
    /// that is still open cannot break.
    Repair,
    /// An open mesh breaks as a sheet without cut faces: see [`Solid::shell`].
    Shell {
        /// Metres.
        thickness: f64,
    },
}

impl OpenMeshPolicy {
    /// Makes the solid of a mesh, in steps.
    async fn solid(self, mesh: Mesh) -> Result<Solid, SolidError> {
        match self {
            Self::Refuse => Solid::in_steps(mesh, None).await,
            Self::Repair => {
                let options = RepairOptions {
                    shell_thickness: None,
                    ..RepairOptions::default()
                };
                Ok(Solid::repaired(mesh, &options)?.0)
            }
            Self::Shell { thickness } => match Solid::in_steps(mesh.clone(), None).await {
                Err(SolidError::NotClosed { .. } | SolidError::NoVolume { .. }) => {
                    Solid::in_steps(mesh, Some(thickness)).await
                }
                result => result,
            },
        }
    }
}
