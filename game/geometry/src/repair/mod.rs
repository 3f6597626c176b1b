//! Repair of meshes that are not closed: duplicates dropped, triangles oriented, small holes filled.
//!
//! Only repairs that need no decision are made. A mesh that stays open may be broken as a shell.
//!
//! ```
//! use fracture_geometry::repair::RepairOptions;
//! use fracture_geometry::{Mesh, Solid};
//!
//! let mut mesh = Mesh::sphere(1.0, 24, 12);
//! mesh.triangles.remove(100);
//! let (solid, report) = Solid::repaired(mesh, &RepairOptions::default())?;
//! assert_eq!(report.filled_holes, 1);
//! assert!(!solid.is_shell());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod holes;
mod orient;

use crate::check;
use crate::error::SolidError;
use crate::mesh::mass::{self, MassProperties};
use crate::mesh::{check_arrays, EdgeTopology, Mesh};
use std::fmt;

/// Limits of [`Solid::repaired`](crate::Solid::repaired).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepairOptions {
    /// Largest hole that is filled: the diagonal of the boundary loop's box as a fraction of the
    /// mesh's. Longer slits are filled too if their filling is below a thousandth of a square of this
    /// size. At 0 only slits without area are filled.
    pub max_hole: f64,
    /// Surface (material slot) of filled holes; `None` takes that of the neighbour along the longest
    /// edge. Other attributes are those of the loop's own vertices.
    pub hole_surface: Option<u32>,
    /// Thickness in metres of the shell that a mesh becomes which stays open; `None` refuses it.
    pub shell_thickness: Option<f64>,
}

impl Default for RepairOptions {
    fn default() -> Self {
        Self {
            max_hole: 0.1,
            hole_surface: None,
            shell_thickness: Some(0.01),
        }
    }
}

/// Changes that [`Solid::repaired`](crate::Solid::repaired) made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Triangles dropped because an earlier one has the same corners.
    pub dropped_duplicates: usize,
    /// Triangles whose orientation was reversed.
    pub flipped: usize,
    /// Holes filled.
    pub filled_holes: usize,
    /// Triangles added to fill holes.
    pub added_triangles: usize,
    /// Whether the mesh is still open and became a shell.
    pub is_shell: bool,
}

impl RepairReport {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing to repair");
        }
        let counts = [
            (self.dropped_duplicates, "doubled triangles dropped"),
            (self.flipped, "triangles turned round"),
            (self.filled_holes, "holes closed"),
        ];
        let repairs = counts.iter().filter(|(count, _)| *count > 0);
        let mut words: Vec<String> = repairs
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if self.is_shell {
            words.push("still open: broken as a shell, without cut faces".to_string());
        }
        f.write_str(&words.join(", "))
    }
}

/// Repairs a mesh, and reports whether it is to become a shell; see [`Solid::repaired`](crate::Solid::repaired).
pub(crate) fn repair(mesh: &mut Mesh, options: &RepairOptions) -> Result<RepairReport, SolidError> {
    check_arrays(mesh)?;
    let mut report = repair_faults(mesh, options);
    let topology = EdgeTopology::new(mesh);
    let triangles = || topology.triangle_positions();
    let volume = MassProperties::from_triangles(triangles()).volume;
    let is_solid = is_closed(&topology) && volume > mass::volume_rounding(triangles());
    report.is_shell = !is_solid && options.shell_thickness.is_some();
    Ok(report)
}

fn repair_faults(mesh: &mut Mesh, options: &RepairOptions) -> RepairReport {
    let mut report = RepairReport::default();
    // A closed mesh may need its duplicates: two parts that share a wall have it twice.
    if !is_closed(&EdgeTopology::new(mesh)) {
        report.dropped_duplicates = drop_duplicates(mesh);
        report.flipped = orient::orient_consistently(mesh);
        (report.filled_holes, report.added_triangles) =
            holes::fill_holes(mesh, options.max_hole, options.hole_surface);
    }
    report.flipped += orient::orient_outward(mesh);
    report
}

/// Whether every edge has as many half-edges in one direction as in the other.
fn is_closed(topology: &EdgeTopology) -> bool {
    let mut edges = topology.edges();
    edges.all(|edge| topology.unpaired(edge).next().is_none())
}

/// Drops triangles with the corners of an earlier one; returns their number.
fn drop_duplicates(mesh: &mut Mesh) -> usize {
    let duplicates = check::find_duplicates(&EdgeTopology::new(mesh));
    let is_kept = |triangle: u32| duplicates.binary_search(&triangle).is_err();
    let mut triangles = 0..;
    mesh.triangles
        .retain(|_| triangles.next().is_none_or(is_kept));
    let mut triangles = 0..;
    mesh.surfaces
        .retain(|_| triangles.next().is_none_or(is_kept));
    duplicates.len()
}
