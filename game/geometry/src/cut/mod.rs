//! One break, from an aligned pattern and a prepared solid to finished pieces.
//!
//! The order of work: surface (each cell cuts its part of the surface out), lines (which stretches
//! of pattern edges lie inside), caps (each face filled once), rest (what is left of cut triangles),
//! join (what hangs together), group (pieces), emit (arrays).

mod caps;
mod cavities;
mod clip;
mod delaunay;
mod division;
mod ears;
mod emit;
mod fill;
mod frame;
mod group;
mod join;
mod lines;
mod loops;
mod nodes;
mod outline;
mod owners;
mod parts;
mod pieces;
mod placed;
mod places;
mod rest;
mod seams;
mod separation;
mod slivers;
mod surface;
mod triangles;
mod unite;
mod workspace;

pub use division::{CellFace, CellPart, Division};
pub(crate) use emit::order_by_surface;
pub(crate) use fill::{Filler, Regions};
pub use pieces::{Corner, Fracture, Piece, PieceKind, Report, Source, CAP_SURFACE};
pub use placed::{Affected, Cut};
pub use separation::{Member, Separation};
pub use workspace::{Runner, Serial, Workspace};

use crate::error::FractureError;
use crate::pattern::Pattern;
use crate::solid::Solid;
use frame::Frame;
use parts::Parts;
use rest::Taken;
use surface::CellSurface;
use workspace::{Lists, Team};

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
    with_lists(runner, workspaces, |team, lists| {
        frame.affected(&mut lists.affected)?;
        let report = take_apart(&frame, team, lists)?;
        write(&frame, team, lists, &[], report)
    })
}

/// Does some work with the lists of the first workspace.
fn with_lists<T>(
    runner: &dyn Runner,
    workspaces: &mut [Workspace],
    work: impl FnOnce(&mut Team, &mut Lists) -> Result<T, FractureError>,
) -> Result<T, FractureError> {
    let mut lists = workspaces
        .first_mut()
        .map(|first| std::mem::take(&mut first.lists))
        .unwrap_or_default();
    lists.hand_out(workspaces);
    let mut team = Team { runner, workspaces };
    let result = work(&mut team, &mut lists);
    lists.give_back(team.workspaces);
    if let Some(first) = team.workspaces.first_mut() {
        first.lists = lists;
    }
    result
}

/// Cuts the affected cells out and finds what hangs together.
fn take_apart(frame: &Frame, team: &mut Team, lists: &mut Lists) -> Result<Report, FractureError> {
    let Lists {
        affected,
        surfaces,
        lines,
        caps_by_cell,
        caps,
        ..
    } = lists;
    let is_affected = |cell: u32| affected.binary_search(&cell).is_ok();
    // A shell has no caps.
    let is_solid = !frame.solid.is_shell();
    team.map(affected.len(), surfaces, |at, work| {
        let mut surface = work.cutter.cut(frame, affected[at]);
        if is_solid {
            lines::find_crossings(frame, &mut surface, is_affected);
        }
        surface
    })?;
    if is_solid {
        lines.find(frame, surfaces);
        team.map(surfaces.len(), caps_by_cell, |at, work| {
            work.caps
                .caps_of(frame, &surfaces[at], &lines.stretches, &is_affected)
        })?;
    }
    for list in caps_by_cell {
        caps.append(list);
    }
    if caps.is_empty() && surfaces.iter().all(CellSurface::is_empty) {
        return Err(frame.out_of_reach());
    }
    find_rests(frame, team, lists)?;
    join(frame, team, lists)
}

/// What is left of every triangle that some affected cell has a polygon of.
fn find_rests(frame: &Frame, team: &mut Team, lists: &mut Lists) -> Result<(), FractureError> {
    let Lists {
        affected,
        surfaces,
        taken,
        cut_triangles,
        rests,
        ..
    } = lists;
    if surfaces.len() == frame.pattern.cell_count() {
        return Ok(());
    }
    taken.clear();
    for (slot, surface) in surfaces.iter().enumerate() {
        let polygons = surface.polygons.iter().enumerate();
        taken.extend(polygons.map(|(index, polygon)| Taken {
            triangle: polygon.triangle,
            slot: slot as u32,
            index: index as u32,
        }));
    }
    taken.sort_unstable();
    cut_triangles.clear();
    for same in taken.chunk_by(|a, b| a.triangle == b.triangle) {
        let start = cut_triangles.last().map_or(0, |range| range.end);
        cut_triangles.push(start..start + same.len() as u32);
    }
    let is_affected = |cell: u32| affected.binary_search(&cell).is_ok();
    team.map(cut_triangles.len(), rests, |at, work| {
        let own = cut_triangles[at].start as usize..cut_triangles[at].end as usize;
        work.rests
            .rest_of(frame, surfaces, &taken[own], &is_affected)
    })
}

/// Joins the parts that hang together, and weighs them.
fn join(frame: &Frame, team: &mut Team, lists: &mut Lists) -> Result<Report, FractureError> {
    let parts = Parts {
        solid: frame.solid,
        surfaces: &lists.surfaces,
        caps: &lists.caps,
        rests: &lists.rests,
    };
    let report = Report {
        affected: parts.surfaces.len() as u32,
        rough_caps: parts.caps.iter().filter(|cap| cap.rough).count() as u32,
        ..Report::default()
    };
    let jobs = lists.components.start(&parts);
    let components = &lists.components;
    lists.joined.clear();
    team.map(jobs, &mut lists.joined, |job, work| {
        components.join(&parts, job, &mut work.union);
    })?;
    lists.components.finish(&parts);
    let components = &lists.components;
    lists.groups.sums.clear();
    team.map(
        components.count() as usize,
        &mut lists.groups.sums,
        |at, _| group::sum(&parts, components.members(at as u32)),
    )?;
    Ok(report)
}

/// Sorts what hangs together into pieces and writes these out; `members` join it to groups first.
fn write(
    frame: &Frame,
    team: &mut Team,
    lists: &mut Lists,
    members: &[Member],
    mut report: Report,
) -> Result<Fracture, FractureError> {
    let parts = Parts {
        solid: frame.solid,
        surfaces: &lists.surfaces,
        caps: &lists.caps,
        rests: &lists.rests,
    };
    let components = &lists.components;
    lists.groups.sort(&parts, components, members, &mut report);
    let pieces = &lists.groups.pieces;
    lists.emitted.clear();
    team.map(pieces.len(), &mut lists.emitted, |at, work| {
        work.emitter.piece(&parts, &pieces[at])
    })?;
    let mut result = std::mem::take(&mut lists.spare);
    result.pieces.clear();
    for emitted in lists.emitted.drain(..) {
        report.collapsed += emitted.collapsed;
        report.flat += emitted.flat;
        result.pieces.push(emitted.piece);
    }
    result.contacts.clone_from(&lists.groups.contacts);
    result.report = report;
    Ok(result)
}
