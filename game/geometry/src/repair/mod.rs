//! Meshes that are no solids, mended where no decision is needed: copies dropped, parts turned the
//! right side out, small holes closed. What cannot be mended may be broken as a shell.

mod holes;
mod orient;

use crate::check;
use crate::error::SolidError;
use crate::mesh::check_arrays;
use crate::mesh::mass::{self, MassProperties};
use crate::mesh::EdgeTopology;
use crate::mesh::Mesh;
use crate::solid::Solid;
use std::fmt;

/// What [`Solid::repaired`] may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepairOptions {
    /// Holes up to this size are closed: the diagonal of the border's box as a share of the mesh's.
    /// Slits may be longer: those that a thousandth of a square of this size fills. 0 closes none
    /// but slits without any area.
    pub hole: f64,
    /// The surface (material slot) of what closes a hole; `None` takes that of the neighbour along
    /// the longest edge. Other attributes are those of the border's own vertices.
    pub hole_surface: Option<u32>,
    /// The thickness in metres that a mesh which stays open has as a shell; `None` refuses it.
    pub shell: Option<f64>,
}

impl Default for RepairOptions {
    fn default() -> Self {
        Self {
            hole: 0.1,
            hole_surface: None,
            shell: Some(0.01),
        }
    }
}

/// What [`Solid::repaired`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Triangles dropped because they were there before.
    pub duplicates: usize,
    /// Triangles turned round.
    pub turned: usize,
    /// Holes closed.
    pub holes: usize,
    /// Triangles added for that.
    pub added: usize,
    /// Whether the mesh is still no solid, and is broken as a shell.
    pub shell: bool,
}

impl RepairReport {
    /// Whether the mesh was a solid as it came.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_none() {
            return f.write_str("nothing to repair");
        }
        let counts = [
            (self.duplicates, "doubled triangles dropped"),
            (self.turned, "triangles turned round"),
            (self.holes, "holes closed"),
        ];
        let done = counts.iter().filter(|(count, _)| *count > 0);
        let mut words: Vec<String> = done
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if self.shell {
            words.push("still open: broken as a shell, without cut faces".to_string());
        }
        f.write_str(&words.join(", "))
    }
}

impl Solid {
    /// Mends a mesh and prepares it. A mesh that [`Solid::new`] accepts is taken as it is, but for
    /// parts that are inside out.
    ///
    /// [`Solid::mesh`] is the mended mesh: vertices are those given, in their order; triangles may
    /// be fewer, more or turned.
    ///
    /// # Errors
    /// [`SolidError`] as from [`Solid::new`] when `repair` does not allow a shell, or as from
    /// [`Solid::shell`].
    pub fn repaired(
        mut mesh: Mesh,
        repair: &RepairOptions,
    ) -> Result<(Self, RepairReport), SolidError> {
        check_arrays(&mesh)?;
        let repairs = mend(&mut mesh, repair);
        let welded = EdgeTopology::new(&mesh);
        let places = || welded.places();
        let volume = MassProperties::of_triangles(places()).volume;
        let is_solid = is_closed(&welded) && volume > mass::rounding(places());
        match repair.shell.filter(|_| !is_solid) {
            Some(thickness) => {
                let shell = Self::shell(mesh, thickness)?;
                Ok((
                    shell,
                    RepairReport {
                        shell: true,
                        ..repairs
                    },
                ))
            }
            None => Ok((Self::new(mesh)?, repairs)),
        }
    }
}

fn mend(mesh: &mut Mesh, repair: &RepairOptions) -> RepairReport {
    let mut repairs = RepairReport::default();
    let is_open = !is_closed(&EdgeTopology::new(mesh));
    // In a closed mesh a copy may be needed: two parts that share a wall, doubled.
    if is_open {
        repairs.duplicates = drop_duplicates(mesh);
        repairs.turned = orient::alike(mesh);
        (repairs.holes, repairs.added) = holes::close(mesh, repair);
    }
    repairs.turned += orient::outwards(mesh);
    repairs
}

/// Whether every edge has as many triangles on one side as on the other.
fn is_closed(welded: &EdgeTopology) -> bool {
    welded
        .edges()
        .all(|edge| welded.excess(edge).next().is_none())
}

fn drop_duplicates(mesh: &mut Mesh) -> usize {
    let (_, duplicates) = check::flat_and_duplicates(&EdgeTopology::new(mesh));
    let mut index = 0;
    let mut keep = || {
        index += 1;
        duplicates.binary_search(&(index - 1)).is_err()
    };
    let kept: Vec<bool> = mesh.triangles.iter().map(|_| keep()).collect();
    let mut list = kept.iter().copied();
    mesh.triangles.retain(|_| list.next().unwrap_or(true));
    let mut list = kept.iter().copied();
    mesh.surfaces.retain(|_| list.next().unwrap_or(true));
    duplicates.len()
}
