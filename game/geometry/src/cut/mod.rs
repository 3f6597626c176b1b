//! One break, from an aligned pattern and a prepared solid to finished pieces.
//!
//! The order of work: surface (each cell cuts its part of the surface out), lines (which stretches
//! of pattern edges lie inside), caps (each face filled once), rest (what is left of cut triangles),
//! join (what hangs together), group (pieces), emit (arrays).

mod caps;
mod clip;
mod delaunay;
mod ears;
mod emit;
mod fill;
mod frame;
mod group;
mod join;
mod lines;
mod loops;
mod outline;
mod owners;
mod pieces;
mod placed;
mod rest;
mod seams;
mod slivers;
mod surface;
mod workspace;

pub(crate) use fill::fill;
pub use pieces::{Corner, Fracture, Piece, PieceKind, Report, Source, CAP_SURFACE};
pub use placed::{Affected, Cut};
pub use workspace::{Runner, Serial, Workspace};

use crate::error::FractureError;
use crate::pattern::Pattern;
use crate::solid::Solid;
use caps::Cap;
use frame::Frame;
use join::Parts;
use rest::Rest;
use surface::{CellSurface, Polygon};
use workspace::Team;

/// Breaks a solid by a placed pattern.
///
/// The same input gives the same bytes, whatever the workspace was used for before.
///
/// # Errors
/// [`FractureError`] when the break cannot start or was cancelled. Degenerate geometry is no error;
/// it lands in [`Fracture::report`].
pub fn fracture(
    solid: &Solid,
    pattern: &Pattern,
    cut: &Cut,
    workspace: &mut Workspace,
) -> Result<Fracture, FractureError> {
    fracture_on(
        &Serial,
        solid,
        pattern,
        cut,
        std::slice::from_mut(workspace),
    )
}

/// [`fracture`] with the work on cells spread over as many threads as there are workspaces.
///
/// The result is the same for any number of workspaces.
///
/// # Errors
/// As [`fracture`]. Without any workspace the break counts as cancelled.
pub fn fracture_on(
    runner: &dyn Runner,
    solid: &Solid,
    pattern: &Pattern,
    cut: &Cut,
    workspaces: &mut [Workspace],
) -> Result<Fracture, FractureError> {
    let frame = Frame::new(solid, pattern, cut)?;
    let affected = frame.affected()?;
    let mut team = Team { runner, workspaces };
    let surfaces = team.map(affected.len(), |at, work| {
        work.cutter.cut(&frame, affected[at])
    })?;
    let is_affected = |cell: u32| affected.binary_search(&cell).is_ok();
    let caps = caps(&frame, &mut team, &surfaces, &is_affected)?;
    if caps.is_empty() && surfaces.iter().all(CellSurface::is_empty) {
        return Err(frame.out_of_reach());
    }
    let rests = rests(&frame, &mut team, &surfaces, &is_affected)?;
    let parts = Parts {
        solid,
        surfaces,
        caps,
        rests,
    };
    finish(&parts, &mut team)
}

/// The caps of all affected cells; a shell has none.
fn caps(
    frame: &Frame,
    team: &mut Team,
    surfaces: &[CellSurface],
    is_affected: &(dyn Fn(u32) -> bool + Sync),
) -> Result<Vec<Cap>, FractureError> {
    if frame.solid.is_shell() {
        return Ok(Vec::new());
    }
    let stretches = lines::stretches(frame, surfaces);
    let caps = team.map(surfaces.len(), |at, _| {
        caps::caps_of(frame, &surfaces[at], &stretches, is_affected)
    })?;
    Ok(caps.into_iter().flatten().collect())
}

/// What is left of every triangle that some affected cell has a polygon of.
fn rests(
    frame: &Frame,
    team: &mut Team,
    surfaces: &[CellSurface],
    is_affected: &(dyn Fn(u32) -> bool + Sync),
) -> Result<Vec<Rest>, FractureError> {
    if surfaces.len() == frame.pattern.cell_count() {
        return Ok(Vec::new());
    }
    let cut = surfaces
        .iter()
        .flat_map(|s| s.polygons.iter().map(move |p| (s, p)));
    let mut cut: Vec<(&CellSurface, &Polygon)> = cut.collect();
    cut.sort_by_key(|(_, polygon)| polygon.triangle);
    let triangles: Vec<_> = cut.chunk_by(|a, b| a.1.triangle == b.1.triangle).collect();
    team.map(triangles.len(), |at, _| {
        let parts = triangles[at];
        rest::rest_of(frame, parts[0].1.triangle, parts, is_affected)
    })
}

/// Sorts the parts into pieces and writes these out.
fn finish(parts: &Parts, team: &mut Team) -> Result<Fracture, FractureError> {
    let components = join::join(parts);
    let mut report = Report {
        affected: parts.surfaces.len() as u32,
        rough_caps: parts.caps.iter().filter(|cap| cap.rough).count() as u32,
        ..Report::default()
    };
    let groups = group::group(parts, &components, &mut report);
    let emitted = team.map(groups.pieces.len(), |at, work| {
        let piece = work.emitter.piece(parts, &groups.pieces[at]);
        (piece, work.emitter.collapsed, work.emitter.flat)
    })?;
    let mut pieces = Vec::with_capacity(emitted.len());
    for (piece, collapsed, flat) in emitted {
        report.collapsed += collapsed;
        report.flat += flat;
        pieces.push(piece);
    }
    Ok(Fracture {
        pieces,
        contacts: groups.contacts,
        report,
    })
}
